//! Answers requests from the rows that one connection sees.
//!
//! The same view serves readers (a pooled connection) and the plan of a write (the writer's connection,
//! inside its transaction).

use std::sync::atomic::{AtomicU64, Ordering};

use super::tables::Tables;
use super::write::edges::storage_order;
use crate::backend::{
    About, ChangeNote, Counts, Expired, Feed, Fetched, Found, Free, Head, NodeName, Of, Rows, Table, Traces,
    Wanted, Which,
};
use crate::model::{Document, EdgeKind, EntityType, Link, Node, Result, Revision, Timestamp};

pub(super) struct View<'a> {
    pub tables: &'a Tables,
    /// See [`SqliteBackend`](super::SqliteBackend).
    pub erased: &'a AtomicU64,
}

impl View<'_> {
    fn read<T>(&self, statements: impl FnOnce(&Tables) -> rusqlite::Result<T>) -> Result<T> {
        self.tables.run("read", || statements(self.tables))
    }
}

impl Rows for View<'_> {
    fn head(&self) -> Result<Head> {
        self.read(|tables| {
            Ok(Head {
                revision: tables.revision()?,
                next: tables.next_numbers()?,
                next_merge: tables.next_merge()?,
                memories: 0,
                words: 0,
                model: tables.model()?,
                has_rules: tables.has_rules()?,
            })
        })
    }

    fn counts(&self) -> Result<Counts> {
        self.read(Tables::counts)
    }

    fn expired(&self, now: Timestamp) -> Result<Expired> {
        Ok(Expired { memories: self.read(|tables| tables.expired(now))?, ..Expired::default() })
    }

    fn fetch(&self, wanted: &Wanted<'_>) -> Result<Fetched> {
        self.read(|tables| {
            let by_key = |&(source, target, kind, label): &(Node, Node, EdgeKind, &str)| {
                let (source, target) = storage_order(source, target, kind);
                let Some(label) = tables.find_label(label)? else { return Ok(None) };
                tables.edge_by_key(source, target, kind, label)
            };
            let mut edges = every(wanted.edges, |number| tables.edge(*number))?;
            edges.extend(every(wanted.edge_keys, by_key)?);
            let mut sources = every(wanted.sources, |id| tables.source(*id))?;
            sources.extend(every(wanted.origins, |(kind, origin)| tables.source_by_origin(*kind, origin))?);
            Ok(Fetched {
                memories: tables.memories(wanted.nodes)?,
                entities: tables.entities(wanted.nodes)?,
                edges,
                sources,
                vectors: tables.vectors(wanted.vectors)?,
                staged: tables.staged(wanted.staged.0, wanted.staged.1)?,
                captions: tables.captions(wanted.captions)?,
                spans: tables.spans(wanted.spans)?,
                offers: every(wanted.offers, |number| tables.offer(*number))?,
                labels: every(wanted.labels, |label| tables.word(*label).map(Some))?,
                live: tables.live(wanted.live)?,
                live_edges: tables.live_edges(wanted.live_edges)?,
                ..Fetched::default()
            })
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
                Table::Offers => found.offers = tables.offers_after(after, limit)?,
                Table::LatestOffers => found.offers = tables.offers_before(after, limit)?,
                Table::Readings => found.readings = tables.readings_after(after, limit)?,
                Table::Unread(task) => found.nodes = tables.unread(task, after, limit)?,
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
                About::Offers(memories) => found.offers = tables.offers_about(memories)?,
                About::Readings(memories) => found.readings = tables.readings_about(memories)?,
                About::ReadBy(memories) => found.readings = tables.readings_by(memories)?,
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

impl Feed for View<'_> {
    fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<ChangeNote>> {
        // Others have committed, and may have erased names.
        learn_of_erasures(self.tables, self.erased)?;
        self.read(|tables| tables.notes_since(since, limit))
    }

    fn documents(&self, which: Which<'_>, sink: &mut dyn FnMut(&Document<'_>)) -> Result<()> {
        self.read(|tables| match which {
            Which::All => tables.every_document(sink),
            Which::These(numbers) => numbers.iter().try_for_each(|number| {
                tables.document(*number)?.iter().for_each(&mut *sink);
                Ok(())
            }),
        })
    }

    fn links(&self, which: Which<'_>, sink: &mut dyn FnMut(Link)) -> Result<()> {
        self.read(|tables| match which {
            Which::All => tables.every_link(sink),
            Which::These(numbers) => numbers.iter().try_for_each(|number| {
                tables.link(*number)?.into_iter().for_each(&mut *sink);
                Ok(())
            }),
        })
    }

    fn liveness(&self, kind: Option<EntityType>) -> Result<Vec<(Node, bool)>> {
        self.read(|tables| tables.liveness(kind))
    }

    fn names(&self, names: &[&str]) -> Result<Vec<Option<u32>>> {
        self.read(|tables| names.iter().map(|name| tables.find_name(name)).collect())
    }

    fn numbers(&self, of: Of<'_>) -> Result<Vec<u32>> {
        self.read(|tables| tables.numbers(of))
    }

    fn named_like(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<(Node, u32)>> {
        self.read(|tables| tables.named_like(part, kind, limit))
    }
}

/// The rows that exist, in the order of the request.
fn every<W, T>(wanted: &[W], row: impl Fn(&W) -> rusqlite::Result<Option<T>>) -> rusqlite::Result<Vec<T>> {
    wanted.iter().filter_map(|one| row(one).transpose()).collect()
}

/// Discards the names that an erasure by another process has removed.
pub(super) fn learn_of_erasures(tables: &Tables, erased: &AtomicU64) -> Result<()> {
    let last = tables.run("read", || tables.last_erasure())?;
    tables.names.borrow_mut().know_erasure(last);
    erased.store(last, Ordering::Release);
    Ok(())
}
