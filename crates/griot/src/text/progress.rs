//! Does a text say that something was decided, or that something remains to be done?

use std::sync::LazyLock;

use super::language::{Language, language_of};
use super::words::{Phrases, is_labelled, words};

named! {
    /// How far work has come.
    Progress {
        Decided = "decided",
        /// To be done, or to be answered.
        Open = "open",
    }
}

static CUES: LazyLock<Phrases<(Language, Progress)>> = LazyLock::new(|| {
    let table = include_str!("../../data/progress_cues.tsv");
    Phrases::read(table, |language, [kind]| Some((language, Progress::parse(kind)?)))
});

context_words! {
    OPEN_LABEL
}

/// What a text says; what is "not decided" is open.
pub fn progress(text: &str) -> Option<Progress> {
    let words = words(text);
    let own = language_of(text, &words);
    // "Open: who signs the lease?"
    if is_labelled(&words, &OPEN_LABEL) {
        return Some(Progress::Open);
    }
    let mut found = None;
    for at in 0..words.len() {
        for (_, &(language, progress)) in CUES.all_at(&words, at) {
            let is_read = language.is_read_in(own) || own == Language::Other;
            match progress {
                Progress::Open if is_read => return Some(progress),
                Progress::Decided if is_read => found = Some(progress),
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::progress;
    use crate::text::cases::check;

    #[test]
    fn what_was_decided_and_what_is_open_is_read() {
        check(include_str!("../../tests/cases/progress.tsv"), |text| {
            progress(text).map_or("-", |progress| progress.name()).to_string()
        });
    }
}
