//! Arcs: stored edges as seen from their ends, and arcs derived from times and ordinals.
//!
//! Timeless memories, such as passages of documents, have no arcs derived from times. Derived arcs run from
//! the earlier to the later memory and have edge 0, weight 1 (proximity `1 / (1 + hours)`), confidence 1 and
//! provenance rule; their last touch is the event time of the later memory. The search for one skips at most
//! [`LOOK`] memories that the filter hides.

use super::State;
use crate::backend::{Arc, Direction, Filter, Frontier};
use crate::model::{Edge, EdgeKind, Node, Provenance, Timestamp};

const LOOK: usize = 64;
/// The most proximity arcs per memory.
const PROXIMITY: usize = 10;
const NO_LABEL: u32 = 0;
const BACKBONE: u32 = 1;
const NEARBY: u32 = 2;

fn is_believed(filter: &Filter, arc: &Arc) -> bool {
    filter.belief.holds(arc.kind, arc.confidence, arc.touched_at, filter.now)
}

impl State {
    /// All visible memories by (time, number).
    pub(super) fn in_time(&self, filter: &Filter) -> Vec<Node> {
        let mut found: Vec<(Timestamp, Node)> = self
            .memories
            .values()
            .filter(|stored| self.shows(filter, &stored.memory))
            .map(|stored| (stored.memory.occurred_at, stored.memory.node))
            .collect();
        found.sort();
        found.into_iter().map(|(_, node)| node).collect()
    }

    pub(super) fn mentions(&self, entity: Node) -> usize {
        let mentions =
            self.edges.values().filter(|edge| edge.kind == EdgeKind::Mentions && edge.target == entity);
        mentions.filter(|edge| self.edge_is_live(edge)).count()
    }

    /// Number of unexpired stored edges of the node; a loop counts once.
    pub(super) fn degree(&self, node: Node, now: Option<Timestamp>) -> u32 {
        let of_node = self.edges.values().filter(|edge| edge.source == node || edge.target == node);
        of_node
            .filter(|edge| self.edge_is_live(edge) && !now.is_some_and(|now| edge.has_expired(now)))
            .count() as u32
    }

    pub(super) fn arcs(&self, node: Node, ask: &Frontier<'_>, filter: &Filter) -> Vec<Arc> {
        if node.is_memory() && !self.admits(filter, node) {
            return Vec::new();
        }
        let mut arcs = self.stored_arcs(node, filter);
        arcs.extend(self.derived_arcs(node, filter));
        arcs.retain(|arc| {
            let wanted = match ask.direction {
                Direction::Both => true,
                Direction::Out => arc.forward,
                Direction::In => !arc.forward || arc.kind.is_symmetric(),
            };
            wanted
                && is_believed(filter, arc)
                && (self.admits(filter, arc.to)
                    || self.entity(arc.to).is_some_and(|e| e.deleted_at.is_none()))
        });
        arcs.sort_by(|a, b| {
            (a.kind, a.forward)
                .cmp(&(b.kind, b.forward))
                .then(b.weight.total_cmp(&a.weight))
                .then(b.touched_at.cmp(&a.touched_at))
                .then(a.to.cmp(&b.to))
                .then(a.edge.cmp(&b.edge))
        });
        let mut kept: Vec<Arc> = Vec::new();
        for arc in arcs {
            let same =
                kept.iter().filter(|other| (other.kind, other.forward) == (arc.kind, arc.forward)).count();
            if same < ask.fan_out.get(arc.kind as usize).copied().unwrap_or(0) {
                kept.push(arc);
            }
        }
        kept
    }

    fn stored_arcs(&self, node: Node, filter: &Filter) -> Vec<Arc> {
        let mut arcs = Vec::new();
        let is_over = |edge: &Edge| filter.now.is_some_and(|now| edge.has_expired(now));
        for edge in self.edges.values().filter(|edge| !is_over(edge) && self.edge_is_live(edge)) {
            let label =
                self.labels.iter().position(|label| *label == edge.label).map_or(0, |at| at as u32 + 1);
            let seen = |to: Node, forward: bool| Arc {
                to,
                edge: edge.number,
                kind: edge.kind,
                label,
                forward: forward || edge.kind.is_symmetric(),
                weight: edge.weight,
                confidence: edge.confidence,
                touched_at: edge.touched_at,
                provenance: edge.provenance,
            };
            if edge.source == node {
                arcs.push(seen(edge.target, true));
            }
            let is_known = edge.kind.is_symmetric() && edge.source == node;
            if edge.target == node && !is_known {
                arcs.push(seen(edge.source, false));
            }
        }
        arcs
    }

    fn derived_arcs(&self, node: Node, filter: &Filter) -> Vec<Arc> {
        let Some(own) = self.get(node) else { return Vec::new() };
        let mut arcs = Vec::new();
        let mut add = |to: Node, forward: bool, kind: EdgeKind, label: u32, weight: f32| {
            let later = if forward { to } else { node };
            let touched_at = self.get(later).map_or(Timestamp(0), |stored| stored.memory.occurred_at);
            arcs.push(Arc {
                to,
                edge: 0,
                kind,
                label,
                forward,
                weight,
                confidence: 1.0,
                touched_at,
                provenance: Provenance::Rule,
            });
        };
        // All memories in three orders, including hidden ones, which are skipped during the search.
        let stored = || self.memories.values().map(|other| (&other.memory, other.place));
        let mut in_place: Vec<(u32, Node)> = stored()
            .filter(|other| other.1 == own.place)
            .map(|(other, _)| (other.ordinal, other.node))
            .collect();
        let happened = || stored().filter(|other| !other.0.is_timeless());
        let mut in_source: Vec<((Timestamp, u32), Node)> = happened()
            .filter(|other| other.0.source == own.memory.source)
            .map(|(other, _)| ((other.occurred_at, other.ordinal), other.node))
            .collect();
        let mut in_time: Vec<(Timestamp, Node)> =
            happened().map(|(other, _)| (other.occurred_at, other.node)).collect();
        in_place.sort();
        in_source.sort();
        in_time.sort();

        let (before, after) = self.beside(&in_place, node, filter);
        for (to, forward) in [(before, false), (after, true)] {
            if let Some(to) = to {
                add(to, forward, EdgeKind::Narrative, NO_LABEL, 1.0);
            }
        }
        if own.memory.is_timeless() {
            return arcs;
        }
        let backbone = self.beside(&in_source, node, filter);
        for (to, forward) in [(backbone.0, false), (backbone.1, true)] {
            if let Some(to) = to {
                add(to, forward, EdgeKind::Temporal, BACKBONE, 1.0);
            }
        }
        // Nearest first; among equals the one with fewer visible memories between, then the earlier.
        let at = in_time.iter().position(|&(_, other)| other == node).unwrap_or(0);
        let earlier: Vec<(Timestamp, Node)> = in_time[..at].iter().rev().take(LOOK).copied().collect();
        let later: Vec<(Timestamp, Node)> = in_time[at + 1..].iter().take(LOOK).copied().collect();
        let mut near: Vec<(i64, usize, bool, Node)> = Vec::new();
        for (side, forward) in [(earlier, false), (later, true)] {
            let seen = side
                .into_iter()
                .map(|(time, other)| ((time.0 - own.memory.occurred_at.0).abs(), other))
                .filter(|&(distance, _)| distance <= Timestamp::DAY)
                .filter(|&(_, other)| Some(other) != backbone.0 && Some(other) != backbone.1)
                .filter(|&(_, other)| self.admits(filter, other));
            near.extend(
                seen.enumerate().map(|(between, (distance, other))| (distance, between, forward, other)),
            );
        }
        near.sort();
        near.truncate(PROXIMITY);
        for (distance, _, forward, other) in near {
            let hours = distance as f64 / Timestamp::HOUR as f64;
            add(other, forward, EdgeKind::Temporal, NEARBY, (1.0 / (1.0 + hours)) as f32);
        }
        arcs
    }

    /// The nearest visible memories on either side of a node in an order.
    fn beside<K>(&self, order: &[(K, Node)], node: Node, filter: &Filter) -> (Option<Node>, Option<Node>) {
        let at = order.iter().position(|&(_, other)| other == node).unwrap_or(0);
        let visible = |&&(_, other): &&(K, Node)| self.admits(filter, other);
        let before = order[..at].iter().rev().take(LOOK).find(visible);
        let after = order[at + 1..].iter().take(LOOK).find(visible);
        (before.map(|&(_, other)| other), after.map(|&(_, other)| other))
    }
}
