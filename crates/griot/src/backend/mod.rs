//! The interface between the engine's decisions and storage.
//!
//! A back end implements [`Rows`], [`Feed`] and [`Backend`]: rows, the change log, and transactions. It knows
//! nothing of the index: [`Indexed`](crate::store::Indexed) derives one from the rows of any back end,
//! answers [`Search`]es from it, and is the [`Store`] that the engine holds. [`sqlite`] is the production
//! back end, [`Confined`] restricts a store to one scope. Each method takes a batch, so that the same recall
//! can run on a store behind a network. [`Read`] adds typed single questions for the pure modules (`recall`,
//! `remember`, `graph`); [`Telemetry`] is separate.
//!
//! Numbers that a back end assigns (of memories, entities, sources, edges, sessions and names) are positive
//! and never used for anything else later: the index uses them as positions in arrays.
//!
//! Invariants enforced here: a ChangeSet is one transaction and one revision (2); scope is part of each
//! search, never a filter applied afterwards (6); every list has a defined order, ties broken by node (4).

#[macro_use]
mod answer;
mod asked;
mod confined;
pub(crate) mod findings;
mod pages;
mod read;
pub mod sqlite;
mod telemetry;

pub use confined::Confined;

pub use crate::model::{
    Arc, Belief, CATALOGUE_SIZE, Direction, Part, Place, Placement, WordHit, WordHits, WordQuery,
};
pub(crate) use crate::private;

use std::path::PathBuf;

use crate::model::{
    ChangeSet, Document, EntityType, Erasure, ErasurePlan, Link, Node, Result, Revision, Scope, StoredVector,
    Timestamp, Update,
};

pub use asked::{
    About, Answers, Batch, Caption, Counts, EdgeSpan, EntityQuery, Expired, Fetched, Filter, Found,
    FoundEntity, Free, Frontier, Head, KeyHolder, Like, Listing, Look, NextNumbers, NodeName, Of,
    SourceTally, Table, Traces, Wanted, Which,
};
pub(crate) use pages::pages;
pub use read::{NeighbourQuery, Read};
pub use telemetry::{EdgeEnds, NoTelemetry, Telemetry};

/// The result of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commit {
    pub revision: Revision,
    /// False if the plan was empty: nothing was written and the revision did not change.
    pub changed: bool,
}

/// The rows that one revision touched; their current state is in the rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeNote {
    pub revision: Revision,
    pub at: Timestamp,
    /// Memories and entities, by number.
    pub nodes: Vec<Node>,
    /// Numbers of edges that are new or changed.
    pub edges: Vec<u32>,
    /// Numbers of edges that were removed.
    pub removed_edges: Vec<u32>,
}

/// The rows of a store at one revision. Rows requested by number or key are returned in the order of the
/// request.
pub trait Rows {
    fn head(&self) -> Result<Head>;
    fn counts(&self) -> Result<Counts>;
    fn expired(&self, now: Timestamp) -> Result<Expired>;
    /// Fetches rows by number or key.
    fn fetch(&self, wanted: &Wanted<'_>) -> Result<Fetched>;
    /// Returns at most `limit` rows after a number, ascending, for export, `gc`, `verify`, `reindex`. Tables
    /// without numbers are returned whole.
    fn scan(&self, table: Table, after: u32, limit: usize) -> Result<Fetched>;
    /// Returns rows that refer to others.
    fn about(&self, what: &About<'_>) -> Result<Fetched>;
    /// Returns for each name all nodes that match it, smallest first.
    fn find(&self, names: &[NodeName<'_>]) -> Result<Vec<Vec<Found>>>;
    fn free(&self, wanted: &[Free<'_>]) -> Result<Vec<u32>>;
    /// Returns what would still refer to memories after their removal. Scans all memories: meant for
    /// erasures, not for answers.
    fn traces_of(&self, memories: &[Node]) -> Result<Traces>;
}

/// What the index reads: the change log, rows in the form that it keeps, and what it cannot answer itself.
/// Rows that cannot be read are left out.
pub trait Feed: Rows {
    /// The revisions after `since`, ascending, at most `limit`, including those of other processes. A
    /// revision that is damaged is left out.
    fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<ChangeNote>>;
    fn documents(&self, which: Which<'_>, sink: &mut dyn FnMut(&Document<'_>)) -> Result<()>;
    /// Live edges. The labels `backbone` and `proximity` have the numbers 1 and 2.
    fn links(&self, which: Which<'_>, sink: &mut dyn FnMut(Link)) -> Result<()>;
    /// All entities of a type, by number, and whether each is live.
    fn liveness(&self, kind: Option<EntityType>) -> Result<Vec<(Node, bool)>>;
    /// The numbers of names; `None` for one that no row uses.
    fn names(&self, names: &[&str]) -> Result<Vec<Option<u32>>>;
    fn numbers(&self, of: Of<'_>) -> Result<Vec<u32>>;
    /// Live entities with a name or alias that contains `part`, in normal form, and how many memories mention
    /// them; most mentioned first.
    fn named_like(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<(Node, u32)>>;
}

/// What a store in files or behind a network has to do besides [`Rows`] and [`Feed`].
pub trait Backend: Send + Sync {
    fn home(&self) -> Home;

    /// Runs `act` on the rows of one revision: commits of others do not show in the middle.
    fn read(&self, act: &mut dyn FnMut(&dyn Feed) -> Result<()>) -> Result<()>;

    /// Takes the writer's lock, runs `plan` on the current rows, and commits its result as one revision. If
    /// `plan` or the commit fails, nothing is changed.
    ///
    /// Calls `committed` after the commit, before the lock is released. A back end that does not call it is
    /// correct but slower: the index then reads the touched rows.
    ///
    /// Returns `ErrorKind::Conflict` if the lock is not free within the busy timeout.
    fn write(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<ChangeSet>,
        committed: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Commit>;

    /// Like [`Backend::write`], for a plan that removes rows for good; `None` writes nothing. The receipt is
    /// written in the same revision and stays unfinished until [`Backend::finish_erasure`].
    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<Option<ErasurePlan>>,
        committed: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Option<Erasure>>;

    /// See [`Store::scrub`].
    fn scrub(&self, texts: Option<&[String]>) -> Result<u64>;

    /// See [`Store::finish_erasure`].
    fn finish_erasure(&self, erasure: &Erasure) -> Result<()>;

    /// Looks for damage to the rows.
    fn integrity(&self) -> Result<Integrity> {
        Ok(Integrity::default())
    }

    /// See [`Store::repair`].
    fn repair(
        &self,
        _now: Timestamp,
        _keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>,
    ) -> Result<Repaired> {
        Ok(Repaired::default())
    }

    /// Storage for the counts of the graph's rollout.
    fn telemetry(&self) -> &dyn Telemetry {
        &NoTelemetry
    }
}

/// The identity of a store, and where its index is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home {
    /// Random bytes; a snapshot of the index of another store is never opened.
    pub store_id: [u8; 16],
    /// The folder of the snapshots; `None` keeps the index in memory.
    pub index: Option<PathBuf>,
    /// Snapshots are read and not written.
    pub read_only: bool,
}

/// What a commit changed, for the index.
pub struct Committed<'a> {
    pub revision: Revision,
    /// The embedder, if it is another one than before; the vectors of the former are gone.
    pub model: Option<(String, usize)>,
    /// In the order in which they are applied.
    pub updates: Vec<Update<'a>>,
}

/// Damage to rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Integrity {
    /// Every defect in a sentence.
    pub findings: Vec<String>,
    /// The rows cannot be read well enough to compare the index with them.
    pub unreadable: bool,
}

/// Searches in an index over the rows. Results are complete within the filter.
pub trait Search {
    /// The revision that searches answer from.
    fn revision(&self) -> Revision;
    /// Runs several batches in one request.
    fn search(&self, batches: &[Batch<'_>]) -> Result<Vec<Answers>>;
    /// Returns for each vector the `limit` memories with a cosine of at least `least`, best first, among
    /// those that its scope [may know](Scope::may_know): the bulk form for writes. It may miss neighbours
    /// barely above the threshold; the loss is measured (invariant 10).
    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>>;
    fn top_entities(&self, query: &EntityQuery<'_>) -> Result<Vec<(Node, u32)>>;
}

/// A store with an index, as the engine uses it.
pub trait Store: Read + Send + Sync {
    /// Takes the writer's lock, catches up with other processes, runs `plan` on that state, and commits its
    /// result as one revision. If `plan` or the commit fails, nothing is changed.
    ///
    /// Returns `ErrorKind::Conflict` if the lock is not free within the busy timeout.
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit>;

    /// Runs `act` on a view of the store whose requests share one transaction.
    fn at_once(&self, act: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()>;

    /// Catches up with the commits of other processes and returns the current head. Cheap without news.
    fn refresh(&self) -> Result<Head>;

    /// See [`Feed::changes_after`].
    fn changes_after(&self, _since: Revision, _limit: usize) -> Result<Vec<ChangeNote>> {
        Err(crate::model::Error::unavailable("read the change log", "this store keeps none"))
    }

    /// Discards derived indexes and rebuilds them from the rows.
    fn rebuild(&self) -> Result<()>;

    /// Compares rows with indexes and describes every defect in a sentence; empty if the store is sound.
    fn integrity(&self) -> Result<Vec<String>>;

    /// Repairs damaged rows where no text is lost, and rebuilds derived indexes. `keep` receives each row in
    /// its old state before the commit; if `keep` fails, nothing is changed.
    fn repair(
        &self,
        _now: Timestamp,
        _keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>,
    ) -> Result<Repaired> {
        Ok(Repaired::default())
    }

    /// Where the store is kept; what is derived from it may be kept beside its index.
    fn home(&self) -> Home {
        Home { store_id: [0; 16], index: None, read_only: true }
    }

    // Erasure: one revision removes the rows, then the files are scrubbed of their contents.
    /// Like [`Store::write`], for a plan that removes rows for good; `None` writes nothing. The receipt is
    /// written in the same revision and stays unfinished until [`Store::finish_erasure`].
    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>,
    ) -> Result<Option<Erasure>>;
    /// Removes all traces of erased rows from the files of the store; returns how many copies of the database
    /// it deleted. `texts` are the erased texts, or `None` if they are no longer known. Returns
    /// `ErrorKind::Conflict` while others still read the earlier state; retrying is safe.
    fn scrub(&self, texts: Option<&[String]>) -> Result<u64>;
    /// Marks the erasure as finished and stores its counts of things besides rows.
    fn finish_erasure(&self, erasure: &Erasure) -> Result<()>;

    fn telemetry(&self) -> &dyn Telemetry {
        &NoTelemetry
    }
}

/// The result of a repair.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repaired {
    /// The repaired defects, in sentences.
    pub healed: Vec<String>,
    /// How many rows were passed to `keep`.
    pub kept: usize,
}

/// A row in its state before a repair removed or changed it.
#[derive(Clone, PartialEq, Debug)]
pub struct RemovedRow {
    pub table: String,
    pub why: String,
    /// In the order of the table.
    pub columns: Vec<(String, Cell)>,
}

/// The value of a column, whatever its declared type.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}
