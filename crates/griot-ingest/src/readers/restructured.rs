//! reStructuredText: its headings become those of Markdown, line by line, so that passages keep the
//! lines of the file.
//!
//! A title is a line with a row of one punctuation character below it, as long as the title, and perhaps the
//! same above it. Levels follow the order in which the characters appear. Everything else stays as it is
//! written.

use std::borrow::Cow;

use griot::model::Result;

use crate::readers::markdown;
use crate::readers::reader::{Batch, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "rst",
    mime: "text/x-rst",
    summary: "passages with headings and lines",
    own_extensions: &["rst"],
    read: |_| Read::Text(read),
    ..Reader::BASE
};

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    markdown::read(&to_markdown(text), batch)
}

fn to_markdown(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut levels: Vec<(char, bool)> = Vec::new();
    let mut out: Vec<Cow<str>> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let is_free = at == 0 || lines[at - 1].trim().is_empty();
        let over = row(lines[at]).filter(|_| is_free && at + 2 < lines.len());
        if let Some((mark, length)) = over
            && row(lines[at + 2]) == Some((mark, length))
            && is_title(lines[at + 1], length)
        {
            out.extend([
                Cow::Borrowed(""),
                heading(&mut levels, (mark, true), lines[at + 1]),
                Cow::Borrowed(""),
            ]);
            at += 3;
            continue;
        }
        if is_free
            && at + 1 < lines.len()
            && !lines[at].starts_with(char::is_whitespace)
            && row(lines[at]).is_none()
            && let Some((mark, length)) = row(lines[at + 1])
            && is_title(lines[at], length)
        {
            out.extend([heading(&mut levels, (mark, false), lines[at]), Cow::Borrowed("")]);
            at += 2;
            continue;
        }
        // A line that Markdown alone would take for a heading.
        out.push(if lines[at].starts_with('#') {
            Cow::Owned(format!("\\{}", lines[at]))
        } else {
            Cow::Borrowed(lines[at])
        });
        at += 1;
    }
    out.join("\n")
}

/// The character and the length of a row of punctuation.
fn row(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(|c| c.is_ascii_punctuation())?;
    (line.len() >= 2 && line.chars().all(|c| c == mark)).then_some((mark, line.len()))
}

/// Not longer than the row: wide characters take two columns, so a title may have fewer of them.
fn is_title(line: &str, length: usize) -> bool {
    let title = line.trim();
    !title.is_empty() && title.chars().count() <= length
}

fn heading(levels: &mut Vec<(char, bool)>, style: (char, bool), title: &str) -> Cow<'static, str> {
    let level = levels.iter().position(|known| *known == style).unwrap_or_else(|| {
        levels.push(style);
        levels.len() - 1
    });
    Cow::Owned(format!("{} {}", "#".repeat((level + 1).min(6)), title.trim()))
}
