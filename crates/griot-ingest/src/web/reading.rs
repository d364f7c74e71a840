//! What a fetched page says, whatever it is made of; and the drafts that are made of it.

use griot::model::{Scope, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot::text::{Chunk, chunk_markdown, chunk_plain, markdown_title};
use url::Url;

use super::fetch::{Body, decode};
use super::scope;
use crate::jobs::Recorded;
use crate::readers::{byline, html};
use crate::{ReadOptions, read};

/// What was understood of an answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PageText {
    pub(crate) title: Option<String>,
    pub(crate) byline: Option<String>,
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
        "text/markdown" | "text/x-markdown" => return Ok(markdown(body)),
        "text/plain" if named(&[".md", ".markdown", ".mdx"]) => return Ok(markdown(body)),
        "text/plain" if named(&[".html", ".htm"]) => {}
        "text/plain" => {
            return Ok(PageText { text: decode(&body.bytes, body.charset.as_deref()), ..PageText::default() });
        }
        "" | "application/octet-stream" if looks_like_html(&body.bytes) => {}
        "" => return Err("the server does not say what it is".into()),
        other => return Err(format!("it is no page but {other}")),
    }
    let text = decode(&body.bytes, body.charset.as_deref());
    let page = html::read_html(url.as_str(), &text, Some(url)).map_err(|error| error.why.clone())?;
    Ok(PageText {
        title: page.title,
        byline: page.byline,
        published: page.published,
        is_markdown: true,
        text: page.markdown,
        canonical: page.canonical.and_then(scope::normal),
        links: page.links,
        feeds: page.feeds,
    })
}

fn markdown(body: &Body) -> PageText {
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
    let (title, byline) = (page.title.as_deref().unwrap_or_default(), page.byline.as_deref().unwrap_or_default());
    read::text_hash(format!("{title}\n{byline}\n{}", page.text).as_bytes(), &options)
}

pub(crate) fn source(origin: &str, hash: [u8; 32]) -> SourceDraft {
    SourceDraft { content_hash: Some(hash), ..SourceDraft::new(SourceType::Page, origin) }
}

/// The source that a recorded page is, and its passages.
pub(crate) fn drafts(page: &Recorded, tags: &[String], scope: &Scope) -> (SourceDraft, Vec<Draft>) {
    let mut source = source(&page.origin, page.hash);
    source.title.clone_from(&page.title);
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
