//! Whether a text retracts something, and which numbers it names: what makes an update of a repetition.

use std::sync::LazyLock;

use super::language::{Language, language_of};
use super::words::{Phrases, lines, words};

static CUES: LazyLock<Phrases<Language>> = LazyLock::new(|| {
    Phrases::new(lines(include_str!("../../data/negation_cues.txt")).filter_map(|line| {
        let (language, phrase) = line.split_once('\t')?;
        Some((phrase, Language::of_code(language)))
    }))
});

/// Whether the text says that something is not, or no longer, so, or that one thing replaced another.
pub fn negates(text: &str) -> bool {
    let words = words(text);
    let mut own = None;
    (0..words.len()).any(|at| {
        CUES.all_at(&words, at)
            .any(|(_, language)| language.is_read_in(*own.get_or_insert_with(|| language_of(text, &words))))
    })
}

/// The numbers of a text in order, without thousands separators: `3.5`, `1000`, `2023`, `15%`. Digits inside
/// names such as `v2` or `SHA256` belong to the name and are left out.
pub fn numbers(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let mut number = String::new();
        while at < bytes.len() {
            let next_is_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
            match bytes[at] {
                digit @ b'0'..=b'9' => number.push(char::from(digit)),
                b'.' if next_is_digit => number.push('.'),
                b',' if next_is_digit && is_thousands(&bytes[at + 1..]) => {}
                b',' if next_is_digit => number.push('.'),
                _ => break,
            }
            at += 1;
        }
        let in_name = text[..start].ends_with(|c: char| c.is_alphabetic() || c == '_');
        if in_name {
            continue;
        }
        let is_negative =
            text[..start].ends_with('-') && !text[..start - 1].ends_with(|c: char| c.is_alphanumeric());
        let percent = if bytes.get(at) == Some(&b'%') { "%" } else { "" };
        found.push(format!("{}{number}{percent}", if is_negative { "-" } else { "" }));
    }
    found
}

/// Exactly three digits follow the comma.
fn is_thousands(after: &[u8]) -> bool {
    after.iter().take_while(|b| b.is_ascii_digit()).count() == 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    #[test]
    fn what_is_taken_back_is_noticed() {
        let said = |text: &str| if negates(text) { "yes" } else { "no" }.to_string();
        check(include_str!("../../tests/cases/negations.tsv"), said);
    }

    #[test]
    fn numbers_are_comparable() {
        check(include_str!("../../tests/cases/numbers.tsv"), |text| numbers(text).join(" "));
    }
}
