//! Passages of Markdown without the mark-up that hides or distorts words.
//!
//! A backslash escape becomes its character, an image its description, and a link its
//! words, unless it leads to another site or to a mailbox. Rows of tables lose their padding. Code stays as
//! it is, and lines keep their numbers.

use std::borrow::Cow;
use std::ops::Range;

use griot::text::{Chunk, chunk_markdown, markdown_title};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use url::Url;

use crate::readers::wiki;

/// A passage, and the Markdown that it was made of.
pub(crate) struct Passage {
    pub(crate) chunk: Chunk,
    pub(crate) markdown: String,
}

pub(crate) fn passages(markdown: &str) -> Vec<Passage> {
    let narrow = with_narrow_tables(markdown);
    let cuts = Marks::of(&narrow).cuts;
    let passage = |chunk: Chunk| {
        let text = without(&narrow, chunk.bytes.clone(), &cuts).trim().to_string();
        let heading = chunk.heading.iter().map(|heading| line(heading)).collect();
        Passage { markdown: chunk.text, chunk: Chunk { text, heading, ..chunk } }
    };
    chunk_markdown(&narrow).into_iter().map(passage).collect()
}

pub(crate) fn chunks(markdown: &str) -> Vec<Chunk> {
    passages(markdown).into_iter().map(|passage| passage.chunk).collect()
}

pub(crate) fn title(markdown: &str) -> Option<String> {
    markdown_title(markdown).map(|title| line(&title)).filter(|title| !title.is_empty())
}

/// A heading, without its `#`.
fn line(text: &str) -> String {
    without(text, 0..text.len(), &Marks::of(text).cuts).trim().to_string()
}

/// What a parser finds in a text.
#[derive(Default)]
struct Marks {
    /// What the text loses, in its order. They may overlap.
    cuts: Vec<Range<usize>>,
    tables: Vec<Range<usize>>,
}

/// A link or an image.
struct Link {
    whole: Range<usize>,
    /// As far as they were read.
    words: Option<Range<usize>>,
    shown: Shown,
}

/// What is left of a link.
#[derive(Clone, Copy)]
enum Shown {
    All,
    Words,
    /// Its words are the path of a note.
    Note,
    Nothing,
}

impl Marks {
    fn of(markdown: &str) -> Self {
        let mut marks = Self::default();
        if !markdown.contains(['\\', '[', '|']) {
            return marks;
        }
        // Without footnotes, their texts would be taken for the targets of links.
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_WIKILINKS;
        let parser = Parser::new_ext(markdown, options);
        let targets = parser.reference_definitions().iter().map(|(_, target)| target);
        marks.cuts.extend(targets.filter(|to| !leads_away(&to.dest)).map(|to| to.span.clone()));
        let mut open: Vec<Link> = Vec::new();
        let mut read = 0;
        for (event, range) in parser.into_offset_iter() {
            if let (false, Some(link)) = (matches!(event, Event::End(_)), open.last_mut()) {
                let words = link.words.get_or_insert(range.clone());
                words.end = words.end.max(range.end);
            }
            match event {
                Event::Start(Tag::Table(_)) => marks.tables.push(range),
                Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                    open.push(Link { shown: shown(link_type, &dest_url), whole: range, words: None });
                }
                Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                    let shown = match shown(link_type, &dest_url) {
                        Shown::All => Shown::Words,
                        _ if is_wiki(link_type) && wiki::is_file(&dest_url) => Shown::Nothing,
                        shown => shown,
                    };
                    open.push(Link { shown, whole: range, words: None });
                }
                Event::End(TagEnd::Link | TagEnd::Image) => {
                    if let Some(link) = open.pop() {
                        marks.cut(markdown, link);
                    }
                }
                Event::Start(_) | Event::End(_) => {}
                Event::Text(_) => {
                    let before = range.start.saturating_sub(1);
                    let is_escaped = before >= read && markdown[before..range.start] == *"\\";
                    // A pipe in a cell would look like the end of the cell.
                    if is_escaped && !markdown[range.start..].starts_with('|') {
                        marks.cuts.push(before..range.start);
                    }
                    read = range.end;
                }
                Event::HardBreak => {
                    if markdown[range.clone()].starts_with('\\') {
                        marks.cuts.push(range.start..range.start + 1);
                    }
                    read = range.end;
                }
                _ => read = range.end,
            }
        }
        marks.cuts.sort_by_key(|cut| cut.start);
        marks
    }

    fn cut(&mut self, markdown: &str, link: Link) {
        let Link { whole, words, shown } = link;
        let words = match (shown, words) {
            (Shown::All, _) => return,
            (Shown::Words, Some(words)) => words,
            (Shown::Note, Some(words)) => {
                let part = wiki::shown(&markdown[words.clone()]);
                words.start + part.start..words.start + part.end
            }
            (Shown::Nothing, _) | (_, None) => whole.end..whole.end,
        };
        // The parser leaves the brackets of `[words][]` out.
        let end = whole.end + if markdown[whole.end..].starts_with("[]") { 2 } else { 0 };
        self.cuts.extend([whole.start..words.start, words.end..end]);
    }
}

fn shown(kind: LinkType, to: &str) -> Shown {
    match kind {
        LinkType::Autolink | LinkType::Email => Shown::All,
        LinkType::Inline if leads_away(to) => Shown::All,
        LinkType::WikiLink { has_pothole: false } => Shown::Note,
        _ => Shown::Words,
    }
}

fn is_wiki(kind: LinkType) -> bool {
    matches!(kind, LinkType::WikiLink { .. })
}

/// Whether an address means the same wherever the text is.
fn leads_away(to: &str) -> bool {
    Url::parse(to).is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "mailto"))
}

/// A part of a text without what is cut.
fn without(text: &str, part: Range<usize>, cuts: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut at = part.start;
    let first = cuts.partition_point(|cut| cut.start < part.start);
    // A passage may begin in the middle of a link.
    let first = cuts[..first].iter().rposition(|cut| cut.end > part.start).unwrap_or(first);
    for cut in cuts[first..].iter().take_while(|cut| cut.start < part.end) {
        if cut.start > at {
            out.push_str(&text[at..cut.start]);
        }
        at = at.max(cut.end.min(part.end));
    }
    out.push_str(&text[at..part.end]);
    out
}

fn with_narrow_tables(markdown: &str) -> Cow<'_, str> {
    let tables = if markdown.contains('|') { Marks::of(markdown).tables } else { Vec::new() };
    if tables.is_empty() {
        return Cow::Borrowed(markdown);
    }
    let (mut out, mut at) = (String::with_capacity(markdown.len()), 0);
    for table in tables {
        // A quotation inside of a table is no table of its own.
        let Some(before) = markdown.get(at..table.start) else { continue };
        out.push_str(before);
        for (number, row) in markdown[table.clone()].split_inclusive('\n').enumerate() {
            narrow(row, number == 1, &mut out);
        }
        at = table.end;
    }
    out.push_str(&markdown[at..]);
    Cow::Owned(out)
}

/// Writes a row with one space beside each pipe, and the line below the names of the columns with three
/// dashes each.
fn narrow(row: &str, is_line: bool, out: &mut String) {
    let bare = row.trim();
    out.push_str(&row[..row.len() - row.trim_start().len()]);
    let (mut start, mut is_escaped) = (0, false);
    for (at, c) in bare.char_indices() {
        if c == '|' && !is_escaped {
            cell(&bare[start..at], is_line, out);
            out.push_str(match (at, at + 1 == bare.len()) {
                (0, _) => "| ",
                (_, true) => " |",
                _ => " | ",
            });
            start = at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    cell(&bare[start..], is_line, out);
    if row.ends_with('\n') {
        out.push('\n');
    }

    fn cell(text: &str, is_line: bool, out: &mut String) {
        let text = text.trim();
        if is_line && text.contains("---") {
            let dashes = text.trim_matches(|c| c != '-');
            out.push_str(&text.replacen(dashes, "---", 1));
        } else {
            out.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(markdown: &str) -> String {
        chunks(markdown).into_iter().map(|chunk| chunk.text).collect::<Vec<_>>().join("\n\n")
    }

    #[test]
    fn marks_give_way_to_the_words() {
        for (markdown, text) in [
            (r"max\_connections \[1\] a\\b 14\. C:\dir", r"max_connections [1] a\b 14. C:\dir"),
            ("`a\\_b` and\\\nnext\n\n    c\\_d [x](y)", "`a\\_b` and\nnext\n\n    c\\_d [x](y)"),
            ("```\n[a](b) \\_\n```", "```\n[a](b) \\_\n```"),
            (
                "See [the *guide*](../guide.md#a \"t\"), [it](#b) [](x) [\\_x\\_](y).",
                "See the *guide*, it  _x_.",
            ),
            ("At [Ada](https://ada.example/a_b), <https://x.example>, [m](mailto:a@b.example)", ""),
            (
                "![A *map*](map.png) [![Build](b.svg)](https://ci.example) ![](x.png)",
                "A *map* [Build](https://ci.example)",
            ),
            (
                "[one][o] [two][] [o]\n\n[o]: o.md 'O'\n[two]: https://two.example",
                "one two o\n\n\n[two]: https://two.example",
            ),
            (
                "[[people/Ada Lovelace|Ada]] [[a/Note.md#Part]] [[#Part]] ![[map.png|200]] ![[Note]]",
                "Ada Note Part  Note",
            ),
            ("a[i][j] [ ] [x] said[^1]\n\n[^1]: words", ""),
        ] {
            assert_eq!(plain(markdown), if text.is_empty() { markdown } else { text });
        }
        let chunk = chunks("# The \\_a\\_ [b](c.md)\n\n## `x\\_y`\n\ntext").remove(0);
        assert_eq!(chunk.heading, ["The _a_ b", "`x\\_y`"]);
        assert_eq!((chunk.text.as_str(), chunk.first_line), ("text", 5));
        assert_eq!(title("# [A\\_b](c.md)\n").as_deref(), Some("A_b"));
    }

    #[test]
    fn tables_have_no_padding() {
        let table = "> | Name        |    Use  |\n> |:------------|--------:|\n> | `a \\| b`    | x\\_y   |\n\
                     \n| a |\n|--|\n|  |\n\nName   | Use\n-------|----\nx      | y\n";
        let narrow = "> | Name | Use |\n> | :--- | ---: |\n> | `a \\| b` | x_y |\n\
                      \n| a |\n| -- |\n|  |\n\nName | Use\n--- | ---\nx | y";
        assert_eq!(plain(table), narrow);
        let wide = format!("| a | b |\n|---|---|\n{}", format!("| x |{}y |\n", " ".repeat(500)).repeat(20));
        assert_eq!(chunks(&wide).len(), 1, "padding does not fill passages");
    }

    #[test]
    fn a_passage_may_begin_and_end_in_a_mark() {
        let text = "0[b](c)\\_d";
        let cuts = Marks::of(text).cuts;
        for from in 0..text.len() {
            for to in from..=text.len() {
                let part = without(text, from..to, &cuts);
                assert!("0b_d".contains(&part), "{part}");
            }
        }
    }
}
