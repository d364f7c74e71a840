//! The production back end: one SQLite file.
//!
//! Modules: `schema` and `migrations/` define the tables, `open` and `connect` open files, `rows` and
//! `finding` read, `write` applies a ChangeSet, `changes` is the log from which indexes catch
//! up, `view` implements `Rows` and `Feed`, `integrity` checks for damage, `damage` defines and repairs it,
//! `rollout` stores counts about the graph.
//!
//! Connections and locks: readers take a connection from a pool, any number at once. There is one writer per
//! process: its own connection behind a mutex, then SQLite's lock between processes.

mod changes;
mod codec;
mod connect;
mod copies;
mod damage;
mod erase;
mod errors;
mod finding;
mod integrity;
mod keys;
mod merges;
mod names;
mod offers;
mod open;
mod readings;
mod registry;
mod rollout;
mod rows;
mod schema;
mod scrub;
mod tables;
mod view;
mod warnings;
mod write;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Backend, Commit, Committed, EdgeEnds, Feed, Home, Integrity, RemovedRow, Repaired, Telemetry};
use crate::model::{ChangeSet, Erasure, ErasurePlan, Error, Node, Result, Revision, Timestamp};
use crate::private;
use crate::rollout::{Credited, Ledger, Measures, Standing};

pub use connect::Options;
pub use copies::{Carried, QUARANTINE, remove_database};
pub use open::refuses_writing;
pub use registry::{Erasing, FILES, TABLES, of_file};

use tables::{Tables, Transaction};
use view::{View, learn_of_erasures};

/// A workspace in one SQLite file.
pub struct SqliteBackend {
    path: PathBuf,
    options: Options,
    store_id: [u8; 16],
    /// Idle connections.
    pool: Mutex<Vec<Tables>>,
    /// Opened by the first write.
    writer: Mutex<Option<Tables>>,
    /// State of the file when the pool's connections were opened. Read-only stores watch it, because their
    /// connections may not notice writes (`connect::is_at_rest`).
    stamp: Mutex<Stamp>,
    /// Opened by the first measures. The last field, so that it is closed last: see `rollout::connect`.
    measures: Mutex<Option<Tables>>,
    /// The revision of the last erasure known to this process: names cached by connections before it are
    /// invalid.
    erased: AtomicU64,
    /// The copy made before this process migrated the database.
    copy: Option<PathBuf>,
}

impl SqliteBackend {
    /// Opens the workspace in a file, and creates it if `options` allow.
    ///
    /// A file or folder that this user may not write to is opened for reading.
    pub fn open(path: &Path, mut options: Options) -> Result<Self> {
        let stamp = stamp(path);
        let (connection, copy) = open::open_where_possible(path, &mut options)?;
        let tables = Tables::new(connection, path);
        let store_id = tables.run("open the database", || tables.store_id())?;
        Ok(Self {
            path: path.to_owned(),
            store_id,
            pool: Mutex::new(vec![tables]),
            writer: Mutex::new(None),
            measures: Mutex::new(None),
            erased: AtomicU64::new(0),
            copy,
            stamp: Mutex::new(stamp),
            options,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// 16 random bytes that identify this store; copies share them.
    pub fn store_id(&self) -> [u8; 16] {
        self.store_id
    }

    /// Whether writes are refused because the file or its folder is not writable.
    pub fn is_read_only(&self) -> bool {
        self.options.read_only
    }

    fn with_tables<T>(&self, act: impl FnOnce(&Tables) -> Result<T>) -> Result<T> {
        if self.options.read_only {
            let now = stamp(&self.path);
            let mut stamp = lock(&self.stamp);
            if *stamp != now {
                *stamp = now;
                lock(&self.pool).clear();
            }
        }
        let pooled = lock(&self.pool).pop();
        let tables = match pooled {
            Some(tables) => tables,
            None => Tables::new(connect::connect(&self.path, &self.options)?, &self.path),
        };
        tables.names.borrow_mut().know_erasure(self.erased.load(Ordering::Acquire));
        let outcome = act(&tables);
        if tables.connection.is_autocommit() {
            lock(&self.pool).push(tables);
        }
        outcome
    }

    /// The copy of the database made before migrating it on opening.
    pub fn copy_made(&self) -> Option<&Path> {
        self.copy.as_deref()
    }

    /// Reads one state of the rows.
    fn read_tables<T>(&self, what: &str, act: impl FnOnce(&Tables) -> rusqlite::Result<T>) -> Result<T> {
        self.with_tables(|tables| {
            tables.run(what, || {
                let read = Transaction::read(tables)?;
                let found = act(tables)?;
                read.commit()?;
                Ok(found)
            })
        })
    }

    fn with_writer<T>(&self, act: impl FnOnce(&Tables) -> Result<T>) -> Result<T> {
        self.refuse_if_read_only()?;
        let mut writer = lock(&self.writer);
        let tables = match &mut *writer {
            Some(tables) => tables,
            none => none.insert(Tables::new(connect::connect(&self.path, &self.options)?, &self.path)),
        };
        act(tables)
    }

    /// Writes what belongs to no revision.
    fn write_telemetry<T>(&self, act: impl FnOnce(&Tables) -> rusqlite::Result<T>) -> Result<T> {
        self.with_writer(|tables| Transaction::run(tables, "write to", || act(tables)))
    }

    fn refuse_if_read_only(&self) -> Result<()> {
        if !self.options.read_only {
            return Ok(());
        }
        let what = format!("write to {}", self.path.display());
        Err(Error::unavailable(
            what,
            "the workspace is read-only: this user may not write to its file or folder",
        )
        .hint("give this user permission to write there, or copy the workspace to another place"))
    }

    fn rows<'a>(&'a self, tables: &'a Tables) -> View<'a> {
        View { tables, erased: &self.erased }
    }
}

/// Length and modification time of the file and of its log.
type Stamp = [Option<(u64, std::time::SystemTime)>; 2];

fn stamp(path: &Path) -> Stamp {
    ["", "-wal"].map(|suffix| {
        let file = std::fs::metadata(private::beside(path, suffix)).ok()?;
        Some((file.len(), file.modified().ok()?))
    })
}

/// Takes a lock and ignores poisoning, because a panicked thread leaves no partial state: its transaction
/// guard rolls back.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for SqliteBackend {
    fn drop(&mut self) {
        if lock(&self.writer).is_some() {
            // A process that wrote memories leaves no log behind: its last connection to close copies it into
            // the database.
            lock(&self.measures).take();
        }
    }
}

impl Backend for SqliteBackend {
    fn home(&self) -> Home {
        Home {
            store_id: self.store_id,
            index: Some(self.options.index_dir(&self.path)),
            read_only: self.options.read_only,
        }
    }

    fn read(&self, act: &mut dyn FnMut(&dyn Feed) -> Result<()>) -> Result<()> {
        self.with_tables(|tables| {
            let read = tables.run("read", || Transaction::read(tables))?;
            act(&self.rows(tables))?;
            tables.run("read", || read.commit())
        })
    }

    fn write(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<ChangeSet>,
        committed: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Commit> {
        self.with_writer(|tables| {
            let transaction = tables.run("write to", || Transaction::write(tables))?;
            learn_of_erasures(tables, &self.erased)?;
            let set = plan(&self.rows(tables))?;
            let before = tables.run("read", || tables.revision())?;
            if set.changes.is_empty() {
                return Ok(Commit { revision: before, changed: false });
            }
            let revision = Revision(before.0 + 1);
            let applied = write::apply(tables, &set, revision)?;
            tables.run("commit to", || transaction.commit())?;
            // From here on the change is durable: nothing below may fail.
            committed(&applied.committed(revision));
            Ok(Commit { revision, changed: true })
        })
    }

    fn integrity(&self) -> Result<Integrity> {
        self.read_tables("check", integrity::check)
    }

    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<Option<ErasurePlan>>,
        committed: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Option<Erasure>> {
        self.with_writer(|tables| self.erase_rows(tables, plan, committed))
    }

    fn scrub(&self, texts: Option<&[String]>) -> Result<u64> {
        self.scrub_files(texts)
    }

    fn finish_erasure(&self, erasure: &Erasure) -> Result<()> {
        self.with_writer(|tables| tables.run("write to", || tables.finish_erasure(erasure)))
    }

    fn repair(&self, now: Timestamp, keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>) -> Result<Repaired> {
        self.with_writer(|tables| {
            damage::refuse_damaged_file(tables)?;
            let transaction = tables.run("write to", || Transaction::write(tables))?;
            let repaired = damage::repair(tables, now, keep)?;
            tables.run("commit to", || transaction.commit())?;
            tables.names.borrow_mut().forget();
            Ok(repaired)
        })
    }

    fn telemetry(&self) -> &dyn Telemetry {
        self
    }
}

impl Telemetry for SqliteBackend {
    fn standing(&self) -> Result<Standing> {
        self.with_tables(|tables| tables.run("read", || tables.standing()))
    }

    fn ledger(&self, width: i64) -> Result<Ledger> {
        self.read_tables("read", |tables| tables.ledger(width))
    }

    fn record(&self, measures: &Measures) -> Result<()> {
        self.refuse_if_read_only()?;
        let mut connection = lock(&self.measures);
        let tables = match &mut *connection {
            Some(tables) => tables,
            none => none.insert(Tables::new(rollout::connect(&self.path, &self.options)?, &self.path)),
        };
        Transaction::run(tables, "write measures to", || tables.record(measures))
    }

    fn set_mode(&self, after: &Standing, before: &Standing) -> Result<bool> {
        self.write_telemetry(|tables| tables.set_mode(after, before))
    }

    fn keep_feedback(&self, credited: &[Credited], good: bool, at: Timestamp) -> Result<()> {
        self.write_telemetry(|tables| tables.keep_feedback(credited, good, at))
    }

    fn edge_ends(&self, now: Timestamp, entities: &[Node]) -> Result<Vec<EdgeEnds>> {
        self.with_tables(|tables| tables.run("read", || tables.edge_ends(now, entities)))
    }
}

/// Turns a store into one of the first format, as written by its program.
#[cfg(test)]
pub(crate) fn make_first_format(path: &Path) {
    let sql = "DROP TABLE next_vector; DROP TABLE reading; DROP TABLE offer;
        DROP INDEX memory_by_forgotten_hash; DELETE FROM meta
        WHERE key = 'next offer'; DROP TABLE entity_type; DROP TABLE merge; DROP TABLE merge_suggestion;
        DROP TABLE rollout_mode; DROP TABLE rollout_count; DROP TABLE rollout_answer;
        DROP TABLE rollout_feedback;
        DROP TABLE rollout_incident; DROP TABLE erasure; DROP TABLE carried; DROP TABLE warning;
        DROP TABLE warning_node; DROP INDEX evidence_by_memory;
        DROP INDEX fact_evidence_by_memory; DROP INDEX memory_by_successor;
        DROP INDEX memory_by_length; DROP INDEX memory_by_title; DROP INDEX edge_by_label; DELETE FROM meta
        WHERE key = 'scrubbed';
        ALTER TABLE source DROP COLUMN metadata; ALTER TABLE source DROP COLUMN from_disk;
        ALTER TABLE fact DROP COLUMN user; ALTER TABLE fact
        DROP COLUMN project; ALTER TABLE fact DROP COLUMN ended_at;
        ALTER TABLE source DROP COLUMN language; DROP INDEX entity_by_key; ALTER TABLE entity DROP COLUMN key;
        DROP INDEX memory_by_rule; DROP INDEX memory_by_expiry; ALTER TABLE memory DROP COLUMN tier;
        ALTER TABLE memory DROP COLUMN expires_at; ALTER TABLE edge DROP COLUMN live; ALTER TABLE entity
        DROP COLUMN live;
        ALTER TABLE entity DROP COLUMN earliest; ALTER TABLE entity DROP COLUMN latest;
        PRAGMA user_version = 1;";
    let connection = rusqlite::Connection::open(path).expect("the store opens");
    connection.execute_batch(sql).expect("the tables of the second format are there");
}
