//! Finds the strongest path to each node within a few hops.
//!
//! The strength of a path is the product of its hops, each 0..=1, so a longer path is never stronger. The
//! search goes hop by hop (one request each) and adds a state whenever it reaches a node *better* than
//! before; states are never changed, so each keeps the path that gave it its score, within the requested
//! depth. This is Dijkstra's answer on −ln(strength) without one request per settled node: exact unless width
//! or budget cut something off (`cut`).
//!
//! Work: at most `depth` times the arcs that were read. Simple paths are never enumerated, which in a
//! complete graph of 12 nodes at depth 7 would take seconds.

use super::hop::{Expand, Hop, HopKey, Map, unit};
use crate::backend::Arc;
use crate::model::{Node, Result};

#[derive(Clone, Copy, Debug)]
pub struct WalkLimits {
    pub depth: usize,
    /// Most nodes, including the starts; tested for each node.
    pub budget: usize,
    /// Most nodes that are taken in one hop.
    pub width: usize,
}

/// The strength of each hop, 0 for one that must not be taken. Called once per hop for all of its candidates.
pub(super) type Judge<'a> = dyn FnMut(&[Hop]) -> Result<Vec<f32>> + 'a;

#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub node: Node,
    pub score: f32,
    pub hops: u32,
    step: Option<(usize, Arc)>,
}

pub(super) struct Walk {
    states: Vec<State>,
    best: Map<Node, usize>,
    /// In the order in which they were first reached.
    nodes: Vec<Node>,
    /// The arcs of all nodes that were expanded.
    pub rows: Map<Node, Vec<Arc>>,
    /// Width or budget left something out, or may have.
    pub cut: bool,
}

impl Walk {
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn best(&self, node: Node) -> Option<&State> {
        self.best.get(&node).map(|state| &self.states[*state])
    }

    /// The hops from a start to `node` along its best path.
    pub fn path(&self, node: Node) -> Vec<Hop> {
        let mut hops = Vec::new();
        let mut state = self.best(node);
        while let Some((parent, arc)) = state.and_then(|state| state.step) {
            hops.push(Hop { from: self.states[parent].node, arc });
            state = self.states.get(parent);
        }
        hops.reverse();
        hops
    }

    fn score(&self, node: Node) -> f32 {
        self.best(node).map_or(0.0, |state| state.score)
    }

    fn add(&mut self, state: State) -> usize {
        let position = self.states.len();
        if self.best.insert(state.node, position).is_none() {
            self.nodes.push(state.node);
        }
        self.states.push(state);
        position
    }
}

/// Walks from `starts`, which keep their own score: no path replaces it.
pub(super) fn walk(
    expand: &Expand<'_>,
    judge: &mut Judge<'_>,
    starts: &[(Node, f32)],
    limits: &WalkLimits,
) -> Result<Walk> {
    let mut walk = Walk {
        states: Vec::new(),
        best: Map::default(),
        nodes: Vec::new(),
        rows: Map::default(),
        cut: false,
    };
    let mut starts: Vec<(Node, f32)> = starts.iter().map(|(node, score)| (*node, unit(*score))).collect();
    starts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut live = Vec::new();
    for (node, score) in starts {
        if walk.best.contains_key(&node) {
            continue;
        }
        if walk.nodes.len() == limits.budget {
            walk.cut = true;
            break;
        }
        let state = walk.add(State { node, score, hops: 0, step: None });
        if score > 0.0 {
            live.push(state);
        }
    }

    for _ in 0..limits.depth {
        let proposals = propose(&mut walk, &live, expand, judge, limits)?;
        live.clear();
        for state in proposals {
            let is_new = !walk.best.contains_key(&state.node);
            if live.len() == limits.width || (is_new && walk.nodes.len() >= limits.budget) {
                walk.cut = true;
                continue;
            }
            live.push(walk.add(state));
        }
        if live.is_empty() {
            break;
        }
    }
    Ok(walk)
}

/// The best new state of each node that one more hop reaches better than before, best first.
fn propose(
    walk: &mut Walk,
    live: &[usize],
    expand: &Expand<'_>,
    judge: &mut Judge<'_>,
    limits: &WalkLimits,
) -> Result<Vec<State>> {
    let unknown: Vec<Node> =
        live.iter().map(|s| walk.states[*s].node).filter(|node| !walk.rows.contains_key(node)).collect();
    if !unknown.is_empty() {
        for (node, row) in unknown.iter().zip(expand(&unknown)?) {
            walk.rows.insert(*node, row);
        }
    }

    let is_full = walk.nodes.len() >= limits.budget;
    let mut left_out = false;
    let mut parents = Vec::new();
    let mut hops = Vec::new();
    for parent in live {
        let state = &walk.states[*parent];
        for arc in walk.rows.get(&state.node).into_iter().flatten() {
            let known = walk.best(arc.to);
            if is_full && known.is_none() {
                left_out = true;
            } else if known.is_none_or(|known| known.hops > 0 && known.score < state.score) {
                parents.push(*parent);
                hops.push(Hop { from: state.node, arc: *arc });
            }
        }
    }
    walk.cut |= left_out;
    if hops.is_empty() {
        return Ok(Vec::new());
    }

    let worth = judge(&hops)?;
    let mut best: Map<Node, State> = Map::default();
    for ((parent, hop), worth) in parents.into_iter().zip(&hops).zip(worth) {
        let from = &walk.states[parent];
        let score = from.score * unit(worth);
        if score <= 0.0 || score <= walk.score(hop.arc.to) {
            continue;
        }
        let proposal = State { node: hop.arc.to, score, hops: from.hops + 1, step: Some((parent, hop.arc)) };
        let is_better = best.get(&proposal.node).is_none_or(|known| {
            score > known.score || (score == known.score && rank(walk, &proposal) < rank(walk, known))
        });
        if is_better {
            best.insert(proposal.node, proposal);
        }
    }
    let mut proposals: Vec<State> = best.into_values().collect();
    proposals.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    Ok(proposals)
}

/// Orders equally strong paths to one node.
fn rank(walk: &Walk, state: &State) -> Option<HopKey> {
    state.step.map(|(parent, arc)| Hop { from: walk.states[parent].node, arc }.key())
}
