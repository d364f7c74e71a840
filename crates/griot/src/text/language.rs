//! Which language a text is written in.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Language {
    English,
    German,
    French,
    Spanish,
    Chinese,
    Other,
}

pub fn language(text: &str) -> Language {
    let _ = text;
    Language::Other
}
