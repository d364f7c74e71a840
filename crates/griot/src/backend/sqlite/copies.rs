//! Complete copies of the database: one before a migration, and backups on request.
//!
//! A copy is written under a temporary name and renamed, so that no partial copy is ever visible. It is a
//! snapshot of one moment, whatever other processes write meanwhile, and contains nothing that was removed
//! earlier.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::{Connection, OpenFlags};

use super::SqliteBackend;
use super::connect::{Options, connect};
use super::errors::from_sqlite;
use super::schema::VERSION;
use crate::model::{Error, ErrorKind, Result};
use crate::private;

/// Suffix of a copy made before a migration, followed by the number of the new format.
const BEFORE: &str = ".before-";
/// Suffix of the file with rows that a repair removed from the database.
pub const QUARANTINE: &str = ".quarantine.jsonl";

/// A file next to the database that its backup contains: its name and its text.
pub type Carried = (String, String);

impl SqliteBackend {
    /// Backs up the current store into one file, with other files of the workspace as rows of the table
    /// `carried`.
    pub fn backup(path: &Path, options: Options, to: &Path, carried: &[Carried]) -> Result<()> {
        let part = private::beside(to, &format!(".part-{}", std::process::id()));
        let write = || {
            copy_into(&connect(path, &options)?, &part, path)?;
            let failed = |error: rusqlite::Error| from_sqlite("write the backup", &part, &error);
            let copy = Connection::open(&part).map_err(failed)?;
            for (name, text) in carried {
                copy.execute("INSERT INTO carried (name, text) VALUES (?1, ?2)", (name, text))
                    .map_err(failed)?;
            }
            copy.close().map_err(|(_, error)| failed(error))
        };
        settle(&part, to, write())
    }

    /// The 16 bytes that identify the store in a file; copies share them. `None` if they cannot be read.
    pub fn store_id_of(database: &Path) -> Option<[u8; 16]> {
        let copy = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        copy.query_row("SELECT value FROM meta WHERE key = 'store'", [], |row| row.get(0)).ok()
    }

    /// The files that a backup contains besides the rows; an error if it is not a backup.
    pub fn carried_by(backup: &Path) -> Result<Vec<Carried>> {
        let failed = |error: rusqlite::Error| from_sqlite("read the backup", backup, &error);
        let what = || format!("read the backup {}", backup.display());
        if !backup.is_file() {
            return Err(Error::not_found(what(), "there is no such file"));
        }
        let copy = Connection::open_with_flags(backup, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
        let version = match super::schema::examine(&copy, backup)? {
            super::schema::Found::Current => VERSION,
            super::schema::Found::Older(version) => version,
            super::schema::Found::Empty => {
                return Err(Error::new(ErrorKind::Corrupt, what(), "it is empty"));
            }
        };
        if version < 5 {
            return Ok(Vec::new());
        }
        let mut statement = copy.prepare("SELECT name, text FROM carried ORDER BY name").map_err(failed)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed)
    }

    /// Removes these files from a database restored from a backup.
    pub fn forget_carried(database: &Path) -> Result<()> {
        let failed = |error: rusqlite::Error| from_sqlite("write to", database, &error);
        let copy = Connection::open(database).map_err(failed)?;
        let there: bool = copy
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'carried'", [], |row| row.get(0))
            .map_err(failed)?;
        if there {
            copy.execute("DELETE FROM carried", []).map_err(failed)?;
        }
        copy.close().map_err(|(_, error)| failed(error))
    }
}

/// Copies a database of an older format to a file named after the new format. `None` if another process has
/// meanwhile migrated it and made the copy.
pub(super) fn copy_before_migration(connection: &Connection, path: &Path) -> Result<Option<PathBuf>> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let to = private::beside(path, &format!("{BEFORE}{VERSION}"));
    let counter = COUNTER.fetch_add(1, Ordering::Relaxed);
    let part = private::beside(path, &format!("{BEFORE}{VERSION}.part-{}-{counter}", std::process::id()));
    copy_into(connection, &part, path).inspect_err(|_| drop(fs::remove_file(&part)))?;
    let version = Connection::open_with_flags(&part, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .and_then(|copy| copy.query_row("PRAGMA user_version", [], |row| row.get::<_, i32>(0)));
    match version {
        Ok(version) if version >= VERSION => {
            let _ = fs::remove_file(&part);
            Ok(None)
        }
        Ok(_) => settle(&part, &to, Ok(())).map(|()| Some(to)),
        Err(error) => settle(&part, &to, Err(from_sqlite("copy", path, &error))).map(|()| None),
    }
}

/// Removes the copies made before migrations, complete or not, and the rows saved by repairs. Returns the
/// number of files.
pub(super) fn remove_copies(path: &Path) -> Result<u64> {
    let mut removed = 0;
    for copy in copies(path) {
        match fs::remove_file(&copy) {
            Ok(()) => removed += 1,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Error::unavailable(
                    format!("remove the copy {}", copy.display()),
                    error.to_string(),
                ));
            }
        }
    }
    Ok(removed)
}

/// Removes a database and all files next to it whose names start with its name.
pub fn remove_database(database: &Path) -> Result<()> {
    let failed = |error: std::io::Error| {
        Error::unavailable(format!("remove {}", database.display()), error.to_string())
    };
    for file in beside_it(database, "") {
        let removed = if file.is_dir() { fs::remove_dir_all(&file) } else { fs::remove_file(&file) };
        removed.or_else(|error| {
            if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(failed(error)) }
        })?;
    }
    Ok(())
}

/// Files next to a database that contain its rows: copies from before migrations, and rows saved by repairs.
fn copies(path: &Path) -> Vec<PathBuf> {
    let mut files = beside_it(path, BEFORE);
    files.extend(beside_it(path, QUARANTINE));
    files
}

/// Files in the database's folder that are named after it, followed by `suffix` and anything else.
fn beside_it(path: &Path, suffix: &str) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Vec::new();
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_meant = |file: &str| file.strip_prefix(name).is_some_and(|rest| rest.starts_with(suffix));
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_meant))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn copy_into(connection: &Connection, part: &Path, path: &Path) -> Result<()> {
    let failed = |error: rusqlite::Error| from_sqlite("copy", path, &error);
    let _ = fs::remove_file(part);
    // SQLite writes into an existing empty file and keeps its permissions, here owner only.
    private::file(part)
        .map_err(|error| Error::unavailable(format!("write {}", part.display()), error.to_string()))?;
    let target = part.to_str().ok_or_else(|| {
        Error::invalid(format!("copy {}", path.display()), "the name of the copy is no Unicode")
    })?;
    connection.execute("VACUUM INTO ?1", [target]).map_err(failed).map(drop)
}

/// Renames a file once it is complete and synced; removes it on failure.
fn settle(part: &Path, to: &Path, written: Result<()>) -> Result<()> {
    let failed =
        |error: std::io::Error| Error::unavailable(format!("write {}", to.display()), error.to_string());
    let settled = written.and_then(|()| {
        fs::File::options().write(true).open(part).and_then(|file| file.sync_all()).map_err(failed)?;
        fs::rename(part, to).map_err(failed)
    });
    if settled.is_err() {
        let _ = fs::remove_file(part);
    }
    settled
}
