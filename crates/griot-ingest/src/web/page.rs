//! The content of a fetched page, whatever its format.

use std::path::Path;

use serde::{Deserialize, Serialize};
use url::Url;

use super::fetch::Body;
use super::scope;
use crate::decode;
use crate::detect::choose;
use crate::in_process;
use crate::jobs::Form;
use crate::options::ReadOptions;
use crate::readers::html::{self, Page};
use crate::readers::reader::Read;
use crate::readers::{byline, front_matter, language, unmarked};
use crate::time;

/// A fetched page, and the form of its text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct PageText {
    pub(crate) form: Form,
    #[serde(flatten)]
    pub(crate) page: Page,
}

/// A passage of a document as its reader made it. Stored as passages, because passages may overlap:
/// chunking their joined text again would repeat the overlaps.
#[derive(Serialize, Deserialize)]
pub(super) struct Passage {
    pub(super) heading: Vec<String>,
    pub(super) text: String,
    pub(super) at: Option<i64>,
    pub(super) lines: Option<(u32, u32)>,
}

/// Reads a page in this process; `Err` says why it cannot be read.
pub(crate) fn read(url: &Url, body: &Body) -> Result<PageText, String> {
    let path = url.path().to_ascii_lowercase();
    let named = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
    match body.kind.as_str() {
        "text/html" | "application/xhtml+xml" => {}
        "text/markdown" | "text/x-markdown" => return Ok(markdown_page(body)),
        "text/plain" if named(&[".md", ".markdown", ".mdx"]) => return Ok(markdown_page(body)),
        "text/plain" if named(&[".html", ".htm"]) => {}
        "text/plain" => {
            let page = Page { text: text_of(body), ..Page::default() };
            return Ok(PageText { form: Form::Plain, page });
        }
        "" | "application/octet-stream" if looks_like_html(&body.bytes) => {}
        "" => return Err("the server sent no content type".into()),
        other => return document(url, body).unwrap_or_else(|| Err(format!("not a page but {other}"))),
    }
    let page = html::read_html(url.as_str(), &text_of(body), Some(url)).map_err(|error| error.why)?;
    let page = Page {
        language: page.language.as_deref().and_then(language::tag),
        canonical: page.canonical.and_then(scope::normal),
        ..page
    };
    Ok(PageText { form: Form::Markdown, page })
}

/// The passages of a document behind an address: PDF, e-book, office document. `None` if it is none of
/// those.
fn document(url: &Url, body: &Body) -> Option<Result<PageText, String>> {
    let name = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
    let choice = choose(Path::new(name), &body.bytes, None).ok()?;
    if choice.reader.is_chat || !matches!(choice.read, Read::Bytes(_)) {
        return None;
    }
    let options = ReadOptions { format: choice.format, max_bytes: u64::MAX, ..ReadOptions::default() };
    let input = options.input(url.as_str(), Path::new(url.as_str()), url.to_string());
    let read = || -> Result<PageText, String> {
        let reading = in_process::read(&input, &options, body.bytes.clone()).map_err(|error| error.why)?;
        let passages = reading.drafts.into_iter().map(|draft| Passage {
            heading: draft.heading,
            text: draft.text,
            at: draft.occurred_at.map(|at| at.0),
            lines: draft.lines.map(|lines| (lines.first, lines.last)),
        });
        let text = serde_json::to_string(&passages.collect::<Vec<_>>()).map_err(|error| error.to_string())?;
        let (title, language) = (reading.source.title, reading.source.language);
        Ok(PageText { form: Form::Passages, page: Page { title, language, text, ..Page::default() } })
    };
    Some(read())
}

fn markdown_page(body: &Body) -> PageText {
    let text = text_of(body);
    let front = front_matter::read(&text).map(|(front, ..)| front).unwrap_or_default();
    let page = Page {
        title: front.title.or_else(|| unmarked::title(&text)),
        language: front.language.as_deref().and_then(language::tag),
        published: front.date.and_then(|(_, date)| time::parse(&date)).or_else(|| byline::date(&text)),
        text,
        ..Page::default()
    };
    PageText { form: Form::Markdown, page }
}

fn text_of(body: &Body) -> String {
    decode::page(&body.bytes, body.charset.as_deref())
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]).trim_start().to_ascii_lowercase();
    head.starts_with("<!doctype html") || head.starts_with("<html") || head.starts_with("<head")
}
