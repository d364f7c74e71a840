//! The public formats of Griot: verbs with their requests and answers, settings, and exports.
//!
//! The engine's own types have no serialisation, so that they can change freely; the objects here are the
//! promise to clients. Keys are snake case, times are RFC 3339 in UTC, ids are as printed (`#a1b2c3`,
//! `tool:redis`, `e12`, `f3`, `s4`), scores and confidences are in 0..=1 unless a field says otherwise. Every
//! key is present; unknown values are `null`. Every type reads back what it writes.
//!
//! One macro declares an object, what fills it, and its documentation, from which `docs/reference/json.md` is
//! generated.

// Paths to the schemas of requests are those that other crates use.
extern crate self as griot_wire;

#[macro_use]
mod object;
#[macro_use]
pub mod request;
mod time;

/// How a model should use the memory, in Markdown: for skills, prompts and resources.
pub const GUIDE: &str = include_str!("guide.md");

mod enriched;
mod erasure;
mod host;
mod job;
mod model;
mod node;
mod recall;
mod recalls;
mod remember;
mod rollout;
mod status;
mod verb;

pub mod answer;
pub mod brief;
pub mod call;
pub mod citation;
pub mod context;
pub mod draft;
pub mod export;
pub mod failure;
pub mod picture;
pub mod quarantine;
pub mod reference;
pub mod routing;
pub mod schema;
pub mod sdk;
pub mod settings;
pub mod verbs;

pub use answer::{
    Answered, Cited, ModelFailure, ModelUse, Statement, Usage, UsageRow, UsageToday, UsageTotal, Withheld,
};
pub use enriched::{BulkEstimate, EnrichEstimate, EnrichWait, Enriched, JudgedMerges};
pub use erasure::{BackedUp, Erasure, ErasureCounts};
pub use host::{Connected, HostFile, HostView};
pub use job::{Job, JobCounts, JobError};
pub use node::{
    Acknowledged, Edge, Entity, Evidence, Fact, FactConflict, Hop, Memory, NodeRef, Source, SourceRef, Span,
    Warning, edge_id, fact_id,
};
pub use object::{FieldDoc, ObjectDoc};
pub use recall::{
    AlsoIn, Chain, Interval, Recall, RecallResult, Rejected, Rule, Signal, Standing, TimeReading,
    Understanding,
};
pub use recalls::{
    ComparedRecall, ComparedRecalls, FirstResult, GivenMemory, LoggedRecall, RecallLog, StrategyAnswer,
};
pub use remember::{
    CausalCandidate, Diff, EdgeTally, IngestFailure, IngestRename, Ingested, Mention, Remembered,
    SemanticCandidate, UpdateCandidate,
};
pub use rollout::{
    Alarm, Credited, Feedback, FeedbackGiven, GateReason, Incident, Judged, JudgedAnswer, QualityGate,
    Rollout, RolloutGoal, RolloutStage, RolloutTrace, RolloutWindow, judged_queries, refusal,
};
pub use status::{
    Candidate, Changed, Counts, ErrorBody, GcCandidate, Health, Imported, KindTally, LastJob,
    MentionedEntity, NamedAgain, NamesAgain, Reindexed, SourceContent, SourceGraph, SourceView, Status,
    WorkspaceView,
};
pub use time::Time;
pub use verb::{
    BuiltGraphs, EntityView, Forgotten, GraphLayout, Hub, Linked, Merge, MergeLog, MergeScan, Merged, Note,
    Offer, Path, Related, Suggestion, Timeline, Unlinked, Unmerged, Verified, Why, WhyStep,
};
