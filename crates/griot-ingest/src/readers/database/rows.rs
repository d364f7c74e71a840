//! Reads a database of another program, row by row, without writing to it.
//!
//! Nothing in the file is executed: views, triggers and functions of its schema are disabled, and only plain
//! tables are queried, by columns that they have. A damaged file can loop, so steps and text are limited in
//! proportion to the size of the file.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Read;

use griot::model::{Error, Result, Timestamp};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::readers::input::{Batch, Input};
use crate::time;

/// The first bytes of an SQLite database.
pub(super) const MARK: &[u8] = b"SQLite format 3\0";
/// Maximum steps of SQLite's virtual machine: a base, and a number for each byte. Reading a file takes about
/// one step for two bytes.
const STEPS: u64 = 50_000_000;
const STEPS_PER_BYTE: u64 = 20;
/// Steps between two counts.
const STRIDE: i32 = 10_000;
/// Maximum text that rows give: several rows may share a content, but not many times the size of the file.
const TEXT_PER_BYTE: u64 = 4;
const TEXT: u64 = 64 * 1024;
/// What a row counts in addition to its text.
const ROW: u64 = 64;
/// Longest value, if the limit for files is smaller.
const LONGEST: i32 = 1024 * 1024;
/// The bytes that declare a write-ahead log.
const LOG_MODE: std::ops::Range<usize> = 18..20;

pub(super) struct Database {
    connection: Connection,
    /// Names of tables, with those of their columns.
    tables: BTreeMap<String, Vec<String>>,
    /// Remaining bytes that rows may give.
    left: Cell<u64>,
}

impl Database {
    pub(super) fn in_memory(input: &Input, bytes: &[u8]) -> Result<Self> {
        let open = || {
            let mut connection = Connection::open_in_memory()?;
            // A copy has no log, and SQLite would look for it otherwise.
            let mut head = bytes.get(..LOG_MODE.end).unwrap_or(MARK).to_vec();
            if let Some(mode) = head.get_mut(LOG_MODE) {
                mode.fill(1);
            }
            let rest = bytes.get(head.len()..).unwrap_or_default();
            let size = head.len() + rest.len();
            connection.deserialize_read_exact("main", head.as_slice().chain(rest), size, true)?;
            Ok(connection)
        };
        Self::guarded(input, open(), bytes.len() as u64)
    }

    pub(super) fn in_place(input: &Input, size: u64) -> Result<Self> {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::guarded(input, Connection::open_with_flags(address(input.path), flags), size)
    }

    fn guarded(input: &Input, connection: rusqlite::Result<Connection>, size: u64) -> Result<Self> {
        let failed = |error: rusqlite::Error| cannot(input, &error);
        let mut connection = connection.map_err(failed)?;
        for (setting, value) in [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        ] {
            connection.set_db_config(setting, value).map_err(failed)?;
        }
        let longest = i32::try_from(input.max_bytes).unwrap_or(i32::MAX).max(LONGEST);
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest).map_err(failed)?;
        connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0).map_err(failed)?;
        let mut strides = (STEPS + size.saturating_mul(STEPS_PER_BYTE)) / STRIDE as u64;
        let count = move || {
            strides = strides.saturating_sub(1);
            strides == 0
        };
        connection.progress_handler(STRIDE, Some(count)).map_err(failed)?;
        connection.execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON;").map_err(failed)?;
        let tables = tables(&connection).map_err(failed)?;
        let left = Cell::new(size.saturating_mul(TEXT_PER_BYTE).saturating_add(TEXT));
        Ok(Self { connection, tables, left })
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    pub(super) fn has(&self, table: &str, columns: &[&str]) -> bool {
        let known = self.tables.get(table);
        known.is_some_and(|known| columns.iter().all(|column| known.iter().any(|name| name == column)))
    }

    /// Passes each row of a table to `visit`, in the order in which they were written. Columns that the table
    /// does not have are empty. Damage is a problem and ends the table.
    pub(super) fn each(
        &self,
        table: &'static str,
        columns: &'static str,
        batch: &mut Batch,
        visit: &mut dyn FnMut(&Row, &mut Batch) -> Result<()>,
    ) -> Result<()> {
        let Some(known) = self.tables.get(table).filter(|_| self.left.get() > 0) else { return Ok(()) };
        let selected = |column: &str| match known.iter().any(|name| name == column) {
            true => format!("\"{column}\""),
            false => "NULL".to_string(),
        };
        let list: Vec<String> = columns.split(", ").map(selected).collect();
        let mut last = None;
        let mut read = || -> rusqlite::Result<Result<()>> {
            let sql = format!("SELECT rowid, {} FROM \"{table}\"", list.join(", "));
            let mut statement = self.connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let row = Row { table, number: row.get(0)?, columns, row, left: &self.left };
                last = Some(row.number);
                self.left.set(self.left.get().saturating_sub(ROW));
                if let Err(error) = visit(&row, batch) {
                    return Ok(Err(error));
                }
                if self.left.get() == 0 {
                    let why =
                        format!("`{table}` ends at row {}: its rows hold more than the file", row.number);
                    batch.problem(why);
                    break;
                }
            }
            Ok(Ok(()))
        };
        match read() {
            Ok(read) => read,
            Err(error) => {
                let label = last.map_or(format!("`{table}`"), |last| format!("`{table}` after row {last}"));
                batch.problem(format!("{label} cannot be read: {}", message(&error)));
                Ok(())
            }
        }
    }

    /// The text of the one row whose `key` is this.
    pub(super) fn text_of(
        &self,
        table: &'static str,
        key: &'static str,
        column: &'static str,
        value: &str,
    ) -> Result<String, String> {
        let sql = format!("SELECT \"{column}\" FROM \"{table}\" WHERE \"{key}\" = ?1");
        let read = || -> rusqlite::Result<Option<Result<String, String>>> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let mut rows = statement.query([value])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            Ok(Some(words(row.get_ref(0)?, column, &self.left).map(str::to_string)))
        };
        match read() {
            Ok(Some(text)) => text,
            Ok(None) => Err(format!("its text is not in `{table}`")),
            Err(error) => Err(format!("its text cannot be read: {}", message(&error))),
        }
    }
}

pub(super) struct Row<'a> {
    table: &'static str,
    number: i64,
    columns: &'static str,
    row: &'a rusqlite::Row<'a>,
    left: &'a Cell<u64>,
}

impl Row<'_> {
    /// Names the row in problems.
    pub(super) fn label(&self) -> String {
        format!("`{}`, row {}", self.table, self.number)
    }

    fn value(&self, name: &str) -> ValueRef<'_> {
        let at = self.columns.split(", ").position(|column| column == name);
        at.and_then(|at| self.row.get_ref(at + 1).ok()).unwrap_or(ValueRef::Null)
    }

    /// A required text.
    pub(super) fn words(&self, name: &str) -> Result<&str, String> {
        words(self.value(name), name, self.left)
    }

    /// An optional text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.words(name).ok().map(str::trim)
    }

    pub(super) fn number(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            ValueRef::Integer(number) => Some(number),
            ValueRef::Text(_) => self.text(name)?.parse().ok(),
            _ => None,
        }
    }

    pub(super) fn real(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            ValueRef::Real(number) => Some(number),
            ValueRef::Integer(number) => Some(number as f64),
            ValueRef::Text(_) => self.text(name)?.parse().ok(),
            _ => None,
        }
    }

    /// A number from 0 to 1.
    pub(super) fn share(&self, name: &str) -> Option<f32> {
        self.real(name).and_then(share)
    }

    /// The key by which other rows name this one.
    pub(super) fn key(&self, name: &str) -> Option<String> {
        match self.value(name) {
            ValueRef::Integer(number) => Some(number.to_string()),
            _ => self.text(name).map(str::to_string),
        }
    }

    /// Whether the column is not empty.
    pub(super) fn has(&self, name: &str) -> bool {
        !matches!(self.value(name), ValueRef::Null | ValueRef::Text(b""))
    }

    /// The first of these columns that holds a time.
    pub(super) fn time(&self, names: &[&str]) -> Option<Timestamp> {
        names.iter().find_map(|name| match self.value(name) {
            ValueRef::Integer(number) => time::of_value(&number.into()),
            _ => time::parse(self.text(name)?),
        })
    }
}

/// From 0 to 1; `None` if it is not a number.
pub(super) fn share(number: f64) -> Option<f32> {
    (!number.is_nan()).then(|| number.clamp(0.0, 1.0) as f32)
}

fn words<'v>(value: ValueRef<'v>, name: &str, left: &Cell<u64>) -> Result<&'v str, String> {
    let bytes = match value {
        ValueRef::Text(bytes) => bytes,
        ValueRef::Null => return Err(format!("its `{name}` is empty")),
        _ => return Err(format!("its `{name}` is not text")),
    };
    left.set(left.get().saturating_sub(bytes.len() as u64));
    let text = std::str::from_utf8(bytes).map_err(|_| format!("its `{name}` is not UTF-8"))?;
    match text {
        text if text.trim().is_empty() => Err(format!("its `{name}` is empty")),
        text if text.contains('\0') => Err(format!("its `{name}` holds a NUL character")),
        text => Ok(text),
    }
}

/// Plain tables only: listing the columns of others would already run code.
fn tables(connection: &Connection) -> rusqlite::Result<BTreeMap<String, Vec<String>>> {
    let names = "SELECT name FROM sqlite_schema \
                 WHERE type = 'table' AND rootpage > 0 AND sql GLOB 'CREATE TABLE *' \
                 AND name NOT GLOB 'sqlite_*'";
    let mut tables = BTreeMap::new();
    let mut list = connection.prepare(names)?;
    let mut columns = connection.prepare("SELECT name FROM pragma_table_info(?1, 'main')")?;
    let mut rows = list.query([])?;
    while let Some(row) = rows.next()? {
        let table: String = row.get(0)?;
        let names = columns.query_map([&table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        tables.insert(table, names);
    }
    Ok(tables)
}

/// Characters of a path that the URI does not escape.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b':');

/// The URI with which SQLite opens the file without changing anything.
fn address(path: &std::path::Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut address = "file:".to_string();
    if cfg!(windows) {
        address.push('/');
    }
    for &byte in path.as_os_str().as_encoded_bytes() {
        let byte = if cfg!(windows) && byte == b'\\' { b'/' } else { byte };
        address.extend(percent_encode(&[byte], KEPT));
    }
    address + "?mode=ro&immutable=1"
}

fn cannot(input: &Input, error: &rusqlite::Error) -> Error {
    input.error(format!("its database cannot be read: {}", message(error)))
}

/// SQLite's message without the query.
fn message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(code, _) if code.code == rusqlite::ErrorCode::OperationInterrupted => {
            "it is damaged and leads in circles".to_string()
        }
        rusqlite::Error::SqliteFailure(_, Some(why)) => why.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}
