//! XML of any vocabulary as lines `path/of/elements: text`.
//!
//! An element that mixes text and elements is prose, and becomes one line. Siblings of one name are numbered,
//! `item[1]`. Paths leave out the outermost element, which is the same in every line.

use std::collections::HashMap;
use std::fmt::Write;

use griot::model::Result;

use crate::readers::element::{Element, Node, parse};
use crate::readers::json;
use crate::readers::markup::one_line;
use crate::readers::reader::{Batch, Fit, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "xml",
    mime: "application/xml",
    summary: "lines of the form `path/of/elements: text`",
    own_extensions: &["xml"],
    detect: |head| (head.is_unnamed() && head.text.starts_with("<?xml ")).then_some(Fit::Syntax),
    is_crawled: false,
    read: |_| Read::Tree(read),
    ..Reader::BASE
};

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    let root = parse(text).map_err(|why| batch.error(why))?;
    let mut out = String::new();
    let mut path = String::new();
    render(&root, &mut path, &mut out);
    json::passages(&out, "the file", None, batch);
    Ok(())
}

fn render(element: &Element, path: &mut String, out: &mut String) {
    for (name, value) in element.attributes() {
        if !value.trim().is_empty() && !matches!(name, "xmlns" | "schemaLocation") {
            let separator = if path.is_empty() { "" } else { "/" };
            let _ = writeln!(out, "{path}{separator}@{name}: {value}");
        }
    }
    if element.children.iter().filter_map(Node::text).any(|text| !text.trim().is_empty()) {
        let words = one_line(&element.text());
        let separator = if path.is_empty() { "" } else { ": " };
        let _ = writeln!(out, "{path}{separator}{words}");
        return;
    }
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for child in element.elements() {
        counts.entry(&child.name).or_default().0 += 1;
    }
    let length = path.len();
    for child in element.elements() {
        // Passages may be cut between the parts of the outermost element.
        if length == 0 && !out.is_empty() && !child.children.is_empty() {
            out.push('\n');
        }
        if length > 0 {
            path.push('/');
        }
        path.push_str(&child.name);
        if let Some((all, at)) = counts.get_mut(child.name.as_str())
            && *all > 1
        {
            *at += 1;
            let _ = write!(path, "[{at}]");
        }
        render(child, path, out);
        path.truncate(length);
    }
}
