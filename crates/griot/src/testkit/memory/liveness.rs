//! Determines which edges, facts and entities are live, recomputed on each request: the rule of
//! backend/sqlite/write/liveness.rs in plain loops.

use super::State;
use crate::model::{Edge, EdgeKind, Entity, Evidence, Fact, Node, Timestamp};

impl State {
    fn is_forgotten(&self, node: Node) -> bool {
        let memory = self.get(node).is_some_and(|stored| stored.memory.deleted_at.is_some());
        memory || self.entity(node).is_some_and(|entity| entity.deleted_at.is_some())
    }

    /// True if no evidence names a memory, some evidence names none, or a named memory is not forgotten.
    fn is_grounded(&self, evidence: &[Evidence]) -> bool {
        let speaks = |one: &Evidence| {
            let forgotten = |id| {
                let named = self.memories.values().find(|stored| stored.memory.id == id);
                named.is_some_and(|stored| stored.memory.deleted_at.is_some())
            };
            one.memory.is_none_or(|id| !forgotten(id))
        };
        evidence.is_empty() || evidence.iter().any(speaks)
    }

    pub(super) fn edge_is_live(&self, edge: &Edge) -> bool {
        !self.is_forgotten(edge.source) && !self.is_forgotten(edge.target) && self.is_grounded(&edge.evidence)
    }

    fn fact_is_live(&self, fact: &Fact) -> bool {
        let is_gone = |node: Node| self.is_forgotten(node);
        !is_gone(fact.subject)
            && !fact.object.entity().is_some_and(is_gone)
            && self.is_grounded(&fact.evidence)
    }

    pub(super) fn entity_is_live(&self, entity: &Entity) -> bool {
        let node = entity.node;
        let touches = |edge: &&Edge| edge.source == node || edge.target == node;
        entity.deleted_at.is_none()
            && (self.edges.values().filter(touches).any(|edge| self.edge_is_live(edge))
                || self.facts_about(node).any(|fact| self.fact_is_live(fact)))
    }

    pub(super) fn is_live(&self, node: Node) -> bool {
        let memory = self.get(node).is_some_and(|stored| stored.memory.deleted_at.is_none());
        memory || self.entity(node).is_some_and(|entity| self.entity_is_live(entity))
    }

    /// The entity with the times at which live memories mention it.
    pub(super) fn seen(&self, entity: &Entity) -> Entity {
        let mention = |edge: &&Edge| edge.kind == EdgeKind::Mentions && edge.target == entity.node;
        let live = self.edges.values().filter(mention).filter(|edge| self.edge_is_live(edge));
        let times: Vec<Timestamp> =
            live.filter_map(|edge| self.get(edge.source)).map(|stored| stored.memory.occurred_at).collect();
        let first_seen = times.iter().min().copied().unwrap_or(entity.first_seen);
        let last_seen = times.iter().max().copied().unwrap_or(entity.last_seen);
        Entity { first_seen, last_seen, ..entity.clone() }
    }
}
