//! A back end with an index: what the engine holds.
//!
//! The rows of the back end are the truth. [`Indexed`] derives the index from them, whatever the back end is,
//! and keeps it in step: a commit of this process passes on what it wrote, the change log names the rows that
//! other processes touched, and without either the index is built from all rows. It also writes the
//! snapshots, and detects damage to them.
//!
//! Modules: `view` answers every request, from rows or from the index; `filter` resolves the names of a
//! filter; `live` prevents answers from a damaged index; `catch_up` brings the index to the revision of the
//! rows; `check` compares the two.
//!
//! Lock order: the writer's lock of the back end, then the index, then what the back end takes for reading.
//! The index is held for reading by each search, and for writing only to catch up before a plan runs, to
//! apply a commit, and to replace a damaged index.
//!
//! A plan must read through the view that it receives; calling `write` or `refresh` of the store inside a
//! plan waits for a lock that its own caller holds.
//!
//! Rows may be newer than the index by the commits of other processes since the last `refresh`. That is
//! harmless: memories are hidden rather than removed, and missing edges are skipped.

mod catch_up;
mod check;
mod filter;
mod live;
mod view;

use crate::backend::{
    Backend, ChangeNote, Commit, Feed, Head, Home, Read, RemovedRow, Repaired, Store, Table, Telemetry,
};
use crate::index::{Pressure, remove_snapshots_before};
use crate::model::{ChangeSet, Erasure, ErasurePlan, Error, ErrorKind, Result, Revision, Timestamp};

use live::LiveIndex;
use view::View;

/// The rows of a back end with an index over them.
pub struct Indexed<B: Backend> {
    index: LiveIndex,
    backend: B,
}

impl<B: Backend> Indexed<B> {
    /// Opens the newest snapshot and catches up, or builds an index from the rows.
    pub fn new(backend: B) -> Result<Self> {
        let home = backend.home();
        let model = with_rows(&backend, |rows| Ok(rows.head()?.model))?;
        // Open the snapshot before reading the revision; otherwise one that another process writes in between
        // would seem to be ahead.
        let snapshot = catch_up::open_snapshot(&home, model);
        let index = with_rows(&backend, |rows| LiveIndex::open(rows, home, snapshot))?;
        Ok(Self { index, backend })
    }

    pub fn backend(&self) -> &B {
        &self.backend
    }

    fn view<T>(&self, act: impl FnOnce(&View<'_>) -> T) -> Result<T> {
        with_rows(&self.backend, |rows| Ok(act(&View::new(rows, &self.index))))
    }

    fn revision_of_view(&self) -> Revision {
        self.index.revision()
    }

    /// Runs a plan on an index that has caught up with the rows.
    fn plan<T>(&self, rows: &dyn Feed, plan: &mut dyn FnMut(&dyn Read) -> Result<T>) -> Result<T> {
        let view = View::new(rows, &self.index);
        view.catch_up()?;
        plan(&view)
    }

    /// Writes a snapshot if one is due, unless an erasure has happened since its revision.
    fn snapshot(&self, at_least: Pressure) {
        self.index.snapshot(at_least, &|revision| self.last_erasure().is_ok_and(|last| last.0 <= revision));
    }

    /// Writes a snapshot even if none is due, so that small tests cover the code paths of large stores.
    #[cfg(any(test, feature = "testkit"))]
    pub fn write_snapshot_now(&self) {
        self.index.snapshot(Pressure::None, &|_| true);
    }

    /// The revision of the last erasure, 0 without any.
    fn last_erasure(&self) -> Result<Revision> {
        with_rows(&self.backend, |rows| {
            let erasures = rows.scan(Table::Erasures, 0, usize::MAX >> 1)?.erasures;
            Ok(erasures.last().map_or(Revision(0), |erasure| erasure.after))
        })
    }

    /// After a commit, where nothing may fail: without it, the next refresh catches up.
    fn follow(&self, revision: Revision) {
        if self.index.revision() < revision {
            let _ = self.refresh();
        }
    }
}

/// Runs `act` on the rows of one revision.
fn with_rows<T>(backend: &dyn Backend, act: impl FnOnce(&dyn Feed) -> Result<T>) -> Result<T> {
    let (mut act, mut answer) = (Some(act), None);
    backend.read(&mut |rows| {
        if let Some(act) = act.take() {
            answer = Some(act(rows)?);
        }
        Ok(())
    })?;
    answer.ok_or_else(|| Error::new(ErrorKind::Bug, "read the store", "its back end showed no rows"))
}

impl<B: Backend> Drop for Indexed<B> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.snapshot(Pressure::OnClose);
        }
    }
}

impl<B: Backend> Store for Indexed<B> {
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        let commit =
            self.backend.write(&mut |rows| self.plan(rows, plan), &mut |done| self.index.apply(done))?;
        self.follow(commit.revision);
        self.snapshot(Pressure::Now);
        Ok(commit)
    }

    fn at_once(&self, act: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()> {
        self.view(|view| act(view))?
    }

    fn refresh(&self) -> Result<Head> {
        self.view(|view| {
            view.catch_up()?;
            crate::backend::Rows::head(view)
        })?
    }

    fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<ChangeNote>> {
        with_rows(&self.backend, |rows| rows.changes_after(since, limit))
    }

    fn rebuild(&self) -> Result<()> {
        with_rows(&self.backend, |rows| self.index.rebuild(rows))?;
        // A rebuild is an explicit request, so write a snapshot even of a small index.
        self.snapshot(Pressure::None);
        self.refresh().map(drop)
    }

    fn integrity(&self) -> Result<Vec<String>> {
        let mut findings = with_rows(&self.backend, |rows| self.index.check(rows))?;
        let rows = self.backend.integrity()?;
        findings.extend(rows.findings);
        if !rows.unreadable {
            // Lock the index before the rows are read, so that both belong to one moment.
            let mut index = self.index.write();
            findings.extend(with_rows(&self.backend, |rows| check::compare(rows, &mut index))?);
        }
        Ok(findings)
    }

    fn repair(&self, now: Timestamp, keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>) -> Result<Repaired> {
        let repaired = self.backend.repair(now, keep)?;
        // Also with sound rows: the index may disagree with them, and it is derived.
        self.rebuild()?;
        Ok(repaired)
    }

    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>,
    ) -> Result<Option<Erasure>> {
        let erasure =
            self.backend.erase(&mut |rows| self.plan(rows, plan), &mut |done| self.index.apply(done))?;
        self.follow(erasure.as_ref().map_or(Revision(0), |erasure| erasure.after));
        Ok(erasure)
    }

    /// Also removes the snapshots of the index from before the last erasure.
    fn scrub(&self, texts: Option<&[String]>) -> Result<u64> {
        if let Some(dir) = self.index.dir() {
            remove_snapshots_before(dir, self.last_erasure()?.0).map_err(|error| {
                Error::unavailable(format!("remove snapshots in {}", dir.display()), error.to_string())
            })?;
        }
        self.backend.scrub(texts)
    }

    forward! { self, self.backend =>
        home() -> Home;
        finish_erasure(erasure: &Erasure) -> Result<()>;
        telemetry() -> &dyn Telemetry;
    }
}

answer_by_view!(Indexed<B: Backend>);
