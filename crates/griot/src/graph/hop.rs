//! Types that all traversals share: a hop, the wanted number of arcs per kind, the strength of an arc.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::backend::{Arc, Direction, Filter, NeighbourQuery, Read};
use crate::model::{CATALOGUE, EdgeKind, Node, Result, Timestamp};

/// Hashed the same way in each process; never iterated where the order could show.
pub(super) type Map<K, V> = HashMap<K, V, FixedState>;
pub(super) type Set<K> = HashSet<K, FixedState>;

/// The most arcs of each kind per node and direction, indexed by `EdgeKind as usize`.
pub type FanOut = [usize; CATALOGUE.len()];

/// `cap` arcs of every wanted kind, none of the others.
pub fn fan_out(cap: usize, wanted: impl Fn(EdgeKind) -> bool) -> FanOut {
    std::array::from_fn(|position| if wanted(CATALOGUE[position].kind) { cap } else { 0 })
}

/// One step from `from` to `arc.to`, along the edge if `arc.forward`, else against it.
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

    /// Identifies the hop, and orders hops that are equally good: smaller nodes first.
    pub(super) fn key(&self) -> HopKey {
        let Arc { to, edge, kind, label, forward, .. } = self.arc;
        (self.from, to, edge, kind, label, forward)
    }

    /// Source and target of the edge, in whichever direction the hop goes.
    pub fn ends(self) -> (Node, Node) {
        if self.arc.forward { (self.from, self.arc.to) } else { (self.arc.to, self.from) }
    }
}

pub(super) type HopKey = (Node, Node, u32, EdgeKind, u32, bool);

/// Clamps to 0..=1; NaN becomes 0.
pub(super) fn unit(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// Weight times stored confidence, each clamped to 0..=1: the weight of a relation counts its mentions.
pub fn strength(arc: &Arc) -> f32 {
    unit(arc.weight) * unit(arc.confidence)
}

/// Confidence at `now` with `lambda` per day, as in `Edge::confidence_at`.
pub fn faded(arc: &Arc, now: Timestamp, lambda: f64) -> f32 {
    unit(arc.kind.faded(arc.confidence, arc.touched_at, now, lambda))
}

/// Sorted, each once.
pub fn distinct<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort_unstable();
    all.dedup();
    all
}

/// The arcs of each node of a frontier; one call is one request to the store.
pub type Expand<'a> = dyn Fn(&[Node]) -> Result<Vec<Vec<Arc>>> + 'a;

/// Asks a store, and makes sure that the answer has one row per node.
pub fn from_store<'a>(
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
