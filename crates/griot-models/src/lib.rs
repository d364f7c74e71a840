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
#[cfg(feature = "minilm")]
mod encoder;
mod ledger;
mod model;

pub use chat::{Failure, FailureKind, Question, Tokens};
#[cfg(feature = "minilm")]
pub use encoder::{Prefixes, SentenceEncoder};
pub use ledger::{Ledger, Run, Usage};
pub use model::{LanguageModel, Reply, Timing};
