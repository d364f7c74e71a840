//! Erasure in the reference store: references to memories, and permanent removal of rows.

use super::State;
use super::apply::missing;
use crate::backend::Traces;
use crate::model::{
    ChangeSet, Erasable, Erasure, ErasurePlan, Evidence, MemoryId, Node, Result, Revision, SourceId,
};

impl State {
    pub(super) fn erase(&mut self, plan: ErasurePlan) -> Result<Erasure> {
        let before = Revision(self.revision);
        self.apply(&ChangeSet { at: plan.receipt.at, changes: plan.changes })?;
        self.revision += 1;
        // Remove sessions without memories; their numbers are not reused.
        for (position, place) in self.places.iter_mut().enumerate() {
            if self.memories.values().all(|stored| stored.place as usize != position + 1) {
                *place = (SourceId(0), None);
            }
        }
        let number = self.erasures.last_key_value().map_or(0, |(number, _)| *number) + 1;
        let receipt =
            Erasure { number, before, after: Revision(self.revision), finished_at: None, ..plan.receipt };
        self.erasures.insert(number, receipt.clone());
        Ok(receipt)
    }

    pub(super) fn remove(&mut self, what: Erasable) -> Result<()> {
        let was_there = match what {
            Erasable::Node(node) if node.is_memory() => {
                self.readings.retain(|(memory, _, by), _| *memory != node && *by != node);
                self.offers.retain(|_, offer| offer.newer != node && offer.other != node);
                self.staged.retain(|(memory, _), _| *memory != node.number());
                self.memories.remove(&node.number()).is_some()
            }
            Erasable::Node(node) => {
                self.votes.retain(|(entity, ..), _| *entity != node);
                for stored in self.memories.values_mut() {
                    stored.speaker = stored.speaker.filter(|speaker| *speaker != node);
                }
                self.entities.remove(&node.number()).is_some()
            }
            Erasable::Source(id) => self.sources.remove(&id.0).is_some(),
            Erasable::Fact(number) => self.facts.remove(&number).is_some(),
            Erasable::Merge(number) => self.merges.remove(&number).is_some(),
            Erasable::Suggestion(number) => self.suggestions.remove(&number).is_some(),
        };
        if was_there { Ok(()) } else { Err(missing()) }
    }

    pub(super) fn traces(&self, memories: &[Node]) -> Traces {
        let gone = |node: Node| memories.contains(&node);
        let ids: Vec<MemoryId> =
            memories.iter().filter_map(|node| Some(self.get(*node)?.memory.id)).collect();
        let from_them = |evidence: &[Evidence]| {
            evidence.iter().any(|evidence| evidence.memory.is_some_and(|memory| ids.contains(&memory)))
        };
        let texts: Vec<&str> =
            memories.iter().filter_map(|node| Some(self.get(*node)?.memory.text.as_str())).collect();
        let others =
            || self.memories.values().map(|stored| &stored.memory).filter(|memory| !gone(memory.node));
        let of_source = |id: &SourceId| others().all(|memory| memory.source != *id);
        let mut sources: Vec<SourceId> = memories
            .iter()
            .filter_map(|node| Some(self.get(*node)?.memory.source))
            .filter(of_source)
            .collect();
        sources.sort();
        sources.dedup();
        Traces {
            edges: self
                .edges
                .values()
                .filter(|edge| from_them(&edge.evidence))
                .map(|edge| edge.number)
                .collect(),
            facts: self
                .facts
                .values()
                .filter(|fact| from_them(&fact.evidence))
                .map(|fact| fact.number)
                .collect(),
            replaced: others()
                .filter(|memory| memory.superseded_by.is_some_and(|by| ids.contains(&by)))
                .map(|memory| memory.node)
                .collect(),
            emptied: sources,
            same_texts: others().filter(|memory| texts.contains(&memory.text.as_str())).count() as u64,
        }
    }
}
