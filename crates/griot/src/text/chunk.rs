//! Cuts a document into passages to store.
//!
//! A passage holds about 400 tokens and repeats about the last 80 of the passage before it, so that a thought
//! at a border is complete in one of them. It never crosses a Markdown heading. Cuts fall between blocks
//! (paragraphs, lists, tables, fenced code) where these fit, else between lines or sentences, else between
//! words. A passage is an exact slice of the input without the white space around it. Every character except
//! white space is in a passage, except front matter, which is dropped, and headings, which are in `heading`.

use std::ops::Range;

use super::markdown::{BlockKind, Section, read};
use super::sentence::sentences;
use super::words::{self, is_ideograph};

/// Unit of length: a quarter of a token. A Chinese, Japanese or Korean character is about one token of common
/// tokenisers; four characters of other scripts are.
type Quarters = usize;

const CHUNK: Quarters = 400 * 4;
const OVERLAP: Quarters = 80 * 4;
/// Length of a piece of text without sentences.
const WORD_GROUP: Quarters = 40 * 4;
/// A remainder shorter than this joins the passage before it.
const SMALLEST_REST: Quarters = 40 * 4;
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The slice `bytes` of the input.
    pub text: String,
    pub bytes: Range<usize>,
    /// Headings above the passage, outermost first.
    pub heading: Vec<String>,
    /// Counted from 1.
    pub first_line: u32,
    pub last_line: u32,
}

/// Cuts Markdown. A heading with nothing below it becomes a separate passage.
pub fn chunk_markdown(text: &str) -> Vec<Chunk> {
    let document = read(text);
    let lines = Lines::of(text);
    let mut chunks = Vec::new();
    for section in &document.sections {
        cut(text, section, &lines, &mut chunks);
    }
    chunks
}

/// Cuts text without mark-up.
pub fn chunk_plain(text: &str) -> Vec<Chunk> {
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            blocks.push((start..at, BlockKind::Paragraph));
            start = at + line.len();
        }
        at += line.len();
    }
    blocks.push((start..text.len(), BlockKind::Paragraph));
    let section = Section { heading: Vec::new(), blocks };
    let mut chunks = Vec::new();
    cut(text, &section, &Lines::of(text), &mut chunks);
    chunks
}

/// The title in the front matter, else the first heading of the highest level, else the first heading.
pub fn markdown_title(text: &str) -> Option<String> {
    read(text).title
}

/// The byte offset of each line.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(
            std::iter::once(0)
                .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1))
                .collect(),
        )
    }

    /// The number of the line that contains a byte, from 1.
    fn number(&self, at: usize) -> u32 {
        self.0.partition_point(|start| *start <= at) as u32
    }
}

fn quarters(text: &str) -> Quarters {
    if text.is_ascii() { text.len() } else { text.chars().map(char_quarters).sum() }
}

fn char_quarters(c: char) -> Quarters {
    let is_token = is_ideograph(c) || matches!(c as u32, 0x1100..=0x11FF | 0xAC00..=0xD7AF);
    if is_token { 4 } else { 1 }
}

/// A part that is not divided further.
struct Piece {
    bytes: Range<usize>,
    kind: BlockKind,
}

fn cut(text: &str, section: &Section, lines: &Lines, chunks: &mut Vec<Chunk>) {
    let mut pieces = Vec::new();
    for (bytes, kind) in &section.blocks {
        divide(text, trimmed(text, bytes.clone()), *kind, *kind == BlockKind::Paragraph, &mut pieces);
    }
    let mut next = 0;
    let mut start = pieces.first().map_or(0, |piece| piece.bytes.start);
    while next < pieces.len() {
        let mut end = pieces[next].bytes.end;
        let mut size = quarters(&text[start..end]);
        next += 1;
        while next < pieces.len() {
            let added = quarters(&text[end..pieces[next].bytes.end]);
            let is_last = next + 1 == pieces.len() && added < SMALLEST_REST;
            if size + added > CHUNK && !is_last {
                break;
            }
            size += added;
            end = pieces[next].bytes.end;
            next += 1;
        }
        chunks.push(Chunk {
            text: text[start..end].to_string(),
            bytes: start..end,
            heading: section.heading.clone(),
            first_line: lines.number(start),
            last_line: lines.number(end - 1),
        });
        if next < pieces.len() {
            start =
                overlap_start(text, start..end, pieces[next - 1].kind).unwrap_or(pieces[next].bytes.start);
        }
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    words::trimmed(text, range, char::is_whitespace)
}

/// Divides the range into pieces of at most one passage each.
fn divide(text: &str, range: Range<usize>, kind: BlockKind, by_sentence: bool, pieces: &mut Vec<Piece>) {
    let slice = &text[range.clone()];
    if slice.is_empty() {
        return;
    }
    if quarters(slice) <= CHUNK {
        pieces.push(Piece { bytes: range, kind });
        return;
    }
    if !by_sentence {
        let mut at = range.start;
        for line in slice.split_inclusive('\n') {
            divide(text, trimmed(text, at..at + line.len()), kind, true, pieces);
            at += line.len();
        }
        return;
    }
    for sentence in sentences(slice) {
        let bytes = range.start + sentence.start..range.start + sentence.end;
        if quarters(&text[bytes.clone()]) <= CHUNK {
            pieces.push(Piece { bytes, kind });
        } else {
            divide_by_words(text, bytes, kind, pieces);
        }
    }
}

/// Divides the range into groups of words; longer words are cut between characters.
fn divide_by_words(text: &str, range: Range<usize>, kind: BlockKind, pieces: &mut Vec<Piece>) {
    let mut start = range.start;
    let mut last_space = None;
    let mut size = 0;
    for (offset, c) in text[range.clone()].char_indices() {
        let at = range.start + offset;
        if size >= WORD_GROUP {
            let end = last_space.unwrap_or(at);
            pieces.push(Piece { bytes: trimmed(text, start..end), kind });
            size = quarters(&text[end..at]);
            start = end;
            last_space = None;
        }
        if c.is_whitespace() {
            last_space = Some(at + c.len_utf8());
        }
        size += char_quarters(c);
    }
    pieces.push(Piece { bytes: trimmed(text, start..range.end), kind });
    pieces.retain(|piece| !piece.bytes.is_empty());
}

/// Where the next passage begins to repeat the end of `chunk`; `None` where a repetition makes no sense.
fn overlap_start(text: &str, chunk: Range<usize>, last: BlockKind) -> Option<usize> {
    let mut size = 0;
    let mut window = chunk.end;
    for (offset, c) in text[chunk.clone()].char_indices().rev() {
        size += char_quarters(c);
        if size > OVERLAP {
            break;
        }
        window = chunk.start + offset;
    }
    if window == chunk.start {
        return None;
    }
    let tail = &text[window..chunk.end];
    let is_on_border = text[..window].ends_with(char::is_whitespace);
    let line_start = || tail.find('\n').map(|at| window + at + 1);
    let start = match last {
        // Half a code block means little, and its first line would be taken for prose.
        BlockKind::Code => return None,
        BlockKind::Lines => line_start()?,
        BlockKind::Paragraph => {
            let starts: Vec<usize> = sentences(tail).into_iter().map(|sentence| sentence.start).collect();
            match starts.get(1) {
                Some(second) => window + second,
                None if is_on_border => window,
                None => match tail.find(char::is_whitespace) {
                    Some(space) => window + space,
                    None if tail.chars().next().is_some_and(is_ideograph) => window,
                    None => return None,
                },
            }
        }
    };
    let start = trimmed(text, start..chunk.end).start;
    (start < chunk.end).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentence_text(sentences: usize) -> String {
        (0..sentences).map(|n| format!("Sentence number {n} says something of middling length. ")).collect()
    }

    fn shown(chunks: &[Chunk]) -> Vec<(String, &str, u32, u32)> {
        chunks.iter().map(|c| (c.heading.join(" > "), c.text.as_str(), c.first_line, c.last_line)).collect()
    }

    #[test]
    fn a_passage_stays_below_its_headings() {
        let text = "# Guide\r\nIntro.\r\n\r\n## Install\r\nRun it.\r\n\r\nAgain.\r\n## Use ##\r\n\r\n\
            Title\r\n=====\r\nEnd";
        assert_eq!(
            shown(&chunk_markdown(text)),
            [
                ("Guide".into(), "Intro.", 2, 2),
                ("Guide > Install".into(), "Run it.\r\n\r\nAgain.", 5, 7),
                ("Guide".into(), "Use", 8, 8),
                ("Title".into(), "End", 12, 12),
            ]
        );
    }

    #[test]
    fn a_fence_hides_headings_and_stays_whole() {
        let code = "```sh\n# not a heading\n\nls\n```";
        let text = format!("# A\nbefore\n\n{code}\n\nafter");
        let chunks = chunk_markdown(&text);
        assert_eq!(chunks.len(), 1);
        assert!(chunks[0].text.contains(code));
    }

    #[test]
    fn front_matter_is_left_out_and_gives_the_title() {
        let text = "---\ntitle: \"How it works\"\ntags: a\n---\n# Other\nBody";
        assert_eq!(markdown_title(text).as_deref(), Some("How it works"));
        assert_eq!(shown(&chunk_markdown(text)), [("Other".into(), "Body", 6, 6)]);
        assert_eq!(markdown_title("text\n\n## Small\n\nBig\n===\n").as_deref(), Some("Big"));
        assert_eq!(markdown_title("just text"), None);
    }

    #[test]
    fn a_rule_is_no_heading_and_a_parent_heading_no_passage() {
        let text = "# A\n## B\nbody\n\n---\n\nmore";
        assert_eq!(shown(&chunk_markdown(text)), [("A > B".into(), "body\n\n---\n\nmore", 3, 7)]);
    }

    #[test]
    fn long_text_is_cut_at_sentences_and_overlaps() {
        let text = sentence_text(100);
        let chunks = chunk_plain(&text);
        assert!(chunks.len() > 3);
        for pair in chunks.windows(2) {
            let shared = pair[0].bytes.end - pair[1].bytes.start;
            assert!((200..=320).contains(&shared), "{shared}");
        }
        for chunk in &chunks {
            assert!(chunk.text.starts_with("Sentence") && chunk.text.ends_with('.'), "{}", chunk.text);
            assert!(quarters(&chunk.text) <= CHUNK + SMALLEST_REST);
        }
    }

    #[test]
    fn text_without_sentences_or_spaces_is_cut_all_the_same() {
        for unit in ["word ", "x", "数据库", "ж"] {
            let chunks = chunk_markdown(&unit.repeat(4000));
            assert!(chunks.len() > 2, "{unit}");
            assert!(chunks.iter().all(|chunk| quarters(&chunk.text) <= CHUNK + OVERLAP), "{unit}");
        }
    }

    #[test]
    fn a_table_that_fits_stays_whole() {
        let table = "| a | b |\n|---|---|\n".to_string() + &"| some cell | other cell |\n".repeat(30);
        let text = sentence_text(20) + "\n\n" + &table;
        let chunks = chunk_markdown(&text);
        assert!(chunks.iter().any(|chunk| chunk.text.contains(table.trim())));
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 200,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn every_visible_character_is_in_a_passage(
            text in concat!(
                r"([a-z]{1,12}[ .\n]{1,2}|数据。|\n\n|\n# [a-z]{1,5}\n|\n- |```\n|",
                r"\n===\n|\| x \|\n|-{3}\n|\PC){0,400}",
            )
        ) {
            let plain = chunk_plain(&text);
            check_ranges(&text, &plain)?;
            let covered = coverage(&text, &plain);
            for (at, c) in text.char_indices() {
                prop_assert!(c.is_whitespace() || covered[at], "{c:?} at {at}");
            }
            let marked = chunk_markdown(&text);
            check_ranges(&text, &marked)?;
            let covered = coverage(&text, &marked);
            let headings: String = marked.iter().flat_map(|chunk| chunk.heading.iter().cloned()).collect();
            if !text.starts_with("---") && !text.starts_with("+++") {
                let mut at = 0;
                for line in text.split_inclusive('\n') {
                    let is_heading_line = line.contains('#') || line.contains("===") || line.contains("---");
                    let is_in_heading = headings.contains(line.trim());
                    for (offset, c) in line.char_indices() {
                        prop_assert!(
                            c.is_whitespace() || covered[at + offset] || is_heading_line || is_in_heading,
                            "{c:?} at {}", at + offset
                        );
                    }
                    at += line.len();
                }
            }
        }
    }

    fn check_ranges(text: &str, chunks: &[Chunk]) -> Result<(), TestCaseError> {
        for chunk in chunks {
            prop_assert_eq!(text.get(chunk.bytes.clone()), Some(chunk.text.as_str()));
            prop_assert!(!chunk.text.is_empty());
            prop_assert_eq!(chunk.text.trim(), &chunk.text);
            prop_assert!(chunk.first_line >= 1 && chunk.first_line <= chunk.last_line);
        }
        Ok(())
    }

    fn coverage(text: &str, chunks: &[Chunk]) -> Vec<bool> {
        let mut covered = vec![false; text.len()];
        for chunk in chunks {
            covered[chunk.bytes.clone()].fill(true);
        }
        covered
    }
}
