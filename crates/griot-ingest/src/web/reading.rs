//! What a fetched page says, whatever it is made of; and the drafts that are made of it.

use std::path::Path;

use griot::model::{Scope, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot::text::{Chunk, chunk_markdown, chunk_plain, markdown_title};
use url::Url;

use super::fetch::{Body, decode};
use super::scope;
use crate::format::{HEAD, Shape};
use crate::jobs::Recorded;
use crate::readers::{byline, html, language, markdown};
use crate::{ReadOptions, read};

/// What was understood of an answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PageText {
    pub(crate) title: Option<String>,
    pub(crate) byline: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) published: Option<Timestamp>,
    pub(crate) is_markdown: bool,
    pub(crate) text: String,
    pub(crate) canonical: Option<Url>,
    pub(crate) links: Vec<Url>,
    pub(crate) feeds: Vec<Url>,
}

/// `Err` says why this is no page to read.
pub(crate) fn page(url: &Url, body: &Body) -> Result<PageText, String> {
    let path = url.path().to_ascii_lowercase();
    let named = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
    match body.kind.as_str() {
        "text/html" | "application/xhtml+xml" => {}
        "text/markdown" | "text/x-markdown" => return Ok(written(body)),
        "text/plain" if named(&[".md", ".markdown", ".mdx"]) => return Ok(written(body)),
        "text/plain" if named(&[".html", ".htm"]) => {}
        "text/plain" => {
            return Ok(PageText { text: decode(&body.bytes, body.charset.as_deref()), ..PageText::default() });
        }
        "" | "application/octet-stream" if looks_like_html(&body.bytes) => {}
        "" => return Err("the server does not say what it is".into()),
        other => return document(url, body).unwrap_or_else(|| Err(format!("it is no page but {other}"))),
    }
    let text = decode(&body.bytes, body.charset.as_deref());
    let page = html::read_html(url.as_str(), &text, Some(url)).map_err(|error| error.why.clone())?;
    Ok(PageText {
        title: page.title,
        byline: page.byline,
        language: page.language.as_deref().and_then(language::tag),
        published: page.published,
        is_markdown: true,
        text: page.markdown,
        canonical: page.canonical.and_then(scope::normal),
        links: page.links,
        feeds: page.feeds,
    })
}

/// A document that lies at an address, as Markdown, if it is one: PDF, a book, what offices write.
fn document(url: &Url, body: &Body) -> Option<Result<PageText, String>> {
    let name = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
    let shape = Shape::of(Path::new(name), &body.bytes[..body.bytes.len().min(HEAD)], None);
    let Shape::Binary(format) = shape else { return None };
    if shape.is_chat() {
        return None;
    }
    let options = ReadOptions { format: Some(format), max_bytes: u64::MAX, ..ReadOptions::default() };
    let reading = match read::read_bytes(url.as_str(), body.bytes.clone(), &options) {
        Ok(mut whole) => whole.pop()?,
        Err(error) => return Some(Err(error.why)),
    };
    let (mut text, mut under) = (String::new(), Vec::new());
    for draft in &reading.drafts {
        let same = under.iter().zip(&draft.heading).take_while(|(a, b)| a == b).count();
        for (level, heading) in (1..).zip(&draft.heading).skip(same) {
            markdown::heading(level, heading, &mut text);
        }
        under.clone_from(&draft.heading);
        text.push_str(&draft.text);
        text.push_str("\n\n");
    }
    Some(Ok(PageText {
        title: reading.source.title,
        language: reading.source.language,
        published: reading.drafts.first().and_then(|draft| draft.occurred_at),
        is_markdown: true,
        text,
        ..PageText::default()
    }))
}

fn written(body: &Body) -> PageText {
    let text = decode(&body.bytes, body.charset.as_deref());
    PageText { title: markdown_title(&text), is_markdown: true, text, ..PageText::default() }
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]).trim_start().to_ascii_lowercase();
    head.starts_with("<!doctype html") || head.starts_with("<html") || head.starts_with("<head")
}

/// Of what is made into memories, and of how: not of the bytes, which change with every advertisement.
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

pub(crate) fn source(origin: &str, hash: [u8; 32]) -> SourceDraft {
    SourceDraft { content_hash: Some(hash), ..SourceDraft::new(SourceType::Page, origin) }
}

/// The source that a recorded page is, and its passages.
pub(crate) fn drafts(page: &Recorded, tags: &[String], scope: &Scope) -> (SourceDraft, Vec<Draft>) {
    let mut source = source(&page.origin, page.hash);
    source.title.clone_from(&page.title);
    source.language.clone_from(&page.language);
    source.tags = tags.to_vec();
    let chunks = if page.is_markdown { chunk_markdown(&page.body) } else { chunk_plain(&page.body) };
    let at = page.published.map(Timestamp).filter(|at| (Timestamp::EARLIEST..=Timestamp::LATEST).contains(at));
    let authors = page.byline.as_deref().map(byline::authors).unwrap_or_default();
    // Without lines: those of the Markdown are nowhere to be looked up.
    let draft = |chunk: Chunk| Draft {
        kind: Some("passage".into()),
        tags: tags.to_vec(),
        scope: scope.clone(),
        heading: chunk.heading,
        occurred_at: at,
        entities: authors.clone(),
        ..Draft::new(chunk.text)
    };
    let drafts = chunks.into_iter().filter(|chunk| !chunk.text.trim().is_empty()).map(draft).collect();
    (source, drafts)
}
