//! What stands behind the best matches of a WHY question, and where it stands in the answer.
//!
//! The words of "why X?" are the words of X, not of its causes. So the matches say which X is meant, and causal edges, walked
//! backwards from it, say why: the causes follow their effect whatever their own words are worth. Scores stay what they are.
//! Which causes follow which effect does not depend on how many results were asked for (invariant 4).

use crate::backend::{Filter, Read};
use crate::graph::{self, CausalLimits, Hop, Trace};
use crate::model::{Family, Node, Result};

use super::candidates::{Candidate, Pool};
use super::walk::ArcWeights;

/// Matches whose causes are told.
const EFFECTS: usize = 5;
const DEPTH: usize = 6;
const BUDGET: usize = 64;
/// Causes that follow one effect.
const FOLLOWING: usize = 6;
/// Chains that are listed.
const CHAINS: usize = 3;

/// One match with what led to it.
pub struct Behind {
    pub effect: Node,
    /// Nearest first: each cause with its way, as hops from the effect.
    pub causes: Vec<(Node, Vec<Hop>)>,
}

/// The causes of the best candidates, best effect first. What is no candidate yet becomes one.
pub fn behind(read: &dyn Read, pool: &mut Pool<'_>, weights: &ArcWeights, filter: &Filter) -> Result<Vec<Behind>> {
    let mut best: Vec<(Node, f32)> = pool.candidates.iter().map(|c| (c.node, c.score)).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let limits = CausalLimits {
        depth: DEPTH,
        min_confidence: weights.least(),
        now: weights.now(),
        lambda: weights.fading(Family::Causal),
        budget: BUDGET,
    };
    let mut told = Vec::new();
    for (effect, _) in best.into_iter().filter(|(_, score)| *score > 0.0).take(EFFECTS) {
        let chain = graph::causal_chain(read, effect, Trace::Causes, &limits, filter)?;
        let mut links: Vec<_> = chain.links.into_iter().filter(|l| !l.opposed && l.node.is_memory()).collect();
        links.sort_by(|a, b| a.depth.cmp(&b.depth).then(b.strength.total_cmp(&a.strength)).then(a.node.cmp(&b.node)));
        links.truncate(FOLLOWING);
        let causes: Vec<(Node, Vec<Hop>)> =
            links.into_iter().map(|l| (l.node, l.path.iter().map(|step| step.hop).collect())).collect();
        told.push(Behind { effect, causes });
    }
    pool.extend(told.iter().flat_map(|one| one.causes.iter().map(|(node, _)| *node)).collect())?;
    Ok(told)
}

/// Puts the causes of each told effect right behind it, nearest first. `below` holds what the floor took out: a cause need not
/// match the question.
pub fn place(ranked: Vec<Candidate>, below: &mut Vec<Candidate>, told: &[Behind]) -> Vec<Candidate> {
    let mut waiting: Vec<Option<Candidate>> = ranked.into_iter().map(Some).collect();
    let mut placed: Vec<Candidate> = Vec::with_capacity(waiting.len());
    for at in 0..waiting.len() {
        let Some(candidate) = waiting[at].take() else { continue };
        let effect = candidate.node;
        placed.push(candidate);
        let Some(one) = told.iter().find(|one| one.effect == effect) else { continue };
        for (cause, _) in &one.causes {
            let among = waiting.iter_mut().find(|w| w.as_ref().is_some_and(|c| c.node == *cause));
            if let Some(cause) = among.and_then(Option::take) {
                placed.push(cause);
            } else if let Some(position) = below.iter().position(|c| c.node == *cause) {
                placed.push(below.remove(position));
            }
        }
    }
    placed
}

/// The ways from the first causes to the told effects, cause first, of those whose ends are shown. A way inside another one
/// is not listed again; those of better effects come first, then longer ones.
pub fn chains(told: &[Behind], shown: &dyn Fn(Node) -> bool) -> Vec<Vec<Hop>> {
    let mut kept: Vec<Vec<Hop>> = Vec::new();
    for one in told.iter().filter(|one| shown(one.effect)) {
        let mut ways: Vec<Vec<Hop>> = one
            .causes
            .iter()
            .filter(|(cause, _)| shown(*cause))
            .map(|(_, way)| way.iter().rev().map(|hop| hop.flipped()).collect())
            .collect();
        ways.sort_by_key(|way| std::cmp::Reverse(way.len()));
        for way in ways {
            let inside = |longer: &Vec<Hop>| {
                longer.windows(way.len()).any(|part| part.iter().zip(&way).all(|(a, b)| a.ends() == b.ends()))
            };
            if !kept.iter().any(inside) {
                kept.retain(|shorter| {
                    !way.windows(shorter.len()).any(|part| part.iter().zip(shorter).all(|(a, b)| a.ends() == b.ends()))
                });
                kept.push(way);
            }
        }
    }
    kept.truncate(CHAINS);
    kept
}
