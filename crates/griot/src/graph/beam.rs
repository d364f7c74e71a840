//! Finds the memories on the best paths from given ones.
//!
//! A beam search: each hop takes the `width` best nodes that it reaches better than before, within a depth
//! and a hard budget of nodes. A hop multiplies the score by `DECAY · weight · (0.6 + 0.4 · cosine)`. The
//! constants are those of ClawMem's traversal, which adds instead of multiplying: a sum prefers the longest
//! path. Here scores stay in 0..=1 and fall with each hop; a node is in the answer once, with its best path;
//! anchors keep their position and score.

use super::hop::{Expand, Hop, Map, distinct, unit};
use super::walk::{WalkLimits, walk};
use crate::backend::Arc;
use crate::model::{Node, Result};

/// Factor of each hop.
pub const DECAY: f32 = 0.9;
/// Shares of the edge and of the similarity between node and query in the factor of a hop.
const EDGE_SHARE: f32 = 0.6;
const SIMILARITY_SHARE: f32 = 0.4;
/// The similarity of a node without a vector, such as an entity.
const UNKNOWN_SIMILARITY: f32 = 0.5;

#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    pub node: Node,
    /// 0..=1; an anchor keeps its own, every other node has less than its predecessor.
    pub score: f32,
    pub hops: u32,
    /// From an anchor to the node; empty for an anchor.
    pub path: Vec<Hop>,
}

/// Cosine of the query with each new node of a hop; `None` for a node without a vector.
pub type Similarity<'a> = dyn Fn(&[Node]) -> Result<Vec<Option<f32>>> + 'a;

/// The reached nodes, best first, ties by node. `weight_of` returns 0..=1 (family weight of the intent ×
/// weight × faded confidence), 0 for an arc that must not be walked.
pub fn traverse(
    expand: &Expand<'_>,
    anchors: &[(Node, f32)],
    limits: &WalkLimits,
    weight_of: &dyn Fn(&Arc) -> f32,
    similarity: Option<&Similarity<'_>>,
) -> Result<Vec<Reached>> {
    let mut known: Map<Node, f32> = Map::default();
    let mut judge = |hops: &[Hop]| -> Result<Vec<f32>> {
        if let Some(similarity) = similarity {
            let unknown = hops.iter().map(|hop| hop.arc.to).filter(|node| !known.contains_key(node));
            let unknown = distinct(unknown.collect());
            if !unknown.is_empty() {
                let cosines = similarity(&unknown)?;
                for (position, node) in unknown.into_iter().enumerate() {
                    let cosine = cosines.get(position).copied().flatten();
                    known.insert(node, cosine.map_or(UNKNOWN_SIMILARITY, unit));
                }
            }
        }
        let worth = |hop: &Hop| {
            let similarity = if similarity.is_some() { known[&hop.arc.to] } else { 1.0 };
            DECAY * unit(weight_of(&hop.arc)) * (EDGE_SHARE + SIMILARITY_SHARE * similarity)
        };
        Ok(hops.iter().map(worth).collect())
    };
    let walk = walk(expand, &mut judge, anchors, limits)?;
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
    use crate::backend::{CATALOGUE_SIZE, Direction};
    use crate::graph::drawing::{draw, name, node, route};
    use crate::graph::hop::strength;

    struct Ask {
        width: usize,
        depth: usize,
        budget: usize,
        /// The similarity of the named nodes; the others have no vector.
        alike: Option<&'static [(char, f32)]>,
    }

    const ASK: Ask = Ask { width: 9, depth: 3, budget: 99, alike: None };

    fn find(graph: &str, anchors: &[(char, f32)], ask: &Ask) -> Vec<Reached> {
        let drawing = draw(graph);
        let anchors: Vec<_> = anchors.iter().map(|(name, score)| (node(*name), *score)).collect();
        let limits = WalkLimits { width: ask.width, depth: ask.depth, budget: ask.budget };
        let alike = |nodes: &[Node]| {
            let of = |wanted: &Node| {
                let known = ask.alike.unwrap_or_default().iter().find(|(name, _)| node(*name) == *wanted);
                known.map(|(_, cosine)| *cosine)
            };
            Ok(nodes.iter().map(of).collect())
        };
        let similarity = ask.alike.is_some().then_some(&alike as &Similarity<'_>);
        let expand = drawing.expand(Direction::Both, &[99; CATALOGUE_SIZE]);
        traverse(&expand, &anchors, &limits, &strength, similarity).expect("no store")
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
    fn an_anchor_keeps_its_score_and_its_position() {
        check("a -causes-> b", &[('a', 1.0), ('b', 0.1)], ASK, "a:1.00 b:0.10");
        check("a -causes-> b", &[('a', 0.0)], ASK, "a:0.00");
        check("a -causes-> b", &[('a', 0.3), ('a', 7.0)], ASK, "a:1.00 b:0.90");
    }

    #[test]
    fn similarity_decides_between_equal_edges() {
        let alike = Ask { alike: Some(&[('b', 0.0), ('c', 1.0), ('e', -1.0)]), ..ASK };
        let star = "a -causes-> b; a -causes-> c; a -causes-> D; a -causes-> e";
        check(star, &[('a', 1.0)], alike, "a:1.00 c:0.90 D:0.72 b:0.54 e:0.54");
    }
}
