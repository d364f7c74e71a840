//! Finds the chain that a causal question asks for and puts it into the answer.
//!
//! The words of "why X?" describe X, not its causes. So one of the best matches is chosen as X
//! ([`asked_about`]), and a walk over causal edges finds what led to it; for "what did X lead to?" what
//! followed from it. The whole chain follows X in the answer, nearest first, however badly its own words
//! match. Another match gets its chain only where it is nearly as likely to be X, and whole or not at all.
//! Scores do not change. Memories that were superseded stay in chains. The number of requested results does
//! not affect the chains (invariant 4).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::graph::{self, CausalArcs, CausalChain, CausalLimits, Hop, WhyDirection};
use crate::model::{Family, Node, Result};
use crate::text::Intent;

use super::asked::{Vote, asked_about};
use super::candidates::{Candidate, best_of, share};
use super::ranking::Ranking;
use super::signals::SignalName;
use super::{Question, Run};

/// The best matches among which the one that is asked about is chosen.
const AMONG: usize = 12;
const DEPTH: usize = graph::CAUSAL_DEPTH;
const BUDGET: usize = 64;
/// Nodes whose arcs are read in advance, before any chain is followed.
const READ: usize = 256;
/// The most members of a chain that are placed after what was asked about.
const FOLLOWING: usize = 12;
/// The chains of alternatives are placed while all fit into an answer of the usual length.
const PLACES: usize = 10;
/// The most paths that show how the members are connected.
const CHAINS: usize = 6;
/// Strength from which a causal arc is no guess of a rule or a model.
const SAID: f32 = 0.8;

/// A memory that may be what was asked about, with its chain.
pub struct Chained {
    pub point: Node,
    /// Its causes or its consequences, nearest first.
    pub members: Vec<Node>,
    /// The path from each cause to its effect: from each member to the point, or from the point to each
    /// member.
    pub ways: Vec<Vec<Hop>>,
    /// Strength of the strongest causal arc of the point, 0..=1.
    strength: f32,
    side: WhyDirection,
}

impl Chained {
    /// Whether a caller said what led to the point, or what followed from it.
    pub fn is_said(&self) -> bool {
        self.strength >= SAID
    }

    /// Whether a memory is a link of the chain.
    pub fn has(&self, node: Node) -> bool {
        self.members.contains(&node) || self.point == node && !self.members.is_empty()
    }
}

/// The side that the question asks for; `None` if it is not causal.
pub fn asked_side(question: &Question<'_>) -> Option<WhyDirection> {
    let reading = &question.understood.intent;
    let side = if reading.forward { WhyDirection::Consequences } else { WhyDirection::Causes };
    (reading.intent == Intent::Why).then_some(side)
}

pub fn side_name(side: WhyDirection) -> &'static str {
    match side {
        WhyDirection::Causes => "causes",
        WhyDirection::Consequences => "consequences",
        WhyDirection::Both => "both",
    }
}

/// Chooses what the question asks about, and adds its chain to the candidates; false if there is none.
pub fn follow(run: &mut Run<'_>) -> Result<bool> {
    let Run { question, pool, weights, .. } = run;
    let Some(side) = asked_side(question) else { return Ok(false) };
    let limits = CausalLimits {
        depth: DEPTH,
        min_confidence: weights.belief.least,
        now: weights.now,
        lambda: weights.belief.decay[Family::Causal as usize],
        budget: BUDGET,
    };
    let best = best_of(&pool.candidates, AMONG);
    let nodes: Vec<Node> = best.iter().map(|(node, _)| *node).collect();
    let arcs = CausalArcs::from(question.read, side, &nodes, DEPTH, READ, &question.filter)?;
    let mut chains: BTreeMap<Node, CausalChain> = BTreeMap::new();
    for node in &nodes {
        chains.insert(*node, arcs.of(*node, &limits)?);
    }
    let candidates: Vec<&Candidate> = nodes.iter().filter_map(|node| pool.get(*node)).collect();
    let mut placed: BTreeSet<Node> = BTreeSet::new();
    let mut found: Vec<Chained> = Vec::new();
    for point in asked_about(&votes(&candidates, &chains, question.context.ranking)) {
        let Some(chain) = chains.remove(&point) else { continue };
        let mut links: Vec<_> = chain.links.iter().filter(|link| link.node.is_memory()).collect();
        links.sort_by(|a, b| {
            a.depth.cmp(&b.depth).then(b.strength.total_cmp(&a.strength)).then(a.node.cmp(&b.node))
        });
        let members: Vec<Node> = links.iter().take(FOLLOWING).map(|link| link.node).collect();
        let mut all = placed.clone();
        all.extend(members.iter().copied().chain([point]));
        if found.is_empty() || all.len() <= PLACES {
            placed = all;
            let strength = strength(point, &chain);
            found.push(Chained { point, ways: ways(&chain, side), strength, members, side });
        }
    }
    pool.extend(question, placed.into_iter().collect())?;
    let is_chained = !found.is_empty();
    run.chained = found;
    Ok(is_chained)
}

/// What speaks for each candidate.
fn votes(
    candidates: &[&Candidate],
    chains: &BTreeMap<Node, CausalChain>,
    ranking: &Ranking,
) -> Vec<(Node, Vote)> {
    let value = |candidate: &Candidate, signal: SignalName| candidate.values[signal as usize].max(0.0);
    let most = |of: &dyn Fn(&Candidate) -> f32| candidates.iter().map(|c| of(c)).fold(0.0, f32::max);
    let score = most(&|c| ranking.first(&c.values));
    let words = most(&|c| value(c, SignalName::Words));
    let coverage = most(&|c| value(c, SignalName::Coverage));
    let meaning = most(&|c| c.cosine.unwrap_or(0.0));
    let mut votes: Vec<(Node, Vote)> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let vote = Vote {
            score: share(ranking.first(&candidate.values), score),
            words: share(value(candidate, SignalName::Words), words),
            coverage: share(value(candidate, SignalName::Coverage), coverage),
            meaning: share(candidate.cosine.unwrap_or(0.0), meaning),
            chained: chains.get(&candidate.node).map_or(0.0, |chain| strength(candidate.node, chain)),
        };
        votes.push((candidate.node, vote));
    }
    votes
}

/// Strength of the strongest arc that a chain starts with, 0..=1; 0 without one.
fn strength(start: Node, chain: &CausalChain) -> f32 {
    let own = chain.hops.iter().filter(|hop| hop.from == start);
    own.map(|hop| graph::strength(&hop.arc)).fold(0.0, f32::max)
}

/// For each member of a chain the path between it and the start whose weakest hop is strongest, the longest
/// one among equals: a guessed shortcut explains less than the steps in between. From cause to effect.
fn ways(chain: &CausalChain, side: WhyDirection) -> Vec<Vec<Hop>> {
    let mut best: BTreeMap<Node, (f32, Vec<Hop>)> =
        BTreeMap::from([(chain.start, (f32::INFINITY, Vec::new()))]);
    for _ in 0..DEPTH {
        let known = best.clone();
        for hop in &chain.hops {
            // Arcs are walked away from the start.
            let (near, far) = (hop.from, hop.arc.to);
            let Some((weakest, way)) = known.get(&near) else { continue };
            if far == chain.start || way.iter().any(|step| step.arc.to == far) {
                continue;
            }
            let weakest = weakest.min(graph::strength(&hop.arc));
            let better = best.get(&far).is_none_or(|(other, shorter)| {
                weakest.total_cmp(other).then((way.len() + 1).cmp(&shorter.len())).is_gt()
            });
            if better {
                best.insert(far, (weakest, way.iter().copied().chain([*hop]).collect()));
            }
        }
    }
    let mut ways: Vec<Vec<Hop>> = best.into_values().map(|(_, way)| way).collect();
    ways.retain(|way| !way.is_empty());
    if side == WhyDirection::Causes {
        for way in &mut ways {
            *way = reversed(way);
        }
    }
    ways
}

/// The same path walked from its other end.
fn reversed(way: &[Hop]) -> Vec<Hop> {
    way.iter().rev().map(|hop| hop.flipped()).collect()
}

/// Puts what was asked about first, then its chain. `below` are the candidates below the floor: a member of
/// the chain need not match the question. An empty answer stays empty.
pub fn place(mut ranked: Vec<Candidate>, below: &mut Vec<Candidate>, chained: &[Chained]) -> Vec<Candidate> {
    if ranked.is_empty() {
        return ranked;
    }
    let mut placed = Vec::with_capacity(ranked.len());
    let mut take = |from: &mut Vec<Candidate>, node: Node| {
        let at = from.iter().position(|candidate| candidate.node == node);
        at.map(|at| placed.push(from.remove(at))).is_some()
    };
    for one in chained {
        for node in std::iter::once(&one.point).chain(&one.members) {
            // A match without a chain has to pass the floor like any other.
            if !take(&mut ranked, *node) && !one.members.is_empty() {
                take(below, *node);
            }
        }
    }
    placed.append(&mut ranked);
    placed
}

/// The path from the point to a member of its chain; `None` for other memories.
pub fn way(chained: &[Chained], to: Node) -> Option<Vec<Hop>> {
    let chained = chained.iter().find(|chained| chained.members.contains(&to))?;
    match chained.side {
        WhyDirection::Causes => {
            let way = chained.ways.iter().find(|way| way.first().is_some_and(|hop| hop.ends().0 == to))?;
            Some(reversed(way))
        }
        _ => chained.ways.iter().find(|way| way.last().is_some_and(|hop| hop.ends().1 == to)).cloned(),
    }
}

/// The paths between the shown members and what was asked about, cause first; longer ones first. Omits paths
/// whose hops are all in others.
pub fn chains(chained: &[Chained], shown: &dyn Fn(Node) -> bool) -> Vec<Vec<Hop>> {
    let mut seen: BTreeSet<(Node, Node)> = BTreeSet::new();
    let mut kept = Vec::new();
    for one in chained.iter().filter(|one| shown(one.point)) {
        let far = |way: &[Hop]| match one.side {
            WhyDirection::Causes => way.first().map(|hop| hop.ends().0),
            _ => way.last().map(|hop| hop.ends().1),
        };
        let mut ways: Vec<&Vec<Hop>> =
            one.ways.iter().filter(|way| far(way.as_slice()).is_some_and(shown)).collect();
        ways.sort_by_key(|way| Reverse(way.len()));
        for way in ways {
            let is_new = way.iter().any(|hop| !seen.contains(&hop.ends()));
            if is_new {
                seen.extend(way.iter().map(|hop| hop.ends()));
                kept.push(way.clone());
            }
        }
    }
    kept.truncate(CHAINS);
    kept
}
