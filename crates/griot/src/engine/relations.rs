//! Relations, which are stored edges between entities: a list of them, those that one source states, and
//! paths over them.

use std::collections::{BTreeMap, HashSet};

use super::{EdgeView, Engine, SourceView};
use crate::backend::{Arc, Direction, NeighbourQuery, Read};
use crate::graph;
use crate::model::{Edge, EdgeKind, Entity, EntityType, Layer, MemoryId, Node, Result, SourceId};
use crate::recall::Hop;
use crate::remember::naming;

/// Nodes and edges per request.
const PAGE: usize = 1000;

/// Which relations to list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RelationQuery<'a> {
    /// Name of the entity that they start from.
    pub source: Option<&'a str>,
    /// Name of the entity that they lead to.
    pub target: Option<&'a str>,
    /// Their label; for those without one, the name of their kind.
    pub word: Option<&'a str>,
    pub offset: usize,
    pub limit: usize,
}

/// A page of relations in the order in which they were stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Relations {
    pub relations: Vec<EdgeView>,
    /// How many relations match.
    pub total: usize,
}

/// What one source speaks of.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceGraph {
    pub source: SourceView,
    /// The entities that its memories mention, each with the number of those memories; most mentioned first.
    pub entities: Vec<(Entity, u32)>,
    /// The relations between them that its memories state, in the order in which they were stored.
    pub relations: Vec<EdgeView>,
    /// How many entities and relations there are, however many are listed.
    pub entity_count: usize,
    pub relation_count: usize,
}

impl Engine {
    pub fn relations(&self, asked: &RelationQuery<'_>) -> Result<Relations> {
        let read = self.read()?;
        let node = |name: Option<&str>| name.map(|name| naming::entity(read, name)).transpose();
        let (source, target) = (node(asked.source)?, node(asked.target)?);
        let start = match source.or(target) {
            Some(node) => vec![node],
            None => self.every_entity(read)?,
        };
        let mut words = self.words_of(read, &start)?;
        words.retain(|_, word| asked.word.is_none_or(|asked| asked == word));
        let mut numbers: Vec<u32> = words.into_keys().collect();
        if source.is_some() || target.is_some() {
            let is_asked = |edge: &Edge| {
                source.is_none_or(|node| edge.source == node) && target.is_none_or(|node| edge.target == node)
            };
            let mut kept = Vec::new();
            for some in numbers.chunks(PAGE) {
                kept.extend(read.edges(some)?.iter().filter(|edge| is_asked(edge)).map(|edge| edge.number));
            }
            numbers = kept;
        }
        let page: Vec<u32> = numbers.iter().copied().skip(asked.offset).take(asked.limit).collect();
        Ok(Relations { relations: self.edge_views(read.edges(&page)?)?, total: numbers.len() })
    }

    /// How many relations there are of each word.
    pub fn relations_by_word(&self) -> Result<BTreeMap<String, u64>> {
        let read = self.read()?;
        let mut counts = BTreeMap::new();
        for word in self.words_of(read, &self.every_entity(read)?)?.into_values() {
            *counts.entry(word).or_default() += 1;
        }
        Ok(counts)
    }

    /// The entities and relations of a source, at most `limit` each.
    pub fn source_graph(&self, id: SourceId, limit: usize) -> Result<SourceGraph> {
        let (source, memories) = self.source(id)?;
        let read = self.backend.as_ref();
        let (nodes, ids): (Vec<Node>, HashSet<MemoryId>) =
            memories.into_iter().map(|memory| (memory.node, memory.id)).unzip();
        let seen = self.everything(self.now());
        let fan_out = graph::fan_out(usize::MAX, |kind| kind == EdgeKind::Mentions);
        let ask = NeighbourQuery { direction: Direction::Out, fan_out: &fan_out, filter: &seen };
        let mut counts: BTreeMap<Node, u32> = BTreeMap::new();
        for some in nodes.chunks(PAGE) {
            for mentioned in read.neighbours(some, &ask)? {
                let named: HashSet<Node> = mentioned.into_iter().map(|arc| arc.to).collect();
                named.into_iter().for_each(|node| *counts.entry(node).or_default() += 1);
            }
        }
        let mut order: Vec<(Node, u32)> = counts.into_iter().collect();
        order.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let inside: HashSet<Node> = order.iter().map(|(node, _)| *node).collect();
        let all: Vec<Node> = order.iter().map(|(node, _)| *node).collect();
        let numbers: Vec<u32> = self.words_of(read, &all)?.into_keys().collect();
        let mut stated = Vec::new();
        for some in numbers.chunks(PAGE) {
            stated.extend(read.edges(some)?.into_iter().filter(|edge| {
                let says = |memory: Option<MemoryId>| memory.is_some_and(|id| ids.contains(&id));
                inside.contains(&edge.source)
                    && inside.contains(&edge.target)
                    && edge.evidence.iter().any(|evidence| says(evidence.memory))
            }));
        }
        let (entity_count, relation_count) = (order.len(), stated.len());
        order.truncate(limit);
        stated.truncate(limit);
        let listed: Vec<Node> = order.iter().map(|(node, _)| *node).collect();
        // A damaged row is left out, so that positions say nothing.
        let count = |node: Node| order.iter().find(|(one, _)| *one == node).map_or(0, |(_, count)| *count);
        let entities = read.entities(&listed)?.into_iter().map(|entity| (count(entity.node), entity));
        let entities = entities.map(|(count, entity)| (entity, count)).collect();
        let relations = self.edge_views(stated)?;
        Ok(SourceGraph { source, entities, relations, entity_count, relation_count })
    }

    /// The same as [`Engine::path`] over relations alone, from one entity to another, without a memory in
    /// between.
    pub fn relation_path(&self, from: &str, to: &str, max_hops: usize) -> Result<Option<Vec<Hop>>> {
        let read = self.read()?;
        let ends = (naming::entity(read, from)?, naming::entity(read, to)?);
        self.path_between(ends, max_hops, |arc| arc.to.is_entity() && is_relation(arc))
    }

    /// How many entities [`Engine::hubs`] would list, or with a part of a name [`Engine::entities_named`].
    pub fn entity_count(
        &self,
        part: Option<&str>,
        kind: Option<EntityType>,
        layers: &[Layer],
    ) -> Result<usize> {
        Ok(match part {
            Some(part) => self.named(part, kind, layers, ALL)?.len(),
            None => self.best_connected(kind, layers, ALL)?.len(),
        })
    }

    fn every_entity(&self, read: &dyn Read) -> Result<Vec<Node>> {
        Ok(read.hubs(None, ALL, Some(self.now()))?.into_iter().map(|(node, _)| node).collect())
    }

    /// The relations at these entities, by number, with their words.
    fn words_of(&self, read: &dyn Read, entities: &[Node]) -> Result<BTreeMap<u32, String>> {
        let seen = self.everything(self.now());
        let fan_out = graph::fan_out(usize::MAX, |kind| kind != EdgeKind::Mentions);
        let ask = NeighbourQuery { direction: Direction::Both, fan_out: &fan_out, filter: &seen };
        let mut found: BTreeMap<u32, (EdgeKind, u32)> = BTreeMap::new();
        for some in entities.chunks(PAGE) {
            let arcs = read.neighbours(some, &ask)?.into_iter().flatten();
            let arcs = arcs.filter(|arc| arc.to.is_entity() && is_relation(arc));
            found.extend(arcs.map(|arc| (arc.edge, (arc.kind, arc.label))));
        }
        let mut labels: Vec<u32> = found.values().map(|(_, label)| *label).collect();
        labels.sort_unstable();
        labels.dedup();
        let known: BTreeMap<u32, String> = labels.iter().copied().zip(read.labels(&labels)?).collect();
        let word = |(number, (kind, label)): (u32, (EdgeKind, u32))| {
            let label = known.get(&label).filter(|label| !label.is_empty());
            (number, label.cloned().unwrap_or_else(|| kind.name().to_string()))
        };
        Ok(found.into_iter().map(word).collect())
    }
}

/// Without a bound; it is also one for SQL.
const ALL: usize = usize::MAX >> 1;

/// A derived edge has no number.
fn is_relation(arc: &Arc) -> bool {
    arc.edge != 0 && arc.kind != EdgeKind::Mentions
}
