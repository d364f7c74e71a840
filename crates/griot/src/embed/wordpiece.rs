//! BERT's tokeniser: normalisation, pre-tokenisation and WordPiece over an uncased vocabulary.
//!
//! Implemented here because a fresh process must embed one question in a few milliseconds, and the
//! `tokenizers` crate first builds its own copy of the vocabulary and takes most of a minute to compile.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::FixedState;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Words longer than this are unknown as a whole (BERT's limit).
const LONGEST_WORD: usize = 100;

/// `Piece` is `&'static str` for a vocabulary in the binary, which needs no allocation, and `Box<str>` for
/// one that was read from a file.
pub struct WordPiece<Piece = &'static str> {
    /// Pieces that begin a word, and pieces that continue one (stored without their `##`).
    initial: HashMap<Piece, u32, FixedState>,
    inner: HashMap<Piece, u32, FixedState>,
    longest: usize,
    /// The token of words that are not in the vocabulary.
    pub unknown: u32,
}

impl<Piece: Borrow<str> + Eq + Hash> WordPiece<Piece> {
    /// `vocabulary` holds one piece per line; the line number is the token.
    pub fn new<'a>(vocabulary: &'a str) -> Self
    where
        Piece: From<&'a str>,
    {
        let mut initial: HashMap<Piece, u32, _> =
            HashMap::with_capacity_and_hasher(26_000, FixedState::default());
        let mut inner: HashMap<Piece, u32, _> =
            HashMap::with_capacity_and_hasher(8_000, FixedState::default());
        let (mut longest, mut unknown) = (0, 0);
        for (token, piece) in vocabulary.lines().enumerate() {
            let token = token as u32;
            longest = longest.max(piece.len());
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => inner.insert(rest.into(), token),
                _ => initial.insert(piece.into(), token),
            };
            if piece == "[UNK]" {
                unknown = token;
            }
        }
        Self { initial, inner, longest, unknown }
    }

    /// The token of a whole entry, such as `[CLS]`.
    pub fn token(&self, entry: &str) -> Option<u32> {
        self.initial.get(entry).copied()
    }

    /// Passes every token of `text` to `sink`, in order. `[CLS]` and the like in a text are letters and
    /// brackets: text is never an instruction to the model.
    pub fn for_each_token(&self, text: &str, sink: &mut impl FnMut(u32)) {
        let mut word = String::with_capacity(32);
        let mut flush = |word: &mut String| {
            if !word.is_empty() {
                self.split(word, sink);
                word.clear();
            }
        };
        for c in text.chars() {
            if c.is_ascii() {
                if c.is_ascii_alphanumeric() {
                    word.push(c.to_ascii_lowercase());
                } else if c.is_ascii_punctuation() {
                    flush(&mut word);
                    word.push(c);
                    flush(&mut word);
                } else if c.is_ascii_whitespace() {
                    flush(&mut word);
                }
                continue;
            }
            if c.is_whitespace() {
                flush(&mut word);
            } else if is_cjk(c) || c.general_category_group() == GeneralCategoryGroup::Punctuation {
                flush(&mut word);
                word.push(c);
                flush(&mut word);
            } else if c != char::REPLACEMENT_CHARACTER && !is_control(c) {
                for lower in c.to_lowercase() {
                    for part in std::iter::once(lower).nfd() {
                        if part.general_category() != GeneralCategory::NonspacingMark {
                            word.push(part);
                        }
                    }
                }
            }
        }
        flush(&mut word);
    }

    /// Takes the longest piece first, from the left; a word with an unknown rest is unknown as a whole.
    fn split(&self, word: &str, sink: &mut impl FnMut(u32)) {
        if let Some(&token) = self.initial.get(word) {
            sink(token);
            return;
        }
        if word.chars().count() > LONGEST_WORD {
            sink(self.unknown);
            return;
        }
        let mut pieces = [0u32; LONGEST_WORD];
        let (mut count, mut start) = (0, 0);
        while start < word.len() {
            let pieces_here = if start == 0 { &self.initial } else { &self.inner };
            let mut end = word.len().min(start + self.longest);
            let found = loop {
                if word.is_char_boundary(end)
                    && let Some(&token) = pieces_here.get(&word[start..end])
                {
                    break Some(token);
                }
                end -= 1;
                if end == start {
                    break None;
                }
            };
            let Some(token) = found else {
                sink(self.unknown);
                return;
            };
            pieces[count] = token;
            count += 1;
            start = end;
        }
        pieces[..count].iter().for_each(|&token| sink(token));
    }
}

/// Characters that BERT's clean-up drops. Unassigned ones are kept: they are unknown, not absent.
fn is_control(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Other
        && c.general_category() != GeneralCategory::Unassigned
}

/// The blocks whose characters BERT separates.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x20000..=0x2A6DF | 0x2A700..=0x2B73F | 0x2B740..=0x2B81F
        | 0x2B820..=0x2CEAF | 0xF900..=0xFAFF | 0x2F800..=0x2FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(vocabulary: &str, text: &str) -> Vec<u32> {
        let pieces: WordPiece<Box<str>> = WordPiece::new(vocabulary);
        let mut tokens = Vec::new();
        pieces.for_each_token(text, &mut |token| tokens.push(token));
        tokens
    }

    #[test]
    fn accents_are_dropped_and_vowel_signs_stay() {
        assert_eq!(tokens("[UNK]\ncafe\nकि", "Café कि"), [1, 2]);
    }

    #[test]
    fn control_characters_are_dropped_and_unassigned_ones_are_unknown() {
        assert_eq!(tokens("[UNK]\nab", "a\u{200b}b \u{e000} \u{378}"), [1, 0]);
    }

    #[test]
    fn names_of_special_tokens_are_only_letters_in_a_text() {
        assert_eq!(tokens("[UNK]\n[SEP]\n[\n]\nsep", "[SEP]"), [2, 4, 3]);
    }
}
