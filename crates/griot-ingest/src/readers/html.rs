//! HTML pages: the content as Markdown without menus, and the page's metadata.
//!
//! A part that the page marks as its main one is taken whole if it is more text than links. Otherwise
//! readability extraction finds the article. If that leaves out text between the heading and the end of the
//! article, all between is taken; if it finds little of the page (indexes, tables), the main part is taken
//! whole. Headings, lists, tables and code become Markdown. Nesting that is too deep for a parser
//! becomes plain text, and a panic in a parser becomes an error with the page's name.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dom_query::{Document, NodeRef, Selection};
use dom_smoothie::{Config, Readability, TextMode};
use griot::model::{Error, Result, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::readers::html_tree::{UNREAD, markdown, plain, quoting, walk};
use crate::readers::markup::one_line;
use crate::readers::reader::{Batch, Read, Reader};
use crate::readers::{bounds, byline, language, unmarked};
use crate::{decode, time};

pub(crate) const READER: Reader = Reader {
    name: "html",
    mime: "text/html",
    summary: "a page: its article without menus, as Markdown",
    own_extensions: &["html", "htm", "xhtml"],
    read: |_| Read::Page(read_file),
    ..Reader::BASE
};

/// Deeper trees are read as plain text: extraction and conversion recurse.
const DEEPEST: usize = 200;
/// Readability must find this share of the main part, or the main part is taken whole.
const ENOUGH: f64 = 0.6;
/// The same for text outside links, which leaves out menus and teasers.
const ENOUGH_OWN: f64 = 0.85;
/// The same if the page marks its main part.
const ENOUGH_NAMED: f64 = 0.9;
/// A marked main part with at most this share of its text in links is taken whole.
const LINKED: f64 = 0.3;
/// The extraction may leave out so many bytes of an article: a name, a date, a button.
const MOST_LEFT_OUT: usize = 32;
/// Longest signature, in characters; longer ones are sentences.
const LONGEST_SIGNATURE: usize = 100;
/// More links than this are navigation gone wrong.
const MOST_LINKS: usize = 20_000;
/// Selects the result of the extraction.
const EXTRACTED: &str = "#readability-page-1";
/// Content that belongs to other pages, or to all pages.
const AROUND: &str = "nav, [role=navigation], [role=search], [aria-hidden=true].headerlink, a.headerlink, \
                      a.anchor, a.anchorjs-link, body > footer, body > .footer, body > #footer, \
                      [role=contentinfo], [hidden], .breadcrumb, .breadcrumbs, .pagination, \
                      .navheader, .navfooter, .nav-panel, .navpath, .menu-title";
/// What may stand inside an article and is not of it.
const BESIDE: &str = "form, .toc, #toc, .sidebar, #sidebar, .comments, #comments, .newsletter, .cookies, \
                      .share, .social, .related";
/// What may ask for consent to cookies.
const COOKIES: &str = "[class*=cookie i], [id*=cookie i]";
/// Bytes of the words of a banner that asks for it; longer ones are about cookies.
const BANNER: usize = 600;
/// Feeds and sitemaps.
const FEEDS: &str = "link[rel~='alternate' i][type='application/rss+xml' i], \
                     link[rel~='alternate' i][type='application/atom+xml' i], link[rel~='sitemap' i]";

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Page {
    pub(crate) title: Option<String>,
    /// The authors, as the page names them.
    pub(crate) byline: Option<String>,
    pub(crate) published: Option<Timestamp>,
    /// As the page declares it, such as `en` or `pt-BR`.
    pub(crate) language: Option<String>,
    pub(crate) canonical: Option<Url>,
    /// Markdown.
    pub(crate) text: String,
    /// Where its links lead, each once, without fragments, in the order of the page; empty if the page asks
    /// not to follow them.
    pub(crate) links: Vec<Url>,
    /// Feeds and sitemaps that it names.
    pub(crate) feeds: Vec<Url>,
    /// Its text is not in it: scripts would fetch and show it.
    #[serde(default)]
    pub(crate) needs_scripts: bool,
}

/// Why a page that needs scripts is not read.
pub(crate) const NEEDS_SCRIPTS: &str = "it shows its text only with JavaScript, which is not run";

/// Reads a page of a file. Its passages have no lines: those of the Markdown are not in the file.
fn read_file(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let guess = (!says_encoding(bytes)).then(|| decode::guess(bytes).name());
    let page = read_html(batch.input.name, &decode::page(bytes, guess), None)?;
    if page.needs_scripts {
        let hint = "save the page from a browser that has shown it, and ingest that file";
        return Err(batch.error(NEEDS_SCRIPTS).hint(hint));
    }
    batch.title = page.title;
    batch.source.language = page.language.as_deref().and_then(language::tag);
    let mut like = batch.passage("");
    like.occurred_at = page.published.map(Timestamp::day_start).or(like.occurred_at);
    // Authors are no speakers: spoken text is ranked by other rules.
    like.entities = page.byline.as_deref().map(byline::authors).unwrap_or_default();
    batch.push_chunks(unmarked::chunks(&page.text), &like, "a passage");
    Ok(())
}

/// Whether the encoding is known: the page is UTF-8 or declares it.
fn says_encoding(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
    head.contains("charset=") || head.contains("encoding=") || std::str::from_utf8(bytes).is_ok()
}

/// Reads a page. `url` is where it was found; without one, relative links lead nowhere and are left out.
pub(crate) fn read_html(name: &str, html: &str, url: Option<&Url>) -> Result<Page> {
    catch_unwind(AssertUnwindSafe(|| read(html, url)))
        .map_err(|_| Error::invalid(format!("read `{name}`"), "the HTML parser gave up on it"))
}

fn read(html: &str, url: Option<&Url>) -> Page {
    let doc = match parse(html) {
        Ok(doc) => doc,
        Err(text) => return Page { text, ..Page::default() },
    };
    let (mut page, base) = declared(&doc, url);
    if is_too_deep(&doc.root()) {
        page.text = plain(&doc.root());
        return page;
    }
    let scripts = Scripts::of(&doc);
    doc.select(AROUND).remove();
    doc.select(COOKIES).nodes().iter().filter(|node| is_banner(node)).for_each(NodeRef::remove_from_parent);
    let first = doc.select("h1");
    let first = text_of(Some(first.text()).filter(|_| first.length() == 1));
    let text = content(doc, url, base.as_ref().or(url), &mut page).unwrap_or_default();
    page.needs_scripts = scripts.are_needed(&text);
    page.published = page.published.or_else(|| byline::date(&text));
    page.text = under_its_heading(text, first.as_deref(), page.title.as_deref());
    page
}

/// Whether an element that is named after cookies asks for consent: recipes are named after them, too.
fn is_banner(node: &NodeRef<'_>) -> bool {
    const ASKS: [&str; 18] = [
        "use cookies",
        "uses cookies",
        "using cookies",
        "verwende",
        "nutz",
        "utilis",
        "utiliz",
        "accept",
        "akzeptier",
        "acepta",
        "consent",
        "zustimm",
        "einwillig",
        "privacy",
        "datenschutz",
        "agree",
        "decline",
        "preferences",
    ];
    let name = node.node_name();
    let is_part = name.is_some_and(|name| !matches!(&*name, "html" | "body" | "main" | "article"));
    let text = one_line(&node.text()).to_lowercase();
    is_part && text.len() <= BANNER && (text.is_empty() || ASKS.iter().any(|word| text.contains(word)))
}

/// What a page has of scripts, and what without them.
#[derive(Clone, Copy, Default)]
struct Scripts {
    are_there: bool,
    /// It has a text for readers without scripts that asks for them.
    are_asked_for: bool,
    /// Without them it shows neither words nor pictures nor other pages.
    show_all: bool,
}

impl Scripts {
    /// Characters of a page that only says that it is loading, or that it needs scripts.
    const LOADING: usize = 30;
    const NOTICE: usize = 400;
    const SHOWN: [&str; 11] = [
        "img", "picture", "video", "audio", "canvas", "iframe", "frame", "frameset", "embed", "object",
        "input",
    ];

    fn of(doc: &Document) -> Self {
        let code = |node: &NodeRef| node.attr("type").is_none_or(|kind| !kind.contains("json"));
        if !doc.select("script").nodes().iter().any(code) {
            return Self::default();
        }
        let is_redirect = doc.select("meta[http-equiv='refresh' i]").exists();
        let mut shows_any = false;
        walk(&doc.root(), |node, _| {
            let name = node.node_name();
            let name = name.as_deref().unwrap_or_default();
            shows_any |= Self::SHOWN.contains(&name) || node.is_text() && !node.text().trim().is_empty();
            !UNREAD.contains(&name)
        });
        Self {
            are_there: true,
            are_asked_for: asks_for_scripts(&doc.select("noscript").text()),
            show_all: !shows_any && !is_redirect,
        }
    }

    /// Whether this is all of the page's own text because scripts would show the rest.
    fn are_needed(self, text: &str) -> bool {
        let characters = text.chars().filter(|c| c.is_alphanumeric()).count();
        self.are_there
            && (self.show_all
                || self.are_asked_for && characters <= Self::LOADING
                || characters <= Self::NOTICE && asks_for_scripts(text))
    }
}

/// `You need to enable JavaScript to run this app.`
fn asks_for_scripts(text: &str) -> bool {
    let text = text.to_lowercase();
    let asks = ["enabl", "disabled", "turn", "requires", "aktivier", "activ", "habilit", "启用", "開啟"];
    text.contains("javascript") && asks.iter().any(|word| text.contains(word))
}

/// The tree of a page, or its plain text if it is too expensive to parse.
fn parse(html: &str) -> Result<Document, String> {
    let html = &*bounds::without_comments(html);
    if bounds::is_too_much(html) { Err(bounds::without_tags(html)) } else { Ok(Document::from(html)) }
}

/// Reads the page's metadata and links, and the base address if it declares one.
fn declared(doc: &Document, url: Option<&Url>) -> (Page, Option<Url>) {
    // Each search visits the whole page; selectors of element names alone are fast.
    let elements = doc.select("html, base, title, meta, link, time");
    let attr = |selector: &str, name: &str| text_of(elements.filter(selector).attr(name));
    let own_base = attr("base[href]", "href").and_then(|href| resolve(url, &href));
    let base = own_base.as_ref().or(url);
    let mut page = Page {
        title: text_of(elements.filter("title").nodes().first().map(NodeRef::text)),
        language: attr("html[lang]", "lang")
            .or_else(|| attr("meta[http-equiv='content-language' i]", "content")),
        canonical: attr("link[rel~='canonical' i]", "href").and_then(|href| resolve(base, &href)),
        byline: attr("meta[name='author' i]", "content"),
        ..Page::default()
    };
    page.published =
        ["meta[property='article:published_time']", "meta[name='date' i]", "meta[name='dcterms.date' i]"]
            .iter()
            .find_map(|selector| attr(selector, "content"))
            .or_else(|| attr("article time[datetime], main time[datetime]", "datetime"))
            .and_then(|date| time::parse(&date));
    let robots = attr("meta[name='robots' i]", "content").unwrap_or_default().to_lowercase();
    if !robots.contains("nofollow") && !robots.split(',').any(|word| word.trim() == "none") {
        let (next, links) = (elements.filter("link[rel~='next' i]"), doc.select("a, area, frame, iframe"));
        page.links = addresses(next.nodes().iter().chain(links.nodes()), base);
        // A page that only redirects.
        let refresh = attr("meta[http-equiv='refresh' i]", "content").unwrap_or_default();
        let target = refresh.split_once('=').map(|(_, target)| target.trim().trim_matches(['"', '\'']));
        page.links.extend(target.and_then(|target| resolve(base, target)));
    }
    page.feeds = addresses(elements.filter(FEEDS).nodes().iter(), base);
    (page, own_base)
}

/// The main content as Markdown. Metadata found by the extraction is added to `page`.
fn content(doc: Document, url: Option<&Url>, base: Option<&Url>, page: &mut Page) -> Option<String> {
    let config = Config {
        keep_classes: true, // a class names the language of code
        text_mode: TextMode::Raw,
        ..Config::default()
    };
    let part = main_part(&doc);
    if let Some(part) = part.filter(|part| part.is_named && part.length.is_text()) {
        let (text, signed) = (markdown(&part.node, base), signature(&part.node));
        let reader = Readability::with_document(doc, url.map(Url::as_str), Some(config)).ok()?;
        let about = reader.get_article_metadata(reader.parse_json_ld());
        page.learn(&about.title, about.byline.or(signed), about.published_time, about.lang);
        return Some(text);
    }
    // Extraction changes the page, and may find too little of it.
    let kept = part.map(|part| (doc.clone(), part.node.id, part.is_named, part.length));
    let mut reader = Readability::with_document(doc, url.map(Url::as_str), Some(config)).ok()?;
    if let Ok(about) = reader.parse() {
        page.learn(&about.title, about.byline, about.published_time, about.lang);
        let found = reader.doc.select_single(EXTRACTED);
        let is_enough = |found: &&NodeRef| {
            kept.as_ref()
                .is_none_or(|(_, _, is_named, length)| length.is_covered(Length::of(found), *is_named))
        };
        if let Some(found) = found.nodes().first().filter(is_enough) {
            let whole = kept.as_ref().and_then(|(doc, whole, ..)| {
                doc.select(BESIDE).remove();
                around(&doc.tree.get(whole)?, found)
            });
            return Some(markdown(whole.as_ref().unwrap_or(found), base));
        }
    }
    let (doc, whole, ..) = kept?;
    doc.tree.get(&whole).map(|node| markdown(&node, base))
}

/// The least element of a part that holds all from the heading of what was found to its end, if that has text
/// that was not found.
fn around<'a>(part: &NodeRef<'a>, found: &NodeRef<'_>) -> Option<NodeRef<'a>> {
    let mut texts = HashSet::new();
    walk(found, |node, _| {
        if node.is_text() {
            texts.insert(one_line(&node.text()));
        }
        true
    });
    // The last of the highest headings before what was found, with the text left out since; and since what
    // was found last.
    let mut heading: Option<(u8, NodeRef<'a>)> = None;
    let (mut first, mut last) = (None, None);
    let (mut left_out, mut since) = (0, 0);
    let (mut link, mut title) = (None, None);
    walk(part, |node, depth| {
        link = link.filter(|link| depth > *link);
        title = title.filter(|title| depth > *title);
        if node.is_text() {
            let text = one_line(&node.text());
            if !text.is_empty() && texts.contains(&text) {
                first = first.or(Some(*node));
                last = Some(*node);
                left_out += std::mem::take(&mut since);
            } else if link.is_none() && title.is_none() && (first.is_some() || heading.is_some()) {
                since += text.len();
            }
            return false;
        }
        let Some(name) = node.node_name() else { return true };
        if &*name == "a" {
            link = link.or(Some(depth));
        }
        if let [b'h', level @ b'1'..=b'6'] = &**name.as_bytes()
            && first.is_none()
            && heading.is_none_or(|(highest, _)| *level <= highest)
        {
            (heading, title, since) = (Some((*level, *node)), Some(depth), 0);
        }
        !UNREAD.contains(&&*name)
    });
    let (first, last) = (heading.map(|(_, node)| node).or(first)?, last?);
    let above = |node: NodeRef<'a>| std::iter::successors(Some(node), NodeRef::parent);
    let ends: HashSet<_> = above(last).map(|node| node.id).collect();
    above(first).find(|node| ends.contains(&node.id)).filter(|_| left_out > MOST_LEFT_OUT)
}

impl Page {
    fn learn<T: AsRef<str>>(
        &mut self,
        title: &str,
        byline: Option<T>,
        published: Option<T>,
        language: Option<T>,
    ) {
        self.title = text_of(Some(title)).or(self.title.take());
        self.byline = text_of(byline).or(self.byline.take());
        self.published = published.and_then(|at| time::parse(at.as_ref())).or(self.published);
        self.language = text_of(language).or(self.language.take());
    }
}

/// A part of a book as Markdown: all of it but its lists of links is content.
pub(crate) fn read_chapter(html: &str) -> String {
    match parse(html) {
        Err(text) => text,
        Ok(doc) if is_too_deep(&doc.root()) => plain(&doc.root()),
        Ok(doc) => {
            doc.select("nav").remove();
            doc.select_single("body").nodes().first().map(|body| markdown(body, None)).unwrap_or_default()
        }
    }
}

/// The text of an email: blocks on lines of their own, quoted ones behind `> `.
pub(crate) fn read_mail(html: &str) -> String {
    let words = || match parse(html) {
        Err(text) => text,
        Ok(doc) => quoting(&doc.root()),
    };
    catch_unwind(AssertUnwindSafe(words)).unwrap_or_else(|_| bounds::without_tags(html))
}

/// Extraction makes a second heading of the first one, or takes it for the title; passages are found by their
/// headings.
fn under_its_heading(text: String, first: Option<&str>, title: Option<&str>) -> String {
    if text.is_empty() || text.lines().any(|line| line.starts_with("# ")) {
        return text;
    }
    if let Some(first) = first {
        let lowered = format!("## {first}");
        if let Some(at) = text.lines().position(|line| line.trim_end() == lowered) {
            let raised = &lowered[1..];
            let mut lines: Vec<&str> = text.lines().collect();
            lines[at] = raised;
            return lines.join("\n");
        }
    }
    match first.or(title) {
        Some(title) => format!("# {title}\n\n{text}"),
        None => text,
    }
}

fn text_of<T: AsRef<str>>(text: Option<T>) -> Option<String> {
    text.map(|text| one_line(text.as_ref())).filter(|text| !text.is_empty())
}

/// Addresses of the web only.
fn resolve(base: Option<&Url>, href: &str) -> Option<Url> {
    let href = href.trim();
    let mut url = match base {
        Some(base) => base.join(href).ok()?,
        None => Url::parse(href).ok()?,
    };
    url.set_fragment(None);
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

fn addresses<'a>(nodes: impl Iterator<Item = &'a NodeRef<'a>>, base: Option<&Url>) -> Vec<Url> {
    let mut seen = HashSet::new();
    let is_followed = |node: &&NodeRef| {
        let rel = node.attr("rel").unwrap_or_default().to_lowercase();
        !rel.split_whitespace().any(|word| word == "nofollow")
    };
    let address = |node: &NodeRef| {
        let href = node.attr("href").or_else(|| node.attr("src"))?;
        resolve(base, Some(&href).filter(|href| !href.trim_start().starts_with('#'))?)
    };
    let found = nodes.filter(is_followed).filter_map(address);
    found.filter(|url| seen.insert(url.as_str().to_string())).take(MOST_LINKS).collect()
}

/// The part of the page that is its own.
#[derive(Clone, Copy)]
struct Part<'a> {
    node: NodeRef<'a>,
    /// The page calls it its main part.
    is_named: bool,
    length: Length,
}

fn main_part(doc: &Document) -> Option<Part<'_>> {
    for (selector, is_named) in [("main", true), ("[role=main]", true), ("article", false), ("body", false)] {
        let found = doc.select(selector);
        // Several articles are a list of teasers, which the next wider part holds together.
        if found.length() == 1 || (selector == "body" && found.exists()) {
            let node = *found.nodes().first()?;
            return Some(Part { node, is_named, length: Length::of(&node) });
        }
    }
    None
}

/// Bytes of the words of a tree, outside of links and in them.
#[derive(Clone, Copy, Default)]
struct Length {
    own: usize,
    linked: usize,
}

impl Length {
    fn of(root: &NodeRef<'_>) -> Self {
        let mut length = Self::default();
        let mut link = None;
        walk(root, |node, depth| {
            link = link.filter(|link| depth > *link);
            if node.is_text() {
                let count = node.text().split_whitespace().map(str::len).sum::<usize>();
                *(if link.is_some() { &mut length.linked } else { &mut length.own }) += count;
                return false;
            }
            let Some(name) = node.node_name() else { return true };
            if link.is_none() && &*name == "a" {
                link = Some(depth);
            }
            !UNREAD.contains(&&*name)
        });
        length
    }

    fn all(self) -> usize {
        self.own + self.linked
    }

    /// What is mostly text holds no menus, and no teasers of other pages.
    fn is_text(self) -> bool {
        self.own > 0 && self.linked as f64 <= LINKED * self.all() as f64
    }

    /// Whether the extraction found enough of this part.
    fn is_covered(self, found: Self, is_named: bool) -> bool {
        let own = if is_named { ENOUGH_NAMED } else { ENOUGH_OWN };
        found.own as f64 >= own * self.own as f64 && found.all() as f64 >= ENOUGH * self.all() as f64
    }
}

/// The author named in this part.
fn signature(part: &NodeRef<'_>) -> Option<String> {
    let found = Selection::from(*part).select("[rel~=author], [itemprop~=author], .byline");
    let name = found.nodes().first().and_then(|node| text_of(Some(node.text())))?;
    (name.chars().count() <= LONGEST_SIGNATURE).then_some(name)
}

fn is_too_deep(root: &NodeRef<'_>) -> bool {
    let mut deepest = 0;
    walk(root, |_, depth| {
        deepest = deepest.max(depth);
        deepest <= DEEPEST
    });
    deepest > DEEPEST
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        let url = Url::parse("https://example.org/docs/a.html").expect("an address");
        read_html("a.html", html, Some(&url)).expect("it can be read")
    }

    #[test]
    fn addresses_in_a_page_are_those_of_the_web() {
        let page = page(
            "<link rel=canonical href=/docs/a>\
             <link rel=alternate type=application/atom+xml href=/feed.xml>\
             <nav><a href=/>Home</a> <a href=b.html#top>Next</a></nav>\
             <main><h1>Tides<a href=#tides>¶</a></h1><p>See <a href=c.html>the tables</a> and\
             <a href=https://tide.example.net/x>the service</a>.</p>",
        );
        let list = |urls: &[Url]| urls.iter().map(Url::as_str).collect::<Vec<_>>().join(" ");
        assert_eq!(page.canonical.as_ref().map(Url::as_str), Some("https://example.org/docs/a"));
        assert_eq!(list(&page.feeds), "https://example.org/feed.xml");
        assert_eq!(
            list(&page.links),
            "https://example.org/ https://example.org/docs/b.html https://example.org/docs/c.html \
             https://tide.example.net/x"
        );
    }

    #[test]
    fn an_article_is_read_from_its_heading_to_its_end() {
        let prose = |topic: &str, times: usize| {
            format!("<p>About {topic}, at some length, with commas, and with all that is known.</p>")
                .repeat(times)
        };
        let body = |before: &str, after: &str| {
            let rest = prose("waves", 40);
            format!("<body>{before}<div class=a><h3>Waves</h3>{rest}</div>{after}</body>")
        };
        // Extraction leaves out what is called a header, and sections that are much shorter than the longest.
        let (head, lead) = ("<div id=header><h1>Tides</h1>", prose("the moon", 2));
        let found = page(&body(&format!("{head}</div><div class=s><h2>Moon</h2>{lead}</div>"), "")).text;
        assert!(found.starts_with("# Tides") && found.contains("## Moon"), "{found}");
        assert!(found.contains("About the moon") && found.contains("About waves"), "{found}");
        let name = "<h2>NAME</h2><p>tides - show the tides of a coast</p></div>";
        assert!(page(&body(&format!("{head}{name}"), "")).text.contains("show the tides of a coast"));
        // What is around it stays out.
        let around = page(&body(
            "<div class=navheader><table><tr><td><a href=a>Prev</a><td>All of the manual, in a line</table>\
             </div><h1>Tides</h1>",
            "<div id=footer>Last updated 2024-05-31, with all rights reserved</div>",
        ));
        assert!(!around.text.contains("Prev") && !around.text.contains("Last updated"), "{}", around.text);
    }

    #[test]
    fn preformatted_text_is_code() {
        let text = page(
            "<main><h1>Tides</h1><p>Text.</p><pre># not a heading\nQUERY PLAN\n-----------\n * one</pre>\
             <pre><code class=prompt>#</code> <code>tides --now</code></pre>\
             <pre><code class=language-sh># kept</code></pre></main>",
        )
        .text;
        let expected = "# Tides\n\nText.\n\n```\n# not a heading\nQUERY PLAN\n-----------\n * one\n```\n\n\
                        ```\n# tides --now\n```\n\n```sh\n# kept\n```";
        assert_eq!(text, expected);
    }

    #[test]
    fn hostile_pages_are_read_or_refused() {
        let deep = format!("<body>{}<p>at the bottom", "<div>".repeat(50_000));
        assert!(page(&deep).text.contains("at the bottom"));
        for depth in [DEEPEST - 20, DEEPEST, 2 * DEEPEST] {
            let nested = format!("<body>{}<p>at the bottom of it all", "<div><section>".repeat(depth / 2));
            assert!(page(&nested).text.contains("at the bottom"), "{depth}");
        }
        let bold = format!("{}deep", "<b><i>".repeat(5_000));
        assert!(page(&bold).text.contains("deep"));
        for html in [
            "",
            "<",
            "<html>",
            "<!--",
            "\u{0}",
            "<table><table><table>",
            "<a href='http://[::'>x</a>",
            "<base href='::'>",
        ] {
            let _ = page(html);
        }
        assert_eq!(
            page("<body><a href='javascript:alert(1)'>x</a><a href='file:///etc/passwd'>y</a>").links,
            []
        );
        assert_eq!(page("<meta name=robots content='noindex, NOFOLLOW'><a href=/x>x</a>").links, []);
    }
}
