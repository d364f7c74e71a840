//! The public words of Griot: what a command prints with `--json`, what a server answers, what a file of
//! settings and an export hold.
//!
//! The engine's own types carry no serialisation, so that they can move freely; the twins here are the
//! promise to clients. Keys are snake case, times are RFC 3339 in UTC, ids are as printed (`#a1b2c3`,
//! `tool:redis`, `e12`, `f3`, `s4`), scores and confidences lie in 0..=1 unless a field says otherwise. A key
//! is always there; what is not known is `null`. Every type reads back what it writes.
//!
//! Each object is declared by one macro that also keeps its documentation, from which
//! `docs/reference/json.md` is made.

// Schemas of requests are named by their place in this crate, as other crates see them.
extern crate self as griot_wire;

#[macro_use]
mod object;
#[macro_use]
pub mod request;
mod time;

mod erasure;
mod host;
mod job;
mod node;
mod recall;
mod remember;
mod rollout;
mod status;
mod verb;

pub mod call;
pub mod context;
pub mod draft;
pub mod export;
pub mod failure;
pub mod quarantine;
pub mod reference;
pub mod routing;
pub mod schema;
pub mod sdk;
pub mod settings;
pub mod verbs;

pub use erasure::{BackedUp, Erasure, ErasureCounts};
pub use host::{Connected, HostFile, HostView};
pub use job::{Job, JobCounts, JobError};
pub use node::{
    Acknowledged, Edge, Entity, Evidence, Fact, Hop, Memory, NodeRef, Source, SourceRef, Span, Warning,
    edge_id, fact_id,
};
pub use object::{FieldDoc, ObjectDoc};
pub use recall::{Chain, Interval, Recall, RecallResult, Rejected, Rule, Signal, TimeReading, Understanding};
pub use remember::{
    CausalCandidate, Diff, EdgeTally, IngestFailure, IngestRename, Ingested, Mention, Remembered,
    SemanticCandidate,
};
pub use rollout::{
    Alarm, Credited, Feedback, FeedbackGiven, GateReason, Incident, Judged, JudgedAnswer, QualityGate,
    Rollout, RolloutGoal, RolloutStage, RolloutTrace, RolloutWindow, judged_queries, refusal,
};
pub use status::{
    Candidate, Changed, Counts, ErrorBody, GcCandidate, Health, Imported, Reindexed, SourceContent,
    SourceView, Status, WorkspaceView,
};
pub use time::Time;
pub use verb::{
    BuiltGraphs, EntityView, Forgotten, Hub, Linked, Merge, MergeLog, MergeScan, Merged, Path, Related,
    Suggestion, Timeline, Unlinked, Unmerged, Verified, Why, WhyStep,
};
