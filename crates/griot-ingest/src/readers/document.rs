//! Markdown, plain text and HTML: passages with their headings and lines.

use griot::model::{Lines, Result, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot::text::{Chunk, chunk_markdown, chunk_plain, markdown_title};

use crate::readers::input::{Batch, Input};
use crate::readers::record::shown_text;
use crate::readers::{byline, front_matter, html, language, wiki};
use crate::time;

pub(crate) fn read_markdown(input: &Input, text: &str, source: &mut SourceDraft, batch: &mut Batch) {
    let text = &with_plain_ends(text);
    let (front, lines, bytes) = front_matter::read(text).unwrap_or_default();
    let body = &text[bytes..];
    if let Some(title) = front.title.or_else(|| markdown_title(body)) {
        source.title = Some(title);
    }
    source.language = front.language.as_deref().and_then(language::tag);
    input.add_tags(&mut source.tags, front.tags);
    let mut at = None;
    if let Some((line, date)) = front.date {
        at = time::parse(&date);
        if at.is_none() {
            batch.problem(input.error(format!("line {line}: {} is not a date", shown_text(&date))));
        }
    }
    let at = at.or_else(|| input.time());
    for mut chunk in chunk_markdown(body) {
        chunk.first_line += lines;
        chunk.last_line += lines;
        let (names, tags) = wiki::read(&chunk.text);
        let mut draft = passage(input, chunk, at, &source.tags);
        draft.entities = names;
        input.add_tags(&mut draft.tags, tags);
        batch.push(input, draft, "a passage");
    }
}

/// Markdown that a reader made of something else, below the headings `under`: its lines are nobody's.
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

pub(crate) fn read_plain(input: &Input, text: &str, source: &SourceDraft, batch: &mut Batch) {
    for chunk in chunk_plain(&with_plain_ends(text)) {
        batch.push(input, passage(input, chunk, input.time(), &source.tags), "a passage");
    }
}

/// Passages of a page have no lines: those of its Markdown are nowhere to be looked up.
pub(crate) fn read_html(
    input: &Input,
    text: &str,
    source: &mut SourceDraft,
    batch: &mut Batch,
) -> Result<()> {
    let page = html::read_html(input.name, text, None)?;
    source.title = page.title.or(source.title.take());
    source.language = page.language.as_deref().and_then(language::tag);
    // Not as speakers: nobody says a page, and what is said is ranked by other rules.
    let authors = page.byline.as_deref().map(byline::authors).unwrap_or_default();
    for chunk in chunk_markdown(&page.markdown) {
        let mut draft = input.draft(chunk.text, "passage");
        draft.tags.clone_from(&source.tags);
        draft.heading = chunk.heading;
        draft.occurred_at = page.published.or_else(|| input.time());
        draft.entities.clone_from(&authors);
        batch.push(input, draft, "a passage");
    }
    Ok(())
}

fn passage(input: &Input, chunk: Chunk, at: Option<Timestamp>, tags: &[String]) -> Draft {
    let mut draft = input.draft(chunk.text, "passage");
    draft.tags = tags.to_vec();
    draft.heading = chunk.heading;
    draft.lines = Some(Lines { first: chunk.first_line, last: chunk.last_line });
    draft.occurred_at = at;
    draft
}

/// A file checked out on Windows holds the same memories.
fn with_plain_ends(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}
