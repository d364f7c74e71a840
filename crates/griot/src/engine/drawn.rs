//! Which edges a picture of the graph shows, and how they draw their ends together: the same for the layout
//! of the whole and for what is drawn of it.

use crate::backend::{Arc, CATALOGUE_SIZE, Direction, Filter, NeighbourQuery, Read};
use crate::graph;
use crate::model::{LABEL_PROXIMITY, Node, Result};

/// Nodes whose arcs are read at once, so that a writer never waits for the whole graph.
pub(super) const PAGE: usize = 4096;
/// No bound.
pub(super) const ALL: usize = usize::MAX >> 1;
/// Units between neighbours: a graph of N nodes fills a disc of the radius `UNIT · √N`.
pub(super) const UNIT: f32 = 100.0;

/// The arcs from each node, page by page.
pub(super) fn each_arc(
    read: &dyn Read,
    nodes: &[Node],
    filter: &Filter,
    sink: &mut dyn FnMut(usize, &Arc) -> Result<()>,
) -> Result<()> {
    each_arc_of(&[ALL; CATALOGUE_SIZE], read, nodes, filter, sink)
}

/// The same of some kinds. To derive those in time costs as much as to read all others.
pub(super) fn each_arc_of(
    fan_out: &[usize; CATALOGUE_SIZE],
    read: &dyn Read,
    nodes: &[Node],
    filter: &Filter,
    sink: &mut dyn FnMut(usize, &Arc) -> Result<()>,
) -> Result<()> {
    let ask = NeighbourQuery { direction: Direction::Out, fan_out, filter };
    for (page, some) in nodes.chunks(PAGE).enumerate() {
        for (at, arcs) in read.neighbours(some, &ask)?.iter().enumerate() {
            for arc in arcs.iter().filter(|arc| is_drawn(arc)) {
                sink(page * PAGE + at, arc)?;
            }
        }
    }
    Ok(())
}

/// What happened within a day is not drawn as an edge: it would join everything that is near in time.
pub(super) fn is_drawn(arc: &Arc) -> bool {
    arc.edge != 0 || arc.label != LABEL_PROXIMITY
}

/// How strongly an edge draws its ends together; one that follows from time alone draws little.
pub(super) fn strength_drawn(arc: &Arc) -> f32 {
    if arc.edge == 0 { 0.2 } else { 0.2 + graph::strength(arc) }
}

/// A number for each of many nodes, found at once: their own numbers are dense.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct ByNode {
    memories: Vec<u32>,
    entities: Vec<u32>,
}

impl ByNode {
    const NONE: u32 = u32::MAX;

    pub(super) fn of(pairs: impl Iterator<Item = (Node, u32)>) -> Self {
        let mut by_node = Self::default();
        for (node, value) in pairs {
            let own = if node.is_memory() { &mut by_node.memories } else { &mut by_node.entities };
            let at = node.number() as usize;
            if own.len() <= at {
                own.resize(at + 1, Self::NONE);
            }
            own[at] = value;
        }
        by_node
    }

    pub(super) fn get(&self, node: Node) -> Option<u32> {
        let own = if node.is_memory() { &self.memories } else { &self.entities };
        own.get(node.number() as usize).copied().filter(|value| *value != Self::NONE)
    }
}
