//! The write path: extract, find candidates, associate.
//!
//! Everything here decides; nothing here writes. [`prepare`] reads a draft's text outside the writer's lock; [`plan`] turns
//! prepared drafts and a view of the store under the lock into one ChangeSet; [`candidates`] looks at the result once more
//! for what the caller should judge.

pub mod candidates;
pub mod cause;
mod draft;
pub mod importance;
pub mod plan;
pub mod prepare;
mod resolve;

pub use draft::{
    Action, CausalCandidate, Diff, DiffSuggestion, Draft, EdgeTally, EntityDraft, IngestTally, Remembered,
    SemanticCandidate, SourceDraft,
};

pub use crate::settings::RememberSettings;
