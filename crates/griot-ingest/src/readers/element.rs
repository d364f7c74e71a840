//! Parses XML into a tree of bounded size, for all XML-based formats.
//!
//! Only the five entities of XML and character references are resolved; every other reference stays as it is
//! written. Namespace prefixes are dropped, because the vocabularies that are read here do not clash. Depth
//! and number of elements are limited, so that neither walking nor dropping a tree can exhaust the stack.

use griot::model::Timestamp;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::readers::language;
use crate::readers::markup::one_line;

/// Maximum nesting; functions that walk a tree recurse. Real documents are not this deep.
const DEPTH: usize = 200;
/// Elements and attributes: about 300 MB of tree.
pub(crate) const NODES: usize = 1_500_000;

#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Node>,
}

#[derive(Debug)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
}

/// The metadata of a document.
#[derive(Default)]
pub(crate) struct About {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) at: Option<Timestamp>,
}

impl About {
    /// Reads the elements that the metadata of all office documents have; `at` reads the time.
    pub(crate) fn of(root: &Element, at: impl Fn(&str) -> Option<Timestamp>, times: [&str; 2]) -> Self {
        Self {
            title: root.words("title"),
            language: root.words("language").as_deref().and_then(language::tag),
            at: times.iter().find_map(|name| root.words(name)).and_then(|words| at(&words)),
        }
    }
}

impl Node {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Element(_) => None,
        }
    }
}

impl Element {
    /// By its name without a prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Its children of this name.
    pub(crate) fn named<'e>(&'e self, name: &str) -> impl Iterator<Item = &'e Element> {
        self.elements().filter(move |element| element.name == name)
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.elements().find(|element| element.name == name)
    }

    /// The first element of this name at any depth, in the order of the document.
    pub(crate) fn find(&self, name: &str) -> Option<&Element> {
        self.elements()
            .find_map(|element| if element.name == name { Some(element) } else { element.find(name) })
    }

    /// All elements of this name that are not inside another one of it.
    pub(crate) fn all<'e>(&'e self, name: &str) -> Vec<&'e Element> {
        let own = |element: &'e Element| match element.name == name {
            true => vec![element],
            false => element.all(name),
        };
        self.elements().flat_map(own).collect()
    }

    /// The words of its first element of this name, at any depth.
    pub(crate) fn words(&self, name: &str) -> Option<String> {
        self.find(name).map(|element| one_line(&element.text())).filter(|text| !text.is_empty())
    }

    /// All text inside, as it is written.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text
    }

    fn add_text(&self, out: &mut String) {
        for node in &self.children {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Element(element) => element.add_text(out),
            }
        }
    }

    /// `left` is how many attributes it may have; they are subtracted.
    fn of(start: &BytesStart, left: &mut usize) -> Option<Self> {
        let mut attributes = Vec::new();
        for attribute in start.attributes().with_checks(false).flatten() {
            *left = left.checked_sub(1)?;
            let key = attribute.key.local_name().into_inner().to_string();
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            attributes
                .push((key, value.map_or_else(|_| attribute.value.to_string(), |value| value.into_owned())));
        }
        Some(Self { name: start.local_name().into_inner().to_string(), attributes, children: Vec::new() })
    }

    fn push_text(&mut self, text: &str) {
        match self.children.last_mut() {
            Some(Node::Text(last)) => last.push_str(text),
            _ => self.children.push(Node::Text(text.to_string())),
        }
    }
}

/// Parses the outermost element; the error says why the text is not XML.
pub(crate) fn parse(text: &str) -> Result<Element, String> {
    parse_within(text, &mut { NODES })
}

/// Like [`parse`], with at most `left` elements and attributes. Subtracts the number used.
pub(crate) fn parse_within(text: &str, left: &mut usize) -> Result<Element, String> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{FEFF}'));
    reader.config_mut().allow_dangling_amp = true;
    // The first one holds the document.
    let mut open = vec![Element::default()];
    let too_many = || format!("it holds more than {NODES} XML elements and attributes");
    loop {
        let line_of = |at: u64| {
            let before = text.as_bytes().iter().take(usize::try_from(at).unwrap_or(usize::MAX));
            format!("line {}", 1 + before.filter(|&&byte| byte == b'\n').count())
        };
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => return Err(format!("{} is not XML: {error}", line_of(reader.error_position()))),
        };
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(start) | Event::Empty(start) => {
                *left = left.checked_sub(1).ok_or_else(too_many)?;
                if open.len() > DEPTH {
                    return Err(format!(
                        "{} is nested more than {DEPTH} elements deep",
                        line_of(reader.buffer_position())
                    ));
                }
                open.push(Element::of(&start, left).ok_or_else(too_many)?);
                if is_empty {
                    close(&mut open);
                }
            }
            Event::End(_) => close(&mut open),
            Event::Text(text) => push(&mut open, &text.xml10_content()),
            Event::CData(text) => push(&mut open, &text.xml10_content()),
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                match (reference.resolve_char_ref(), quick_xml::escape::resolve_predefined_entity(&name)) {
                    (Ok(Some(c)), _) if c != '\0' => push(&mut open, c.encode_utf8(&mut [0; 4])),
                    (_, Some(text)) => push(&mut open, text),
                    _ => push(&mut open, &format!("&{name};")),
                }
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    if open.len() > 1 {
        let name = open.pop().map(|element| element.name).unwrap_or_default();
        return Err(format!("it ends too early: `<{name}>` is not closed"));
    }
    let root = open.pop().into_iter().flat_map(|document| document.children).find_map(|node| match node {
        Node::Element(element) => Some(element),
        Node::Text(_) => None,
    });
    root.ok_or_else(|| "it is not XML: it holds no element".to_string())
}

fn close(open: &mut Vec<Element>) {
    if let Some(element) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(Node::Element(element));
    }
}

fn push(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.push_text(text);
    }
}
