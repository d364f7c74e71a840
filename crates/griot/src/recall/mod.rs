//! The read path: understand, search, walk the graph, rank, find causes, pack, present.
//!
//! Pure over a view of the store: no clock, no randomness, no SQL. The same revision, query and settings give
//! the same bytes (invariant 4). A part that fails (the graph, the embedder) is omitted and named in
//! `missing` (invariant 9): if the graph fails, the answer is the baseline.

mod answer;
mod asked;
mod bridge;
mod candidates;
mod cause;
mod confidence;
mod languages;
mod pack;
mod preferences;
mod present;
mod progress;
mod rank;
mod ranking;
mod rerank;
mod rules;
mod search;
mod signals;
mod standing;
pub mod trace;
mod trees;
mod understand;
mod walk;

use crate::backend::{Direction, Filter, Frontier, Head, Like, Look, Read, WordQuery};
use crate::model::{Interval, Memory, Node, Result};
use crate::rollout::{Fallback, Made, Strategy};
pub use crate::settings::Effort;
use crate::settings::Settings;
use crate::text::{self, Asked, TimeRelation};

use candidates::Pool;
use cause::Chained;
use languages::Translated;
use standing::Standings;
use trace::Rows;
use understand::{Named, Span, Understood, understand};
use walk::Walk;

pub use answer::{
    Chain, Hop, Missing, PathNode, Query, Reach, Recall, RecallResult, RecalledRule, Rejected, Rejection,
    Rules, Signal, Understanding, WhyIncluded,
};
pub use pack::tokens;
pub use preferences::preferences;
pub use progress::{LatestProgress, latest_progress};
pub use ranking::Ranking;
pub use rerank::{Relevance, Reranker};
pub use rules::rules_of_scope;
pub use signals::{SIGNALS, SignalName};
pub use standing::{Standing, StandingKind, Successor};
pub use walk::{ArcWeights, belief};

/// The inputs of a recall besides the store and the question.
pub struct Context<'a> {
    pub head: &'a Head,
    /// The question's vector; `None` if it has none or the embedder failed.
    pub vector: Option<&'a [f32]>,
    /// The same by the built-in embedder, to compare with names.
    pub naming: Option<&'a [f32]>,
    pub settings: &'a Settings,
    pub ranking: &'a Ranking,
    /// What a reranker said about the memories of [`best`]; empty without one.
    pub relevance: &'a Relevance,
    /// Parts that failed before the recall began.
    pub missing: Vec<Missing>,
    /// With or without the graph.
    pub strategy: Strategy,
}

/// The text to embed for a question: without time expressions, which carry no topic.
pub fn subject(query: &Query) -> String {
    understand::without(query.question(), &text::time_expressions(query.question(), query.now))
}

/// A question and everything derived from it before the search.
struct Question<'a> {
    read: &'a dyn Read,
    query: &'a Query,
    context: &'a Context<'a>,
    understood: Understood,
    /// The question in the other languages of the store.
    translations: Vec<Translated>,
    /// Time spans of the question, including those of events that it refers to.
    spans: Vec<Span>,
    filter: Filter,
    /// Entities named in the question.
    entities: Vec<Node>,
    /// Where it names none: the entities whose names are nearest to it.
    nearest: Vec<Named>,
    /// Whether edges may be read.
    edges: bool,
    /// What is asked of a property; `None` for other questions.
    asked: Option<Asked>,
}

impl Question<'_> {
    /// Words of the store, as a measure of how much looks like an answer by chance. A long memory counts as
    /// one passage: what is asked of it is one of its statements.
    fn words(&self) -> u64 {
        const PASSAGE: u64 = 300;
        let head = self.context.head;
        head.words.min(PASSAGE.saturating_mul(head.memories))
    }

    /// The spans in which it names its time to lie.
    fn spans_within(&self) -> impl Iterator<Item = Interval> {
        let is_within = |span: &&Span| matches!(span.relation, TimeRelation::Within | TimeRelation::Around);
        self.spans.iter().filter(is_within).map(|span| span.interval)
    }

    /// The vectors of the question in every language it is asked in.
    fn vectors(&self) -> impl Iterator<Item = &[f32]> {
        let translated = self.translations.iter().filter_map(|one| Some(one.embedded.as_ref()?.1.as_slice()));
        self.context.vector.into_iter().chain(translated)
    }

    /// The searches by words, one for every language.
    fn word_queries(&self, limit: usize, places: usize) -> Vec<WordQuery> {
        let own = self.understood.word_query(limit, places);
        let translated = self.translations.iter().map(|one| one.word_query(limit, places));
        std::iter::once(own).chain(translated).collect()
    }

    /// The comparisons for each candidate: with the question's vectors, if there are any.
    fn likes(&self) -> Vec<Like<'_>> {
        self.vectors().map(Like::Vector).collect()
    }

    /// The attributes needed to measure a candidate.
    fn look<'q>(&self, alike: &'q [Like<'q>]) -> Look<'q> {
        Look { nodes: &[], found: 0, placed: true, years: !self.spans.is_empty(), alike, degrees: &[] }
    }

    /// What to compare with the names of all entities: nothing where the question names one.
    fn names(&self) -> Vec<(&[f32], usize)> {
        let is_walked = self.edges && self.context.strategy == Strategy::HybridGraph;
        let naming = self.context.naming.filter(|_| is_walked && self.entities.is_empty());
        naming.map(|naming| (naming, understand::NEAREST)).into_iter().collect()
    }

    /// The entities where a walk may start.
    fn walked(&self) -> &[Named] {
        if self.entities.is_empty() { &self.nearest } else { &self.understood.entities }
    }

    /// Memories that mention the question's entities; empty if edges are not read.
    fn mentions<'q>(&'q self, fan_out: &'q [usize]) -> Vec<Frontier<'q>> {
        let frontier = Frontier { nodes: &self.entities, direction: Direction::In, fan_out };
        if self.edges && !self.entities.is_empty() { vec![frontier] } else { Vec::new() }
    }
}

/// The limits of an effort level. The numbers of candidates from each signal are large enough to score small
/// workspaces completely; chosen, not tuned.
#[derive(Default)]
struct Limits {
    words: usize,
    vectors: usize,
    /// Per name of the question.
    mentions: usize,
    times: usize,
    /// Best hits whose neighbours become candidates.
    neighboured: usize,
    /// Best sessions whose members become candidates, and the number from each.
    places: usize,
    place_members: usize,
    /// The most graph nodes in the walk.
    nodes: usize,
    /// The most candidates that are compared with the best, and the most results.
    ranked: usize,
}

impl Limits {
    const fn of(effort: Effort) -> Self {
        match effort {
            Effort::Low => Self {
                words: 100,
                vectors: 50,
                mentions: 30,
                times: 50,
                neighboured: 10,
                places: 2,
                place_members: 20,
                nodes: 100,
                ranked: 60,
            },
            Effort::Normal => Self {
                words: 400,
                vectors: 200,
                mentions: 100,
                times: 100,
                neighboured: 20,
                places: 4,
                place_members: 40,
                nodes: 300,
                ranked: 120,
            },
            Effort::High => Self {
                words: 2000,
                vectors: 1000,
                mentions: 400,
                times: 400,
                neighboured: 100,
                places: 20,
                place_members: 200,
                nodes: 3000,
                ranked: 1000,
            },
        }
    }
}

/// What travels through the stages.
struct Run<'a> {
    question: Question<'a>,
    weights: ArcWeights,
    limits: Limits,
    pool: Pool,
    /// The rules of the answer with their relevance, most important first.
    rules: Vec<(Node, f32)>,
    /// The graph walk, if it ran.
    walk: Option<Walk>,
    /// The chains that a causal question asks for, likeliest first.
    chained: Vec<Chained>,
    /// Candidates that an edge says are outdated, each with what replaced it.
    replaced: Vec<(Node, Node)>,
    /// How candidates that were compared with each other stand.
    standings: Standings,
    /// Rows that were read before the answer is built.
    rows: Rows,
    scored: usize,
    /// How probable it is that any candidate answers the question.
    answerable: f32,
    made: Made,
}

impl<'a> Run<'a> {
    /// Interprets the question and collects its candidates.
    fn begin(
        read: &'a dyn Read,
        query: &'a Query,
        context: &'a Context<'a>,
        strategy: Strategy,
        edges: bool,
    ) -> Result<Self> {
        let settings = context.settings;
        let understood = understand(read, query)?;
        let asked = text::asked(query.question(), query.now, query.as_of);
        let mut filter = query.filter(belief(&settings.graph));
        // What was replaced answers what was before, and leads to what replaced it.
        filter.superseded |= asked.is_some();
        let mut question = Question {
            read,
            query,
            context,
            spans: understood.spans.clone(),
            filter,
            asked,
            entities: understood.entities.iter().map(|entity| entity.node).collect(),
            nearest: Vec::new(),
            understood,
            translations: Vec::new(),
            edges,
        };
        // A decision that was replaced since may be a link of the chain, or what is asked about.
        question.filter.superseded |= cause::asked_side(&question).is_some();
        let limits = Limits::of(query.effort.unwrap_or(settings.recall.effort));
        let (pool, rules) = search::first_search(&mut question, &limits)?;
        Ok(Self {
            weights: ArcWeights::new(question.understood.intent.intent, &settings.graph, query.now),
            made: Made { baseline_candidates: pool.candidates.len(), ..Made::by(strategy) },
            question,
            limits,
            pool,
            rules,
            walk: None,
            chained: Vec::new(),
            replaced: Vec::new(),
            standings: Standings::new(),
            rows: Rows::default(),
            scored: 0,
            answerable: 0.0,
        })
    }

    /// The least probability of a result.
    fn floor(&self) -> f32 {
        self.question.query.least.unwrap_or(self.question.context.settings.recall.floor)
    }
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
        recall.missing.push(Missing::because("the graph was not used", error));
    } else if let Some(error) = edges {
        recall.missing.push(Missing::because("mentions were not used", error));
    }
    Ok(recall)
}

/// The best candidates of a question, for a reranker; none if nothing would be shown of them.
pub fn best(read: &dyn Read, query: &Query, context: &Context<'_>) -> Result<Vec<Memory>> {
    let run = ordered(read, query, context, context.strategy, true)?;
    if rank::is_surely_silent(&run) {
        return Ok(Vec::new());
    }
    rerank::best(&run, context.settings.reranker.candidates)
}

/// The candidates of a question in their order.
fn ordered<'a>(
    read: &'a dyn Read,
    query: &'a Query,
    context: &'a Context<'a>,
    strategy: Strategy,
    edges: bool,
) -> Result<Run<'a>> {
    let mut run = Run::begin(read, query, context, strategy, edges)?;
    rank::score(&mut run.pool.candidates, context.ranking);
    if strategy == Strategy::HybridGraph && !run.pool.candidates.is_empty() {
        walk::walk(&mut run)?;
        rank::score(&mut run.pool.candidates, context.ranking);
    }
    rank::order(&mut run)?;
    Ok(run)
}

/// Runs the stages in order; `edges` is false for a store whose edges cannot be read.
fn run_stages(
    read: &dyn Read,
    query: &Query,
    context: &Context<'_>,
    strategy: Strategy,
    edges: bool,
) -> Result<Recall> {
    let mut run = ordered(read, query, context, strategy, edges)?;
    let wishes = preferences::follow(&mut run)?;
    let is_chained = run.walk.is_some() && cause::follow(&mut run)?;
    if standing::follow(&mut run)? || is_chained || !wishes.is_empty() {
        rank::sort(&mut run);
    }
    let (ranked, mut below) = rank::floor(&mut run);
    let abstained = rank::abstained(&run, &ranked, &below);
    let ranked = standing::order(&mut run, ranked, &mut below)?;
    let ranked = cause::place(ranked, &mut below, &run.chained);
    let is_outdated =
        |node: Node| run.standings.get(&node).is_some_and(|one| one.kind == StandingKind::Outdated);
    let mut ranked = preferences::place(ranked, &mut below, &wishes, &is_outdated, run.floor());
    rank::settle(&mut ranked);
    let abstained = abstained.filter(|_| ranked.is_empty());
    present::answer(run, ranked, &below, abstained)
}
