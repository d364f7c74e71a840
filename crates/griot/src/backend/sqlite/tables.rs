//! One connection with its caches: the path for messages and the names looked up.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use rusqlite::types::FromSql;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Params, Row};

use super::errors::from_sqlite;
use super::names::Names;
use crate::model::{Error, ErrorKind, Result, Revision};

pub(super) struct Tables {
    pub connection: Connection,
    pub names: RefCell<Names>,
    path: PathBuf,
}

impl Tables {
    pub fn new(connection: Connection, path: &Path) -> Self {
        Self { connection, names: RefCell::default(), path: path.to_owned() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs statements; on failure the error names their purpose: `what` completes "cannot … <path>".
    pub fn run<T>(&self, what: &str, statements: impl FnOnce() -> rusqlite::Result<T>) -> Result<T> {
        statements().map_err(|error| self.error(what, &error))
    }

    pub fn error(&self, what: &str, error: &rusqlite::Error) -> Error {
        from_sqlite(what, &self.path, error)
    }

    /// The error for a change that this program should not have made.
    pub fn bug(&self, what: &str, why: impl Into<String>) -> Error {
        Error::new(ErrorKind::Bug, format!("{what} {}", self.path.display()), why)
    }

    pub fn cached(&self, sql: &str) -> rusqlite::Result<CachedStatement<'_>> {
        self.connection.prepare_cached(sql)
    }

    pub fn execute(&self, sql: &str, params: impl Params) -> rusqlite::Result<usize> {
        self.cached(sql)?.execute(params)
    }

    /// The first column of the first row.
    pub fn one<T: FromSql>(&self, sql: &str, params: impl Params) -> rusqlite::Result<Option<T>> {
        self.cached(sql)?.query_row(params, |row| row.get(0)).optional()
    }

    /// The first column of the first row; false without one.
    pub fn is(&self, sql: &str, params: impl Params) -> rusqlite::Result<bool> {
        Ok(self.one(sql, params)?.unwrap_or(false))
    }

    /// The first column of all rows.
    pub fn all<T: FromSql>(&self, sql: &str, params: impl Params) -> rusqlite::Result<Vec<T>> {
        self.map(sql, params, |row| row.get(0))
    }

    /// All rows; an error if one is unreadable.
    pub fn map<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.cached(sql)?.query_map(params, read)?.collect()
    }

    /// All readable rows.
    pub fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let mut found = Vec::new();
        self.each(sql, params, read, |row| found.push(row))?;
        Ok(found)
    }

    /// Passes on all readable rows.
    pub fn each<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
        sink: impl FnMut(T),
    ) -> rusqlite::Result<()> {
        let mut statement = self.cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut sink = sink;
        while let Some(row) = rows.next()? {
            readable(read(row))?.into_iter().for_each(&mut sink);
        }
        Ok(())
    }

    /// For each key the first row, if there is one that is readable. The statement is prepared once.
    pub fn row_of_each<T>(
        &self,
        sql: &str,
        keys: impl Iterator<Item = u32>,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let mut keys = keys.peekable();
        if keys.peek().is_none() {
            return Ok(Vec::new());
        }
        let mut statement = self.cached(sql)?;
        let mut found = Vec::with_capacity(keys.size_hint().1.unwrap_or_default());
        for key in keys {
            let mut rows = statement.query([key])?;
            if let Some(row) = rows.next()? {
                found.extend(readable(read(row))?);
            }
        }
        Ok(found)
    }

    /// The first row, if it is readable.
    pub fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Option<T>> {
        Ok(self.rows(sql, params, read)?.into_iter().next())
    }

    pub fn name(&self, number: u32) -> rusqlite::Result<Option<String>> {
        match number {
            0 => Ok(None),
            number => self.names.borrow_mut().text(&self.connection, number).map(Some),
        }
    }

    /// The name in a column that requires one; 0 is the empty string.
    pub fn word(&self, number: u32) -> rusqlite::Result<String> {
        Ok(self.name(number)?.unwrap_or_default())
    }

    pub fn find_name(&self, text: &str) -> rusqlite::Result<Option<u32>> {
        self.names.borrow_mut().find(&self.connection, text)
    }

    /// 0 for the empty string.
    pub fn find_label(&self, text: &str) -> rusqlite::Result<Option<u32>> {
        if text.is_empty() { Ok(Some(0)) } else { self.find_name(text) }
    }

    /// 0 for `None`.
    pub fn intern(&self, text: Option<&str>) -> rusqlite::Result<u32> {
        match text {
            None => Ok(0),
            Some(text) => self.names.borrow_mut().intern(&self.connection, text),
        }
    }

    /// 0 for the empty string.
    pub fn intern_label(&self, text: &str) -> rusqlite::Result<u32> {
        self.intern(Some(text).filter(|text| !text.is_empty()))
    }

    pub fn revision(&self) -> rusqlite::Result<Revision> {
        // `max()` of no rows is one row with NULL.
        let last: Option<Option<i64>> = self.one("SELECT max(revision) FROM change", [])?;
        Ok(Revision(last.flatten().unwrap_or(0) as u64))
    }

    pub fn store_id(&self) -> rusqlite::Result<[u8; 16]> {
        self.cached("SELECT value FROM meta WHERE key = 'store'")?.query_row([], |row| row.get(0))
    }
}

/// A row, or `None` if it does not hold what this program writes there. Readers skip such rows, so that
/// damage to one does not block others; `damage` finds and repairs them.
pub(super) fn readable<T>(read: rusqlite::Result<T>) -> rusqlite::Result<Option<T>> {
    use rusqlite::Error::*;
    match read {
        Ok(value) => Ok(Some(value)),
        // The last case is a number missing from the table of names.
        Err(
            FromSqlConversionFailure(..)
            | IntegralValueOutOfRange(..)
            | InvalidColumnType(..)
            | Utf8Error(..)
            | QueryReturnedNoRows,
        ) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A finite floating-point number.
pub(super) fn finite(row: &Row<'_>, column: usize) -> rusqlite::Result<f32> {
    let value: f32 = row.get(column)?;
    if value.is_finite() { Ok(value) } else { Err(unreadable("a number")) }
}

/// SQL that is true if both nodes of a row exist; the columns are qualified by their table.
macro_rules! nodes_exist {
    ($($column:literal),+) => {
        concat!("1", $(
            " AND CASE ", $column, " & 1 WHEN 0 THEN EXISTS (SELECT 1 FROM memory x
                WHERE x.number = ", $column,
            " >> 1) ELSE EXISTS (SELECT 1 FROM entity x WHERE x.number = ", $column, " >> 1) END"
        ),+)
    };
}
pub(super) use nodes_exist;

/// A column that does not hold what this program writes there.
pub(super) fn unreadable(what: &'static str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, what.into())
}

/// A transaction; rolled back unless it is committed.
pub(super) struct Transaction<'a> {
    tables: &'a Tables,
    /// False inside a transaction of the caller, which already provides a consistent state.
    is_own: bool,
}

impl<'a> Transaction<'a> {
    /// Reads one state of the rows.
    pub(super) fn read(tables: &'a Tables) -> rusqlite::Result<Self> {
        let is_own = tables.connection.is_autocommit();
        if is_own {
            tables.execute("BEGIN", [])?;
        }
        Ok(Self { tables, is_own })
    }

    /// Holds the writer's lock.
    pub(super) fn write(tables: &'a Tables) -> rusqlite::Result<Self> {
        tables.execute("BEGIN IMMEDIATE", [])?;
        Ok(Self { tables, is_own: true })
    }

    pub(super) fn commit(self) -> rusqlite::Result<()> {
        if self.is_own { self.tables.execute("COMMIT", []).map(drop) } else { Ok(()) }
    }

    /// Commits what `act` writes, unless it fails.
    pub(super) fn run<T>(
        tables: &Tables,
        what: &str,
        act: impl FnOnce() -> rusqlite::Result<T>,
    ) -> Result<T> {
        tables.run(what, || {
            let transaction = Transaction::write(tables)?;
            let outcome = act()?;
            transaction.commit()?;
            Ok(outcome)
        })
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.is_own && !self.tables.connection.is_autocommit() {
            // Report the original error. If the rollback fails too, the next `BEGIN` does.
            let _ = self.tables.execute("ROLLBACK", []);
            self.tables.names.borrow_mut().forget();
        }
    }
}
