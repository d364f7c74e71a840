//! Text layout: display width, wrapping, excerpts.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub fn width(text: &str) -> usize {
    text.width()
}

/// Replaces control characters and names invisible format characters, so that stored text cannot move the
/// cursor, colour the terminal or reorder what follows.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| push(&mut shown, c));
    shown
}

fn push(line: &mut String, c: char) {
    if is_hidden(c) {
        line.push_str(&named(c));
    } else {
        line.push(shown(c));
    }
}

fn named(c: char) -> String {
    format!("⟨U+{:04X}⟩", u32::from(c))
}

/// Format characters that change how other text is displayed or that are invisible. Joiners are kept:
/// scripts and emoji need them.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{180E}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

fn shown(c: char) -> char {
    if c == '\n' || c == '\t' || !c.is_control() { c } else { '\u{FFFD}' }
}

/// On one line of at most `columns`. Reads no more of the text than it shows.
pub fn one_line(text: &str, columns: usize) -> String {
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let gap = (!line.is_empty()).then_some(' ');
        for c in gap.into_iter().chain(word.chars()) {
            used += if is_hidden(c) { width(&named(c)) } else { c.width().unwrap_or(1) };
            if used > columns {
                return shortened(line, columns);
            }
            push(&mut line, c);
        }
    }
    line
}

/// Shortens a line, with an ellipsis in the last column.
fn shortened(mut line: String, columns: usize) -> String {
    if columns == 0 {
        return String::new();
    }
    while width(&line) >= columns || line.ends_with(' ') {
        if line.pop().is_none() {
            break;
        }
    }
    line.push('…');
    line
}

/// At most `columns` of one line; keeps its spaces.
pub fn one_line_keeping_gaps(text: &str, columns: usize) -> String {
    let text = visible(text).replace(['\n', '\t'], " ");
    if fitting(&text, columns) == text.len() {
        text
    } else {
        shortened(text[..fitting(&text, columns)].to_string(), columns)
    }
}

/// Wraps at white space to at most `columns`; breaks longer words. Line breaks within a paragraph are white
/// space; those before lists, tables, headings and code are kept.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for paragraph in visible(text).lines() {
        if used > 0 && (starts_anew(paragraph) || starts_anew(&line)) {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if paragraph.trim().is_empty() {
            lines.push(String::new());
        }
        for word in paragraph.split_whitespace() {
            let mut rest = word;
            let end = fitting(rest, columns);
            if end == rest.len() && used > 0 && used + 1 + width(rest) <= columns {
                line.push(' ');
                line.push_str(rest);
                used += 1 + width(rest);
                continue;
            }
            if used > 0 {
                lines.push(std::mem::take(&mut line));
            }
            loop {
                let (head, tail) = rest.split_at(fitting(rest, columns));
                if tail.is_empty() {
                    break;
                }
                lines.push(head.to_string());
                rest = tail;
            }
            line.push_str(rest);
            used = width(rest);
        }
    }
    lines.push(line);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Whether a line is blank or starts a list item, a heading, a table row, a quotation or code.
fn starts_anew(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty()
        || line.starts_with(['-', '*', '+', '#', '|', '>', '`', '{', '}', '[', '•'])
        || line.split_once(['.', ')']).is_some_and(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()))
}

/// How many bytes of the text fit, at least one character. Reads no further than that.
fn fitting(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns && at > 0 {
            return at;
        }
    }
    text.len()
}

/// The `count` neighbouring lines that contain the most query terms, with an ellipsis where text is left
/// out; one line fewer, and a line from elsewhere, if these contain more. Terms are folded stems, so a word
/// matches a term if it starts with it.
pub fn excerpt(text: &str, terms: &[String], columns: usize, count: usize) -> Vec<String> {
    let lines: Vec<String> = wrap(beginning(text), columns.saturating_sub(2))
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect();
    if lines.len() <= count {
        return lines;
    }
    let has: Vec<u64> = lines.iter().map(|line| terms_in(line, terms)).collect();
    let all_of = |shown: &Range<usize>| has[shown.clone()].iter().fold(0, |all, terms| all | terms);
    let whole = best_lines(&lines, &has, count);
    let mut shown = vec![whole.clone()];
    let part = best_lines(&lines, &has, count - 1);
    let rest = (0..lines.len()).filter(|at| !part.contains(at));
    let with = |at: &usize| (all_of(&part) | has[*at]).count_ones();
    // The earliest of those that add the most.
    if let Some(line) = rest.rev().max_by_key(with)
        && with(&line) > all_of(&whole).count_ones()
    {
        let line = line..line + 1;
        shown = if line.start < part.start { vec![line, part] } else { vec![part, line] };
    }
    let mut chosen = Vec::with_capacity(count);
    let mut end = 0;
    for part in &shown {
        let from = chosen.len();
        chosen.extend_from_slice(&lines[part.clone()]);
        if part.start > end {
            chosen[from] = format!("… {}", chosen[from]);
        }
        end = part.end;
    }
    if end < lines.len()
        && let Some(last) = chosen.last_mut()
    {
        last.push_str(" …");
    }
    chosen
}

/// So many neighbouring lines with the most terms. What answers follows what is asked: they begin with the
/// fewest lines that have these terms, or with the sentence of the first of them.
fn best_lines(lines: &[String], has: &[u64], count: usize) -> Range<usize> {
    let last = lines.len() - count;
    let value = |start: usize, length: usize| {
        let end = (start + length).min(has.len());
        has[start..end].iter().fold(0, |all, terms| all | terms).count_ones()
    };
    let most = (0..=last).map(|start| value(start, count)).max().unwrap_or(0);
    let length =
        |start: &usize| (1..=count).find(|length| value(*start, *length) == most).unwrap_or(usize::MAX);
    let first = (0..has.len()).min_by_key(length).unwrap_or(0);
    let goes_on = |line: &str| !line.starts_with(['-', '*', '#', '|']);
    let is_in_sentence = first > 0
        && length(&first) < count
        && goes_on(&lines[first])
        && !lines[first - 1].ends_with(['.', '!', '?', ':', ';', '|']);
    let start = (first - usize::from(is_in_sentence)).min(last);
    start..start + count
}

/// The part of a text that is searched for an excerpt.
fn beginning(text: &str) -> &str {
    const MOST: usize = 256 * 1024;
    if text.len() <= MOST {
        return text;
    }
    let end = (0..=MOST).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

/// One bit for each of the first 64 terms that starts a word of the line.
fn terms_in(line: &str, terms: &[String]) -> u64 {
    let words: Vec<String> = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    terms.iter().take(64).enumerate().fold(0, |bits, (position, term)| {
        let found = words.iter().any(|word| word.starts_with(term.as_str()));
        bits | u64::from(found) << position
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_whatever_they_contain() {
        let long = "x".repeat(40);
        for text in ["a few words that are wrapped", "长长的一句没有空格的话", &long, "", " \n\n a"]
        {
            for columns in 1..12 {
                for line in wrap(text, columns) {
                    assert!(width(&line) <= columns.max(2), "{columns}: {line}");
                }
                assert!(width(&one_line(text, columns)) <= columns.max(1), "{columns}");
            }
        }
    }

    #[test]
    fn paragraphs_flow_and_lists_do_not() {
        assert_eq!(
            wrap("one\ntwo\n\n- three\n  four\n- five", 40),
            ["one two", "", "- three", "four", "- five"]
        );
    }

    #[test]
    fn long_words_cost_no_more_than_they_are_long() {
        let word = "x".repeat(4_000_000);
        assert_eq!(wrap(&word, 100).len(), 40_000);
        assert_eq!(width(&one_line(&word, 30)), 30);
    }

    #[test]
    fn an_excerpt_shows_the_lines_with_the_terms() {
        let text = "- one two\n- three four\n- five six\n- redis was slow\n- seven eight";
        let terms = ["redi".to_string(), "slow".to_string()];
        assert_eq!(excerpt(text, &terms, 40, 2), ["… - redis was slow", "- seven eight"]);
        assert_eq!(excerpt(text, &[], 40, 2), ["- one two", "- three four …"]);
        assert_eq!(excerpt("short", &terms, 40, 2), ["short"]);
        // A line from elsewhere that has what is missing.
        let settings = "The release profile is for speed.\n\n- It is the default.\n- debug = 0\n- units = 16";
        let asked = ["releas".to_string(), "profil".to_string(), "unit".to_string()];
        let found = excerpt(settings, &asked, 40, 3);
        assert_eq!(found, ["The release profile is for speed.", "- It is the default.", "… - units = 16"]);
    }

    #[test]
    fn control_characters_of_a_text_never_reach_the_terminal() {
        assert_eq!(one_line("a\u{1b}[31mb\u{7}", 20), "a\u{FFFD}[31mb\u{FFFD}");
        assert_eq!(one_line("pay \u{202E}001 EUR", 40), "pay ⟨U+202E⟩001 EUR");
        assert_eq!(wrap("\u{2066}a\u{FEFF}", 40), ["⟨U+2066⟩a⟨U+FEFF⟩"]);
        assert_eq!(visible("👩\u{200D}🚀"), "👩\u{200D}🚀");
    }
}
