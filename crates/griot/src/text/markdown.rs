//! The outline of a Markdown document: front matter, headings, and the blocks below each heading.
//!
//! Reads only what decides where a text may be cut: ATX and one-line setext headings, fences, lists, tables,
//! paragraphs. Everything else is a paragraph.

use std::ops::Range;

use super::words::is_numbered;

/// Characters. A longer "heading" is a paragraph, because headings are repeated on each passage below them.
const LONGEST_HEADING: usize = 200;

/// How a block that does not fit may be divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    Paragraph,
    /// Lists and tables.
    Lines,
    /// Fenced code.
    Code,
}

pub(super) struct Section {
    pub heading: Vec<String>,
    pub blocks: Vec<(Range<usize>, BlockKind)>,
}

pub(super) struct Document {
    pub title: Option<String>,
    pub sections: Vec<Section>,
}
struct Heading {
    level: usize,
    /// The words without `#`.
    bytes: Range<usize>,
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    sections: Vec<Section>,
    /// Open headings, outermost first.
    open: Vec<(usize, String)>,
    /// The last heading, if nothing has come below it yet.
    bare: Option<Range<usize>>,
    blocks: Vec<(Range<usize>, BlockKind)>,
    best_title: Option<(usize, String)>,
}

pub(super) fn read(text: &str) -> Document {
    let (body, front_title) = front_matter(text);
    let mut reader = Reader { text, ..Reader::default() };
    reader.read_lines(body);
    reader.close_section();
    let title = front_title.or(reader.best_title.map(|(_, title)| title));
    if let Some(bytes) = reader.bare.take() {
        reader.open.pop();
        reader.sections.push(lone_heading(&reader.open, bytes));
    }
    Document { title, sections: reader.sections }
}

fn lone_heading(above: &[(usize, String)], bytes: Range<usize>) -> Section {
    Section {
        heading: above.iter().map(|(_, heading)| heading.clone()).collect(),
        blocks: vec![(bytes, BlockKind::Paragraph)],
    }
}

impl Reader<'_> {
    fn read_lines(&mut self, from: usize) {
        // The open block: its start, kind and number of lines.
        let mut block: Option<(usize, BlockKind, usize)> = None;
        let mut fence: Option<&str> = None;
        let mut at = from;
        for line in self.text[from..].split_inclusive('\n') {
            let start = at;
            at += line.len();
            if let Some(mark) = fence {
                let rest = line.trim();
                if rest.starts_with(mark) && rest.trim_start_matches(&mark[..1]).is_empty() {
                    fence = None;
                    self.end_block(&mut block, at);
                }
                continue;
            }
            if let Some(mark) = fence_mark(line) {
                self.end_block(&mut block, start);
                block = Some((start, BlockKind::Code, 1));
                fence = Some(mark);
            } else if line.trim().is_empty() {
                self.end_block(&mut block, start);
            } else if let Some(heading) = atx(line, start) {
                self.end_block(&mut block, start);
                self.begin_section(heading);
            } else if let Some((level, (title_start, _, _))) = setext_level(line)
                .zip(block.filter(|(_, kind, lines)| *kind == BlockKind::Paragraph && *lines == 1))
            {
                let slice = self.text[title_start..start].trim_end();
                let indent = slice.len() - slice.trim_start().len();
                if slice.chars().nth(LONGEST_HEADING).is_some() {
                    continue;
                }
                block = None;
                self.begin_section(Heading { level, bytes: title_start + indent..title_start + slice.len() });
            } else {
                let kind = if is_row_or_item(line) { BlockKind::Lines } else { BlockKind::Paragraph };
                match &mut block {
                    // A list item continues on the following lines; a list right below a paragraph belongs to
                    // it.
                    Some((_, known, lines)) => {
                        *lines += 1;
                        if kind == BlockKind::Lines {
                            *known = kind;
                        }
                    }
                    None => block = Some((start, kind, 1)),
                }
            }
        }
        self.end_block(&mut block, at);
    }

    fn end_block(&mut self, block: &mut Option<(usize, BlockKind, usize)>, end: usize) {
        if let Some((start, kind, _)) = block.take() {
            self.bare = None;
            self.blocks.push((start..end, kind));
        }
    }

    fn close_section(&mut self) {
        if !self.blocks.is_empty() {
            let heading = self.open.iter().map(|(_, heading)| heading.clone()).collect();
            self.sections.push(Section { heading, blocks: std::mem::take(&mut self.blocks) });
        }
    }

    fn begin_section(&mut self, heading: Heading) {
        self.close_section();
        let text = self.text[heading.bytes.clone()].to_string();
        while self.open.last().is_some_and(|(level, _)| *level >= heading.level) {
            self.open.pop();
            // The heading before this one had nothing below it, neither text nor a deeper heading.
            if let Some(bytes) = self.bare.take() {
                self.sections.push(lone_heading(&self.open, bytes));
            }
        }
        if self.best_title.as_ref().is_none_or(|(level, _)| heading.level < *level) && !text.is_empty() {
            self.best_title = Some((heading.level, text.clone()));
        }
        self.bare = (!text.is_empty()).then_some(heading.bytes);
        self.open.push((heading.level, text));
    }
}

/// The start of the body, and the title in the front matter.
fn front_matter(text: &str) -> (usize, Option<String>) {
    let fence = match text {
        _ if text.starts_with("---\n") || text.starts_with("---\r\n") => "---",
        _ if text.starts_with("+++\n") || text.starts_with("+++\r\n") => "+++",
        _ => return (0, None),
    };
    let mut title = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        let line = line.trim_end();
        if number == 0 {
            continue;
        }
        if line == fence || (fence == "---" && line == "...") {
            return (at, title);
        }
        let value =
            line.strip_prefix("title").map(str::trim_start).and_then(|rest| rest.strip_prefix([':', '=']));
        if let Some(value) =
            value.map(|value| value.trim().trim_matches(['"', '\'']).trim()).filter(|v| !v.is_empty())
        {
            title.get_or_insert_with(|| value.to_string());
        }
    }
    (0, None)
}

/// The run of back ticks or tildes that opens a fence.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(sign);
    let mark = &line[..line.len() - rest.len()];
    // "```code```" on one line is inline code.
    (mark.len() >= 3 && !(sign == '`' && rest.contains('`'))).then_some(mark)
}

fn atx(line: &str, start: usize) -> Option<Heading> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let marked = &line[indent..];
    let words = marked.trim_start_matches('#');
    let level = marked.len() - words.len();
    if indent > 3
        || !(1..=6).contains(&level)
        || !(words.is_empty() || words.starts_with(char::is_whitespace))
    {
        return None;
    }
    let words = words.trim_end();
    let open = words.trim_end_matches('#');
    // Closing marks count only after a space: "C#" keeps its mark.
    let words = if open.is_empty() || open.ends_with(char::is_whitespace) { open.trim_end() } else { words };
    let lead = words.len() - words.trim_start().len();
    if words.chars().nth(LONGEST_HEADING).is_some() {
        return None;
    }
    let from = start + indent + level;
    Some(Heading { level, bytes: from + lead..from + words.len() })
}

fn setext_level(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let line = line.trim();
    // A single sign is more often a dash than an underline.
    let is_run = |sign: char| line.len() > 1 && line.trim_start_matches(sign).is_empty();
    match () {
        () if indent > 3 => None,
        () if is_run('=') => Some(1),
        () if is_run('-') => Some(2),
        () => None,
    }
}

fn is_row_or_item(line: &str) -> bool {
    let line = line.trim_start();
    is_numbered(line)
        || line.starts_with('|')
        || ["- ", "* ", "+ ", "> "].iter().any(|mark| line.starts_with(mark))
}
