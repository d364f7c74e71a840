//! The explorer (`/api/graph/explore`): typed nodes with their edges and memories.
//!
//! A memory's project, user and kind are nodes, too. They are not stored: their edges are computed from the
//! memories in the scope of the request, so that other users stay invisible. (Tags are stored nodes: topics.)

use std::collections::BTreeMap;

use griot::backend::Filter;
use griot::engine::EdgeView;
use griot::model::{Entity, Error, ErrorKind, Layer, Memory, Result};
use griot::recall::PathNode;
use griot_wire::call::Call;
use griot_wire::failure::Outcome;
use griot_wire::request::{layer, within};

use crate::ask;
use crate::graph::{kind_of, mentions};

answers! {
    /// A node of the explorer.
    pub ExploreNode {
        node_type: String,
        node_key: String,
        label: String,
        /// `code`, `execution`, `knowledge` or `project`.
        layer: String,
        memory_links: usize,
        edge_count: u32,
    }

    pub ExploreEnd {
        node_type: String,
        node_key: String,
        label: String,
    }

    pub ExploreEdge {
        id: String,
        edge_type: String,
        weight: f32,
        confidence: f32,
        expires_at: Option<griot_wire::Time>,
        evidence_memory_id: Option<String>,
        /// `inbound` or `outbound`.
        direction: String,
        from: ExploreEnd,
        to: ExploreEnd,
    }

    pub ExploreMemory {
        memory_id: String,
        role: String,
        r#type: String,
        /// `code`, `execution`, `knowledge` or `project`.
        layer: String,
        content: String,
        updated_at: griot_wire::Time,
    }
}

impl ExploreMemory {
    pub fn new(memory: &Memory, role: &str) -> Self {
        Self {
            memory_id: memory.id.to_string(),
            role: role.into(),
            r#type: memory.kind.clone(),
            layer: Layer::of_memory(&memory.kind).name().into(),
            content: memory.text.clone(),
            updated_at: memory.recorded_at.into(),
        }
    }
}

answers! {
    pub Explored {
        node: Option<ExploreNode>,
        nodes: Vec<ExploreNode>,
        edges: Vec<ExploreEdge>,
        memories: Vec<ExploreMemory>,
    }
}

/// Latest memories that a node is computed from.
const MAX_MEMORIES: usize = 1000;

/// The metadata field that a node represents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Project,
    User,
    Kind,
}

impl Field {
    fn parse(node_type: &str) -> Option<Self> {
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
fn kinds(call: &Call, limit: usize) -> Outcome<Explored> {
    let mut kinds: Vec<(String, u64)> = call.engine.status()?.counts.memories_by_kind.into_iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let nodes =
        kinds.into_iter().take(limit).map(|(kind, count)| node(Field::Kind, &kind, count as usize, 0));
    Ok(Explored { node: None, nodes: nodes.collect(), edges: Vec::new(), memories: Vec::new() })
}

/// One node, its latest memories, and the topics and kinds of those.
fn explore_field(call: &Call, field: Field, key: &str, limit: usize) -> Outcome<Explored> {
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

pub fn explore(call: &Call, q: ask::GraphExplore) -> Outcome<Explored> {
    within("the limit", q.limit, 1, 100)?;
    let engine = &call.asking(q.min_confidence, q.now.as_deref())?;
    let node = |entity: &Entity, links: usize, degree: u32| {
        let ExploreEnd { node_type, node_key, label } = end_of(entity);
        let layer = Layer::of_entity(entity.kind).name().into();
        ExploreNode {
            node_type,
            node_key,
            label,
            layer,
            memory_links: links,
            edge_count: degree.saturating_sub(links as u32),
        }
    };
    let name = match (&q.node_type, &q.node_key) {
        (Some(kind), None) if kind == "memory_type" => return kinds(call, q.limit),
        (kind, None) => {
            let layers: Vec<Layer> = q.layer.as_deref().map(layer).transpose()?.into_iter().collect();
            let kind = kind.as_deref().map(griot_wire::request::entity_type).transpose()?;
            let hubs = engine.hubs(kind, &layers, q.limit)?;
            let linked = mentions(engine, &hubs.iter().map(|hub| hub.entity.node).collect::<Vec<_>>(), None)?;
            let nodes =
                hubs.iter().zip(linked).map(|(hub, links)| node(&hub.entity, links.len(), hub.degree));
            return Ok(Explored {
                node: None,
                nodes: nodes.collect(),
                edges: Vec::new(),
                memories: Vec::new(),
            });
        }
        // A category is a tag here.
        (Some(kind), Some(key)) if kind == "category" => format!("topic:{key}"),
        (Some(kind), Some(key)) => format!("{kind}:{key}"),
        (None, Some(key)) => key.clone(),
    };
    let field = q.node_type.as_deref().and_then(Field::parse).zip(q.node_key.as_deref());
    let view = match (engine.entity(&name, 1, q.limit), field) {
        // A repository may be an entity that texts name, too.
        (Err(error), Some((field, key))) if error.kind == ErrorKind::NotFound || field != Field::Project => {
            return explore_field(call, field, key, q.limit);
        }
        (view, _) => view?,
    };
    let read = engine.read()?;
    let degree = read.degrees(&[view.entity.node], Some(engine.now()))?.first().copied().unwrap_or_default();
    let edges: Vec<ExploreEdge> =
        view.relations.iter().take(q.limit).filter_map(|edge| explored(&view.entity, edge)).collect();
    let memories = view.mentions.iter().map(|memory| ExploreMemory::new(memory, "mentions"));
    let memories = memories.collect();
    let node = node(&view.entity, view.mention_count as usize, degree);
    Ok(Explored { node: Some(node), nodes: Vec::new(), edges, memories })
}

fn end_of(entity: &Entity) -> ExploreEnd {
    let id = entity.canonical_id();
    let key = id.split_once(':').map_or(id.as_str(), |(_, key)| key).to_string();
    ExploreEnd { node_type: entity.kind.name().into(), node_key: key, label: entity.name.clone() }
}

fn explored(own: &Entity, view: &EdgeView) -> Option<ExploreEdge> {
    let end = |node: &PathNode| match node {
        PathNode::Memory { id, handle, .. } => {
            ExploreEnd { node_type: "memory".into(), node_key: id.clone(), label: handle.clone() }
        }
        PathNode::Entity { id, name, kind, .. } => ExploreEnd {
            node_type: kind.name().into(),
            node_key: id.split_once(':').map_or(id.as_str(), |(_, key)| key).to_string(),
            label: name.clone(),
        },
    };
    let edge = &view.edge;
    Some(ExploreEdge {
        id: griot_wire::edge_id(edge.number)?,
        edge_type: kind_of(edge).to_string(),
        weight: edge.weight,
        confidence: view.confidence,
        expires_at: edge.expires_at.map(Into::into),
        evidence_memory_id: edge.evidence.iter().find_map(|one| one.memory).map(|id| id.to_string()),
        direction: if edge.source == own.node { "outbound" } else { "inbound" }.into(),
        from: end(&view.source),
        to: end(&view.target),
    })
}
