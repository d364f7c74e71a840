//! The ledger of a workspace: what language models were asked and what it cost, budgets, and replies that are
//! kept so that nothing is paid twice.
//!
//! It is a file beside the database, because it is no knowledge: losing it loses no memory, and a copy of a
//! workspace has not spent what the original has. A request is written before it is sent, with an estimate,
//! and corrected afterwards. So a process that is killed in between has still counted it, and processes that
//! ask at the same time cannot exceed a budget together.

mod budget;
mod embedders;
mod erase;
mod leases;
mod replies;
mod usage;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use griot::engine::ModelSettings;
use griot::model::{Error, ErrorKind, Result, Timestamp};
use griot::private;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::chat::{Failure, Tokens};

pub use budget::{Run, Spent};
pub(crate) use embedders::KeptEmbedder;
pub use leases::Owner;
pub(crate) use replies::{Kept, QuestionHash};
pub use usage::Usage;

/// What the path of the database has behind it.
const END: &str = ".models";
/// Step `i` goes from version `i` to version `i + 1`.
const STEPS: &[&str] =
    &[include_str!("schema.sql"), include_str!("embedders.sql"), include_str!("leases.sql")];
const VERSION: i64 = STEPS.len() as i64;
const BUSY: Duration = Duration::from_secs(10);

/// The ledger of one workspace.
#[derive(Debug)]
pub struct Ledger {
    connection: Mutex<Connection>,
    path: PathBuf,
}

/// A request that is about to be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned<'a> {
    pub(crate) purpose: &'a str,
    pub(crate) provider: &'a str,
    pub(crate) model: &'a str,
    pub(crate) estimate: Tokens,
    /// How long other writers of the ledger are waited for.
    pub(crate) wait: Duration,
}

/// A request in the ledger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    id: i64,
    estimate: Tokens,
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Done(Tokens),
    Failed(&'static str, Tokens),
}

impl Ledger {
    /// The ledger of the workspace with this database.
    pub fn for_database(database: &Path) -> Result<Self> {
        Self::open(&private::beside(database, END))
    }

    /// The same for readers: `None` if no model was ever asked.
    pub fn find(database: &Path) -> Result<Option<Self>> {
        let path = private::beside(database, END);
        path.exists().then(|| Self::open(&path)).transpose()
    }

    fn open(path: &Path) -> Result<Self> {
        let what = format!("open the ledger of language models in `{}`", path.display());
        // If this fails, opening fails with a better error.
        let _ = private::create(path);
        let (connection, version) = connect(path).map_err(|error| cannot(&what, &error))?;
        if version != VERSION {
            let why = format!("the file has version {version}, and this griot supports up to {VERSION}");
            return Err(Error::unavailable(what, why).hint("use the griot that wrote it"));
        }
        Ok(Self { connection: Mutex::new(connection), path: path.to_path_buf() })
    }

    /// Writes that a request is about to be sent, unless it would exceed a budget.
    pub(crate) fn begin(
        &self,
        settings: &ModelSettings,
        run: &Run,
        planned: Planned<'_>,
    ) -> Result<Entry, Failure> {
        let cost = cost(settings, planned.estimate);
        run.take(settings, planned.estimate, cost)?;
        let day = day_of(run.now);
        let begun = self.change_within(planned.wait.min(BUSY), "write the ledger", |transaction| {
            if let Some(over) = budget::over_day(transaction, settings, day, planned.estimate, cost)? {
                return Ok(Err(over));
            }
            transaction.execute(
                "INSERT INTO call (at, day, purpose, provider, model, state, input, output, cost)
                 VALUES (?1, ?2, ?3, ?4, ?5, 'begun', ?6, ?7, ?8)",
                params![
                    run.now.0,
                    day,
                    planned.purpose,
                    planned.provider,
                    planned.model,
                    signed(planned.estimate.input),
                    signed(planned.estimate.output),
                    cost,
                ],
            )?;
            Ok(Ok(Entry { id: transaction.last_insert_rowid(), estimate: planned.estimate }))
        });
        let begun = begun.map_err(Failure::from).and_then(|begun| begun);
        if begun.is_err() {
            run.give_back(planned.estimate, cost);
        }
        begun
    }

    /// Writes how a request ended.
    pub(crate) fn end(
        &self,
        settings: &ModelSettings,
        run: &Run,
        entry: Entry,
        end: End,
    ) -> Result<(), Failure> {
        let (state, why, tokens) = match end {
            End::Done(tokens) => ("done", None, tokens),
            End::Failed(why, tokens) => ("failed", Some(why), tokens),
        };
        let cost_now = cost(settings, tokens);
        run.correct(entry.estimate, cost(settings, entry.estimate), tokens, cost_now);
        Ok(self.change("write the ledger", |transaction| {
            let sql =
                "UPDATE call SET state = ?2, why = ?3, input = ?4, output = ?5, cost = ?6 WHERE id = ?1";
            let (input, output) = (signed(tokens.input), signed(tokens.output));
            transaction.execute(sql, params![entry.id, state, why, input, output, cost_now]).map(drop)
        })?)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, what: &str, act: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T> {
        self.change_within(BUSY, what, act)
    }

    /// Waits for other writers no longer than this.
    fn change_within<T>(
        &self,
        wait: Duration,
        what: &str,
        act: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let failed = |error: rusqlite::Error| {
            let error = cannot(what, &error);
            Error { what: format!("{} `{}`", error.what, self.path.display()), ..error }
        };
        let connection = self.connection();
        connection.busy_timeout(wait).map_err(failed)?;
        let transaction =
            Transaction::new_unchecked(&connection, TransactionBehavior::Immediate).map_err(failed)?;
        let done = act(&transaction).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

/// Opens the file, makes the tables that it lacks, and returns its version.
fn connect(path: &Path) -> rusqlite::Result<(Connection, i64)> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // Few writes, each beside a request that takes much longer: a rollback journal leaves no second file in
    // which erased replies could stay.
    connection.execute_batch(
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
         PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;",
    )?;
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0));
    let found: i64 = version(&connection)?;
    if found >= VERSION {
        return Ok((connection, found));
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = version(&transaction)?;
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    if found < VERSION {
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()?;
    Ok((connection, found.max(VERSION)))
}

/// Days since 1970, in UTC.
fn day_of(at: Timestamp) -> i64 {
    at.0.div_euclid(Timestamp::DAY)
}

/// Millionths of the currency, since prices are for a million tokens; `None` without a price.
fn cost(settings: &ModelSettings, tokens: Tokens) -> Option<i64> {
    let has_price = settings.input_price > 0.0 || settings.output_price > 0.0;
    // Of the tokens that the row holds.
    let (input, output) = (signed(tokens.input) as f64, signed(tokens.output) as f64);
    let cost = input * settings.input_price + output * settings.output_price;
    let share = if tokens.flex { settings.flex_price } else { 1.0 };
    has_price.then_some((cost * share).ceil() as i64)
}

/// For a column. What a server counts may be any number; a sum of such rows must not overflow.
fn signed(count: u64) -> i64 {
    const MOST: u64 = 1 << 40;
    count.min(MOST) as i64
}

fn cannot(what: &str, error: &rusqlite::Error) -> Error {
    let kind = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => ErrorKind::Conflict,
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        _ => ErrorKind::Unavailable,
    };
    let error = Error::new(kind, what, error.to_string());
    match kind {
        ErrorKind::Conflict => error.hint("try again: another process writes it"),
        _ => error,
    }
}
