//! Language models, and embedders larger than the one in the binary.
//!
//! - [`LanguageModel`] asks a model over HTTP for a reply of a given form. Whatever is asked is written to
//!   the [`Ledger`] of the workspace first, within its budgets.
//! - `SentenceEncoder` runs a transformer from a local folder behind the engine's trait
//!   `Embedder`: better vectors for milliseconds a text instead of microseconds. It needs the feature
//!   `minilm`.
//!
//! Everything is synchronous. The engine does not know this crate; front ends bring both together.

mod chat;
mod ledger;
mod model;

#[cfg(feature = "minilm")]
mod bert;
#[cfg(feature = "minilm")]
mod folder;
#[cfg(feature = "minilm")]
mod lanes;
#[cfg(feature = "minilm")]
mod sentence;

pub use chat::{Failure, FailureKind, Question, Tokens, json_in};
pub use ledger::{Ledger, Owner, Run, Spent, Usage};
pub use model::{LanguageModel, Reply, Timing};
#[cfg(feature = "minilm")]
pub use sentence::SentenceEncoder;
