//! Griot's engine: graph memory for AI agents. Three verbs: `remember`, `link`, `recall`.
//!
//! The engine is synchronous and independent of any front end: no HTTP, no command line, no async runtime.
//! SQLite is the source of truth; the indexes beside it are derived and may be deleted at any time. Start
//! reading at [`engine`], which owns a back end, a clock and an embedder; `recall` and `remember` decide,
//! `backend` stores.
//!
//! Modules in reading order:

#[macro_use]
pub mod backend;
pub mod embed;
pub mod engine;
pub mod graph;
pub mod index;
pub mod model;
pub mod private;
pub mod recall;
pub mod remember;
pub mod rollout;
pub mod settings;
pub mod store;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
pub mod text;
