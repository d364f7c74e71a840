//! How do tags become nodes that a walk leads over?
//!
//! A tag of a memory is a topic that it mentions, by an ordinary edge of a rule: two memories tagged
//! `dashboard` are two steps apart, and the caps and the penalty for hubs that hold for all mentions hold for
//! a tag that stands on everything. Project, user and kind stay what each search and each step is narrowed
//! by: nodes for them would join all with all. Passages and turns get no topics: a document's tags stand on
//! each of its parts, and its place joins those already.

use crate::backend::Read;
use crate::model::{Change, Edge, EdgeKind, EntityType, Evidence, Memory, Provenance, Result, Timestamp};

use super::RememberSettings;
use super::name::Name;
use super::resolve::Resolver;

/// A name of the text and a tag count the same.
const WEIGHT: f32 = 0.5;
const CONFIDENCE: f32 = 0.8;

/// The topics that tags name. One that is called like an entity of the store is that entity.
pub fn names(kind: Option<&str>, tags: &[String], settings: &RememberSettings) -> Vec<Name> {
    let is_part = matches!(kind, Some(Memory::PASSAGE | "turn"));
    let tags = if settings.topics && !is_part { tags } else { &[] };
    tags.iter().filter_map(|tag| Name::weak(tag, EntityType::Topic, WEIGHT, CONFIDENCE)).collect()
}

/// What makes topics of the tags of memories that were stored without, and how many edges that is.
pub fn missing(
    read: &dyn Read,
    memories: &[Memory],
    now: Timestamp,
    settings: &RememberSettings,
) -> Result<(Vec<Change>, u64)> {
    let named: Vec<(&Memory, Vec<Name>)> =
        memories.iter().map(|memory| (memory, names(Some(&memory.kind), &memory.tags, settings))).collect();
    let mut resolver = Resolver::new(read, read.next_numbers()?.entity);
    resolver.look_up(named.iter().flat_map(|(_, names)| names))?;
    let mut edges = Vec::new();
    for (memory, names) in &named {
        for name in names {
            let Some(topic) = resolver.resolve(name, memory.occurred_at)? else { continue };
            if read.edge_by_key(memory.node, topic, EdgeKind::Mentions, "")?.is_some() {
                continue;
            }
            edges.push(Change::PutEdge(Edge {
                number: 0,
                source: memory.node,
                target: topic,
                kind: EdgeKind::Mentions,
                label: String::new(),
                weight: name.weight,
                confidence: name.confidence,
                provenance: Provenance::Rule,
                evidence: vec![Evidence { memory: Some(memory.id), quote: None, reason: None, at: now }],
                created_at: now,
                touched_at: now,
                expires_at: None,
            }));
        }
    }
    let made = edges.len() as u64;
    // Without an edge nothing was resolved that the store should hear of.
    let mut changes: Vec<Change> = if made > 0 { resolver.into_changes()?.collect() } else { Vec::new() };
    changes.extend(edges);
    Ok((changes, made))
}
