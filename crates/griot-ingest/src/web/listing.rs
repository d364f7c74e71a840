//! Files that list pages: sitemaps and sitemap indexes, RSS and Atom feeds, `llms.txt`, plain lists of
//! addresses.

use std::io::Read;

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::LocalName;
use url::Url;

/// Size of one list; the sitemap protocol allows as much, uncompressed.
pub(crate) const LIMIT: u64 = 50 * 1024 * 1024;
/// Entries; the limit of the sitemap protocol.
const MAX_ENTRIES: usize = 50_000;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Listing {
    pub(crate) lists: Vec<Url>,
    pub(crate) pages: Vec<Url>,
}

/// Usual locations, tried if robots.txt names no sitemap.
pub(crate) const USUAL_PATHS: [&str; 7] = [
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap.xml.gz",
    "/sitemap.txt",
    "/llms.txt",
    "/feed.xml",
    "/atom.xml",
];

pub(crate) fn looks_like_list(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let path = path.strip_suffix(".gz").unwrap_or(&path);
    [".xml", ".rss", ".atom", "/llms.txt", "/llms-full.txt", "sitemap.txt", "/feed", "/rss"]
        .iter()
        .any(|end| path.ends_with(end))
}

/// Decompresses gzip, recognised by its magic bytes, up to [`LIMIT`], so that a zip bomb costs no more than
/// a large list.
pub(crate) fn unpack(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(b"\x1F\x8B") {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes.as_slice()).take(LIMIT + 1).read_to_end(&mut plain);
    if plain.len() as u64 > LIMIT {
        return Err(format!("it decompresses to more than {LIMIT} bytes"));
    }
    match read {
        Ok(_) => Ok(plain),
        Err(error) => Err(format!("it cannot be decompressed: {error}")),
    }
}

/// `None` if the text is not a list.
pub(crate) fn read(text: &str, base: &Url) -> Option<Listing> {
    let head = text.trim_start_matches('\u{FEFF}').trim_start();
    let mut listing = if head.starts_with('<') { read_xml(head, base)? } else { read_text(head, base)? };
    listing.lists.truncate(MAX_ENTRIES);
    listing.pages.truncate(MAX_ENTRIES);
    Some(listing)
}

/// One address per line, or Markdown links.
fn read_text(text: &str, base: &Url) -> Option<Listing> {
    let mut listing = Listing::default();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("http://") || line.starts_with("https://") {
            listing.pages.extend(Url::parse(line));
            continue;
        }
        for piece in line.split("](").skip(1) {
            let target = piece.split([')', ' ']).next().unwrap_or_default();
            listing.pages.extend(base.join(target));
        }
    }
    (!listing.pages.is_empty()).then_some(listing)
}

fn read_xml(text: &str, base: &Url) -> Option<Listing> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    let mut listing = Listing::default();
    let mut is_list = false;
    // Whether the current entry is a nested list, whether there is a current entry, and the text of its
    // address so far.
    let (mut of_lists, mut inside) = (false, false);
    let mut words: Option<String> = None;
    // A truncated file still yields the entries before the break.
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) | Event::Empty(tag) => match lower_case(tag.local_name()).as_str() {
                "urlset" | "sitemapindex" | "rss" | "feed" | "rdf" => is_list = true,
                "html" => return None,
                "sitemap" => (of_lists, inside) = (true, true),
                "url" | "item" | "entry" => (of_lists, inside) = (false, true),
                "loc" => words = Some(String::new()),
                "link" if inside => match attribute(&tag, "href") {
                    Some(href) if attribute(&tag, "rel").is_none_or(|rel| rel == "alternate") => {
                        listing.pages.extend(base.join(&href));
                    }
                    Some(_) => {}
                    None => words = Some(String::new()),
                },
                _ => {}
            },
            Event::Text(part) => add(&mut words, &part),
            Event::CData(part) => add(&mut words, &part),
            Event::GeneralRef(part) => match part.resolve_char_ref() {
                Ok(Some(c)) => add(&mut words, c.encode_utf8(&mut [0; 4])),
                // Entities declared by the file are never expanded.
                _ => add(&mut words, resolve_predefined_entity(&part).unwrap_or_default()),
            },
            Event::End(tag) => {
                let tag = lower_case(tag.local_name());
                if matches!(tag.as_str(), "loc" | "link")
                    && let Some(words) = words.take()
                    && let Ok(url) = base.join(words.trim())
                    && !words.trim().is_empty()
                {
                    if of_lists { listing.lists.push(url) } else { listing.pages.push(url) }
                }
                if matches!(tag.as_str(), "sitemap" | "url" | "item" | "entry") {
                    inside = false;
                }
            }
            Event::Eof => break,
            _ => {}
        }
        if listing.lists.len() + listing.pages.len() >= MAX_ENTRIES {
            break;
        }
    }
    is_list.then_some(listing)
}

fn add(words: &mut Option<String>, text: &str) {
    if let Some(words) = words {
        words.push_str(text);
    }
}

fn lower_case(name: LocalName<'_>) -> String {
    String::from_utf8_lossy(name.as_ref().as_ref()).to_ascii_lowercase()
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| {
        let key: &[u8] = attribute.key.as_ref().as_ref();
        key == name.as_bytes()
    })?;
    found.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Option<String> {
        let base = Url::parse("https://example.org/map/").expect("an address");
        let listing = read(text, &base)?;
        let print = |urls: &[Url]| urls.iter().map(Url::path).collect::<Vec<_>>().join(" ");
        Some(format!("{}|{}", print(&listing.lists), print(&listing.pages)))
    }

    #[test]
    fn lists_of_every_kind() {
        for (text, expected) in [
            (
                "<?xml version='1.0'?><urlset><url><loc> https://example.org/a?x=1&amp;y=2 </loc></url>\
                 <url><loc>/b</loc></url></urlset>",
                "|/a /b",
            ),
            (
                "<sitemapindex><sitemap><loc>https://example.org/m.xml</loc></sitemap></sitemapindex>",
                "/m.xml|",
            ),
            (
                "<rss><channel><link>https://example.org/</link>\
                 <item><link><![CDATA[https://example.org/p]]></link></item></channel></rss>",
                "|/p",
            ),
            (
                "<feed><link href='/'/><entry><link rel='alternate' href='/e'/>\
                 <link rel='edit' href='/no'/></entry></feed>",
                "|/e",
            ),
            ("# Site\n\n- [One](https://example.org/one.md): text\n- [Two](/two)", "|/one.md /two"),
            ("https://example.org/1\nhttps://example.org/2\n", "|/1 /2"),
            ("<urlset><url><loc>/cut</loc></url><url><loc>/of", "|/cut"),
        ] {
            assert_eq!(listed(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(listed("<!doctype html><html><body>hi"), None);
        assert_eq!(listed("Not found"), None);
        assert_eq!(listed(""), None);
    }

    #[test]
    fn bombs_stay_small() {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\
                    <urlset><url><loc>/x&b;</loc></url></urlset>";
        assert_eq!(listed(bomb).as_deref(), Some("|/x"));
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let piece = vec![0_u8; 1024 * 1024];
        for _ in 0..60 {
            std::io::Write::write_all(&mut packed, &piece).expect("memory takes it");
        }
        assert!(unpack(packed.finish().expect("memory takes it")).is_err());
        assert!(unpack(b"\x1F\x8Bnot gzip".to_vec()).is_err());
    }
}
