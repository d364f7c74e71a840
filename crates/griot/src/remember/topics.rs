//! Turns tags into nodes that connect memories.
//!
//! A tag of a memory is a topic that it mentions, by an ordinary edge of a rule: two memories tagged
//! `dashboard` are two steps apart, and a tag used everywhere is subject to the caps and the hub penalty of
//! all mentions. Project, user and kind remain filters: nodes for them would join everything. Passages and
//! turns get no topics: the tags of a document apply to all its parts, which its session already joins.

use crate::backend::Read;
use crate::model::{Change, Edge, EdgeKind, EntityType, Evidence, Memory, Provenance, Result, Timestamp};

use super::RememberSettings;
use super::name::Name;
use super::resolve::Resolver;

/// A tag counts as much as a name in the text.
const WEIGHT: f32 = 0.5;
const CONFIDENCE: f32 = 0.8;

/// The topics of tags. A tag that is the name of an entity in the store means that entity.
pub fn names(kind: Option<&str>, tags: &[String], settings: &RememberSettings) -> Vec<Name> {
    let is_part = matches!(kind, Some(Memory::PASSAGE | Memory::TURN));
    let tags = if settings.topics && !is_part { tags } else { &[] };
    tags.iter().filter_map(|tag| Name::weak(tag, EntityType::Topic, WEIGHT, CONFIDENCE)).collect()
}

/// The changes that create missing topics for the tags of stored memories, and the number of new edges.
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
            let evidence = Evidence { memory: Some(memory.id), quote: None, reason: None, at: now };
            edges.push(Change::PutEdge(Edge {
                weight: name.weight,
                confidence: name.confidence,
                ..Edge::new((memory.node, topic), EdgeKind::Mentions, Provenance::Rule, evidence)
            }));
        }
    }
    let made = edges.len() as u64;
    // Without a new edge nothing was resolved that has to be stored.
    let mut changes: Vec<Change> = if made > 0 { resolver.into_changes()?.collect() } else { Vec::new() };
    changes.extend(edges);
    Ok((changes, made))
}
