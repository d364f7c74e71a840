//! SQLite databases of other memory programs, recognised by their tables.
//!
//! - `rows`: opens and reads a database without trusting it
//! - `relation`: edges between rows, as edges between their drafts
//! - `clawmem`, `mnemon`: the tables of one program

mod clawmem;
mod mnemon;
mod relation;
mod rows;

use griot::model::{Error, Result};
use griot::private;

use crate::readers::input::{Batch, Input};
use crate::readers::reader::{Full, Read, Reader};
use rows::{Database, MARK};

pub(crate) const READER: Reader = Reader {
    name: "sqlite",
    mime: "application/vnd.sqlite3",
    summary: "the database of Mnemon (`mnemon.db`) or ClawMem (`index.sqlite`), to name",
    magic: |head| head.bytes.starts_with(MARK),
    read: |_| Read::Database,
    ..Reader::BASE
};

/// The bytes that identify the program of a file, and what Griot writes there.
const PROGRAM: std::ops::Range<usize> = 68..72;
const GRIOT: &[u8] = b"Grio";
/// How many tables of an unknown database are named.
const NAMED: usize = 6;

pub(crate) fn read_bytes(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    check(batch.input, bytes)?;
    read(&Database::in_memory(batch.input, bytes)?, batch, &mut |_| Ok(()))
}

/// Reads a database of any size from its file. `head` is its beginning; after each row, `full` may take what
/// is in the batch.
pub(crate) fn read_file(head: &[u8], size: u64, batch: &mut Batch, full: &mut Full) -> Result<()> {
    check(batch.input, head)?;
    read(&Database::in_place(batch.input, size)?, batch, full)
}

fn check(input: &Input, head: &[u8]) -> Result<()> {
    if head.get(PROGRAM) == Some(GRIOT) {
        let why = "it is a workspace of Griot itself, which is opened and not read";
        return Err(input.error(why).hint("griot export, and griot import where its memories shall go"));
    }
    Ok(())
}

fn read(database: &Database, batch: &mut Batch, full: &mut Full) -> Result<()> {
    unmerged(batch);
    if clawmem::is_one(database) {
        return clawmem::read(database, batch, full);
    }
    if mnemon::is_one(database) {
        return mnemon::read(database, batch, full);
    }
    Err(unknown(database, batch))
}

fn unknown(database: &Database, batch: &Batch) -> Error {
    let mut names: Vec<String> = database.tables().take(NAMED).map(|name| format!("`{name}`")).collect();
    if database.tables().count() > NAMED {
        names.push("others".to_string());
    }
    let tables = if names.is_empty() { "no tables".to_string() } else { names.join(", ") };
    let why = format!("it is a database of a program that is not known: it holds {tables}");
    batch
        .error(why)
        .hint("write the rows that matter into a file, such as with sqlite3 -csv, and ingest that")
}

/// Warns if the last writes are in a write-ahead log beside the database, which is not read.
fn unmerged(batch: &mut Batch) {
    let input = batch.input;
    if !input.is_file {
        return;
    }
    let log = private::beside(input.path, "-wal");
    if std::fs::metadata(log).is_ok_and(|data| data.len() > 0) {
        let why = "what its program wrote last stands in the file `-wal` beside it, and was not read";
        let hint = format!("end the program, or: sqlite3 '{}' 'PRAGMA wal_checkpoint(TRUNCATE)'", input.name);
        batch.report(input.error(why).hint(hint));
    }
}
