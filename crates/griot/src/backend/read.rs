//! Typed questions of the engine, built on the few requests that a back end answers.

use super::{
    About, Batch, Caption, EdgeSpan, EntityQuery, Filter, Found, FoundEntity, Free, Frontier, KeyHolder,
    Like, Listing, Look, NextNumbers, NodeName, Placement, Rows, Search, SourceTally, Table, Wanted,
};
use crate::model::{
    Arc, Direction, Edge, EdgeKind, Entity, EntityType, Erasure, Fact, Handle, Interval, Memory, MemoryId,
    Merge, Node, Offer, Place, Reading, ReadingTask, Result, Source, SourceId, SourceType, StoredVector,
    Suggestion, Timestamp, TypeVotes, Warning, WordHits, WordQuery,
};

/// Selects arcs; see [`Frontier`].
#[derive(Clone, Debug)]
pub struct NeighbourQuery<'a> {
    pub direction: Direction,
    pub fan_out: &'a [usize],
    pub filter: &'a Filter,
}

/// All rows of a table.
const ALL: usize = usize::MAX >> 1;

/// Methods that return the rows of a request by number or key.
macro_rules! fetched {
    ($($list:ident($wanted:ident: $numbers:ty) -> $row:ty;)+) => {
        $(fn $list(&self, $wanted: $numbers) -> Result<Vec<$row>> {
            Ok(self.fetch(&Wanted { $wanted, ..Wanted::default() })?.$list)
        })+
    };
}

/// Methods that return rows of a table: at most `limit` after a number, or all.
macro_rules! scanned {
    (whole $($name:ident: $table:ident.$list:ident, $row:ty;)+) => {
        $(fn $name(&self) -> Result<Vec<$row>> {
            Ok(self.scan(Table::$table, 0, ALL)?.$list)
        })+
    };
    ($($name:ident: $table:ident.$list:ident, $row:ty;)+) => {
        $(fn $name(&self, number: u32, limit: usize) -> Result<Vec<$row>> {
            Ok(self.scan(Table::$table, number, limit)?.$list)
        })+
    };
}

/// A view of the store at one revision. Each method is one request; every store gets all of them.
pub trait Read: Rows + Search {
    fn next_numbers(&self) -> Result<NextNumbers> {
        Ok(self.head()?.next)
    }

    fn next_merge(&self) -> Result<u32> {
        Ok(self.head()?.next_merge)
    }

    fn vector_model(&self) -> Result<Option<(String, usize)>> {
        Ok(self.head()?.model)
    }

    fetched! {
        memories(nodes: &[Node]) -> Memory;
        entities(nodes: &[Node]) -> Entity;
        edges(edges: &[u32]) -> Edge;
        captions(captions: &[Node]) -> Caption;
        spans(spans: &[u32]) -> EdgeSpan;
        labels(labels: &[u32]) -> String;
        live(live: &[Node]) -> bool;
        live_edges(live_edges: &[u32]) -> bool;
    }

    fn edge_by_key(&self, source: Node, target: Node, kind: EdgeKind, label: &str) -> Result<Option<Edge>> {
        Ok(self
            .fetch(&Wanted { edge_keys: &[(source, target, kind, label)], ..Wanted::default() })?
            .edges
            .pop())
    }

    fn source(&self, id: SourceId) -> Result<Option<Source>> {
        Ok(self.fetch(&Wanted { sources: &[id], ..Wanted::default() })?.sources.pop())
    }

    fn source_by_origin(&self, kind: SourceType, origin: &str) -> Result<Option<Source>> {
        Ok(self.fetch(&Wanted { origins: &[(kind, origin)], ..Wanted::default() })?.sources.pop())
    }

    fn vector(&self, memory: Node) -> Result<Option<StoredVector>> {
        let found = self.fetch(&Wanted { vectors: &[memory], ..Wanted::default() })?.vectors.pop();
        Ok(found.map(|(_, vector)| vector))
    }

    fn vectors(&self, memories: &[Node]) -> Result<Vec<(Node, StoredVector)>> {
        Ok(self.fetch(&Wanted { vectors: memories, ..Wanted::default() })?.vectors)
    }

    /// Those of the memories whose vectors of a model are made.
    fn staged(&self, model: &str, memories: &[Node]) -> Result<Vec<Node>> {
        Ok(self.fetch(&Wanted { staged: (model, memories), ..Wanted::default() })?.staged)
    }

    scanned! {
        memories_after: Memories.memories, Memory;
        entities_after: Entities.entities, Entity;
        edges_after: Edges.edges, Edge;
        merges_after: Merges.merges, Merge;
        offers_after: Offers.offers, Offer;
        offers_before: LatestOffers.offers, Offer;
        readings_after: Readings.readings, Reading;
    }

    scanned! { whole
        sources: Sources.sources, Source;
        source_tallies: Tallies.tallies, SourceTally;
        suggestions: Suggestions.suggestions, Suggestion;
        warnings: Warnings.warnings, Warning;
        erasures: Erasures.erasures, Erasure;
        unfinished_erasures: Unfinished.erasures, Erasure;
    }

    fn edges_of(&self, node: Node) -> Result<Vec<Edge>> {
        Ok(self.about(&About::Edges(&[node]))?.edges)
    }

    /// All facts, or those with the node as subject or object.
    fn facts(&self, subject_or_object: Option<Node>) -> Result<Vec<Fact>> {
        Ok(match subject_or_object {
            None => self.scan(Table::Facts, 0, ALL)?.facts,
            Some(node) => self.about(&About::Facts(&[node]))?.facts,
        })
    }

    fn warnings_about(&self, nodes: &[Node]) -> Result<Vec<Warning>> {
        Ok(self.about(&About::Warnings(nodes))?.warnings)
    }

    fn offers_about(&self, memories: &[Node]) -> Result<Vec<Offer>> {
        Ok(self.about(&About::Offers(memories))?.offers)
    }

    fn readings_about(&self, memories: &[Node]) -> Result<Vec<Reading>> {
        Ok(self.about(&About::Readings(memories))?.readings)
    }

    /// See [`About::ReadBy`].
    fn readings_by(&self, memories: &[Node]) -> Result<Vec<Reading>> {
        Ok(self.about(&About::ReadBy(memories))?.readings)
    }

    /// See [`Table::Unread`].
    fn unread(&self, task: ReadingTask, after: u32, limit: usize) -> Result<Vec<Node>> {
        Ok(self.scan(Table::Unread(task), after, limit)?.nodes)
    }

    fn spoken_by(&self, entity: Node) -> Result<Vec<Node>> {
        Ok(self.about(&About::Spoken(entity))?.nodes)
    }

    fn type_votes(&self, entity: Node) -> Result<Vec<TypeVotes>> {
        Ok(self.about(&About::Votes(entity))?.votes)
    }

    fn source_memories(&self, id: SourceId, deleted: bool) -> Result<Vec<Node>> {
        Ok(self.about(&About::Source { id, deleted })?.nodes)
    }

    /// All nodes that match a name, smallest first; forgotten ones only for `Id`, `Handle` and `Key`.
    fn find_nodes(&self, name: &NodeName<'_>) -> Result<Vec<Node>> {
        Ok(self.find(&[*name])?.into_iter().flatten().map(|found| found.node).collect())
    }

    fn memory_by_hash(&self, hash: &[u8; 16]) -> Result<Option<Node>> {
        Ok(self.find_nodes(&NodeName::Hash(hash))?.first().copied())
    }

    /// For each normal name the entities with this name or alias. One call covers all names of a text.
    fn find_entities(&self, names: &[String]) -> Result<Vec<Vec<(Node, EntityType)>>> {
        let names: Vec<NodeName<'_>> = names.iter().map(|name| NodeName::Entity(name)).collect();
        Ok(described(self.find(&names)?, |node, entity| (node, entity.kind)))
    }

    /// For each key the entities of any type with that key, including hidden ones, by number.
    fn key_holders(&self, keys: &[String]) -> Result<Vec<Vec<KeyHolder>>> {
        let keys: Vec<NodeName<'_>> = keys.iter().map(|key| NodeName::Key(key)).collect();
        let holder = |node, entity: FoundEntity| KeyHolder { node, kind: entity.kind, hidden: entity.hidden };
        Ok(described(self.find(&keys)?, holder))
    }

    fn next_ordinal(&self, source: SourceId, session: Option<&str>) -> Result<u32> {
        Ok(self.free(&[Free::Ordinal { source, session }])?.first().copied().unwrap_or(0))
    }

    /// The shortest free handle for a new id.
    fn free_handle(&self, id: MemoryId) -> Result<Handle> {
        let digits = self.free(&[Free::Handle(id)])?.first().map_or(usize::MAX, |digits| *digits as usize);
        Ok(id.handle(digits))
    }

    fn search_words(&self, query: &WordQuery, filter: &Filter) -> Result<WordHits> {
        let batch = Batch { words: std::slice::from_ref(query), ..Batch::within(filter) };
        Ok(one(self.search_one(&batch)?.words))
    }

    /// The `limit` memories nearest by cosine, best first. `vector` must be a unit vector.
    fn search_vectors(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<(Node, f32)>> {
        Ok(one(self.search_one(&Batch { vectors: &[(vector, limit)], ..Batch::within(filter) })?.vectors))
    }

    fn list(&self, listing: Listing, filter: &Filter) -> Result<Vec<Node>> {
        Ok(one(self.search_one(&Batch { lists: &[listing], ..Batch::within(filter) })?.lists))
    }

    /// The `limit` latest memories with an event time in the interval, in chronological order.
    fn search_time(&self, interval: Interval, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        self.list(Listing::Within(interval, limit), filter)
    }

    /// The `limit` memories recorded last, latest first.
    fn latest(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        self.list(Listing::Latest(limit), filter)
    }

    /// The rules that the filter admits, most important first, then latest recorded first.
    fn rules(&self, filter: &Filter, limit: usize) -> Result<Vec<Node>> {
        self.list(Listing::Rules(limit), filter)
    }

    /// The memories just before and just after one in time, without itself; both lists are chronological.
    fn around(
        &self,
        memory: Node,
        before: usize,
        after: usize,
        filter: &Filter,
    ) -> Result<(Vec<Node>, Vec<Node>)> {
        let lists = &[Listing::Before(memory, before), Listing::After(memory, after)];
        let mut found = self.search_one(&Batch { lists, ..Batch::within(filter) })?.lists.into_iter();
        Ok((found.next().unwrap_or_default(), found.next().unwrap_or_default()))
    }

    fn place_members(&self, place: Place, around: u32, limit: usize, filter: &Filter) -> Result<Vec<Node>> {
        self.list(Listing::Place { place, around, limit }, filter)
    }

    fn neighbours(&self, frontier: &[Node], ask: &NeighbourQuery<'_>) -> Result<Vec<Vec<Arc>>> {
        let arcs = &[Frontier { nodes: frontier, direction: ask.direction, fan_out: ask.fan_out }];
        Ok(one(self.search_one(&Batch { arcs, ..Batch::within(ask.filter) })?.arcs))
    }

    /// Cosine of each memory with `vector`; `None` for a memory without a vector.
    fn similarities(&self, vector: &[f32], nodes: &[Node]) -> Result<Vec<Option<f32>>> {
        let any = Filter::default();
        let look = Look { nodes, alike: &[Like::Vector(vector)], ..Batch::within(&any).look };
        Ok(one(self.search_one(&Batch { look, ..Batch::within(&any) })?.alike))
    }

    fn placements(&self, nodes: &[Node]) -> Result<Vec<Option<Placement>>> {
        let any = Filter::default();
        let look = Look { nodes, placed: true, ..Batch::within(&any).look };
        Ok(self.search_one(&Batch { look, ..Batch::within(&any) })?.placements)
    }

    /// Number of stored edges per node, except those expired by `now`.
    fn degrees(&self, degrees: &[Node], now: Option<Timestamp>) -> Result<Vec<u32>> {
        let any = Filter { now, ..Filter::default() };
        let look = Look { degrees, ..Batch::within(&any).look };
        Ok(self.search_one(&Batch { look, ..Batch::within(&any) })?.degrees)
    }

    /// The entities with the most edges, most first, ignoring edges expired by `now`.
    fn hubs(
        &self,
        kind: Option<EntityType>,
        limit: usize,
        now: Option<Timestamp>,
    ) -> Result<Vec<(Node, u32)>> {
        self.top_entities(&EntityQuery { part: None, kind, limit, now })
    }

    /// Entities whose name contains `part` (in normal form), most mentioned first.
    fn search_entities(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<Node>> {
        let found = self.top_entities(&EntityQuery { part: Some(part), kind, limit, now: None })?;
        Ok(found.into_iter().map(|(node, _)| node).collect())
    }

    fn search_one(&self, batch: &Batch<'_>) -> Result<super::Answers> {
        Ok(one(self.search(std::slice::from_ref(batch))?))
    }
}

impl<T: Rows + Search + ?Sized> Read for T {}

/// The entities among what was found for each name.
fn described<T>(found: Vec<Vec<Found>>, as_it: impl Fn(Node, FoundEntity) -> T) -> Vec<Vec<T>> {
    let entity = |one: Found| Some(as_it(one.node, one.entity?));
    found.into_iter().map(|found| found.into_iter().filter_map(entity).collect()).collect()
}

fn one<T: Default>(answers: Vec<T>) -> T {
    answers.into_iter().next().unwrap_or_default()
}
