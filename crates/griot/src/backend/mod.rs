//! The interface between the engine's decisions and storage.
//!
//! A back end delivers [`Rows`], answers [`Search`]es from an index derived from them, and is changed through
//! [`Backend`]. Each of the 22 methods takes a batch, so that the same recall can run on a store behind a
//! network. [`Read`] adds typed single questions for the pure modules (`recall`, `remember`, `graph`);
//! [`Telemetry`] is separate. [`sqlite`] is the production store and [`Confined`] restricts a store to one
//! scope. Test doubles and the conformance suite are behind the feature `testkit`.
//!
//! Invariants enforced here: a ChangeSet is one transaction and one revision (2); scope is part of each
//! search, never a filter applied afterwards (6); every list has a defined order, ties broken by node (4).

#[macro_use]
mod answer;
mod asked;
mod confined;
#[cfg(any(test, feature = "testkit"))]
pub mod conformance;
#[cfg(any(test, feature = "testkit"))]
pub mod memory;
mod pages;
mod read;
pub mod sqlite;
mod telemetry;
#[cfg(any(test, feature = "testkit"))]
pub mod watched;

pub use confined::Confined;

pub use crate::model::{
    Arc, Belief, CATALOGUE_SIZE, Direction, Place, Placement, WordHit, WordHits, WordQuery,
};
pub use crate::private;

use crate::model::{ChangeSet, Erasure, ErasurePlan, Node, Result, Revision, Scope, StoredVector, Timestamp};

pub use asked::{
    About, Answers, Batch, Counts, EntityQuery, Expired, Fetched, Filter, Found, FoundEntity, Free, Frontier,
    Head, KeyHolder, Like, Listing, Look, NextNumbers, NodeName, SourceTally, Table, Traces, Wanted,
};
pub(crate) use pages::{pages, pages_after};
pub use read::{NeighbourQuery, Read};
pub use telemetry::{EdgeEnds, GraphHealth, NoTelemetry, Telemetry};

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
    fn revision(&self) -> Revision;
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

/// Searches in an index over the rows. Results are complete within the filter.
pub trait Search {
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

/// A store that can be changed.
pub trait Backend: Read {
    /// Takes the writer's lock, catches up with other processes, runs `plan` on that state, and commits its
    /// result as one revision. If `plan` or the commit fails, nothing is changed.
    ///
    /// Returns `ErrorKind::Conflict` if the lock is not free within the busy timeout.
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit>;

    /// Catches up with the commits of other processes and returns the current head. Cheap without news.
    fn refresh(&self) -> Result<Head>;

    /// The revisions after `since`, ascending, at most `limit`, including those of other processes.
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

    // Erasure: one revision removes the rows, then the files are scrubbed of their contents.
    /// Like [`Backend::write`], for a plan that removes rows for good; `None` writes nothing. The receipt is
    /// written in the same revision and stays unfinished until [`Backend::finish_erasure`].
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

    /// Storage for the counts of the graph's rollout.
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
