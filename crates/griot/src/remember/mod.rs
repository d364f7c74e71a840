//! The write path: extract, find candidates, associate.
//!
//! Everything here decides; nothing here writes. Given a view of the store under the writer's lock, drafts become one
//! ChangeSet and an answer.

mod draft;

pub use draft::{
    Action, CausalCandidate, Diff, DiffSuggestion, Draft, EdgeTally, EntityDraft, IngestTally, Remembered,
    SemanticCandidate, SourceDraft,
};
