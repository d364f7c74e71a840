//! Requests to a back end and their results. Requests are batches, because one may cost a network round trip.

use std::collections::{BTreeMap, HashSet};

use foldhash::fast::FixedState;

use crate::model::{
    Arc, Belief, Direction, Edge, EdgeKind, Entity, EntityType, Erasure, Fact, Interval, Layer, Memory,
    MemoryId, Merge, Node, Offer, Place, Placement, Provenance, Reading, ReadingTask, Revision, Scope,
    Source, SourceId, SourceType, StoredVector, Suggestion, Tier, Timestamp, TypeVotes, Warning, WordHits,
    WordQuery,
};

/// Selects the memories that a search may see. The default admits all live memories that are not superseded.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// Admits a memory whose user is this user or unset; the same for the project.
    pub scope: Scope,
    /// Empty means any.
    pub kinds: Vec<String>,
    /// Any of these layers, as derived from the kind; empty means any.
    pub layers: Vec<Layer>,
    /// A memory must have all of these.
    pub tags: Vec<String>,
    /// Any of these; empty means any.
    pub sources: Vec<SourceId>,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub occurred: Option<Interval>,
    pub superseded: bool,
    /// Excludes memories from the web ([`crate::model::Trust::Own`]).
    pub trusted: bool,
    /// Empty means any.
    pub tiers: Vec<Tier>,
    /// Hides what has expired by this time; with `None` nothing expires and confidence does not fade.
    pub now: Option<Timestamp>,
    pub belief: Belief,
}

/// The current revision of a store and values derived from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    pub revision: Revision,
    pub next: NextNumbers,
    /// Number of the next merge.
    pub next_merge: u32,
    /// Number of memories in the whole store, hidden ones included. Erased memories do not count, although
    /// their numbers stay used. Counted by the index; a back end leaves it 0.
    pub memories: u64,
    /// Number of indexed words in the texts of these memories. Counted by the index as well.
    pub words: u64,
    /// The embedder whose vectors the store holds, with its dimensions; `None` before the first vector.
    pub model: Option<(String, usize)>,
    /// Whether a live memory has the tier rule.
    pub has_rules: bool,
}

/// The next free number of each table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NextNumbers {
    pub memory: u32,
    pub entity: u32,
    pub source: u32,
    pub edge: u32,
    pub fact: u32,
    pub offer: u32,
}

/// Rows requested by number or key. Unknown rows are omitted from the answer.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Wanted<'a> {
    /// Memories and entities.
    pub nodes: &'a [Node],
    pub edges: &'a [u32],
    /// Edges by both ends (in either order), kind and label; returned after the edges by number.
    pub edge_keys: &'a [(Node, Node, EdgeKind, &'a str)],
    pub sources: &'a [SourceId],
    /// Sources by origin; returned after the sources by id.
    pub origins: &'a [(SourceType, &'a str)],
    pub vectors: &'a [Node],
    /// The memories among these that have a staged vector of this model, or are known to have none.
    pub staged: (&'a str, &'a [Node]),
    pub offers: &'a [u32],
    /// Memories and entities, as a drawing of the graph needs them: in less time than their rows.
    pub captions: &'a [Node],
    /// Edges by number, likewise.
    pub spans: &'a [u32],
    /// One answer each; the empty string for an unknown label.
    pub labels: &'a [u32],
    /// One answer each. A node is live if it is not forgotten. An entity also needs a live edge, or a
    /// supported fact whose ends are not forgotten.
    pub live: &'a [Node],
    /// One answer each. An edge is live if neither end is forgotten and its evidence supports it: there is no
    /// evidence that names a memory, some evidence names none, or at least one named memory is not forgotten.
    /// Searches, degrees and counts include live edges only.
    pub live_edges: &'a [u32],
}

/// Tables that can be scanned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    Memories,
    Entities,
    Edges,
    Facts,
    Sources,
    /// Number of memories, entities and edges per live source.
    Tallies,
    /// The log of merges, including undone ones.
    Merges,
    /// In every state.
    Suggestions,
    Offers,
    /// The latest first: `after` is the number that they are below, 0 for no bound.
    LatestOffers,
    /// What language models said, by memory, task and the memory that led to it. `after` is the number of a
    /// memory, `limit` counts memories.
    Readings,
    /// Live memories without a reading of their own for this task, by number, in `nodes`. With `after` 0 a
    /// store may begin behind those that it knows to be read.
    Unread(ReadingTask),
    /// Stored warnings of the verifier, ordered by first detection and id. A warning may no longer apply,
    /// because time has passed or its evidence has changed. It names nodes by number, including nodes that a
    /// scoped view hides.
    Warnings,
    /// Receipts of erasures.
    Erasures,
    /// Receipts whose files are not scrubbed yet. Read each time a store is opened, so the query reads no
    /// other rows.
    Unfinished,
}

/// Rows that refer to a given row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum About<'a> {
    /// All stored edges of these nodes, including edges to hidden nodes, by node, then by number.
    Edges(&'a [Node]),
    /// Facts with one of these as subject or object, by node, then by number.
    Facts(&'a [Node]),
    /// Warnings about any of these, in the order of [`Table::Warnings`].
    Warnings(&'a [Node]),
    /// Offers that name one of these memories or another one, live or forgotten, with the same text and
    /// scope, by number.
    Offers(&'a [Node]),
    /// What language models said about these memories, in the order of [`Table::Readings`].
    Readings(&'a [Node]),
    /// What language models said about other memories because one of these arrived, in the same order.
    ReadBy(&'a [Node]),
    /// Memories spoken by an entity, by number, in `nodes`. Scans all memories: meant for merges, not for
    /// answers.
    Spoken(Node),
    /// How often an entity was given each type, by type and by whether a caller gave it.
    Votes(Node),
    /// Memories of a source ordered by (session, ordinal, number), in `nodes`; with deleted ones on request.
    Source { id: SourceId, deleted: bool },
}

/// The requested rows; lists that were not requested are empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fetched {
    pub memories: Vec<Memory>,
    pub entities: Vec<Entity>,
    pub edges: Vec<Edge>,
    pub facts: Vec<Fact>,
    pub sources: Vec<Source>,
    pub tallies: Vec<SourceTally>,
    pub vectors: Vec<(Node, StoredVector)>,
    pub staged: Vec<Node>,
    pub labels: Vec<String>,
    pub live: Vec<bool>,
    pub live_edges: Vec<bool>,
    pub nodes: Vec<Node>,
    pub votes: Vec<TypeVotes>,
    pub merges: Vec<Merge>,
    pub suggestions: Vec<Suggestion>,
    pub offers: Vec<Offer>,
    pub captions: Vec<Caption>,
    pub spans: Vec<EdgeSpan>,
    pub readings: Vec<Reading>,
    pub warnings: Vec<Warning>,
    pub erasures: Vec<Erasure>,
}

/// What a drawing of the graph shows of a node. Of a memory it holds the beginning alone: texts may be long.
#[derive(Clone, PartialEq, Debug)]
pub struct Caption {
    pub node: Node,
    /// The type of an entity; `None` for a memory.
    pub kind: Option<EntityType>,
    /// The name of an entity, or the first [`Caption::BEGINNING`] characters of a memory.
    pub text: String,
    /// The handle of a memory, or the canonical id of an entity.
    pub name: String,
    /// Whose memory it is; entities are shared.
    pub scope: Scope,
    /// The source of a memory.
    pub source: Option<SourceId>,
    /// 1 to 5 for a memory, 0 for an entity.
    pub importance: u8,
    /// Another memory replaced it.
    pub superseded: bool,
    /// When a memory happened, or an entity was first seen.
    pub at: Timestamp,
}

impl Caption {
    /// Characters of a memory's text, enough for a line after white space was removed.
    pub const BEGINNING: usize = 200;
}

/// When an edge holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeSpan {
    pub edge: u32,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub has_evidence: bool,
}

/// All the ways to name a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NodeName<'a> {
    Id(MemoryId),
    /// `#a1b2c3`, or any longer or shorter prefix that is unique.
    Handle(&'a str),
    /// The latest live memory with this `content_hash`.
    Hash(&'a [u8; 16]),
    /// `type:key`: the entity with this canonical id, else the entities that had it formerly.
    Canonical(&'a str),
    /// A name or alias in normal form. Includes entities without live mentions, because a text that names one
    /// brings it back.
    Entity(&'a str),
    /// Entities of any type with this key, at most one per type, including hidden ones.
    Key(&'a str),
}

/// A node that matches a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    pub node: Node,
    /// Set for nodes found by `Entity` or `Key`.
    pub entity: Option<FoundEntity>,
}

/// Facts about a found entity that need no row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundEntity {
    pub kind: EntityType,
    pub hidden: bool,
    pub live: bool,
}

/// An entity with a given key, without its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyHolder {
    pub node: Node,
    pub kind: EntityType,
    pub hidden: bool,
}

/// A free value for a new memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Free<'a> {
    /// The next ordinal of a session, at most [`Memory::LAST_ORDINAL`].
    Ordinal { source: SourceId, session: Option<&'a str> },
    /// The digits of the shortest free handle for a new id.
    Handle(MemoryId),
}

/// Rows that the index reads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Which<'a> {
    All,
    /// Rows by number; unknown ones are left out.
    These(&'a [u32]),
}

/// A property of rows whose numbers the index asks for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Of<'a> {
    /// Memories with a tag, ascending.
    Tag(&'a str),
    /// Sources of a type, ascending.
    SourceType(SourceType),
    /// Live memories with the tier rule, most important first, then the latest recorded.
    Rules,
}

/// Searches that run together under one filter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Batch<'a> {
    pub filter: &'a Filter,
    pub words: &'a [WordQuery],
    /// Unit vectors, each with the number of nearest memories by cosine to return, best first.
    pub vectors: &'a [(&'a [f32], usize)],
    /// Unit vectors of the built-in embedder, each with the number of entities to return whose names are
    /// nearest, best first, among those that a visible memory mentions.
    pub names: &'a [(&'a [f32], usize)],
    pub lists: &'a [Listing],
    pub arcs: &'a [Frontier<'a>],
    pub look: Look<'a>,
}

impl<'a> Batch<'a> {
    /// An empty batch.
    pub const fn within(filter: &'a Filter) -> Self {
        let look = Look { nodes: &[], found: 0, placed: false, years: false, alike: &[], degrees: &[] };
        Self { filter, words: &[], vectors: &[], names: &[], lists: &[], arcs: &[], look }
    }
}

/// A list of memories in a defined order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Listing {
    /// The latest memories with an event time in the interval, in chronological order; at most this many.
    Within(Interval, usize),
    /// Memories in the order of recording, latest first.
    Latest(usize),
    /// Rules, most important first, then latest recorded first.
    Rules(usize),
    /// The memories just before this one in time (ties by number), in chronological order; at most this many.
    Before(Node, usize),
    After(Node, usize),
    /// Members of a session by ordinal, at most `limit` around an ordinal.
    Place {
        place: Place,
        around: u32,
        limit: usize,
    },
}

/// Nodes whose arcs are requested. An unknown node has none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frontier<'a> {
    pub nodes: &'a [Node],
    pub direction: Direction,
    /// The most arcs of each kind and direction per node, indexed by `EdgeKind as usize`; 0 excludes the
    /// kind. The heaviest come first, then the latest touched, then the smallest node. Memories outside the
    /// filter are neither returned nor traversed; edges that have expired or fall below the required
    /// confidence are excluded.
    pub fan_out: &'a [usize],
}

/// Further attributes of memories, live or not, that need no rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look<'a> {
    pub nodes: &'a [Node],
    /// Also describes this many of the first memories of each result list.
    pub found: usize,
    pub placed: bool,
    pub years: bool,
    /// Computes the cosine with each of these.
    pub alike: &'a [Like<'a>],
    /// Nodes whose stored edges are counted, except those expired by the filter's `now`.
    pub degrees: &'a [Node],
}

/// The other side of a cosine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Like<'a> {
    /// A unit vector.
    Vector(&'a [f32]),
    /// The vector of a memory.
    Memory(Node),
}

/// The results of a batch, each list in the order of its requests.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answers {
    pub words: Vec<WordHits>,
    pub vectors: Vec<Vec<(Node, f32)>>,
    pub names: Vec<Vec<(Node, f32)>>,
    pub lists: Vec<Vec<Node>>,
    pub arcs: Vec<Vec<Vec<Arc>>>,
    /// The described nodes: the requested ones, then the found ones, without duplicates.
    pub nodes: Vec<Node>,
    /// One for each of `nodes`.
    pub placements: Vec<Option<Placement>>,
    /// The years named in the text of each of `nodes`, ascending.
    pub years: Vec<Vec<i16>>,
    /// For each [`Like`] the cosine with each of `nodes`: `None` for a node without a vector; an empty list
    /// if the `Like` itself has none.
    pub alike: Vec<Vec<Option<f32>>>,
    pub degrees: Vec<u32>,
}

impl Answers {
    /// The nodes to describe: the requested ones, then the first memories of each list.
    pub fn looked_at(&self, look: &Look<'_>) -> Vec<Node> {
        let mut nodes = look.nodes.to_vec();
        if look.found == 0 {
            return nodes;
        }
        let mut known: HashSet<Node, FixedState> = nodes.iter().copied().collect();
        let words =
            self.words.iter().flat_map(|hits| hits.memories.iter().take(look.found).map(|hit| hit.node));
        let vectors =
            self.vectors.iter().flat_map(|hits| hits.iter().take(look.found).map(|(node, _)| *node));
        let lists = self.lists.iter().flat_map(|list| list.iter().take(look.found).copied());
        let arcs = self.arcs.iter().flatten().flat_map(|arcs| arcs.iter().take(look.found).map(|arc| arc.to));
        let found = words.chain(vectors).chain(lists).chain(arcs);
        nodes.extend(found.filter(|node| node.is_memory() && known.insert(*node)));
        nodes
    }
}

/// A query for entities, most connected first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityQuery<'a> {
    /// Matches entities whose name or alias contains this, in normal form, ranked by mentions. `None` ranks
    /// all entities that have edges by edges not expired at `now`.
    pub part: Option<&'a str>,
    pub kind: Option<EntityType>,
    pub limit: usize,
    pub now: Option<Timestamp>,
}

/// Counts per table: live entities and edges, live and deleted memories. The index counts the edges, the most
/// numerous; a back end leaves their counts empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub memories: u64,
    pub deleted_memories: u64,
    pub superseded_memories: u64,
    pub vectors: u64,
    pub entities: u64,
    pub edges: u64,
    pub facts: u64,
    pub sources: u64,
    /// Live memories that have expired; a back end has no clock, so the engine subtracts them.
    pub expired_memories: u64,
    /// The same for edges.
    pub expired_edges: u64,
    /// The earliest event time of a live memory.
    pub earliest: Option<Timestamp>,
    pub memories_by_kind: BTreeMap<String, u64>,
    pub entities_by_type: BTreeMap<String, u64>,
    pub edges_by_kind: BTreeMap<String, u64>,
    /// By provenance.
    pub edges_by_provenance: BTreeMap<String, u64>,
}

impl Counts {
    /// The counts without what has expired.
    pub fn without(mut self, over: Expired) -> Self {
        for (kind, expired) in over.memories {
            self.expired_memories += expired;
            if let Some(live) = self.memories_by_kind.get_mut(&kind) {
                *live = live.saturating_sub(expired);
            }
        }
        self.memories_by_kind.retain(|_, live| *live > 0);
        for ((kind, provenance), expired) in over.edges {
            self.expired_edges += expired;
            let affected = [
                self.edges_by_kind.get_mut(kind.name()),
                self.edges_by_provenance.get_mut(provenance.name()),
            ];
            affected.into_iter().flatten().for_each(|live| *live = live.saturating_sub(expired));
        }
        self.edges_by_kind.retain(|_, live| *live > 0);
        self.edges_by_provenance.retain(|_, live| *live > 0);
        self.edges = self.edges.saturating_sub(self.expired_edges);
        self.memories = self.memories.saturating_sub(self.expired_memories);
        self
    }
}

/// The number of expired live memories per kind, and of expired live edges per kind and provenance. The index
/// counts the edges; a back end leaves them empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expired {
    pub memories: BTreeMap<String, u64>,
    pub edges: BTreeMap<(EdgeKind, Provenance), u64>,
}

/// The size of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceTally {
    pub source: SourceId,
    /// Live memories.
    pub memories: u32,
    /// Entities mentioned by these memories.
    pub entities: u32,
    /// Stored edges that touch one of these memories.
    pub edges: u32,
}

/// References to a set of memories besides their own rows and edges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traces {
    /// Edges and facts with evidence from them, by number; may include edges that touch them.
    pub edges: Vec<u32>,
    pub facts: Vec<u32>,
    /// Other memories that one of them superseded.
    pub replaced: Vec<Node>,
    /// Sources without any other memory, hidden ones included.
    pub emptied: Vec<SourceId>,
    /// Number of other memories, hidden ones included, with the same text as one of them.
    pub same_texts: u64,
}
