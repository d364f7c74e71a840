//! The words of a text with a lookup key each, and tables of phrases that are matched word by word.
//!
//! The rules for names, causes, dates, intent and negation all ask whether a listed phrase starts at a word.
//! They scan the text once into words and compare 64-bit keys, which needs no setup and respects word
//! boundaries. A Chinese or Japanese character is a word by itself.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// The characters between a word and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Gap {
    /// The first word of the text, preceded by spaces at most.
    Start,
    Joined,
    Space,
    /// White space with one line break, as in wrapped text.
    Line,
    Apostrophe,
    Hyphen,
    /// A full stop and white space: an abbreviation or the end of a sentence.
    Dot,
    /// A full stop alone, as in `3.14`.
    DotJoined,
    Comma,
    /// `&` with or without spaces.
    Ampersand,
    /// Quotes, brackets and white space.
    Bracket,
    /// `:` `;` and dashes.
    Colon,
    /// The end of a sentence, paragraph or list item.
    Break,
    #[default]
    Other,
}

impl Gap {
    /// Whether the words on both sides may belong to one phrase.
    pub(super) const fn joins_phrase(self) -> bool {
        matches!(
            self,
            Self::Joined | Self::Space | Self::Line | Self::Apostrophe | Self::Hyphen | Self::DotJoined
        )
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    pub start: usize,
    pub end: usize,
    /// Key of the lower-cased word.
    pub key: u64,
    pub gap: Gap,
    /// Starts with an upper-case letter.
    pub upper: bool,
    /// Has a lower-case letter.
    pub lower: bool,
    /// Has an upper-case letter after its first character.
    pub inner_upper: bool,
    /// Has a digit.
    pub digit: bool,
    /// One Han or Kana character.
    pub ideograph: bool,
}

impl Word {
    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }

    /// All letters are capitals and there are at least two.
    pub(super) fn is_caps(&self) -> bool {
        self.upper && self.inner_upper && !self.lower
    }
}

/// Builds the key of a word byte by byte, eight at a time: one multiplication for most words.
#[derive(Clone, Copy)]
struct KeyBuilder {
    state: u64,
    chunk: u64,
    len: u32,
}

/// Odd numbers with well mixed bits (the fractional parts of the golden ratio and of the square root of 2).
const KEY_SEED: u64 = 0x6A09_E667_F3BC_C909;
const KEY_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Folds both halves of the product, so that every bit of the input reaches every bit of the key.
fn mixed(state: u64, chunk: u64) -> u64 {
    let product = u128::from(state ^ chunk) * u128::from(KEY_STEP);
    (product as u64) ^ ((product >> 64) as u64)
}

impl KeyBuilder {
    const EMPTY: Self = Self { state: KEY_SEED, chunk: 0, len: 0 };

    fn push(&mut self, byte: u8) {
        self.chunk |= u64::from(byte) << (8 * (self.len & 7));
        self.len = self.len.wrapping_add(1);
        if self.len & 7 == 0 {
            self.state = mixed(self.state, self.chunk);
            self.chunk = 0;
        }
    }

    fn push_char(&mut self, c: char) {
        let mut utf8 = [0; 4];
        for c in c.to_lowercase() {
            c.encode_utf8(&mut utf8).bytes().for_each(|byte| self.push(byte));
        }
    }

    fn key(self) -> u64 {
        mixed(mixed(self.state, self.chunk), u64::from(self.len))
    }
}

/// The key of these bytes; for a lower-case word the same as [`key`].
pub(super) fn key_bytes(bytes: &[u8]) -> u64 {
    let mut builder = KeyBuilder::EMPTY;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        builder.state = mixed(builder.state, u64::from_le_bytes(eight));
        builder.len = builder.len.wrapping_add(8);
    }
    chunks.remainder().iter().for_each(|byte| builder.push(*byte));
    builder.key()
}

/// The key of a word, regardless of its case.
pub(super) fn key(word: &str) -> u64 {
    let mut builder = KeyBuilder::EMPTY;
    for c in word.chars() {
        if c.is_ascii() { builder.push(c.to_ascii_lowercase() as u8) } else { builder.push_char(c) }
    }
    builder.key()
}

pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c as u32,
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9D | 0x20000..=0x3FFFD)
}

pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// The words of a text in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::with_capacity(text.len() / 5 + 1);
    let mut at = 0;
    let mut gap_start = 0;
    while at < text.len() {
        let mut word = word_at(text, at);
        if word.end > at {
            word.gap = gap(&text[gap_start..at], gap_start == 0);
            words.push(word);
            at = word.end;
            gap_start = at;
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    words
}

/// The word that begins at a byte, empty if none does; without its gap.
fn word_at(text: &str, start: usize) -> Word {
    let bytes = text.as_bytes();
    let mut word = Word { start, ..Word::default() };
    let mut key = KeyBuilder::EMPTY;
    let mut at = start;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii_lowercase() {
            word.lower = true;
            key.push(byte);
            at += 1;
        } else if byte.is_ascii_uppercase() {
            word.upper |= at == start;
            word.inner_upper |= at != start;
            key.push(byte | 0x20);
            at += 1;
        } else if byte.is_ascii_digit() {
            word.digit = true;
            key.push(byte);
            at += 1;
        } else if byte.is_ascii() {
            break;
        } else {
            let Some(c) = text[at..].chars().next() else { break };
            if is_ideograph(c) {
                word.ideograph = at == start;
                if !word.ideograph {
                    break;
                }
            } else if !c.is_alphanumeric() && !is_mark(c) {
                break;
            }
            word.lower |= c.is_lowercase();
            word.digit |= c.is_numeric();
            if c.is_uppercase() {
                word.upper |= at == start;
                word.inner_upper |= at != start;
            }
            key.push_char(c);
            at += c.len_utf8();
            if word.ideograph {
                break;
            }
        }
    }
    word.end = at;
    if at > start {
        word.key = key.key();
    }
    word
}

/// A combining accent, which continues a word.
fn is_mark(c: char) -> bool {
    matches!(c as u32, 0x0300..=0x036F)
}

fn gap(between: &str, first: bool) -> Gap {
    match between {
        "" => return if first { Gap::Start } else { Gap::Joined },
        " " if !first => return Gap::Space,
        "'" | "’" if !first => return Gap::Apostrophe,
        "-" | "‐" | "‑" | "–" if !first => return Gap::Hyphen,
        ", " => return Gap::Comma,
        _ => {}
    }
    let (mut lines, mut stop, mut dots, mut colon, mut comma, mut bracket, mut other) =
        (0, false, 0, false, false, false, false);
    let mut ampersand = false;
    let mut space = false;
    for c in between.chars() {
        match c {
            '\n' => lines += 1,
            '.' => dots += 1,
            '!' | '?' | '…' | '。' | '！' | '？' | '•' | '·' | '|' | '#' | '*' => stop = true,
            ':' | ';' | '：' | '；' | '—' | '–' | '→' => colon = true,
            ',' | '，' | '、' => comma = true,
            '"' | '“' | '”' | '‘' | '’' | '\'' | '(' | ')' | '[' | ']' | '{' | '}' | '«' | '»' | '„'
            | '`' | '「' | '」' | '《' | '》' | '（' | '）' | '_' => bracket = true,
            '&' => ampersand = true,
            '-' | '>' if lines > 0 => stop = true,
            '-' if space => colon = true,
            c if c.is_whitespace() => space = true,
            _ => other = true,
        }
    }
    let marks = colon || comma || bracket || other || ampersand;
    match () {
        () if stop || lines > 1 => Gap::Break,
        () if dots == 1 && !marks && space && lines == 0 => Gap::Dot,
        () if dots == 1 && !marks && lines == 0 => Gap::DotJoined,
        () if dots > 0 => Gap::Break,
        () if first && !marks => Gap::Start,
        () if colon => Gap::Colon,
        () if bracket => Gap::Bracket,
        () if comma => Gap::Comma,
        () if ampersand => Gap::Ampersand,
        () if other => Gap::Other,
        () if lines == 1 => Gap::Line,
        () => Gap::Space,
    }
}

/// Passes keys through, since they are hashes already.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = mixed(self.0, key_bytes(bytes));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(super) type KeyMap<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;
pub(super) type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

/// The entries of a data file: lines that are neither empty nor comments.
pub(super) fn lines(data: &'static str) -> impl Iterator<Item = &'static str> {
    data.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The keys of a data file of single words.
pub(super) fn key_set(data: &'static str) -> KeySet {
    lines(data).flat_map(str::split_whitespace).map(key).collect()
}

/// Declares sets of words.
macro_rules! word_sets {
    ($($(#[$doc:meta])* $name:ident = $words:expr;)*) => {$(
        $(#[$doc])*
        pub(super) static $name: std::sync::LazyLock<$crate::text::words::KeySet> =
            std::sync::LazyLock::new(|| $crate::text::words::key_set($words));
    )*};
}

/// The keys of a list in `data/context_words.txt`.
pub(super) fn context_set(list: &str) -> KeySet {
    let own = |line: &'static str| line.strip_prefix(list)?.strip_prefix(' ');
    let words = lines(include_str!("../../data/context_words.txt")).filter_map(own);
    let keys: KeySet = words.flat_map(str::split_whitespace).map(key).collect();
    debug_assert!(!keys.is_empty(), "{list} has no words");
    keys
}

/// Declares sets of words that are lists in `data/context_words.txt`.
macro_rules! context_words {
    ($($name:ident)*) => {$(
        pub(super) static $name: std::sync::LazyLock<$crate::text::words::KeySet> =
            std::sync::LazyLock::new(|| $crate::text::words::context_set(stringify!($name)));
    )*};
}

context_words! {
    PARTICLES
}

/// The two Chinese characters from this one on, if they may be a word: one character says too little.
pub(super) fn pair_at(words: &[Word], at: usize) -> Option<Range<usize>> {
    let (first, second) = (words.get(at)?, words.get(at + 1)?);
    let is_of_word = |word: &Word| word.ideograph && !PARTICLES.contains(&word.key);
    (is_of_word(first) && is_of_word(second) && first.end == second.start).then_some(first.start..second.end)
}

/// Whether a list of words with spaces between contains this word.
pub(super) fn is_one_of(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// The range without the characters at its ends that are edges.
pub(super) fn trimmed(text: &str, range: Range<usize>, is_edge: fn(char) -> bool) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start_matches(is_edge).len());
    start..start.max(range.start + slice.trim_end_matches(is_edge).len())
}

/// Whether a text begins with one of these words and a colon.
pub(super) fn is_labelled(words: &[Word], labels: &KeySet) -> bool {
    matches!(words, [first, second, ..] if second.gap == Gap::Colon && labels.contains(&first.key))
}

/// Whether a line begins with a number as in a list: `1. ` or `2) `.
pub(super) fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "))
}

/// Phrases of one or more words, each with a value.
pub(super) struct Phrases<T> {
    by_first: KeyMap<Vec<(Vec<u64>, T)>>,
}

impl<T> Phrases<T> {
    pub(super) fn new(entries: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut by_first: KeyMap<Vec<(Vec<u64>, T)>> = KeyMap::default();
        for (phrase, value) in entries {
            let mut keys = words(phrase).into_iter().map(|word| word.key);
            if let Some(first) = keys.next() {
                by_first.entry(first).or_default().push((keys.collect(), value));
            }
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Self { by_first }
    }

    /// The longest phrase that begins at word `at`: its number of words, and its value.
    pub(super) fn at<'a>(&'a self, words: &'a [Word], at: usize) -> Option<(usize, &'a T)> {
        self.all_at(words, at).next()
    }

    /// Every phrase that begins at word `at`, longest first.
    pub(super) fn all_at<'a>(&'a self, words: &'a [Word], at: usize) -> impl Iterator<Item = (usize, &'a T)> {
        let rest_of_text = &words[(at + 1).min(words.len())..];
        let phrases = words.get(at).and_then(|word| self.by_first.get(&word.key));
        phrases.into_iter().flatten().filter_map(move |(rest, value)| {
            let here = rest_of_text.get(..rest.len())?;
            let same = here.iter().zip(rest).all(|(word, key)| word.key == *key && word.gap.joins_phrase());
            same.then_some((rest.len() + 1, value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        words(text).iter().map(|word| word.text(text)).collect()
    }

    #[test]
    fn words_end_at_signs_and_ideographs_stand_alone() {
        assert_eq!(shown("Don't use v2.0, naïve one"), ["Don", "t", "use", "v2", "0", "naïve", "one"]);
        assert_eq!(shown("因此X"), ["因", "此", "X"]);
    }

    #[test]
    fn gaps_distinguish_sentences_from_phrases() {
        let gaps: Vec<Gap> = words("a b's c-d e. f, g\n\nh (i)").iter().map(|word| word.gap).collect();
        use Gap::*;
        assert_eq!(gaps, [Start, Space, Apostrophe, Space, Hyphen, Space, Dot, Comma, Break, Bracket]);
    }

    #[test]
    fn the_longest_phrase_wins() {
        let phrases = Phrases::new([("as", 1), ("as a result", 2), ("结果", 3)]);
        let text = "So as a Result of 结果";
        let words = words(text);
        assert_eq!(phrases.at(&words, 1), Some((3, &2)));
        assert_eq!(phrases.at(&words, 5), Some((2, &3)));
        assert_eq!(phrases.at(&words, 0), None);
    }
}
