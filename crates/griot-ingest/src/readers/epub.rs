//! Books (`.epub`): the chapters in reading order, as Markdown; the title names the author, too.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use griot::model::Result;

use crate::readers::archive::{Archive, beside};
use crate::readers::element::{self, Element};
use crate::readers::markup::one_line;
use crate::readers::reader::{Batch, Read, Reader, Zip};
use crate::readers::{document, html, language};

pub(crate) const READER: Reader = Reader {
    name: "epub",
    mime: "application/epub+zip",
    summary: "a book: its chapters in order, with headings",
    own_extensions: &["epub"],
    zip: Zip::Package { mimetype: Some("application/epub+zip"), part: Some("META-INF/container.xml") },
    is_crawled: false,
    read: |_| Read::Bytes(read),
    ..Reader::BASE
};

const CHAPTERS: usize = 5_000;
/// HTML elements without content and end tag.
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

fn read(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(batch.input, bytes)?;
    let container = archive.needed("META-INF/container.xml", "a book")?;
    let Some(main) = container.find("rootfile").and_then(|file| file.attribute("full-path")) else {
        return Err(batch.error("it is not a book: `META-INF/container.xml` names no content"));
    };
    let package = archive.needed(main, "a book")?;
    batch.title = title(&package);
    let declared = package.child("metadata").and_then(|about| about.child("language"));
    batch.source.language = declared.and_then(|declared| language::tag(&declared.text()));
    let mut parts: HashMap<&str, (&str, String)> = HashMap::new();
    for item in package.child("manifest").into_iter().flat_map(Element::elements) {
        if let (Some(id), Some(target)) = (item.attribute("id"), item.attribute("href")) {
            let kind = item.attribute("media-type").unwrap_or_default();
            parts.insert(id, (kind, beside(main, &percent_decoded(target))));
        }
    }
    let names = names(&mut archive, &package, &parts)?;
    let locks = archive.xml("META-INF/encryption.xml")?.unwrap_or_default();
    // Encrypted fonts are harmless; encrypted content is not readable.
    let mut locked = locks.all("CipherReference").into_iter().filter_map(|target| target.attribute("URI"));
    if locked.any(|name| name.ends_with("html")) {
        return Err(batch.error("it is encrypted (DRM)"));
    }
    let contents = contents(&package, main);
    let order = package.child("spine").into_iter().flat_map(Element::elements).take(CHAPTERS);
    let mut seen = HashSet::new();
    for (kind, part) in order.filter_map(|item| parts.get(item.attribute("idref")?)) {
        let is_chapter = kind.contains("html") || kind.is_empty();
        // A chapter is read once, however often the order names it.
        if !is_chapter || !seen.insert(part) {
            continue;
        }
        let Some(text) = archive.text(part)? else {
            batch.problem(format!("the chapter `{part}` is missing"));
            continue;
        };
        let markdown = html::read_chapter(&with_ends(&text));
        let has_words = || markdown.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let is_listed = |way: Contents| contents.contains(&(way, part.clone()));
        // The names of the chapters are their headings already.
        if is_listed(Contents::Guide) || is_listed(Contents::Nav) && !has_words() {
            continue;
        }
        let has_heading = markdown.lines().any(|line| line.starts_with('#'));
        let under: Vec<String> = names.get(part).filter(|_| !has_heading).cloned().into_iter().collect();
        // The title of the first chapter is not the title of the book.
        if batch.title.is_none() {
            batch.title = Some(batch.input.stem());
        }
        document::read_converted(&markdown, &under, None, batch);
    }
    Ok(())
}

/// `Title, by Author and Author`.
fn title(package: &Element) -> Option<String> {
    let about = package.child("metadata")?;
    let texts = |name: &str| -> Vec<String> {
        about.named(name).map(|element| one_line(&element.text())).filter(|text| !text.is_empty()).collect()
    };
    let title = texts("title").into_iter().next()?;
    let authors = texts("creator");
    Some(if authors.is_empty() { title } else { format!("{title}, by {}", authors.join(" and ")) })
}

/// How a book names its page of contents: in version 2 all of the page is a list, in version 3 the list is an
/// element that is left out of every page.
#[derive(PartialEq, Eq, Hash)]
enum Contents {
    Guide,
    Nav,
}

/// The pages that list the chapters.
fn contents(package: &Element, main: &str) -> HashSet<(Contents, String)> {
    let part = |target: &str| beside(main, &percent_decoded(target.split('#').next().unwrap_or_default()));
    let guide = package.child("guide").into_iter().flat_map(Element::elements);
    let in_guide = guide
        .filter(|page| page.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("toc")))
        .filter_map(|page| Some((Contents::Guide, part(page.attribute("href")?))));
    let manifest = package.child("manifest").into_iter().flat_map(Element::elements);
    let in_manifest = manifest
        .filter(|item| item.attribute("properties").is_some_and(is_nav))
        .filter_map(|item| Some((Contents::Nav, part(item.attribute("href")?))));
    in_guide.chain(in_manifest).collect()
}

fn is_nav(kinds: &str) -> bool {
    kinds.split_whitespace().any(|kind| kind == "nav")
}

/// What the table of contents calls the parts: that of version 3, else that of version 2.
fn names(
    archive: &mut Archive,
    package: &Element,
    parts: &HashMap<&str, (&str, String)>,
) -> Result<HashMap<String, String>> {
    let mut found = HashMap::new();
    let manifest = || package.child("manifest").into_iter().flat_map(Element::elements);
    let contents = manifest()
        .find(|item| item.attribute("properties").is_some_and(is_nav))
        .or_else(|| manifest().find(|item| item.attribute("media-type") == Some("application/x-dtbncx+xml")));
    let part = contents.and_then(|item| parts.get(item.attribute("id")?));
    let Some((_, part)) = part else { return Ok(found) };
    // A table of contents that cannot be read costs names, not chapters.
    let Some(root) = archive.text(part)?.and_then(|text| element::parse(&text).ok()) else {
        return Ok(found);
    };
    let mut points = Vec::new();
    collect(&root, &mut points);
    for (target, name) in points {
        let target = target.split('#').next().unwrap_or_default();
        if !name.is_empty() {
            found.entry(beside(part, &percent_decoded(target))).or_insert(name);
        }
    }
    Ok(found)
}

fn collect(element: &Element, out: &mut Vec<(String, String)>) {
    for child in element.elements() {
        let name = match child.name.as_str() {
            "a" => child.attribute("href").map(|target| (target, child.text())),
            "navPoint" => child
                .child("content")
                .and_then(|content| content.attribute("src"))
                .map(|target| (target, child.child("navLabel").map(Element::text).unwrap_or_default())),
            _ => None,
        };
        out.extend(name.map(|(target, name)| (target.to_string(), one_line(&name))));
        collect(child, out);
    }
}

/// Decodes percent escapes such as `%20`.
fn percent_decoded(name: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(name).decode_utf8_lossy()
}

/// Converts XHTML to HTML: an HTML parser would treat a self-closing element such as `<span id="page-3"/>`
/// as the parent of everything after it.
fn with_ends(xhtml: &str) -> String {
    let mut html = String::with_capacity(xhtml.len());
    let mut rest = xhtml;
    while let Some(at) = rest.find('<') {
        html.push_str(&rest[..at]);
        rest = &rest[at..];
        let length =
            if rest.starts_with("<!--") { rest.find("-->").map(|at| at + 3) } else { tag_length(rest) };
        let (tag, after) = rest.split_at(length.unwrap_or(rest.len()));
        let name =
            &tag[1..tag.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).unwrap_or(1).max(1)];
        match tag.strip_suffix("/>") {
            Some(start) if !name.is_empty() && !VOID.contains(&name) => {
                html.extend([start, "></", name, ">"]);
            }
            _ => html.push_str(tag),
        }
        rest = after;
    }
    html.push_str(rest);
    html
}

/// The length of a tag with its `>`; one inside quotation marks does not end it.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote = None;
    text.bytes()
        .position(|byte| {
            match quote {
                Some(open) if byte == open => quote = None,
                None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
                None => return byte == b'>',
                Some(_) => {}
            }
            false
        })
        .map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::with_ends;

    #[test]
    fn what_ends_itself_holds_nothing() {
        for (xhtml, html) in [
            ("<p>a<span id='1'/>b<br/>c</p>", "<p>a<span id='1'></span>b<br/>c</p>"),
            ("<a title=\"x/>y\" id=\"2\" />b", "<a title=\"x/>y\" id=\"2\" ></a>b"),
            ("<!-- <b/> --><i/>a < b <", "<!-- <b/> --><i></i>a < b <"),
            ("</p/><", "</p/><"),
        ] {
            assert_eq!(with_ends(xhtml), html);
        }
    }
}
