//! The read path: understand, find candidates, gather, rank, pack, trace.
//!
//! Pure over a view of the store: no clock, no randomness, no SQL. The same revision, query and settings give the same
//! bytes (invariant 4).

mod answer;

pub use answer::{
    Chain, Hop, PathNode, Query, Recall, RecallResult, Rejected, Rejection, Signal, Understanding, WhyIncluded,
};
