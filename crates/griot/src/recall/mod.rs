//! The read path: understand, find candidates, gather, rank, pack, trace.
//!
//! Pure over a view of the store: no clock, no randomness, no SQL. The same revision, query and settings give
//! the same bytes (invariant 4). A part that fails (the graph, the embedder) is left out and named in
//! `missing` (invariant 9): where the graph fails, what answers is the baseline as it would have been without
//! one.

mod answer;
mod bridge;
mod candidates;
mod cause;
mod forest;
mod pack;
mod rules;
mod signals;
pub mod trace;
mod understand;
mod walk;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::backend::{Arcless, Filter, Read, WordQuery};
use crate::graph;
use crate::model::{Interval, Memory, Node, Result, SourceId, Timestamp};
use crate::rollout::{Fallback, Made, Strategy};
pub use crate::settings::Effort;
use crate::settings::{GraphSettings, Settings};
use crate::text::{self, EventAnchor, TimeRelation};

use candidates::{Candidate, Limits, Pool};
use pack::{Terms, pack, relevance, why_included};
use trace::Rows;
use understand::{Span, Understood, understand};
use walk::walk;

pub use answer::{
    Chain, Hop, PathNode, Query, Reach, Recall, RecallResult, Rejected, Rejection, Signal, Understanding,
    WhyIncluded,
};
pub use forest::{Forest, Scale, Tree};
pub use pack::tokens;
pub use rules::{RecalledRule, Rules, rules_of_scope};
use signals::Values;
pub use signals::{Genre, Ranker, SIGNALS, SignalName};
pub use walk::{ArcWeights, belief};

/// What a recall needs besides the store and the question.
pub struct Context<'a> {
    /// The question's vector; `None` if it has none or the embedder failed.
    pub vector: Option<&'a [f32]>,
    pub settings: &'a Settings,
    pub ranker: &'a Ranker,
    /// What orders the best candidates; `None` leaves them as the ranker has them.
    pub forest: Option<&'a Forest>,
    /// What could not be used before recall began.
    pub missing: Vec<String>,
    /// With the graph, or without.
    pub strategy: Strategy,
}

/// The text of a question that its vector is made of: without time expressions, which are no subject.
pub fn subject(query: &Query) -> String {
    understand::without(query.text.trim(), &text::time_expressions(query.text.trim(), query.now))
}

pub fn filter(query: &Query, graph: &GraphSettings) -> Filter {
    Filter {
        scope: query.scope.clone(),
        kinds: query.kinds.clone(),
        layers: query.layers.clone(),
        tags: query.tags.clone(),
        sources: query.sources.clone(),
        agent: query.agent.clone(),
        session: query.session.clone(),
        occurred: query.occurred,
        superseded: query.superseded,
        trusted: query.trusted,
        tiers: rules::searched(&query.tiers),
        now: Some(query.now),
        belief: belief(graph),
    }
}

pub fn recall(read: &dyn Read, query: &Query, context: &Context<'_>) -> Result<Recall> {
    let first = match context.strategy {
        Strategy::HybridGraph => match answer(read, query, context, Strategy::HybridGraph) {
            Ok(recall) => return Ok(recall),
            Err(error) => Some(error),
        },
        Strategy::Baseline => None,
    };
    let (mut recall, edges) = match answer(read, query, context, Strategy::Baseline) {
        Ok(recall) => (recall, None),
        // Edges tell the baseline only who is mentioned where. Whatever else is wrong is wrong without them
        // too.
        Err(error) => match answer(&Arcless::new(read), query, context, Strategy::Baseline) {
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

fn answer(read: &dyn Read, query: &Query, context: &Context<'_>, strategy: Strategy) -> Result<Recall> {
    let Context { vector, settings, ranker, forest, .. } = *context;
    let effort = Bounds::of(query.effort.unwrap_or(settings.recall.effort));
    let filter = filter(query, &settings.graph);
    let understood = understand(read, query)?;
    let spans = spans(read, query, &understood, &filter)?;
    let mut pool = Pool::collect(read, &understood, &spans, vector, &filter, &effort.limits)?;
    score(&mut pool.candidates, ranker);

    let weights = ArcWeights::new(understood.intent.intent, &settings.graph, query.now);
    let mut made = Made { baseline_candidates: pool.candidates.len(), ..Made::by(strategy) };
    let mut walked = None;
    if strategy == Strategy::HybridGraph && !pool.candidates.is_empty() {
        let reach = Reach::within(query.reach, &settings.recall);
        let walk = walk(read, &mut pool, &understood, &weights, &filter, effort.nodes, reach)?;
        let reached = |c: &&Candidate| {
            moved(c) && walk.subgraph.place(c.node).is_some_and(|p| walk.subgraph.hops(p) > 0)
        };
        made.graph_candidates = pool.candidates.iter().filter(reached).count();
        let bridges = bridge::ask_on(read, &mut pool, &understood, &walk.seeds, &filter, reach)?;
        walked = Some((walk, bridges));
        score(&mut pool.candidates, ranker);
    }
    let scored = pool.candidates.len();
    pool.keep_best(effort.ranked);
    pool.compare_with_best()?;
    let order = Order::new(ranker, forest, pool.candidates.len());
    order.rank(&mut pool.candidates);
    let mut told = Vec::new();
    if walked.is_some() && understood.intent.intent == text::Intent::Why {
        let known = pool.candidates.len();
        told = cause::behind(read, &mut pool, &weights, &filter)?;
        order.rank(&mut pool.candidates[known..]);
    }

    let mut ranked = std::mem::take(&mut pool.candidates);
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    let (ranked, mut below) = floor(ranked, query, &understood, settings);
    let abstained = (ranked.is_empty() && scored > 0).then(|| {
        let nearest = below.iter().map(relevance).fold(0.0, f32::max);
        format!(
            "nothing relevant: the nearest of {scored} candidates reaches {nearest:.2} of {:.2}",
            settings.recall.floor
        )
    });

    let ranked = cause::place(ranked, &mut below, &told);

    let terms = Terms {
        limit: if query.budget.is_some() { query.limit.max(100) } else { query.limit },
        budget: query.budget,
        redundancy: settings.recall.redundancy,
        rejected: query.rejected,
    };
    let mut packing = pack(ranked, &terms, &|nodes| read.memories(nodes))?;
    if query.rejected {
        reject_hidden(read, query, &filter, &understood, &below, &mut packing)?;
    }

    let mut ways: Vec<Vec<graph::Hop>> = Vec::with_capacity(packing.packed.len());
    for pack::Packed { candidate, .. } in &packing.packed {
        ways.push(match &walked {
            Some(_) if let Some(way) = cause::way(&told, candidate.node) => way,
            Some((walk, bridges)) if moved(candidate) => match walk.way(candidate, &weights) {
                way if way.is_empty() && !walk.starts_at(candidate.node) => {
                    bridges.way(read, candidate.node, &filter)?
                }
                way => way,
            },
            _ => Vec::new(),
        });
    }
    let shown = |node: Node| packing.packed.iter().any(|p| p.candidate.node == node);
    let chain_hops = cause::chains(told, &shown);
    let entities: Vec<Node> = understood.entities.iter().map(|e| e.node).collect();
    let all_hops = ways.iter().flatten().chain(chain_hops.iter().flatten());
    let rows = Rows::read(read, &entities, all_hops)?;

    let rules = rules::beside(read, query, &understood, &spans, vector, &settings.recall)?;
    let mentioned = shared_names(read, &packing.packed, &entities, &rows, &filter)?;
    let mut results = Vec::with_capacity(packing.packed.len());
    let mut titles: BTreeMap<SourceId, Option<String>> = BTreeMap::new();
    for ((packed, way), names) in packing.packed.into_iter().zip(ways).zip(mentioned) {
        let title = match titles.entry(packed.memory.source) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                new.insert(read.source(packed.memory.source)?.and_then(|s| s.title)).clone()
            }
        };
        let values = &packed.candidate.values;
        let shares = order.shares(&packed.candidate);
        // A signal that is 0 may count too: "none of the question's names stands here".
        let signal = |s: &SignalName| Signal {
            name: s.name(),
            value: values[*s as usize],
            share: shares[*s as usize],
        };
        let counts = |s: &Signal| s.value != 0.0 || s.share != 0.0;
        let signals = SignalName::ALL.iter().map(signal).filter(counts).collect();
        results.push(RecallResult {
            why_included: why_included(&packed.candidate),
            score: packed.candidate.score,
            title,
            signals,
            seed: way.first().map(|hop| hop.from),
            path: way.iter().map(|hop| rows.hop(hop, &weights)).collect(),
            entities: names,
            memory: packed.memory,
        });
    }
    let chains = chain_hops
        .iter()
        .map(|hops| {
            let hops: Vec<Hop> = hops.iter().map(|hop| rows.hop(hop, &weights)).collect();
            Chain { confidence: hops.iter().map(|hop| hop.confidence).product(), hops }
        })
        .collect();
    if let Some((walk, _)) = &walked {
        // A seed that the question's own name leads to needed no graph to be found.
        let start =
            |node: Node| walk.subgraph.place(node).is_some_and(|place| walk.subgraph.hops(place) == 0);
        let brought =
            |r: &&RecallResult| r.seed.is_some_and(|seed| seed.is_memory() || !start(r.memory.node));
        made.expanded = results.iter().filter(brought).count();
    }
    Ok(Recall {
        revision: read.revision(),
        query: query.text.clone(),
        understanding: Understanding {
            intent: understood.intent.intent,
            intent_confidence: understood.intent.confidence,
            terms: understood.terms.clone(),
            entities: entities.iter().filter_map(|node| rows.entity(*node).cloned()).collect(),
            times: understood
                .times
                .iter()
                .map(|t| (query.text.trim().get(t.bytes.clone()).unwrap_or_default().to_string(), t.interval))
                .collect(),
            language: understood.language.name(),
        },
        results,
        rules,
        chains,
        candidates: scored,
        abstained,
        rejected: packing.rejected,
        missing: context.missing.clone(),
        tokens: packing.tokens,
        made,
    })
}

/// What an effort allows.
struct Bounds {
    limits: Limits,
    /// Nodes of the graph that are walked.
    nodes: usize,
    /// Candidates that are compared with the best, and results at most.
    ranked: usize,
}

impl Bounds {
    const fn of(effort: Effort) -> Self {
        match effort {
            Effort::Low => Self { limits: Limits::LOW, nodes: 100, ranked: 60 },
            Effort::Normal => Self { limits: Limits::NORMAL, nodes: 300, ranked: 120 },
            Effort::High => Self { limits: Limits::HIGH, nodes: 3000, ranked: 1000 },
        }
    }
}

fn score(candidates: &mut [Candidate], ranker: &Ranker) {
    for candidate in candidates {
        candidate.score = ranker.score(candidate.genre(), &candidate.values);
    }
}

/// What the scores of results are made of: trees where there is much to choose from, the weighted sum where
/// there is little. Trees learned what sets one candidate off from a hundred others; of two or three they may
/// take the wrong one for it.
struct Order<'a> {
    ranker: &'a Ranker,
    forest: Option<&'a Forest>,
    /// The part of a score that comes from the trees.
    trees: f32,
}

/// From so many candidates on trees decide alone. The smallest worlds that they were grown from have about
/// fifty memories.
const MANY: usize = 40;

impl<'a> Order<'a> {
    fn new(ranker: &'a Ranker, forest: Option<&'a Forest>, candidates: usize) -> Self {
        let trees = forest.map_or(0.0, |_| (candidates as f32 / MANY as f32).min(1.0));
        Self { ranker, forest, trees }
    }

    fn rank(&self, candidates: &mut [Candidate]) {
        if self.trees < 1.0 {
            score(candidates, self.ranker);
        }
        let Some(forest) = self.forest else { return };
        let values: Vec<Values> = candidates.iter().map(|c| c.values).collect();
        for (candidate, by_trees) in candidates.iter_mut().zip(forest.scores(&values)) {
            candidate.score = self.blend(by_trees, candidate.score);
        }
    }

    fn blend(&self, trees: f32, sum: f32) -> f32 {
        if self.trees < 1.0 { self.trees * trees + (1.0 - self.trees) * sum } else { trees }
    }

    /// What each signal adds to the score.
    fn shares(&self, candidate: &Candidate) -> Values {
        let sum = self.ranker.shares(candidate.genre(), &candidate.values);
        let Some(forest) = self.forest else { return sum };
        let trees = forest.shares(&candidate.values);
        std::array::from_fn(|at| self.blend(trees[at], sum[at]))
    }
}

/// Calendar spans, and days of events that the question measures time by ("before the release").
fn spans(read: &dyn Read, query: &Query, understood: &Understood, filter: &Filter) -> Result<Vec<Span>> {
    let mut spans = understood.spans.clone();
    let text = query.text.trim();
    for anchor in text::event_anchors(text) {
        let (range, relation) = match anchor {
            EventAnchor::Before(range) => (range, TimeRelation::Before),
            EventAnchor::After(range) => (range, TimeRelation::After),
            EventAnchor::During(range) => (range, TimeRelation::Around),
        };
        let event = text.get(range).unwrap_or_default();
        let terms: Vec<String> =
            text::query_terms(event).into_iter().filter(|t| !t.stop).map(|t| t.text).collect();
        if terms.is_empty() {
            continue;
        }
        let all = if terms.len() >= 64 { u64::MAX } else { (1 << terms.len()) - 1 };
        let hits = read.search_words(&WordQuery { terms, limit: 1, places: 0 }, filter)?;
        let Some(hit) = hits.memories.first().filter(|hit| hit.matched & all == all) else { continue };
        if let Some(Some(placement)) = read.placements(&[hit.node])?.first() {
            let at = placement.occurred_at;
            spans.push(Span { relation, interval: Interval::new(at, Timestamp(at.0 + 1)) });
        }
    }
    Ok(spans)
}

/// Candidates that have something to do with the question, and the others.
fn floor(
    ranked: Vec<Candidate>,
    query: &Query,
    understood: &Understood,
    settings: &Settings,
) -> (Vec<Candidate>, Vec<Candidate>) {
    if !query.floor {
        return (ranked, Vec::new());
    }
    // Of "why did it not start on the 20th?" time is not all that is asked for, even where no other word is
    // left.
    if understood.only_time && understood.intent.intent != text::Intent::Why {
        return ranked.into_iter().partition(|c| c.values[SignalName::Time as usize] >= 1.0);
    }
    let best = ranked.iter().map(relevance).fold(0.0, f32::max);
    if best < settings.recall.floor {
        return (Vec::new(), ranked);
    }
    // What came in over the graph, its place or its time has another reason to be here than its words.
    ranked.into_iter().partition(|c| {
        relevance(c) >= settings.recall.floor * 0.5
            || c.values[SignalName::Graph as usize] > 0.0
            || c.values[SignalName::BridgeOpen as usize] > 0.0
            || c.values[SignalName::Place as usize] > 0.5
            || c.values[SignalName::Time as usize] >= 1.0
    })
}

/// Lists candidates below the floor, and what words would have found but for the project or a successor.
fn reject_hidden(
    read: &dyn Read,
    query: &Query,
    asked: &Filter,
    understood: &Understood,
    below: &[Candidate],
    packing: &mut pack::Packing,
) -> Result<()> {
    const LISTED: usize = 10;
    let nodes: Vec<Node> = below.iter().take(LISTED).map(|c| c.node).collect();
    for (memory, candidate) in read.memories(&nodes)?.into_iter().zip(below) {
        packing.rejected.push(Rejected { memory, score: candidate.score, reason: Rejection::Floor });
    }
    let mut hidden = |wider: Filter, reason: Rejection, is_hidden: &dyn Fn(&Memory) -> bool| -> Result<()> {
        let words = WordQuery { terms: understood.terms.clone(), limit: LISTED * 4, places: 0 };
        let nodes: Vec<Node> =
            read.search_words(&words, &wider)?.memories.iter().map(|hit| hit.node).collect();
        let memories = read.memories(&nodes)?.into_iter().filter(is_hidden).take(LISTED);
        packing.rejected.extend(memories.map(|memory| Rejected { memory, score: 0.0, reason }));
        Ok(())
    };
    if !query.superseded {
        let wider = Filter { superseded: true, ..asked.clone() };
        hidden(wider, Rejection::Superseded, &|memory| memory.superseded_by.is_some())?;
    }
    if let Some(project) = &query.scope.project {
        let mut wider = asked.clone();
        wider.scope.project = None;
        hidden(wider, Rejection::Scope, &|memory| {
            memory.scope.project.as_ref().is_some_and(|own| own != project)
        })?;
    }
    Ok(())
}

/// The graph had a part in the place of this candidate.
fn moved(candidate: &Candidate) -> bool {
    [SignalName::Graph, SignalName::Bridge].iter().any(|signal| candidate.values[*signal as usize] > 0.0)
}

/// Per result the names of the question's entities that it mentions.
fn shared_names(
    read: &dyn Read,
    packed: &[pack::Packed],
    entities: &[Node],
    rows: &Rows,
    filter: &Filter,
) -> Result<Vec<Vec<String>>> {
    if entities.is_empty() || packed.is_empty() {
        return Ok(vec![Vec::new(); packed.len()]);
    }
    let mut fan_out = [0; crate::backend::CATALOGUE_SIZE];
    fan_out[crate::model::EdgeKind::Mentions as usize] = 64;
    let ask = crate::backend::NeighbourQuery {
        direction: crate::backend::Direction::Out,
        fan_out: &fan_out,
        filter,
    };
    let nodes: Vec<Node> = packed.iter().map(|p| p.candidate.node).collect();
    let names = |arcs: Vec<crate::backend::Arc>| {
        let mut names: Vec<String> = arcs
            .iter()
            .filter(|arc| entities.contains(&arc.to))
            .filter_map(|arc| rows.entity(arc.to).map(|e| e.name.clone()))
            .collect();
        names.sort();
        names
    };
    Ok(read.neighbours(&nodes, &ask)?.into_iter().map(names).collect())
}
