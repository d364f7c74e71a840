//! Markdown: passages with headings and lines, front matter, and the links and tags of note vaults.

use crate::readers::document::{passage, with_plain_ends};
use crate::readers::head::{Head, MARKDOWN};
use crate::readers::input::{Batch, add_tags};
use crate::readers::reader::{Fit, Read, Reader};
use crate::readers::unmarked::Passage;
use crate::readers::{byline, front_matter, language, unmarked, wiki};
use crate::shown::shown_text;
use crate::time;
use griot::model::{Result, Timestamp};

pub(crate) const READER: Reader = Reader {
    name: "markdown",
    mime: "text/markdown",
    summary: "passages with headings and lines; `[[links]]` name entities, `#tags` tag their passage, \
              `aliases` name the document",
    own_extensions: MARKDOWN,
    detect: |head| (head.is_unnamed() && looks_like_markdown(head)).then_some(Fit::Syntax),
    read: |_| Read::Text(read),
    ..Reader::BASE
};

fn looks_like_markdown(head: &Head) -> bool {
    let heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    ["---\n", "---\r\n"].iter().any(|rule| head.text.starts_with(rule)) || head.text.lines().any(heading)
}

/// Also for other readers whose Markdown has the lines of the file.
pub(crate) fn read(text: &str, batch: &mut Batch) -> Result<()> {
    let text = &with_plain_ends(text);
    let (front, lines, bytes) = front_matter::read(text).unwrap_or_default();
    let body = &text[bytes..];
    batch.title = front.title.or_else(|| unmarked::title(body));
    batch.source.language = front.language.as_deref().and_then(language::tag);
    add_tags(&mut batch.source.tags, front.tags);
    batch.source.aliases = front.aliases;
    let mut at = None;
    if let Some((line, date)) = front.date {
        at = time::parse(&date).map(Timestamp::day_start);
        if at.is_none() {
            batch.problem(format!("line {line}: {} is not a date", shown_text(&date)));
        }
    }
    let at = at.or_else(|| byline::date(body));
    for Passage { mut chunk, markdown } in unmarked::passages(body) {
        chunk.first_line += lines;
        chunk.last_line += lines;
        let (names, tags) = wiki::read(&markdown);
        let mut draft = passage(chunk, batch);
        draft.occurred_at = at.or(draft.occurred_at);
        draft.tags.clone_from(&batch.source.tags);
        draft.entities = names;
        add_tags(&mut draft.tags, tags);
        batch.push(draft, "a passage");
    }
    Ok(())
}
