//! The requests and answers of all verbs but `remember` and `recall`.

use crate::backend::{Counts, EdgeEnds};
use crate::model::{
    Edge, Entity, Fact, Handle, Memory, MemoryId, Merge, Offer, OfferState, OriginKind, Provenance, Revision,
    Source, Suggestion, Timestamp, Warning,
};
use crate::recall::{Hop, PathNode};
use crate::remember::candidates::Proposal;
use crate::rollout::{Credited, GateStatus, Mode, Report};

/// An edge with both ends described.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeView {
    pub edge: Edge,
    pub source: PathNode,
    pub target: PathNode,
    /// Faded confidence at the time of the request.
    pub confidence: f32,
    /// Words that language models gave for a relation; read for [`Engine::edge`](super::Engine::edge) alone.
    pub keywords: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Linked {
    pub edge: EdgeView,
    /// False if the edge existed and gained evidence.
    pub created: bool,
    pub warnings: Vec<Warning>,
}

/// `why`: the causes and consequences of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    pub start: PathNode,
    /// Nearest first; each with its path.
    pub causes: Vec<WhyStep>,
    pub consequences: Vec<WhyStep>,
    /// Edges that close a cycle of causes; they are reported, not followed.
    pub cycles: Vec<Vec<u32>>,
    /// The walk stopped at its budget.
    pub truncated: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct WhyStep {
    pub node: PathNode,
    pub depth: usize,
    /// Product of the hops' faded confidences.
    pub confidence: f32,
    /// In causal order: for causes from the cause to the start, for consequences from the start on.
    pub hops: Vec<Hop>,
    /// Some hop prevents instead of causing.
    pub prevents: bool,
}

/// A node that was reached, with its path (`related`, `traverse`, neighbourhoods).
#[derive(Clone, PartialEq, Debug)]
pub struct Related {
    pub node: PathNode,
    pub distance: usize,
    pub score: f32,
    pub path: Vec<Hop>,
}

/// `entity`.
#[derive(Clone, PartialEq, Debug)]
pub struct EntityView {
    pub entity: Entity,
    /// Edges with other entities and causal or semantic edges with memories.
    pub relations: Vec<EdgeView>,
    /// Memories that mention it, latest first, up to the requested number.
    pub mentions: Vec<Memory>,
    pub mention_count: u32,
    pub facts: Vec<FactView>,
    /// Entities within the requested hops, through relations and through shared memories.
    pub neighbourhood: Vec<Related>,
}

/// A pair of entities that may be one.
#[derive(Clone, PartialEq, Debug)]
pub struct MergeQuestion {
    /// The one that a merge keeps.
    pub kept: Entity,
    pub merged: Entity,
    /// Cosine of the vectors of their names.
    pub similarity: f32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FactView {
    pub fact: Fact,
    pub subject: PathNode,
    /// `None` for a literal.
    pub object: Option<PathNode>,
    /// True now, or at the requested time.
    pub current: bool,
    /// Numbers of facts about the same subject and predicate that hold at the same time and contradict it.
    pub contradicts: Vec<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Hub {
    pub entity: Entity,
    pub degree: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Timeline {
    pub before: Vec<Memory>,
    pub anchor: Option<Memory>,
    pub after: Vec<Memory>,
}

/// The graphs that `build-graphs` builds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GraphsToBuild {
    /// Least cosine of memories to join, 0..=1; `None` skips them.
    pub semantic: Option<f32>,
    /// The order in time over all sources, including documents.
    pub temporal: bool,
}

/// `build-graphs`: new rows and all rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuiltGraphs {
    /// Edges from memories to the topics of their tags.
    pub topics_added: u64,
    /// Steps in time between consecutive memories: those of one source, which are derived when read, and
    /// stored ones.
    pub temporal_total: u64,
    pub temporal_added: u64,
    /// Stored steps between memories that are no longer consecutive.
    pub temporal_removed: u64,
    pub semantic_added: u64,
    pub semantic_total: u64,
}

/// One line of `gc`: a suggestion, nothing is deleted.
#[derive(Clone, PartialEq, Debug)]
pub struct GcCandidate {
    pub memory: Memory,
    pub effective_importance: f32,
    pub degree: u32,
    pub reason: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SourceView {
    pub source: Source,
    pub memories: u32,
    pub entities: u32,
    pub edges: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    pub path: Option<String>,
    pub revision: Revision,
    pub counts: Counts,
    pub bytes: u64,
    /// Model of the stored vectors and of the embedder in use.
    pub stored_model: Option<String>,
    pub embedder: String,
    pub top_entities: Vec<Hub>,
    pub sources: u64,
    /// Kinds that have any.
    pub sources_by_kind: Vec<KindTally>,
    pub earliest: Option<Timestamp>,
    pub latest: Option<Timestamp>,
    /// Warnings of the verifier that are not acknowledged.
    pub open_warnings: u64,
}

/// `reindex --names`: how the names of the stored texts changed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NamesAgain {
    /// Texts in which names were looked for.
    pub memories: u64,
    pub entities_added: u64,
    /// Entities that nothing mentions any more.
    pub entities_removed: u64,
    pub mentions_added: u64,
    pub mentions_removed: u64,
    /// Entities whose mentions changed, most changed first.
    pub entities: Vec<NamedAgain>,
}

/// An entity that more or fewer memories mention than before.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedAgain {
    pub entity: Entity,
    pub added: u64,
    pub removed: u64,
}

/// The sources of one kind of origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindTally {
    pub kind: OriginKind,
    pub sources: u64,
    /// When one of them was last read, or last got a memory.
    pub updated_at: Timestamp,
}

/// The content of one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    pub revision: Revision,
    pub at: Timestamp,
    /// Id and handle of the memories that are new or changed, including forgotten ones.
    pub memories: Vec<(String, String)>,
    /// Canonical ids.
    pub entities: Vec<String>,
    /// Numbers of edges that are new or changed.
    pub edges: Vec<u32>,
    pub removed_edges: Vec<u32>,
}

/// `doctor`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Health {
    /// The problems, in sentences; empty if there are none.
    pub problems: Vec<String>,
    /// What was checked.
    pub checked: Vec<String>,
}

/// `merge A B`.
#[derive(Clone, PartialEq, Debug)]
pub struct MergeRequest {
    /// Any name of an entity. It keeps its name.
    pub kept: String,
    pub merged: String,
    pub reason: Option<String>,
    pub by: Provenance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    pub merge: Merge,
    /// The survivor after the merge.
    pub entity: Entity,
}

/// `merge --undo`.
#[derive(Clone, PartialEq, Debug)]
pub struct Unmerged {
    pub merge: Merge,
    /// Both entities after the undo.
    pub kept: Entity,
    pub merged: Entity,
    /// Number of edges and facts that moved back.
    pub edges: u32,
    pub facts: u32,
    /// What could not be separated, in sentences.
    pub inseparable: Vec<String>,
}

/// Two entities that may be the same thing, with both described.
#[derive(Clone, PartialEq, Debug)]
pub struct SuggestionView {
    pub suggestion: Suggestion,
    pub kept: Entity,
    pub merged: Entity,
}

/// An offer of `remember`, with both memories and what has become of it.
#[derive(Clone, PartialEq, Debug)]
pub struct OfferView {
    pub offer: Offer,
    pub newer: Memory,
    pub other: Memory,
    pub state: OfferState,
    /// When it was taken or refused.
    pub settled_at: Option<Timestamp>,
    pub proposal: Proposal,
}

/// `merges`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MergeLog {
    /// Latest first.
    pub merges: Vec<Merge>,
    /// Open suggestions, the most similar first.
    pub suggestions: Vec<SuggestionView>,
}

/// The result of comparing all names.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MergeScan {
    /// Number of compared names.
    pub names: u64,
    /// Merges that needed no confirmation.
    pub merged: Vec<Merge>,
    /// Number of new suggestions.
    pub suggested: u64,
}

/// The rollout with the graph that it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphStatus {
    pub rollout: Report,
    pub counts: Counts,
    /// Live entities without an edge.
    pub orphan_entities: u64,
    pub hubs: Vec<Hub>,
    /// The edges of each hub.
    pub ends: Vec<EdgeEnds>,
}

/// Why a mode was not set: the gate is not open.
#[derive(Clone, PartialEq, Debug)]
pub struct ModeRefused {
    pub mode: Mode,
    /// By code.
    pub reasons: Vec<&'static str>,
    pub status: GateStatus,
    pub window_hours: f64,
}

/// `feedback`.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedbackRequest {
    /// The id of an answer (`Recall::made`).
    pub answer: Option<String>,
    /// Handles or ids; empty for the answer as a whole.
    pub memories: Vec<String>,
    pub good: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FeedbackTaken {
    pub good: bool,
    /// Per memory its id and handle, and what it counts for.
    pub credited: Vec<(Option<(MemoryId, Handle)>, Credited)>,
}
