//! What is asked about the rollout of the graph.

use griot::model::Result;
use serde::{Deserialize, Serialize};

use super::{Place, Request, Scope};

requests! {
    /// Say what an answer, or some of its results, were worth.
    #[schemars(transform = crate::request::forms::feedback)]
    Feedback {
        /// Id of an answer (`rollout.id`).
        #[serde(default)]
        answer: Option<String>,
        /// Handles or ids of its results; empty for the answer as a whole. Without an answer, the latest one
        /// that holds each counts.
        #[serde(default)]
        memories: Vec<String>,
        /// They helped.
        good: bool,
    }

    /// Set how far the graph is switched on.
    RolloutChange {
        /// `off`, `shadow`, `canary` or `on`.
        #[schemars(schema_with = "crate::request::forms::mode")]
        mode: String,
        /// Set it although the gate is not open; the evidence starts anew.
        #[serde(default)]
        force: bool,
    }
}
