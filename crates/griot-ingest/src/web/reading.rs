//! Turns a fetched page of any type into text, and the text into drafts.

use std::path::Path;

use griot::model::{Error, Lines, Scope, Source, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot::text::{Chunk, chunk_markdown, chunk_plain, markdown_title};
use serde::{Deserialize, Serialize};
use url::Url;

use super::fetch::{Body, decode};
use super::scope;
use crate::format::{HEAD, Shape};
use crate::jobs::{FetchedPage, Form};
use crate::readers::{byline, html, language};
use crate::{ReadLimits, ReadOptions, read, worker};

/// Plain text up to this many bytes is read in this process.
const MAX_INLINE: usize = 256 * 1024;

/// The content and metadata of a fetched page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PageText {
    pub(crate) title: Option<String>,
    pub(crate) byline: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) published: Option<Timestamp>,
    pub(crate) form: Form,
    pub(crate) text: String,
    pub(crate) canonical: Option<Url>,
    pub(crate) links: Vec<Url>,
    pub(crate) feeds: Vec<Url>,
}

impl PageText {
    pub(crate) fn new(form: Form, text: String) -> Self {
        Self {
            title: None,
            byline: None,
            language: None,
            published: None,
            form,
            text,
            canonical: None,
            links: Vec::new(),
            feeds: Vec::new(),
        }
    }
}

/// A passage of a document as its reader made it. Stored as passages, because passages may overlap:
/// chunking their joined text again would repeat the overlaps.
#[derive(Serialize, Deserialize)]
struct Passage {
    heading: Vec<String>,
    text: String,
    at: Option<i64>,
    lines: Option<(u32, u32)>,
}

/// Reads a page; `Err` says why it cannot be read. Anything but small plain text is read in a worker
/// process, if there is a program for it.
pub(crate) fn page(url: &Url, body: &Body, limits: ReadLimits) -> Result<PageText, String> {
    let is_plain = body.kind.starts_with("text/") && body.kind != "text/html";
    let is_small = body.bytes.len() <= MAX_INLINE;
    match if is_plain && is_small { None } else { worker::page(url.as_str(), body, limits) } {
        Some(page) => page,
        None => page_here(url, body),
    }
}

/// Reads a page in this process.
pub(crate) fn page_here(url: &Url, body: &Body) -> Result<PageText, String> {
    let path = url.path().to_ascii_lowercase();
    let named = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
    match body.kind.as_str() {
        "text/html" | "application/xhtml+xml" => {}
        "text/markdown" | "text/x-markdown" => return Ok(markdown_page(body)),
        "text/plain" if named(&[".md", ".markdown", ".mdx"]) => return Ok(markdown_page(body)),
        "text/plain" if named(&[".html", ".htm"]) => {}
        "text/plain" => {
            return Ok(PageText::new(Form::Plain, decode(&body.bytes, body.charset.as_deref())));
        }
        "" | "application/octet-stream" if looks_like_html(&body.bytes) => {}
        "" => return Err("the server sent no content type".into()),
        other => return document(url, body).unwrap_or_else(|| Err(format!("not a page but {other}"))),
    }
    let text = decode(&body.bytes, body.charset.as_deref());
    let page = html::read_html(url.as_str(), &text, Some(url)).map_err(|error| error.why.clone())?;
    Ok(PageText {
        title: page.title,
        byline: page.byline,
        language: page.language.as_deref().and_then(language::tag),
        published: page.published,
        canonical: page.canonical.and_then(scope::normal),
        links: page.links,
        feeds: page.feeds,
        ..PageText::new(Form::Markdown, page.markdown)
    })
}

/// The passages of a document behind an address: PDF, e-book, office document. `None` if it is none of
/// those.
fn document(url: &Url, body: &Body) -> Option<Result<PageText, String>> {
    let name = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
    let shape = Shape::of(Path::new(name), &body.bytes[..body.bytes.len().min(HEAD)], None);
    let Shape::Binary(format) = shape else { return None };
    if shape.is_chat() {
        return None;
    }
    let options = ReadOptions { format: Some(format), max_bytes: u64::MAX, ..ReadOptions::default() };
    let read = || -> Result<PageText, String> {
        let readings =
            read::read_bytes(url.as_str(), body.bytes.clone(), &options).map_err(|error| error.why)?;
        let (mut title, mut language, mut passages) = (None, None, Vec::new());
        for reading in readings {
            title = title.or(reading.source.title);
            language = language.or(reading.source.language);
            passages.extend(reading.drafts.into_iter().map(|draft| Passage {
                heading: draft.heading,
                text: draft.text,
                at: draft.occurred_at.map(|at| at.0),
                lines: draft.lines.map(|lines| (lines.first, lines.last)),
            }));
        }
        let text = serde_json::to_string(&passages).map_err(|error| error.to_string())?;
        Ok(PageText { title, language, ..PageText::new(Form::Passages, text) })
    };
    Some(read())
}

fn markdown_page(body: &Body) -> PageText {
    let text = decode(&body.bytes, body.charset.as_deref());
    PageText { title: markdown_title(&text), ..PageText::new(Form::Markdown, text) }
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]).trim_start().to_ascii_lowercase();
    head.starts_with("<!doctype html") || head.starts_with("<html") || head.starts_with("<head")
}

/// Hashes the extracted text and the options, not the bytes, which change with every advertisement.
pub(crate) fn hash(page: &PageText, tags: &[String], scope: &Scope) -> [u8; 32] {
    let options = ReadOptions { tags: tags.to_vec(), scope: scope.clone(), ..ReadOptions::default() };
    let mut whole = String::new();
    for part in [&page.title, &page.byline, &page.language] {
        whole.push_str(part.as_deref().unwrap_or_default());
        whole.push('\n');
    }
    whole.push_str(&page.text);
    read::text_hash(whole.as_bytes(), &options)
}

/// The origin under which a page is stored: its address, and the user it was read for, so that one user's
/// copy never replaces another's.
pub(crate) fn origin(user: Option<&str>, url: &str) -> String {
    match user {
        Some(user) => format!("{url}{}{user}", Source::OF_USER),
        None => url.to_string(),
    }
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
    page: &FetchedPage,
    tags: &[String],
    scope: &Scope,
) -> griot::model::Result<(SourceDraft, Vec<Draft>)> {
    let mut source = source(&self::origin(scope.user.as_deref(), &page.origin), page.hash);
    source.title.clone_from(&page.title);
    source.language.clone_from(&page.language);
    source.tags = tags.to_vec();
    let at = page.published.and_then(time);
    let authors = page.byline.as_deref().map(byline::authors).unwrap_or_default();
    let of_page = |heading, text, at| Draft {
        kind: Some("passage".into()),
        tags: tags.to_vec(),
        scope: scope.clone(),
        heading,
        occurred_at: at,
        entities: authors.clone(),
        ..Draft::new(text)
    };
    // Without line numbers: the generated Markdown is not stored, so they would point nowhere.
    let of_chunk = |chunk: Chunk| of_page(chunk.heading, chunk.text, at);
    let mut drafts: Vec<Draft> = match page.form {
        Form::Plain => chunk_plain(&page.body).into_iter().map(of_chunk).collect(),
        Form::Markdown => chunk_markdown(&page.body).into_iter().map(of_chunk).collect(),
        Form::Passages => {
            let passages: Vec<Passage> = serde_json::from_str(&page.body).map_err(|error| {
                Error::invalid(format!("store `{}`", page.url), format!("its record is damaged: {error}"))
            })?;
            let of_passage = |passage: Passage| Draft {
                lines: passage.lines.map(|(first, last)| Lines { first, last }),
                ..of_page(passage.heading, passage.text, passage.at.and_then(time))
            };
            passages.into_iter().map(of_passage).collect()
        }
    };
    drafts.retain(|draft| !draft.text.trim().is_empty());
    Ok((source, drafts))
}

fn time(milliseconds: i64) -> Option<Timestamp> {
    Some(Timestamp(milliseconds)).filter(|at| (Timestamp::EARLIEST..=Timestamp::LATEST).contains(at))
}
