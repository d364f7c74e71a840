//! The index of an open store, with a single entry point for queries.
//!
//! No answer comes from a damaged index. After a search, the index reports whether the search touched damaged
//! data (see `index`). If so, the answer is discarded, the index is rebuilt from the rows (invariant 1), and
//! the search runs again. Writes apply to the index in any state; the next search detects damage.
//!
//! Lock order: `mending`, then the index. A holder of the index lock never waits for either.

use std::path::Path;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::catch_up::{self, write_snapshot};
use crate::backend::{Committed, Feed, Head, Home};
use crate::index::{Index, Pressure, remove_snapshots_before};
use crate::model::{Error, Result, Revision};

pub(super) struct LiveIndex {
    home: Home,
    index: RwLock<Index>,
    /// Held during a rebuild, so that threads that find the same damage rebuild only once.
    mending: Mutex<()>,
    /// Damage found since the store was opened, in sentences.
    mended: Mutex<Vec<String>>,
}

impl LiveIndex {
    /// Catches up a snapshot, or builds an index from the rows.
    pub fn open(rows: &dyn Feed, home: Home, snapshot: Option<Index>) -> Result<Self> {
        let index = match catch_up::usable(rows, snapshot)? {
            Some(index) => index,
            None => catch_up::build(rows, &home, true)?,
        };
        let index = RwLock::new(index);
        let live = Self { home, index, mending: Mutex::default(), mended: Mutex::default() };
        live.mend(rows)?;
        Ok(live)
    }

    pub fn dir(&self) -> Option<&Path> {
        self.home.index.as_deref()
    }

    /// Answers a question from an undamaged index.
    pub fn ask<T>(&self, rows: &dyn Feed, question: impl Fn(&Index) -> T) -> Result<T> {
        // The first rebuild may again use a file on a disk that corrupts it; the second does not.
        for _ in 0..3 {
            {
                let index = self.read();
                let answer = question(&index);
                if !index.is_damaged() {
                    return Ok(answer);
                }
            }
            self.mend(rows)?;
        }
        let dir = self.dir().unwrap_or(Path::new("memory")).display();
        let why = "it is damaged each time it is built";
        Err(Error::unavailable(format!("read the index in {dir}"), why).hint("check the disk"))
    }

    pub fn revision(&self) -> Revision {
        Revision(self.read().revision())
    }

    fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ignores poisoning: an index that was being changed is behind the rows and catches up.
    pub fn write(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies a commit of this process.
    pub fn apply(&self, committed: &Committed<'_>) {
        let mut index = self.write();
        // Another thread may have already read this revision, and perhaps later ones, from the log.
        if index.revision() + 1 == committed.revision.0 {
            if let Some(model) = &committed.model {
                index.set_model(Some(model.clone()));
            }
            committed.updates.iter().for_each(|update| index.apply(*update));
            index.set_revision(committed.revision.0);
        }
    }

    /// Applies the commits up to the head of the rows.
    pub fn catch_up(&self, rows: &dyn Feed, head: &Head) -> Result<()> {
        if self.revision() >= head.revision {
            return Ok(());
        }
        let is_caught_up = catch_up::catch_up(rows, head, &mut self.write())?;
        if !is_caught_up {
            let built = catch_up::build(rows, &self.home, false)?;
            *self.write() = built;
        }
        self.mend(rows)
    }

    /// Rebuilds the index if it is known to be damaged.
    fn mend(&self, rows: &dyn Feed) -> Result<()> {
        if !self.read().is_damaged() {
            return Ok(());
        }
        let _one = self.mending.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have rebuilt it.
        let Some(damage) = self.read().check_snapshot() else { return Ok(()) };
        let name = damage.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_first = {
            let mut mended = self.mended.lock().unwrap_or_else(PoisonError::into_inner);
            mended.push(format!(
                "the index file {name} was damaged in {} of {} blocks; the index was built again from the \
                 rows, nothing is lost",
                damage.damaged, damage.blocks
            ));
            mended.len() == 1
        };
        if !self.home.read_only {
            // Otherwise the next process would find the same damage; if removal fails, it does.
            let _ = std::fs::remove_file(&damage.path);
        }
        let built = catch_up::build(rows, &self.home, is_first)?;
        *self.write() = built;
        Ok(())
    }

    /// Checks every block of the snapshot and rebuilds the index if one is damaged. Returns the damage found
    /// since the store was opened.
    pub fn check(&self, rows: &dyn Feed) -> Result<Vec<String>> {
        let _ = self.read().check_snapshot();
        self.mend(rows)?;
        Ok(self.mended.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Discards the index and its snapshots and rebuilds it from the rows.
    pub fn rebuild(&self, rows: &dyn Feed) -> Result<()> {
        if let Some(dir) = self.dir().filter(|_| !self.home.read_only) {
            // One that cannot be removed is either rejected on opening or correct.
            let _ = remove_snapshots_before(dir, u64::MAX);
        }
        let built = catch_up::build(rows, &self.home, true)?;
        *self.write() = built;
        Ok(())
    }

    /// Writes a snapshot if the tail is under at least this pressure. Best effort: without it the next
    /// process only reads more of the change log. `may` is asked about the snapshot's revision after its file
    /// is started.
    pub fn snapshot(&self, at_least: Pressure, may: &dyn Fn(u64) -> bool) {
        let Some(dir) = self.dir().filter(|_| !self.home.read_only) else { return };
        if self.read().wants_snapshot() < at_least {
            return;
        }
        let written = {
            let index = self.read();
            let revision = index.revision();
            write_snapshot(&index, dir, &|| may(revision))
        };
        if written {
            self.write().reopen(dir);
        }
    }
}
