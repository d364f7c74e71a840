//! What a back end is asked, and what it answers: requests are batches, so that one of them may cost a trip
//! over a network.

use std::collections::{BTreeMap, HashSet};

use foldhash::fast::FixedState;

use crate::model::{
    Arc, Belief, Direction, Edge, EdgeKind, Entity, EntityType, Erasure, Fact, Interval, Layer, Memory,
    MemoryId, Merge, Node, Place, Placement, Provenance, Revision, Scope, Source, SourceId, SourceType,
    StoredVector, Suggestion, Tier, Timestamp, TypeVotes, Warning, WordHits, WordQuery,
};

/// Which memories a search may see. The default sees all live memories that nothing supersedes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// A memory is seen if its user is the asked one or none; the same for the project.
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

/// The present revision of a store, and what follows from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    pub revision: Revision,
    pub next: NextNumbers,
    /// The number that the next merge takes.
    pub next_merge: u32,
    /// How many memories the whole store has, hidden ones too: what is erased does not count, as it does
    /// among the numbers.
    pub memories: u64,
    /// The embedder whose vectors the store holds, with its dimensions; `None` before the first vector.
    pub model: Option<(String, usize)>,
    /// There is a live memory of the tier of rules.
    pub has_rules: bool,
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

/// Rows that are wanted by what they are known by. What is unknown is left out of the answer.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Wanted<'a> {
    /// Memories and entities.
    pub nodes: &'a [Node],
    pub edges: &'a [u32],
    /// Edges by their ends in either order, kind and label; they follow those by number.
    pub edge_keys: &'a [(Node, Node, EdgeKind, &'a str)],
    pub sources: &'a [SourceId],
    /// Sources by where they come from; they follow those by id.
    pub origins: &'a [(SourceType, &'a str)],
    pub vectors: &'a [Node],
    /// Each has an answer: the empty string for an unknown one.
    pub labels: &'a [u32],
    /// Each has an answer. A node is live if it was not forgotten and, for an entity, a live edge or a fact
    /// touches it whose ends were not forgotten and which something speaks for.
    pub live: &'a [Node],
    /// Each has an answer. An edge is live if neither end was forgotten and something speaks for it: no
    /// evidence names a memory, some names none, or a memory that is named was not forgotten. Searches,
    /// degrees and counts know live edges only.
    pub live_edges: &'a [u32],
}

/// Kinds of rows that can be walked through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    Memories,
    Entities,
    Edges,
    Facts,
    Sources,
    /// How much hangs on each live source.
    Tallies,
    /// The log of merges, undone ones too.
    Merges,
    /// Whatever became of them.
    Suggestions,
    /// What the verifier noticed and is kept, by when it was first seen and id. A warning may be over: time
    /// passes, and so may what it rests on. It names nodes by their numbers, those too that a view of one
    /// scope does not show.
    Warnings,
    /// Receipts of erasures.
    Erasures,
    /// Those among them whose files are still to be rid of what went. Asked whenever a store is opened, so
    /// nothing else is read for it.
    Unfinished,
}

/// What hangs on something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum About<'a> {
    /// All stored edges at these nodes, to hidden nodes too, node by node and by number.
    Edges(&'a [Node]),
    /// Facts with one of these as subject or object, node by node and by number.
    Facts(&'a [Node]),
    /// Warnings about any of these, in the order of [`Table::Warnings`].
    Warnings(&'a [Node]),
    /// Memories that an entity speaks, by number, as `nodes`. Looks at every memory: for merges, not for
    /// answers.
    Spoken(Node),
    /// How often an entity was given each type, by type and whether a caller gave it.
    Votes(Node),
    /// Memories of a source in the order of (session, ordinal, number), as `nodes`; deleted ones too if asked.
    Source { id: SourceId, deleted: bool },
}

/// Rows that were asked for; what was not asked for is empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fetched {
    pub memories: Vec<Memory>,
    pub entities: Vec<Entity>,
    pub edges: Vec<Edge>,
    pub facts: Vec<Fact>,
    pub sources: Vec<Source>,
    pub tallies: Vec<SourceTally>,
    pub vectors: Vec<(Node, StoredVector)>,
    pub labels: Vec<String>,
    pub live: Vec<bool>,
    pub live_edges: Vec<bool>,
    pub nodes: Vec<Node>,
    pub votes: Vec<TypeVotes>,
    pub merges: Vec<Merge>,
    pub suggestions: Vec<Suggestion>,
    pub warnings: Vec<Warning>,
    pub erasures: Vec<Erasure>,
}

/// Everything that a node may be called.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NodeName<'a> {
    Id(MemoryId),
    /// `#a1b2c3`, or a longer or shorter piece of it that is unique.
    Handle(&'a str),
    /// The first live memory with this `content_hash`.
    Hash(&'a [u8; 16]),
    /// `type:key`: the entity whose id it is; those that left it behind if there is none.
    Canonical(&'a str),
    /// A name or alias in normal form: those too that nothing live names, since a text that names one brings
    /// it back.
    Entity(&'a str),
    /// The key of an entity of any type, at most one of a type; hidden ones too.
    Key(&'a str),
}

/// A node that a name may mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    pub node: Node,
    /// Said of what was found by `Entity` or `Key`.
    pub entity: Option<FoundEntity>,
}

/// What is known of an entity that was found, without its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundEntity {
    pub kind: EntityType,
    pub hidden: bool,
    pub live: bool,
}

/// An entity that holds a key, seen without its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyHolder {
    pub node: Node,
    pub kind: EntityType,
    pub hidden: bool,
}

/// What is still to be had for a new memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Free<'a> {
    /// The ordinal that the next memory of a place takes, at most [`Memory::LAST_ORDINAL`].
    Ordinal { source: SourceId, session: Option<&'a str> },
    /// The digits of the shortest free handle for a new id.
    Handle(MemoryId),
}

/// Searches that are asked together, within one filter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Batch<'a> {
    pub filter: &'a Filter,
    pub words: &'a [WordQuery],
    /// For each vector of length 1 so many memories nearest by cosine, best first.
    pub vectors: &'a [(&'a [f32], usize)],
    pub lists: &'a [Listing],
    pub arcs: &'a [Frontier<'a>],
    pub look: Look<'a>,
}

impl<'a> Batch<'a> {
    /// A batch that asks for nothing yet.
    pub const fn within(filter: &'a Filter) -> Self {
        let look = Look { nodes: &[], found: 0, placed: false, years: false, alike: &[], degrees: &[] };
        Self { filter, words: &[], vectors: &[], lists: &[], arcs: &[], look }
    }
}

/// Memories in some order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Listing {
    /// Those whose event time lies inside, in the order of time; so many latest.
    Within(Interval, usize),
    /// Those that were recorded last, latest first.
    Latest(usize),
    /// Rules, most important first, then latest recorded first.
    Rules(usize),
    /// So many before one in time (ties by number), in the order of time.
    Before(Node, usize),
    After(Node, usize),
    /// Members of a place in the order of ordinals, at most `limit` around an ordinal.
    Place {
        place: Place,
        around: u32,
        limit: usize,
    },
}

/// Nodes whose arcs are wanted. An unknown node has none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frontier<'a> {
    pub nodes: &'a [Node],
    pub direction: Direction,
    /// At most this many arcs of each kind and direction per node, indexed by `EdgeKind as usize`; 0 leaves
    /// the kind out. The heaviest come first, then the latest touched, then the smallest node. Memories
    /// outside the filter are neither returned nor stepped through, and edges that have expired or are not
    /// believed are not there.
    pub fan_out: &'a [usize],
}

/// What else is to be said of memories, live or not, without reading their rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look<'a> {
    pub nodes: &'a [Node],
    /// Said, too, of the first so many memories of each list that is found.
    pub found: usize,
    pub placed: bool,
    pub years: bool,
    /// The cosine with each of these.
    pub alike: &'a [Like<'a>],
    /// Nodes whose stored edges are counted, those left out that have expired by the filter's `now`.
    pub degrees: &'a [Node],
}

/// What memories are compared with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Like<'a> {
    /// A vector of length 1.
    Vector(&'a [f32]),
    /// The vector of a memory.
    Memory(Node),
}

/// What a batch found, each list in the order of its requests.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answers {
    pub words: Vec<WordHits>,
    pub vectors: Vec<Vec<(Node, f32)>>,
    pub lists: Vec<Vec<Node>>,
    pub arcs: Vec<Vec<Vec<Arc>>>,
    /// What was looked at: the nodes that were named, then those that were found, each once.
    pub nodes: Vec<Node>,
    /// One for each of `nodes`.
    pub placements: Vec<Option<Placement>>,
    /// The years that the text of each of `nodes` names, ascending.
    pub years: Vec<Vec<i16>>,
    /// For each that was compared with, the cosine of each of `nodes`; `None` where one has no vector, and an
    /// empty list where the one that was compared with has none.
    pub alike: Vec<Vec<Option<f32>>>,
    pub degrees: Vec<u32>,
}

impl Answers {
    /// Which memories are looked at.
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

/// Entities, the most connected first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityQuery<'a> {
    /// The name or an alias contains this, in normal form: counted by mentions. `None`: counted by edges that
    /// have not expired by `now`, and only those with any.
    pub part: Option<&'a str>,
    pub kind: Option<EntityType>,
    pub limit: usize,
    pub now: Option<Timestamp>,
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
    /// Live ones whose time is over; back ends know no time, so the engine subtracts them.
    pub expired_memories: u64,
    /// The same of edges.
    pub expired_edges: u64,
    /// The first event time of a live memory.
    pub earliest: Option<Timestamp>,
    pub memories_by_kind: BTreeMap<String, u64>,
    pub entities_by_type: BTreeMap<String, u64>,
    pub edges_by_kind: BTreeMap<String, u64>,
    /// By who says so.
    pub edges_by_provenance: BTreeMap<String, u64>,
}

/// How many live memories of each kind, and live stored edges of each kind and provenance, have expired.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expired {
    pub memories: BTreeMap<String, u64>,
    pub edges: BTreeMap<(EdgeKind, Provenance), u64>,
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
