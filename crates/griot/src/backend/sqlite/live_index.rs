//! The index of an open store, behind the one door through which it is asked.
//!
//! No answer is given from a damaged index. A search runs, and then the index is asked whether something it
//! touched was damaged (see `index`). If so, the answer is thrown away, the index is built again from the
//! rows (invariant 1), and the same search runs once more. Writes apply to whatever index there is: damage
//! that they meet is found by the next search.
//!
//! Order of locks: `mending`, then the index. Nothing that holds the index waits for either.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::catch_up;
use super::tables::Tables;
use crate::index::{Index, Pressure};
use crate::model::{Error, Result, Revision};

pub(super) struct LiveIndex {
    dir: PathBuf,
    store_id: [u8; 16],
    /// Nothing is written into the folder.
    read_only: bool,
    index: RwLock<Index>,
    /// Held while the index is built again, so that threads that find the same damage build it once.
    mending: Mutex<()>,
    /// What was damaged since the store was opened, in sentences.
    mended: Mutex<Vec<String>>,
}

impl LiveIndex {
    /// The newest snapshot brought up to date, or an index built from the rows.
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

    /// What a question comes to on a sound index.
    pub fn ask<T>(&self, tables: &Tables, question: impl Fn(&Index) -> T) -> Result<T> {
        // What is built first may lie in a file again, on a disk that spoils it; what is built after that
        // does not.
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

    /// Applies what was committed since, in a transaction of the caller or in one of its own.
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

    /// Builds the index again if it is known to be damaged.
    fn mend(&self, tables: &Tables) -> Result<()> {
        if !self.read().is_damaged() {
            return Ok(());
        }
        let _one = self.mending.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have done it.
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
            // Who opens the store next would only find the same. What cannot be removed is found again.
            let _ = std::fs::remove_file(&damage.path);
        }
        let dir = (!self.read_only && is_first).then_some(self.dir.as_path());
        let built = catch_up::build(tables, dir, self.store_id)?;
        *self.write() = built;
        Ok(())
    }

    /// Checks every block of the snapshot, and builds the index again if one is damaged. Says what was
    /// damaged since the store was opened.
    pub fn check(&self, tables: &Tables) -> Result<Vec<String>> {
        let _ = self.read().check_snapshot();
        self.mend(tables)?;
        Ok(self.mended.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Throws the index and its snapshots away and builds it from the rows.
    pub fn rebuild(&self, tables: &Tables) -> Result<()> {
        if !self.read_only {
            catch_up::remove_snapshots(&self.dir);
        }
        let dir = (!self.read_only).then_some(self.dir.as_path());
        let built = catch_up::build(tables, dir, self.store_id)?;
        *self.write() = built;
        Ok(())
    }

    /// Writes a snapshot if the tail is under at least this much pressure. Best effort: without it the next
    /// process reads more of the change log, nothing else. `may` is asked for its revision once its file is
    /// begun.
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
