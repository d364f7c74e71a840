//! The changes that a write decided on. One ChangeSet is one transaction is one revision (invariant 2).

use super::{
    Edge, EdgeKind, Entity, EntityType, Fact, Memory, MemoryId, Merge, Node, Offer, Reading, Source,
    SourceId, StoredVector, Suggestion, Tier, Timestamp, Warning, WarningId,
};

/// The number of a committed ChangeSet; 0 is the empty store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision(pub u64);

/// One step. Steps are applied in order; new memories, entities and sources have numbers from
/// `Read::next_numbers`, taken under the writer's lock.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Adds a source, or replaces all but the kind of the one with its id. Kind and origin are unique
    /// together.
    PutSource(Source),
    AddMemory {
        memory: Box<Memory>,
        vector: Option<StoredVector>,
    },
    /// Gives a memory another ordinal in its source, or other lines, after the file around it changed.
    MoveMemory {
        memory: Node,
        ordinal: u32,
        lines: Option<super::Lines>,
    },
    /// Gives a memory the tags that it does not have yet, behind its own.
    AddTags {
        memory: Node,
        tags: Vec<String>,
    },
    /// Replaces the vector of a memory (`reindex`). The first vector of another model removes all vectors of
    /// the previous one.
    SetVector {
        memory: Node,
        vector: StoredVector,
    },
    /// Keeps vectors of a model aside until [`Change::TakeStaged`]; they have one length. `None` says that
    /// the text has no vector. A memory that does not exist any more is left out.
    StageVectors {
        model: String,
        vectors: Vec<StagedVector>,
    },
    /// Gives memories the vectors that are staged for a model, and removes all that are staged. If the model
    /// is another one than before, all vectors of that one are removed first. Refused if the store would lose
    /// all of its vectors.
    TakeStaged {
        model: String,
    },
    /// Hides a memory, entity or source, or restores it with `None`.
    SetDeleted {
        target: Deletable,
        at: Option<Timestamp>,
    },
    SetSuperseded {
        memory: Node,
        by: Option<MemoryId>,
    },
    /// Gives a memory another tier and another expiry.
    SetTier {
        memory: Node,
        tier: Tier,
        expires_at: Option<Timestamp>,
    },
    /// A caller asked for this very memory.
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
    /// Writes an edge as it is under its own number; later numbers continue above it. Used when a merge of
    /// entities changes the ends of edges, when its undo restores edges, and when an import into an empty
    /// store keeps numbers. The key must be free or the edge's own.
    SetEdge(Edge),
    /// Gives a memory another speaker, after entities were merged or separated.
    SetSpeaker {
        memory: Node,
        entity: Option<Node>,
    },
    /// Adds to (or with a negative number subtracts from) the number of times that an entity was given a
    /// type; never below 0.
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
    /// Adds an offer, or replaces the one with its number.
    PutOffer(Offer),
    /// Adds what a language model said, or replaces what it said of the same memory for the same task by the
    /// same memory.
    PutReading(Box<Reading>),
    /// Adds a fact, or replaces the one with its number; number 0 asks for a new one.
    PutFact(Fact),
    /// Removes a hidden or live row for good, with everything that depends on it alone: tags, vector,
    /// aliases, type counts, offers, readings. Earlier changes of the set remove the edges, facts and merges
    /// that name it. The number is never assigned again.
    Erase(Erasable),
    /// Replaces a merge of the log, including its undo.
    RewriteMerge(Box<Merge>),
    /// Stores a warning, or replaces the one with its id.
    PutWarning(Box<Warning>),
    /// Removes a warning; does nothing if there is none.
    RemoveWarning(WarningId),
}

/// A vector in the making: its memory, and `None` for a text without one.
pub type StagedVector = (Node, Option<StoredVector>);

impl Change {
    pub fn removal(edge: &Edge) -> Self {
        let Edge { source, target, kind, .. } = *edge;
        Self::RemoveEdge { source, target, kind, label: edge.label.clone() }
    }
}

/// A row that can be removed for good.
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
