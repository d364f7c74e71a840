//! The oracle: the same promises kept with ordered maps and plain loops.
//!
//! It exists to be obviously right, so that property tests can hold the SQLite store and its index to it.
//! Nothing is cached, every search looks at every memory, a write works on a copy of everything and replaces
//! it at the end. It is also a store for tests that want none on the disk.

mod apply;
mod erase;
mod graph;
mod liveness;
mod rollout;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{
    Arc, Backend, Commit, Counts, Filter, GraphHealth, KeyHolder, NeighbourQuery, NextNumbers, NodeName,
    Place, Placement, Read, SourceTally, Telemetry, Traces, WordHits, WordQuery,
};
use crate::model::{
    ChangeSet, Edge, EdgeKind, Entity, EntityType, Erasure, ErasurePlan, Fact, FactObject, Handle, Interval,
    Layer, Memory, MemoryId, Merge, Node, Provenance, Result, Revision, Scope, Source, SourceId, SourceType,
    StoredVector, Suggestion, Tier, Timestamp, Trust, TypeVotes, Warning, WarningId, content_hash,
};

/// A store that lives as long as its value.
pub struct MemoryBackend {
    state: Mutex<State>,
    rollout: Mutex<rollout::Book>,
}

/// A memory with what the store worked out when it was written.
#[derive(Clone, Debug)]
struct Stored {
    memory: Memory,
    place: Place,
    /// Title of the source at that time.
    title: String,
    speaker: Option<Node>,
    vector: Option<StoredVector>,
}

#[derive(Clone)]
struct State {
    revision: u64,
    next: NextNumbers,
    sources: BTreeMap<u32, Source>,
    /// Place `i + 1`.
    places: Vec<(SourceId, Option<String>)>,
    memories: BTreeMap<u32, Stored>,
    entities: BTreeMap<u32, Entity>,
    edges: BTreeMap<u32, Edge>,
    /// Label `i + 1`.
    labels: Vec<String>,
    facts: BTreeMap<u32, Fact>,
    model: Option<(String, usize)>,
    /// How often an entity was given a type, by a caller or by a rule; never 0.
    votes: BTreeMap<(Node, EntityType, bool), u32>,
    merges: BTreeMap<u32, Merge>,
    suggestions: BTreeMap<u32, Suggestion>,
    erasures: BTreeMap<u32, Erasure>,
    warnings: BTreeMap<WarningId, Warning>,
    /// The highest merge that there ever was.
    last_merge: u32,
}

impl Default for MemoryBackend {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryBackend {
    pub fn new() -> Self {
        let state = State {
            revision: 0,
            next: NextNumbers { memory: 1, entity: 1, source: 1, edge: 1, fact: 1 },
            sources: BTreeMap::new(),
            places: Vec::new(),
            memories: BTreeMap::new(),
            entities: BTreeMap::new(),
            edges: BTreeMap::new(),
            labels: vec!["backbone".into(), "proximity".into()],
            facts: BTreeMap::new(),
            model: None,
            votes: BTreeMap::new(),
            merges: BTreeMap::new(),
            suggestions: BTreeMap::new(),
            erasures: BTreeMap::new(),
            warnings: BTreeMap::new(),
            last_merge: 0,
        };
        Self { state: Mutex::new(state), rollout: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    fn view<T>(&self, act: impl FnOnce(&State) -> T) -> Result<T> {
        Ok(act(&self.state()))
    }

    fn revision_of_view(&self) -> Revision {
        Revision(self.state().revision)
    }
}

impl Backend for MemoryBackend {
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        let mut state = self.state();
        let set = plan(&*state)?;
        if set.changes.is_empty() {
            return Ok(Commit { revision: Revision(state.revision), changed: false });
        }
        let mut next = state.clone();
        next.apply(&set)?;
        next.revision += 1;
        *state = next;
        Ok(Commit { revision: Revision(state.revision), changed: true })
    }

    fn refresh(&self) -> Result<Revision> {
        Ok(self.revision())
    }

    fn rebuild(&self) -> Result<()> {
        Ok(())
    }

    fn integrity(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>,
    ) -> Result<Option<Erasure>> {
        let mut state = self.state();
        let Some(plan) = plan(&*state)? else { return Ok(None) };
        let mut next = state.clone();
        let receipt = next.erase(plan)?;
        *state = next;
        let mut book = locked(&self.rollout);
        book.forget_messages();
        book.forget_answers_of(&receipt.beside);
        Ok(Some(receipt))
    }

    /// There are no files.
    fn scrub(&self, _: Option<&[String]>) -> Result<u64> {
        Ok(0)
    }

    fn finish_erasure(&self, erasure: &Erasure) -> Result<()> {
        self.state().erasures.insert(erasure.number, Erasure { beside: Vec::new(), ..erasure.clone() });
        Ok(())
    }

    fn erasures(&self) -> Result<Vec<Erasure>> {
        Ok(self.state().erasures.values().cloned().collect())
    }

    fn unfinished_erasures(&self) -> Result<Vec<Erasure>> {
        Ok(self.state().erasures.values().filter(|erasure| erasure.finished_at.is_none()).cloned().collect())
    }

    fn telemetry(&self) -> &dyn Telemetry {
        &self.rollout
    }

    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth> {
        Ok(self.state().graph_health(now, entities))
    }
}

/// The definition of what a filter lets through.
fn admits(filter: &Filter, memory: &Memory) -> bool {
    let of_scope =
        |asked: &Option<String>, own: &Option<String>| asked.is_none() || own.is_none() || asked == own;
    memory.deleted_at.is_none()
        && (filter.superseded || memory.superseded_by.is_none())
        && of_scope(&filter.scope.user, &memory.scope.user)
        && of_scope(&filter.scope.project, &memory.scope.project)
        && (filter.kinds.is_empty() || filter.kinds.contains(&memory.kind))
        && (filter.layers.is_empty() || filter.layers.contains(&Layer::of_memory(&memory.kind)))
        && filter.tags.iter().all(|tag| memory.tags.contains(tag))
        && (filter.sources.is_empty() || filter.sources.contains(&memory.source))
        && (filter.agent.is_none() || filter.agent == memory.agent)
        && (filter.session.is_none() || filter.session == memory.session)
        && filter.occurred.is_none_or(|span| span.contains(memory.occurred_at))
        && (filter.tiers.is_empty() || filter.tiers.contains(&memory.tier))
        && filter.now.is_none_or(|now| !memory.is_expired(now))
}

impl State {
    fn get(&self, node: Node) -> Option<&Stored> {
        if node.is_memory() { self.memories.get(&node.number()) } else { None }
    }

    fn entity(&self, node: Node) -> Option<&Entity> {
        if node.is_entity() { self.entities.get(&node.number()) } else { None }
    }

    fn shows(&self, filter: &Filter, memory: &Memory) -> bool {
        let is_trusted = |source: &Source| source.kind.trust() == Trust::Own;
        admits(filter, memory)
            && (!filter.trusted || self.sources.get(&memory.source.0).is_some_and(is_trusted))
    }

    fn admits(&self, filter: &Filter, node: Node) -> bool {
        self.get(node).is_some_and(|stored| self.shows(filter, &stored.memory))
    }

    fn cosine(&self, vector: &[f32], node: Node) -> Option<f32> {
        let stored = self.get(node)?.vector.as_ref()?;
        let sum: f32 =
            stored.values.iter().zip(vector).map(|(&value, &asked)| f32::from(value) * asked).sum();
        Some(sum * stored.scale)
    }

    fn carries(entity: &Entity, name: &str) -> bool {
        entity.deleted_at.is_none() && entity.aliases.iter().any(|alias| alias == name)
    }

    /// Runs of exactly four digits from 1000 to 2100, ascending, each once.
    fn years_of(stored: &Stored) -> Vec<i16> {
        let runs = stored.memory.text.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 4);
        let years: BTreeSet<i16> = runs.filter_map(|run| run.parse().ok()).collect();
        years.into_iter().filter(|year| (1000..=2100).contains(year)).collect()
    }
}

/// The last `limit` of a list.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn last<T>(mut list: Vec<T>, limit: usize) -> Vec<T> {
    list.drain(..list.len().saturating_sub(limit));
    list
}

impl Read for State {
    fn revision(&self) -> Revision {
        Revision(self.revision)
    }

    fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        for stored in self.memories.values() {
            counts.vectors += u64::from(stored.vector.is_some());
            if stored.memory.deleted_at.is_some() {
                counts.deleted_memories += 1;
                continue;
            }
            counts.memories += 1;
            counts.superseded_memories += u64::from(stored.memory.superseded_by.is_some());
            *counts.memories_by_kind.entry(stored.memory.kind.clone()).or_default() += 1;
        }
        for entity in self.entities.values().filter(|entity| self.entity_is_live(entity)) {
            counts.entities += 1;
            *counts.entities_by_type.entry(entity.kind.name().into()).or_default() += 1;
        }
        for edge in self.edges.values().filter(|edge| self.edge_is_live(edge)) {
            counts.edges += 1;
            *counts.edges_by_kind.entry(edge.kind.name().into()).or_default() += 1;
            *counts.edges_by_provenance.entry(edge.provenance.name().into()).or_default() += 1;
        }
        counts.facts = self.facts.len() as u64;
        counts.sources = self.sources.values().filter(|source| source.deleted_at.is_none()).count() as u64;
        Ok(counts)
    }

    fn next_numbers(&self) -> Result<NextNumbers> {
        Ok(self.next)
    }

    fn memory_count(&self) -> Result<u64> {
        Ok(self.memories.len() as u64)
    }

    fn vector_model(&self) -> Result<Option<(String, usize)>> {
        Ok(self.model.clone())
    }

    fn search_words(&self, query: &WordQuery, filter: &Filter) -> Result<WordHits> {
        Ok(words::search(self, query, filter))
    }

    fn search_vectors(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<(Node, f32)>> {
        let mut found: Vec<(Node, f32)> = self
            .in_time(filter)
            .into_iter()
            .filter_map(|node| Some((node, self.cosine(vector, node)?)))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        Ok(found)
    }

    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>> {
        let near = |(vector, scope): &(&StoredVector, &Scope)| {
            let asked: Vec<f32> = vector.values.iter().map(|&v| f32::from(v) * vector.scale).collect();
            let mut found = self.search_vectors(&asked, &Filter::default(), usize::MAX)?;
            let knows = |node| self.get(node).is_some_and(|stored| scope.may_know(&stored.memory.scope));
            found.retain(|(node, cosine)| *cosine >= least && knows(*node));
            found.truncate(limit);
            Ok(found)
        };
        asked.iter().map(near).collect()
    }

    fn similarities(&self, vector: &[f32], memories: &[Node]) -> Result<Vec<Option<f32>>> {
        Ok(memories.iter().map(|&node| self.cosine(vector, node)).collect())
    }

    fn search_time(&self, interval: Interval, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        let mut found = self.in_time(filter);
        found.retain(|&node| {
            self.get(node).is_some_and(|stored| interval.contains(stored.memory.occurred_at))
        });
        Ok(last(found, limit))
    }

    fn latest(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        let mut found = self.in_time(filter);
        found.sort_by(|a, b| b.cmp(a));
        found.truncate(limit);
        Ok(found)
    }

    fn around(
        &self,
        memory: Node,
        before: usize,
        after: usize,
        filter: &Filter,
    ) -> Result<(Vec<Node>, Vec<Node>)> {
        let Some(own) = self.get(memory).map(|stored| (stored.memory.occurred_at, memory)) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let (earlier, later): (Vec<Node>, Vec<Node>) =
            self.in_time(filter).into_iter().filter(|&node| node != memory).partition(|&node| {
                self.get(node).is_some_and(|stored| (stored.memory.occurred_at, node) < own)
            });
        Ok((last(earlier, before), later.into_iter().take(after).collect()))
    }

    fn neighbours(&self, frontier: &[Node], ask: &NeighbourQuery<'_>) -> Result<Vec<Vec<Arc>>> {
        Ok(frontier.iter().map(|&node| self.arcs(node, ask)).collect())
    }

    fn rules(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        let shown = |stored: &&Stored| stored.memory.tier == Tier::Rule && self.shows(filter, &stored.memory);
        let mut rules: Vec<&Memory> =
            self.memories.values().filter(shown).map(|stored| &stored.memory).collect();
        rules.sort_by_key(|rule| (rule.importance, rule.recorded_at, rule.node));
        Ok(rules.into_iter().rev().take(limit).map(|rule| rule.node).collect())
    }

    fn expired(&self, now: Timestamp) -> Result<BTreeMap<String, u64>> {
        let mut expired = BTreeMap::new();
        let memories = self.memories.values().map(|stored| &stored.memory);
        for memory in memories.filter(|memory| memory.deleted_at.is_none() && memory.is_expired(now)) {
            *expired.entry(memory.kind.clone()).or_default() += 1;
        }
        Ok(expired)
    }

    fn expired_edges(&self, now: Timestamp) -> Result<BTreeMap<(EdgeKind, Provenance), u64>> {
        let mut expired = BTreeMap::new();
        for edge in self.edges.values().filter(|edge| self.edge_is_live(edge) && edge.has_expired(now)) {
            *expired.entry((edge.kind, edge.provenance)).or_default() += 1;
        }
        Ok(expired)
    }

    fn degrees(&self, nodes: &[Node], now: Option<Timestamp>) -> Result<Vec<u32>> {
        Ok(nodes.iter().map(|&node| self.degree(node, now)).collect())
    }

    fn hubs(
        &self,
        kind: Option<EntityType>,
        limit: usize,
        now: Option<Timestamp>,
    ) -> Result<Vec<(Node, u32)>> {
        let mut hubs: Vec<(Node, u32)> = self
            .entities
            .values()
            .filter(|entity| self.entity_is_live(entity) && kind.is_none_or(|kind| entity.kind == kind))
            .map(|entity| (entity.node, self.degree(entity.node, now)))
            .filter(|&(_, degree)| degree > 0)
            .collect();
        hubs.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        hubs.truncate(limit);
        Ok(hubs)
    }

    fn label(&self, number: u32) -> Result<String> {
        let position = (number as usize).checked_sub(1);
        Ok(position.and_then(|position| self.labels.get(position)).cloned().unwrap_or_default())
    }

    fn placements(&self, memories: &[Node]) -> Result<Vec<Option<Placement>>> {
        let placement = |&node: &Node| {
            let stored = self.get(node)?;
            let memory = &stored.memory;
            let years = Self::years_of(stored);
            Some(Placement {
                node,
                place: stored.place,
                source: memory.source,
                ordinal: memory.ordinal,
                occurred_at: memory.occurred_at,
                speaker: stored.speaker,
                length: words::terms(&memory.text).len() as u32,
                asks: memory.text.trim_end().ends_with(['?', '\u{ff1f}', '\u{61f}']),
                superseded: memory.superseded_by.is_some(),
                first_year: years.first().copied().unwrap_or(0),
                last_year: years.last().copied().unwrap_or(0),
            })
        };
        Ok(memories.iter().map(placement).collect())
    }

    fn place_members(&self, place: Place, around: u32, limit: usize, filter: &Filter) -> Result<Vec<Node>> {
        let mut members: Vec<(u32, Node)> = self
            .memories
            .values()
            .filter(|stored| stored.place == place && self.shows(filter, &stored.memory))
            .map(|stored| (stored.memory.ordinal, stored.memory.node))
            .collect();
        // The nearest; of two as near, the one before; of one ordinal, on either side the next one outward.
        members.sort_by_key(|&(ordinal, node)| {
            let is_after = ordinal >= around;
            let outward = if is_after { i64::from(node.raw()) } else { -i64::from(node.raw()) };
            (ordinal.abs_diff(around), is_after, outward)
        });
        members.truncate(limit);
        members.sort();
        Ok(members.into_iter().map(|(_, node)| node).collect())
    }

    fn years(&self, memories: &[Node]) -> Result<Vec<Vec<i16>>> {
        Ok(memories.iter().map(|&node| self.get(node).map(Self::years_of).unwrap_or_default()).collect())
    }

    fn memories(&self, nodes: &[Node]) -> Result<Vec<Memory>> {
        Ok(nodes.iter().filter_map(|&node| Some(self.get(node)?.memory.clone())).collect())
    }

    fn entities(&self, nodes: &[Node]) -> Result<Vec<Entity>> {
        Ok(nodes.iter().filter_map(|&node| Some(self.seen(self.entity(node)?))).collect())
    }

    fn edges(&self, numbers: &[u32]) -> Result<Vec<Edge>> {
        Ok(numbers.iter().filter_map(|number| self.edges.get(number).cloned()).collect())
    }

    fn live(&self, nodes: &[Node]) -> Result<Vec<bool>> {
        Ok(nodes.iter().map(|&node| self.is_live(node)).collect())
    }

    fn live_edges(&self, numbers: &[u32]) -> Result<Vec<bool>> {
        let is_live = |number| self.edges.get(number).is_some_and(|edge| self.edge_is_live(edge));
        Ok(numbers.iter().map(is_live).collect())
    }

    fn edges_of(&self, node: Node) -> Result<Vec<Edge>> {
        Ok(self.edges.values().filter(|edge| edge.source == node || edge.target == node).cloned().collect())
    }

    fn edge_by_key(&self, source: Node, target: Node, kind: EdgeKind, label: &str) -> Result<Option<Edge>> {
        Ok(self
            .number_by_key(source, target, kind, label)
            .and_then(|number| self.edges.get(&number).cloned()))
    }

    fn memory_by_hash(&self, hash: &[u8; 16]) -> Result<Option<Node>> {
        let is_it = |stored: &&Stored| {
            stored.memory.deleted_at.is_none()
                && content_hash(&stored.memory.text, &stored.memory.scope) == *hash
        };
        Ok(self.memories.values().find(is_it).map(|stored| stored.memory.node))
    }

    fn find_nodes(&self, name: &NodeName<'_>) -> Result<Vec<Node>> {
        let memories = |is_it: &dyn Fn(&Memory) -> bool| -> Vec<Node> {
            self.memories
                .values()
                .filter(|stored| is_it(&stored.memory))
                .map(|stored| stored.memory.node)
                .collect()
        };
        let entities = |is_it: &dyn Fn(&Entity) -> bool| -> Vec<Node> {
            self.entities.values().filter(|entity| is_it(entity)).map(|entity| entity.node).collect()
        };
        Ok(match *name {
            NodeName::Id(id) => memories(&|memory| memory.id == id),
            NodeName::Handle(text) => {
                let wanted = format!("#{}", text.strip_prefix('#').unwrap_or(text).to_ascii_lowercase());
                let digits = wanted.len() - 1;
                if digits == 0 || !wanted[1..].bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Ok(Vec::new());
                }
                let whole = memories(&|memory| memory.handle.0 == wanted);
                let begins = memories(&|memory| memory.handle.0.starts_with(&wanted));
                let longer = memories(&|memory| {
                    wanted.starts_with(&memory.handle.0) && memory.id.handle(digits).0 == wanted
                });
                [whole, begins, longer].into_iter().find(|found| !found.is_empty()).unwrap_or_default()
            }
            NodeName::Canonical(id) => {
                let bearer = entities(&|entity| entity.deleted_at.is_none() && entity.canonical_id() == id);
                if bearer.is_empty() { entities(&|entity| Self::carries(entity, id)) } else { bearer }
            }
            NodeName::Entity(name) => entities(&|entity| Self::carries(entity, name)),
        })
    }

    fn find_entities(&self, names: &[String]) -> Result<Vec<Vec<(Node, EntityType)>>> {
        let carriers = |name: &String| {
            let carriers = self.entities.values().filter(|entity| Self::carries(entity, name));
            carriers.map(|entity| (entity.node, entity.kind)).collect()
        };
        Ok(names.iter().map(carriers).collect())
    }

    fn key_holders(&self, keys: &[String]) -> Result<Vec<Vec<KeyHolder>>> {
        let holders = |key: &String| {
            let holders = self.entities.values().filter(|entity| entity.key == *key);
            let holder =
                |e: &Entity| KeyHolder { node: e.node, kind: e.kind, hidden: e.deleted_at.is_some() };
            holders.map(holder).collect()
        };
        Ok(keys.iter().map(holders).collect())
    }

    fn search_entities(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<Node>> {
        let mut found: Vec<(usize, Node)> = self
            .entities
            .values()
            .filter(|entity| self.entity_is_live(entity) && kind.is_none_or(|kind| entity.kind == kind))
            .filter(|entity| entity.aliases.iter().any(|alias| alias.contains(part)))
            .map(|entity| (self.mentions(entity.node), entity.node))
            .collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(limit);
        Ok(found.into_iter().map(|(_, node)| node).collect())
    }

    fn facts(&self, subject_or_object: Option<Node>) -> Result<Vec<Fact>> {
        let is_about = |fact: &&Fact| {
            subject_or_object.is_none_or(|node| {
                fact.subject == node || matches!(fact.object, FactObject::Entity(object) if object == node)
            })
        };
        Ok(self.facts.values().filter(is_about).cloned().collect())
    }

    fn source(&self, id: SourceId) -> Result<Option<Source>> {
        Ok(self.sources.get(&id.0).cloned())
    }

    fn source_by_origin(&self, kind: SourceType, origin: &str) -> Result<Option<Source>> {
        Ok(self.sources.values().find(|source| source.kind == kind && source.origin == origin).cloned())
    }

    fn sources(&self) -> Result<Vec<Source>> {
        Ok(self.sources.values().cloned().collect())
    }

    fn source_memories(&self, source: SourceId, deleted: bool) -> Result<Vec<Node>> {
        let mut found: Vec<&Memory> = self
            .memories
            .values()
            .map(|stored| &stored.memory)
            .filter(|memory| memory.source == source && (deleted || memory.deleted_at.is_none()))
            .collect();
        found.sort_by(|a, b| (&a.session, a.ordinal, a.node).cmp(&(&b.session, b.ordinal, b.node)));
        Ok(found.into_iter().map(|memory| memory.node).collect())
    }

    fn source_tallies(&self) -> Result<Vec<SourceTally>> {
        let mut tallies = Vec::new();
        for id in self.sources.keys() {
            let of_source: BTreeSet<Node> = self
                .memories
                .values()
                .filter(|stored| stored.memory.deleted_at.is_none() && stored.memory.source.0 == *id)
                .map(|stored| stored.memory.node)
                .collect();
            let edges: Vec<&Edge> = self
                .edges
                .values()
                .filter(|edge| of_source.contains(&edge.source) || of_source.contains(&edge.target))
                .filter(|edge| self.edge_is_live(edge))
                .collect();
            let entities: BTreeSet<Node> = edges
                .iter()
                .filter(|edge| of_source.contains(&edge.source) && edge.target.is_entity())
                .map(|edge| edge.target)
                .collect();
            if !of_source.is_empty() {
                tallies.push(SourceTally {
                    source: SourceId(*id),
                    memories: of_source.len() as u32,
                    entities: entities.len() as u32,
                    edges: edges.len() as u32,
                });
            }
        }
        Ok(tallies)
    }

    fn earliest(&self) -> Result<Option<Timestamp>> {
        let live = self.memories.values().filter(|stored| stored.memory.deleted_at.is_none());
        Ok(live.map(|stored| stored.memory.occurred_at).min())
    }

    fn next_ordinal(&self, source: SourceId, session: Option<&str>) -> Result<u32> {
        let members = self.memories.values().map(|stored| &stored.memory);
        let members =
            members.filter(|memory| memory.source == source && memory.session.as_deref() == session);
        let last =
            members.map(|memory| memory.ordinal).filter(|ordinal| *ordinal <= Memory::LAST_ORDINAL).max();
        Ok(last.map_or(0, |last| (last + 1).min(Memory::LAST_ORDINAL)))
    }

    fn memories_after(&self, number: u32, limit: usize) -> Result<Vec<Memory>> {
        Ok(self.memories.range(number + 1..).take(limit).map(|(_, stored)| stored.memory.clone()).collect())
    }

    fn entities_after(&self, number: u32, limit: usize) -> Result<Vec<Entity>> {
        Ok(self.entities.range(number + 1..).take(limit).map(|(_, entity)| self.seen(entity)).collect())
    }

    fn edges_after(&self, number: u32, limit: usize) -> Result<Vec<Edge>> {
        Ok(self.edges.range(number + 1..).take(limit).map(|(_, edge)| edge.clone()).collect())
    }

    fn vector(&self, memory: Node) -> Result<Option<StoredVector>> {
        Ok(self.get(memory).and_then(|stored| stored.vector.clone()))
    }

    fn spoken_by(&self, entity: Node) -> Result<Vec<Node>> {
        let spoken = self.memories.values().filter(|stored| stored.speaker == Some(entity));
        Ok(spoken.map(|stored| stored.memory.node).collect())
    }

    fn type_votes(&self, entity: Node) -> Result<Vec<TypeVotes>> {
        let votes = self.votes.iter().filter(|((node, ..), _)| *node == entity);
        Ok(votes.map(|(&(_, kind, given), &times)| TypeVotes { kind, given, times }).collect())
    }

    fn merges_after(&self, number: u32, limit: usize) -> Result<Vec<Merge>> {
        Ok(self
            .merges
            .range(number.saturating_add(1)..)
            .take(limit)
            .map(|(_, merge)| merge.clone())
            .collect())
    }

    fn next_merge(&self) -> Result<u32> {
        Ok(self.last_merge + 1)
    }

    fn suggestions(&self) -> Result<Vec<Suggestion>> {
        Ok(self.suggestions.values().cloned().collect())
    }

    fn warnings(&self) -> Result<Vec<Warning>> {
        Ok(self.kept_warnings(|_| true))
    }

    fn warnings_about(&self, nodes: &[Node]) -> Result<Vec<Warning>> {
        Ok(self.kept_warnings(|warning| nodes.iter().any(|node| warning.found.is_about(*node))))
    }

    fn free_handle(&self, id: MemoryId) -> Result<Handle> {
        let taken: BTreeSet<&Handle> = self.memories.values().map(|stored| &stored.memory.handle).collect();
        let mut digits = Handle::DIGITS;
        while digits < 64 && taken.contains(&id.handle(digits)) {
            digits += 1;
        }
        Ok(id.handle(digits))
    }

    fn traces_of(&self, memories: &[Node]) -> Result<Traces> {
        Ok(self.traces(memories))
    }
}

answer_by_view!(MemoryBackend);
