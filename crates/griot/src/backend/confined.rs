//! What does one user see of a shared store? A back end in front of another that shows one scope and nothing
//! else.
//!
//! - A memory outside the scope is not there: no search, name, walk or row leads to it, and none goes through
//!   it.
//! - Evidence that such a memory gave is left out; an edge or a fact that nothing else supports is not there.
//!   Nor is a fact whose own scope is another.
//! - Entities belong to the workspace. They are listed where a visible memory mentions them, or where no
//!   memory does, unless only hidden facts speak of them; who knows a name may ask for it.
//! - Counts are those of what is shown. Numbers that only weigh (words' weights, degrees) stay those of the
//!   workspace.
//!
//! Writes decide on the same view, so that nothing outside the scope can be linked, forgotten or replaced.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc as Shared;

use super::{
    Arc, Backend, CATALOGUE_SIZE, ChangeNote, Commit, Counts, Direction, Filter, GraphHealth, KeyHolder,
    NeighbourQuery, NextNumbers, NodeName, Place, Placement, Read, SourceTally, Telemetry, Traces, WordHits,
    WordQuery,
};
use crate::model::{
    ChangeSet, Edge, EdgeKind, Entity, EntityType, Erasure, ErasurePlan, Error, Evidence, Fact, Handle,
    Interval, Memory, MemoryId, Merge, Node, Provenance, Result, Revision, Scope, Source, SourceId,
    SourceType, StoredVector, Suggestion, Timestamp, TypeVotes, Warning,
};

/// A store as one scope sees it.
pub struct Confined {
    inner: Shared<dyn Backend + Send + Sync>,
    scope: Scope,
}

impl Confined {
    pub fn new(inner: Shared<dyn Backend + Send + Sync>, scope: Scope) -> Self {
        Self { inner, scope }
    }

    fn view<T>(&self, act: impl FnOnce(&Keyhole<'_>) -> T) -> Result<T> {
        Ok(act(&Keyhole { inner: self.inner.as_ref(), scope: &self.scope }))
    }

    fn revision_of_view(&self) -> Revision {
        self.inner.revision()
    }
}

answer_by_view!(Confined);

impl Backend for Confined {
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        self.inner.write(&mut |read| plan(&Keyhole { inner: read, scope: &self.scope }))
    }

    fn refresh(&self) -> Result<Revision> {
        self.inner.refresh()
    }

    fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<ChangeNote>> {
        let mut notes = self.inner.changes_after(since, limit)?;
        self.view(|view| {
            for note in &mut notes {
                let memories: Vec<Node> =
                    note.nodes.iter().copied().filter(|node| node.is_memory()).collect();
                let seen: HashSet<Node> =
                    view.memories(&memories)?.into_iter().map(|memory| memory.node).collect();
                let entities: Vec<Node> =
                    note.nodes.iter().copied().filter(|node| node.is_entity()).collect();
                let listed: HashSet<Node> = view.keep_listed(entities, |node| *node)?.into_iter().collect();
                note.nodes.retain(|node| seen.contains(node) || listed.contains(node));
                note.edges = view.edges(&note.edges)?.into_iter().map(|edge| edge.number).collect();
            }
            Ok(notes)
        })?
    }

    fn rebuild(&self) -> Result<()> {
        self.inner.rebuild()
    }

    fn whole(&self) -> Option<&(dyn Backend + Send + Sync)> {
        Some(self.inner.whole().unwrap_or(self.inner.as_ref()))
    }

    fn is_read_only(&self) -> bool {
        self.inner.is_read_only()
    }

    fn integrity(&self) -> Result<Vec<String>> {
        self.inner.integrity()
    }

    // What is erased is erased from files that all users share, so that nobody who sees a part of them can
    // ask for it.

    fn erase(&self, _: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>) -> Result<Option<Erasure>> {
        Err(Error::invalid("erase", "it concerns the whole workspace, and this is the view of one scope"))
    }

    fn scrub(&self, texts: Option<&[String]>) -> Result<u64> {
        self.inner.scrub(texts)
    }

    fn finish_erasure(&self, erasure: &Erasure) -> Result<()> {
        self.inner.finish_erasure(erasure)
    }

    fn erasures(&self) -> Result<Vec<Erasure>> {
        self.inner.erasures()
    }

    fn unfinished_erasures(&self) -> Result<Vec<Erasure>> {
        self.inner.unfinished_erasures()
    }

    /// The rollout is the workspace's, whoever asks: counts, and no text of anybody.
    fn telemetry(&self) -> &dyn Telemetry {
        self.inner.telemetry()
    }

    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth> {
        self.inner.graph_health(now, entities)
    }
}

/// A view of the store at one revision, within a scope.
struct Keyhole<'a> {
    inner: &'a dyn Read,
    scope: &'a Scope,
}

/// All time.
const ALWAYS: Interval = Interval { start: Timestamp(i64::MIN), end: Timestamp(i64::MAX) };
const ALL: usize = usize::MAX >> 1;
/// Nodes that are looked at together.
const PAGE: usize = 1000;

impl Keyhole<'_> {
    /// The same search, within the scope. A search for another user finds what is nobody's at most.
    fn narrowed(&self, filter: &Filter) -> Filter {
        let mut filter = filter.clone();
        filter.scope.user = self.scope.user.clone().or(filter.scope.user);
        filter.scope.project = self.scope.project.clone().or(filter.scope.project);
        filter
    }

    fn within(&self) -> Filter {
        Filter { scope: self.scope.clone(), superseded: true, ..Filter::default() }
    }

    fn sees(&self, memory: &Memory) -> bool {
        self.scope.meets(&memory.scope)
    }

    /// Those of these ids whose memories are in the scope.
    fn visible(&self, ids: impl Iterator<Item = MemoryId>) -> Result<HashSet<MemoryId>> {
        let mut seen = HashMap::new();
        for id in ids {
            if let MapEntry::Vacant(unknown) = seen.entry(id) {
                let nodes = self.inner.find_nodes(&NodeName::Id(id))?;
                unknown.insert(self.inner.memories(&nodes)?.iter().any(|memory| self.sees(memory)));
            }
        }
        Ok(seen.into_iter().filter(|(_, visible)| *visible).map(|(id, _)| id).collect())
    }

    /// Leaves out hidden evidence; false if nothing else was there.
    fn keep_visible(evidence: &mut Vec<Evidence>, visible: &HashSet<MemoryId>) -> bool {
        let had = !evidence.is_empty();
        evidence.retain(|one| one.memory.is_none_or(|id| visible.contains(&id)));
        !had || !evidence.is_empty()
    }

    fn shown_edges(&self, edges: Vec<Edge>) -> Result<Vec<Edge>> {
        let ends: Vec<Node> = edges
            .iter()
            .flat_map(|edge| [edge.source, edge.target])
            .filter(|node| node.is_memory())
            .collect();
        let ends: HashSet<Node> = self.memories(&ends)?.into_iter().map(|memory| memory.node).collect();
        let evidence = edges.iter().flat_map(|edge| &edge.evidence).filter_map(|evidence| evidence.memory);
        let visible = self.visible(evidence)?;
        let there = |node: Node| node.is_entity() || ends.contains(&node);
        Ok(edges
            .into_iter()
            .filter(|edge| there(edge.source) && there(edge.target))
            .filter_map(|mut edge| Self::keep_visible(&mut edge.evidence, &visible).then_some(edge))
            .collect())
    }

    /// For each entity whether it is listed: a visible memory mentions it, or none does.
    fn listed(&self, entities: &[Node]) -> Result<Vec<bool>> {
        let mut fan_out = [0; CATALOGUE_SIZE];
        fan_out[EdgeKind::Mentions as usize] = 1;
        let any = Filter { superseded: true, ..Filter::default() };
        let mentioned = |filter: &Filter| {
            self.inner
                .neighbours(entities, &NeighbourQuery { direction: Direction::In, fan_out: &fan_out, filter })
        };
        let seen = mentioned(&self.within())?;
        let there = mentioned(&any)?;
        let listed = entities.iter().zip(seen.iter().zip(&there)).map(|(entity, (seen, there))| {
            Ok(!seen.is_empty() || (there.is_empty() && !self.is_spoken_of_elsewhere(*entity)?))
        });
        listed.collect()
    }

    /// Facts speak of it, and none of them is shown.
    fn is_spoken_of_elsewhere(&self, entity: Node) -> Result<bool> {
        Ok(!self.inner.facts(Some(entity))?.is_empty() && self.facts(Some(entity))?.is_empty())
    }

    fn keep_listed<T>(&self, found: Vec<T>, node: impl Fn(&T) -> Node) -> Result<Vec<T>> {
        let listed = self.listed(&found.iter().map(node).collect::<Vec<_>>())?;
        Ok(found.into_iter().zip(listed).filter(|(_, listed)| *listed).map(|(one, _)| one).collect())
    }

    /// Asks for more and more until enough of it is listed, or there is no more.
    fn enough<T>(
        &self,
        limit: usize,
        ask: impl Fn(usize) -> Result<Vec<T>>,
        node: impl Fn(&T) -> Node,
    ) -> Result<Vec<T>> {
        let mut asked = limit.saturating_mul(2).max(16);
        loop {
            let found = ask(asked)?;
            let is_all = found.len() < asked;
            let mut listed = self.keep_listed(found, &node)?;
            if is_all || listed.len() >= limit {
                listed.truncate(limit);
                return Ok(listed);
            }
            asked = asked.saturating_mul(4);
        }
    }

    fn of_source(&self, source: SourceId) -> Result<Vec<Node>> {
        self.inner.search_time(ALWAYS, &Filter { sources: vec![source], ..self.within() }, ALL)
    }

    fn sees_source(&self, source: SourceId) -> Result<bool> {
        let one = self.inner.search_time(ALWAYS, &Filter { sources: vec![source], ..self.within() }, 1)?;
        Ok(!one.is_empty())
    }

    /// Stored edges that start or end at these nodes, each once. Rows are read only for those that may rest
    /// on hidden evidence.
    fn edges_within(&self, nodes: Vec<Node>) -> Result<HashMap<u32, (EdgeKind, Provenance)>> {
        let within = self.within();
        let ask =
            NeighbourQuery { direction: Direction::Both, fan_out: &[ALL; CATALOGUE_SIZE], filter: &within };
        let mut edges = HashMap::new();
        for some in nodes.chunks(PAGE) {
            for arc in self.neighbours(some, &ask)?.into_iter().flatten().filter(|arc| arc.edge != 0) {
                edges.insert(arc.edge, (arc.kind, arc.provenance));
            }
        }
        Ok(edges)
    }

    fn live_entities(&self) -> Result<Vec<Entity>> {
        let (mut entities, mut last) = (Vec::new(), 0);
        loop {
            let page = self.entities_after(last, PAGE)?;
            let Some(end) = page.last() else { return Ok(entities) };
            last = end.node.number();
            let nodes: Vec<Node> = page.iter().map(|entity| entity.node).collect();
            let live = self.live(&nodes)?;
            entities.extend(page.into_iter().zip(live).filter_map(|(entity, live)| live.then_some(entity)));
        }
    }

    /// Pages until one holds something that is shown, so that whoever reads on does not stop early.
    fn page<T>(
        &self,
        mut after: u32,
        ask: impl Fn(u32) -> Result<Vec<T>>,
        number: impl Fn(&T) -> u32,
        shown: impl Fn(Vec<T>) -> Result<Vec<T>>,
    ) -> Result<Vec<T>> {
        loop {
            let page = ask(after)?;
            let Some(last) = page.last() else { return Ok(page) };
            after = number(last);
            let page = shown(page)?;
            if !page.is_empty() {
                return Ok(page);
            }
        }
    }
}

impl Read for Keyhole<'_> {
    fn revision(&self) -> Revision {
        self.inner.revision()
    }

    fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        for kind in self.inner.counts()?.memories_by_kind.into_keys() {
            let filter = Filter { kinds: vec![kind.clone()], ..self.within() };
            let number = self.inner.search_time(ALWAYS, &filter, ALL)?.len() as u64;
            if number > 0 {
                counts.memories_by_kind.insert(kind, number);
            }
        }
        counts.memories = counts.memories_by_kind.values().sum();
        let memories = self.inner.search_time(ALWAYS, &self.within(), ALL)?;
        let current = Filter { superseded: false, ..self.within() };
        let current = self.inner.search_time(ALWAYS, &current, ALL)?.len();
        counts.superseded_memories = memories.len().saturating_sub(current) as u64;
        if let Some((_, dimensions)) = self.inner.vector_model()? {
            let near = self.inner.similarities(&vec![0.0; dimensions], &memories)?;
            counts.vectors = near.iter().flatten().count() as u64;
        }
        let entities = self.live_entities()?;
        for entity in &entities {
            *counts.entities_by_type.entry(entity.kind.name().to_string()).or_default() += 1;
        }
        let entities: Vec<Node> = entities.into_iter().map(|entity| entity.node).collect();
        counts.entities = entities.len() as u64;
        let edges = self.edges_within(memories.into_iter().chain(entities).collect())?;
        counts.edges = edges.len() as u64;
        for (kind, provenance) in edges.into_values() {
            *counts.edges_by_kind.entry(kind.name().to_string()).or_default() += 1;
            *counts.edges_by_provenance.entry(provenance.name().to_string()).or_default() += 1;
        }
        counts.facts = self.facts(None)?.len() as u64;
        counts.sources = self.sources()?.len() as u64;
        Ok(counts)
    }

    fn rules(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        self.inner.rules(&self.narrowed(filter), limit)
    }

    fn expired(&self, now: Timestamp) -> Result<BTreeMap<String, u64>> {
        let mut expired = BTreeMap::new();
        for kind in self.inner.expired(now)?.into_keys() {
            let all = Filter { kinds: vec![kind.clone()], ..self.within() };
            let live = Filter { now: Some(now), ..all.clone() };
            let number = |filter: &Filter| Ok(self.inner.search_time(ALWAYS, filter, ALL)?.len() as u64);
            let gone = number(&all)? - number(&live)?;
            if gone > 0 {
                expired.insert(kind, gone);
            }
        }
        Ok(expired)
    }

    fn expired_edges(&self, now: Timestamp) -> Result<BTreeMap<(EdgeKind, Provenance), u64>> {
        let mut expired = BTreeMap::new();
        // Seldom any: then nothing is walked.
        if self.inner.expired_edges(now)?.is_empty() {
            return Ok(expired);
        }
        let memories = self.inner.search_time(ALWAYS, &self.within(), ALL)?;
        let entities = self.live_entities()?.into_iter().map(|entity| entity.node);
        let edges = self.edges_within(memories.into_iter().chain(entities).collect())?;
        let mut numbers: Vec<u32> = edges.into_keys().collect();
        numbers.sort_unstable();
        for some in numbers.chunks(PAGE) {
            for edge in self.inner.edges(some)?.into_iter().filter(|edge| edge.has_expired(now)) {
                *expired.entry((edge.kind, edge.provenance)).or_default() += 1;
            }
        }
        Ok(expired)
    }

    fn next_numbers(&self) -> Result<NextNumbers> {
        self.inner.next_numbers()
    }

    fn memory_count(&self) -> Result<u64> {
        self.inner.memory_count()
    }

    fn vector_model(&self) -> Result<Option<(String, usize)>> {
        self.inner.vector_model()
    }

    fn search_words(&self, query: &WordQuery, filter: &Filter) -> Result<WordHits> {
        self.inner.search_words(query, &self.narrowed(filter))
    }

    fn search_vectors(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<(Node, f32)>> {
        self.inner.search_vectors(vector, &self.narrowed(filter), limit)
    }

    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>> {
        let own = |asked: &Option<String>, seen: &Option<String>| {
            asked.clone().filter(|asked| seen.as_ref().is_none_or(|seen| seen == asked))
        };
        let scopes: Vec<Scope> = asked
            .iter()
            .map(|(_, scope)| Scope {
                user: own(&scope.user, &self.scope.user),
                project: own(&scope.project, &self.scope.project),
            })
            .collect();
        let asked: Vec<(&StoredVector, &Scope)> =
            asked.iter().zip(&scopes).map(|((vector, _), scope)| (*vector, scope)).collect();
        self.inner.search_alike(&asked, least, limit)
    }

    fn similarities(&self, vector: &[f32], memories: &[Node]) -> Result<Vec<Option<f32>>> {
        self.inner.similarities(vector, memories)
    }

    fn search_time(&self, interval: Interval, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        self.inner.search_time(interval, &self.narrowed(filter), limit)
    }

    fn latest(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        self.inner.latest(&self.narrowed(filter), limit)
    }

    fn around(
        &self,
        memory: Node,
        before: usize,
        after: usize,
        filter: &Filter,
    ) -> Result<(Vec<Node>, Vec<Node>)> {
        self.inner.around(memory, before, after, &self.narrowed(filter))
    }

    fn neighbours(&self, frontier: &[Node], ask: &NeighbourQuery<'_>) -> Result<Vec<Vec<Arc>>> {
        let filter = self.narrowed(ask.filter);
        let ask = NeighbourQuery { filter: &filter, ..ask.clone() };
        let mut found = self.inner.neighbours(frontier, &ask)?;
        // What joins two entities may rest on a hidden memory alone; mentions rest on their own end.
        let stored: Vec<u32> = found
            .iter()
            .flatten()
            .filter(|arc| arc.edge != 0 && arc.kind != EdgeKind::Mentions)
            .map(|arc| arc.edge)
            .collect();
        let shown: HashSet<u32> = self.edges(&stored)?.into_iter().map(|edge| edge.number).collect();
        for arcs in &mut found {
            arcs.retain(|arc| arc.edge == 0 || arc.kind == EdgeKind::Mentions || shown.contains(&arc.edge));
        }
        Ok(found)
    }

    fn degrees(&self, nodes: &[Node], now: Option<Timestamp>) -> Result<Vec<u32>> {
        self.inner.degrees(nodes, now)
    }

    fn hubs(
        &self,
        kind: Option<EntityType>,
        limit: usize,
        now: Option<Timestamp>,
    ) -> Result<Vec<(Node, u32)>> {
        self.enough(limit, |limit| self.inner.hubs(kind, limit, now), |(node, _)| *node)
    }

    fn label(&self, number: u32) -> Result<String> {
        self.inner.label(number)
    }

    fn placements(&self, memories: &[Node]) -> Result<Vec<Option<Placement>>> {
        self.inner.placements(memories)
    }

    fn place_members(&self, place: Place, around: u32, limit: usize, filter: &Filter) -> Result<Vec<Node>> {
        self.inner.place_members(place, around, limit, &self.narrowed(filter))
    }

    fn years(&self, memories: &[Node]) -> Result<Vec<Vec<i16>>> {
        self.inner.years(memories)
    }

    fn memories(&self, nodes: &[Node]) -> Result<Vec<Memory>> {
        let mut memories = self.inner.memories(nodes)?;
        memories.retain(|memory| self.sees(memory));
        Ok(memories)
    }

    fn entities(&self, nodes: &[Node]) -> Result<Vec<Entity>> {
        self.inner.entities(nodes)
    }

    fn edges(&self, numbers: &[u32]) -> Result<Vec<Edge>> {
        self.shown_edges(self.inner.edges(numbers)?)
    }

    fn live(&self, nodes: &[Node]) -> Result<Vec<bool>> {
        self.inner.live(nodes)
    }

    fn live_edges(&self, numbers: &[u32]) -> Result<Vec<bool>> {
        self.inner.live_edges(numbers)
    }

    fn edges_of(&self, node: Node) -> Result<Vec<Edge>> {
        self.shown_edges(self.inner.edges_of(node)?)
    }

    fn edge_by_key(&self, source: Node, target: Node, kind: EdgeKind, label: &str) -> Result<Option<Edge>> {
        let edge = self.inner.edge_by_key(source, target, kind, label)?;
        Ok(self.shown_edges(edge.into_iter().collect())?.pop())
    }

    fn memory_by_hash(&self, hash: &[u8; 16]) -> Result<Option<Node>> {
        let node = self.inner.memory_by_hash(hash)?;
        Ok(self.memories(&node.into_iter().collect::<Vec<_>>())?.pop().map(|memory| memory.node))
    }

    fn find_nodes(&self, name: &NodeName<'_>) -> Result<Vec<Node>> {
        let mut found = self.inner.find_nodes(name)?;
        let memories: Vec<Node> = found.iter().copied().filter(|node| node.is_memory()).collect();
        let visible: HashSet<Node> =
            self.memories(&memories)?.into_iter().map(|memory| memory.node).collect();
        found.retain(|node| node.is_entity() || visible.contains(node));
        Ok(found)
    }

    fn find_entities(&self, names: &[String]) -> Result<Vec<Vec<(Node, EntityType)>>> {
        self.inner.find_entities(names)
    }

    fn key_holders(&self, keys: &[String]) -> Result<Vec<Vec<KeyHolder>>> {
        self.inner.key_holders(keys)
    }

    fn search_entities(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<Node>> {
        self.enough(limit, |limit| self.inner.search_entities(part, kind, limit), |node| *node)
    }

    fn facts(&self, subject_or_object: Option<Node>) -> Result<Vec<Fact>> {
        let mut facts = self.inner.facts(subject_or_object)?;
        facts.retain(|fact| self.scope.meets(&fact.scope));
        let evidence = facts.iter().flat_map(|fact| &fact.evidence).filter_map(|evidence| evidence.memory);
        let visible = self.visible(evidence)?;
        Ok(facts
            .into_iter()
            .filter_map(|mut fact| Self::keep_visible(&mut fact.evidence, &visible).then_some(fact))
            .collect())
    }

    fn source(&self, id: SourceId) -> Result<Option<Source>> {
        Ok(if self.sees_source(id)? { self.inner.source(id)? } else { None })
    }

    fn source_by_origin(&self, kind: SourceType, origin: &str) -> Result<Option<Source>> {
        self.inner.source_by_origin(kind, origin)
    }

    fn sources(&self) -> Result<Vec<Source>> {
        let mut shown = Vec::new();
        for source in self.inner.sources()? {
            if self.sees_source(source.id)? {
                shown.push(source);
            }
        }
        Ok(shown)
    }

    fn source_memories(&self, source: SourceId, deleted: bool) -> Result<Vec<Node>> {
        let nodes = self.inner.source_memories(source, deleted)?;
        Ok(self.memories(&nodes)?.into_iter().map(|memory| memory.node).collect())
    }

    fn source_tallies(&self) -> Result<Vec<SourceTally>> {
        let mut fan_out = [0; CATALOGUE_SIZE];
        fan_out[EdgeKind::Mentions as usize] = ALL;
        let filter = self.within();
        let mut tallies = self.inner.source_tallies()?;
        for tally in &mut tallies {
            let memories = self.of_source(tally.source)?;
            let ask = NeighbourQuery { direction: Direction::Out, fan_out: &fan_out, filter: &filter };
            let entities: HashSet<Node> =
                self.inner.neighbours(&memories, &ask)?.into_iter().flatten().map(|arc| arc.to).collect();
            tally.memories = memories.len() as u32;
            tally.entities = entities.len() as u32;
            tally.edges = self.inner.degrees(&memories, None)?.iter().sum();
        }
        tallies.retain(|tally| tally.memories > 0);
        Ok(tallies)
    }

    fn earliest(&self) -> Result<Option<Timestamp>> {
        let nodes = self.inner.search_time(ALWAYS, &self.within(), ALL)?;
        let first: Vec<Node> = nodes.into_iter().take(1).collect();
        Ok(self.inner.placements(&first)?.into_iter().flatten().map(|placement| placement.occurred_at).next())
    }

    fn next_ordinal(&self, source: SourceId, session: Option<&str>) -> Result<u32> {
        self.inner.next_ordinal(source, session)
    }

    fn memories_after(&self, number: u32, limit: usize) -> Result<Vec<Memory>> {
        let shown = |page: Vec<Memory>| Ok(page.into_iter().filter(|memory| self.sees(memory)).collect());
        self.page(
            number,
            |after| self.inner.memories_after(after, limit),
            |memory| memory.node.number(),
            shown,
        )
    }

    fn entities_after(&self, number: u32, limit: usize) -> Result<Vec<Entity>> {
        let shown = |page: Vec<Entity>| self.keep_listed(page, |entity| entity.node);
        self.page(
            number,
            |after| self.inner.entities_after(after, limit),
            |entity| entity.node.number(),
            shown,
        )
    }

    fn edges_after(&self, number: u32, limit: usize) -> Result<Vec<Edge>> {
        let shown = |page: Vec<Edge>| self.shown_edges(page);
        self.page(number, |after| self.inner.edges_after(after, limit), |edge| edge.number, shown)
    }

    fn vector(&self, memory: Node) -> Result<Option<StoredVector>> {
        self.inner.vector(memory)
    }

    fn spoken_by(&self, entity: Node) -> Result<Vec<Node>> {
        self.inner.spoken_by(entity)
    }

    fn type_votes(&self, entity: Node) -> Result<Vec<TypeVotes>> {
        self.inner.type_votes(entity)
    }

    fn merges_after(&self, number: u32, limit: usize) -> Result<Vec<Merge>> {
        self.inner.merges_after(number, limit)
    }

    fn next_merge(&self) -> Result<u32> {
        self.inner.next_merge()
    }

    fn suggestions(&self) -> Result<Vec<Suggestion>> {
        self.inner.suggestions()
    }

    fn warnings(&self) -> Result<Vec<Warning>> {
        self.inner.warnings()
    }

    fn warnings_about(&self, nodes: &[Node]) -> Result<Vec<Warning>> {
        self.inner.warnings_about(nodes)
    }

    fn free_handle(&self, id: MemoryId) -> Result<Handle> {
        self.inner.free_handle(id)
    }

    fn traces_of(&self, memories: &[Node]) -> Result<Traces> {
        self.inner.traces_of(memories)
    }
}
