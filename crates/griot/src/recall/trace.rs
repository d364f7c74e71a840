//! From hops over node numbers to paths that a person can read: names, excerpts, confidences, evidence.

use std::collections::BTreeMap;

use crate::backend::Read;
use crate::graph;
use crate::model::{Edge, Entity, Layer, Memory, Node, Result};

use super::walk::ArcWeights;
use super::{Hop, PathNode};

/// Characters of a memory that stand for it in a path.
const EXCERPT: usize = 120;

/// Rows of nodes and edges that paths name, read in three requests for a whole answer.
#[derive(Default)]
pub struct Rows {
    memories: BTreeMap<Node, Memory>,
    entities: BTreeMap<Node, Entity>,
    edges: BTreeMap<u32, Edge>,
    labels: BTreeMap<u32, String>,
}

impl Rows {
    pub fn read<'h>(
        read: &dyn Read,
        nodes: &[Node],
        hops: impl Iterator<Item = &'h graph::Hop>,
    ) -> Result<Self> {
        let mut rows = Self::default();
        let mut wanted: Vec<Node> = nodes.to_vec();
        let mut edges: Vec<u32> = Vec::new();
        for hop in hops {
            wanted.extend([hop.from, hop.arc.to]);
            if hop.arc.edge > 0 {
                edges.push(hop.arc.edge);
            }
            if let std::collections::btree_map::Entry::Vacant(label) = rows.labels.entry(hop.arc.label) {
                label.insert(read.label(hop.arc.label)?);
            }
        }
        wanted.sort();
        wanted.dedup();
        edges.sort_unstable();
        edges.dedup();
        let (memories, entities): (Vec<Node>, Vec<Node>) =
            wanted.into_iter().partition(|node| node.is_memory());
        rows.memories = read.memories(&memories)?.into_iter().map(|m| (m.node, m)).collect();
        rows.entities = read.entities(&entities)?.into_iter().map(|e| (e.node, e)).collect();
        rows.edges = read.edges(&edges)?.into_iter().map(|e| (e.number, e)).collect();
        Ok(rows)
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

/// The first characters on one line, cut at a word, with `…` where something is missing.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut short = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if count + length + 1 > most {
            if short.is_empty() {
                short.extend(word.chars().take(most));
            }
            short.push('…');
            return short;
        }
        if !short.is_empty() {
            short.push(' ');
            count += 1;
        }
        short.push_str(word);
        count += length;
    }
    short
}
