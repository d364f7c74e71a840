//! Reads the store: rows through one connection, searches through the index.
//!
//! The same view serves readers (a pooled connection) and the plan of a write (the writer's connection,
//! inside its transaction), so that a plan never waits for a lock that its caller holds.

use crate::backend::{
    About, Answers, Batch, Counts, EntityQuery, Expired, Fetched, Filter, Found, Free, Head, Like, Listing,
    NodeName, Rows, Search, Table, Traces, Wanted,
};
use crate::index::{Index, VectorQuery, Visible};
use crate::model::{Node, Result, Revision, Scope, StoredVector, Timestamp};

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

    /// Queries the index; see [`LiveIndex::ask`].
    fn ask<T>(&self, question: impl Fn(&Index) -> T) -> Result<T> {
        self.index.ask(self.tables, question)
    }

    fn filter(&self, filter: &Filter) -> Result<Resolved> {
        self.read(|tables| tables.resolve_filter(filter))
    }
}

impl Rows for View<'_> {
    fn revision(&self) -> Revision {
        self.index.revision()
    }

    fn head(&self) -> Result<Head> {
        let (revision, memories) = self.ask(|index| (index.revision(), index.memory_count()))?;
        self.read(|tables| {
            Ok(Head {
                revision: Revision(revision),
                next: tables.next_numbers()?,
                next_merge: tables.next_merge()?,
                memories: u64::from(memories),
                model: tables.model()?,
                has_rules: tables.has_rules()?,
            })
        })
    }

    fn counts(&self) -> Result<Counts> {
        self.ask(|index| self.read(|tables| tables.counts(index)))?
    }

    fn expired(&self, now: Timestamp) -> Result<Expired> {
        let memories = self.read(|tables| tables.expired(now))?;
        self.ask(|index| {
            let mut expired = Expired { memories: memories.clone(), ..Expired::default() };
            index.each_link(&mut |link| {
                if link.expires_at.is_some_and(|end| end <= now.0) {
                    *expired.edges.entry((link.kind, link.provenance)).or_default() += 1;
                }
            });
            expired
        })
    }

    fn fetch(&self, wanted: &Wanted<'_>) -> Result<Fetched> {
        self.read(|tables| {
            let mut found = Fetched::default();
            for &node in wanted.nodes {
                if node.is_memory() {
                    found.memories.extend(tables.memory(node)?);
                } else {
                    found.entities.extend(tables.entity(node)?);
                }
            }
            for &number in wanted.edges {
                found.edges.extend(tables.edge(number)?);
            }
            for &(source, target, kind, label) in wanted.edge_keys {
                let (source, target) = storage_order(source, target, kind);
                let label = if label.is_empty() { Some(0) } else { tables.find_name(label)? };
                if let Some(label) = label {
                    found.edges.extend(tables.edge_by_key(source, target, kind, label)?);
                }
            }
            for &id in wanted.sources {
                found.sources.extend(tables.source(id)?);
            }
            for &(kind, origin) in wanted.origins {
                found.sources.extend(tables.source_by_origin(kind, origin)?);
            }
            for &memory in wanted.vectors {
                found.vectors.extend(tables.vector(memory)?.map(|vector| (memory, vector)));
            }
            for &label in wanted.labels {
                found.labels.push(tables.word(label)?);
            }
            found.live = tables.live(wanted.live)?;
            found.live_edges = tables.live_edges(wanted.live_edges)?;
            Ok(found)
        })
    }

    fn scan(&self, table: Table, after: u32, limit: usize) -> Result<Fetched> {
        self.read(|tables| {
            let mut found = Fetched::default();
            match table {
                Table::Memories => found.memories = tables.memories_after(after, limit)?,
                Table::Entities => found.entities = tables.entities_after(after, limit)?,
                Table::Edges => found.edges = tables.edges_after(after, limit)?,
                Table::Facts => found.facts = tables.facts(None)?,
                Table::Sources => found.sources = tables.sources()?,
                Table::Tallies => found.tallies = tables.source_tallies()?,
                Table::Merges => found.merges = tables.merges_after(after, limit)?,
                Table::Suggestions => found.suggestions = tables.suggestions()?,
                Table::Warnings => found.warnings = tables.warnings()?,
                Table::Erasures => found.erasures = tables.erasures()?,
                Table::Unfinished => found.erasures = tables.unfinished_erasures()?,
            }
            Ok(found)
        })
    }

    fn about(&self, what: &About<'_>) -> Result<Fetched> {
        self.read(|tables| {
            let mut found = Fetched::default();
            match *what {
                About::Edges(nodes) => {
                    for &node in nodes {
                        found.edges.extend(tables.edges_of(node)?);
                    }
                }
                About::Facts(nodes) => {
                    for &node in nodes {
                        found.facts.extend(tables.facts(Some(node))?);
                    }
                }
                About::Warnings(nodes) => found.warnings = tables.warnings_about(nodes)?,
                About::Spoken(entity) => found.nodes = tables.spoken_by(entity)?,
                About::Votes(entity) => found.votes = tables.type_votes(entity)?,
                About::Source { id, deleted } => found.nodes = tables.source_memories(id, deleted)?,
            }
            Ok(found)
        })
    }

    fn find(&self, names: &[NodeName<'_>]) -> Result<Vec<Vec<Found>>> {
        self.read(|tables| names.iter().map(|name| tables.find(name)).collect())
    }

    fn free(&self, wanted: &[Free<'_>]) -> Result<Vec<u32>> {
        let free = |tables: &Tables, wanted: &Free<'_>| match *wanted {
            Free::Ordinal { source, session } => tables.next_ordinal(source, session),
            Free::Handle(id) => tables.free_handle(id),
        };
        self.read(|tables| wanted.iter().map(|wanted| free(tables, wanted)).collect())
    }

    fn traces_of(&self, memories: &[Node]) -> Result<Traces> {
        self.read(|tables| tables.traces_of(memories))
    }
}

impl Search for View<'_> {
    fn search(&self, batches: &[Batch<'_>]) -> Result<Vec<Answers>> {
        let filters: Vec<Resolved> =
            batches.iter().map(|batch| self.filter(batch.filter)).collect::<Result<_>>()?;
        let lists_rules = |batch: &Batch<'_>| batch.lists.iter().any(|l| matches!(l, Listing::Rules(_)));
        let rules = if batches.iter().any(lists_rules) { self.read(Tables::rules)? } else { Vec::new() };
        self.ask(|index| {
            let answer =
                |(batch, filter): (&Batch<'_>, &Resolved)| answer(index, batch, &filter.visible(), &rules);
            batches.iter().zip(&filters).map(answer).collect()
        })
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
        Ok(hits.into_iter().map(scored_nodes).collect())
    }

    fn top_entities(&self, query: &EntityQuery<'_>) -> Result<Vec<(Node, u32)>> {
        let EntityQuery { part, kind, limit, now } = *query;
        if let Some(part) = part {
            return self.read(|tables| tables.search_entities(part, kind, limit));
        }
        let wanted = self.read(|tables| tables.live_entities(kind))?;
        let is_wanted = |raw: u32| {
            let node = Node::from_raw(raw);
            node.is_entity() && wanted.get(node.number() as usize).copied().unwrap_or(false)
        };
        let hubs = self.ask(|index| index.hubs(limit, now.map(|now| now.0), &is_wanted))?;
        Ok(hubs.into_iter().map(|(raw, degree)| (Node::from_raw(raw), degree)).collect())
    }
}

/// Answers a batch from the index. `rules` are all rules, in order.
fn answer(index: &Index, batch: &Batch<'_>, visible: &Visible<'_>, rules: &[u32]) -> Answers {
    let look = &batch.look;
    let mut answers = Answers {
        words: batch.words.iter().map(|query| index.words(query, visible)).collect(),
        vectors: batch
            .vectors
            .iter()
            .map(|(vector, limit)| scored_nodes(index.nearest(vector, *limit, visible)))
            .collect(),
        lists: batch.lists.iter().map(|list| listed(index, list, visible, rules)).collect(),
        ..Answers::default()
    };
    for frontier in batch.arcs {
        let arcs_of = |node: &Node| {
            let mut arcs = Vec::new();
            if node.is_entity() || visible.admits(index, node.number()) {
                index.arcs(node.raw(), frontier.direction, frontier.fan_out, visible, &mut arcs);
            }
            arcs
        };
        answers.arcs.push(frontier.nodes.iter().map(arcs_of).collect());
    }
    answers.degrees = look.degrees.iter().map(|node| index.degree(node.raw(), visible.now)).collect();
    answers.nodes = answers.looked_at(look);
    let numbers: Vec<u32> =
        answers.nodes.iter().map(|node| if node.is_memory() { node.number() } else { 0 }).collect();
    if look.placed {
        answers.placements = numbers.iter().map(|memory| index.placement(*memory)).collect();
    }
    if look.years {
        answers.years = numbers.iter().map(|memory| index.years(*memory).to_vec()).collect();
    }
    for like in look.alike {
        answers.alike.push(match *like {
            Like::Vector(vector) => index.cosines(vector, &numbers),
            Like::Memory(node) => match index.vector_of(if node.is_memory() { node.number() } else { 0 }) {
                Some((values, scale)) => {
                    let vector: Vec<f32> = values.iter().map(|value| f32::from(*value) * scale).collect();
                    index.cosines(&vector, &numbers)
                }
                None => Vec::new(),
            },
        });
    }
    answers
}

fn listed(index: &Index, listing: &Listing, visible: &Visible<'_>, rules: &[u32]) -> Vec<Node> {
    let number = |node: Node| if node.is_memory() { node.number() } else { 0 };
    let numbers = match *listing {
        Listing::Within(interval, limit) => index.within(interval, limit, visible),
        Listing::Latest(limit) => index.latest(limit, visible),
        Listing::Rules(limit) => {
            rules.iter().copied().filter(|rule| visible.admits(index, *rule)).take(limit).collect()
        }
        Listing::Before(node, _) | Listing::After(node, _) if node.is_entity() => Vec::new(),
        Listing::Before(node, limit) => index.around(number(node), limit, 0, visible).0,
        Listing::After(node, limit) => index.around(number(node), 0, limit, visible).1,
        Listing::Place { place, around, limit } => index.place_members(place, around, limit, visible),
    };
    numbers.into_iter().map(Node::memory).collect()
}

fn scored_nodes(hits: Vec<(u32, f32)>) -> Vec<(Node, f32)> {
    hits.into_iter().map(|(memory, cosine)| (Node::memory(memory), cosine)).collect()
}
