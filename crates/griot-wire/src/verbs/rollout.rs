//! The rollout of the graph, and feedback on answers.

use griot::engine::FeedbackRequest;
use griot::rollout::JudgedQuery;

use super::recall::asked_in;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{Bare, mode};
use crate::{Feedback as Taken, Judged, Rollout, refusal};

requests! {
    /// Rate an answer or some of its results.
    #[schemars(transform = crate::request::forms::feedback)]
    Feedback by new {
        /// Id of an answer (`rollout.id`).
        #[arg(long)]
        answer [default]: Option<String>,
        /// Handles or ids of its results; empty rates the whole answer. If no answer is given, each result
        /// counts for the latest answer that contains it.
        memories [default]: Vec<String>,
        /// Whether they helped.
        #[arg(long)]
        good: bool,
    }

    /// Set the rollout mode of the graph.
    RolloutChange by new {
        /// `off`, `shadow`, `canary` or `on`.
        #[schemars(schema_with = "crate::request::forms::mode")]
        mode: String,
        /// Set it even if the quality gate is not open; this discards the evidence so far.
        #[arg(long)]
        force [default]: bool,
    }
}

pub fn feedback(call: &Call, q: Feedback) -> Outcome<Taken> {
    let given = FeedbackRequest { answer: q.answer, memories: q.memories, good: q.good };
    Ok(Taken::of(&asked_in(call).feedback(&given)?))
}

pub fn rollout(call: &Call, _: Bare) -> Outcome<Rollout> {
    Ok(Rollout::of(&call.whole.rollout()?))
}

pub fn set(call: &Call, q: RolloutChange) -> Outcome<Rollout> {
    let engine = call.of_all("set the rollout")?;
    match engine.set_mode(mode(&q.mode)?, &call.speaker(), q.force)? {
        Some(refused) => Err(refusal(&refused).into()),
        None => Ok(Rollout::of(&engine.rollout()?)),
    }
}

/// Compares the answers with and without the graph on judged questions.
pub fn judge(call: &Call, queries: &[JudgedQuery]) -> Outcome<Judged> {
    Ok(Judged::of(&call.of_all("judge the graph")?.judge(queries)?))
}
