//! What stands behind the best matches of a WHY question, and where it stands in the answer.
//!
//! The words of "why X?" are the words of X, not of its causes. So the matches say which X is meant, and
//! causal edges, walked backwards from it, say why: the causes follow their effect whatever their own words
//! are worth. Scores stay what they are. Which causes follow which effect does not depend on how many results
//! were asked for (invariant 4).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::graph::{self, CausalArcs, CausalChain, CausalLimits, Hop};
use crate::model::{Family, Node, Result};

use super::candidates::Candidate;
use super::run::Run;

/// Matches whose causes are told, and among how many of the best they are looked for: what is told as a cause
/// already is not told again as an effect.
const EFFECTS: usize = 5;
const AMONG: usize = 10;
const DEPTH: usize = 6;
const BUDGET: usize = 64;
/// Nodes whose causes are read together, before any chain is followed.
const READ: usize = 256;
/// Causes that follow one effect.
const FOLLOWING: usize = 6;
/// Chains that are listed.
const CHAINS: usize = 3;

/// One match with what led to it.
pub struct Behind {
    pub effect: Node,
    /// Nearest first.
    pub causes: Vec<Node>,
    /// From each cause to the effect, in that order.
    pub ways: Vec<Vec<Hop>>,
}

/// The causes of the best candidates, best effect first. What is no candidate yet becomes one.
pub fn behind(run: &mut Run<'_>) -> Result<()> {
    let Run { question, pool, weights, .. } = run;
    let mut best: Vec<(Node, f32)> = pool.candidates.iter().map(|c| (c.node, c.score)).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.retain(|(_, score)| *score > 0.0);
    best.truncate(AMONG);
    let limits = CausalLimits {
        depth: DEPTH,
        min_confidence: weights.least(),
        now: weights.now(),
        lambda: weights.fading(Family::Causal),
        budget: BUDGET,
    };
    let effects: Vec<Node> = best.iter().map(|(effect, _)| *effect).collect();
    let arcs = CausalArcs::towards(question.read, &effects, DEPTH, READ, &question.filter)?;
    let mut told: Vec<Behind> = Vec::new();
    for effect in effects {
        if told.iter().any(|one| one.causes.contains(&effect)) {
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
            told.push(Behind { effect, causes, ways });
        }
        if told.len() == EFFECTS {
            break;
        }
    }
    pool.extend(question, told.iter().flat_map(|one| one.causes.iter().copied()).collect())?;
    run.behind = told;
    Ok(())
}

/// For each cause of a chain its way to the effect: the one whose weakest hop is strongest, of those as
/// strong the longest. A guess that leaves the steps between out is no better explanation than the steps.
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
                // Arcs are walked from the effect; a chain is told from the cause.
                let first = if hop.arc.forward { *hop } else { hop.flipped() };
                best.insert(cause, (weakest, std::iter::once(first).chain(way.iter().copied()).collect()));
            }
        }
    }
    best.into_values().map(|(_, way)| way).filter(|way| !way.is_empty()).collect()
}

/// Puts the causes of each told effect right behind it, nearest first. `below` holds what the floor took out:
/// a cause need not match the question. Of a cause and its effect that match about alike, the effect goes
/// first: it is what was asked about.
pub fn place(ranked: Vec<Candidate>, below: &mut Vec<Candidate>, told: &[Behind]) -> Vec<Candidate> {
    /// Share of the cause's score that the effect reaches.
    const ABOUT_ALIKE: f32 = 0.9;
    let mut placing = Placing {
        placed: Vec::with_capacity(ranked.len()),
        waiting: ranked.into_iter().map(Some).collect(),
        below,
        told,
    };
    for at in 0..placing.waiting.len() {
        let Some((node, score)) = placing.waiting[at].as_ref().map(|c| (c.node, c.score)) else { continue };
        let effects = told.iter().filter(|one| one.causes.contains(&node));
        let effects = effects.filter_map(|one| placing.waiting_at(one.effect, score * ABOUT_ALIKE));
        if let Some(effect) = effects.min() {
            placing.tell(effect);
        }
        placing.tell(at);
    }
    placing.placed
}

struct Placing<'a> {
    waiting: Vec<Option<Candidate>>,
    placed: Vec<Candidate>,
    below: &'a mut Vec<Candidate>,
    told: &'a [Behind],
}

impl Placing<'_> {
    /// Where a candidate of at least this score still waits.
    fn waiting_at(&self, node: Node, least: f32) -> Option<usize> {
        self.waiting.iter().position(|c| c.as_ref().is_some_and(|c| c.node == node && c.score >= least))
    }

    /// Places the candidate if it still waits, and its causes behind it.
    fn tell(&mut self, at: usize) {
        let Some(candidate) = self.waiting[at].take() else { return };
        let effect = candidate.node;
        self.placed.push(candidate);
        let Some(one) = self.told.iter().find(|one| one.effect == effect) else { return };
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

/// How the answer came from an effect to a memory that was placed behind it; `None` for others.
pub fn way(told: &[Behind], to: Node) -> Option<Vec<Hop>> {
    if told.iter().any(|one| one.effect == to) {
        return None;
    }
    let one = told.iter().find(|one| one.causes.contains(&to))?;
    let way = one.ways.iter().find(|way| way.first().is_some_and(|hop| hop.ends().0 == to))?;
    Some(way.iter().rev().map(|hop| hop.flipped()).collect())
}

/// The ways from the first causes to the told effects, cause first, of those whose ends are shown. A way
/// inside another one is not listed again; those of better effects come first, then longer ones.
pub fn chains(told: &[Behind], shown: &dyn Fn(Node) -> bool) -> Vec<Vec<Hop>> {
    let within = |part: &[Hop], whole: &[Hop]| {
        whole.windows(part.len()).any(|some| some.iter().zip(part).all(|(a, b)| a.ends() == b.ends()))
    };
    let mut kept: Vec<Vec<Hop>> = Vec::new();
    for one in told {
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
