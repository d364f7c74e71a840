//! Opens a path: checks it and its permissions, and brings the file to the current format.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::connect::{Options, connect};
use super::copies::copy_before_migration;
use super::errors::{from_sqlite, is_busy};
use super::schema::{Found, examine, migrate};
use crate::model::{Error, ErrorKind, Result};
use crate::private;

/// Opens the file for writing, or read-only if writing is impossible; `options` then record it. Also returns
/// the copy made if the store had an older format.
pub(super) fn open_where_possible(
    path: &Path,
    options: &mut Options,
) -> Result<(Connection, Option<PathBuf>)> {
    let opened = open_store(path, options);
    if options.read_only || !path.is_file() {
        return opened;
    }
    let is_writable = match &opened {
        // SQLite opens a write-protected file read-only by itself.
        Ok((connection, _)) => !connection.is_readonly(rusqlite::MAIN_DB).unwrap_or(false),
        Err(_) => !refuses_writing(path),
    };
    if is_writable {
        return opened;
    }
    drop(opened);
    options.read_only = true;
    open_store(path, options)
}

/// Whether this user may not write to the file or its folder.
pub fn refuses_writing(path: &Path) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let is_refusal = |error: std::io::Error| matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem);
    if std::fs::File::options().append(true).open(path).is_err_and(is_refusal) {
        return true;
    }
    // SQLite needs a log next to the file. A unique name avoids a clash with existing files.
    let beside = private::beside(path, &format!("-probe-{}", std::process::id()));
    match std::fs::File::options().write(true).create_new(true).open(&beside) {
        Ok(_) => {
            // If removal fails, an empty file stays.
            let _ = std::fs::remove_file(&beside);
            false
        }
        Err(error) => is_refusal(error),
    }
}

/// Opens the file and migrates it to the current format. Also returns the copy made if the store had an older
/// format.
fn open_store(path: &Path, options: &Options) -> Result<(Connection, Option<PathBuf>)> {
    check_path(path, options)?;
    if options.create && !options.read_only {
        // SQLite gives its other files the permissions of the database. If creation fails here, SQLite
        // reports a better error.
        let _ = private::create(path);
    }
    let connection = connect(path, options)?;
    let failed = |error: rusqlite::Error| from_sqlite("open the database", path, &error);
    let deadline = Instant::now() + Duration::from_millis(options.busy_timeout_ms);
    // Two statements fail at once, without waiting, while another process runs them: the switch to WAL, and
    // the first transaction on a new file. SQLite's busy timeout does not cover them and there is no event to
    // wait for, so they are retried every 2 ms.
    loop {
        match prepare(&connection, path, options) {
            Ok(prepared) => return Ok((connection, prepared?)),
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(failed(error)),
        }
    }
}

/// Returns the copy that it made. The outer errors may pass; the inner ones are final.
fn prepare(
    connection: &Connection,
    path: &Path,
    options: &Options,
) -> rusqlite::Result<Result<Option<PathBuf>>> {
    // Read the file once on its own, to distinguish "busy" from "not a store".
    connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i32>(0))?;
    let found = match examine(connection, path) {
        Ok(Found::Current) => return Ok(Ok(None)),
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    if options.read_only {
        let why = match found {
            Found::Older(version) => format!("it has format {version} and must be brought up to date first"),
            _ => "it is empty".to_owned(),
        };
        let error = Error::new(
            ErrorKind::Unavailable,
            format!("open the database {} for reading", path.display()),
            why,
        )
        .hint("open it once with permission to write");
        return Ok(Err(error));
    }
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        let error = Error::unavailable(
            format!("open the database {}", path.display()),
            format!("its file system does not allow write-ahead logging (journal mode {mode})"),
        )
        .hint("put the workspace on a local disk with GRIOT_HOME or --db");
        return Ok(Err(error));
    }
    let copy = match found {
        Found::Older(_) => match copy_before_migration(connection, path) {
            Ok(copy) => copy,
            Err(error) => return Ok(Err(error)),
        },
        _ => None,
    };
    connection.execute_batch("BEGIN IMMEDIATE")?;
    // Another process may have migrated the file while this one waited for the lock.
    let migrated = match examine(connection, path) {
        Ok(Found::Current) => Ok(Ok(copy)),
        Ok(Found::Empty) => migrate(connection, 0).map(|()| Ok(copy)),
        Ok(Found::Older(version)) => migrate(connection, version).map(|()| Ok(copy)),
        Err(error) => Ok(Err(error)),
    };
    let outcome = match migrated {
        Ok(Ok(copy)) => connection.execute_batch("COMMIT").map(|()| Ok(copy)),
        failed => failed,
    };
    if !connection.is_autocommit() {
        // Report the first error; an open transaction ends with the connection at the latest.
        let _ = connection.execute_batch("ROLLBACK");
    }
    outcome
}

/// Checks a path first, because SQLite would only report "unable to open".
fn check_path(path: &Path, options: &Options) -> Result<()> {
    let what = || format!("open the database {}", path.display());
    if path.is_dir() {
        return Err(Error::invalid(what(), "it is a directory").hint("name a file inside it"));
    }
    if path.exists() {
        return Ok(());
    }
    if !options.create || options.read_only {
        return Err(
            Error::not_found(what(), "there is no such file").hint("griot workspace lists what there is")
        );
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => private::folder(parent).map_err(|error| {
            Error::unavailable(what(), format!("its directory cannot be made: {error}"))
                .hint("name another place with GRIOT_HOME or --db")
        }),
        _ => Ok(()),
    }
}
