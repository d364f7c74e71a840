//! The store that users have: one SQLite file, and beside it an index that may be deleted at any time.
//!
//! What is where: `schema` and `migrations/` say which tables there are, `open` how a file becomes a store, `rows`
//! and `finding` read, `write` and `write_edges` apply a ChangeSet, `changes` is the log by which indexes catch up,
//! `catch_up` keeps the index at the store's revision, `view` answers `Read`, `integrity` looks for damage, `rollout` keeps what
//! was counted about the graph.
//!
//! Connections and locks:
//!
//! - Readers take a connection out of a pool and a read lock on the index; many at once.
//! - One writer a process: a connection of its own behind a mutex, then SQLite's own lock between processes.
//! - The index is behind a read-write lock. A write holds it for reading while the plan runs, and for writing only
//!   to catch up before and to apply what was committed after. Order: writer, then index, then pool; no path goes back.
//!
//! A plan must ask the view it is given; asking the back end itself to `write` or `refresh` from inside a plan waits for
//! a lock that its own caller holds.
//!
//! Rows may be newer than the index by what another process committed since the last `refresh`. That is harmless: rows are
//! hidden, not removed, and an edge that is gone is left out.

mod catch_up;
mod changes;
mod codec;
mod errors;
mod filter;
mod finding;
mod integrity;
mod merges;
mod names;
mod open;
mod rollout;
mod rows;
mod schema;
mod tables;
mod view;
mod write;
mod write_edges;
mod write_merges;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Backend, ChangeNote, Commit, GraphHealth, Read};
use crate::index::{Index, Pressure};
use crate::model::{ChangeSet, Error, Node, Result, Revision, Timestamp};
use crate::rollout::{Credited, Feedback, Ledger, Measures, ModeChange, Standing};

pub use open::Options;

use tables::Tables;
use view::View;

/// A workspace in one SQLite file.
pub struct SqliteBackend {
    path: PathBuf,
    options: Options,
    index_dir: PathBuf,
    store_id: [u8; 16],
    /// Connections that nobody uses at the moment.
    pool: Mutex<Vec<Tables>>,
    /// Opened by the first write.
    writer: Mutex<Option<Tables>>,
    index: RwLock<Index>,
    /// Opened by the first measures. The last field, so that it is closed last: see `rollout::connect`.
    measures: Mutex<Option<Tables>>,
}

impl SqliteBackend {
    /// Opens the workspace in a file, makes it if `options` say so, and brings its index up to date.
    pub fn open(path: &Path, options: Options) -> Result<Self> {
        let tables = Tables::new(open::open_store(path, &options)?, path);
        let index_dir = options.index_dir(path);
        let store_id = tables.run("open the database", || tables.store_id())?;
        let index = catch_up::open_index(&tables, &index_dir, store_id, options.read_only)?;
        Ok(Self {
            path: path.to_owned(),
            index_dir,
            store_id,
            pool: Mutex::new(vec![tables]),
            writer: Mutex::new(None),
            index: RwLock::new(index),
            measures: Mutex::new(None),
            options,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// 16 random bytes that tell this store from all others, copies of it excepted.
    pub fn store_id(&self) -> [u8; 16] {
        self.store_id
    }

    /// What the database takes on the disk, with its log of recent writes; the index not included.
    pub fn size_bytes(&self) -> u64 {
        let size = |suffix: &str| {
            let mut name = self.path.as_os_str().to_owned();
            name.push(suffix);
            std::fs::metadata(name).map_or(0, |file| file.len())
        };
        size("") + size("-wal")
    }

    /// Where snapshots of the index lie.
    pub fn index_dir(&self) -> &Path {
        &self.index_dir
    }

    /// Writes a snapshot of the index if one is due, and closes the file. Dropping does the same.
    pub fn close(self) {}

    /// Runs `act` on the store as it is now, with a connection of the pool.
    fn view<T>(&self, act: impl FnOnce(&View<'_>) -> T) -> Result<T> {
        self.with_tables(|tables| Ok(act(&View { tables, index: &self.read_index() })))
    }

    fn with_tables<T>(&self, act: impl FnOnce(&Tables) -> Result<T>) -> Result<T> {
        let pooled = lock(&self.pool).pop();
        let tables = match pooled {
            Some(tables) => tables,
            None => Tables::new(open::connect(&self.path, &self.options)?, &self.path),
        };
        let outcome = act(&tables);
        if tables.connection.is_autocommit() {
            lock(&self.pool).push(tables);
        }
        outcome
    }

    fn revision_of_view(&self) -> Revision {
        Revision(self.read_index().revision())
    }

    fn read_index(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_index(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a snapshot whether one is due or not, so that small tests meet large ones' ways.
    #[cfg(test)]
    pub(crate) fn write_snapshot_now(&self) {
        assert!(catch_up::write_snapshot(&self.read_index(), &self.index_dir));
    }

    /// Writes a snapshot if the tail of the index is under at least this much pressure. Best effort: without it the next
    /// process reads more of the change log, nothing else.
    fn snapshot(&self, at_least: Pressure) {
        if self.options.read_only || self.read_index().wants_snapshot() < at_least {
            return;
        }
        let written = catch_up::write_snapshot(&self.read_index(), &self.index_dir);
        if written {
            self.write_index().reopen(&self.index_dir);
        }
    }

    fn with_writer<T>(&self, act: impl FnOnce(&Tables) -> Result<T>) -> Result<T> {
        self.refuse_if_read_only()?;
        let mut writer = lock(&self.writer);
        let tables = match &mut *writer {
            Some(tables) => tables,
            none => none.insert(Tables::new(open::connect(&self.path, &self.options)?, &self.path)),
        };
        act(tables)
    }

    fn refuse_if_read_only(&self) -> Result<()> {
        if !self.options.read_only {
            return Ok(());
        }
        let what = format!("write to {}", self.path.display());
        Err(Error::unavailable(what, "it was opened for reading only"))
    }

    fn apply(&self, tables: &Tables, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        let transaction = tables.run("write to", || Transaction::begin(tables))?;
        let before = tables.run("read", || tables.revision())?;
        if self.read_index().revision() != before.0 {
            tables.run("read", || catch_up::catch_up(tables, &mut self.write_index()))?;
        }
        let set = plan(&View { tables, index: &self.read_index() })?;
        if set.changes.is_empty() {
            return Ok(Commit { revision: before, changed: false });
        }
        let revision = Revision(before.0 + 1);
        let applied = write::apply(tables, &set, revision)?;
        tables.run("commit to", || transaction.commit())?;
        // From here on the change is durable: nothing below may fail.
        let mut index = self.write_index();
        // Another thread may have read this revision from the log, and perhaps later ones, since the commit.
        if index.revision() == before.0 {
            catch_up::apply(&mut index, &applied);
            index.set_revision(revision.0);
        }
        Ok(Commit { revision, changed: true })
    }
}

/// Waits for a lock. A thread that panicked under it left nothing half done: an open transaction is rolled back by its
/// guard, and an index that was being changed is behind the store and catches up.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for SqliteBackend {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.snapshot(Pressure::OnClose);
        }
        if lock(&self.writer).is_some() {
            // Who has written memories leaves no log behind: the last connection to close copies it into the database.
            lock(&self.measures).take();
        }
    }
}

/// A transaction that holds the writer's lock; rolled back unless it is committed.
struct Transaction<'a> {
    tables: &'a Tables,
}

impl<'a> Transaction<'a> {
    fn begin(tables: &'a Tables) -> rusqlite::Result<Self> {
        tables.execute("BEGIN IMMEDIATE", [])?;
        Ok(Self { tables })
    }

    fn commit(self) -> rusqlite::Result<()> {
        self.tables.execute("COMMIT", []).map(drop)
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.tables.connection.is_autocommit() {
            // The error that led here is the one to tell. If this fails too, the next `BEGIN` says so.
            let _ = self.tables.execute("ROLLBACK", []);
            self.tables.names.borrow_mut().forget();
        }
    }
}

impl Backend for SqliteBackend {
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        let commit = self.with_writer(|tables| self.apply(tables, plan))?;
        self.snapshot(Pressure::Now);
        Ok(commit)
    }

    fn refresh(&self) -> Result<Revision> {
        self.with_tables(|tables| {
            let stored = tables.run("read", || tables.revision())?;
            if self.read_index().revision() < stored.0 {
                let mut index = self.write_index();
                tables.run("read", || catch_up::catch_up_in_one_read(tables, &mut index))?;
            }
            Ok(Revision(self.read_index().revision()))
        })
    }

    fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<ChangeNote>> {
        self.with_tables(|tables| tables.run("read", || tables.notes_since(since, limit)))
    }

    fn rebuild(&self) -> Result<()> {
        catch_up::remove_snapshots(&self.index_dir);
        let index_dir = (!self.options.read_only).then_some(self.index_dir.as_path());
        self.with_tables(|tables| {
            let index = catch_up::build(tables, index_dir, self.store_id)?;
            *self.write_index() = index;
            Ok(())
        })?;
        self.snapshot(Pressure::OnClose);
        self.refresh().map(drop)
    }

    fn integrity(&self) -> Result<Vec<String>> {
        self.with_tables(|tables| {
            // Nothing is applied to the index while it is compared, and the rows are those of one moment after.
            let mut index = self.write_index();
            tables.run("check", || {
                let read = catch_up::ReadTransaction::begin(tables)?;
                catch_up::catch_up(tables, &mut index)?;
                let findings = integrity::check(tables, &index)?;
                read.end()?;
                Ok(findings)
            })
        })
    }

    fn standing(&self) -> Result<Standing> {
        self.with_tables(|tables| tables.run("read", || tables.standing()))
    }

    fn ledger(&self, width: i64) -> Result<Ledger> {
        self.with_tables(|tables| {
            tables.run("read", || {
                let read = catch_up::ReadTransaction::begin(tables)?;
                let ledger = tables.ledger(width)?;
                read.end()?;
                Ok(ledger)
            })
        })
    }

    fn record(&self, measures: &Measures) -> Result<()> {
        self.refuse_if_read_only()?;
        let mut connection = lock(&self.measures);
        let tables = match &mut *connection {
            Some(tables) => tables,
            none => none.insert(Tables::new(rollout::connect(&self.path, &self.options)?, &self.path)),
        };
        tables.run("write measures to", || {
            let transaction = Transaction::begin(tables)?;
            tables.record(measures)?;
            transaction.commit()
        })
    }

    fn set_mode(
        &self,
        width: i64,
        decide: &mut dyn FnMut(&Ledger) -> Result<Option<ModeChange>>,
    ) -> Result<Option<ModeChange>> {
        self.with_writer(|tables| {
            let transaction = tables.run("write to", || Transaction::begin(tables))?;
            let ledger = tables.run("read", || tables.ledger(width))?;
            let Some(change) = decide(&ledger)? else { return Ok(None) };
            tables.run("write to", || tables.set_mode(&change))?;
            tables.run("commit to", || transaction.commit())?;
            Ok(Some(change))
        })
    }

    fn credit(&self, feedback: &Feedback) -> Result<Vec<Credited>> {
        self.with_writer(|tables| {
            let transaction = tables.run("write to", || Transaction::begin(tables))?;
            let credited = tables.credit(feedback)?;
            tables.run("commit to", || transaction.commit())?;
            Ok(credited)
        })
    }

    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth> {
        self.with_tables(|tables| tables.run("read", || tables.graph_health(now, entities)))
    }
}

/// Turns a store into one of the first format, as it lies on the disks of those who used that.
#[cfg(test)]
pub(crate) fn make_first_format(path: &Path) {
    let sql = "DROP TABLE entity_type; DROP TABLE merge; DROP TABLE merge_suggestion;
        DROP TABLE rollout_mode; DROP TABLE rollout_count; DROP TABLE rollout_answer; DROP TABLE rollout_feedback;
        DROP TABLE rollout_incident; ALTER TABLE source DROP COLUMN language; PRAGMA user_version = 1;";
    let connection = rusqlite::Connection::open(path).expect("the store opens");
    connection.execute_batch(sql).expect("the tables of the second format are there");
}

answer_by_view!(SqliteBackend);
