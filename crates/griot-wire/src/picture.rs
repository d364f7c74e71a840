//! The graph as it is drawn, in binary: a header in JSON, then arrays that a page can use as they are.
//!
//! ```text
//! 0   magic "GRIOTG01"                     8 bytes
//! 8   length of the header, times 4        u32
//! 12  header, UTF-8 JSON, padded with spaces
//! …   sections, each at a multiple of 8
//! ```
//!
//! All numbers are little-endian. The header says where each section starts, its form and its count.

use griot::engine::{DrawnEdge, DrawnType, Picture};
use griot::model::{EntityType, Provenance, Timestamp};
use serde_json::{Value, json};

const MAGIC: &[u8; 8] = b"GRIOTG01";
/// A number that means none.
const NONE: u32 = u32::MAX;

/// Flags of an edge.
const HAS_EVIDENCE: u8 = 1;
const ENDED: u8 = 2;
const OF_MODEL: u8 = 4;
const OF_USER: u8 = 8;

pub const CONTENT_TYPE: &str = "application/octet-stream";

struct Section {
    name: &'static str,
    form: &'static str,
    count: usize,
    bytes: Vec<u8>,
}

macro_rules! column {
    ($form:ident, $name:literal, $rows:expr, |$row:ident| $value:expr) => {{
        let mut bytes = Vec::with_capacity($rows.len() * size_of::<$form>());
        for $row in $rows {
            let value: $form = $value;
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        Section { name: $name, form: stringify!($form), count: $rows.len(), bytes }
    }};
}

/// `dim_below` is the confidence below which edges are drawn dimmed.
pub fn encoded(picture: &Picture, dim_below: f32) -> Vec<u8> {
    let types: Vec<&str> = std::iter::once("memory")
        .chain(EntityType::ALL.iter().map(|kind| kind.name()))
        .chain(["source", "community"])
        .collect();
    let sections = sections(picture);
    // Offsets are digits in the header, so its length depends on them: it grows until it holds them.
    let mut length = 0;
    loop {
        let mut text = header(picture, dim_below, &types, &sections, length).to_string();
        let needed = text.len().next_multiple_of(4);
        if needed > length {
            length = needed;
            continue;
        }
        text.extend(std::iter::repeat_n(' ', length - text.len()));
        return joined(&text, &sections);
    }
}

fn joined(header: &str, sections: &[Section]) -> Vec<u8> {
    let all: usize = sections.iter().map(|section| section.bytes.len().next_multiple_of(8)).sum();
    let mut bytes = Vec::with_capacity(start(header.len()) + all);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    for section in sections {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend_from_slice(&section.bytes);
    }
    bytes
}

/// Where the first section starts after a header of this length.
fn start(header: usize) -> usize {
    (MAGIC.len() + size_of::<u32>() + header).next_multiple_of(8)
}

fn header(picture: &Picture, dim_below: f32, types: &[&str], sections: &[Section], length: usize) -> Value {
    let mut offset = start(length);
    let place = |section: &Section| {
        let own = offset;
        offset = (offset + section.bytes.len()).next_multiple_of(8);
        json!({"name": section.name, "form": section.form, "offset": own, "count": section.count})
    };
    let places: Vec<Value> = sections.iter().map(place).collect();
    let kinds = || picture.kinds.iter();
    json!({
        "revision": picture.revision.0,
        "nodes": picture.nodes.len(),
        "edges": picture.edges.len(),
        "total_nodes": picture.total_nodes,
        "total_edges": picture.total_edges,
        "dim_below": dim_below,
        "layout": if picture.is_laid_out { "computed" } else { "provisional" },
        "types": types,
        "kinds": kinds().map(|kind| kind.name.as_str()).collect::<Vec<_>>(),
        "families": kinds().map(|kind| kind.kind.family().name()).collect::<Vec<_>>(),
        "directed": kinds().map(|kind| !kind.kind.is_symmetric()).collect::<Vec<_>>(),
        "layers": kinds().map(|kind| kind.layer.name()).collect::<Vec<_>>(),
        "sources": picture.sources.iter().map(|source| {
            json!({"handle": source.id.to_string(), "name": source.name})
        }).collect::<Vec<_>>(),
        "communities": picture.communities.iter().map(|one| json!({
            "id": one.id, "label": one.label, "size": one.size, "x": one.x, "y": one.y, "radius": one.radius,
        })).collect::<Vec<_>>(),
        "sections": places,
    })
}

fn sections(picture: &Picture) -> Vec<Section> {
    let (nodes, edges) = (&picture.nodes, &picture.edges);
    let kind = |kind: DrawnType| match kind {
        DrawnType::Memory => 0,
        DrawnType::Entity(kind) => 1 + kind as usize,
        DrawnType::Source => 1 + EntityType::ALL.len(),
        DrawnType::Community => 2 + EntityType::ALL.len(),
    };
    let seconds = |at: Option<Timestamp>| at.map_or(f64::NAN, |at| at.0 as f64 / 1000.0);
    let (label_ends, labels) = texts(nodes.iter().map(|node| node.label.as_str()));
    let (handle_ends, handles) = texts(nodes.iter().map(|node| node.handle.as_str()));
    let numbers: Vec<String> = edges.iter().map(edge_handle).collect();
    let (edge_ends, edge_handles) = texts(numbers.iter().map(String::as_str));
    vec![
        column!(f32, "x", nodes, |node| node.x),
        column!(f32, "y", nodes, |node| node.y),
        column!(u16, "type", nodes, |node| kind(node.kind) as u16),
        column!(u32, "community", nodes, |node| node.community.unwrap_or(NONE)),
        column!(u32, "source", nodes, |node| node.source.unwrap_or(NONE)),
        column!(u32, "degree", nodes, |node| node.degree),
        column!(f64, "time", nodes, |node| seconds(node.at)),
        column!(f32, "importance", nodes, |node| f32::from(node.importance)),
        column!(u32, "label_end", &label_ends, |end| *end),
        column!(u32, "handle_end", &handle_ends, |end| *end),
        Section { name: "labels", form: "u8", count: labels.len(), bytes: labels },
        Section { name: "handles", form: "u8", count: handles.len(), bytes: handles },
        column!(u32, "from", edges, |edge| edge.from),
        column!(u32, "to", edges, |edge| edge.to),
        column!(u16, "kind", edges, |edge| edge.kind),
        column!(f32, "weight", edges, |edge| edge.weight),
        column!(f32, "confidence", edges, |edge| edge.confidence),
        column!(u8, "flags", edges, |edge| flags(edge)),
        column!(f64, "from_time", edges, |edge| seconds(edge.since)),
        column!(f64, "until_time", edges, |edge| seconds(edge.until)),
        column!(u32, "edge_end", &edge_ends, |end| *end),
        Section { name: "edge_handles", form: "u8", count: edge_handles.len(), bytes: edge_handles },
    ]
}

fn edge_handle(edge: &DrawnEdge) -> String {
    edge.number.and_then(crate::edge_id).unwrap_or_default()
}

fn flags(edge: &DrawnEdge) -> u8 {
    let of = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    of(edge.has_evidence, HAS_EVIDENCE)
        | of(edge.ended, ENDED)
        | of(edge.provenance == Provenance::Llm, OF_MODEL)
        | of(edge.provenance == Provenance::User, OF_USER)
}

/// The texts one after another, and where each ends.
fn texts<'a>(all: impl Iterator<Item = &'a str>) -> (Vec<u32>, Vec<u8>) {
    let (mut ends, mut bytes) = (Vec::new(), Vec::new());
    for text in all {
        bytes.extend_from_slice(text.as_bytes());
        ends.push(bytes.len() as u32);
    }
    (ends, bytes)
}
