//! Finds the path with the fewest hops between two nodes.
//!
//! Edges are walked in either direction; each hop of the answer states the direction of its edge. The search
//! grows from both ends, always on the smaller side, one request per hop, so that it visits about twice the
//! square root of the nodes that a search from one end visits. Among equally short paths the strongest wins,
//! then the smaller nodes.

use super::hop::{Expand, Hop, Map, unit};
use crate::backend::Arc;
use crate::model::{Node, Result};

#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// Empty if both ends are the same node.
    pub hops: Vec<Hop>,
    /// The product of the strengths of its hops, 0..=1.
    pub strength: f32,
}

struct Reach {
    hops: usize,
    strength: f32,
    via: Option<Hop>,
}

/// The part of the graph that was reached from one end.
struct Side {
    reached: Map<Node, Reach>,
    frontier: Vec<Node>,
    hops: usize,
}

impl Side {
    fn new(end: Node) -> Self {
        let mut reached = Map::default();
        reached.insert(end, Reach { hops: 0, strength: 1.0, via: None });
        Self { reached, frontier: vec![end], hops: 0 }
    }

    /// Grows by one hop. Nodes of the other side are always taken, because they end the search.
    fn grow(
        &mut self,
        expand: &Expand<'_>,
        other: &Self,
        budget: usize,
        strength_of: &dyn Fn(&Arc) -> f32,
    ) -> Result<()> {
        self.hops += 1;
        let mut best: Map<Node, (f32, Hop)> = Map::default();
        for (from, row) in self.frontier.iter().zip(expand(&self.frontier)?) {
            let so_far = self.reached[from].strength;
            for arc in row.into_iter().filter(|arc| !self.reached.contains_key(&arc.to)) {
                let strength = so_far * unit(strength_of(&arc));
                let hop = Hop { from: *from, arc };
                let is_better = best.get(&arc.to).is_none_or(|(known, other)| {
                    strength > *known || (strength == *known && hop.key() < other.key())
                });
                if is_better {
                    best.insert(arc.to, (strength, hop));
                }
            }
        }
        let mut next: Vec<(Node, (f32, Hop))> = best.into_iter().collect();
        next.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.0.cmp(&b.0)));
        let mut room = budget.saturating_sub(self.reached.len() + other.reached.len());
        self.frontier.clear();
        for (node, (strength, hop)) in next {
            if !other.reached.contains_key(&node) {
                if room == 0 {
                    continue;
                }
                room -= 1;
            }
            self.reached.insert(node, Reach { hops: self.hops, strength, via: Some(hop) });
            self.frontier.push(node);
        }
        Ok(())
    }

    /// The hops from `node` back to this side's end.
    fn trail(&self, node: Node) -> Vec<Hop> {
        let mut trail = Vec::new();
        let mut at = self.reached.get(&node);
        while let Some(hop) = at.and_then(|reach| reach.via) {
            trail.push(hop);
            at = self.reached.get(&hop.from);
        }
        trail
    }
}

/// A path of at most `max_hops`; `budget` is the most nodes that are visited.
pub fn shortest_path(
    expand: &Expand<'_>,
    from: Node,
    to: Node,
    max_hops: usize,
    budget: usize,
    strength_of: &dyn Fn(&Arc) -> f32,
) -> Result<Option<Path>> {
    if from == to {
        return Ok(Some(Path { hops: Vec::new(), strength: 1.0 }));
    }
    let (mut near, mut far) = (Side::new(from), Side::new(to));
    while near.hops + far.hops < max_hops && !near.frontier.is_empty() && !far.frontier.is_empty() {
        let (side, other) =
            if near.frontier.len() <= far.frontier.len() { (&mut near, &far) } else { (&mut far, &near) };
        side.grow(expand, other, budget, strength_of)?;
        let meeting = side
            .frontier
            .iter()
            .filter_map(|node| {
                let (a, b) = (side.reached.get(node)?, other.reached.get(node)?);
                Some((a.hops + b.hops, a.strength * b.strength, *node))
            })
            .min_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        if let Some((_, strength, node)) = meeting {
            let mut hops = near.trail(node);
            hops.reverse();
            hops.extend(far.trail(node).into_iter().map(Hop::flipped));
            return Ok(Some(Path { hops, strength }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Direction;
    use crate::graph::drawing::{draw, node, route};
    use crate::graph::hop::{fan_out, strength};
    use crate::model::Family;

    fn find(
        graph: &str,
        ends: &str,
        max_hops: usize,
        budget: usize,
        wanted: fn(Family) -> bool,
    ) -> Option<Path> {
        let drawing = draw(graph);
        let fan_out = fan_out(99, |kind| wanted(kind.family()));
        let expand = drawing.expand(Direction::Both, &fan_out);
        let mut ends = ends.chars().map(node);
        let (from, to) = (ends.next().expect("two ends"), ends.next().expect("two ends"));
        let found = shortest_path(&expand, from, to, max_hops, budget, &strength).expect("no store");
        assert!(drawing.calls.get() <= max_hops, "more than one request a hop");
        found
    }

    fn check(graph: &str, ends: &str, expected: &str) {
        let found = find(graph, ends, 6, 99, |_| true);
        let text = found.map(|path| format!("{} ({:.2})", route(&path.hops), path.strength));
        assert_eq!(text.as_deref().unwrap_or("none"), expected, "{graph}");
    }

    #[test]
    fn the_shortest_path_walks_edges_either_way() {
        check("a -causes-> b; c -causes-> b", "ac", "a -causes-> b <-causes- c (1.00)");
        check("a -mentions-> E; b -mentions-> E", "ab", "a -mentions-> E <-mentions- b (1.00)");
        check("a -semantic=.5- b -supersedes-> c", "ca", "c <-supersedes- b -semantic- a (0.50)");
        check("a -causes-> b", "aa", " (1.00)");
        check("a -causes-> b; c -causes-> d", "ad", "none");
        check("a -causes-> b", "az", "none");
    }

    #[test]
    fn among_the_shortest_the_strongest_then_the_smallest() {
        let diamond = "a -causes-> b -causes=.5-> d; a -causes=.9-> c -causes=.9-> d";
        check(diamond, "ad", "a -causes-> c -causes-> d (0.81)");
        check(
            "a -causes-> c -causes-> d; a -causes-> b -causes-> d",
            "ad",
            "a -causes-> b -causes-> d (1.00)",
        );
    }

    #[test]
    fn hops_budget_and_kinds_are_kept() {
        let graph = "a -causes-> b -causes-> c -semantic- d";
        assert!(find(graph, "ad", 2, 99, |_| true).is_none());
        assert!(find(graph, "ad", 3, 99, |_| true).is_some());
        assert!(find(graph, "ad", 3, 99, |family| family == Family::Causal).is_none());
        assert!(find(graph, "ad", 3, 2, |_| true).is_none());
        // Looked at: both ends and the two strongest neighbours of a. The way over d is not seen.
        let fan = "a -causes=.9-> b; a -causes=.8-> c; a -causes=.7-> d -causes-> e";
        assert!(find(fan, "ae", 4, 4, |_| true).is_none());
        assert!(find(fan, "ae", 4, 5, |_| true).is_some());
    }
}
