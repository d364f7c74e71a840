//! Graph nodes for a memory's metadata: its project, user and kind.
//!
//! They are not stored. Their edges are computed from the memories in the scope of the request, so that
//! other users stay invisible. (Tags are stored nodes: topics.)

use std::collections::BTreeMap;

use griot::backend::Filter;
use griot::model::{Error, Memory, Result};

use super::seeds::{ExploreEdge, ExploreEnd, ExploreMemory, ExploreNode, Explored};
use crate::failure::Outcome;
use crate::service::Call;

/// Latest memories that a node is computed from.
const MAX_MEMORIES: usize = 1000;

/// The metadata field that a node represents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Project,
    User,
    Kind,
}

impl Field {
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

    /// Type of an edge from this node to a topic or a kind.
    const fn edge(self) -> &'static str {
        match self {
            Self::Project | Self::Kind => "about",
            Self::User => "mentions",
        }
    }
}

/// Kinds of memories as nodes, those with the most memories first.
pub fn kinds(call: &Call, limit: usize) -> Outcome<Explored> {
    let mut kinds: Vec<(String, u64)> = call.engine.status()?.counts.memories_by_kind.into_iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let nodes =
        kinds.into_iter().take(limit).map(|(kind, count)| node(Field::Kind, &kind, count as usize, 0));
    Ok(Explored { node: None, nodes: nodes.collect(), edges: Vec::new(), memories: Vec::new() })
}

/// One node, its latest memories, and the topics and kinds of those.
pub fn explore(call: &Call, field: Field, key: &str, limit: usize) -> Outcome<Explored> {
    let found = memories_with(call, field, key)?;
    if found.is_empty() {
        let what = format!("explore `{}:{key}`", field.name());
        return Err(Error::not_found(what, "no memory in this scope has it").into());
    }
    let mut others: BTreeMap<(&'static str, &'static str, String), u32> = BTreeMap::new();
    for memory in &found {
        for tag in &memory.tags {
            *others.entry((field.edge(), "topic", tag.clone())).or_default() += 1;
        }
        if field == Field::Project {
            *others.entry(("contains_type", "memory_type", memory.kind.clone())).or_default() += 1;
        }
    }
    let mut others: Vec<_> = others.into_iter().collect();
    others.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let own = node(field, key, found.len(), others.len() as u32);
    let edges = others.into_iter().take(limit).map(|((edge, node_type, other), count)| ExploreEdge {
        id: format!("{}:{key}>{node_type}:{other}", field.name()),
        edge_type: edge.into(),
        weight: count as f32 / found.len() as f32,
        confidence: 1.0,
        expires_at: None,
        evidence_memory_id: None,
        direction: "outbound".into(),
        from: end(field.name(), key),
        to: end(node_type, &other),
    });
    let edges = edges.collect();
    let memories = found.iter().take(limit).map(|memory| ExploreMemory::new(memory, field.name()));
    Ok(Explored { node: Some(own), nodes: Vec::new(), edges, memories: memories.collect() })
}

/// Memories in scope with this value, latest first.
fn memories_with(call: &Call, field: Field, key: &str) -> Result<Vec<Memory>> {
    let mut filter = Filter {
        scope: call.scope.clone(),
        superseded: true,
        now: Some(call.engine.now()),
        ..Filter::default()
    };
    // A request for one user or project cannot see another.
    let narrow = match field {
        Field::Project => Some(&mut filter.scope.project),
        Field::User => Some(&mut filter.scope.user),
        Field::Kind => {
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
    let mut found = read.memories(&read.latest(&filter, MAX_MEMORIES)?)?;
    // A search for a project also finds memories without one.
    found.retain(|memory| field == Field::Kind || field.key(memory) == Some(key));
    Ok(found)
}

fn node(field: Field, key: &str, links: usize, edges: u32) -> ExploreNode {
    let ExploreEnd { node_type, node_key, label } = end(field.name(), key);
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
