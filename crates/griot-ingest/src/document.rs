//! Markdown, plain text and HTML: passages with their headings and lines.

use griot::model::{Lines, Result};
use griot::remember::SourceDraft;
use griot::text::{Chunk, chunk_markdown, chunk_plain, markdown_title};

use crate::job::{Batch, Job};
use crate::record::shown_text;
use crate::{front_matter, html, time};

pub(crate) fn read_markdown(job: &Job, text: &str, source: &mut SourceDraft, batch: &mut Batch) {
    let text = &with_plain_ends(text);
    let (front, lines, bytes) = front_matter::read(text).unwrap_or_default();
    let body = &text[bytes..];
    if let Some(title) = front.title.or_else(|| markdown_title(body)) {
        source.title = Some(title);
    }
    job.add_tags(&mut source.tags, front.tags);
    let mut at = None;
    if let Some((line, date)) = front.date {
        at = time::parse(&date);
        if at.is_none() {
            batch.problem(job.error(format!("line {line}: {} is not a date", shown_text(&date))));
        }
    }
    let at = at.or_else(|| job.time());
    for chunk in chunk_markdown(body) {
        add(job, chunk, lines, at, &source.tags, batch);
    }
}

pub(crate) fn read_plain(job: &Job, text: &str, source: &SourceDraft, batch: &mut Batch) {
    for chunk in chunk_plain(&with_plain_ends(text)) {
        add(job, chunk, 0, job.time(), &source.tags, batch);
    }
}

/// Passages of a page have no lines: those of its Markdown are nowhere to be looked up.
pub(crate) fn read_html(job: &Job, text: &str, source: &mut SourceDraft, batch: &mut Batch) -> Result<()> {
    let page = html::read_html(job.name, text, None)?;
    source.title = page.title.or(source.title.take());
    for chunk in chunk_markdown(&page.markdown) {
        let mut draft = job.draft(chunk.text, "passage");
        draft.tags.clone_from(&source.tags);
        draft.heading = chunk.heading;
        draft.occurred_at = page.published.or_else(|| job.time());
        batch.push(job, draft, "a passage");
    }
    Ok(())
}

fn add(job: &Job, chunk: Chunk, skipped: u32, at: Option<griot::model::Timestamp>, tags: &[String], batch: &mut Batch) {
    let mut draft = job.draft(chunk.text, "passage");
    draft.tags = tags.to_vec();
    draft.heading = chunk.heading;
    draft.lines = Some(Lines { first: chunk.first_line + skipped, last: chunk.last_line + skipped });
    draft.occurred_at = at;
    batch.push(job, draft, "a passage");
}

/// A file checked out on Windows holds the same memories.
fn with_plain_ends(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}
