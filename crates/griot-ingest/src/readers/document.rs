//! Passages of a text, with their headings and lines.

use std::borrow::Cow;

use griot::model::{Lines, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot::text::{Chunk, chunk_markdown, markdown_title};

use crate::readers::input::{Batch, Input};

/// Adds the passages of Markdown that a reader made of another format, below the headings `under`. They have
/// no lines: the file has none that a user could look up.
pub(crate) fn read_converted(
    input: &Input,
    markdown: &str,
    under: &[String],
    at: Option<Timestamp>,
    source: &mut SourceDraft,
    batch: &mut Batch,
) {
    if under.is_empty() && batch.title.is_none() {
        batch.title = markdown_title(markdown);
    }
    for mut chunk in chunk_markdown(markdown) {
        chunk.heading.splice(0..0, under.iter().cloned());
        let mut draft = passage(input, chunk, at.or_else(|| input.time()), &source.tags);
        draft.lines = None;
        batch.push(input, draft, "a passage");
    }
}

pub(crate) fn passage(input: &Input, chunk: Chunk, at: Option<Timestamp>, tags: &[String]) -> Draft {
    let mut draft = input.draft(chunk.text, "passage");
    draft.tags = tags.to_vec();
    draft.heading = chunk.heading;
    draft.lines = Some(Lines { first: chunk.first_line, last: chunk.last_line });
    draft.occurred_at = at;
    draft
}

/// A file that was checked out on Windows gives the same memories.
pub(crate) fn with_plain_ends(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}
