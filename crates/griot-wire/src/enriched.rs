//! What a language model read out of stored memories, and what a run would take.

use std::collections::BTreeMap;

use griot_enrich::{Done, Judged, MergeEstimate};

use crate::Time;
use crate::answer::ModelFailure;

objects! {
    /// The answer to `enrich`.
    Enriched {
        /// What it would take; `null` unless only that was asked.
        estimate: Option<EnrichEstimate>,
        /// Memories that were read, refused or withheld in this run, each once for each task.
        memories: u64,
        /// Entities that did not exist before.
        entities: u64,
        /// Mentions that were added or confirmed.
        mentions: u64,
        /// Relations between entities.
        relations: u64,
        /// Edges between memories.
        links: u64,
        /// Facts.
        facts: u64,
        /// Memories that were written about conversations.
        observations: u64,
        /// Notes of earlier memories that a new one changed.
        evolved: u64,
        /// Entities whose summary is new or changed.
        summaries: u64,
        /// Names that their memory does not contain, and impossible edges: not stored.
        dropped: u64,
        /// Parts of replies that could not be read.
        skipped: u64,
        /// Memories without a result, by reason: `refused`, `unreadable`, `withheld`. `enrich --retry` asks
        /// again.
        without: BTreeMap<String, u64>,
        /// Memories that are left, by task.
        left: BTreeMap<String, u64>,
        /// What of it has to wait, and for what.
        waits: Vec<EnrichWait>,
        /// Requests that were sent.
        calls: u64,
        /// Tokens that were sent.
        input_tokens: u64,
        /// Tokens that were received.
        output_tokens: u64,
        /// In the currency of the prices; `null` if no price is set.
        cost: Option<f64>,
        /// Why the run ended early; `null` if it did not. What is left stays queued.
        failure: Option<ModelFailure>,
    }

    /// The answer to `merges --judge`.
    JudgedMerges {
        /// What it would take; `null` unless only that was asked.
        estimate: Option<BulkEstimate>,
        /// Pairs of entities that the model decided about.
        pairs: u64,
        /// Merges; each can be undone.
        merged: Vec<crate::Merge>,
        /// Pairs that are two things, and are not suggested again.
        different: u64,
        /// Pairs that are suggested to a person.
        unsure: u64,
        /// Pairs that are left.
        left: u64,
        /// Requests that were sent.
        calls: u64,
        /// Tokens that were sent.
        input_tokens: u64,
        /// Tokens that were received.
        output_tokens: u64,
        /// In the currency of the prices; `null` if no price is set.
        cost: Option<f64>,
        /// Why it ended early; `null` if it did not.
        failure: Option<ModelFailure>,
    }

    /// What `merges --judge` or `reindex --embed` would send, at most.
    BulkEstimate {
        /// Pairs of entities, or texts.
        items: u64,
        /// Requests.
        calls: u64,
        /// Tokens to send.
        input_tokens: u64,
        /// Tokens of replies.
        output_tokens: u64,
        /// In the currency of the prices; `null` if no price is set.
        cost: Option<f64>,
    }

    /// Memories that could not be read yet.
    EnrichWait from (wait: griot_enrich::Wait) {
        /// The task.
        task: String = wait.task.name().into(),
        /// How many.
        memories: u64,
        /// `leased` (another run has them, or had them when it was killed), `not_over` (their conversation
        /// is read an hour after its last turn).
        reason: String = wait.reason.name().into(),
        /// When the first of them can be read.
        until: Time,
    }

    /// What a run would send, at most: replies as long as `model.max_output_tokens`.
    EnrichEstimate from (estimate: griot_enrich::Estimate) {
        /// Unread memories, each once for each task.
        memories: u64,
        /// Memories that would not be sent, because they belong to a user; each once.
        withheld: u64,
        /// Whether conversations are read: what is written about them is read in the same run, and is not
        /// counted here.
        observes: bool,
        /// Requests.
        calls: u64,
        /// Tokens to send.
        input_tokens: u64 = estimate.input,
        /// Tokens of replies.
        output_tokens: u64 = estimate.output,
        /// In the currency of the prices; `null` if no price is set.
        cost: Option<f64> = estimate.cost,
    }
}

impl Enriched {
    pub(crate) fn of_run(done: Done, failure: Option<ModelFailure>) -> Self {
        let tally = done.tally;
        let named = |counts: BTreeMap<&'static str, u64>| {
            counts.into_iter().map(|(name, count)| (name.to_string(), count)).collect()
        };
        Self {
            estimate: None,
            memories: tally.memories.into(),
            entities: tally.entities.into(),
            mentions: tally.mentions.into(),
            relations: tally.relations.into(),
            links: tally.links.into(),
            facts: tally.facts.into(),
            observations: tally.observations.into(),
            evolved: tally.evolved.into(),
            summaries: done.summaries,
            dropped: tally.dropped.into(),
            skipped: done.skipped,
            without: named(done.outcomes.iter().map(|(outcome, count)| (outcome.name(), *count)).collect()),
            left: named(done.left.iter().map(|(task, count)| (task.name(), *count)).collect()),
            waits: done.waits.iter().map(EnrichWait::from).collect(),
            calls: done.spent.calls,
            input_tokens: done.spent.input,
            output_tokens: done.spent.output,
            cost: done.spent.cost.map(money),
            failure,
        }
    }

    pub(crate) fn estimated(estimate: &griot_enrich::Estimate) -> Self {
        Self { estimate: Some(estimate.into()), ..Self::of_run(Done::default(), None) }
    }
}

impl JudgedMerges {
    pub(crate) fn new(judged: Judged, failure: Option<ModelFailure>) -> Self {
        Self {
            estimate: None,
            pairs: judged.pairs,
            merged: judged.merged.iter().map(crate::Merge::from).collect(),
            different: judged.different,
            unsure: judged.unsure,
            left: judged.left,
            calls: judged.spent.calls,
            input_tokens: judged.spent.input,
            output_tokens: judged.spent.output,
            cost: judged.spent.cost.map(money),
            failure,
        }
    }
}

impl JudgedMerges {
    pub(crate) fn estimated(estimate: MergeEstimate) -> Self {
        let MergeEstimate { pairs: items, calls, input: input_tokens, output: output_tokens, cost } =
            estimate;
        let estimate = BulkEstimate { items, calls, input_tokens, output_tokens, cost };
        Self { estimate: Some(estimate), ..Self::new(Judged::default(), None) }
    }
}

/// Of millionths.
fn money(cost: i64) -> f64 {
    cost as f64 / 1_000_000.0
}
