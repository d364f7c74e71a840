//! Where does a person find a memory? The file and the line, the file and its page or heading, or an address
//! that opens a web page at the words.
//!
//! A pure function of the source and the memory, so that every surface cites alike.

use std::collections::BTreeMap;

use griot::engine::Engine;
use griot::model::{Memory as Stored, MemoryId, Result, Source, SourceId, SourceType};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::node::WRITTEN_BY_MODEL;
use crate::{Memory, Span};

/// What a text fragment may contain as it is: `-` and `,` separate its parts.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'~');

/// `notes/decisions.md:67`, `report.pdf › page 3`, `https://site/page#:~:text=the%20first%20words`. `None`
/// for what an agent or a person stored: only the store has it.
pub fn citation(source: &Source, heading: &[String], lines: Option<&Span>, text: &str) -> Option<String> {
    let place = source.given_name();
    if place.starts_with("http://") || place.starts_with("https://") {
        let page = place.split('#').next().unwrap_or(place);
        let words = words_of(text).map(|words| utf8_percent_encode(&words, PLAIN).to_string());
        return Some(words.map_or_else(|| page.to_string(), |words| format!("{page}#:~:text={words}")));
    }
    // Elsewhere, such as in an export of another machine, only these kinds have a path or an address.
    let is_place = matches!(source.kind, SourceType::File | SourceType::Code);
    if !source.from_disk && !is_place && !source.origin.starts_with(Source::UPLOADED) {
        return None;
    }
    let mut cited = place.to_string();
    cited.extend(lines.map(|lines| format!(":{}", lines.first)));
    // The title of a document is its first heading; two levels are enough to find it.
    let below = heading.iter().filter(|heading| Some(*heading) != source.title.as_ref());
    let below: Vec<&str> = below.map(|heading| heading.trim()).collect();
    cited.extend(below[below.len().saturating_sub(2)..].iter().map(|heading| format!(" › {heading}")));
    Some(cited)
}

/// The first words of a text that stand in a row without a mark, so that a browser finds them in the page.
fn words_of(text: &str) -> Option<String> {
    const MOST: usize = 6;
    let rows = text.split(['\n', '*', '_', '`', '[', ']', '|', '#', '\\', '<']);
    // What follows a link's text is its address.
    let rows = rows.filter(|row| !row.starts_with('('));
    let rows = rows.map(|row| row.split_whitespace().take(MOST).collect::<Vec<_>>());
    let mut best: Vec<&str> = Vec::new();
    for row in rows {
        if row.len() > best.len() {
            best = row;
        }
        if best.len() == MOST {
            break;
        }
    }
    (!best.is_empty()).then(|| best.join(" "))
}

/// The sources of what is shown, each read once.
pub struct Sources<'a> {
    engine: &'a Engine,
    known: BTreeMap<String, Option<Source>>,
    /// What a language model wrote, by its id.
    written: Vec<String>,
}

impl<'a> Sources<'a> {
    /// For memories by their ids and kinds. No reader of files and chats writes other kinds than passages and
    /// turns, so that only the others may be of a language model.
    pub fn of<'m>(engine: &'a Engine, shown: impl Iterator<Item = (&'m str, &'m str)>) -> Result<Self> {
        let others = shown.filter(|(_, kind)| !matches!(*kind, Stored::PASSAGE | Stored::TURN));
        let ids: Vec<MemoryId> = others.filter_map(|(id, _)| MemoryId::parse(id)).collect();
        let written = if ids.is_empty() { Vec::new() } else { engine.written_by_model(&ids)? };
        let written = written.iter().map(MemoryId::to_string).collect();
        Ok(Self { engine, known: BTreeMap::new(), written })
    }

    /// `None` if there is none of this id.
    pub fn get(&mut self, id: &str) -> Result<Option<&Source>> {
        if !self.known.contains_key(id) {
            let store = self.engine.read()?;
            let source = SourceId::parse(id).map(|id| store.source(id)).transpose()?.flatten();
            self.known.insert(id.to_string(), source);
        }
        Ok(self.known.get(id).and_then(Option::as_ref))
    }

    /// Flags a memory that a language model wrote.
    pub(crate) fn flag_author(&self, id: &str, flags: &mut Vec<String>) {
        if self.written.iter().any(|written| written == id) {
            flags.push(WRITTEN_BY_MODEL.to_string());
        }
    }

    /// Fills in where a memory is found, and whether a language model wrote it.
    pub fn of_memory(&mut self, memory: &mut Memory) -> Result<()> {
        self.flag_author(&memory.id, &mut memory.flags);
        if let Some(source) = self.get(&memory.source)? {
            memory.cite = citation(source, &memory.heading, memory.lines.as_ref(), &memory.text);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use griot::model::Timestamp;

    use super::*;

    fn source(kind: SourceType, origin: &str, from_disk: bool) -> Source {
        Source {
            id: SourceId(1),
            kind,
            origin: origin.into(),
            title: Some("Guide".into()),
            language: None,
            tags: Vec::new(),
            metadata: Default::default(),
            content_hash: None,
            from_disk,
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
            deleted_at: None,
        }
    }

    fn cited(source: &Source, heading: &[&str], line: Option<u32>, text: &str) -> Option<String> {
        let heading: Vec<String> = heading.iter().map(ToString::to_string).collect();
        let lines = line.map(|first| Span { first, last: first + 2 });
        citation(source, &heading, lines.as_ref(), text)
    }

    #[test]
    fn files_are_cited_by_line_and_heading() {
        let file = source(SourceType::File, "/docs/guide.md", true);
        let place = cited(&file, &["Guide", "Install", "Linux"], Some(12), "x");
        assert_eq!(place.as_deref(), Some("/docs/guide.md:12 › Install › Linux"));
        let report = source(SourceType::File, "/docs/report.pdf", true);
        assert_eq!(cited(&report, &["page 3"], None, "x").as_deref(), Some("/docs/report.pdf › page 3"));
        let imported = source(SourceType::File, "/elsewhere/guide.md", false);
        assert_eq!(cited(&imported, &[], Some(3), "x").as_deref(), Some("/elsewhere/guide.md:3"));
        let upload = source(SourceType::File, "upload:notes.md", false);
        assert_eq!(cited(&upload, &[], None, "x").as_deref(), Some("notes.md"));
    }

    #[test]
    fn pages_are_cited_by_words_that_a_browser_finds() {
        let page = source(SourceType::Page, "https://example.org/a#user=ada", false);
        let text = "**Note:** set `max-size` to at most forty, or the cache is dropped.";
        assert_eq!(
            cited(&page, &["Guide"], None, text).as_deref(),
            Some("https://example.org/a#:~:text=to%20at%20most%20forty%2C%20or%20the")
        );
        let link = "See [it](https://example.org/one two three four five six seven) all day long";
        assert_eq!(cited(&page, &[], None, link).as_deref(), Some("https://example.org/a#:~:text=See"));
        assert_eq!(cited(&page, &[], None, "**").as_deref(), Some("https://example.org/a"));
    }

    #[test]
    fn what_was_told_is_only_in_the_store() {
        let agent = source(SourceType::Agent, "claude-code", false);
        assert_eq!(cited(&agent, &[], None, "x"), None);
    }
}
