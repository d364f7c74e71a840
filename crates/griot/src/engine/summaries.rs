//! What a language model said about an entity, with its summary: its description; and about a relation.
//!
//! A summary is made of memories without a user and a project, and none from the web, so that everyone may
//! read it and it is not trusted more than what it is made of. It goes when one of them is forgotten or
//! erased, and is made again of the rest.

use super::Engine;
use super::merge::no_user;
use crate::backend::{Direction, Filter, NeighbourQuery, NodeName, Read, pages};
use crate::graph;
use crate::model::{
    Change, ChangeSet, Edge, EdgeKind, Entity, Memory, Node, Reading, Result, Said, Scope, Timestamp,
};

/// Memories of one entity that are looked at, the first ones stored.
const MENTIONS: usize = 600;
/// Entities whose mentions are read together.
const PAGE: usize = 1000;

/// What a language model said about an entity in different memories.
#[derive(Clone, PartialEq, Debug)]
pub struct Described {
    pub entity: Entity,
    /// Each with the first memory that says so, in the order in which they were stored.
    pub said: Vec<(Memory, String)>,
}

impl Engine {
    /// Entities with more than `least` different descriptions, and those that have a summary although there
    /// are fewer.
    pub fn described(&self, least: usize) -> Result<Vec<Described>> {
        let read = self.read()?;
        let mut found = Vec::new();
        let mentions = graph::fan_out(MENTIONS, |kind| kind == EdgeKind::Mentions);
        let filter = Filter {
            scope: Scope { project: Some(String::new()), ..no_user() },
            trusted: true,
            now: Some(self.now()),
            ..Filter::default()
        };
        let ask = NeighbourQuery { direction: Direction::In, fan_out: &mentions, filter: &filter };
        for page in pages::<Entity>(read) {
            let page: Vec<Entity> = page?.into_iter().filter(|entity| entity.deleted_at.is_none()).collect();
            for entities in page.chunks(PAGE) {
                let nodes: Vec<Node> = entities.iter().map(|entity| entity.node).collect();
                for (entity, arcs) in entities.iter().zip(read.neighbours(&nodes, &ask)?) {
                    if arcs.len() <= least && entity.description.is_empty() {
                        continue;
                    }
                    let mut nodes: Vec<Node> = arcs.iter().map(|arc| arc.to).collect();
                    nodes.sort();
                    nodes.dedup();
                    let said = first_said(read, &nodes, entity)?;
                    if said.len() > least || !entity.description.is_empty() {
                        found.push(Described { entity: entity.clone(), said });
                    }
                }
            }
        }
        Ok(found)
    }

    /// Sets the description of an entity, or takes it away. Does nothing if one of the memories that it was
    /// made of is not live any more.
    pub fn describe(&self, described: &Described, summary: Option<&str>) -> Result<bool> {
        let now = self.now();
        let mut is_new = false;
        let nodes: Vec<Node> = described.said.iter().map(|(memory, _)| memory.node).collect();
        self.backend.write(&mut |read| {
            let rows = read.entities(&[described.entity.node])?;
            let live = read.live(&nodes)?.iter().all(|live| *live);
            let description: Vec<String> = summary.map(str::to_string).into_iter().collect();
            let changed = rows.into_iter().filter(|entity| entity.description != description && live);
            let changes: Vec<Change> = changed
                .map(|entity| Change::PutEntity(Entity { description: description.clone(), ..entity }))
                .collect();
            is_new = !changes.is_empty();
            Ok(ChangeSet { at: now, changes })
        })?;
        Ok(is_new)
    }
}

/// The different descriptions of an entity in these memories, in the order of the memories.
fn first_said(read: &dyn Read, nodes: &[Node], entity: &Entity) -> Result<Vec<(Memory, String)>> {
    let readings = read.readings_about(nodes)?;
    let mut said = descriptions(&readings, entity);
    said.sort_by_key(|one| (one.of, one.at));
    let mut first: Vec<(Node, &str)> = Vec::new();
    for one in said {
        if !first.iter().any(|(_, text)| *text == one.text) {
            first.push((one.of, one.text));
        }
    }
    let memories = read.memories(&first.iter().map(|(node, _)| *node).collect::<Vec<_>>())?;
    let with_memory = |(node, text): (Node, &str)| {
        let memory = memories.iter().find(|memory| memory.node == node)?;
        Some((memory.clone(), text.to_string()))
    };
    Ok(first.into_iter().filter_map(with_memory).collect())
}

/// One description of an entity by a language model.
pub(super) struct Description<'a> {
    pub of: Node,
    pub at: Timestamp,
    pub text: &'a str,
}

/// What a language model said about an entity in these readings.
pub(super) fn descriptions<'a>(readings: &'a [Reading], entity: &Entity) -> Vec<Description<'a>> {
    let of_reading = |one: &'a Reading| {
        let said = one.said.iter().filter_map(|said| match said {
            Said::Entity { name, description, .. } => Some((name, description)),
            _ => None,
        });
        let meant = said.filter(|(name, text)| !text.is_empty() && entity.is_called(name));
        meant.map(|(_, text)| Description { of: one.memory, at: one.at, text }).collect::<Vec<_>>()
    };
    in_force(readings).flat_map(of_reading).collect()
}

/// The words that language models gave for a relation in the memories that state it, each once, sorted.
pub(super) fn keywords(read: &dyn Read, edge: &Edge) -> Result<Vec<String>> {
    if edge.kind != EdgeKind::Relation {
        return Ok(Vec::new());
    }
    let names: Vec<NodeName<'_>> =
        edge.evidence.iter().filter_map(|one| one.memory).map(NodeName::Id).collect();
    let stated: Vec<Node> = read.find(&names)?.into_iter().flatten().map(|found| found.node).collect();
    let ends = read.entities(&[edge.source, edge.target])?;
    let is_end = |name: &str| ends.iter().position(|entity| entity.is_called(name));
    let readings = read.readings_about(&stated)?;
    let of_edge = |said: &Said| match said {
        Said::Relation { source, target, keywords, .. } => {
            let joins = is_end(source).is_some_and(|at| is_end(target).is_some_and(|other| other != at));
            joins.then(|| keywords.clone())
        }
        _ => None,
    };
    let found = in_force(&readings).flat_map(|one| &one.said).filter_map(of_edge);
    Ok(graph::distinct(found.flatten().collect()))
}

/// Readings that were not undone.
fn in_force(readings: &[Reading]) -> impl Iterator<Item = &Reading> {
    readings.iter().filter(|one| one.undone_at.is_none())
}
