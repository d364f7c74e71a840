//! The write path: extract, find candidates, associate.
//!
//! Everything here decides; nothing here writes. [`prepare`] reads a draft's text outside the writer's lock;
//! [`plan`] turns prepared drafts and a view of the store under the lock into one ChangeSet; [`candidates`]
//! suggests what the caller should judge about the result; [`merge`] decides what a merge of two entities
//! changes, [`alike`] and `pairs` which entities may be merged, `suggestions` how the list of those changes;
//! `offers` what has become of each; `reading` what a language
//! model said about memories; `naming` finds the node that a name means. `backbone` and `similarity`
//! decide for `build-graphs`, `mentions` for `reindex --names`, `warnings` for the verifier, `reread` and
//! `stated` for sources that are read again, and `edges`, `facts`, `forget`, `export`, `import` and `erase`
//! for the verbs with those names.

pub mod alike;
mod answer;
pub(crate) mod backbone;
pub mod candidates;
pub mod cause;
mod draft;
pub(crate) mod edges;
pub mod erase;
pub(crate) mod export;
pub(crate) mod facts;
pub(crate) mod forget;
pub(crate) mod import;
pub mod importance;
mod likely;
pub(crate) mod mentions;
pub mod merge;
mod name;
pub(crate) mod naming;
mod neighbours;
pub(crate) mod offers;
pub(crate) mod pairs;
pub mod plan;
mod pointing;
pub mod prepare;
pub mod reading;
mod recent;
mod replaces;
pub(crate) mod reread;
mod resolve;
pub(crate) mod similarity;
pub(crate) mod stated;
pub(crate) mod suggestions;
pub(crate) mod topics;
pub(crate) mod warnings;

pub use draft::{
    Action, CausalCandidate, Diff, DiffSuggestion, Draft, DraftFact, DraftLink, DraftObject, DraftPlace,
    EdgeTally, EntityDraft, IngestTally, Remembered, SemanticCandidate, SourceDraft, UpdateCandidate,
};

pub use crate::settings::{RememberSettings, SecretPolicy};
pub use prepare::{checked_metadata, checked_word, checked_words};
