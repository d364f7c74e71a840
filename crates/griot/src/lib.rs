//! Griot's engine: graph memory for AI agents. Three verbs: `remember`, `link`, `recall`.
//!
//! The engine is synchronous and independent of any front end: no HTTP, no command line, no async runtime.
//! SQLite is the source of truth; the indexes beside it are derived and may be deleted at any time.
//!
//! ```
//! use griot::{Access, Draft, Engine, Query, Settings};
//!
//! # fn main() -> griot::Result<()> {
//! # let folder = std::env::temp_dir().join(format!("griot-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let path = folder.join("notes.db");
//! let access = Access { create: true, read_only: false };
//! let engine = Engine::open(&path, access, Settings::default())?;
//! engine.remember(Draft::new("We moved sessions to Postgres because the Redis restart logged users out"))?;
//! let answer = engine.recall(&Query::new("why did we move sessions?", engine.now()))?;
//! assert!(answer.results[0].memory.text.contains("Redis restart"));
//! # engine.close()?;
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok(())
//! # }
//! ```
//!
//! The names below are the public interface. The modules themselves are public with the feature `internals`,
//! which the other crates of Griot use; they change without notice. Read them in the order in which they are
//! listed in `engine`, which owns a back end, a clock and an embedder; `recall` and `remember` decide,
//! `backend` stores.

// Much of the modules is used by other crates only.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

#[macro_use]
mod named;

#[cfg(not(feature = "internals"))]
#[macro_use]
mod backend;
#[cfg(feature = "internals")]
#[macro_use]
pub mod backend;
#[cfg(not(feature = "internals"))]
mod embed;
#[cfg(feature = "internals")]
pub mod embed;
#[cfg(not(feature = "internals"))]
mod engine;
#[cfg(feature = "internals")]
pub mod engine;
#[cfg(not(feature = "internals"))]
mod graph;
#[cfg(feature = "internals")]
pub mod graph;
#[cfg(not(feature = "internals"))]
mod index;
#[cfg(feature = "internals")]
pub mod index;
#[cfg(not(feature = "internals"))]
mod model;
#[cfg(feature = "internals")]
pub mod model;
#[cfg(not(feature = "internals"))]
mod private;
#[cfg(feature = "internals")]
pub mod private;
#[cfg(not(feature = "internals"))]
mod recall;
#[cfg(feature = "internals")]
pub mod recall;
#[cfg(not(feature = "internals"))]
mod remember;
#[cfg(feature = "internals")]
pub mod remember;
#[cfg(not(feature = "internals"))]
mod rollout;
#[cfg(feature = "internals")]
pub mod rollout;
#[cfg(not(feature = "internals"))]
mod settings;
#[cfg(feature = "internals")]
pub mod settings;
#[cfg(not(feature = "internals"))]
mod store;
#[cfg(feature = "internals")]
pub mod store;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
#[cfg(not(feature = "internals"))]
mod text;
#[cfg(feature = "internals")]
pub mod text;

pub use embed::Embedder;
pub use engine::{
    Access, BuiltGraphs, Clock, EdgeView, Engine, EntityView, FactDraft, FactView, FeedbackRequest,
    Forgotten, GcCandidate, Health, Hub, Imported, LinkRequest, Linked, MergeLog, MergeRequest, Merged,
    Record, Related, Settings, SourceView, Status, Timeline, Unmerged, VectorsToMake, Why, WhyDirection,
};
pub use model::{
    Candidate, Edge, EdgeKind, Entity, EntityType, ErasedKind, Erasure, Error, ErrorKind, Evidence, Fact,
    FactObject, Handle, Interval, Layer, Memory, MemoryId, Node, Predicate, Provenance, Result, Revision,
    Scope, Source, SourceId, SourceType, Tier, Timestamp, Trust, Warning,
};
pub use recall::{
    Chain, Effort, Hop, PathNode, Query, Reach, Recall, RecallResult, Rejected, Signal, Understanding,
    WhyIncluded,
};
pub use remember::{Draft, EntityDraft, IngestTally, Remembered, SourceDraft};
pub use rollout::{Mode, Report};
pub use text::Intent;
