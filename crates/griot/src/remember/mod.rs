//! The write path: extract, find candidates, associate.
//!
//! Everything here decides; nothing here writes. [`prepare`] reads a draft's text outside the writer's lock;
//! [`plan`] turns prepared drafts and a view of the store under the lock into one ChangeSet; [`candidates`]
//! suggests what the caller should judge about the result; [`merge`] decides what a merge of two entities
//! changes, [`alike`] whether two names may be merged; `edges`, `facts`, `forget`, `import`, `reread` and
//! `stated` decide for the verbs with those names and for the sources that are read again.

pub mod alike;
pub mod candidates;
pub mod cause;
mod draft;
pub(crate) mod edges;
pub mod erase;
pub(crate) mod facts;
pub(crate) mod forget;
pub(crate) mod import;
pub mod importance;
pub mod merge;
mod name;
pub mod plan;
pub mod prepare;
pub(crate) mod reread;
mod resolve;
pub(crate) mod stated;
pub(crate) mod topics;

pub use draft::{
    Action, CausalCandidate, Diff, DiffSuggestion, Draft, DraftFact, DraftLink, DraftObject, DraftPlace,
    EdgeTally, EntityDraft, IngestTally, Remembered, SemanticCandidate, SourceDraft,
};

pub use crate::settings::{RememberSettings, SecretPolicy};
pub use prepare::{checked_word, checked_words};
