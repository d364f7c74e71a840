//! Adds memories found by a random walk over the graph from the few best matches.
//!
//! The graph does not retrieve on its own; it extends good matches. A personalised PageRank over names and
//! sessions, seeded by two or three precise matches, finds memories that the question does not describe
//! (SPRIG, HippoRAG 2). Ten or more seeds give no gain.

use crate::backend::{Arc, Batch, Belief, CATALOGUE_SIZE, Direction, Look};
use crate::graph::{self, Hop, Subgraph, Transitions};
use crate::model::{EdgeKind, Family, Node, Result, Timestamp};
use crate::settings::GraphSettings;
use crate::text::Intent;

use super::answer::Reach;
use super::bridge::{self, Bridges};
use super::candidates::{Candidate, Pool, SEEDS, best_of, sharpness};
use super::signals::SignalName;
use super::{Question, Run};

/// Share of the restart probability that goes to the question's names.
const NAMES_SHARE: f32 = 0.3;
const DAMPING: f32 = 0.6;
const ITERATIONS: usize = 12;
/// Ranks at or below `e^-8` of the best count as 0.
const LOG_RANGE: f32 = 8.0;

/// Arcs followed per node, by kind: mentions are the most informative, neighbours in time the least.
fn fan_out() -> [usize; CATALOGUE_SIZE] {
    std::array::from_fn(|at| match EdgeKind::from_number(at as u8) {
        Some(EdgeKind::Mentions) => 40,
        Some(EdgeKind::Temporal) => 0,
        Some(EdgeKind::Narrative) => 1,
        Some(kind) if kind.family() == Family::Causal => 20,
        _ => 10,
    })
}

/// The subgraph around the best matches, kept to build the paths of the answer.
pub struct Walk {
    pub subgraph: Subgraph,
    /// The matches where it starts, with their scores, best first.
    pub seeds: Vec<(Node, f32)>,
    pub bridges: Bridges,
}

/// Weights of edges for one question.
pub struct ArcWeights {
    families: [f32; 4],
    pub(super) belief: Belief,
    pub(super) now: Timestamp,
}

/// The condition from the settings for following an edge.
pub fn belief(settings: &GraphSettings) -> Belief {
    let mut decay = [0.0; 4];
    decay[Family::Temporal as usize] = settings.decay_temporal;
    decay[Family::Entity as usize] = settings.decay_entity;
    decay[Family::Causal as usize] = settings.decay_causal;
    decay[Family::Semantic as usize] = settings.decay_semantic;
    Belief { least: settings.min_confidence, decay }
}

impl ArcWeights {
    pub fn new(intent: Intent, settings: &GraphSettings, now: Timestamp) -> Self {
        let [causal, temporal, entity, semantic] =
            [settings.why, settings.when, settings.entity, settings.general][intent as usize];
        let mut families = [0.0; 4];
        families[Family::Temporal as usize] = temporal;
        families[Family::Entity as usize] = entity;
        families[Family::Causal as usize] = causal;
        families[Family::Semantic as usize] = semantic;
        Self { families, belief: belief(settings), now }
    }

    pub fn confidence(&self, arc: &Arc) -> f32 {
        graph::faded(arc, self.now, self.belief.decay[arc.kind.family() as usize])
    }

    /// Family weight × weight × faded confidence, 0..=1.
    pub fn of(&self, arc: &Arc) -> f32 {
        self.families[arc.kind.family() as usize] * arc.weight.clamp(0.0, 1.0) * self.confidence(arc)
    }
}

/// Walks from the best candidates, adds the memories it reaches and sets the signals `graph…`; then runs the
/// second searches of the best matches ([`bridge`]).
pub fn walk(run: &mut Run<'_>) -> Result<()> {
    let Run { question, pool, weights, limits, made, .. } = run;
    let reach = Reach::within(question.query.reach, &question.context.settings.recall);
    let best = best_of(&pool.candidates, SEEDS);
    let names = question.walked().iter().map(|name| name.node);
    let starts: Vec<Node> = best.iter().map(|(node, _)| *node).chain(names).collect();
    let fan_out = fan_out();
    let expand = graph::from_store(question.read, Direction::Both, &fan_out, &question.filter);
    let (mut subgraph, rows) = Subgraph::gather(&expand, &starts, reach.hops, limits.nodes)?;
    let arcs_of =
        |node: Node| subgraph.place(node).and_then(|at| rows.get(at)).map_or(&[][..], Vec::as_slice);
    let bridge = bridge::prepare(question, pool, &best, &arcs_of, reach)?;

    // One request for the attributes of the walk's nodes and the second searches.
    let memories = pool.unknown(subgraph.nodes().iter().copied().filter(|node| node.is_memory()));
    let likes = question.likes();
    let look = Look {
        nodes: &memories,
        found: bridge::LOOKED_AT,
        degrees: subgraph.nodes(),
        ..question.look(&likes)
    };
    let words = bridge.words();
    let batch = Batch { words: &words, look, ..Batch::within(&question.filter) };
    let mut found = question.read.search_one(&batch)?;
    let answers = std::mem::take(&mut found.words);
    subgraph.set_degrees(std::mem::take(&mut found.degrees));
    pool.learn(found);

    rank(question, pool, weights, &subgraph, &best, reach)?;
    let reached =
        |c: &&Candidate| is_moved(c) && subgraph.place(c.node).is_some_and(|at| subgraph.hops(at) > 0);
    made.graph_candidates = pool.candidates.iter().filter(reached).count();
    let bridges = bridge.cross(question, pool, answers, reach)?;
    run.walk = Some(Walk { subgraph, seeds: best, bridges });
    Ok(())
}

/// Ranks the nodes by random walks from the seeds and the names of the question, adds the best memories, and
/// sets the signals `graph…`.
fn rank(
    question: &Question<'_>,
    pool: &mut Pool,
    weights: &ArcWeights,
    subgraph: &Subgraph,
    seeds: &[(Node, f32)],
    reach: Reach,
) -> Result<()> {
    let population = question.context.head.memories + 1;
    let hubs: Vec<f32> = (0..subgraph.len()).map(|at| subgraph.hub_factor(at, population)).collect();
    let hub =
        |node: Node| subgraph.place(node).map_or(1.0, |at| if node.is_entity() { hubs[at] } else { 1.0 });
    let arc_weight = |from: usize, arc: &Arc| weights.of(arc) * hub(arc.to) * hub(subgraph.nodes()[from]);
    let transitions = Transitions::new(subgraph, &arc_weight);
    let ranked = |restart: &[(usize, f32)]| {
        let ranks = transitions.pagerank(restart, DAMPING, ITERATIONS);
        let nodes = subgraph.nodes().iter().copied();
        nodes.zip(ranks).filter(|(node, rank)| node.is_memory() && *rank > 0.0).collect::<Vec<_>>()
    };

    let names = question.walked();
    // Names that are only near to the question count as far as they are near.
    let surest = names.iter().map(|name| name.trust).fold(0.0, f32::max);
    let names_share = NAMES_SHARE * if question.entities.is_empty() { surest } else { 1.0 };
    let top = seeds.first().map_or(1.0, |(_, score)| *score);
    let sharp_sum: f32 = seeds.iter().map(|(_, score)| sharpness(*score, top)).sum();
    let from_seed = |(node, score): &(Node, f32)| {
        Some((subgraph.place(*node)?, (1.0 - names_share) * sharpness(*score, top) / sharp_sum))
    };
    let trust: f32 = names.iter().map(|name| name.trust).sum();
    let from_names: Vec<(usize, f32)> =
        names.iter().filter_map(|name| Some((subgraph.place(name.node)?, name.trust))).collect();
    let mut restart: Vec<(usize, f32)> = seeds.iter().filter_map(from_seed).collect();
    restart.extend(from_names.iter().map(|(at, own)| (*at, names_share * own / trust)));

    let mut by_all = ranked(&restart);
    by_all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let brought = by_all.iter().map(|(node, _)| *node).filter(|node| pool.get(*node).is_none());
    let brought = brought.take(reach.memories).collect();
    pool.extend(question, brought)?;
    set(pool, SignalName::Graph, &by_all);
    if let Some(first) = seeds.first().and_then(|(seed, _)| subgraph.place(*seed)) {
        set(pool, SignalName::GraphFirst, &ranked(&[(first, 1.0)]));
    }
    if !from_names.is_empty() && !question.entities.is_empty() {
        set(pool, SignalName::GraphNames, &ranked(&from_names));
    }
    Ok(())
}

/// Whether the graph affected the rank of this candidate.
pub fn is_moved(candidate: &Candidate) -> bool {
    [SignalName::Graph, SignalName::Bridge].iter().any(|signal| candidate.values[*signal as usize] > 0.0)
}

/// Converts ranks to a signal: 1 for the highest, falling with the logarithm.
fn set(pool: &mut Pool, signal: SignalName, ranked: &[(Node, f32)]) {
    let most = ranked.iter().map(|(_, rank)| *rank).fold(f32::MIN_POSITIVE, f32::max);
    for (node, rank) in ranked {
        if let Some(candidate) = pool.get_mut(*node) {
            let value = 1.0 + (rank / most).ln() / LOG_RANGE;
            candidate.values[signal as usize] = value.clamp(0.0, 1.0);
        }
    }
}

impl Walk {
    /// The path from a seed or a name of the question to a memory, in walking order. Follows the strongest
    /// arc back to a node one hop nearer. A seed has a path only from a name of the question; a memory that
    /// the walk did not reach has none.
    pub fn way(&self, candidate: &Candidate, weights: &ArcWeights) -> Vec<Hop> {
        if self.starts_at(candidate.node) {
            return self.way_from_name(candidate.node, weights).into_iter().collect();
        }
        let Some(mut at) = self.subgraph.place(candidate.node) else { return Vec::new() };
        let mut hops = Vec::new();
        while self.subgraph.hops(at) > 0 {
            let from = self.subgraph.nodes()[at];
            let step = self
                .subgraph
                .row(at)
                .filter(|(to, _)| self.subgraph.hops(*to) < self.subgraph.hops(at))
                .map(|(to, arc)| (weights.of(arc), to, Hop { from, arc: *arc }))
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let Some((_, to, hop)) = step else { return Vec::new() };
            hops.push(hop.flipped());
            at = to;
        }
        hops.reverse();
        hops
    }

    /// Whether the walk starts at this match.
    pub fn starts_at(&self, node: Node) -> bool {
        self.seeds.iter().any(|(seed, _)| *seed == node)
    }

    fn way_from_name(&self, seed: Node, weights: &ArcWeights) -> Option<Hop> {
        let at = self.subgraph.place(seed)?;
        let from_names =
            self.subgraph.row(at).filter(|(to, arc)| arc.to.is_entity() && self.subgraph.hops(*to) == 0);
        let strongest =
            from_names.max_by(|a, b| weights.of(a.1).total_cmp(&weights.of(b.1)).then(b.0.cmp(&a.0)));
        strongest.map(|(_, arc)| Hop { from: seed, arc: *arc }.flipped())
    }
}
