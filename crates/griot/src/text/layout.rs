//! Which parts of a text are prose, so that code, headings, tables, mark-up and navigation give no names.
//!
//! A view has the length of the text and differs from it only where bytes are blanked, so every range of a
//! view is a range of the text. Whole lines are blanked by `|`, which ends a sentence; pieces inside a line
//! by `_`, which does not.

use std::borrow::Cow;
use std::ops::Range;

use super::words::{Gap, words};

word_sets! {
    NAVIGATION = include_str!("../../data/navigation_words.txt");
}

const BLOCK: u8 = b'|';
const PIECE: u8 = b'_';
/// Bytes. A longer run between angle brackets or braces is no tag.
const LONGEST_TAG: usize = 300;
/// Words. A longer line is no heading.
const LONGEST_HEADING: usize = 8;

/// The text without fenced and indented code: what addresses, code names, dates and listed terms are read in.
pub(super) fn without_code(text: &str) -> Cow<'_, str> {
    if !text.contains("```") && !text.contains("~~~") && !text.contains("\n    ") {
        return Cow::Borrowed(text);
    }
    blanked(text, &code_lines(text), BLOCK)
}

/// The same without table rows: what code names are read in.
pub(super) fn without_tables(text: &str) -> Cow<'_, str> {
    let rows: Vec<Range<usize>> =
        lines_of(text).filter(|(_, line)| is_row(line.trim())).map(|(range, _)| range).collect();
    blanked(text, &rows, BLOCK)
}

/// The prose alone: also without headings, table rows, navigation, inline code, tags, templates and escapes.
pub(super) fn prose(text: &str) -> Cow<'_, str> {
    if !text.contains(['\n', '`', '<', '&', '\\', '{', '$', '|', '#']) {
        return Cow::Borrowed(text);
    }
    let mut blocks = code_lines(text);
    blocks.extend(other_lines(text));
    let mut view = blanked(text, &blocks, BLOCK).into_owned();
    let pieces = pieces(&view);
    if !pieces.is_empty() {
        view = blanked(&view, &pieces, PIECE).into_owned();
    }
    Cow::Owned(view)
}

fn blanked<'t>(text: &'t str, ranges: &[Range<usize>], sign: u8) -> Cow<'t, str> {
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        bytes[range.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = sign);
    }
    // The ranges end at character boundaries, so the rest is as valid as it was.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Each line with its range, without the line break.
fn lines_of(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let shown = line.trim_end_matches(['\n', '\r']);
        (start..start + shown.len(), shown)
    })
}

fn code_lines(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<char> = None;
    let mut above_is_blank = false;
    let mut in_indented = false;
    for (range, line) in lines_of(text) {
        let bare = line.trim_start();
        let mark = match bare.get(..3) {
            Some("```") => Some('`'),
            Some("~~~") => Some('~'),
            _ => None,
        };
        if let Some(open) = fence {
            if mark == Some(open) && bare.trim_end().trim_start_matches(open).is_empty() {
                fence = None;
            }
            found.push(range);
        } else if mark.is_some() && !is_underline(bare) {
            fence = mark;
            found.push(range);
        } else if line.starts_with("    ") || line.starts_with('\t') {
            // Indented text is code where a blank line stands above it and it looks like code.
            in_indented = in_indented || (above_is_blank && is_code(bare));
            if in_indented && is_code(bare) {
                found.push(range);
            }
        } else if !bare.is_empty() {
            in_indented = false;
        }
        above_is_blank = bare.is_empty();
    }
    found
}

fn is_code(line: &str) -> bool {
    let signs = line.bytes().filter(|byte| b"{}()[];=<>$|\\/_#".contains(byte)).count();
    signs >= 2 || line.ends_with([';', '{', '}']) || line.starts_with(['$', '%', '>', '-'])
}

/// An underline of a heading: `===`, `---`, `~~~`.
fn is_underline(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ['=', '-', '~', '^', '*', '+'].iter().any(|sign| line.chars().all(|c| c == *sign))
}

/// Headings, table rows and navigation.
fn other_lines(text: &str) -> Vec<Range<usize>> {
    let lines: Vec<(Range<usize>, &str)> = lines_of(text).collect();
    let blank =
        |at: Option<usize>| at.and_then(|at| lines.get(at)).is_none_or(|(_, line)| line.trim().is_empty());
    let several = lines.iter().filter(|(_, line)| !line.trim().is_empty()).count() > 1;
    let mut found = Vec::new();
    for (at, (range, line)) in lines.iter().enumerate() {
        let bare = line.trim();
        let under = lines.get(at + 1).is_some_and(|(_, next)| next.trim().len() >= 3 && is_underline(next));
        let is_heading = is_atx(bare)
            || (under && bare.chars().count() <= 100)
            || (several && blank(at.checked_sub(1)) && blank(Some(at + 1)) && is_title_line(bare));
        if !bare.is_empty() && (is_heading || is_row(bare) || is_navigation(bare)) {
            found.push(range.clone());
        }
    }
    found
}

fn is_row(line: &str) -> bool {
    line.starts_with('|') || line.matches(" | ").count() >= 2 || line.matches('\t').count() >= 2
}

fn is_atx(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    (1..=6).contains(&level) && rest.starts_with([' ', '\t'])
}

/// A line of its own in capitals: "NAME", "Getting Started", "3.2 Database Configuration".
fn is_title_line(line: &str) -> bool {
    if line.ends_with(['.', '!', '?', ',', ';', ':', '。', '"']) || line.starts_with(['-', '*', '>', '"']) {
        return false;
    }
    let words: Vec<&str> =
        line.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).collect();
    let long = |word: &&&str| word.chars().count() > 3;
    (1..=LONGEST_HEADING).contains(&words.len())
        && words.iter().filter(long).all(|word| word.starts_with(char::is_uppercase))
        && words.first().is_some_and(|word| word.starts_with(char::is_uppercase))
}

/// A line of links: "Home | Next | Previous", "Skip to content".
fn is_navigation(line: &str) -> bool {
    let words = words(line);
    let letters = words.iter().filter(|word| !word.digit).count();
    let listed = words.iter().filter(|word| NAVIGATION.contains(&word.key)).count();
    let separated =
        words.iter().skip(1).filter(|word| matches!(word.gap, Gap::Break | Gap::Other | Gap::Colon)).count();
    (1..=16).contains(&letters)
        && !line.ends_with(['.', '!', '?'])
        && (listed == letters || (listed * 2 > letters && (separated >= 2 || letters <= 3)))
}

/// Inline code, tags, entities, templates, escapes and variables.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'`' => code_end(text, at),
            b'<' => tag_end(text, at),
            b'&' => entity_end(text, at),
            b'{' => template_end(text, at),
            b'\\' => escape_end(text, at),
            b'$' | b'%' => variable_end(text, at),
            _ => None,
        };
        match end {
            Some(end) => {
                found.push(at..end);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The end of the first `needle` after `from` on the same line, within the longest tag.
fn closing(text: &str, from: usize, needle: &str) -> Option<usize> {
    let rest = &text[from..text.floor_char_boundary((from + LONGEST_TAG).min(text.len()))];
    let rest = rest.split('\n').next().unwrap_or_default();
    rest.find(needle).map(|at| from + at + needle.len())
}

fn code_end(text: &str, at: usize) -> Option<usize> {
    let marks = text[at..].bytes().take_while(|byte| *byte == b'`').count();
    closing(text, at + marks, &text[at..at + marks.min(3)])
}

fn tag_end(text: &str, at: usize) -> Option<usize> {
    let next = text[at + 1..].chars().next()?;
    if text[at + 1..].starts_with('%') {
        return closing(text, at + 2, "%>");
    }
    (next.is_ascii_alphabetic() || matches!(next, '/' | '!')).then(|| closing(text, at + 1, ">")).flatten()
}

fn entity_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at + 1..];
    let name = rest.bytes().take(12).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    (name > 1 && rest[name..].starts_with(';')).then_some(at + name + 2)
}

fn template_end(text: &str, at: usize) -> Option<usize> {
    match text[at + 1..].chars().next()? {
        '{' => closing(text, at + 2, "}}"),
        '%' => closing(text, at + 2, "%}"),
        '#' => closing(text, at + 2, "#}"),
        _ => None,
    }
}

/// `\fB` of a manual page, `\n`, `\textbf`.
fn escape_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text.as_bytes()[at + 1..];
    match rest.first()? {
        b'f' if rest.get(1).is_some_and(|font| b"BIRPCW".contains(font)) => Some(at + 3),
        byte if byte.is_ascii_alphabetic() => {
            let small = rest.iter().take(20).take_while(|byte| byte.is_ascii_lowercase()).count();
            Some(at + 1 + small.max(1))
        }
        byte if byte.is_ascii_punctuation() => Some(at + 2),
        _ => None,
    }
}

/// `$HOME`, `${HOME}`, `%USER%`.
fn variable_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at + 1..];
    if rest.starts_with('{') {
        return closing(text, at + 2, "}");
    }
    let name = rest.bytes().take(60).take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
    (name > 1).then_some(at + 1 + name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_keep_the_length_and_lose_what_is_no_prose() {
        for text in [
            "# Heading Here\n\nAda likes `Foo Bar` and <b>Bold Type</b>.\n\n```\nLet Code\n```\nEnd.",
            "| Ada Cell | Bob Cell |\n|---|---|\n\nProse of Ada.",
            "See \\fBFoo\\fR &nbsp; {{ Template Name }} ${HOME_DIR} ü.",
            "Getting Started\n===============\n\nAda wrote it.",
        ] {
            for view in [without_code(text), prose(text)] {
                assert_eq!(view.len(), text.len(), "{view}");
            }
        }
        let shown = |text: &str| words(&prose(text)).len();
        assert_eq!(shown("# Heading Here\n\nAda is here.\n\n```\nLet Code\n```\n"), 3);
        assert_eq!(shown("Home | Next | Previous\n\nIt works."), 2);
        assert_eq!(shown("NAME\n\nIt works."), 2);
        assert_eq!(shown("Ada Lovelace"), 2);
    }
}
