//! The file of the reference server for memory over MCP: entities and relations, as JSON Lines.

use std::io::BufRead;

use griot::model::{EntityType, Lines, Result};
use griot::remember::EntityDraft;
use serde_json::Value;

use crate::readers::head::JSON_LINES;
use crate::readers::json;
use crate::readers::lines;
use crate::readers::markup::one_line;
use crate::readers::reader::{Batch, Fit, Full, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "mcp-memory",
    mime: "application/jsonl",
    summary: "the file of the reference server for memory over MCP: each observation is a memory about its \
              entity; each relation one that names both ends",
    detect: |head| {
        let fits = head.is_named(JSON_LINES) || head.is_json();
        let line = head.text.lines().next().unwrap_or_default();
        (fits && serde_json::from_str(line).is_ok_and(|value| is_graph(&value))).then_some(Fit::Record)
    },
    read: |_| Read::Stream(read),
    ..Reader::BASE
};

fn read(stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    lines::check_head(batch.input, stream)?;
    lines::read_values(stream, batch, full, &mut graph_line)
}

/// Whether a line is an entity or a relation.
fn is_graph(value: &Value) -> bool {
    match json::field(value, "type") {
        Some("entity") => value.get("name").is_some() && value.get("entityType").is_some(),
        Some("relation") => ["from", "to", "relationType"].iter().all(|name| value.get(name).is_some()),
        _ => false,
    }
}

/// An entity's observations become memories about it; a relation becomes a memory that names both of its
/// ends.
fn graph_line(number: u32, value: &Value, batch: &mut Batch) {
    let label = format!("line {number}");
    let mut add = |words: String, kind: &str, names: Vec<EntityDraft>, heading: Option<&str>| {
        let mut draft = batch.draft(words, kind);
        draft.entities = names;
        draft.heading = heading.map(one_line).into_iter().collect();
        draft.lines = Some(Lines { first: number, last: number });
        draft.occurred_at = batch.input.time();
        batch.push(draft, &label);
    };
    let entity = |name: &str, kind: Option<EntityType>| EntityDraft::named(one_line(name), kind);
    match (json::field(value, "type"), json::field(value, "name")) {
        (Some("entity"), Some(name)) => {
            let said_kind = json::field(value, "entityType").map(|kind| kind.trim().to_lowercase());
            let kind = said_kind.as_deref().and_then(EntityType::meant);
            let observations = value["observations"].as_array().into_iter().flatten();
            let observations: Vec<&str> = observations.filter_map(Value::as_str).collect();
            for observation in &observations {
                add((*observation).to_string(), "observation", vec![entity(name, kind)], Some(name));
            }
            if observations.is_empty() {
                let words = said_kind.map_or(name.to_string(), |kind| format!("{name}: {kind}"));
                add(words, "observation", vec![entity(name, kind)], Some(name));
            }
        }
        (Some("relation"), _) => {
            match (json::field(value, "from"), json::field(value, "relationType"), json::field(value, "to")) {
                (Some(from), Some(relation), Some(to)) => {
                    let words = format!("{from} {} {to}", relation.replace('_', " "));
                    add(words, "relation", vec![entity(from, None), entity(to, None)], None);
                }
                _ => batch.problem(format!("{label} is a relation without two ends")),
            }
        }
        _ => batch.problem(format!("{label} is neither an entity nor a relation")),
    }
}
