//! The index of an open store, with a single entry point for queries.
//!
//! No answer comes from a damaged index. After a search, the index reports whether the search touched damaged
//! data (see `index`). If so, the answer is discarded, the index is rebuilt from the rows (invariant 1), and
//! the search runs again. Writes apply to the index in any state; the next search detects damage.
//!
//! Lock order: `mending`, then the index. A holder of the index lock never waits for either.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::catch_up;
use super::tables::Tables;
use crate::index::{Index, Pressure};
use crate::model::{Error, Result, Revision};

pub(super) struct LiveIndex {
    dir: PathBuf,
    store_id: [u8; 16],
    /// Forbids writing into the folder.
    read_only: bool,
    index: RwLock<Index>,
    /// Held during a rebuild, so that threads that find the same damage rebuild only once.
    mending: Mutex<()>,
    /// Damage found since the store was opened, in sentences.
    mended: Mutex<Vec<String>>,
}

impl LiveIndex {
    /// Opens the newest snapshot and catches up, or builds an index from the rows.
    pub fn open(tables: &Tables, dir: PathBuf, store_id: [u8; 16], read_only: bool) -> Result<Self> {
        let index = catch_up::open_index(tables, &dir, store_id, read_only)?;
        let live = Self {
            dir,
            store_id,
            read_only,
            index: RwLock::new(index),
            mending: Mutex::default(),
            mended: Mutex::default(),
        };
        live.mend(tables)?;
        Ok(live)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Answers a question from an undamaged index.
    pub fn ask<T>(&self, tables: &Tables, question: impl Fn(&Index) -> T) -> Result<T> {
        // The first rebuild may again use a file on a disk that corrupts it; the second does not.
        for _ in 0..3 {
            {
                let index = self.read();
                let answer = question(&index);
                if !index.is_damaged() {
                    return Ok(answer);
                }
            }
            self.mend(tables)?;
        }
        let what = format!("read the index of {}", tables.path().display());
        Err(Error::unavailable(what, "it is damaged each time it is built").hint("check the disk"))
    }

    pub fn revision(&self) -> Revision {
        Revision(self.read().revision())
    }

    pub fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn write(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies the commits since, in the caller's transaction or its own.
    pub fn catch_up(&self, tables: &Tables) -> Result<()> {
        let is_caught_up = {
            let mut index = self.write();
            tables.run("read", || catch_up::catch_up_in_one_read(tables, &mut index))?
        };
        if !is_caught_up {
            let built = catch_up::build(tables, None, self.store_id)?;
            *self.write() = built;
        }
        self.mend(tables)
    }

    /// Rebuilds the index if it is known to be damaged.
    fn mend(&self, tables: &Tables) -> Result<()> {
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
                "the index file {name} was damaged in {} of {} blocks; the index was built again from the rows, nothing is lost",
                damage.damaged, damage.blocks
            ));
            mended.len() == 1
        };
        if !self.read_only {
            // Otherwise the next process would find the same damage; if removal fails, it does.
            let _ = std::fs::remove_file(&damage.path);
        }
        let dir = (!self.read_only && is_first).then_some(self.dir.as_path());
        let built = catch_up::build(tables, dir, self.store_id)?;
        *self.write() = built;
        Ok(())
    }

    /// Checks every block of the snapshot and rebuilds the index if one is damaged. Returns the damage found
    /// since the store was opened.
    pub fn check(&self, tables: &Tables) -> Result<Vec<String>> {
        let _ = self.read().check_snapshot();
        self.mend(tables)?;
        Ok(self.mended.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Discards the index and its snapshots and rebuilds it from the rows.
    pub fn rebuild(&self, tables: &Tables) -> Result<()> {
        if !self.read_only {
            catch_up::remove_snapshots(&self.dir);
        }
        let dir = (!self.read_only).then_some(self.dir.as_path());
        let built = catch_up::build(tables, dir, self.store_id)?;
        *self.write() = built;
        Ok(())
    }

    /// Writes a snapshot if the tail is under at least this pressure. Best effort: without it the next
    /// process only reads more of the change log. `may` is asked about the snapshot's revision after its file
    /// is started.
    pub fn snapshot(&self, at_least: Pressure, may: &dyn Fn(u64) -> bool) {
        if self.read_only || self.read().wants_snapshot() < at_least {
            return;
        }
        let written = {
            let index = self.read();
            let revision = index.revision();
            catch_up::write_snapshot(&index, &self.dir, &|| may(revision))
        };
        if written {
            self.write().reopen(&self.dir);
        }
    }
}
