//! What is around this node? Up to three hops, for a person who looks and an agent that explores.
//!
//! The nodes come hop by hop, within a hop those with the strongest link first; each edge comes once, as it runs. Edges
//! between two nodes of the last hop are left out, since nobody asked for their rows.

use super::hop::{Expand, FanOut, Hop, Set, from_store};
use super::subgraph::{GatherLimits, Subgraph};
use crate::backend::{Direction, Filter, Read};
use crate::model::{Node, Result};

pub const MAX_HOPS: usize = 3;

#[derive(Clone, Debug)]
pub struct NeighbourhoodLimits {
    /// Brought into 1..=3.
    pub hops: usize,
    /// Nodes at most, the centre not counted.
    pub limit: usize,
    /// `fan_out(cap, |kind| …)` chooses kinds and families.
    pub fan_out: FanOut,
    pub direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near {
    pub node: Node,
    pub hops: u32,
    /// Edges in the whole graph.
    pub degree: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Neighbourhood {
    /// The centre first.
    pub nodes: Vec<Near>,
    /// In the direction of the edge: `hop.arc.forward` is true.
    pub edges: Vec<Hop>,
    /// The limit left nodes out.
    pub cut: bool,
}

pub fn neighbourhood(
    read: &dyn Read,
    centre: Node,
    limits: &NeighbourhoodLimits,
    filter: &Filter,
) -> Result<Neighbourhood> {
    let expand = from_store(read, limits.direction, &limits.fan_out, filter);
    neighbourhood_with(&expand, &|nodes| read.degrees(nodes, filter.now), centre, limits)
}

pub(super) fn neighbourhood_with(
    expand: &Expand<'_>,
    degrees: &dyn Fn(&[Node]) -> Result<Vec<u32>>,
    centre: Node,
    limits: &NeighbourhoodLimits,
) -> Result<Neighbourhood> {
    let gather = GatherLimits {
        hops: limits.hops.clamp(1, MAX_HOPS),
        node_budget: limits.limit.saturating_add(1),
        fan_out: limits.fan_out,
        direction: limits.direction,
    };
    let graph = Subgraph::gather_with(expand, degrees, &[centre], &gather)?;
    let nodes = (0..graph.len())
        .map(|place| Near { node: graph.nodes()[place], hops: graph.hops(place), degree: graph.degree(place) })
        .collect();
    let mut seen = Set::default();
    let mut edges = Vec::new();
    for mut hop in graph.steps() {
        if !hop.arc.forward || (hop.arc.kind.is_symmetric() && hop.arc.to < hop.from) {
            hop = hop.flipped();
        }
        if seen.insert(hop.key()) {
            edges.push(hop);
        }
    }
    Ok(Neighbourhood { nodes, edges, cut: graph.is_cut() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::drawing::{draw, name, node, route};
    use crate::graph::hop::fan_out;
    use crate::model::Family;

    fn check(graph: &str, hops: usize, limit: usize, wanted: fn(Family) -> bool, nodes: &str, edges: &str) {
        let drawing = draw(graph);
        let limits = NeighbourhoodLimits {
            hops,
            limit,
            fan_out: fan_out(99, |kind| wanted(kind.family())),
            direction: Direction::Both,
        };
        let expand = drawing.expand(Direction::Both, &limits.fan_out);
        let found = neighbourhood_with(&expand, &|nodes| drawing.degrees(nodes), node('b'), &limits).expect("no store");
        let near: Vec<String> = found.nodes.iter().map(|near| format!("{}{}", name(near.node), near.hops)).collect();
        let lines: Vec<String> = found.edges.iter().map(|hop| route(&[*hop])).collect();
        assert_eq!((near.join(" ").as_str(), lines.join("; ").as_str()), (nodes, edges), "{graph}");
    }

    #[test]
    fn nodes_come_by_distance_and_edges_once_as_they_run() {
        let graph = "a -causes-> b -semantic=.5- c -causes-> d -causes-> e -causes-> f";
        check(graph, 1, 9, |_| true, "b0 a1 c1", "a -causes-> b; b -semantic- c");
        check(graph, 0, 9, |_| true, "b0 a1 c1", "a -causes-> b; b -semantic- c");
        check(graph, 9, 9, |_| true, "b0 a1 c1 d2 e3", "a -causes-> b; b -semantic- c; c -causes-> d; d -causes-> e");
        check(graph, 3, 2, |_| true, "b0 a1 c1", "a -causes-> b; b -semantic- c");
        check(graph, 3, 9, |family| family == Family::Causal, "b0 a1", "a -causes-> b");
    }
}
