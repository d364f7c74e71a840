//! Which memories lie on the best paths from what was found directly? (`adaptive_traversal`, seed 000)
//!
//! A beam search: each hop takes the `width` best nodes that it reaches better than before, within a depth and a hard
//! budget of nodes. A hop multiplies the score by `DECAY · weight · (0.6 + 0.4 · cosine)`: 0.9, 0.6 and 0.4 are the
//! constants of seed 000's system (`0.9·score(u) + exp(0.6·w + 0.4·cos)·weight`), which *adds* and so prefers the longest
//! path, ignores what the anchor scored, and fills its beam with hidden and repeated nodes. Here scores stay in 0..=1
//! and fall with each hop; a node is in the answer once, with its best path; anchors keep their place and score.

use super::hop::{FanOut, Hop, Map, from_store, unit};
use super::walk::{WalkLimits, walk};
use crate::backend::{Arc, Direction, Filter, Read};
use crate::model::{Node, Result};

/// What a hop costs at least.
pub const DECAY: f32 = 0.9;
/// Of a transition, what the edge says and what the likeness of node and query says.
pub const STRUCTURE: f32 = 0.6;
pub const LIKENESS: f32 = 0.4;
/// The likeness of a node without a vector, such as an entity.
pub const UNKNOWN_LIKENESS: f32 = 0.5;

#[derive(Clone, Debug)]
pub struct BeamLimits {
    /// Nodes that go on from each hop.
    pub width: usize,
    pub depth: usize,
    /// Nodes in the answer at most; anchors come first.
    pub budget: usize,
    pub fan_out: FanOut,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    pub node: Node,
    /// 0..=1; an anchor's own, or less than that of each node on the way.
    pub score: f32,
    pub hops: u32,
    /// From an anchor to the node; empty for an anchor.
    pub path: Vec<Hop>,
}

/// Cosine of the query with each node, asked once a hop for nodes that are new; `None` where there is no vector.
pub type Similarity<'a> = dyn Fn(&[Node]) -> Result<Vec<Option<f32>>> + 'a;

/// Best first, ties by node. `weight_of` gives 0..=1 (family weight of the intent × weight × faded confidence), 0 for an arc
/// that must not be walked.
pub fn traverse(
    read: &dyn Read,
    anchors: &[(Node, f32)],
    limits: &BeamLimits,
    weight_of: &dyn Fn(&Arc) -> f32,
    similarity: Option<&Similarity<'_>>,
    filter: &Filter,
) -> Result<Vec<Reached>> {
    let expand = from_store(read, Direction::Both, &limits.fan_out, filter);
    traverse_with(&expand, anchors, limits, weight_of, similarity)
}

pub(super) fn traverse_with(
    expand: &super::hop::Expand<'_>,
    anchors: &[(Node, f32)],
    limits: &BeamLimits,
    weight_of: &dyn Fn(&Arc) -> f32,
    similarity: Option<&Similarity<'_>>,
) -> Result<Vec<Reached>> {
    let mut likeness: Map<Node, f32> = Map::default();
    let mut judge = |hops: &[Hop]| -> Result<Vec<f32>> {
        if let Some(similarity) = similarity {
            let mut unknown: Vec<Node> = hops
                .iter()
                .map(|hop| hop.arc.to)
                .filter(|node| !likeness.contains_key(node))
                .collect();
            unknown.sort_unstable();
            unknown.dedup();
            if !unknown.is_empty() {
                let known = similarity(&unknown)?;
                for (position, node) in unknown.into_iter().enumerate() {
                    let cosine = known.get(position).copied().flatten();
                    likeness.insert(node, cosine.map_or(UNKNOWN_LIKENESS, unit));
                }
            }
        }
        let worth = |hop: &Hop| {
            let likeness = if similarity.is_some() {
                likeness[&hop.arc.to]
            } else {
                1.0
            };
            DECAY * unit(weight_of(&hop.arc)) * (STRUCTURE + LIKENESS * likeness)
        };
        Ok(hops.iter().map(worth).collect())
    };
    let bounds = WalkLimits {
        depth: limits.depth,
        budget: limits.budget,
        width: limits.width,
        goal: None,
    };
    let walk = walk(expand, &mut judge, anchors, &bounds)?;
    let mut reached: Vec<Reached> = walk
        .nodes()
        .iter()
        .filter_map(|node| walk.best(*node))
        .map(|state| Reached {
            node: state.node,
            score: state.score,
            hops: state.hops,
            path: walk.path(state.node),
        })
        .collect();
    reached.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    Ok(reached)
}
