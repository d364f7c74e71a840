//! The entities around a node, with the path to each.
//!
//! A relation is one step between entities, and so is a shared memory.

use super::beam::Reached;
use super::hop::Hop;
use super::subgraph::Subgraph;
use crate::backend::Arc;

/// The way to a node: its length in half steps, the product of the arcs' strengths, and the hops.
#[derive(Clone)]
struct Way {
    length: usize,
    strength: f32,
    path: Vec<Hop>,
}

/// The entities within so many steps of the first node of a subgraph, near ones first, then the strongest.
pub fn nearby_entities(subgraph: &Subgraph, steps: usize, strength: &dyn Fn(&Arc) -> f32) -> Vec<Reached> {
    let mut ways: Vec<Option<Way>> = vec![None; subgraph.len()];
    if let Some(first) = ways.first_mut() {
        *first = Some(Way { length: 0, strength: 1.0, path: Vec::new() });
    }
    for at in 0..subgraph.len() {
        let Some(way) = ways[at].clone() else { continue };
        let from = subgraph.nodes()[at];
        for (to, arc) in subgraph.row(at) {
            // Half a step into a memory and half a step out of it.
            let half_steps = if from.is_entity() && arc.to.is_entity() { 2 } else { 1 };
            let (length, strength) = (way.length + half_steps, way.strength * strength(arc));
            let is_better = ways[to].as_ref().is_none_or(|known| {
                length < known.length || length == known.length && strength > known.strength && to > at
            });
            if length <= 2 * steps && is_better {
                let mut path = way.path.clone();
                path.push(Hop { from, arc: *arc });
                ways[to] = Some(Way { length, strength, path });
            }
        }
    }
    let reached = |(at, way): (usize, Option<Way>)| {
        let (node, way) = (subgraph.nodes()[at], way?);
        let hops = way.length.div_ceil(2) as u32;
        node.is_entity().then_some(Reached { node, score: way.strength, hops, path: way.path })
    };
    let mut found: Vec<Reached> = ways.into_iter().enumerate().skip(1).filter_map(reached).collect();
    found.sort_by(|a, b| a.hops.cmp(&b.hops).then(b.score.total_cmp(&a.score)).then(a.node.cmp(&b.node)));
    found
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{draw, name, node, route};
    use super::*;
    use crate::backend::{CATALOGUE_SIZE, Direction};

    /// `name steps score: path` of each entity near `A`.
    fn check(drawing: &str, steps: usize) -> String {
        let drawing = draw(drawing);
        let fan_out = [100; CATALOGUE_SIZE];
        let expand = drawing.expand(Direction::Both, &fan_out);
        let (subgraph, _) = Subgraph::gather(&expand, &[node('A')], 2 * steps, 100).expect("a drawing");
        let shown = |reached: &Reached| {
            format!("{} {} {}: {}", name(reached.node), reached.hops, reached.score, route(&reached.path))
        };
        let found = nearby_entities(&subgraph, steps, &|arc| arc.weight);
        found.iter().map(shown).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_relation_and_a_shared_memory_are_one_step_each() {
        let drawing = "A -uses=.5-> B; a -mentions-> A; a -mentions-> C; C -uses-> D";
        assert_eq!(check(drawing, 1), "C 1 1: A <-mentions- a -mentions-> C; B 1 0.5: A -relation-> B");
        assert!(check(drawing, 2).ends_with("D 2 1: A <-mentions- a -mentions-> C -relation-> D"));
        assert_eq!(check("A -uses-> B", 0), "");
    }

    #[test]
    fn the_shorter_way_wins_and_of_two_the_stronger() {
        let longer = "A -uses=.1-> B; A -uses-> C; C -uses-> B";
        assert!(check(longer, 2).contains("B 1 0.1: A -relation-> B"));
        let two = "A -uses=.2-> B; A -knows=.9-> C; B -uses-> D; C -uses-> D";
        assert!(check(two, 2).contains("D 2 0.9: A -relation-> C -relation-> D"));
    }
}
