//! The reference store (oracle): the same guarantees with ordered maps and plain loops.
//!
//! Its purpose is to be obviously correct, so that property tests can compare the SQLite store and its index
//! with it. Nothing is cached, every search scans all memories, and a write modifies a copy of everything and
//! swaps it in at the end. It also serves tests that need no disk.

mod apply;
mod erase;
mod graph;
mod liveness;
mod rows;
mod search;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::backend::{
    About, Caption, ChangeNote, Commit, Counts, EdgeSpan, Expired, Fetched, Filter, Found, FoundEntity, Free,
    Head, NextNumbers, NodeName, Place, Read, Rows, SourceTally, Store, Table, Traces, Wanted,
};
use crate::model::{
    ChangeSet, Edge, EdgeKind, Entity, EntityType, Erasure, ErasurePlan, Fact, Handle, Layer, Memory, Merge,
    Node, Offer, Reading, ReadingTask, Result, Revision, Scope, Source, SourceId, SourceType, StoredVector,
    Suggestion, Tier, Timestamp, Trust, TypeVotes, Warning, WarningId, content_hash,
};

pub use rows::RowsInMemory;

/// A store in memory, dropped with its value.
pub struct MemoryBackend {
    state: Mutex<State>,
}

/// A memory with the values that the store derived when writing it.
#[derive(Clone, Debug)]
struct Stored {
    memory: Memory,
    place: Place,
    /// Title of the source at the time of the write.
    title: String,
    speaker: Option<Node>,
    vector: Option<StoredVector>,
}

#[derive(Clone, Default)]
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
    /// Vectors in the making, by memory and model.
    staged: BTreeMap<(u32, String), Option<StoredVector>>,
    /// How often an entity was given a type, by a caller or by a rule; never 0.
    votes: BTreeMap<(Node, EntityType, bool), u32>,
    merges: BTreeMap<u32, Merge>,
    suggestions: BTreeMap<u32, Suggestion>,
    offers: BTreeMap<u32, Offer>,
    readings: BTreeMap<(Node, ReadingTask, Node), Reading>,
    erasures: BTreeMap<u32, Erasure>,
    warnings: BTreeMap<WarningId, Warning>,
    /// The highest merge number ever used.
    last_merge: u32,
    /// Users, projects, kinds, agents and sessions: name `i + 1`.
    names: Vec<String>,
    /// The rows that each revision touched, if somebody reads them: comparing two states takes long.
    log: Vec<ChangeNote>,
    keeps_log: bool,
}

impl Default for MemoryBackend {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryBackend {
    pub fn new() -> Self {
        let state = State {
            next: NextNumbers { memory: 1, entity: 1, source: 1, edge: 1, fact: 1, offer: 1 },
            labels: vec!["backbone".into(), "proximity".into()],
            ..State::default()
        };
        Self { state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    fn commit(&self, plan: impl FnOnce(&State) -> Result<ChangeSet>) -> Result<Commit> {
        let mut state = self.state();
        let set = plan(&state)?;
        if set.changes.is_empty() {
            return Ok(Commit { revision: Revision(state.revision), changed: false });
        }
        let mut next = state.clone();
        next.apply(&set)?;
        next.revision += 1;
        if next.keeps_log {
            next.log_changes(&state, set.at);
        }
        *state = next;
        Ok(Commit { revision: Revision(state.revision), changed: true })
    }

    fn commit_erasure(
        &self,
        plan: impl FnOnce(&State) -> Result<Option<ErasurePlan>>,
    ) -> Result<Option<Erasure>> {
        let mut state = self.state();
        let Some(plan) = plan(&state)? else { return Ok(None) };
        let mut next = state.clone();
        let receipt = next.erase(plan)?;
        if next.keeps_log {
            next.log_changes(&state, receipt.at);
        }
        *state = next;
        Ok(Some(receipt))
    }

    fn view<T>(&self, act: impl FnOnce(&State) -> T) -> Result<T> {
        Ok(act(&self.state()))
    }

    fn revision_of_view(&self) -> Revision {
        Revision(self.state().revision)
    }
}

impl Store for MemoryBackend {
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        self.commit(|state| plan(state))
    }

    fn at_once(&self, act: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()> {
        act(self)
    }

    fn refresh(&self) -> Result<Head> {
        self.head()
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
        self.commit_erasure(|state| plan(state))
    }

    /// A store in memory has no files.
    fn scrub(&self, _: Option<&[String]>) -> Result<u64> {
        Ok(0)
    }

    fn finish_erasure(&self, erasure: &Erasure) -> Result<()> {
        self.state().erasures.insert(erasure.number, Erasure { beside: Vec::new(), ..erasure.clone() });
        Ok(())
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Defines which memories a filter admits.
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

    fn facts_about(&self, node: Node) -> impl Iterator<Item = &Fact> {
        self.facts.values().filter(move |fact| fact.subject == node || fact.object.entity() == Some(node))
    }

    fn entity(&self, node: Node) -> Option<&Entity> {
        if node.is_entity() { self.entities.get(&node.number()) } else { None }
    }

    fn caption(&self, node: Node) -> Option<Caption> {
        if let Some(Stored { memory, .. }) = self.get(node) {
            return Some(Caption {
                node,
                kind: None,
                text: memory.text.chars().take(Caption::BEGINNING).collect(),
                name: memory.handle.to_string(),
                scope: memory.scope.clone(),
                source: Some(memory.source),
                importance: memory.importance,
                superseded: memory.superseded_by.is_some(),
                at: memory.occurred_at,
            });
        }
        let entity = self.seen(self.entity(node)?);
        Some(Caption {
            node,
            kind: Some(entity.kind),
            name: entity.canonical_id(),
            text: entity.name,
            scope: Scope::default(),
            source: None,
            importance: 0,
            superseded: false,
            at: entity.first_seen,
        })
    }

    fn span(&self, edge: u32) -> Option<EdgeSpan> {
        let Edge { created_at, expires_at, ref evidence, .. } = *self.edges.get(&edge)?;
        Some(EdgeSpan { edge, created_at, expires_at, has_evidence: !evidence.is_empty() })
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

    fn named(&self, name: &NodeName<'_>) -> Vec<Found> {
        let bare = |nodes: Vec<Node>| nodes.into_iter().map(|node| Found { node, entity: None }).collect();
        let described = |is_it: &dyn Fn(&Entity) -> bool| {
            let found = |entity: &Entity| FoundEntity {
                kind: entity.kind,
                hidden: entity.deleted_at.is_some(),
                live: self.is_live(entity.node),
            };
            let those = self.entities.values().filter(|entity| is_it(entity));
            those.map(|entity| Found { node: entity.node, entity: Some(found(entity)) }).collect()
        };
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
        match *name {
            NodeName::Entity(name) => described(&|entity| Self::carries(entity, name)),
            NodeName::Key(key) => described(&|entity| entity.key == key),
            NodeName::Id(id) => bare(memories(&|memory| memory.id == id)),
            NodeName::Hash(hash) => {
                let has_it = |memory: &Memory| {
                    memory.deleted_at.is_none() && content_hash(&memory.text, &memory.scope) == *hash
                };
                bare(memories(&has_it).pop().into_iter().collect())
            }
            NodeName::Handle(text) => {
                let wanted = format!("#{}", text.strip_prefix('#').unwrap_or(text).to_ascii_lowercase());
                let digits = wanted.len() - 1;
                if digits == 0 || !wanted[1..].bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Vec::new();
                }
                let whole = memories(&|memory| memory.handle.0 == wanted);
                let begins = memories(&|memory| memory.handle.0.starts_with(&wanted));
                let longer = memories(&|memory| {
                    wanted.starts_with(&memory.handle.0) && memory.id.handle(digits).0 == wanted
                });
                let found = [whole, begins, longer].into_iter().find(|found| !found.is_empty());
                bare(found.unwrap_or_default())
            }
            NodeName::Canonical(id) => {
                let bearer = entities(&|entity| entity.deleted_at.is_none() && entity.canonical_id() == id);
                bare(if bearer.is_empty() { entities(&|entity| Self::carries(entity, id)) } else { bearer })
            }
        }
    }

    fn tallies(&self) -> Vec<SourceTally> {
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
        tallies
    }
}

impl Rows for State {
    fn head(&self) -> Result<Head> {
        let is_rule =
            |stored: &Stored| stored.memory.tier == Tier::Rule && stored.memory.deleted_at.is_none();
        Ok(Head {
            revision: Revision(self.revision),
            next: self.next,
            next_merge: self.last_merge + 1,
            memories: self.memories.len() as u64,
            words: self.memories.values().map(|stored| words::terms(&stored.memory.text).len() as u64).sum(),
            model: self.model.clone(),
            has_rules: self.memories.values().any(is_rule),
        })
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
        let live = self.memories.values().filter(|stored| stored.memory.deleted_at.is_none());
        counts.earliest = live.map(|stored| stored.memory.occurred_at).min();
        counts.facts = self.facts.len() as u64;
        counts.sources = self.sources.values().filter(|source| source.deleted_at.is_none()).count() as u64;
        Ok(counts)
    }

    fn expired(&self, now: Timestamp) -> Result<Expired> {
        let mut expired = Expired::default();
        let memories = self.memories.values().map(|stored| &stored.memory);
        for memory in memories.filter(|memory| memory.deleted_at.is_none() && memory.is_expired(now)) {
            *expired.memories.entry(memory.kind.clone()).or_default() += 1;
        }
        for edge in self.edges.values().filter(|edge| self.edge_is_live(edge) && edge.has_expired(now)) {
            *expired.edges.entry((edge.kind, edge.provenance)).or_default() += 1;
        }
        Ok(expired)
    }

    fn fetch(&self, wanted: &Wanted<'_>) -> Result<Fetched> {
        let is_live = |number| self.edges.get(number).is_some_and(|edge| self.edge_is_live(edge));
        let by_key = |&(source, target, kind, label): &(Node, Node, EdgeKind, &str)| {
            self.number_by_key(source, target, kind, label)
        };
        let numbers = wanted.edges.iter().copied().chain(wanted.edge_keys.iter().filter_map(by_key));
        let from = |&(kind, origin): &(SourceType, &str)| {
            self.sources.values().find(|source| source.kind == kind && source.origin == origin)
        };
        let sources = wanted.sources.iter().filter_map(|id| self.sources.get(&id.0));
        let label = |number: &u32| {
            let position = (*number as usize).checked_sub(1);
            position.and_then(|position| self.labels.get(position)).cloned().unwrap_or_default()
        };
        let vector = |&node: &Node| Some((node, self.get(node)?.vector.clone()?));
        let is_staged = |node: &Node| {
            node.is_memory() && self.staged.contains_key(&(node.number(), wanted.staged.0.to_string()))
        };
        Ok(Fetched {
            memories: wanted.nodes.iter().filter_map(|&node| Some(self.get(node)?.memory.clone())).collect(),
            entities: wanted.nodes.iter().filter_map(|&node| Some(self.seen(self.entity(node)?))).collect(),
            edges: numbers.filter_map(|number| self.edges.get(&number).cloned()).collect(),
            sources: sources.chain(wanted.origins.iter().filter_map(from)).cloned().collect(),
            vectors: wanted.vectors.iter().filter_map(vector).collect(),
            staged: wanted.staged.1.iter().copied().filter(is_staged).collect(),
            captions: wanted.captions.iter().filter_map(|&node| self.caption(node)).collect(),
            spans: wanted.spans.iter().filter_map(|number| self.span(*number)).collect(),
            offers: wanted.offers.iter().filter_map(|number| self.offers.get(number).copied()).collect(),
            labels: wanted.labels.iter().map(label).collect(),
            live: wanted.live.iter().map(|&node| self.is_live(node)).collect(),
            live_edges: wanted.live_edges.iter().map(is_live).collect(),
            ..Fetched::default()
        })
    }

    fn scan(&self, table: Table, after: u32, limit: usize) -> Result<Fetched> {
        let mut found = Fetched::default();
        fn page<T>(rows: &BTreeMap<u32, T>, after: u32, limit: usize) -> impl Iterator<Item = &T> {
            rows.range(after.saturating_add(1)..).take(limit).map(|(_, row)| row)
        }
        match table {
            Table::Memories => {
                found.memories =
                    page(&self.memories, after, limit).map(|stored| stored.memory.clone()).collect();
            }
            Table::Entities => {
                found.entities = page(&self.entities, after, limit).map(|one| self.seen(one)).collect();
            }
            Table::Edges => found.edges = page(&self.edges, after, limit).cloned().collect(),
            Table::Merges => found.merges = page(&self.merges, after, limit).cloned().collect(),
            Table::Facts => found.facts = self.facts.values().cloned().collect(),
            Table::Sources => found.sources = self.sources.values().cloned().collect(),
            Table::Tallies => found.tallies = self.tallies(),
            Table::Suggestions => found.suggestions = self.suggestions.values().cloned().collect(),
            Table::Offers => found.offers = page(&self.offers, after, limit).copied().collect(),
            Table::LatestOffers => {
                let end = if after == 0 { u32::MAX } else { after };
                found.offers = self.offers.range(..end).rev().take(limit).map(|(_, one)| *one).collect();
            }
            Table::Readings => {
                let mut memories: Vec<Node> = self.readings.keys().map(|(memory, ..)| *memory).collect();
                memories.retain(|memory| memory.number() > after);
                memories.dedup();
                memories.truncate(limit);
                let about = self.readings.values().filter(|one| memories.contains(&one.memory));
                found.readings = about.cloned().collect();
            }
            Table::Unread(task) => {
                let is_unread = |memory: &&Memory| {
                    let own = (memory.node, task, memory.node);
                    let is_meant = task.only_kind().is_none_or(|kind| kind == memory.kind);
                    memory.deleted_at.is_none() && is_meant && !self.readings.contains_key(&own)
                };
                let later = self.memories.range(after.saturating_add(1)..).map(|(_, stored)| &stored.memory);
                found.nodes = later.filter(is_unread).take(limit).map(|memory| memory.node).collect();
            }
            Table::Warnings => found.warnings = self.kept_warnings(|_| true),
            Table::Erasures => found.erasures = self.erasures.values().cloned().collect(),
            Table::Unfinished => {
                let unfinished = self.erasures.values().filter(|erasure| erasure.finished_at.is_none());
                found.erasures = unfinished.cloned().collect();
            }
        }
        Ok(found)
    }

    fn about(&self, what: &About<'_>) -> Result<Fetched> {
        let mut found = Fetched::default();
        match *what {
            About::Edges(nodes) => {
                for &node in nodes {
                    let at_node = |edge: &&Edge| edge.source == node || edge.target == node;
                    found.edges.extend(self.edges.values().filter(at_node).cloned());
                }
            }
            About::Facts(nodes) => {
                for &node in nodes {
                    found.facts.extend(self.facts_about(node).cloned());
                }
            }
            About::Warnings(nodes) => {
                found.warnings =
                    self.kept_warnings(|warning| nodes.iter().any(|node| warning.found.is_about(*node)));
            }
            About::Offers(memories) => {
                let hash = |node| {
                    let memory = &self.get(node)?.memory;
                    Some(content_hash(&memory.text, &memory.scope))
                };
                let asked: Vec<_> = memories.iter().filter_map(|node| hash(*node)).collect();
                let is_meant = |node| hash(node).is_some_and(|hash| asked.contains(&hash));
                let about = self.offers.values().filter(|o| is_meant(o.newer) || is_meant(o.other));
                found.offers = about.copied().collect();
            }
            About::Readings(memories) => {
                let about = self.readings.values().filter(|one| memories.contains(&one.memory));
                found.readings = about.cloned().collect();
            }
            About::ReadBy(memories) => {
                let about = self.readings.values().filter(|one| one.by != one.memory);
                found.readings = about.filter(|one| memories.contains(&one.by)).cloned().collect();
            }
            About::Spoken(entity) => {
                let spoken = self.memories.values().filter(|stored| stored.speaker == Some(entity));
                found.nodes = spoken.map(|stored| stored.memory.node).collect();
            }
            About::Votes(entity) => {
                let votes = self.votes.iter().filter(|((node, ..), _)| *node == entity);
                found.votes =
                    votes.map(|(&(_, kind, given), &times)| TypeVotes { kind, given, times }).collect();
            }
            About::Source { id, deleted } => {
                let memories = self.memories.values().map(|stored| &stored.memory);
                let mut memories: Vec<&Memory> = memories
                    .filter(|memory| memory.source == id && (deleted || memory.deleted_at.is_none()))
                    .collect();
                memories
                    .sort_by(|a, b| (&a.session, a.ordinal, a.node).cmp(&(&b.session, b.ordinal, b.node)));
                found.nodes = memories.into_iter().map(|memory| memory.node).collect();
            }
        }
        Ok(found)
    }

    fn find(&self, names: &[NodeName<'_>]) -> Result<Vec<Vec<Found>>> {
        Ok(names.iter().map(|name| self.named(name)).collect())
    }

    fn free(&self, wanted: &[Free<'_>]) -> Result<Vec<u32>> {
        let memories = || self.memories.values().map(|stored| &stored.memory);
        let free = |wanted: &Free<'_>| match *wanted {
            Free::Ordinal { source, session } => {
                let members = memories()
                    .filter(|memory| memory.source == source && memory.session.as_deref() == session);
                let last =
                    members.map(|memory| memory.ordinal).filter(|at| *at <= Memory::LAST_ORDINAL).max();
                last.map_or(0, |last| (last + 1).min(Memory::LAST_ORDINAL))
            }
            Free::Handle(id) => {
                let mut digits = Handle::DIGITS;
                while digits < 64 && memories().any(|memory| memory.handle == id.handle(digits)) {
                    digits += 1;
                }
                digits as u32
            }
        };
        Ok(wanted.iter().map(free).collect())
    }

    fn traces_of(&self, memories: &[Node]) -> Result<Traces> {
        Ok(self.traces(memories))
    }
}

answer_by_view!(MemoryBackend);
