//! A short piece of a text: its beginning, or the part that has the words that were asked for. Of a table
//! that is a row with the one that names its columns.

use std::ops::Range;

use super::sentence::sentences;

/// The first characters on one line, cut at a word; `…` marks the cut.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut short = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if count + length + 1 > most {
            if short.is_empty() {
                short.extend(word.chars().take(most));
            }
            short.push('…');
            return short;
        }
        if !short.is_empty() {
            short.push(' ');
            count += 1;
        }
        short.push_str(word);
        count += length;
    }
    short
}

/// The neighbouring sentences of at most so many characters that have the most of these terms, with white
/// space made single; `…` marks where something is left out. If several do, the earliest that begin with a
/// term. Terms are folded stems: a word has one if it begins with it.
pub fn window(text: &str, terms: &[String], most: usize) -> String {
    /// Bytes of a text that are searched, so that a whole book costs no more than a chapter.
    const READ: usize = 64 * 1024;
    let read = &text[..text.floor_char_boundary(READ)];
    if read.len() == text.len() && text.chars().count() <= most {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let parts = sentences(read);
    let found: Vec<u64> = parts.iter().map(|part| found_in(&read[part.clone()], terms)).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| read[part.clone()].chars().count() + 1).collect();
    // What answers follows what is asked: of windows with as many terms, one that begins with a term.
    let mut best = ((0, false), 0, 0);
    for first in 0..parts.len() {
        let (mut end, mut length, mut has) = (first, 0, 0);
        while end < parts.len() && (length + lengths[end] <= most || end == first) {
            (length, has) = (length + lengths[end], has | found[end]);
            end += 1;
        }
        let value = (has.count_ones(), found[first] != 0);
        if value > best.0 || end > best.2 && best.0.0 == 0 && first == 0 {
            best = (value, first, end);
        }
    }
    if let Some((count, row)) = best_row(read, &parts, &found, most)
        && count > best.0.0
    {
        return row;
    }
    let (_, first, end) = best;
    let (Some(from), Some(to)) = (parts.get(first), parts.get(end.saturating_sub(1))) else {
        return excerpt(text, most);
    };
    let mut short = excerpt(&text[from.start..to.end], most);
    if first > 0 {
        short.insert_str(0, "… ");
    }
    if to.end < text.trim_end().len() && !short.ends_with('…') {
        short.push_str(" …");
    }
    short
}

/// The row of a table that has the most terms together with the first row of its table, which names the
/// columns; both rows, and the number of terms.
fn best_row(text: &str, parts: &[Range<usize>], found: &[u64], most: usize) -> Option<(u32, String)> {
    let is_row = |at: usize| text[parts[at].clone()].starts_with('|');
    let mut heading = None;
    let mut best: Option<(u32, usize, usize)> = None;
    for at in 0..parts.len() {
        if !is_row(at) {
            heading = None;
            continue;
        }
        let heading = *heading.get_or_insert(at);
        let count = (found[heading] | found[at]).count_ones();
        if at > heading && best.is_none_or(|(known, ..)| count > known) {
            best = Some((count, heading, at));
        }
    }
    let (count, heading, row) = best?;
    let shown = |at: usize| excerpt(&text[parts[at].clone()], most / 2);
    Some((count, format!("{} … {}", shown(heading), shown(row))))
}

/// One bit for each of the first 64 terms with which a word begins.
fn found_in(text: &str, terms: &[String]) -> u64 {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |term: &String| words.iter().any(|word| word.starts_with(term.as_str()));
    (0u32..64).zip(terms).fold(0, |bits, (at, term)| bits | u64::from(has(term)) << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_where_the_words_are() {
        let text = "The house has two floors. It was built in 1920.\n\nThe boiler is in the cellar. Ada \
                    serviced it in May. The garden is large.";
        let terms = ["boil".to_string(), "servic".to_string()];
        assert_eq!(window(text, &terms, 60), "… The boiler is in the cellar. Ada serviced it in May. …");
        // What follows a word counts more than what is before it.
        let cellar = window(text, &terms[..1], 60);
        assert_eq!(cellar, "… The boiler is in the cellar. Ada serviced it in May. …");
        assert_eq!(window(text, &[], 30), "The house has two floors. …");
        let table =
            "The plan.\n\n| | North | South |\n| --- | --- | --- |\n| Q1 | 10 | 20 |\n| Q2 | 30 | 40 |";
        let asked = ["south".to_string(), "q2".to_string()];
        assert_eq!(window(table, &asked, 60), "| | North | South | … | Q2 | 30 | 40 |");
        assert_eq!(window("short  text", &terms, 60), "short text");
        assert_eq!(window("", &terms, 60), "");
        assert!(window(&"x".repeat(500), &terms, 60).chars().count() <= 61);
    }
}
