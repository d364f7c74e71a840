//! The read path: understand, find candidates, gather, rank, pack, trace.
//!
//! Pure over a view of the store: no clock, no randomness, no SQL. The same revision, query and settings give
//! the same bytes (invariant 4). A part that fails (the graph, the embedder) is omitted and named in
//! `missing` (invariant 9): if the graph fails, the answer is the baseline as it would have been without a
//! graph.

mod answer;
mod bridge;
mod candidates;
mod cause;
mod forest;
mod pack;
mod present;
mod rank;
mod rules;
mod run;
mod signals;
pub mod trace;
mod understand;
mod walk;

use crate::backend::{Filter, Head, Read};
use crate::model::Result;
use crate::rollout::{Fallback, Strategy};
pub use crate::settings::Effort;
use crate::settings::{GraphSettings, Settings};
use crate::text::{self, Intent};

use run::Run;

pub use answer::{
    Chain, Hop, PathNode, Query, Reach, Recall, RecallResult, Rejected, Rejection, Signal, Understanding,
    WhyIncluded,
};
pub use forest::{Forest, Scale, Tree};
pub use pack::tokens;
pub use rules::{RecalledRule, Rules, rules_of_scope};
pub use signals::{Genre, Ranker, SIGNALS, SignalName};
pub use walk::{ArcWeights, belief};

/// The inputs of a recall besides the store and the question.
pub struct Context<'a> {
    /// The current head of the store.
    pub head: &'a Head,
    /// The question's vector; `None` if it has none or the embedder failed.
    pub vector: Option<&'a [f32]>,
    pub settings: &'a Settings,
    pub ranker: &'a Ranker,
    /// Reranks the best candidates; `None` keeps the order of the weighted sum.
    pub forest: Option<&'a Forest>,
    /// Parts that failed before the recall began.
    pub missing: Vec<String>,
    /// With or without the graph.
    pub strategy: Strategy,
}

/// The text to embed for a question: without time expressions, which carry no topic.
pub fn subject(query: &Query) -> String {
    understand::without(query.text.trim(), &text::time_expressions(query.text.trim(), query.now))
}

pub fn filter(query: &Query, graph: &GraphSettings) -> Filter {
    Filter { tiers: rules::searched(&query.tiers), belief: belief(graph), ..query.filter() }
}

pub fn recall(read: &dyn Read, query: &Query, context: &Context<'_>) -> Result<Recall> {
    let answer = |strategy, edges| run_stages(read, query, context, strategy, edges);
    let first = match context.strategy {
        Strategy::HybridGraph => match answer(Strategy::HybridGraph, true) {
            Ok(recall) => return Ok(recall),
            Err(error) => Some(error),
        },
        Strategy::Baseline => None,
    };
    let (mut recall, edges) = match answer(Strategy::Baseline, true) {
        Ok(recall) => (recall, None),
        // The baseline reads edges only for mentions. An error with another cause recurs without edges.
        Err(error) => match answer(Strategy::Baseline, false) {
            Ok(recall) => (recall, Some(error)),
            Err(_) => return Err(error),
        },
    };
    if let Some(error) = first {
        recall.made.fallback = Some(Fallback::GraphExpansionError);
        recall.missing.push(format!("the graph was not used: {error}"));
    } else if let Some(error) = edges {
        recall.missing.push(format!("mentions were not used: {error}"));
    }
    Ok(recall)
}

/// Runs the stages in order; `edges` is false for a store whose edges cannot be read.
fn run_stages(
    read: &dyn Read,
    query: &Query,
    context: &Context<'_>,
    strategy: Strategy,
    edges: bool,
) -> Result<Recall> {
    let mut run = Run::begin(read, query, context, strategy, edges)?;
    rank::score(&mut run.pool.candidates, context.ranker);
    if strategy == Strategy::HybridGraph && !run.pool.candidates.is_empty() {
        walk::walk(&mut run)?;
        rank::score(&mut run.pool.candidates, context.ranker);
    }
    let order = rank::order(&mut run)?;
    if run.walk.is_some() && run.question.understood.intent.intent == Intent::Why {
        let known = run.pool.candidates.len();
        cause::behind(&mut run)?;
        order.rank(&mut run.pool.candidates[known..]);
    }
    let (ranked, mut below) = rank::floor(&mut run);
    let abstained = rank::abstained(&run, &ranked, &below);
    let ranked = cause::place(ranked, &mut below, &run.behind);
    present::answer(run, ranked, &below, &order, abstained)
}
