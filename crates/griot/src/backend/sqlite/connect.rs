//! Connections to a file: options and SQLite settings.
//!
//! The busy timeout is set before the first statement, so that nothing fails only because another process is
//! active. WAL lets readers continue during a write; `synchronous` FULL makes an acknowledged commit durable.

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::errors::from_sqlite;
use crate::model::Result;
use crate::private::beside;

/// Options for opening a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Create the file, and the directories above it, if it does not exist.
    pub create: bool,
    pub read_only: bool,
    /// How long to wait for another writer, in milliseconds.
    pub busy_timeout_ms: u64,
    /// The folder of index snapshots; `None` is the path of the database with `.index` appended.
    pub index_dir: Option<PathBuf>,
    /// Sync to disk at each commit. Without it a power failure may lose the last commits, but never damages
    /// the store.
    pub sync_full: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { create: true, read_only: false, busy_timeout_ms: 5000, index_dir: None, sync_full: true }
    }
}

impl Options {
    pub(super) fn index_dir(&self, path: &Path) -> PathBuf {
        self.index_dir.clone().unwrap_or_else(|| beside(path, ".index"))
    }
}

/// Opens a checked file with the settings of this back end.
pub(super) fn connect(path: &Path, options: &Options) -> Result<Connection> {
    let failed = |error: rusqlite::Error| from_sqlite("open the database", path, &error);
    let access = match (options.read_only, options.create) {
        (true, _) => OpenFlags::SQLITE_OPEN_READ_ONLY,
        (false, true) => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        (false, false) => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let access = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if options.read_only && is_at_rest(path) {
        Connection::open_with_flags(at_rest(path), access | OpenFlags::SQLITE_OPEN_URI)
    } else {
        Connection::open_with_flags(path, access)
    };
    let connection = connection.map_err(failed)?;
    // The default of 1,000 pages copies the log into the database at every commit of a batch, with two more
    // syncs; 8,192 pages (32 MB) spread that cost over several commits.
    let settings = format!(
        "PRAGMA busy_timeout = {};
         PRAGMA synchronous = {};
         PRAGMA foreign_keys = ON;
         PRAGMA secure_delete = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA wal_autocheckpoint = 8192;
         PRAGMA cache_size = -32768;
         PRAGMA mmap_size = 134217728;",
        options.busy_timeout_ms.min(i32::MAX as u64),
        if options.sync_full { "FULL" } else { "NORMAL" },
    );
    connection.execute_batch(&settings).map_err(failed)?;
    // Holds every statement of this back end; the default of 16 would prepare some repeatedly.
    connection.set_prepared_statement_cache_capacity(128);
    // Plans must not depend on bound values: with the planner's statistics compiled in, SQLite would
    // otherwise prepare a statement again at each call, which was 40 % of a recall.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
    Ok(connection)
}

/// Whether no write-ahead log exists: the file is complete and not open for writing anywhere.
pub(super) fn is_at_rest(path: &Path) -> bool {
    let length = |suffix| std::fs::metadata(beside(path, suffix)).map_or(0, |file| file.len());
    length("-wal") == 0
}

/// A URI with which SQLite creates neither log nor lock, as a read-only folder requires. Readers must then
/// check for changes to the file themselves (`SqliteBackend::with_tables`), because SQLite does not.
fn at_rest(path: &Path) -> String {
    let mut escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    if cfg!(windows) {
        escaped = escaped.replace('\\', "/");
    }
    let root = if cfg!(windows) && path.is_absolute() { "/" } else { "" };
    format!("file:{root}{escaped}?immutable=1")
}
