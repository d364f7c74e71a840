//! Applies a ChangeSet step by step.

use std::collections::BTreeSet;

use super::{State, Stored};
use crate::model::{
    Change, ChangeSet, Deletable, Edge, EdgeKind, EntityType, Error, ErrorKind, Evidence, FactObject, Memory,
    Node, Result, StagedVector, StoredVector, Warning,
};
use crate::text::normal_name;

impl State {
    pub(super) fn apply(&mut self, set: &ChangeSet) -> Result<()> {
        let first_new = self.next.memory;
        for change in &set.changes {
            self.step(change)?;
        }
        self.check_ends()?;
        let keys: BTreeSet<(EntityType, &str)> =
            self.entities.values().map(|e| (e.kind, e.key.as_str())).collect();
        if keys.len() < self.entities.len() {
            return Err(refused("two entities of one type and key"));
        }
        let speaker = |stored: &Stored| stored.memory.speaker.as_deref().and_then(|name| self.speaker(name));
        let new = self.memories.range(first_new..).map(|(_, stored)| stored);
        let speaking: Vec<(Node, Option<Node>)> =
            new.map(|stored| (stored.memory.node, speaker(stored))).collect();
        for (memory, speaker) in speaking {
            self.stored(memory)?.speaker = speaker;
        }
        Ok(())
    }

    fn step(&mut self, change: &Change) -> Result<()> {
        match change {
            Change::PutSource(source) => {
                take_number(&mut self.next.source, source.id.0)?;
                let taken = self.sources.values().any(|other| {
                    other.id != source.id && (other.kind, &other.origin) == (source.kind, &source.origin)
                });
                if taken {
                    return Err(refused("two sources of one origin"));
                }
                let mut source = source.clone();
                if let Some(known) = self.sources.get(&source.id.0) {
                    source.kind = known.kind;
                }
                self.sources.insert(source.id.0, source);
            }
            Change::AddMemory { memory, vector } => self.add_memory(memory, vector.as_ref())?,
            Change::MoveMemory { memory, ordinal, lines } => {
                let memory = self.memory(*memory)?;
                memory.ordinal = *ordinal;
                memory.lines = *lines;
            }
            Change::AddTags { memory, tags } => {
                let own = &mut self.memory(*memory)?.tags;
                for tag in tags {
                    if !own.contains(tag) {
                        own.push(tag.clone());
                    }
                }
            }
            Change::SetVector { memory, vector } => {
                self.expect_model(&vector.model, vector.values.len())?;
                self.stored(*memory)?.vector = Some(vector.clone());
            }
            Change::StageVectors { model, vectors } => self.stage_vectors(model, vectors)?,
            Change::TakeStaged { model } => self.take_staged(model)?,
            Change::SetDeleted { target: Deletable::Source(id), at } => {
                self.sources.get_mut(&id.0).ok_or_else(missing)?.deleted_at = *at;
            }
            Change::SetDeleted { target: Deletable::Node(node), at } if node.is_memory() => {
                self.memory(*node)?.deleted_at = *at;
            }
            Change::SetDeleted { target: Deletable::Node(node), at } => {
                self.entities.get_mut(&node.number()).ok_or_else(missing)?.deleted_at = *at;
            }
            Change::SetSuperseded { memory, by } => self.memory(*memory)?.superseded_by = *by,
            Change::SetTier { memory, tier, expires_at } => {
                let memory = self.memory(*memory)?;
                memory.tier = *tier;
                memory.expires_at = *expires_at;
            }
            Change::Touch { memory, at, count } => {
                let memory = self.memory(*memory)?;
                memory.access_count += count;
                memory.last_accessed_at = Some(*at);
            }
            Change::PutEntity(entity) => {
                if !entity.node.is_entity() {
                    return Err(refused("an entity with the number of a memory"));
                }
                take_number(&mut self.next.entity, entity.node.number())?;
                self.entities.insert(entity.node.number(), entity.clone());
            }
            Change::PutEdge(edge) => self.put_edge(edge),
            Change::RemoveEdge { source, target, kind, label } => {
                if let Some(number) = self.number_by_key(*source, *target, *kind, label) {
                    self.edges.remove(&number);
                }
            }
            Change::SetEdge(edge) => self.set_edge(edge)?,
            Change::SetSpeaker { memory, entity } => {
                if entity.is_some_and(|entity| self.entity(entity).is_none()) {
                    return Err(refused("a speaker that does not exist"));
                }
                self.stored(*memory)?.speaker = *entity;
            }
            Change::CountType { entity, kind, given, times } => {
                let key = (*entity, *kind, *given);
                let before = self.votes.remove(&key).unwrap_or(0);
                let after = u32::try_from((i64::from(before) + times).max(0)).unwrap_or(u32::MAX);
                if after > 0 {
                    self.votes.insert(key, after);
                }
            }
            Change::PutMerge(merge) => {
                self.last_merge = self.last_merge.max(merge.number);
                self.merges.insert(merge.number, merge.as_ref().clone());
            }
            Change::RewriteMerge(merge) => {
                if self.merges.insert(merge.number, merge.as_ref().clone()).is_none() {
                    return Err(missing());
                }
            }
            Change::PutWarning(warning) => {
                self.warnings.insert(warning.found.id(), warning.as_ref().clone());
            }
            Change::RemoveWarning(id) => {
                self.warnings.remove(id);
            }
            Change::Erase(what) => self.remove(*what)?,
            Change::PutSuggestion(suggestion) => {
                self.suggestions.insert(suggestion.number, suggestion.clone());
            }
            Change::PutOffer(offer) => {
                take_number(&mut self.next.offer, offer.number)?;
                self.offers.insert(offer.number, *offer);
            }
            Change::PutReading(reading) => {
                for node in [reading.memory, reading.by] {
                    self.stored(node)?;
                }
                self.readings.insert((reading.memory, reading.task, reading.by), reading.as_ref().clone());
            }
            Change::PutFact(fact) => {
                let mut fact = fact.clone();
                if fact.number == 0 {
                    fact.number = self.next.fact;
                }
                take_number(&mut self.next.fact, fact.number)?;
                self.facts.insert(fact.number, fact);
            }
        }
        Ok(())
    }

    pub(super) fn kept_warnings(&self, wanted: impl Fn(&Warning) -> bool) -> Vec<Warning> {
        let mut kept: Vec<Warning> =
            self.warnings.values().filter(|warning| wanted(warning)).cloned().collect();
        kept.sort_by_key(|warning| (warning.first_seen, warning.found.id()));
        kept
    }

    fn add_memory(&mut self, memory: &Memory, vector: Option<&StoredVector>) -> Result<()> {
        if !memory.node.is_memory() || !take_number(&mut self.next.memory, memory.node.number())? {
            return Err(refused("a memory with a number that is in use"));
        }
        let Some(source) = self.sources.get(&memory.source.0) else {
            return Err(refused("a memory without a source"));
        };
        let title = source.title.clone().unwrap_or_default();
        if self
            .memories
            .values()
            .any(|other| other.memory.id == memory.id || other.memory.handle == memory.handle)
        {
            return Err(refused("two memories of one id or handle"));
        }
        let place = (memory.source, memory.session.clone());
        let position = match self.places.iter().position(|known| *known == place) {
            Some(position) => position,
            None => {
                self.places.push(place);
                self.places.len() - 1
            }
        };
        let scope = [&memory.scope.user, &memory.scope.project, &memory.agent, &memory.session];
        for name in scope.into_iter().flatten().chain([&memory.kind]) {
            if !self.names.contains(name) {
                self.names.push(name.clone());
            }
        }
        if let Some(vector) = vector {
            self.expect_model(&vector.model, vector.values.len())?;
        }
        let stored = Stored {
            memory: memory.clone(),
            place: position as u32 + 1,
            title,
            speaker: None,
            vector: vector.cloned(),
        };
        self.memories.insert(memory.node.number(), stored);
        Ok(())
    }

    fn put_edge(&mut self, edge: &Edge) {
        let mut edge = edge.clone().normalised();
        // The memory itself is the evidence of a mention without any.
        if edge.kind == EdgeKind::Mentions && edge.evidence.is_empty() {
            let own = self.get(edge.source).map(|stored| stored.memory.id);
            edge.evidence = own
                .map(|id| Evidence { memory: Some(id), quote: None, reason: None, at: edge.created_at })
                .into_iter()
                .collect();
        }
        if !edge.label.is_empty() && !self.labels.contains(&edge.label) {
            self.labels.push(edge.label.clone());
        }
        match self.number_by_key(edge.source, edge.target, edge.kind, &edge.label) {
            Some(number) => {
                if let Some(known) = self.edges.remove(&number) {
                    self.edges.insert(number, known.merge(edge));
                }
            }
            None => {
                edge.number = self.next.edge;
                self.next.edge += 1;
                self.edges.insert(edge.number, edge);
            }
        }
    }

    fn set_edge(&mut self, edge: &Edge) -> Result<()> {
        let edge = edge.clone().normalised();
        if edge.number == 0 || edge.number == u32::MAX {
            return Err(refused("an edge with a number that is none"));
        }
        let holder = self.number_by_key(edge.source, edge.target, edge.kind, &edge.label);
        if holder.is_some_and(|number| number != edge.number) {
            return Err(refused("two edges of one key"));
        }
        if !edge.label.is_empty() && !self.labels.contains(&edge.label) {
            self.labels.push(edge.label.clone());
        }
        self.next.edge = self.next.edge.max(edge.number + 1);
        self.edges.insert(edge.number, edge);
        Ok(())
    }

    pub(super) fn number_by_key(
        &self,
        source: Node,
        target: Node,
        kind: EdgeKind,
        label: &str,
    ) -> Option<u32> {
        let ends =
            if kind.is_symmetric() { (source.min(target), source.max(target)) } else { (source, target) };
        let is_it =
            |edge: &&Edge| (edge.source, edge.target) == ends && edge.kind == kind && edge.label == label;
        self.edges.values().find(is_it).map(|edge| edge.number)
    }

    /// Allows one model at a time; vectors of another model replace all earlier ones.
    fn expect_model(&mut self, name: &str, length: usize) -> Result<()> {
        let model = Some((name.to_string(), length));
        if self.model == model {
            return Ok(());
        }
        if self.model.as_ref().is_some_and(|(known, _)| known == name) {
            return Err(refused("a vector of another length"));
        }
        self.model = model;
        for stored in self.memories.values_mut() {
            stored.vector = None;
        }
        Ok(())
    }

    fn stage_vectors(&mut self, model: &str, vectors: &[StagedVector]) -> Result<()> {
        for (memory, vector) in vectors {
            let length = vector.as_ref().map(|vector| vector.values.len());
            if length.is_some_and(|length| self.staged_length(model).is_some_and(|known| known != length)) {
                return Err(refused("a vector of another length"));
            }
            if self.get(*memory).is_some() {
                self.staged.insert((memory.number(), model.to_string()), vector.clone());
            }
        }
        Ok(())
    }

    fn staged_length(&self, model: &str) -> Option<usize> {
        let of_model = self.staged.iter().filter(|((_, of), _)| of == model);
        of_model.filter_map(|(_, vector)| Some(vector.as_ref()?.values.len())).next()
    }

    fn take_staged(&mut self, model: &str) -> Result<()> {
        match self.staged_length(model) {
            Some(length) => self.expect_model(model, length)?,
            None if self.model.as_ref().is_some_and(|(name, _)| name == model) => {}
            None if self.memories.values().any(|stored| stored.vector.is_some()) => {
                return Err(refused("a model that no text has a vector of"));
            }
            None => self.model = None,
        }
        for ((memory, of), vector) in std::mem::take(&mut self.staged) {
            if of == model
                && let Some(stored) = self.memories.get_mut(&memory)
            {
                stored.vector = vector.or_else(|| stored.vector.take());
            }
        }
        Ok(())
    }

    fn speaker(&self, name: &str) -> Option<Node> {
        let name = normal_name(name);
        let carriers = self.entities.values().filter(|entity| Self::carries(entity, &name));
        carriers
            .min_by_key(|entity| (entity.kind != EntityType::Person, entity.node))
            .map(|entity| entity.node)
    }

    fn check_ends(&self) -> Result<()> {
        let exists = |node: Node| self.get(node).is_some() || self.entity(node).is_some();
        let edges = self.edges.values().all(|edge| exists(edge.source) && exists(edge.target));
        let facts = self.facts.values().all(|fact| {
            exists(fact.subject) && !matches!(fact.object, FactObject::Entity(object) if !exists(object))
        });
        let offers = self.offers.values().all(|offer| exists(offer.newer) && exists(offer.other));
        if edges && facts && offers {
            Ok(())
        } else {
            Err(refused("an edge, a fact or an offer of a node that does not exist"))
        }
    }

    fn stored(&mut self, node: Node) -> Result<&mut Stored> {
        let stored = if node.is_memory() { self.memories.get_mut(&node.number()) } else { None };
        stored.ok_or_else(missing)
    }

    fn memory(&mut self, node: Node) -> Result<&mut Memory> {
        Ok(&mut self.stored(node)?.memory)
    }
}

/// True if the number is new, false if it is in use.
fn take_number(next: &mut u32, number: u32) -> Result<bool> {
    if number == *next {
        *next += 1;
        return Ok(true);
    }
    if number == 0 || number > *next {
        return Err(refused("a number that is neither the next nor in use"));
    }
    Ok(false)
}

fn refused(why: &str) -> Error {
    Error::new(ErrorKind::Bug, "change the store in memory", why)
}

pub(super) fn missing() -> Error {
    Error::not_found("change the store in memory", "there is no such thing")
}
