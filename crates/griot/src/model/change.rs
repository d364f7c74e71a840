//! What a write decided to do. One ChangeSet is one transaction is one revision (invariant 2).

use super::{
    Edge, EdgeKind, Entity, EntityType, Fact, Memory, MemoryId, Merge, Node, Source, SourceId, StoredVector,
    Suggestion, Tier, Timestamp, Warning, WarningId,
};

/// The number of a committed ChangeSet; 0 is the empty store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision(pub u64);

/// One step. Steps are applied in order; new memories, entities and sources carry the numbers that
/// `Read::next_numbers` handed out under the writer's lock.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Adds a source, or replaces all but the kind of the one with its id. No two sources have one kind and
    /// origin.
    PutSource(Source),
    AddMemory {
        memory: Box<Memory>,
        vector: Option<StoredVector>,
    },
    /// Gives a memory another place in its source, or other lines, after the file around it changed.
    MoveMemory {
        memory: Node,
        ordinal: u32,
        lines: Option<super::Lines>,
    },
    /// Replaces the vector of a memory (`reindex`). The first vector of another model takes the store over:
    /// all of the model before are gone with it.
    SetVector {
        memory: Node,
        vector: StoredVector,
    },
    /// Hides a memory, entity or source, or brings it back with `None`.
    SetDeleted {
        target: Deletable,
        at: Option<Timestamp>,
    },
    SetSuperseded {
        memory: Node,
        by: Option<MemoryId>,
    },
    /// Gives a memory another tier and another end.
    SetTier {
        memory: Node,
        tier: Tier,
        expires_at: Option<Timestamp>,
    },
    /// A caller looked at this memory itself.
    Touch {
        memory: Node,
        at: Timestamp,
        count: u32,
    },
    /// Adds an entity, or replaces the one with its node number.
    PutEntity(Entity),
    /// Adds the edge or merges it into the one with its key (`Edge::merge`). The edge's number is ignored.
    PutEdge(Edge),
    RemoveEdge {
        source: Node,
        target: Node,
        kind: EdgeKind,
        label: String,
    },
    /// Writes an edge exactly as it is under its own number, above which the next ones go on: a merge of
    /// entities gives edges other ends, its undo brings edges back, an import into an empty store keeps
    /// numbers. The key must be free or its own.
    SetEdge(Edge),
    /// Gives a memory another speaking entity, after entities were merged or parted.
    SetSpeaker {
        memory: Node,
        entity: Option<Node>,
    },
    /// Adds to (or with a negative number takes from) the times that an entity was given a type; never below
    /// 0.
    CountType {
        entity: Node,
        kind: EntityType,
        given: bool,
        times: i64,
    },
    /// Adds a merge to the log, or replaces the one with its number.
    PutMerge(Box<Merge>),
    /// Adds a suggestion, or replaces the one with its number.
    PutSuggestion(Suggestion),
    /// Adds a fact, or replaces the one with its number; number 0 asks for a new one.
    PutFact(Fact),
    /// Removes a hidden or live row for good, with all that hangs on it alone: tags, vector, aliases, counts
    /// of types. Edges, facts and merges that name it are removed by changes of their own before. The number
    /// is never handed out again.
    Erase(Erasable),
    /// Replaces a merge of the log, what undoes it included.
    RewriteMerge(Box<Merge>),
    /// Keeps a warning, or replaces the one with its id.
    PutWarning(Box<Warning>),
    /// Lets a warning go; nothing happens where there is none.
    RemoveWarning(WarningId),
}

/// What can be removed for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Erasable {
    Node(Node),
    Source(SourceId),
    Fact(u32),
    Merge(u32),
    Suggestion(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deletable {
    Node(Node),
    Source(SourceId),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct ChangeSet {
    pub at: Timestamp,
    pub changes: Vec<Change>,
}
