//! The seam between what Griot decides and where it is kept.
//!
//! A back end delivers [`Rows`], answers [`Search`]es from an index that follows from them, and is changed
//! through [`Backend`]: 22 methods, of which every one takes a batch, so that the same recall runs on a store
//! behind a network. [`Read`] has the questions of the pure parts (`recall`, `remember`, `graph`) one by one,
//! over these; [`Telemetry`] is apart. [`sqlite`] is the truth that users have, [`Confined`] shows one
//! scope of another store; doubles for tests and the suite that holds a back end to its promises are behind the
//! feature `testkit`.
//!
//! Invariants kept here: a ChangeSet is one transaction and one revision (2); scope is part of each search,
//! never a filter after it (6); every list has a defined order, ties broken by node (4).

#[macro_use]
mod answer;
mod asked;
mod confined;
#[cfg(any(test, feature = "testkit"))]
pub mod conformance;
#[cfg(any(test, feature = "testkit"))]
pub mod memory;
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
pub use read::{NeighbourQuery, Read};
pub use telemetry::{EdgeEnds, GraphHealth, NoTelemetry, Telemetry};

/// What a commit made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commit {
    pub revision: Revision,
    /// False if the plan was empty: nothing was written and the revision is the old one.
    pub changed: bool,
}

/// What one revision touched; rows say what became of it.
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

/// The rows of a store at one revision. Whatever is asked for by name comes back in the order of the request.
pub trait Rows {
    fn revision(&self) -> Revision;
    fn head(&self) -> Result<Head>;
    fn counts(&self) -> Result<Counts>;
    fn expired(&self, now: Timestamp) -> Result<Expired>;
    /// Rows by number or key.
    fn fetch(&self, wanted: &Wanted<'_>) -> Result<Fetched>;
    /// At most `limit` rows after a number, ascending, for export, `gc`, `verify`, `reindex`. Tables without
    /// numbers come whole.
    fn scan(&self, table: Table, after: u32, limit: usize) -> Result<Fetched>;
    /// Rows that hang on others.
    fn about(&self, what: &About<'_>) -> Result<Fetched>;
    /// For each name all nodes that it may mean, smallest first.
    fn find(&self, names: &[NodeName<'_>]) -> Result<Vec<Vec<Found>>>;
    fn free(&self, wanted: &[Free<'_>]) -> Result<Vec<u32>>;
    /// What else would know of memories if they were removed. Looks at every memory: for erasures, not for
    /// answers.
    fn traces_of(&self, memories: &[Node]) -> Result<Traces>;
}

/// What an index over the rows answers, complete within the filter.
pub trait Search {
    /// Answers several batches in one request.
    fn search(&self, batches: &[Batch<'_>]) -> Result<Vec<Answers>>;
    /// For each vector the `limit` memories with a cosine of at least `least`, best first, among those that
    /// its scope [may know](Scope::may_know): the bulk form for writes. It may miss a neighbour that is
    /// barely over the bound; the loss is measured (invariant 10).
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
    /// Takes the writer's lock, catches up with other processes, lets `plan` decide on that state, and
    /// commits what it decided as one revision. If `plan` or the commit fails, nothing was changed.
    ///
    /// A lock that stays taken for longer than the busy timeout is an `ErrorKind::Conflict`.
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit>;

    /// Sees what other processes committed; returns where the store is now. Cheap when nothing happened.
    fn refresh(&self) -> Result<Head>;

    /// The revisions after one, ascending, at most `limit`: what other processes committed among them.
    fn changes_after(&self, _since: Revision, _limit: usize) -> Result<Vec<ChangeNote>> {
        Err(crate::model::Error::unavailable("read the change log", "this store keeps none"))
    }

    /// Throws derived indexes away and builds them again from the rows.
    fn rebuild(&self) -> Result<()>;

    /// Everything that is wrong with the store, in sentences; empty if it is sound. Compares rows with
    /// indexes.
    fn integrity(&self) -> Result<Vec<String>>;

    /// Heals what is wrong with rows where no text is lost by it, and builds derived indexes again. `keep`
    /// gets each row that is removed or changed, as it was, before anything is committed; if it fails,
    /// nothing was changed.
    fn repair(
        &self,
        _now: Timestamp,
        _keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>,
    ) -> Result<Repaired> {
        Ok(Repaired::default())
    }

    // Erasure: the rows go in one revision, then the files are rid of what they held.
    /// As [`Backend::write`], for a plan that removes rows for good; `None` writes nothing. The receipt is
    /// written with it and stays unfinished until [`Backend::finish_erasure`].
    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>,
    ) -> Result<Option<Erasure>>;
    /// Leaves no trace of erased rows in any file of the store; returns how many copies of the database it
    /// removed. `texts` are those that went, or `None` if nobody knows them any more. Fails with
    /// `ErrorKind::Conflict` while others still read the state before: nothing is lost by trying again.
    fn scrub(&self, texts: Option<&[String]>) -> Result<u64>;
    /// Writes that the files are rid of it, with what was counted besides the rows.
    fn finish_erasure(&self, erasure: &Erasure) -> Result<()>;

    /// Where the rollout of the graph keeps its counts.
    fn telemetry(&self) -> &dyn Telemetry {
        &NoTelemetry
    }
}

/// What a repair did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repaired {
    /// What was wrong, in sentences.
    pub healed: Vec<String>,
    /// How many rows were handed out before they were removed or changed.
    pub kept: usize,
}

/// A row as it was before a repair removed or changed it.
#[derive(Clone, PartialEq, Debug)]
pub struct RemovedRow {
    pub table: String,
    pub why: String,
    /// In the order of the table.
    pub columns: Vec<(String, Cell)>,
}

/// What stands in a column, whatever should stand there.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}
