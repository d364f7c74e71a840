//! The input of `remember`, and its answer.

use std::collections::BTreeMap;

use crate::model::{
    EdgeKind, EntityType, Handle, Lines, MemoryId, Predicate, Provenance, Scope, SourceId, SourceType, Tier,
    Timestamp, Warning,
};

/// A text to store. Everything but the text has a default.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Draft {
    pub text: String,
    /// Default `insight`; readers set `passage` or `turn`.
    pub kind: Option<String>,
    pub tags: Vec<String>,
    /// Default: `long_term`. A rule in a document is stored as `long_term`.
    pub tier: Option<Tier>,
    /// Default: never; for a working memory after `remember.working_hours`.
    pub expires_at: Option<Timestamp>,
    /// 1 to 5, default 3.
    pub importance: Option<u8>,
    pub scope: Scope,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub speaker: Option<String>,
    /// Default: now.
    pub occurred_at: Option<Timestamp>,
    /// Entities that the caller names, in addition to those that the rules find.
    pub entities: Vec<EntityDraft>,
    pub heading: Vec<String>,
    pub lines: Option<Lines>,
    /// Default: after the last one of the same source and session.
    pub ordinal: Option<u32>,
    /// The memory that this one replaces: id or handle.
    pub supersedes: Option<String>,
    /// It is a new version of the memory that it replaces: what a person linked with that one, or named with
    /// it, is linked with this one too.
    pub keeps_links: bool,
}

impl Draft {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// An entity that a caller names.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntityDraft {
    pub name: String,
    /// Unknown: the type of the one entity with that name, else `concept`.
    pub kind: Option<EntityType>,
    /// Distinguishes entities of one type whose name does not: `crate::module::Type::method`.
    pub key: Option<String>,
}

impl EntityDraft {
    pub fn named(name: impl Into<String>, kind: Option<EntityType>) -> Self {
        Self { name: name.into(), kind, key: None }
    }
}

/// The source of drafts.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SourceDraft {
    pub kind: SourceType,
    /// A path, an address, an agent's name. Identifies the source together with the kind.
    pub origin: String,
    pub title: Option<String>,
    /// Other names of what its title names.
    pub aliases: Vec<String>,
    /// The language that it declares, such as `en` or `pt-BR`.
    pub language: Option<String>,
    pub tags: Vec<String>,
    /// What its user noted of it, by name. A name that the source has already gets the new value.
    pub metadata: BTreeMap<String, String>,
    /// BLAKE3 of the content; unchanged content is not read again.
    pub content_hash: Option<[u8; 32]>,
    /// The origin is the path of the file that was read; false for content from a network or a pipe.
    pub from_disk: bool,
    /// The transcript of an agent's session, which only ever grows: what was forgotten or erased of it stays
    /// so when it is read again. It may begin with messages of another one, which are not stored again.
    pub is_session: bool,
    /// Edges between its drafts that the source states; sent with its last part.
    pub links: Vec<DraftLink>,
    /// Facts that its drafts state; sent with its last part.
    pub facts: Vec<DraftFact>,
}

/// An edge between two drafts of one source.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DraftLink {
    pub source: DraftPlace,
    pub target: DraftPlace,
    pub kind: EdgeKind,
    /// One of the kind's labels; any other one becomes the default.
    pub label: Option<String>,
    /// 0 to 1.
    pub weight: f32,
    /// 0 to 1. Default: that of the provenance.
    pub confidence: Option<f32>,
    /// Who stated it there. A source never has the provenance of this store's user.
    pub provenance: Provenance,
    pub reason: Option<String>,
    /// When it was stated. Default: now.
    pub at: Option<Timestamp>,
}

impl DraftLink {
    /// With the defaults of an import.
    pub fn new(source: DraftPlace, target: DraftPlace, kind: EdgeKind) -> Self {
        Self {
            source,
            target,
            kind,
            label: None,
            weight: 1.0,
            confidence: None,
            provenance: Provenance::Import,
            reason: None,
            at: None,
        }
    }
}

/// A fact that a draft of the source states. Its subject, and its object if that is an entity, are among the
/// entities that the draft names.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DraftFact {
    /// The draft that states it.
    pub said_by: DraftPlace,
    /// Another draft from which it was concluded, and the words there.
    pub drawn_from: Option<(DraftPlace, Option<String>)>,
    pub subject: EntityDraft,
    pub predicate: Predicate,
    pub object: DraftObject,
    pub valid_from: Option<Timestamp>,
    pub valid_to: Option<Timestamp>,
    /// 0 to 1.
    pub confidence: f32,
    /// When it was stated. Default: now.
    pub at: Option<Timestamp>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DraftObject {
    Entity(EntityDraft),
    Literal(String),
}

/// The position of a draft in its source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DraftPlace {
    pub session: Option<String>,
    pub ordinal: u32,
}

impl SourceDraft {
    pub fn new(kind: SourceType, origin: impl Into<String>) -> Self {
        Self {
            kind,
            origin: origin.into(),
            title: None,
            aliases: Vec::new(),
            language: None,
            tags: Vec::new(),
            metadata: BTreeMap::new(),
            content_hash: None,
            from_disk: false,
            is_session: false,
            links: Vec::new(),
            facts: Vec::new(),
        }
    }
}

named! {
    Action {
        Added = "added",
        /// The same text already existed in the same scope; the answer names it.
        Skipped = "skipped",
        /// The same text already existed in the same scope, and now has what the draft says beside it: tier
        /// and expiry, tags, names and what it replaces.
        Updated = "updated",
    }

    /// How a new memory relates to the most similar one. Only a suggestion; nothing is changed.
    DiffSuggestion {
        Add = "add",
        Duplicate = "duplicate",
        Conflict = "conflict",
        Update = "update",
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Diff {
    pub suggestion: DiffSuggestion,
    /// The memory it was compared with; `None` for `Add` without a neighbour.
    pub with: Option<(MemoryId, Handle)>,
    /// 0..1
    pub similarity: f32,
    pub reason: String,
}

/// Number of edges of a write, by family. Temporal ones are derived when read, and counted here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EdgeTally {
    pub temporal: u32,
    pub entity: u32,
    pub causal: u32,
    pub semantic: u32,
}

/// A memory similar to the new one; the caller decides whether to link them.
#[derive(Clone, PartialEq, Debug)]
pub struct SemanticCandidate {
    pub id: MemoryId,
    pub handle: Handle,
    pub text: String,
    pub kind: String,
    /// Cosine, or word overlap where there are no vectors.
    pub similarity: f32,
    /// An edge was created automatically.
    pub auto_linked: bool,
    pub reason: String,
}

/// An earlier memory that the new one may replace; the caller decides.
#[derive(Clone, PartialEq, Debug)]
pub struct UpdateCandidate {
    pub id: MemoryId,
    pub handle: Handle,
    pub text: String,
    pub kind: String,
    pub occurred_at: Timestamp,
    /// How likely both state one property of one thing, 0..=1.
    pub probability: f32,
    /// The new memory corrects it in so many words that the replacement is noted at once.
    pub noted: bool,
    pub reason: String,
    /// The id of the offer; `None` if it could not be kept.
    pub offer: Option<String>,
}

/// A memory that may have caused the new one, or followed from it.
#[derive(Clone, PartialEq, Debug)]
pub struct CausalCandidate {
    pub id: MemoryId,
    pub handle: Handle,
    pub text: String,
    pub kind: String,
    /// 1 or 2: distance in the graph; 0 if it is further.
    pub hop: u8,
    /// The kind of edge that leads to it, `latest`, or `alike` (common words or a near vector).
    pub via: &'static str,
    /// Share of common words, 0..1.
    pub signal: f32,
    /// How likely the two are cause and effect, 0..1; the candidates are ordered by it.
    pub probability: f32,
    pub suggested_sub_type: &'static str,
    /// The suggested edge runs from the candidate to the new memory (the candidate is the cause).
    pub candidate_is_cause: bool,
    pub reason: String,
    /// The id of the offer; `None` if it could not be kept.
    pub offer: Option<String>,
}

/// The answer to `remember`.
#[derive(Clone, PartialEq, Debug)]
pub struct Remembered {
    pub id: MemoryId,
    pub handle: Handle,
    pub action: Action,
    pub kind: String,
    pub tags: Vec<String>,
    pub tier: Tier,
    pub expires_at: Option<Timestamp>,
    pub importance: u8,
    pub text: String,
    pub occurred_at: Timestamp,
    pub source: SourceId,
    /// Canonical ids and names of the mentioned entities.
    pub entities: Vec<(String, String)>,
    pub edges: EdgeTally,
    pub diff: Diff,
    pub update_candidates: Vec<UpdateCandidate>,
    pub semantic_candidates: Vec<SemanticCandidate>,
    pub causal_candidates: Vec<CausalCandidate>,
    /// The memory has a vector.
    pub embedded: bool,
    /// Importance now, by the formula of `gc`.
    pub effective_importance: f32,
    pub warnings: Vec<Warning>,
}

/// The result of reading a source again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IngestTally {
    pub added: u32,
    /// Added memories with a risky text ([`crate::text::alerts`]).
    pub flagged: u32,
    /// Already in the same source.
    pub kept: u32,
    /// Equal text in another source of the same scope.
    pub skipped: u32,
    /// No longer in the source.
    pub removed: u32,
    pub entities: u32,
    pub edges: u32,
    /// Open warnings of the verifier about what was written.
    pub warnings: u32,
}
