//! Detects the language of a text.
//!
//! By script first, then by counting words that only one of the languages uses often. A few words are enough;
//! a single word usually is not, and then the answer is `Other`.

use std::sync::LazyLock;

use super::words::{KeyMap, Phrases, Word, key, lines, words};

named! {
    Language {
        English = "english",
        German = "german",
        French = "french",
        Spanish = "spanish",
        Chinese = "chinese",
        Other = "other",
    }
}

impl Language {
    /// The language of a code in the data files: `en`, `de`, `fr`, `es`, or else Chinese.
    pub(super) fn of_code(code: &str) -> Self {
        match code {
            "en" => Self::English,
            "de" => Self::German,
            "fr" => Self::French,
            "es" => Self::Spanish,
            _ => Self::Chinese,
        }
    }

    /// Whether cues of this language count in a text of another. Chinese ones are unmistakable; others count
    /// only in their own language, English ones also in a text of unknown language.
    pub(super) fn is_read_in(self, text: Self) -> bool {
        self == Self::Chinese || self == text || (text == Self::Other && self == Self::English)
    }
}

/// The languages that words decide.
const LANGUAGES: [Language; 4] = [Language::English, Language::German, Language::French, Language::Spanish];

/// The everyday words of four languages, in the order of [`LANGUAGES`]. `!` marks a word that has a meaning
/// in another language.
pub(super) const STOP_WORDS: [&str; 4] = [
    include_str!("../../data/stopwords_en.txt"),
    include_str!("../../data/stopwords_de.txt"),
    include_str!("../../data/stopwords_fr.txt"),
    include_str!("../../data/stopwords_es.txt"),
];

/// Number of words that are counted; enough to be sure.
const WORDS_READ: usize = 400;

/// For each word the languages that use it, as bits in the order of the lists.
static MARKERS: LazyLock<KeyMap<u8>> = LazyLock::new(|| {
    let mut markers = KeyMap::default();
    let mut add = |bit: usize, words: &'static str, sign: u8| {
        for word in words.split_whitespace() {
            *markers.entry(key(word.trim_start_matches('!'))).or_insert(0) |= (1 << bit) | sign;
        }
    };
    for (bit, list) in STOP_WORDS.into_iter().enumerate() {
        lines(list).for_each(|words| add(bit, words, STOP));
    }
    for line in lines(include_str!("../../data/language_words.tsv")) {
        let Some((code, words)) = line.split_once('\t') else { continue };
        let bit = LANGUAGES.iter().position(|language| *language == Language::of_code(code));
        bit.into_iter().for_each(|bit| add(bit, words, 0));
    }
    markers
});

/// The bit of a word that says nothing by itself.
const STOP: u8 = 1 << 7;

/// Whether a word, by its key, says nothing by itself in one of the languages.
pub(super) fn is_stop_word(key: u64) -> bool {
    MARKERS.get(&key).is_some_and(|bits| bits & STOP != 0)
}

/// The language of a text, `Other` if it is unknown.
pub fn language(text: &str) -> Language {
    // Four hundred words are less than this many bytes in any language; a data dump has longer "words".
    let head = &text[..text.floor_char_boundary(WORDS_READ * 12)];
    language_of(head, &words(head))
}

/// The same for a text that has been split into words.
pub(super) fn language_of(text: &str, words: &[Word]) -> Language {
    let mut han = 0;
    let mut kana = 0;
    let mut latin = 0;
    let mut foreign = 0;
    // Tenths of a word.
    let mut points = [0_u32; 4];
    for word in words.iter().take(WORDS_READ) {
        let form = word.text(text);
        if word.ideograph {
            match form.chars().next().map_or(0, u32::from) {
                0x3041..=0x30FF | 0xFF66..=0xFF9D => kana += 1,
                _ => han += 1,
            }
            continue;
        }
        match form.chars().next() {
            Some(c) if (c as u32) < 0x250 => latin += 1,
            Some(_) => foreign += 1,
            None => {}
        }
        weigh(text, word, &mut points);
    }
    if kana > 0 && kana * 4 >= han {
        return Language::Other;
    }
    // Three Han characters carry about as much as a word.
    if han > 0 && han >= 2 * latin {
        return Language::Chinese;
    }
    if foreign > latin {
        return Language::Other;
    }
    let (best, most) = points
        .iter()
        .enumerate()
        .max_by_key(|(bit, points)| (**points, 4 - bit))
        .map_or((0, 0), |(b, p)| (b, *p));
    if most < 10 {
        return Language::Other;
    }
    LANGUAGES[best]
}

/// Adds the points of a word for each language, in the order of [`LANGUAGES`].
fn weigh(text: &str, word: &Word, points: &mut [u32; 4]) {
    let form = word.text(text);
    // "¿Por qué". "¿" and "¡" end in these bytes, and few other characters do.
    if word.start > 0
        && matches!(text.as_bytes()[word.start - 1], 0xBF | 0xA1)
        && text[..word.start].ends_with(['¿', '¡'])
    {
        points[3] += 10;
    }
    if let Some(languages) = MARKERS.get(&word.key).map(|bits| bits & !STOP) {
        let share = 10 / languages.count_ones();
        for (bit, points) in points.iter_mut().enumerate() {
            if languages & (1 << bit) != 0 {
                *points += share;
            }
        }
    }
    if form.is_ascii() {
        return;
    }
    for c in form.chars() {
        match c {
            'ä' | 'ö' | 'ü' | 'ß' | 'Ä' | 'Ö' | 'Ü' => points[1] += 4,
            'è' | 'ê' | 'ç' | 'à' | 'ù' | 'œ' | 'î' | 'û' | 'â' => points[2] += 4,
            'ñ' | 'í' | 'ó' | 'á' | 'ú' => points[3] += 4,
            _ => {}
        }
    }
}

impl<T> Phrases<T> {
    /// The phrases of a table: a language, `N` columns that `value` reads, and phrases separated by ` | `. A
    /// row that `value` does not know is passed over, and a test of the data finds it.
    pub(super) fn read<const N: usize>(
        table: &'static str,
        value: impl Fn(Language, [&'static str; N]) -> Option<T>,
    ) -> Self
    where
        T: Copy,
    {
        let rows = lines(table).filter_map(|line| {
            let mut columns = line.split('\t').map(str::trim);
            let language = Language::of_code(columns.next()?);
            let own: Vec<&str> = columns.by_ref().take(N).collect();
            let value = own.try_into().ok().and_then(|own| value(language, own));
            debug_assert!(value.is_some(), "no such row: {line}");
            Some(columns.next()?.split(" | ").map(move |phrase| Some((phrase, value?))))
        });
        Self::new(rows.flatten().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::language;
    use crate::text::cases::check;

    #[test]
    fn short_texts_are_recognised() {
        check(include_str!("../../tests/cases/languages.tsv"), |text| language(text).name().to_string());
    }
}
