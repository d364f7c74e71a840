//! The write path: extract, find candidates, associate.
//!
//! Everything here decides; nothing here writes. [`prepare`] reads a draft's text outside the writer's lock;
//! [`plan`] turns prepared drafts and a view of the store under the lock into one ChangeSet; [`candidates`]
//! looks at the result once more for what the caller should judge; [`merge`] decides what it means that two
//! entities are one, [`alike`] whether they may be.

pub mod alike;
pub mod candidates;
pub mod cause;
mod draft;
pub mod erase;
pub mod importance;
pub mod merge;
mod name;
pub mod plan;
pub mod prepare;
mod resolve;
pub(crate) mod topics;

pub use draft::{
    Action, CausalCandidate, Diff, DiffSuggestion, Draft, DraftFact, DraftLink, DraftObject, DraftPlace,
    EdgeTally, EntityDraft, IngestTally, Remembered, SemanticCandidate, SourceDraft,
};

pub use crate::settings::{RememberSettings, SecretPolicy};
pub use prepare::{checked_word, checked_words};
