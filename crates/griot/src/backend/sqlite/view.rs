//! The store as it is read: rows through one connection, searches through the index.
//!
//! The same view serves readers (a connection of the pool) and the plan of a write (the writer's own
//! connection, inside its transaction), so that a plan never asks for a lock that its caller holds.

use std::collections::BTreeMap;

use crate::backend::{
    Arc, Counts, Filter, KeyHolder, NeighbourQuery, NextNumbers, NodeName, Place, Placement, Read,
    SourceTally, Traces, WordHits, WordQuery,
};
use crate::index::{Index, VectorQuery};
use crate::model::{
    Edge, EdgeKind, Entity, EntityType, Fact, Handle, Interval, Memory, MemoryId, Merge, Node, Provenance,
    Result, Revision, Scope, Source, SourceId, SourceType, StoredVector, Suggestion, Timestamp, TypeVotes,
    Warning,
};

use super::filter::Resolved;
use super::live_index::LiveIndex;
use super::tables::Tables;
use super::write_edges::storage_order;

pub(super) struct View<'a> {
    pub tables: &'a Tables,
    pub index: &'a LiveIndex,
}

impl View<'_> {
    fn read<T>(&self, statements: impl FnOnce(&Tables) -> rusqlite::Result<T>) -> Result<T> {
        self.tables.run("read", || statements(self.tables))
    }

    /// Asks the index; see [`LiveIndex::ask`].
    fn ask<T>(&self, question: impl Fn(&Index) -> T) -> Result<T> {
        self.index.ask(self.tables, question)
    }

    fn filter(&self, filter: &Filter) -> Result<Resolved> {
        self.read(|tables| tables.resolve_filter(filter))
    }
}

fn memory_numbers(nodes: &[Node]) -> impl Iterator<Item = u32> {
    nodes.iter().map(|node| if node.is_memory() { node.number() } else { 0 })
}

fn memory_nodes(numbers: Vec<u32>) -> Vec<Node> {
    numbers.into_iter().map(Node::memory).collect()
}

impl Read for View<'_> {
    fn revision(&self) -> Revision {
        self.index.revision()
    }

    fn counts(&self) -> Result<Counts> {
        self.ask(|index| self.read(|tables| tables.counts(index)))?
    }

    fn next_numbers(&self) -> Result<NextNumbers> {
        self.read(Tables::next_numbers)
    }

    fn memory_count(&self) -> Result<u64> {
        self.ask(|index| u64::from(index.memory_count()))
    }

    fn vector_model(&self) -> Result<Option<(String, usize)>> {
        self.read(Tables::model)
    }

    fn search_words(&self, query: &WordQuery, filter: &Filter) -> Result<WordHits> {
        let filter = self.filter(filter)?;
        self.ask(|index| index.words(query, &filter.visible()))
    }

    fn search_vectors(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<(Node, f32)>> {
        let filter = self.filter(filter)?;
        let hits = self.ask(|index| index.nearest(vector, limit, &filter.visible()))?;
        Ok(hits.into_iter().map(|(memory, cosine)| (Node::memory(memory), cosine)).collect())
    }

    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>> {
        let known = |scope| self.read(|tables| tables.known_to(scope));
        let asked: Vec<VectorQuery<'_>> = asked
            .iter()
            .map(|(vector, scope)| {
                Ok(VectorQuery { values: &vector.values, scale: vector.scale, visible: known(scope)? })
            })
            .collect::<Result<_>>()?;
        let hits = self.ask(|index| index.alike(&asked, least, limit))?;
        let nodes =
            |hits: Vec<(u32, f32)>| hits.into_iter().map(|(m, cosine)| (Node::memory(m), cosine)).collect();
        Ok(hits.into_iter().map(nodes).collect())
    }

    fn similarities(&self, vector: &[f32], memories: &[Node]) -> Result<Vec<Option<f32>>> {
        let memories: Vec<u32> = memory_numbers(memories).collect();
        self.ask(|index| index.cosines(vector, &memories))
    }

    fn search_time(&self, interval: Interval, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        let filter = self.filter(filter)?;
        self.ask(|index| memory_nodes(index.within(interval, limit, &filter.visible())))
    }

    fn latest(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        let filter = self.filter(filter)?;
        self.ask(|index| memory_nodes(index.latest(limit, &filter.visible())))
    }

    fn around(
        &self,
        memory: Node,
        before: usize,
        after: usize,
        filter: &Filter,
    ) -> Result<(Vec<Node>, Vec<Node>)> {
        if !memory.is_memory() {
            return Ok((Vec::new(), Vec::new()));
        }
        let filter = self.filter(filter)?;
        let (before, after) =
            self.ask(|index| index.around(memory.number(), before, after, &filter.visible()))?;
        Ok((memory_nodes(before), memory_nodes(after)))
    }

    fn neighbours(&self, frontier: &[Node], ask: &NeighbourQuery<'_>) -> Result<Vec<Vec<Arc>>> {
        let filter = self.filter(ask.filter)?;
        let visible = filter.visible();
        let arcs_of = |index: &Index, node: &Node| {
            let mut arcs = Vec::new();
            if node.is_entity() || visible.admits(index, node.number()) {
                index.arcs(node.raw(), ask.direction, ask.fan_out, &visible, &mut arcs);
            }
            arcs
        };
        self.ask(|index| frontier.iter().map(|node| arcs_of(index, node)).collect())
    }

    fn rules(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        let filter = self.filter(filter)?;
        let visible = filter.visible();
        let rules = self.read(Tables::rules)?;
        let seen = |index: &Index| -> Vec<u32> {
            rules.iter().copied().filter(|rule| visible.admits(index, *rule)).take(limit).collect()
        };
        Ok(memory_nodes(self.ask(seen)?))
    }

    fn expired(&self, now: Timestamp) -> Result<BTreeMap<String, u64>> {
        self.read(|tables| tables.expired(now))
    }

    fn expired_edges(&self, now: Timestamp) -> Result<BTreeMap<(EdgeKind, Provenance), u64>> {
        self.ask(|index| {
            let mut expired = BTreeMap::new();
            index.each_link(&mut |link| {
                if link.expires_at.is_some_and(|end| end <= now.0) {
                    *expired.entry((link.kind, link.provenance)).or_default() += 1;
                }
            });
            expired
        })
    }

    fn degrees(&self, nodes: &[Node], now: Option<Timestamp>) -> Result<Vec<u32>> {
        let now = now.map(|now| now.0);
        self.ask(|index| nodes.iter().map(|node| index.degree(node.raw(), now)).collect())
    }

    fn hubs(
        &self,
        kind: Option<EntityType>,
        limit: usize,
        now: Option<Timestamp>,
    ) -> Result<Vec<(Node, u32)>> {
        let wanted = self.read(|tables| tables.live_entities(kind))?;
        let is_wanted = |raw: u32| {
            let node = Node::from_raw(raw);
            node.is_entity() && wanted.get(node.number() as usize).copied().unwrap_or(false)
        };
        let now = now.map(|now| now.0);
        let hubs = self.ask(|index| index.hubs(limit, now, &is_wanted))?;
        Ok(hubs.into_iter().map(|(raw, degree)| (Node::from_raw(raw), degree)).collect())
    }

    fn label(&self, number: u32) -> Result<String> {
        self.read(|tables| tables.word(number))
    }

    fn placements(&self, memories: &[Node]) -> Result<Vec<Option<Placement>>> {
        self.ask(|index| memory_numbers(memories).map(|memory| index.placement(memory)).collect())
    }

    fn place_members(&self, place: Place, around: u32, limit: usize, filter: &Filter) -> Result<Vec<Node>> {
        let filter = self.filter(filter)?;
        self.ask(|index| memory_nodes(index.place_members(place, around, limit, &filter.visible())))
    }

    fn years(&self, memories: &[Node]) -> Result<Vec<Vec<i16>>> {
        self.ask(|index| memory_numbers(memories).map(|memory| index.years(memory).to_vec()).collect())
    }

    fn memories(&self, nodes: &[Node]) -> Result<Vec<Memory>> {
        self.read(|tables| collect_known(nodes, |&node| tables.memory(node)))
    }

    fn entities(&self, nodes: &[Node]) -> Result<Vec<Entity>> {
        self.read(|tables| collect_known(nodes, |&node| tables.entity(node)))
    }

    fn edges(&self, numbers: &[u32]) -> Result<Vec<Edge>> {
        self.read(|tables| collect_known(numbers, |&number| tables.edge(number)))
    }

    fn live(&self, nodes: &[Node]) -> Result<Vec<bool>> {
        self.read(|tables| tables.live(nodes))
    }

    fn live_edges(&self, numbers: &[u32]) -> Result<Vec<bool>> {
        self.read(|tables| tables.live_edges(numbers))
    }

    fn edges_of(&self, node: Node) -> Result<Vec<Edge>> {
        self.read(|tables| tables.edges_of(node))
    }

    fn edge_by_key(&self, source: Node, target: Node, kind: EdgeKind, label: &str) -> Result<Option<Edge>> {
        let (source, target) = storage_order(source, target, kind);
        self.read(|tables| {
            let label = if label.is_empty() { Some(0) } else { tables.find_name(label)? };
            label.map_or(Ok(None), |label| tables.edge_by_key(source, target, kind, label))
        })
    }

    fn memory_by_hash(&self, hash: &[u8; 16]) -> Result<Option<Node>> {
        self.read(|tables| tables.memory_by_hash(hash))
    }

    fn find_nodes(&self, name: &NodeName<'_>) -> Result<Vec<Node>> {
        self.read(|tables| tables.find_nodes(name))
    }

    fn find_entities(&self, names: &[String]) -> Result<Vec<Vec<(Node, EntityType)>>> {
        self.read(|tables| names.iter().map(|name| tables.entities_named(name)).collect())
    }

    fn key_holders(&self, keys: &[String]) -> Result<Vec<Vec<KeyHolder>>> {
        self.read(|tables| keys.iter().map(|key| tables.key_holders(key)).collect())
    }

    fn search_entities(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<Node>> {
        self.read(|tables| tables.search_entities(part, kind, limit))
    }

    fn facts(&self, subject_or_object: Option<Node>) -> Result<Vec<Fact>> {
        self.read(|tables| tables.facts(subject_or_object))
    }

    fn source(&self, id: SourceId) -> Result<Option<Source>> {
        self.read(|tables| tables.source(id))
    }

    fn source_by_origin(&self, kind: SourceType, origin: &str) -> Result<Option<Source>> {
        self.read(|tables| tables.source_by_origin(kind, origin))
    }

    fn sources(&self) -> Result<Vec<Source>> {
        self.read(Tables::sources)
    }

    fn source_memories(&self, source: SourceId, deleted: bool) -> Result<Vec<Node>> {
        self.read(|tables| tables.source_memories(source, deleted))
    }

    fn source_tallies(&self) -> Result<Vec<SourceTally>> {
        self.read(Tables::source_tallies)
    }

    fn earliest(&self) -> Result<Option<Timestamp>> {
        self.read(|tables| {
            let first: Option<Option<i64>> =
                tables.one("SELECT min(occurred_at) FROM memory WHERE deleted_at IS NULL", [])?;
            Ok(first.flatten().map(Timestamp))
        })
    }

    fn next_ordinal(&self, source: SourceId, session: Option<&str>) -> Result<u32> {
        self.read(|tables| tables.next_ordinal(source, session))
    }

    fn memories_after(&self, number: u32, limit: usize) -> Result<Vec<Memory>> {
        self.read(|tables| tables.memories_after(number, limit))
    }

    fn entities_after(&self, number: u32, limit: usize) -> Result<Vec<Entity>> {
        self.read(|tables| tables.entities_after(number, limit))
    }

    fn edges_after(&self, number: u32, limit: usize) -> Result<Vec<Edge>> {
        self.read(|tables| tables.edges_after(number, limit))
    }

    fn vector(&self, memory: Node) -> Result<Option<StoredVector>> {
        self.read(|tables| tables.vector(memory))
    }

    fn spoken_by(&self, entity: Node) -> Result<Vec<Node>> {
        self.read(|tables| tables.spoken_by(entity))
    }

    fn type_votes(&self, entity: Node) -> Result<Vec<TypeVotes>> {
        self.read(|tables| tables.type_votes(entity))
    }

    fn merges_after(&self, number: u32, limit: usize) -> Result<Vec<Merge>> {
        self.read(|tables| tables.merges_after(number, limit))
    }

    fn next_merge(&self) -> Result<u32> {
        self.read(Tables::next_merge)
    }

    fn suggestions(&self) -> Result<Vec<Suggestion>> {
        self.read(Tables::suggestions)
    }

    fn warnings(&self) -> Result<Vec<Warning>> {
        self.read(Tables::warnings)
    }

    fn warnings_about(&self, nodes: &[Node]) -> Result<Vec<Warning>> {
        self.read(|tables| tables.warnings_about(nodes))
    }

    fn free_handle(&self, id: MemoryId) -> Result<Handle> {
        self.read(|tables| tables.free_handle(id))
    }

    fn traces_of(&self, memories: &[Node]) -> Result<Traces> {
        self.read(|tables| tables.traces_of(memories))
    }
}

/// What the keys name, in their order, without those that name nothing.
fn collect_known<K, T>(
    keys: &[K],
    mut find: impl FnMut(&K) -> rusqlite::Result<Option<T>>,
) -> rusqlite::Result<Vec<T>> {
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        found.extend(find(key)?);
    }
    Ok(found)
}
