//! Identifies a Griot database and migrates older formats.
//!
//! `application_id` marks a file as a Griot store; `user_version` counts the migrations that ran. Each
//! migration is one SQL file and one transaction under the writer's lock, so that eight processes opening a
//! new file at once run it once, and a crash leaves it either applied or not.

use std::path::Path;

use rusqlite::Connection;

use super::errors::from_sqlite;
use super::keys::give_keys;
use crate::model::{Error, ErrorKind, Result};

/// "Grio" in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x4772_696F;

/// Migration `i` goes from version `i` to version `i + 1`.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
    include_str!("migrations/0006.sql"),
    include_str!("migrations/0007.sql"),
    include_str!("migrations/0008.sql"),
    include_str!("migrations/0009.sql"),
    include_str!("migrations/0010.sql"),
];

/// The first version in which entities have keys.
const KEYED: usize = 5;

pub(super) const VERSION: i32 = MIGRATIONS.len() as i32;

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The file is empty.
    Empty,
    /// A store that needs migrations.
    Older(i32),
    Current,
}

/// Examines the file without changing it; refuses other databases and newer formats.
pub(super) fn examine(connection: &Connection, path: &Path) -> Result<Found> {
    let failed = |error: rusqlite::Error| from_sqlite("open the database", path, &error);
    let pragma = |name: &str| -> Result<i32> {
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).map_err(failed)
    };
    let what = || format!("open the database {}", path.display());
    // Read a consistent state: another process may be creating the store.
    let _moment =
        connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose().map_err(failed)?;
    let application = pragma("application_id")?;
    let version = pragma("user_version")?;
    if application == APPLICATION_ID {
        return match version {
            VERSION => Ok(Found::Current),
            older if older < VERSION => Ok(Found::Older(older)),
            newer => Err(Error::new(
                ErrorKind::Corrupt,
                what(),
                format!("it was written by a newer Griot (format {newer}; this one knows {VERSION})"),
            )
            .hint("update griot, or name another file with --db")),
        };
    }
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed)?;
    if application == 0 && version == 0 && tables == 0 {
        return Ok(Found::Empty);
    }
    Err(Error::invalid(what(), "it is the database of another program").hint("name another file with --db"))
}

/// Migrates the file to [`VERSION`]. The caller began a transaction with the writer's lock and commits it.
pub(super) fn migrate(connection: &Connection, from: i32) -> rusqlite::Result<()> {
    for (position, sql) in MIGRATIONS.iter().enumerate().skip(from.max(0) as usize) {
        connection.execute_batch(sql)?;
        if position + 1 == KEYED {
            give_keys(connection)?;
        }
        connection.pragma_update(None, "user_version", position as i32 + 1)?;
    }
    if from == 0 {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.execute("INSERT INTO meta (key, value) VALUES ('store', randomblob(16))", [])?;
        // A new file overwrites removed data from its first page on (`erase.rs`).
        connection.execute("INSERT INTO meta (key, value) VALUES ('scrubbed', 1)", [])?;
        for key in ["memory", "entity", "source", "edge", "fact"] {
            connection.execute("INSERT INTO meta (key, value) VALUES (?1, 1)", [format!("next {key}")])?;
        }
    }
    Ok(())
}
