//! The graph under the names of older memory servers: entities and relationships (`/api/knowledge/graph/*`).
//!
//! Times are milliseconds since 1970. A key without a value in Griot is `null`.

use std::collections::{BTreeMap, HashMap, HashSet};

use griot::backend::{CATALOGUE_SIZE, Direction, Filter, NeighbourQuery, NodeName};
use griot::engine::{EdgeView, Engine, EntityView, Hub, RelationQuery, SourceView};
use griot::model::{
    Edge, EdgeKind, Entity, Error, Evidence, Interval, Layer, Memory, MemoryId, Node, Result, SourceId,
    Timestamp,
};
use griot::recall::PathNode;
use griot_wire::call::Call;
use griot_wire::failure::{Failure, Outcome};
use griot_wire::request::{Bare, layer, origin_kind, within};

use crate::ask;

/// Memories that are named as where an entity comes from.
const NAMED: usize = 50;
/// Wordings of a relationship in its description.
const WORDINGS: usize = 6;

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
        /// What was said of it, each wording once.
        description: String,
        /// Its kind and its label, and the tags of the memories that state it.
        keywords: Vec<String>,
        weight: f32,
        /// 0 to 1, faded since its last evidence.
        confidence: f32,
        /// `user`, `static`, `import`, `llm`, `embedding` or `rule`.
        provenance: String,
        /// When it expires; `null` if it does not.
        expires_at: Option<i64>,
        evidence: Vec<KnowledgeEvidence>,
        /// Ids of the memories that state it.
        source_chunk_ids: Vec<String>,
        /// Origins of those memories.
        source_files: Vec<String>,
    }

    /// Why a relationship is believed.
    pub KnowledgeEvidence {
        /// Id of the memory that states it; `null` if a caller stated it without one.
        memory_id: Option<String>,
        /// Origin of that memory.
        source_file: Option<String>,
        quote: Option<String>,
        reason: Option<String>,
        at: i64,
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
        /// How many match.
        total: usize,
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

    pub KnowledgeDetail {
        entity: KnowledgeEntity,
        relationships: Vec<KnowledgeRelationship>,
    }

    pub KnowledgeRelationships {
        relationships: Vec<KnowledgeRelationship>,
        /// How many match.
        total: usize,
        limit: usize,
        offset: usize,
    }

    pub KnowledgePath {
        /// From the start to the end; empty if there is no path.
        path: Vec<KnowledgeStep>,
    }

    /// An entity on a path.
    pub KnowledgeStep {
        entity: KnowledgeEntity,
        /// How the step before leads here; `null` for the start.
        relationship: Option<KnowledgeRelationship>,
    }

    pub KnowledgeSource {
        source_id: String,
        /// `memory` (remembered, or a memory file), `manual` (ingested) or `crawl` (a page).
        r#type: String,
        /// `agent`, `file`, `page`, `chat`, `code`, `tracker` or `import`.
        kind: String,
        origin: String,
        title: Option<String>,
        tags: Vec<String>,
        /// What its user noted of it, by name.
        metadata: BTreeMap<String, String>,
        /// BLAKE3 of its content when it was last read; `null` for sources that grow, such as agents.
        content_hash: Option<String>,
        chunk_count: u32,
        entity_count: u32,
        rel_count: u32,
        created_at: i64,
        updated_at: i64,
    }

    pub KnowledgeSources {
        sources: Vec<KnowledgeSource>,
        /// How many match.
        total: usize,
    }

    pub KnowledgeSourceGraph {
        source: KnowledgeSource,
        /// Entities that its memories mention, most mentioned first.
        entities: Vec<KnowledgeEntity>,
        /// Relationships between entities that its memories state.
        relationships: Vec<KnowledgeRelationship>,
        /// Its memories, in order.
        chunks: Vec<KnowledgeChunk>,
        /// How many there are, however many are listed.
        entity_total: usize,
        relationship_total: usize,
        chunk_total: usize,
    }

    /// A memory of a source.
    pub KnowledgeChunk {
        id: String,
        content: String,
        /// Headings above it, outermost first.
        heading: Vec<String>,
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
    let relationship_types = call.engine.relations_by_word()?;
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
    let part = q.search.as_deref().map(str::trim).filter(|part| !part.is_empty());
    let total = call.engine.entity_count(part, kind, &layers)?;
    let mut found: Vec<Entity> = match part {
        Some(part) => call.engine.entities_named(part, kind, &layers, asked)?,
        None => {
            let hubs = call.engine.hubs(kind, &layers, asked)?;
            hubs.into_iter().map(|hub| hub.entity).collect()
        }
    };
    found.drain(..q.offset.min(found.len()));
    let entities = spelled(&call.engine, &found, None)?;
    Ok(KnowledgeEntities { entities, total, limit: q.limit, offset: q.offset })
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
        if let PathNode::Entity { node, .. } = near.node {
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
    within("the offset", q.offset, 0, 1_000_000)?;
    let found = call.engine.relations(&RelationQuery {
        source: q.source_id.as_deref(),
        target: q.target_id.as_deref(),
        word: q.r#type.as_deref(),
        offset: q.offset,
        limit: q.limit,
    })?;
    Ok(KnowledgeRelationships {
        relationships: viewed(&call.engine, found.relations)?,
        total: found.total,
        limit: q.limit,
        offset: q.offset,
    })
}

/// Over relationships alone, without memories in between.
pub fn path(call: &Call, q: ask::GraphPath) -> Outcome<KnowledgePath> {
    within("maxHops", q.max_hops, 1, 32)?;
    let Some(hops) = call.engine.relation_path(&q.from, &q.to, q.max_hops)? else {
        return Ok(KnowledgePath { path: Vec::new() });
    };
    let read = call.engine.read()?;
    let edges = read.edges(&hops.iter().map(|hop| hop.edge).collect::<Vec<_>>())?;
    // From an entity to itself there is no step.
    let mut nodes = vec![call.engine.entity(&q.from, 1, 1)?.entity.node];
    nodes.extend(hops.iter().filter_map(|hop| match hop.to {
        PathNode::Entity { node, .. } => Some(node),
        PathNode::Memory { .. } => None,
    }));
    let entities = spelled(&call.engine, &read.entities(&nodes)?, None)?;
    let steps = relations(&call.engine, edges)?.into_iter().map(Some);
    let steps = std::iter::once(None).chain(steps);
    let path = entities.into_iter().zip(steps);
    Ok(KnowledgePath {
        path: path.map(|(entity, relationship)| KnowledgeStep { entity, relationship }).collect(),
    })
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

pub fn sources(call: &Call, q: ask::GraphSources) -> Outcome<KnowledgeSources> {
    q.limit.map(|limit| within("the limit", limit, 1, 1000)).transpose()?;
    within("the offset", q.offset, 0, 1_000_000)?;
    if let Some(kind) = q.r#type.as_deref().filter(|kind| !matches!(*kind, "memory" | "manual" | "crawl")) {
        let error = Error::invalid(format!("list sources of the type `{kind}`"), "there is no such type");
        return Err(error.hint("use memory, manual or crawl").into());
    }
    let mut sources = live_sources(&call.engine)?;
    let kind = q.r#type.as_deref().map(origin_kind).transpose()?;
    sources.retain(|view| kind.is_none_or(|kind| view.source.origin_kind() == kind));
    let total = sources.len();
    let page = sources.into_iter().skip(q.offset).take(q.limit.unwrap_or(total));
    Ok(KnowledgeSources { sources: page.map(KnowledgeSource::from).collect(), total })
}

pub fn source(call: &Call, q: ask::GraphSource) -> Outcome<KnowledgeSourceGraph> {
    within("the limit", q.limit, 1, 1000)?;
    let id = griot_wire::request::source(&call.engine, &q.source_id)?;
    let graph = call.engine.source_graph(id, q.limit)?;
    let read = call.engine.read()?;
    let mut nodes = read.source_memories(id, false)?;
    let chunk_total = nodes.len();
    nodes.truncate(q.limit);
    let chunk = |memory: Memory| KnowledgeChunk {
        id: memory.id.to_string(),
        content: memory.text,
        heading: memory.heading,
    };
    let entities: Vec<Entity> = graph.entities.into_iter().map(|(entity, _)| entity).collect();
    Ok(KnowledgeSourceGraph {
        source: graph.source.into(),
        entities: spelled(&call.engine, &entities, None)?,
        relationships: viewed(&call.engine, graph.relations)?,
        chunks: read.memories(&nodes)?.into_iter().map(chunk).collect(),
        entity_total: graph.entity_count,
        relationship_total: graph.relation_count,
        chunk_total,
    })
}

fn live_sources(engine: &Engine) -> Result<Vec<SourceView>> {
    Ok(engine.sources()?.into_iter().filter(|view| view.source.deleted_at.is_none()).collect())
}

impl From<SourceView> for KnowledgeSource {
    fn from(view: SourceView) -> Self {
        let hex = |hash: [u8; 32]| -> String { hash.iter().map(|byte| format!("{byte:02x}")).collect() };
        Self {
            source_id: view.source.id.to_string(),
            r#type: view.source.origin_kind().name().into(),
            kind: view.source.kind.name().into(),
            origin: view.source.origin,
            title: view.source.title,
            tags: view.source.tags,
            metadata: view.source.metadata,
            content_hash: view.source.content_hash.map(hex),
            chunk_count: view.memories,
            entity_count: view.entities,
            rel_count: view.edges,
            created_at: view.source.created_at.0,
            updated_at: view.source.updated_at.0,
        }
    }
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
    let mut origins = Origins::default();
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
            let origin = origins.of(engine, memory.source)?;
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
    viewed(engine, engine.edge_views(edges.into_iter().filter(is_relation).collect())?)
}

fn viewed(engine: &Engine, views: Vec<EdgeView>) -> Result<Vec<KnowledgeRelationship>> {
    let read = engine.read()?;
    let mut ids: Vec<MemoryId> =
        views.iter().flat_map(|view| &view.edge.evidence).filter_map(|evidence| evidence.memory).collect();
    ids.sort_unstable();
    ids.dedup();
    let names: Vec<NodeName<'_>> = ids.iter().map(|id| NodeName::Id(*id)).collect();
    let nodes: Vec<Node> = read.find(&names)?.into_iter().flatten().map(|found| found.node).collect();
    let mut origins = Origins::default();
    let mut memories = HashMap::new();
    for memory in read.memories(&nodes)?.into_iter().filter(|memory| memory.deleted_at.is_none()) {
        let origin = origins.of(engine, memory.source)?;
        memories.insert(memory.id, (memory.tags, origin));
    }
    Ok(views.into_iter().map(|view| related(view, &memories)).collect())
}

/// `memories`: tags and origins of the memories that are evidence and not forgotten.
fn related(
    view: EdgeView,
    memories: &HashMap<MemoryId, (Vec<String>, Option<String>)>,
) -> KnowledgeRelationship {
    let edge = view.edge;
    // What a forgotten memory says is not shown.
    let evidence = edge.evidence.iter().filter(|one| one.memory.is_none_or(|id| memories.contains_key(&id)));
    let evidence: Vec<&Evidence> = evidence.collect();
    let wordings = evidence.iter().filter_map(|one| one.quote.as_deref().or(one.reason.as_deref()));
    let mut wordings: Vec<&str> = each_once(wordings);
    wordings.truncate(WORDINGS);
    let stating: Vec<MemoryId> = each_once(evidence.iter().filter_map(|one| one.memory));
    let known = |id: &MemoryId| memories.get(id);
    let keywords = stating.iter().filter_map(known).flat_map(|(tags, _)| tags.iter().cloned());
    let files = stating.iter().filter_map(known).filter_map(|(_, origin)| origin.clone());
    KnowledgeRelationship {
        id: format!("e{}", edge.number),
        source_entity_id: id_of(&view.source),
        target_entity_id: id_of(&view.target),
        r#type: kind_of(&edge).to_string(),
        description: wordings.join("\n"),
        keywords: each_once(keywords),
        weight: edge.weight,
        confidence: view.confidence,
        provenance: edge.provenance.name().into(),
        expires_at: edge.expires_at.map(|at| at.0),
        source_chunk_ids: stating.iter().map(ToString::to_string).collect(),
        source_files: each_once(files),
        evidence: evidence
            .into_iter()
            .map(|one| KnowledgeEvidence {
                memory_id: one.memory.map(|id| id.to_string()),
                source_file: one.memory.and_then(|id| memories.get(&id)?.1.clone()),
                quote: one.quote.clone(),
                reason: one.reason.clone(),
                at: one.at.0,
            })
            .collect(),
    }
}

fn id_of(node: &PathNode) -> String {
    match node {
        PathNode::Entity { id, .. } | PathNode::Memory { id, .. } => id.clone(),
    }
}

/// Without repetitions, in the same order.
fn each_once<T: Clone + Eq + std::hash::Hash>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    all.filter(|one| seen.insert(one.clone())).collect()
}

/// Origins of sources, each read once.
#[derive(Default)]
struct Origins(HashMap<SourceId, Option<String>>);

impl Origins {
    fn of(&mut self, engine: &Engine, id: SourceId) -> Result<Option<String>> {
        if let Some(known) = self.0.get(&id) {
            return Ok(known.clone());
        }
        let origin = engine.read()?.source(id)?.map(|source| source.origin);
        self.0.insert(id, origin.clone());
        Ok(origin)
    }
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

/// The best connected entities.
pub fn hubs(call: &Call, q: ask::GraphHubs) -> Outcome<KnowledgeHubs> {
    within("the limit", q.limit, 1, 200)?;
    let kind = q.entity_type.as_deref().map(griot_wire::request::entity_type).transpose()?;
    let layers: Vec<Layer> = q.layer.as_deref().map(layer).transpose()?.into_iter().collect();
    let hubs = call.engine.hubs(kind, &layers, q.limit)?;
    Ok(KnowledgeHubs { hubs: hubs.iter().map(KnowledgeHub::new).collect() })
}
