//! What a write decided to do. One ChangeSet is one transaction is one revision (invariant 2).

use super::{Edge, EdgeKind, Entity, Fact, Memory, MemoryId, Node, Source, SourceId, StoredVector, Timestamp};

/// The number of a committed ChangeSet; 0 is the empty store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision(pub u64);

/// One step. Steps are applied in order; new memories, entities and sources carry the numbers that
/// `Read::next_numbers` handed out under the writer's lock.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Adds a source, or replaces title, tags, hash and times of the one with its id.
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
    /// Replaces the vector of a memory (`reindex`). The first vector of another model takes the store over: all of the model
    /// before are gone with it.
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
    /// Adds a fact, or replaces the one with its number; number 0 asks for a new one.
    PutFact(Fact),
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
