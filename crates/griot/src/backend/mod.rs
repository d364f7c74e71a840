//! The seam between what Griot decides and where it is kept.
//!
//! [`Read`] is what the pure parts (`recall`, `remember`, `graph`) may ask of a store; [`Backend`] adds the
//! one way to change it. Requests are batched: a traversal costs one call a hop, so that the same recall runs
//! on a store behind a network. Two implementations exist: [`sqlite`], the truth that users have, and
//! [`memory`], the oracle that the property tests compare it with.
//!
//! Invariants kept here: a ChangeSet is one transaction and one revision (2); scope is part of each search,
//! never a filter after it (6); every list has a defined order, ties broken by node (4).

#[macro_use]
mod answer;
mod arcless;
mod confined;
#[cfg(test)]
mod conformance;
pub mod faulty;
pub mod memory;
pub mod private;
pub mod sqlite;
mod telemetry;

pub use confined::Confined;
pub use telemetry::Telemetry;

use std::collections::BTreeMap;

pub use arcless::Arcless;

use crate::model::{
    ChangeSet, Edge, EdgeKind, Entity, EntityType, Erasure, ErasurePlan, Fact, Handle, Interval, Layer,
    Memory, MemoryId, Merge, Node, Provenance, Result, Revision, Scope, Source, SourceId, SourceType,
    StoredVector, Suggestion, Tier, Timestamp, TypeVotes, Warning,
};

/// Which memories a search may see. The default sees all live memories that nothing supersedes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// A memory is seen if its user is the asked one or nobody in particular; the same for the project.
    pub scope: Scope,
    /// Empty means any.
    pub kinds: Vec<String>,
    /// Of any of these layers, as far as the kind tells; empty means any.
    pub layers: Vec<Layer>,
    /// All of these.
    pub tags: Vec<String>,
    /// Any of these; empty means any.
    pub sources: Vec<SourceId>,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub occurred: Option<Interval>,
    pub superseded: bool,
    /// Nothing from the web ([`crate::model::Trust::Own`]).
    pub trusted: bool,
    /// Empty means any.
    pub tiers: Vec<Tier>,
    /// What has expired by then is not seen; with `None` nothing has expired and no confidence has faded.
    pub now: Option<Timestamp>,
    pub belief: Belief,
}

/// Which edges are believed: the others are neither followed nor counted for a cap. The default believes all.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Belief {
    /// The least confidence, faded to the filter's `now`.
    pub least: f32,
    /// The rate at which confidence fades, per day, indexed by `Family as usize`.
    pub decay: [f64; 4],
}

impl Belief {
    pub fn holds(
        &self,
        kind: EdgeKind,
        confidence: f32,
        touched_at: Timestamp,
        now: Option<Timestamp>,
    ) -> bool {
        let worth = |now| kind.faded(confidence, touched_at, now, self.decay[kind.family() as usize]);
        self.least <= 0.0 || now.map_or(confidence, worth) >= self.least
    }
}

/// What is searched for by words. Terms come from `text::query_terms`, already folded and stemmed.
#[derive(Clone, PartialEq, Debug)]
pub struct WordQuery {
    /// Distinct, at most 64, so that a memory's matches fit a `u64`.
    pub terms: Vec<String>,
    /// How many memories at most.
    pub limit: usize,
    /// How many places at most; 0 saves the work of scoring them.
    pub places: usize,
}

/// A memory that shares a term with the query. Scores are BM25 (k1 1.2, b 0.75) with the document frequencies
/// of the whole workspace (scope changes what is seen, not what a word is worth).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WordHit {
    pub node: Node,
    /// Over the bare text.
    pub body: f32,
    /// Over the text with its header: title, headings, speaker.
    pub full: f32,
    /// Over the header alone.
    pub header: f32,
    /// Bit `i` is set if term `i` of the query stands in text or header.
    pub matched: u64,
}

/// A (source, session) pair, numbered by the store from 1: the surroundings in which a memory is scored.
pub type Place = u32;

/// How many kinds of edge there are: the length of `NeighbourQuery::fan_out`.
pub const CATALOGUE_SIZE: usize = crate::model::CATALOGUE.len();

#[derive(Clone, PartialEq, Debug, Default)]
pub struct WordHits {
    /// The best by `full`, best first.
    pub memories: Vec<WordHit>,
    /// BM25 of whole places as if each were one text (bodies only), best first.
    pub places: Vec<(Place, f32)>,
    /// `ln(1 + (N − df + 0.5) / (df + 0.5))` per term of the query; 0 for a term that no memory has.
    pub idf: Vec<f32>,
}

/// What is known of a memory without reading its text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placement {
    pub node: Node,
    pub place: Place,
    pub source: SourceId,
    pub ordinal: u32,
    pub occurred_at: Timestamp,
    /// The entity that speaks.
    pub speaker: Option<Node>,
    /// Terms in the bare text.
    pub length: u32,
    /// The text ends in a question mark.
    pub asks: bool,
    pub superseded: bool,
    /// Earliest and latest year named in the text (1000..=2100), 0 if none; `years` has all of them.
    pub first_year: i16,
    pub last_year: i16,
}

/// One step from a node: an edge seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arc {
    /// The node at the other end.
    pub to: Node,
    /// The edge's number; 0 for one that is derived when read: backbone and proximity, which passages of
    /// documents do not have, since they happened at no time, and narrative.
    pub edge: u32,
    pub kind: EdgeKind,
    /// The number of the edge's label (`Read::label`); for derived temporal edges the sub-type's.
    pub label: u32,
    /// The edge runs from the asked node to `to`. Symmetric edges are forward from both ends.
    pub forward: bool,
    pub weight: f32,
    /// As stored; the reader lets it fade.
    pub confidence: f32,
    pub touched_at: Timestamp,
    pub provenance: Provenance,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Out,
    In,
    Both,
}

/// Which arcs of a frontier are wanted.
#[derive(Clone, Debug)]
pub struct NeighbourQuery<'a> {
    pub direction: Direction,
    /// At most this many arcs of each kind and direction per node, indexed by `EdgeKind as usize`; 0 leaves
    /// the kind out. The heaviest come first, then the latest touched, then the smallest node.
    pub fan_out: &'a [usize],
    /// Memories outside are neither returned nor stepped through, and edges that have expired or are not
    /// believed are not there.
    pub filter: &'a Filter,
}

/// How many of each there are: entities and edges live, memories live and deleted.
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
    /// Live ones whose time is over; back ends know no time, so whoever asks for the present counts them.
    pub expired_memories: u64,
    /// The same of edges.
    pub expired_edges: u64,
    pub memories_by_kind: BTreeMap<String, u64>,
    pub entities_by_type: BTreeMap<String, u64>,
    pub edges_by_kind: BTreeMap<String, u64>,
    /// By who says so.
    pub edges_by_provenance: BTreeMap<String, u64>,
}

/// What hangs on a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceTally {
    pub source: SourceId,
    /// Live memories.
    pub memories: u32,
    /// Entities that they mention.
    pub entities: u32,
    /// Stored edges with one of them at an end.
    pub edges: u32,
}

/// The numbers that the next new things take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextNumbers {
    pub memory: u32,
    pub entity: u32,
    pub source: u32,
    pub edge: u32,
    pub fact: u32,
}

/// An entity that holds a key, seen without its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyHolder {
    pub node: Node,
    pub kind: EntityType,
    pub hidden: bool,
}

/// What `find_nodes` was asked: everything a person may type to name a node.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeName<'a> {
    Id(MemoryId),
    /// `#a1b2c3`, or a longer or shorter piece of it that is unique.
    Handle(&'a str),
    /// `type:key`: the entity whose id it is; those that left it behind if there is none.
    Canonical(&'a str),
    /// A name or alias in normal form.
    Entity(&'a str),
}

/// A view of the store at one revision.
///
/// All lists that come back are in the order of the request unless a search says otherwise; unknown nodes are
/// left out of `memories`, `entities` and `edges`, and yield empty lists in `neighbours`.
pub trait Read {
    fn revision(&self) -> Revision;
    fn counts(&self) -> Result<Counts>;
    fn next_numbers(&self) -> Result<NextNumbers>;
    /// How many memories the whole store has, hidden ones too: what is erased does not count, as it does
    /// among the numbers.
    fn memory_count(&self) -> Result<u64>;
    /// The embedder whose vectors the store holds, with its dimensions; `None` before the first vector.
    fn vector_model(&self) -> Result<Option<(String, usize)>>;

    // Searches: complete within the filter.
    fn search_words(&self, query: &WordQuery, filter: &Filter) -> Result<WordHits>;
    /// The `limit` memories nearest by cosine, best first. `vector` has length 1.
    fn search_vectors(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<(Node, f32)>>;
    /// For each vector the `limit` memories with a cosine of at least `least`, best first, among those that
    /// its scope [may know](Scope::may_know): the bulk form for writes. It may miss a neighbour that is
    /// barely over the bound; the loss is measured (invariant 10).
    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>>;
    /// Cosine of each memory with `vector`; `None` where a memory has no vector.
    fn similarities(&self, vector: &[f32], memories: &[Node]) -> Result<Vec<Option<f32>>>;
    /// Memories whose event time lies inside, in the order of time; the `limit` latest.
    fn search_time(&self, interval: Interval, filter: &Filter, limit: usize) -> Result<Vec<Node>>;
    /// The `limit` memories that were recorded last, latest first.
    fn latest(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>>;
    /// The `before` and `after` memories next to one in time (ties by number), in the order of time, without
    /// itself.
    fn around(
        &self,
        memory: Node,
        before: usize,
        after: usize,
        filter: &Filter,
    ) -> Result<(Vec<Node>, Vec<Node>)>;

    // The graph.
    fn neighbours(&self, frontier: &[Node], ask: &NeighbourQuery<'_>) -> Result<Vec<Vec<Arc>>>;
    /// The rules that a filter lets through, most important first, then latest recorded first, at most
    /// `limit`.
    fn rules(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>>;
    /// How many live memories of each kind have expired by then.
    fn expired(&self, now: Timestamp) -> Result<BTreeMap<String, u64>>;
    /// How many live stored edges of each kind and provenance have expired by then.
    fn expired_edges(&self, now: Timestamp) -> Result<BTreeMap<(EdgeKind, Provenance), u64>>;
    /// How many stored edges each node has, those that have expired by `now` left out.
    fn degrees(&self, nodes: &[Node], now: Option<Timestamp>) -> Result<Vec<u32>>;
    /// The nodes with the most edges of a type (`None`: any entity), most first; edges that have expired by
    /// `now` do not count.
    fn hubs(
        &self,
        kind: Option<EntityType>,
        limit: usize,
        now: Option<Timestamp>,
    ) -> Result<Vec<(Node, u32)>>;
    fn label(&self, number: u32) -> Result<String>;

    // Places.
    fn placements(&self, memories: &[Node]) -> Result<Vec<Option<Placement>>>;
    /// Members of a place in the order of ordinals, live ones inside the filter, at most `limit` around
    /// `ordinal`.
    fn place_members(&self, place: Place, around: u32, limit: usize, filter: &Filter) -> Result<Vec<Node>>;
    /// The years that a memory's text names, ascending.
    fn years(&self, memories: &[Node]) -> Result<Vec<Vec<i16>>>;

    // Rows.
    fn memories(&self, nodes: &[Node]) -> Result<Vec<Memory>>;
    fn entities(&self, nodes: &[Node]) -> Result<Vec<Entity>>;
    fn edges(&self, numbers: &[u32]) -> Result<Vec<Edge>>;
    /// Whether each node is live: not forgotten, and for an entity, that a live edge or a fact touches it
    /// whose ends were not forgotten and which something speaks for. False for one that does not exist.
    fn live(&self, nodes: &[Node]) -> Result<Vec<bool>>;
    /// Whether each edge is live: neither end was forgotten, and something speaks for it: no evidence names a
    /// memory, some names none, or a memory that is named was not forgotten. Searches, degrees and counts
    /// know live edges only.
    fn live_edges(&self, numbers: &[u32]) -> Result<Vec<bool>>;
    /// All stored edges at a node, to hidden nodes too, by number.
    fn edges_of(&self, node: Node) -> Result<Vec<Edge>>;
    /// The edge under a key, with its evidence.
    fn edge_by_key(&self, source: Node, target: Node, kind: EdgeKind, label: &str) -> Result<Option<Edge>>;
    /// The live memory with this `content_hash`.
    fn memory_by_hash(&self, hash: &[u8; 16]) -> Result<Option<Node>>;
    /// All nodes that a name may mean, smallest first; forgotten ones only for `Id` and `Handle`.
    fn find_nodes(&self, name: &NodeName<'_>) -> Result<Vec<Node>>;
    /// For each normal name the entities that carry it as name or alias, those too that nothing live names: a
    /// text that names one brings it back. One call for all names of a text.
    fn find_entities(&self, names: &[String]) -> Result<Vec<Vec<(Node, EntityType)>>>;
    /// For each key the entities of any type that hold it, hidden ones too, by number: at most one of a type.
    fn key_holders(&self, keys: &[String]) -> Result<Vec<Vec<KeyHolder>>>;
    /// Entities whose name contains `part` (in normal form), most mentioned first.
    fn search_entities(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<Node>>;
    fn facts(&self, subject_or_object: Option<Node>) -> Result<Vec<Fact>>;
    fn source(&self, id: SourceId) -> Result<Option<Source>>;
    fn source_by_origin(&self, kind: SourceType, origin: &str) -> Result<Option<Source>>;
    fn sources(&self) -> Result<Vec<Source>>;
    /// Memories of a source in the order of (session, ordinal, number), deleted ones too if asked.
    fn source_memories(&self, source: SourceId, deleted: bool) -> Result<Vec<Node>>;
    /// How much hangs on each live source.
    fn source_tallies(&self) -> Result<Vec<SourceTally>>;
    /// The earliest event time of a live memory.
    fn earliest(&self) -> Result<Option<Timestamp>>;
    /// The ordinal that the next memory of a place takes, at most [`Memory::LAST_ORDINAL`].
    fn next_ordinal(&self, source: SourceId, session: Option<&str>) -> Result<u32>;

    // Walking everything, for export, `gc`, `verify`, `reindex`: at most `limit` after a number, ascending.
    fn memories_after(&self, number: u32, limit: usize) -> Result<Vec<Memory>>;
    fn entities_after(&self, number: u32, limit: usize) -> Result<Vec<Entity>>;
    fn edges_after(&self, number: u32, limit: usize) -> Result<Vec<Edge>>;
    fn vector(&self, memory: Node) -> Result<Option<StoredVector>>;
    // Merges.
    /// Memories that an entity speaks, by number. Looks at every memory: for merges, not for answers.
    fn spoken_by(&self, entity: Node) -> Result<Vec<Node>>;
    /// How often an entity was given each type, by type and whether a caller gave it.
    fn type_votes(&self, entity: Node) -> Result<Vec<TypeVotes>>;
    /// The log of merges, undone ones too: at most `limit` after a number, ascending.
    fn merges_after(&self, number: u32, limit: usize) -> Result<Vec<Merge>>;
    /// The number that the next merge takes.
    fn next_merge(&self) -> Result<u32>;
    /// All suggestions, whatever became of them, by number.
    fn suggestions(&self) -> Result<Vec<Suggestion>>;
    /// What the verifier noticed and is kept, by when it was first seen and id. A warning may be over: time
    /// passes, and so may what it rests on. It names nodes by their numbers, those too that a view of one
    /// scope does not show.
    fn warnings(&self) -> Result<Vec<Warning>>;
    /// Those among them that are about one of these nodes, in the same order.
    fn warnings_about(&self, nodes: &[Node]) -> Result<Vec<Warning>>;
    /// The shortest free handle for a new id.
    fn free_handle(&self, id: MemoryId) -> Result<Handle>;

    /// What else would know of memories if they were removed. Looks at every memory: for erasures, not for
    /// answers.
    fn traces_of(&self, memories: &[Node]) -> Result<Traces>;
}

/// What knows of some memories besides their own rows and the edges at them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traces {
    /// Edges and facts with evidence from them, by number; edges at them among these.
    pub edges: Vec<u32>,
    pub facts: Vec<u32>,
    /// Other memories that one of them replaced.
    pub replaced: Vec<Node>,
    /// Sources that hold no other memory, hidden ones counted.
    pub emptied: Vec<SourceId>,
    /// Other memories, hidden ones too, with the same text as one of them.
    pub same_texts: u64,
}

/// What a commit made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commit {
    pub revision: Revision,
    /// False if the plan was empty: nothing was written and the revision is the old one.
    pub changed: bool,
}

/// What one revision touched; rows say what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeNote {
    pub revision: Revision,
    pub at: Timestamp,
    /// Memories and entities, by number.
    pub nodes: Vec<Node>,
    /// Numbers of edges that are new or changed.
    pub edges: Vec<u32>,
    /// Numbers of edges that were removed.
    pub removed_edges: Vec<u32>,
}

/// A store that can be changed.
pub trait Backend: Read {
    /// Takes the writer's lock, catches up with other processes, lets `plan` decide on that state, and
    /// commits what it decided as one revision. If `plan` or the commit fails, nothing was changed.
    ///
    /// A lock that stays taken for longer than the busy timeout is an `ErrorKind::Conflict`.
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit>;

    /// Sees what other processes committed; returns the revision it is now at. Cheap when nothing happened.
    fn refresh(&self) -> Result<Revision>;

    /// The revisions after one, ascending, at most `limit`: what other processes committed among them.
    fn changes_after(&self, _since: Revision, _limit: usize) -> Result<Vec<ChangeNote>> {
        Err(crate::model::Error::unavailable("read the change log", "this store keeps none"))
    }

    /// Throws derived indexes away and builds them again from the rows.
    fn rebuild(&self) -> Result<()>;

    /// The store behind a view of one scope: for what follows from all rows and is told to nobody as it is.
    /// `None` for one that is no view.
    fn whole(&self) -> Option<&(dyn Backend + Send + Sync)> {
        None
    }

    /// Every write is refused: the file or its folder cannot be written.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Everything that is wrong with the store, in sentences; empty if it is sound. Compares rows with
    /// indexes.
    fn integrity(&self) -> Result<Vec<String>>;

    // Erasure: the rows go in one revision, then the files are rid of what they held.
    /// As [`Backend::write`], for a plan that removes rows for good; `None` writes nothing. The receipt is
    /// written with it and stays unfinished until [`Backend::finish_erasure`].
    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>,
    ) -> Result<Option<Erasure>>;
    /// Leaves no trace of erased rows in any file of the store; returns how many copies of the database it
    /// removed. `texts` are those that went, or `None` if nobody knows them any more. Fails with
    /// `ErrorKind::Conflict` while others still read the state before: nothing is lost by trying again.
    fn scrub(&self, texts: Option<&[String]>) -> Result<u64>;
    /// Writes that the files are rid of it, with what was counted besides the rows.
    fn finish_erasure(&self, erasure: &Erasure) -> Result<()>;
    /// All receipts, by number.
    fn erasures(&self) -> Result<Vec<Erasure>>;
    /// Receipts of erasures whose files are still to be rid of what went, by number. Asked whenever a store
    /// is opened, so it reads those alone.
    fn unfinished_erasures(&self) -> Result<Vec<Erasure>>;
    /// Heals what is wrong with rows where no text is lost by it, and builds derived indexes again. `keep`
    /// gets each row that is removed or changed, as it was, before anything is committed; if it fails,
    /// nothing was changed.
    fn repair(
        &self,
        _now: Timestamp,
        _keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>,
    ) -> Result<Repaired> {
        Ok(Repaired::default())
    }

    /// What is kept about the rollout of the graph, beside the memories.
    fn telemetry(&self) -> &dyn Telemetry;
    /// What the graph's status needs beside the counts; looks at every edge. Ends in the order of `entities`.
    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth>;
}

/// What a repair did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repaired {
    /// What was wrong, in sentences.
    pub healed: Vec<String>,
    /// How many rows were handed out before they were removed or changed.
    pub kept: usize,
}

/// A row as it was before a repair removed or changed it.
#[derive(Clone, PartialEq, Debug)]
pub struct RemovedRow {
    pub table: String,
    pub why: String,
    /// In the order of the table.
    pub columns: Vec<(String, Cell)>,
}

/// What stands in a column, whatever should stand there.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// How the graph is, for a status page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphHealth {
    /// Edges whose time is over.
    pub expired_edges: u64,
    /// Live entities without an edge.
    pub orphan_entities: u64,
    pub ends: Vec<EdgeEnds>,
}

/// Edges at one entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EdgeEnds {
    /// Memories that mention it.
    pub mentions: u64,
    /// Other edges from it and to it.
    pub outbound: u64,
    pub inbound: u64,
}
