//! A bounded part of the graph around some nodes, densely numbered, for algorithms that need it as a whole.
//!
//! Gathered breadth first, with one request per hop. Nodes are numbered in the order in which they were
//! admitted: seeds, then hop by hop by the strength of the best arc that leads to them, then memories before
//! entities, then by node. The budget of nodes is hard. Each arc is known from both of its ends, even where
//! only one end was expanded or a cap hid it from the other, so that a random walk can go back.
//!
//! The hub factor is a normalised `ln(N/degree)`: a node that is linked with everything is little evidence.

use super::hop::{Expand, Hop, Map, Set, strength};
use crate::backend::Arc;
use crate::model::{Node, Result};

/// Nodes `0..len()` and the arcs between them.
#[derive(Clone, Debug, Default)]
pub struct Subgraph {
    nodes: Vec<Node>,
    place: Map<Node, u32>,
    hops: Vec<u32>,
    degrees: Vec<u32>,
    /// Row `i` is `first[i]..first[i + 1]` of `arcs` and `targets`.
    first: Vec<u32>,
    arcs: Vec<Arc>,
    targets: Vec<u32>,
}

impl Subgraph {
    /// The part within `hops` of the seeds, of at most `budget` nodes. The degrees are missing, because the
    /// caller may request them together with something else ([`Self::set_degrees`]). Also returns the arcs of
    /// the expanded nodes, by position, including those that lead out of the part.
    pub fn gather(
        expand: &Expand<'_>,
        seeds: &[Node],
        hops: usize,
        budget: usize,
    ) -> Result<(Self, Vec<Vec<Arc>>)> {
        let mut graph = Self::default();
        let mut rows: Vec<Vec<Arc>> = Vec::new();
        for seed in seeds {
            graph.admit(*seed, 0, budget);
        }
        for hop in 1..=hops {
            let start = rows.len();
            if start == graph.nodes.len() {
                break;
            }
            let mut found: Map<Node, f32> = Map::default();
            let mut answer = expand(&graph.nodes[start..])?;
            answer.resize_with(graph.nodes.len() - start, Vec::new);
            for arc in answer.iter().flatten().filter(|arc| !graph.place.contains_key(&arc.to)) {
                let best = found.entry(arc.to).or_default();
                *best = best.max(strength(arc));
            }
            rows.append(&mut answer);
            // Memories before entities: their numbers are not comparable, and differ in a copy of the store.
            let rank = |node: Node| (node.is_entity(), node);
            let mut candidates: Vec<(Node, f32)> = found.into_iter().collect();
            let better =
                |a: &(Node, f32), b: &(Node, f32)| b.1.total_cmp(&a.1).then(rank(a.0).cmp(&rank(b.0)));
            let room = budget.saturating_sub(graph.nodes.len());
            if room < candidates.len() {
                candidates.select_nth_unstable_by(room, better);
                candidates.truncate(room);
            }
            candidates.sort_unstable_by(better);
            for (node, _) in candidates {
                graph.admit(node, hop as u32, budget);
            }
        }
        graph.compress(&rows);
        Ok((graph, rows))
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn place(&self, node: Node) -> Option<usize> {
        self.place.get(&node).map(|place| *place as usize)
    }

    /// Number of hops from the nearest seed.
    pub fn hops(&self, place: usize) -> u32 {
        self.hops[place]
    }

    /// The arcs of a node with the positions they lead to.
    pub fn row(&self, place: usize) -> impl Iterator<Item = (usize, &Arc)> {
        let range = self.first[place] as usize..self.first[place + 1] as usize;
        self.targets[range.clone()].iter().map(|to| *to as usize).zip(&self.arcs[range])
    }

    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// `ln(1 + N/degree) / ln(1 + N)` in a graph of `population` nodes: 1 for a node with one edge, near 0
    /// for a hub. The degree is that of the node in the whole store.
    pub fn hub_factor(&self, place: usize, population: u64) -> f32 {
        let population = population.max(2) as f64;
        let degree = f64::from(self.degrees[place]).clamp(1.0, population);
        ((population / degree).ln_1p() / population.ln_1p()) as f32
    }

    fn admit(&mut self, node: Node, hops: u32, budget: usize) {
        if self.place.contains_key(&node) || self.nodes.len() >= budget {
            return;
        }
        self.place.insert(node, self.nodes.len() as u32);
        self.nodes.push(node);
        self.hops.push(hops);
    }

    /// How many edges each node has in the store, in the order of the nodes.
    pub fn set_degrees(&mut self, degrees: Vec<u32>) {
        self.degrees = degrees;
        self.degrees.resize(self.nodes.len(), 0);
    }

    /// Sorts the arcs between admitted nodes into rows, and adds missing mirror images.
    fn compress(&mut self, rows: &[Vec<Arc>]) {
        let mut ends: Vec<(u32, u32)> = Vec::new();
        let mut arcs: Vec<Arc> = Vec::new();
        for (from, row) in rows.iter().enumerate() {
            for arc in row {
                if let Some(to) = self.place.get(&arc.to) {
                    ends.push((from as u32, *to));
                    arcs.push(*arc);
                }
            }
        }
        // The edge number determines kind and label of a stored edge.
        let key = |(from, to): (u32, u32), arc: &Arc| {
            let which = match arc.edge {
                0 => (arc.kind as u8, u64::from(arc.label) << 1),
                edge => (u8::MAX, u64::from(edge) << 1),
            };
            (u64::from(from) << 32 | u64::from(to), which.0, which.1 | u64::from(arc.forward))
        };
        let known: Set<_> = ends.iter().zip(&arcs).map(|(ends, arc)| key(*ends, arc)).collect();
        for position in 0..arcs.len() {
            let (from, to) = ends[position];
            let mirror = Hop { from: self.nodes[from as usize], arc: arcs[position] }.flipped().arc;
            if from != to && !known.contains(&key((to, from), &mirror)) {
                ends.push((to, from));
                arcs.push(mirror);
            }
        }
        let mut order: Vec<u32> = (0..arcs.len() as u32).collect();
        order.sort_by_key(|position| ends[*position as usize].0);
        self.targets = order.iter().map(|position| ends[*position as usize].1).collect();
        self.arcs = order.iter().map(|position| arcs[*position as usize]).collect();
        self.first = vec![0; self.nodes.len() + 1];
        for (from, _) in ends {
            self.first[from as usize + 1] += 1;
        }
        for place in 0..self.nodes.len() {
            self.first[place + 1] += self.first[place];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{CATALOGUE_SIZE, Direction};
    use crate::graph::drawing::{draw, names, node};

    fn gather(graph: &str, seeds: &str, hops: usize, budget: usize, cap: usize) -> Subgraph {
        let drawing = draw(graph);
        let seeds: Vec<Node> = seeds.chars().map(node).collect();
        let fan_out = [cap; CATALOGUE_SIZE];
        let expand = drawing.expand(Direction::Both, &fan_out);
        let (mut found, _) = Subgraph::gather(&expand, &seeds, hops, budget).expect("no store");
        found.set_degrees(drawing.degrees(found.nodes()).expect("no store"));
        assert!(drawing.calls.get() <= hops, "more than one request a hop");
        found
    }

    /// Each node with the targets of its arcs, in the order of admission.
    fn check(graph: &str, seeds: &str, hops: usize, budget: usize, cap: usize, expected: &str) {
        let found = gather(graph, seeds, hops, budget, cap);
        let row = |place: usize| names(found.row(place).map(|(to, _)| found.nodes()[to]));
        let rows: Vec<String> = (0..found.len())
            .map(|place| format!("{}:{}", names([found.nodes()[place]]), row(place)))
            .collect();
        assert_eq!(rows.join(" "), expected, "{graph}");
    }

    const CHAIN: &str = "a -causes-> b -causes-> c -causes-> d";

    #[test]
    fn hops_and_budget_bound_what_is_gathered() {
        check(CHAIN, "a", 0, 9, 9, "a:");
        check(CHAIN, "a", 1, 9, 9, "a:b b:a");
        check(CHAIN, "a", 2, 9, 9, "a:b b:ac c:b");
        check(CHAIN, "a", 9, 2, 9, "a:b b:a");
        check(CHAIN, "aad", 1, 9, 9, "a:b d:c b:a c:d");
        check(CHAIN, "a", 2, 0, 9, "");
        check(CHAIN, "z", 2, 9, 9, "z:");
        check("a -causes-> a", "a", 2, 9, 9, "a:a");
    }

    #[test]
    fn the_strongest_are_admitted_first_then_the_smallest() {
        let star = "a -semantic=.5- b; a -semantic=.9- c; a -semantic=.5- d; a -semantic=.9*.1- e";
        check(star, "a", 1, 4, 9, "a:cbd c:a b:a d:a");
        check(star, "a", 1, 9, 2, "a:ce c:a e:a");
    }

    #[test]
    fn an_arc_that_a_cap_hides_at_one_end_is_known_from_the_other() {
        check("a -semantic=.5- b; a -semantic- c; b -semantic=.1- d", "ab", 1, 9, 1, "a:cb b:a c:a");
    }

    #[test]
    fn hubs_count_less() {
        let found = gather("a -mentions-> H; b -mentions-> H; c -mentions-> H", "a", 2, 9, 9);
        let factor = |name| found.hub_factor(found.place(node(name)).expect("gathered"), 4);
        assert_eq!(factor('a'), 1.0);
        assert!(factor('H') < 0.6 && factor('H') > 0.0);
    }
}
