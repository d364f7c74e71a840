//! Language models, and embedders larger than the one in the binary.
//!
//! - [`LanguageModel`] asks a model over HTTP for a reply of a given form. Whatever is asked is written to
//!   the [`Ledger`] of the workspace first, within its budgets.
//! - [`ServerEmbedder`] asks a server for vectors, behind the engine's trait `Embedder` and with the same
//!   ledger and budgets.
//! - [`ServerReranker`] asks a server how well texts answer a question, behind the engine's trait `Reranker`.
//! - `SentenceEncoder` runs a transformer from a local folder behind the trait `Embedder`: better vectors for
//!   milliseconds a text instead of microseconds. `CrossEncoder` runs one behind the trait `Reranker`. Both
//!   need the feature `minilm`.
//!
//! Everything is synchronous. The engine does not know this crate; front ends bring both together.

mod chat;
mod client;
#[cfg(feature = "minilm")]
mod encoder;
mod ledger;
mod model;
mod reranker;
mod server;

pub use chat::{Failure, FailureKind, Question, Tokens, json_in, tokens_of};
pub use client::Timing;
#[cfg(feature = "minilm")]
pub use encoder::{CrossEncoder, Prefixes, SentenceEncoder};
pub use ledger::{Ledger, Owner, Run, Spent, Usage};
pub use model::{LanguageModel, Reply};
pub use reranker::ServerReranker;
pub use server::ServerEmbedder;
