//! Which database is ours, and how an older one becomes a current one.
//!
//! `application_id` says that a file is a Griot store; `user_version` counts the migrations that ran. Each
//! migration is one SQL file and one transaction under the writer's lock, so that eight processes that open a
//! new file at once run it once, and a crash leaves it run or not run.

use std::path::Path;

use rusqlite::Connection;

use super::errors::from_sqlite;
use super::keys::give_keys;
use crate::model::{Error, ErrorKind, Result};

/// "Grio" in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x4772_696F;

/// Migration `i` leads from version `i` to version `i + 1`.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
];

/// The version from which on entities have keys.
const KEYED: usize = 5;

pub(super) const VERSION: i32 = MIGRATIONS.len() as i32;

/// What a file turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// Nothing in it yet.
    Empty,
    /// A store that migrations have to bring up to date.
    Older(i32),
    Current,
}

/// Looks at the file without changing it; refuses what is not ours or too new.
pub(super) fn examine(connection: &Connection, path: &Path) -> Result<Found> {
    let failed = |error: rusqlite::Error| from_sqlite("open the database", path, &error);
    let pragma = |name: &str| -> Result<i32> {
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).map_err(failed)
    };
    let what = || format!("open the database {}", path.display());
    // One moment for all that is read: another process may be making the store right now.
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

/// Brings the file to [`VERSION`]. Must hold the writer's lock: the caller began the transaction and commits
/// it.
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
        // From its first page on, what is removed from this file is overwritten (`erase.rs`).
        connection.execute("INSERT INTO meta (key, value) VALUES ('scrubbed', 1)", [])?;
        for key in ["memory", "entity", "source", "edge", "fact"] {
            connection.execute("INSERT INTO meta (key, value) VALUES (?1, 1)", [format!("next {key}")])?;
        }
    }
    Ok(())
}
