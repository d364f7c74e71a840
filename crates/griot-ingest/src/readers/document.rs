//! Passages of a text, with their headings and lines.

use std::borrow::Cow;

use griot::model::{Lines, Timestamp};
use griot::remember::Draft;
use griot::text::Chunk;

use crate::readers::input::Batch;
use crate::readers::{byline, unmarked};

/// Adds the passages of Markdown that a reader made of another format, below the headings `under`. They have
/// no lines: the file has none that a user could look up.
pub(crate) fn read_converted(markdown: &str, under: &[String], at: Option<Timestamp>, batch: &mut Batch) {
    if under.is_empty() && batch.title.is_none() {
        batch.title = unmarked::title(markdown);
    }
    let at = if under.is_empty() { byline::date(markdown).or(at) } else { at };
    let usual = batch.passage("");
    let like = Draft { heading: under.to_vec(), occurred_at: at.or(usual.occurred_at), ..usual };
    batch.push_chunks(unmarked::chunks(markdown), &like, "a passage");
}

/// A passage with its lines in the file.
pub(crate) fn passage(chunk: Chunk, batch: &Batch) -> Draft {
    let mut draft = batch.passage(chunk.text);
    draft.heading = chunk.heading;
    draft.lines = Some(Lines { first: chunk.first_line, last: chunk.last_line });
    draft
}

/// A file that was checked out on Windows gives the same memories.
pub(crate) fn with_plain_ends(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}
