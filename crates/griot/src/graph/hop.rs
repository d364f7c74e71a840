//! The words that all traversals share: a hop, how many arcs of which kind are wanted, what an arc is worth.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::backend::{Arc, Direction, Filter, NeighbourQuery, Read};
use crate::model::{CATALOGUE, EdgeKind, Node, Result, Timestamp};

/// Hashed the same way in each process; still never iterated where order could show.
pub(super) type Map<K, V> = HashMap<K, V, FixedState>;
pub(super) type Set<K> = HashSet<K, FixedState>;

/// At most this many arcs of each kind per node and direction, indexed by `EdgeKind as usize`; 0 leaves a
/// kind out.
pub type FanOut = [usize; CATALOGUE.len()];

/// `cap` arcs of every kind that is wanted, none of the others.
pub fn fan_out(cap: usize, wanted: impl Fn(EdgeKind) -> bool) -> FanOut {
    std::array::from_fn(|position| if wanted(CATALOGUE[position].kind) { cap } else { 0 })
}

/// One step: `arc` as it is seen from `from`; it leads to `arc.to`, along the edge if `arc.forward`, else
/// against it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hop {
    pub from: Node,
    pub arc: Arc,
}

impl Hop {
    /// The same edge walked the other way.
    pub fn flipped(self) -> Self {
        let forward = self.arc.kind.is_symmetric() || !self.arc.forward;
        Self { from: self.arc.to, arc: Arc { to: self.from, forward, ..self.arc } }
    }

    /// What tells this hop from any other, and orders hops that are equally good: the smaller nodes first.
    pub(super) fn key(&self) -> HopKey {
        let Arc { to, edge, kind, label, forward, .. } = self.arc;
        (self.from, to, edge, kind, label, forward)
    }

    /// Where the edge starts and ends, whichever way the hop goes.
    pub fn ends(self) -> (Node, Node) {
        if self.arc.forward { (self.from, self.arc.to) } else { (self.arc.to, self.from) }
    }
}

pub(super) type HopKey = (Node, Node, u32, EdgeKind, u32, bool);

/// Brought into 0..=1; what is not a number is 0.
pub(super) fn unit(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// Weight times stored confidence, each within 0..=1 (a relation that was said many times weighs 1, not
/// more).
pub fn strength(arc: &Arc) -> f32 {
    unit(arc.weight) * unit(arc.confidence)
}

/// Confidence at `now` with `lambda` per day, as `Edge::confidence_at` has it.
pub fn faded(arc: &Arc, now: Timestamp, lambda: f64) -> f32 {
    unit(arc.kind.faded(arc.confidence, arc.touched_at, now, lambda))
}

/// The arcs of each node of a frontier; one call is one request to the store.
pub(super) type Expand<'a> = dyn Fn(&[Node]) -> Result<Vec<Vec<Arc>>> + 'a;

/// Asks a store, and takes care that the answer has one row per node.
pub(super) fn from_store<'a>(
    read: &'a dyn Read,
    direction: Direction,
    fan_out: &'a FanOut,
    filter: &'a Filter,
) -> impl Fn(&[Node]) -> Result<Vec<Vec<Arc>>> + 'a {
    move |frontier| {
        let mut rows = read.neighbours(frontier, &NeighbourQuery { direction, fan_out, filter })?;
        rows.resize_with(frontier.len(), Vec::new);
        Ok(rows)
    }
}
