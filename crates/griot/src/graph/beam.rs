//! Which memories lie on the best paths from what was found directly? (ClawMem's `adaptive_traversal`)
//!
//! A beam search: each hop takes the `width` best nodes that it reaches better than before, within a depth
//! and a hard budget of nodes. A hop multiplies the score by `DECAY · weight · (0.6 + 0.4 · cosine)`: 0.9,
//! 0.6 and 0.4 are the constants of ClawMem (`0.9·score(u) + exp(0.6·w + 0.4·cos)·weight`), which *adds* and
//! so prefers the longest path, ignores what the anchor scored, and fills its beam with hidden and repeated
//! nodes. Here scores stay in 0..=1 and fall with each hop; a node is in the answer once, with its best path;
//! anchors keep their place and score.

use super::hop::{Expand, FanOut, Hop, Map, from_store, unit};
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

/// Cosine of the query with each node, asked once a hop for nodes that are new; `None` where there is no
/// vector.
pub type Similarity<'a> = dyn Fn(&[Node]) -> Result<Vec<Option<f32>>> + 'a;

/// Best first, ties by node. `weight_of` gives 0..=1 (family weight of the intent × weight × faded
/// confidence), 0 for an arc that must not be walked.
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
    expand: &Expand<'_>,
    anchors: &[(Node, f32)],
    limits: &BeamLimits,
    weight_of: &dyn Fn(&Arc) -> f32,
    similarity: Option<&Similarity<'_>>,
) -> Result<Vec<Reached>> {
    let mut likeness: Map<Node, f32> = Map::default();
    let mut judge = |hops: &[Hop]| -> Result<Vec<f32>> {
        if let Some(similarity) = similarity {
            let mut unknown: Vec<Node> =
                hops.iter().map(|hop| hop.arc.to).filter(|node| !likeness.contains_key(node)).collect();
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
            let likeness = if similarity.is_some() { likeness[&hop.arc.to] } else { 1.0 };
            DECAY * unit(weight_of(&hop.arc)) * (STRUCTURE + LIKENESS * likeness)
        };
        Ok(hops.iter().map(worth).collect())
    };
    let bounds = WalkLimits { depth: limits.depth, budget: limits.budget, width: limits.width };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::drawing::{draw, name, node, route};
    use crate::graph::hop::{fan_out, strength};

    struct Ask {
        width: usize,
        depth: usize,
        budget: usize,
        /// The likeness of the named nodes; the others have no vector.
        alike: Option<&'static [(char, f32)]>,
    }

    const ASK: Ask = Ask { width: 9, depth: 3, budget: 99, alike: None };

    fn find(graph: &str, anchors: &[(char, f32)], ask: &Ask) -> Vec<Reached> {
        let drawing = draw(graph);
        let anchors: Vec<_> = anchors.iter().map(|(name, score)| (node(*name), *score)).collect();
        let limits = BeamLimits {
            width: ask.width,
            depth: ask.depth,
            budget: ask.budget,
            fan_out: fan_out(99, |_| true),
        };
        let alike = |nodes: &[Node]| {
            let of = |wanted: &Node| {
                let known = ask.alike.unwrap_or_default().iter().find(|(name, _)| node(*name) == *wanted);
                known.map(|(_, cosine)| *cosine)
            };
            Ok(nodes.iter().map(of).collect())
        };
        let similarity = ask.alike.is_some().then_some(&alike as &Similarity<'_>);
        let expand = drawing.expand(Direction::Both, &limits.fan_out);
        traverse_with(&expand, &anchors, &limits, &strength, similarity).expect("no store")
    }

    fn check(graph: &str, anchors: &[(char, f32)], ask: Ask, expected: &str) {
        let found = find(graph, anchors, &ask);
        let words: Vec<String> = found.iter().map(|r| format!("{}:{:.2}", name(r.node), r.score)).collect();
        assert_eq!(words.join(" "), expected, "{graph}");
    }

    #[test]
    fn scores_fall_with_each_hop() {
        check("a -causes-> b -causes-> c", &[('a', 1.0)], ASK, "a:1.00 b:0.90 c:0.81");
        check("a -causes=.5-> b -causes*.5-> c", &[('a', 1.0)], ASK, "a:1.00 b:0.45 c:0.20");
        check("a -causes-> b", &[('a', 0.1), ('z', 0.5)], ASK, "z:0.50 a:0.10 b:0.09");
    }

    #[test]
    fn a_cause_is_reached_from_its_effect() {
        let found = find("a -causes-> b", &[('b', 1.0)], &ASK);
        assert_eq!(route(&found[1].path), "b <-causes- a");
    }

    #[test]
    fn the_best_path_is_kept_and_can_be_shown() {
        let graph = "a -semantic=.2- c; a -causes-> b -causes-> c";
        check(graph, &[('a', 1.0)], ASK, "a:1.00 b:0.90 c:0.81");
        assert_eq!(route(&find(graph, &[('a', 1.0)], &ASK)[2].path), "a -causes-> b -causes-> c");
        check(graph, &[('a', 1.0)], Ask { depth: 1, ..ASK }, "a:1.00 b:0.90 c:0.18");
    }

    #[test]
    fn width_and_budget_keep_the_best() {
        let star = "a -causes=.5-> b; a -causes=.9-> c; a -causes=.7-> d -causes-> e";
        check(star, &[('a', 1.0)], Ask { width: 1, ..ASK }, "a:1.00 c:0.81");
        check(star, &[('a', 1.0)], Ask { width: 2, ..ASK }, "a:1.00 c:0.81 d:0.63 e:0.57");
        check(star, &[('a', 1.0)], Ask { budget: 3, ..ASK }, "a:1.00 c:0.81 d:0.63");
        check(star, &[('a', 1.0), ('e', 0.2)], Ask { budget: 2, ..ASK }, "a:1.00 e:0.20");
        check(star, &[('a', 1.0)], Ask { depth: 0, ..ASK }, "a:1.00");
    }

    #[test]
    fn an_anchor_keeps_its_score_and_its_place() {
        check("a -causes-> b", &[('a', 1.0), ('b', 0.1)], ASK, "a:1.00 b:0.10");
        check("a -causes-> b", &[('a', 0.0)], ASK, "a:0.00");
        check("a -causes-> b", &[('a', 0.3), ('a', 7.0)], ASK, "a:1.00 b:0.90");
    }

    #[test]
    fn likeness_decides_between_equal_edges() {
        let alike = Ask { alike: Some(&[('b', 0.0), ('c', 1.0), ('e', -1.0)]), ..ASK };
        let star = "a -causes-> b; a -causes-> c; a -causes-> D; a -causes-> e";
        check(star, &[('a', 1.0)], alike, "a:1.00 c:0.90 D:0.72 b:0.54 e:0.54");
    }
}
