//! Reads fetched pages, in a worker process if they are more than plain text, and turns them into drafts.

use griot::model::{Error, Lines, Source, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot::text::{Chunk, chunk_plain};
use url::Url;

use super::fetch::Body;
use super::page::{self, PageText, Passage};
use crate::hash::text_hash;
use crate::jobs::{FetchedPage, Form};
use crate::options::{ReadLimits, ReadOptions};
use crate::readers::html::Page;
use crate::readers::{byline, unmarked};
use crate::time::{self, in_range};
use crate::worker;

/// Plain text up to this many bytes is read in this process.
const MAX_INLINE: usize = 256 * 1024;

/// Reads a page; `Err` says why it cannot be read. Anything but small plain text is read in a worker
/// process, if there is a program for it.
pub(crate) fn page(url: &Url, body: &Body, limits: ReadLimits) -> Result<PageText, String> {
    let is_plain = matches!(body.kind.as_str(), "text/plain" | "text/markdown" | "text/x-markdown");
    let is_small = body.bytes.len() <= MAX_INLINE;
    match if is_plain && is_small { None } else { worker::page(url, body, limits) } {
        Some(page) => page,
        None => page::read(url, body),
    }
}

/// Hashes the extracted text and the options, not the bytes, which change with every advertisement.
pub(crate) fn hash(page: &Page, options: &ReadOptions) -> [u8; 32] {
    let mut whole = String::new();
    for part in [&page.title, &page.byline, &page.language] {
        whole.push_str(part.as_deref().unwrap_or_default());
        whole.push('\n');
    }
    whole.push_str(&page.text);
    text_hash(whole.as_bytes(), options)
}

/// Splits the origin of a page into address and user.
pub(crate) fn address(origin: &str) -> (&str, Option<&str>) {
    origin.split_once(Source::OF_USER).map_or((origin, None), |(url, user)| (url, Some(user)))
}

pub(crate) fn source(origin: &str, hash: [u8; 32]) -> SourceDraft {
    SourceDraft { content_hash: Some(hash), ..SourceDraft::new(SourceType::Page, origin) }
}

/// The source and the passages of a recorded page.
pub(crate) fn drafts(
    fetched: &FetchedPage,
    options: &ReadOptions,
    agent: Option<&String>,
) -> griot::model::Result<(SourceDraft, Vec<Draft>)> {
    let (page, scope) = (&fetched.page, &options.scope);
    let mut source = source(&Source::of_page(&fetched.origin, scope.user.as_deref()), fetched.hash);
    source.title.clone_from(&page.title);
    source.language.clone_from(&page.language);
    source.tags.clone_from(&options.tags);
    source.metadata.clone_from(&options.metadata);
    let at = page.published.and_then(in_range).map(Timestamp::day_start);
    let authors = page.byline.as_deref().map(byline::authors).unwrap_or_default();
    let title = page.title.as_deref().unwrap_or_default();
    let of_page = |heading: Vec<String>, text, at| Draft {
        occurred_at: time::of_passage(&heading, at, &[title], None),
        kind: Some("passage".into()),
        tags: options.tags.clone(),
        scope: scope.clone(),
        agent: agent.cloned(),
        heading,
        entities: authors.clone(),
        ..Draft::new(text)
    };
    // Without line numbers: the generated Markdown is not stored, so they would point nowhere.
    let of_chunk = |chunk: Chunk| of_page(chunk.heading, chunk.text, at);
    let mut drafts: Vec<Draft> = match fetched.form {
        Form::Plain => chunk_plain(&page.text).into_iter().map(of_chunk).collect(),
        Form::Markdown => unmarked::chunks(&page.text).into_iter().map(of_chunk).collect(),
        Form::Passages => {
            let passages: Vec<Passage> = serde_json::from_str(&page.text).map_err(|error| {
                Error::invalid(format!("store `{}`", fetched.url), format!("its record is damaged: {error}"))
            })?;
            let of_passage = |passage: Passage| Draft {
                lines: passage.lines.map(|(first, last)| Lines { first, last }),
                ..of_page(passage.heading, passage.text, passage.at.map(Timestamp).and_then(in_range))
            };
            passages.into_iter().map(of_passage).collect()
        }
    };
    drafts.retain(|draft| !draft.text.trim().is_empty());
    Ok((source, drafts))
}
