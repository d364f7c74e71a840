//! Nodes for what a memory carries beside its text: the project it is about, whose it is, its kind.
//!
//! They are no rows: what they join follows from the memories when it is asked for, within the scope of the
//! request, so that nobody learns that there is another user. (Tags are real nodes: topics.)

use std::collections::BTreeMap;

use griot::backend::Filter;
use griot::model::{Error, Memory, Result};
use griot_wire::call::Call;
use griot_wire::failure::Outcome;

use crate::graph::{ExploreEdge, ExploreEnd, ExploreMemory, ExploreNode, Explored};

/// The latest memories that such a node is made from.
const LOOKED_AT: usize = 1000;

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    Project,
    User,
    Kind,
}

impl Carried {
    pub fn parse(node_type: &str) -> Option<Self> {
        match node_type {
            "repo" | "project" => Some(Self::Project),
            "user" => Some(Self::User),
            "memory_type" => Some(Self::Kind),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Project => "repo",
            Self::User => "user",
            Self::Kind => "memory_type",
        }
    }

    fn key(self, memory: &Memory) -> Option<&str> {
        match self {
            Self::Project => memory.scope.project.as_deref(),
            Self::User => memory.scope.user.as_deref(),
            Self::Kind => Some(&memory.kind),
        }
    }

    /// How an edge from this node to a topic, or to a kind, is called.
    const fn edge(self) -> &'static str {
        match self {
            Self::Project | Self::Kind => "about",
            Self::User => "mentions",
        }
    }
}

/// The kinds of memories as nodes, those with the most memories first.
pub fn kinds(call: &Call, limit: usize) -> Outcome<Explored> {
    let mut kinds: Vec<(String, u64)> = call.engine.status()?.counts.memories_by_kind.into_iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let nodes =
        kinds.into_iter().take(limit).map(|(kind, count)| node(Carried::Kind, &kind, count as usize, 0));
    Ok(Explored { node: None, nodes: nodes.collect(), edges: Vec::new(), memories: Vec::new() })
}

/// One node, the latest memories that carry it, and the topics and kinds that these join it with.
pub fn explore(call: &Call, carried: Carried, key: &str, limit: usize) -> Outcome<Explored> {
    let found = carrying(call, carried, key)?;
    if found.is_empty() {
        let what = format!("explore `{}:{key}`", carried.name());
        return Err(Error::not_found(what, "no memory of this scope carries it").into());
    }
    let mut others: BTreeMap<(&'static str, &'static str, String), u32> = BTreeMap::new();
    for memory in &found {
        for tag in &memory.tags {
            *others.entry((carried.edge(), "topic", tag.clone())).or_default() += 1;
        }
        if carried == Carried::Project {
            *others.entry(("contains_type", "memory_type", memory.kind.clone())).or_default() += 1;
        }
    }
    let mut others: Vec<_> = others.into_iter().collect();
    others.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let own = node(carried, key, found.len(), others.len() as u32);
    let edges = others.into_iter().take(limit).map(|((edge, node_type, other), count)| ExploreEdge {
        id: format!("{}:{key}>{node_type}:{other}", carried.name()),
        edge_type: edge.into(),
        weight: count as f32 / found.len() as f32,
        confidence: 1.0,
        expires_at: None,
        evidence_memory_id: None,
        direction: "outbound".into(),
        from: end(carried.name(), key),
        to: end(node_type, &other),
    });
    let edges = edges.collect();
    let memories = found.iter().take(limit).map(|memory| ExploreMemory::new(memory, carried.name()));
    Ok(Explored { node: Some(own), nodes: Vec::new(), edges, memories: memories.collect() })
}

/// The latest memories of the scope that carry it, latest first.
fn carrying(call: &Call, carried: Carried, key: &str) -> Result<Vec<Memory>> {
    let mut filter = Filter {
        scope: call.scope.clone(),
        superseded: true,
        now: Some(call.engine.now()),
        ..Filter::default()
    };
    // Where the request names a user or a project, another one is outside.
    let narrow = match carried {
        Carried::Project => Some(&mut filter.scope.project),
        Carried::User => Some(&mut filter.scope.user),
        Carried::Kind => {
            filter.kinds = vec![key.to_lowercase()];
            None
        }
    };
    if let Some(own) = narrow {
        if own.as_deref().is_some_and(|own| own != key) {
            return Ok(Vec::new());
        }
        *own = Some(key.to_string());
    }
    let read = call.engine.read()?;
    let mut found = read.memories(&read.latest(&filter, LOOKED_AT)?)?;
    // A search for a project also sees what belongs to none.
    found.retain(|memory| carried == Carried::Kind || carried.key(memory) == Some(key));
    Ok(found)
}

fn node(carried: Carried, key: &str, links: usize, edges: u32) -> ExploreNode {
    let ExploreEnd { node_type, node_key, label } = end(carried.name(), key);
    ExploreNode {
        node_type,
        node_key,
        label,
        layer: "project".into(),
        memory_links: links,
        edge_count: edges,
    }
}

fn end(node_type: &str, key: &str) -> ExploreEnd {
    ExploreEnd { node_type: node_type.into(), node_key: key.into(), label: key.into() }
}
