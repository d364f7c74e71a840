//! Finds the causes of the best matches of a WHY question and puts them into the answer.
//!
//! The words of "why X?" describe X, not its causes. So the matches identify X, and a backward walk over
//! causal edges finds the reasons: causes follow their effect however badly their own words match. Scores do
//! not change. The number of requested results does not affect which causes follow an effect (invariant 4).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::graph::{self, CausalArcs, CausalChain, CausalLimits, Hop};
use crate::model::{Family, Node, Result};

use super::Run;
use super::candidates::{Candidate, best_of};

/// Matches whose causes are shown (`EFFECTS`), chosen among the best (`AMONG`). A match that is already shown
/// as a cause is not expanded as an effect.
const EFFECTS: usize = 5;
const AMONG: usize = 10;
const DEPTH: usize = 6;
const BUDGET: usize = 64;
/// Nodes whose causes are read in advance, before any chain is followed.
const READ: usize = 256;
/// The most causes placed after one effect.
const FOLLOWING: usize = 6;
const CHAINS: usize = 3;

/// A match with its causes.
pub struct Behind {
    pub effect: Node,
    /// Nearest first.
    pub causes: Vec<Node>,
    /// The path from each cause to the effect.
    pub ways: Vec<Vec<Hop>>,
}

/// Finds the causes of the best candidates, best effect first, and adds them as candidates.
pub fn behind(run: &mut Run<'_>) -> Result<()> {
    let Run { question, pool, weights, .. } = run;
    let limits = CausalLimits {
        depth: DEPTH,
        min_confidence: weights.belief.least,
        now: weights.now,
        lambda: weights.belief.decay[Family::Causal as usize],
        budget: BUDGET,
    };
    let best = best_of(&pool.candidates, AMONG);
    let effects: Vec<Node> = best.into_iter().map(|(effect, _)| effect).collect();
    let arcs = CausalArcs::towards(question.read, &effects, DEPTH, READ, &question.filter)?;
    let mut found: Vec<Behind> = Vec::new();
    for effect in effects {
        if found.iter().any(|one| one.causes.contains(&effect)) {
            continue;
        }
        let chain = arcs.causes(effect, &limits)?;
        let mut links: Vec<_> = chain.links.iter().filter(|l| !l.opposed && l.node.is_memory()).collect();
        links.sort_by(|a, b| {
            a.depth.cmp(&b.depth).then(b.strength.total_cmp(&a.strength)).then(a.node.cmp(&b.node))
        });
        let causes: Vec<Node> = links.iter().take(FOLLOWING).map(|link| link.node).collect();
        if !causes.is_empty() {
            let ways = ways(&chain);
            found.push(Behind { effect, causes, ways });
        }
        if found.len() == EFFECTS {
            break;
        }
    }
    pool.extend(question, found.iter().flat_map(|one| one.causes.iter().copied()).collect())?;
    run.behind = found;
    Ok(())
}

/// For each cause of a chain the path to the effect whose weakest hop is strongest, the longest one among
/// equals: a guessed shortcut explains less than the steps in between.
fn ways(chain: &CausalChain) -> Vec<Vec<Hop>> {
    let mut best: BTreeMap<Node, (f32, Vec<Hop>)> =
        BTreeMap::from([(chain.start, (f32::INFINITY, Vec::new()))]);
    for _ in 0..DEPTH {
        let known = best.clone();
        for hop in &chain.hops {
            let (cause, effect) = hop.ends();
            let Some((weakest, way)) = known.get(&effect) else { continue };
            if cause == chain.start || way.iter().any(|step| step.ends().0 == cause) {
                continue;
            }
            let weakest = weakest.min(graph::strength(&hop.arc));
            let better = best.get(&cause).is_none_or(|(other, shorter)| {
                weakest.total_cmp(other).then((way.len() + 1).cmp(&shorter.len())).is_gt()
            });
            if better {
                // Arcs are walked from the effect; a chain is shown from the cause.
                let first = if hop.arc.forward { *hop } else { hop.flipped() };
                best.insert(cause, (weakest, std::iter::once(first).chain(way.iter().copied()).collect()));
            }
        }
    }
    best.into_values().map(|(_, way)| way).filter(|way| !way.is_empty()).collect()
}

/// Puts the causes of each effect right after it, nearest first. `below` are the candidates below the
/// floor: a cause need not match the question. If a cause ranks above its effect but both score about alike,
/// the effect goes first, because the question is about it.
pub fn place(ranked: Vec<Candidate>, below: &mut Vec<Candidate>, behind: &[Behind]) -> Vec<Candidate> {
    /// The share of the cause's score that the effect must reach.
    const ABOUT_ALIKE: f32 = 0.9;
    let mut placing = Placing {
        placed: Vec::with_capacity(ranked.len()),
        waiting: ranked.into_iter().map(Some).collect(),
        below,
        behind,
    };
    for at in 0..placing.waiting.len() {
        let Some((node, score)) = placing.waiting[at].as_ref().map(|c| (c.node, c.score)) else { continue };
        let effects = behind.iter().filter(|one| one.causes.contains(&node));
        let effects = effects.filter_map(|one| placing.waiting_at(one.effect, score * ABOUT_ALIKE));
        if let Some(effect) = effects.min() {
            placing.place(effect);
        }
        placing.place(at);
    }
    placing.placed
}

struct Placing<'a> {
    waiting: Vec<Option<Candidate>>,
    placed: Vec<Candidate>,
    below: &'a mut Vec<Candidate>,
    behind: &'a [Behind],
}

impl Placing<'_> {
    /// The index of a candidate with at least this score that is not placed yet.
    fn waiting_at(&self, node: Node, least: f32) -> Option<usize> {
        self.waiting.iter().position(|c| c.as_ref().is_some_and(|c| c.node == node && c.score >= least))
    }

    /// Puts the candidate into the answer, unless it is there already, and its causes after it.
    fn place(&mut self, at: usize) {
        let Some(candidate) = self.waiting[at].take() else { return };
        let effect = candidate.node;
        self.placed.push(candidate);
        let Some(one) = self.behind.iter().find(|one| one.effect == effect) else { return };
        for cause in &one.causes {
            let among = self.waiting.iter_mut().find(|w| w.as_ref().is_some_and(|c| c.node == *cause));
            if let Some(cause) = among.and_then(Option::take) {
                self.placed.push(cause);
            } else if let Some(position) = self.below.iter().position(|c| c.node == *cause) {
                self.placed.push(self.below.remove(position));
            }
        }
    }
}

/// The path from an effect to a cause that was placed after it; `None` for other memories.
pub fn way(behind: &[Behind], to: Node) -> Option<Vec<Hop>> {
    if behind.iter().any(|one| one.effect == to) {
        return None;
    }
    let one = behind.iter().find(|one| one.causes.contains(&to))?;
    let way = one.ways.iter().find(|way| way.first().is_some_and(|hop| hop.ends().0 == to))?;
    Some(way.iter().rev().map(|hop| hop.flipped()).collect())
}

/// The paths from first causes to effects, cause first, if both ends are in the answer. Omits paths contained
/// in another one. Paths of better effects come first, then longer ones.
pub fn chains(behind: &[Behind], shown: &dyn Fn(Node) -> bool) -> Vec<Vec<Hop>> {
    let within = |part: &[Hop], whole: &[Hop]| {
        whole.windows(part.len()).any(|some| some.iter().zip(part).all(|(a, b)| a.ends() == b.ends()))
    };
    let mut kept: Vec<Vec<Hop>> = Vec::new();
    for one in behind {
        if !shown(one.effect) {
            continue;
        }
        let mut ways = one.ways.clone();
        ways.retain(|way| way.first().is_some_and(|hop| shown(hop.ends().0)));
        ways.sort_by_key(|way| Reverse(way.len()));
        for way in ways {
            if !kept.iter().any(|longer| within(&way, longer)) {
                let place = kept.iter().position(|shorter| within(shorter, &way)).unwrap_or(kept.len());
                kept.retain(|shorter| !within(shorter, &way));
                kept.insert(place.min(kept.len()), way);
            }
        }
    }
    kept.truncate(CHAINS);
    kept
}
