//! The graph under the names of older memory servers: entities and relationships (`/api/knowledge/graph/*`).
//!
//! Times are milliseconds since 1970. A key without a value in Griot is `null`.

use std::collections::{BTreeMap, HashMap};

use griot::backend::{Arc, CATALOGUE_SIZE, Direction, Filter, NeighbourQuery, NodeName};
use griot::engine::{Engine, EntityView, Hub};
use griot::graph;
use griot::model::{
    Edge, EdgeKind, Entity, Error, Interval, Layer, MemoryId, Node, Result, SourceId, Timestamp,
};
use griot::recall::belief;
use griot_wire::call::Call;
use griot_wire::failure::{Failure, Outcome};
use griot_wire::request::{Bare, layer, within};

use crate::ask;

/// Memories that are named as where an entity comes from.
const NAMED: usize = 50;

answers! {
    /// An entity as the knowledge graph prints it.
    pub KnowledgeEntity {
        /// Canonical id, such as `tool:redis`.
        id: String,
        name: String,
        r#type: String,
        /// `code`, `execution`, `knowledge` or `project`.
        layer: String,
        description: String,
        /// Ids of memories that mention it, latest first, at most 50.
        source_chunk_ids: Vec<String>,
        /// Origins of those memories.
        source_files: Vec<String>,
        first_seen: i64,
        last_seen: i64,
        mention_count: usize,
    }

    /// A relationship as the knowledge graph prints it.
    pub KnowledgeRelationship {
        id: String,
        source_entity_id: String,
        target_entity_id: String,
        r#type: String,
        description: String,
        keywords: Vec<String>,
        weight: f32,
        source_chunk_ids: Vec<String>,
        source_files: Vec<String>,
    }

    pub KnowledgeStats {
        entity_count: u64,
        relationship_count: u64,
        source_count: u64,
        /// Sources by kind of origin.
        source_kinds: Vec<KnowledgeSourceKind>,
        memory_count: u64,
        /// Entities by type.
        type_distribution: BTreeMap<String, u64>,
        /// Relationships by type.
        relationship_types: BTreeMap<String, u64>,
        hubs: Vec<KnowledgeHub>,
        last_updated: Option<i64>,
    }

    pub KnowledgeSourceKind {
        /// `memory`, `manual` or `crawl`.
        kind: String,
        sources: u64,
        last_updated: i64,
    }

    pub KnowledgeHub {
        id: String,
        name: String,
        r#type: String,
        degree: u32,
    }

    pub KnowledgeEntities {
        entities: Vec<KnowledgeEntity>,
        limit: usize,
        offset: usize,
    }

    pub KnowledgeGraph {
        entities: Vec<KnowledgeEntity>,
        relationships: Vec<KnowledgeRelationship>,
    }

    /// The answer to `graph_hubs`, the best connected first.
    pub KnowledgeHubs {
        hubs: Vec<KnowledgeHub>,
    }

    /// The answer to `graph_path`, in the order of the path. A relationship keeps its own direction.
    pub KnowledgePath {
        /// Whether there is a path of at most `maxHops` relationships.
        found: bool,
        entities: Vec<KnowledgeEntity>,
        relationships: Vec<KnowledgeRelationship>,
    }

    pub KnowledgeDetail {
        entity: KnowledgeEntity,
        relationships: Vec<KnowledgeRelationship>,
    }

    pub KnowledgeRelationships {
        relationships: Vec<KnowledgeRelationship>,
    }

    pub KnowledgeSource {
        source_id: String,
        r#type: String,
        origin: String,
        title: Option<String>,
        tags: Vec<String>,
        chunk_count: u32,
        entity_count: u32,
        rel_count: u32,
        created_at: i64,
        updated_at: i64,
    }

    pub KnowledgeSources {
        sources: Vec<KnowledgeSource>,
    }
}

impl KnowledgeHub {
    fn new(hub: &Hub) -> Self {
        Self {
            id: hub.entity.canonical_id(),
            name: hub.entity.name.clone(),
            r#type: hub.entity.kind.name().into(),
            degree: hub.degree,
        }
    }
}

pub fn stats(call: &Call, _: Bare) -> Outcome<KnowledgeStats> {
    let status = call.engine.status()?;
    let counts = status.counts;
    let is_relationship = |kind: &str| !matches!(kind, "mentions" | "temporal" | "narrative");
    let relationship_types: BTreeMap<String, u64> =
        counts.edges_by_kind.into_iter().filter(|(kind, _)| is_relationship(kind)).collect();
    Ok(KnowledgeStats {
        entity_count: counts.entities,
        relationship_count: relationship_types.values().sum(),
        source_count: counts.sources,
        source_kinds: status
            .sources_by_kind
            .iter()
            .map(|tally| KnowledgeSourceKind {
                kind: tally.kind.name().into(),
                sources: tally.sources,
                last_updated: tally.updated_at.0,
            })
            .collect(),
        memory_count: counts.memories,
        type_distribution: counts.entities_by_type,
        relationship_types,
        hubs: status.top_entities.iter().map(KnowledgeHub::new).collect(),
        last_updated: status.latest.map(|at| at.0),
    })
}

pub fn entities(call: &Call, q: ask::GraphEntities) -> Outcome<KnowledgeEntities> {
    within("the limit", q.limit, 1, 200)?;
    within("the offset", q.offset, 0, 1_000_000)?;
    let kind = q.r#type.as_deref().map(griot_wire::request::entity_type).transpose()?;
    let layers: Vec<Layer> = q.layer.as_deref().map(layer).transpose()?.into_iter().collect();
    let asked = q.limit + q.offset;
    let mut found: Vec<Entity> = match q.search.as_deref().map(str::trim).filter(|part| !part.is_empty()) {
        Some(part) => call.engine.entities_named(part, kind, &layers, asked)?,
        None => {
            let hubs = call.engine.hubs(kind, &layers, asked)?;
            hubs.into_iter().map(|hub| hub.entity).collect()
        }
    };
    found.drain(..q.offset.min(found.len()));
    Ok(KnowledgeEntities { entities: spelled(&call.engine, &found, None)?, limit: q.limit, offset: q.offset })
}

pub fn entity(call: &Call, q: ask::GraphEntity) -> Outcome<KnowledgeDetail> {
    let view = call.engine.entity(&q.entity_id, 1, 1)?;
    let entity = spelled(&call.engine, std::slice::from_ref(&view.entity), None)?.pop().ok_or_else(unread)?;
    let edges = holding(&call.engine, call.engine.read()?.edges_of(view.entity.node)?)?;
    Ok(KnowledgeDetail { entity, relationships: relations(&call.engine, edges)? })
}

pub fn neighborhood(call: &Call, q: ask::GraphNeighborhood) -> Outcome<KnowledgeGraph> {
    within("hops", q.hops, 1, 3)?;
    within("the limit", q.limit, 1, 200)?;
    Ok(around(call, &call.engine.entity(&q.entity_id, q.hops, q.limit)?, &q.rel_types, None)?)
}

/// An entity with those around it and what joins them, over relations of these types (none: all). With a
/// period, only what memories of that time mention and state.
pub fn around(
    call: &Call,
    view: &EntityView,
    types: &[String],
    period: Option<Interval>,
) -> Result<KnowledgeGraph> {
    let read = call.engine.read()?;
    let mut nodes = vec![view.entity.node];
    for near in &view.neighbourhood {
        if let griot::recall::PathNode::Entity { node, .. } = near.node {
            nodes.push(node);
        }
    }
    let mut graph = joined(&call.engine, &read.entities(&nodes)?, period)?;
    if !types.is_empty() {
        graph.relationships.retain(|relation| types.contains(&relation.r#type));
        let named = |id: &str| {
            graph
                .relationships
                .iter()
                .any(|relation| relation.source_entity_id == id || relation.target_entity_id == id)
        };
        let own = view.entity.canonical_id();
        graph.entities.retain(|entity| entity.id == own || named(&entity.id));
    }
    Ok(graph)
}

pub fn relationships(call: &Call, q: ask::GraphRelationships) -> Outcome<KnowledgeRelationships> {
    within("the limit", q.limit, 1, 1000)?;
    let read = call.engine.read()?;
    let node = |name: &Option<String>| -> Result<Option<Node>> {
        name.as_deref().map(|name| Ok(call.engine.entity(name, 1, 1)?.entity.node)).transpose()
    };
    let (source, target) = (node(&q.source_id)?, node(&q.target_id)?);
    let fits = |edge: &Edge| {
        is_relation(edge)
            && source.is_none_or(|node| edge.source == node)
            && target.is_none_or(|node| edge.target == node)
            && q.r#type.as_deref().is_none_or(|kind| kind_of(edge) == kind)
    };
    let mut found = Vec::new();
    match source.or(target) {
        Some(node) => found.extend(holding(&call.engine, read.edges_of(node)?)?.into_iter().filter(fits)),
        None => {
            let mut after = 0;
            while found.len() < q.limit {
                let page = read.edges_after(after, 1000)?;
                let Some(last) = page.last() else { break };
                after = last.number;
                found.extend(holding(&call.engine, page)?.into_iter().filter(&fits));
            }
        }
    }
    found.truncate(q.limit);
    Ok(KnowledgeRelationships { relationships: relations(&call.engine, found)? })
}

pub fn subgraph(call: &Call, q: ask::GraphSubgraph) -> Outcome<KnowledgeGraph> {
    within("the number of entities", q.entity_ids.len(), 1, 200)?;
    let mut found = Vec::new();
    for id in &q.entity_ids {
        found.push(call.engine.entity(id, 1, 1)?.entity);
    }
    found.sort_by_key(|entity| entity.node);
    found.dedup_by_key(|entity| entity.node);
    Ok(joined(&call.engine, &found, None)?)
}

pub fn sources(call: &Call, _: Bare) -> Outcome<KnowledgeSources> {
    let sources = call.engine.sources()?.into_iter().filter(|view| view.source.deleted_at.is_none());
    Ok(KnowledgeSources {
        sources: sources
            .map(|view| KnowledgeSource {
                source_id: view.source.id.to_string(),
                r#type: view.source.kind.name().into(),
                origin: view.source.origin,
                title: view.source.title,
                tags: view.source.tags,
                chunk_count: view.memories,
                entity_count: view.entities,
                rel_count: view.edges,
                created_at: view.source.created_at.0,
                updated_at: view.source.updated_at.0,
            })
            .collect(),
    })
}

fn unread() -> Failure {
    Error::corrupt("read an entity", "its name leads to it, but it has no row").into()
}

fn is_relation(edge: &Edge) -> bool {
    edge.source.is_entity() && edge.target.is_entity()
}

/// A relation's own word, else the kind of the edge.
pub fn kind_of(edge: &Edge) -> &str {
    if edge.label.is_empty() { edge.kind.name() } else { &edge.label }
}

/// The edges that are live and have not expired.
pub(crate) fn holding(engine: &Engine, mut edges: Vec<Edge>) -> Result<Vec<Edge>> {
    let now = engine.now();
    let numbers: Vec<u32> = edges.iter().map(|edge| edge.number).collect();
    let mut live = engine.read()?.live_edges(&numbers)?.into_iter();
    edges.retain(|edge| live.next() == Some(true) && !edge.has_expired(now));
    Ok(edges)
}

/// Memories that mention each entity, by number; with a period, only those of that time.
pub fn mentions(engine: &Engine, entities: &[Node], period: Option<Interval>) -> Result<Vec<Vec<Node>>> {
    let mut fan_out = [0; CATALOGUE_SIZE];
    fan_out[EdgeKind::Mentions as usize] = usize::MAX >> 1;
    let filter = Filter { superseded: true, occurred: period, now: Some(engine.now()), ..Filter::default() };
    let ask = NeighbourQuery { direction: Direction::In, fan_out: &fan_out, filter: &filter };
    let arcs = engine.read()?.neighbours(entities, &ask)?;
    Ok(arcs.into_iter().map(|arcs| arcs.into_iter().map(|arc| arc.to).collect()).collect())
}

/// Entities as they are printed; with a period, only those that memories of that time mention.
fn spelled(engine: &Engine, entities: &[Entity], period: Option<Interval>) -> Result<Vec<KnowledgeEntity>> {
    let read = engine.read()?;
    let nodes: Vec<Node> = entities.iter().map(|entity| entity.node).collect();
    let mut origins: HashMap<SourceId, Option<String>> = HashMap::new();
    let mut spelled = Vec::with_capacity(entities.len());
    for (entity, mut mentions) in entities.iter().zip(mentions(engine, &nodes, period)?) {
        if period.is_some() && mentions.is_empty() {
            continue;
        }
        mentions.sort_unstable_by(|a, b| b.cmp(a));
        let count = mentions.len();
        mentions.truncate(NAMED);
        let memories = read.memories(&mentions)?;
        let mut files = Vec::new();
        for memory in &memories {
            let origin = match origins.get(&memory.source) {
                Some(origin) => origin.clone(),
                None => {
                    let origin = read.source(memory.source)?.map(|source| source.origin);
                    origins.insert(memory.source, origin.clone());
                    origin
                }
            };
            files.extend(origin);
        }
        files.sort();
        files.dedup();
        spelled.push(KnowledgeEntity {
            id: entity.canonical_id(),
            name: entity.name.clone(),
            r#type: entity.kind.name().into(),
            layer: Layer::of_entity(entity.kind).name().into(),
            description: entity.description.join(" "),
            source_chunk_ids: memories.iter().map(|memory| memory.id.to_string()).collect(),
            source_files: files,
            first_seen: entity.first_seen.0,
            last_seen: entity.last_seen.0,
            mention_count: count,
        });
    }
    Ok(spelled)
}

fn relations(engine: &Engine, edges: Vec<Edge>) -> Result<Vec<KnowledgeRelationship>> {
    let read = engine.read()?;
    let ends: Vec<Node> = edges.iter().flat_map(|edge| [edge.source, edge.target]).collect();
    let names: HashMap<Node, String> =
        read.entities(&ends)?.into_iter().map(|entity| (entity.node, entity.canonical_id())).collect();
    let spelled = |edge: Edge| {
        let reason = edge.evidence.iter().find_map(|one| one.quote.clone().or_else(|| one.reason.clone()));
        Some(KnowledgeRelationship {
            id: format!("e{}", edge.number),
            source_entity_id: names.get(&edge.source)?.clone(),
            target_entity_id: names.get(&edge.target)?.clone(),
            r#type: kind_of(&edge).to_string(),
            description: reason.unwrap_or_default(),
            keywords: vec![edge.kind.name().to_string()],
            weight: edge.weight,
            source_chunk_ids: edge.evidence.iter().filter_map(|one| Some(one.memory?.to_string())).collect(),
            source_files: Vec::new(),
        })
    };
    Ok(edges.into_iter().filter(is_relation).filter_map(spelled).collect())
}

/// The edges that were stated in a period: by a memory of that time, or by a caller then.
fn stated_in(engine: &Engine, mut edges: Vec<Edge>, period: Interval) -> Result<Vec<Edge>> {
    let read = engine.read()?;
    let said_by = edges.iter().flat_map(|edge| edge.evidence.iter().filter_map(|one| one.memory));
    let names: Vec<NodeName<'_>> = said_by.map(NodeName::Id).collect();
    let nodes: Vec<Node> = read.find(&names)?.iter().flatten().map(|found| found.node).collect();
    let times: HashMap<MemoryId, Timestamp> =
        read.memories(&nodes)?.into_iter().map(|memory| (memory.id, memory.occurred_at)).collect();
    edges.retain(|edge| {
        let mut stated = edge.evidence.iter().filter_map(|one| match one.memory {
            Some(memory) => times.get(&memory).copied(),
            None => Some(one.at),
        });
        stated.any(|at| period.contains(at))
    });
    Ok(edges)
}

/// Entities with what joins them directly; with a period, what memories of that time mention and state.
fn joined(engine: &Engine, entities: &[Entity], period: Option<Interval>) -> Result<KnowledgeGraph> {
    let read = engine.read()?;
    let inside: Vec<Node> = entities.iter().map(|entity| entity.node).collect();
    let mut edges = BTreeMap::new();
    for node in &inside {
        for edge in holding(engine, read.edges_of(*node)?)? {
            if is_relation(&edge) && inside.contains(&edge.source) && inside.contains(&edge.target) {
                edges.insert(edge.number, edge);
            }
        }
    }
    let edges: Vec<Edge> = edges.into_values().collect();
    let edges = match period {
        Some(period) => stated_in(engine, edges, period)?,
        None => edges,
    };
    let entities = spelled(engine, entities, period)?;
    let mut relationships = relations(engine, edges)?;
    let is_shown = |id: &str| entities.iter().any(|entity| entity.id == id);
    relationships.retain(|one| is_shown(&one.source_entity_id) && is_shown(&one.target_entity_id));
    Ok(KnowledgeGraph { entities, relationships })
}

/// Arcs of one kind that a path follows per node, and nodes that it visits.
const FAN_OUT: usize = 200;
const VISITED: usize = 100_000;

/// The fewest relationships between two entities; among equally short paths the strongest.
pub fn path(call: &Call, q: ask::GraphPath) -> Outcome<KnowledgePath> {
    within("maxHops", q.max_hops, 1, 32)?;
    let engine = &call.engine;
    let node = |name: &str| -> Result<Node> { Ok(engine.entity(name, 1, 1)?.entity.node) };
    let (from, to) = (node(&q.from_entity)?, node(&q.to_entity)?);
    let read = engine.read()?;
    let fan_out = graph::fan_out(FAN_OUT, |kind| kind != EdgeKind::Mentions);
    let filter = Filter {
        superseded: true,
        now: Some(engine.now()),
        belief: belief(&engine.settings().graph),
        ..Filter::default()
    };
    let all = graph::from_store(read, Direction::Both, &fan_out, &filter);
    let between_entities = |frontier: &[Node]| {
        let mut rows = all(frontier)?;
        rows.iter_mut().for_each(|row| row.retain(|arc| arc.to.is_entity()));
        Ok(rows)
    };
    let strength: &dyn Fn(&Arc) -> f32 = &graph::strength;
    let found = graph::shortest_path(&between_entities, from, to, q.max_hops, VISITED, strength)?;
    let Some(path) = found else {
        return Ok(KnowledgePath { found: false, entities: Vec::new(), relationships: Vec::new() });
    };
    let nodes: Vec<Node> = [from].into_iter().chain(path.hops.iter().map(|hop| hop.arc.to)).collect();
    let numbers: Vec<u32> = path.hops.iter().map(|hop| hop.arc.edge).collect();
    let mut entities = read.entities(&nodes)?;
    entities.sort_by_key(|entity| nodes.iter().position(|node| *node == entity.node));
    let mut edges = read.edges(&numbers)?;
    edges.sort_by_key(|edge| numbers.iter().position(|number| *number == edge.number));
    Ok(KnowledgePath {
        found: true,
        entities: spelled(engine, &entities, None)?,
        relationships: relations(engine, edges)?,
    })
}

/// The best connected entities.
pub fn hubs(call: &Call, q: ask::GraphHubs) -> Outcome<KnowledgeHubs> {
    within("the limit", q.limit, 1, 200)?;
    let kind = q.entity_type.as_deref().map(griot_wire::request::entity_type).transpose()?;
    let layers: Vec<Layer> = q.layer.as_deref().map(layer).transpose()?.into_iter().collect();
    let hubs = call.engine.hubs(kind, &layers, q.limit)?;
    Ok(KnowledgeHubs { hubs: hubs.iter().map(KnowledgeHub::new).collect() })
}
