//! Splits a text into sentences.
//!
//! A sentence ends at `.` `!` `?` `…` before white space, at a Chinese or Japanese full stop, at a blank
//! line, and at a line break that separates list items, headings or rows. Abbreviations, initials, ordinals
//! and decimals do not end one. A range contains the sentence without the white space around it; together the
//! ranges contain every other character.

use std::ops::Range;

use super::words::{is_numbered, key, trimmed};

word_sets! {
    /// In lower case, without their full stop.
    ABBREVIATIONS = include_str!("../../data/abbreviations.txt");
}

/// Whether a full stop after this word belongs to it: an abbreviation or an initial.
pub(super) fn is_abbreviation(word: &str) -> bool {
    let mut letters = word.chars();
    let is_initial =
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_none() && word != "I";
    is_initial || ABBREVIATIONS.contains(&key(word))
}
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let mut end = at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' | '｡' => true,
            '.' | '!' | '?' | '…' => {
                let closes = |sign| matches!(sign, '.' | '!' | '?' | '…') || "\"”’')]»".contains(sign);
                while let Some((next, sign)) = chars.next_if(|(_, sign)| closes(*sign)) {
                    end = next + sign.len_utf8();
                }
                let after = &text[end..];
                let next = after.trim_start_matches([' ', '\t']).chars().next();
                let is_spaced = after.is_empty() || after.starts_with(char::is_whitespace);
                is_spaced && (c != '.' || full_stop_ends(&text[start..at], next))
            }
            '\n' => line_ends(&text[start..at], &text[end..]),
            _ => false,
        };
        if ends {
            // Closing quotes after a Chinese full stop belong to its sentence.
            if matches!(c, '。' | '！' | '？' | '｡') {
                while let Some((next, sign)) = chars.next_if(|(_, sign)| "”’」』）》\"".contains(*sign))
                {
                    end = next + sign.len_utf8();
                }
            }
            push(text, start..end, &mut found);
            start = end;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    found.extend(Some(trimmed(text, range, char::is_whitespace)).filter(|range| !range.is_empty()));
}

/// Whether a full stop after `before` ends the sentence, with `next` the next visible character.
fn full_stop_ends(before: &str, next: Option<char>) -> bool {
    let word_start = before
        .rfind(|c: char| !c.is_alphanumeric() && c != '.')
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let word = &before[word_start..];
    // "went on." and "page 3. then": a lower-case letter never starts a sentence, except after a line break.
    if next.is_some_and(char::is_lowercase) {
        return false;
    }
    // A number at the start is a list marker ("1. First"); "am 3. Mai" is a German ordinal.
    if word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty() && word.len() <= 2 {
        return !before[..word_start].trim().is_empty() && !next.is_some_and(char::is_alphabetic);
    }
    if word.is_empty() {
        return true;
    }
    // "e.g", "U.S", "z.B": letters with full stops between.
    let is_dotted = word.contains('.')
        && word.split('.').all(|part| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic));
    !is_dotted && !is_abbreviation(word)
}

/// Whether a line break ends the sentence: at a blank line, or next to a list item, heading or table row.
fn line_ends(before: &str, after: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let next = after.split('\n').next().unwrap_or_default();
    next.trim().is_empty() || line.trim().is_empty() || is_item(next) || is_lone(line)
}

/// Whether a line starts like a list item, heading, quote or table row.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    is_numbered(line)
        || is_lone(line)
        || ["- ", "* ", "+ ", "• ", "> ", "– "].iter().any(|mark| line.starts_with(mark))
}

/// Whether a line is a heading, table row or fence, which never continues on the next line.
fn is_lone(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') || line.starts_with('|') || line.starts_with("```")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    #[test]
    fn texts_are_split_into_sentences() {
        check(include_str!("../../tests/cases/sentences.tsv"), |text| {
            sentences(text).into_iter().map(|range| &text[range]).collect::<Vec<_>>().join(" | ")
        });
    }
}
