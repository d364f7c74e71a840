//! Turns hops between node numbers into readable paths: names, excerpts, confidences, evidence.

use std::collections::BTreeMap;

use crate::backend::{Read, Wanted};
use crate::graph::{self, distinct};
use crate::model::{Edge, Entity, Layer, Memory, Node, Result, Source, SourceId};
use crate::text::excerpt;

use super::walk::ArcWeights;
use super::{Hop, PathNode};

/// Length in characters of a memory's excerpt in a path.
const EXCERPT: usize = 120;

/// Rows of the nodes and edges on the paths, and of whatever else an answer shows.
#[derive(Default)]
pub struct Rows {
    memories: BTreeMap<Node, Memory>,
    entities: BTreeMap<Node, Entity>,
    edges: BTreeMap<u32, Edge>,
    labels: BTreeMap<u32, String>,
    sources: BTreeMap<SourceId, Source>,
}

impl Rows {
    pub fn read<'h>(
        read: &dyn Read,
        nodes: &[Node],
        hops: impl Iterator<Item = &'h graph::Hop>,
    ) -> Result<Self> {
        let mut rows = Self::default();
        rows.add(read, nodes.to_vec(), Vec::new(), hops)?;
        Ok(rows)
    }

    /// Keeps rows that were read for another purpose, so that they are not requested again.
    pub fn keep(&mut self, memories: Vec<Memory>, entities: Vec<Entity>, sources: Vec<Source>) {
        self.memories.extend(memories.into_iter().map(|memory| (memory.node, memory)));
        self.entities.extend(entities.into_iter().map(|entity| (entity.node, entity)));
        self.sources.extend(sources.into_iter().map(|source| (source.id, source)));
    }

    /// Reads the missing rows in one request.
    pub fn add<'h>(
        &mut self,
        read: &dyn Read,
        mut nodes: Vec<Node>,
        mut sources: Vec<SourceId>,
        hops: impl Iterator<Item = &'h graph::Hop>,
    ) -> Result<()> {
        let (mut edges, mut labels) = (Vec::new(), Vec::new());
        for hop in hops {
            nodes.extend([hop.from, hop.arc.to]);
            edges.push(hop.arc.edge);
            labels.push(hop.arc.label);
        }
        nodes.retain(|node| !self.memories.contains_key(node) && !self.entities.contains_key(node));
        sources.retain(|source| !self.sources.contains_key(source));
        edges.retain(|edge| *edge > 0 && !self.edges.contains_key(edge));
        labels.retain(|label| *label > 0 && !self.labels.contains_key(label));
        let (nodes, sources) = (distinct(nodes), distinct(sources));
        let (edges, labels) = (distinct(edges), distinct(labels));
        if nodes.is_empty() && sources.is_empty() && edges.is_empty() && labels.is_empty() {
            return Ok(());
        }
        let wanted =
            Wanted { nodes: &nodes, sources: &sources, edges: &edges, labels: &labels, ..Wanted::default() };
        let found = read.fetch(&wanted)?;
        self.memories.extend(found.memories.into_iter().map(|m| (m.node, m)));
        self.entities.extend(found.entities.into_iter().map(|e| (e.node, e)));
        self.edges.extend(found.edges.into_iter().map(|e| (e.number, e)));
        self.sources.extend(found.sources.into_iter().map(|s| (s.id, s)));
        self.labels.extend(labels.into_iter().zip(found.labels));
        Ok(())
    }

    /// The title of a source, if it has one.
    pub fn title(&self, source: SourceId) -> Option<String> {
        self.sources.get(&source)?.title.clone()
    }

    pub fn source(&self, source: SourceId) -> Option<&Source> {
        self.sources.get(&source)
    }

    pub fn memory(&self, node: Node) -> Option<&Memory> {
        self.memories.get(&node)
    }

    pub fn entity(&self, node: Node) -> Option<&Entity> {
        self.entities.get(&node)
    }

    pub fn node(&self, node: Node) -> PathNode {
        if let Some(entity) = self.entities.get(&node) {
            return PathNode::of_entity(entity);
        }
        match self.memories.get(&node) {
            Some(memory) => PathNode::of_memory(memory),
            None => PathNode::Entity {
                node,
                id: format!("{node:?}"),
                name: "(hidden)".to_string(),
                kind: crate::model::EntityType::Custom,
            },
        }
    }

    pub fn hop(&self, hop: &graph::Hop, weights: &ArcWeights) -> Hop {
        let edge = self.edges.get(&hop.arc.edge);
        let label = match edge {
            Some(edge) => edge.label.clone(),
            None => self.labels.get(&hop.arc.label).cloned().unwrap_or_default(),
        };
        Hop {
            from: self.node(hop.from),
            to: self.node(hop.arc.to),
            kind: hop.arc.kind,
            label,
            forward: hop.arc.forward,
            weight: hop.arc.weight,
            confidence: weights.confidence(&hop.arc),
            provenance: hop.arc.provenance,
            expires_at: edge.and_then(|edge| edge.expires_at),
            edge: hop.arc.edge,
            evidence: edge.map(|e| e.evidence.clone()).unwrap_or_default(),
        }
    }
}

impl PathNode {
    pub fn of_memory(memory: &Memory) -> Self {
        Self::Memory {
            node: memory.node,
            id: memory.id.to_string(),
            handle: memory.handle.to_string(),
            excerpt: excerpt(&memory.text, EXCERPT),
            occurred_at: memory.occurred_at,
            layer: Layer::of_memory(&memory.kind),
        }
    }

    pub fn of_entity(entity: &Entity) -> Self {
        Self::Entity {
            node: entity.node,
            id: entity.canonical_id(),
            name: entity.name.clone(),
            kind: entity.kind,
        }
    }
}
