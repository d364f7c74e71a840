//! How far the graph is switched on, and what answers were worth.

use super::recall::asked_in;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{Bare, mode};
use crate::{Feedback as Taken, FeedbackGiven, Rollout, refusal};

requests! {
    /// Say what an answer, or some of its results, were worth.
    #[schemars(transform = crate::request::forms::feedback)]
    Feedback {
        /// Id of an answer (`rollout.id`).
        #[serde(default)]
        #[arg(long)]
        answer: Option<String>,
        /// Handles or ids of its results; empty for the answer as a whole. Without an answer, the latest one
        /// that holds each counts.
        #[serde(default)]
        memories: Vec<String>,
        /// They helped.
        #[arg(long)]
        good: bool,
    }

    /// Set how far the graph is switched on.
    RolloutChange {
        /// `off`, `shadow`, `canary` or `on`.
        #[schemars(schema_with = "crate::request::forms::mode")]
        mode: String,
        /// Set it although the gate is not open; the evidence starts anew.
        #[serde(default)]
        #[arg(long)]
        force: bool,
    }
}

impl Feedback {
    pub fn new(answer: Option<String>, memories: Vec<String>, good: bool) -> Self {
        Self { answer, memories, good, user: None, project: None, scope: None }
    }
}

impl RolloutChange {
    pub fn new(mode: String, force: bool) -> Self {
        Self { mode, force, user: None, project: None, scope: None }
    }
}

pub fn feedback(call: &Call, q: Feedback) -> Outcome<Taken> {
    let given = FeedbackGiven { answer: q.answer, memories: q.memories, good: q.good };
    Ok(Taken::of(&asked_in(call).feedback(&given.into())?))
}

pub fn rollout(call: &Call, _: Bare) -> Outcome<Rollout> {
    Ok(Rollout::of(&call.whole.rollout()?))
}

pub fn set(call: &Call, q: RolloutChange) -> Outcome<Rollout> {
    let engine = call.of_all("set the rollout")?;
    let set = engine.set_mode(mode(&q.mode)?, &call.speaker(), q.force)?;
    match refusal(&set) {
        Some(error) => Err(error.into()),
        None => Ok(Rollout::of(&engine.rollout()?)),
    }
}
