//! The log of recalls: what was asked, by whom, and which memories were given. Off unless `log.recalls` is
//! set.
//!
//! It is a file beside the database, because it is no knowledge. A recall passes its entry to a thread that
//! writes it, so that a full disk, a locked or a damaged file never fails or delays an answer: entries that
//! cannot be written are lost.

mod erase;
mod writer;

use std::path::Path;
use std::time::Duration;

use griot::model::{Error, ErrorKind, Handle, Mark, MemoryId, Result, Timestamp};
use griot::private;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use uuid::Uuid;

pub use writer::{flush, log};

/// What the path of the database has behind it.
const END: &str = ".recalls";
const VERSION: i64 = 1;
const SCHEMA: &str = include_str!("schema.sql");
/// How long other processes that write the file are waited for.
const BUSY: Duration = Duration::from_secs(5);
/// The most entries that are kept, whatever their age.
const MOST: i64 = 10_000;
/// The most characters of a question that are kept.
const QUESTION: usize = 4000;

/// A recall that was answered.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedRecall {
    pub at: Timestamp,
    /// The program that asked, by the name that it gives itself.
    pub agent: Option<String>,
    /// Id of the key.
    pub key: Option<String>,
    pub user: Option<String>,
    pub project: Option<String>,
    pub question: String,
    /// The strategy that answered.
    pub strategy: String,
    pub milliseconds: f64,
    /// In their order; none if the recall was silent.
    pub given: Vec<Given>,
    /// Entities that the question names, as hashes; only for erasures.
    pub named: Vec<Mark>,
}

/// A memory of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    pub memory: MemoryId,
    pub handle: Handle,
    pub score: f32,
}

/// Which entries are listed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wish<'a> {
    pub agent: Option<&'a str>,
    pub user: Option<&'a str>,
    pub project: Option<&'a str>,
    pub before: Option<Timestamp>,
    pub limit: usize,
}

/// The log of one workspace.
#[derive(Debug)]
pub struct RecallLog {
    connection: Connection,
}

impl RecallLog {
    /// `None` if nothing was ever logged.
    pub fn find(database: &Path) -> Result<Option<Self>> {
        let path = private::beside(database, END);
        path.exists().then(|| Self::open(&path)).transpose()
    }

    fn for_database(database: &Path) -> Result<Self> {
        Self::open(&private::beside(database, END))
    }

    fn open(path: &Path) -> Result<Self> {
        let what = format!("open the log of recalls in `{}`", path.display());
        // If this fails, opening fails with a better error.
        let _ = private::create(path);
        let (connection, version) = connect(path).map_err(|error| cannot(&what, &error))?;
        if version != VERSION {
            let why = format!("the file has version {version}, and this griot supports up to {VERSION}");
            return Err(Error::unavailable(what, why).hint("use the griot that wrote it, or remove the file"));
        }
        Ok(Self { connection })
    }

    /// The latest first.
    pub fn list(&self, wish: &Wish<'_>) -> Result<Vec<LoggedRecall>> {
        self.read(wish).map_err(|error| cannot("read the log of recalls", &error))
    }

    fn read(&self, wish: &Wish<'_>) -> rusqlite::Result<Vec<LoggedRecall>> {
        // One state for entries and what they gave.
        let moment = self.connection.unchecked_transaction()?;
        let mut entries = moment.prepare(
            "SELECT id, at, agent, key, user, project, question, strategy, took FROM recall
             WHERE (?1 IS NULL OR agent = ?1) AND (?2 IS NULL OR user = ?2)
               AND (?3 IS NULL OR project = ?3) AND (?4 IS NULL OR at < ?4)
             ORDER BY at DESC, id DESC LIMIT ?5",
        )?;
        let mut given =
            moment.prepare("SELECT memory, handle, score FROM given WHERE recall = ?1 ORDER BY rank")?;
        let limit = i64::try_from(wish.limit).unwrap_or(i64::MAX);
        let rows = entries.query_map(
            params![wish.agent, wish.user, wish.project, wish.before.map(|at| at.0), limit],
            |row| {
                let entry = LoggedRecall {
                    at: Timestamp(row.get(1)?),
                    agent: row.get(2)?,
                    key: row.get(3)?,
                    user: row.get(4)?,
                    project: row.get(5)?,
                    question: row.get(6)?,
                    strategy: row.get(7)?,
                    milliseconds: row.get(8)?,
                    given: Vec::new(),
                    named: Vec::new(),
                };
                Ok((row.get::<_, i64>(0)?, entry))
            },
        )?;
        rows.map(|row| {
            let (id, mut entry) = row?;
            let found = given.query_map([id], |row| {
                Ok(Given {
                    memory: MemoryId(Uuid::from_bytes(row.get(0)?)),
                    handle: Handle(row.get(1)?),
                    score: row.get(2)?,
                })
            })?;
            entry.given = found.collect::<rusqlite::Result<_>>()?;
            Ok(entry)
        })
        .collect()
    }

    /// Removes what is older than `since`.
    pub fn prune(&self, since: Timestamp) -> Result<()> {
        let is_due: rusqlite::Result<bool> = self.connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM recall WHERE at < ?1)",
            [since.0],
            |row| row.get(0),
        );
        let what = "prune the log of recalls";
        if is_due.map_err(|error| cannot(what, &error))? {
            self.change(what, |transaction| remove_older(transaction, since))?;
        }
        Ok(())
    }

    /// Adds entries, and removes those that are older than `since` or too many.
    fn add(&self, entries: &[LoggedRecall], since: Timestamp) -> Result<()> {
        self.change("write the log of recalls", |transaction| {
            let mut add = transaction.prepare_cached(
                "INSERT INTO recall (at, agent, key, user, project, question, strategy, took)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?;
            let mut give = transaction.prepare_cached("INSERT INTO given VALUES (?1, ?2, ?3, ?4, ?5)")?;
            let mut name = transaction.prepare_cached("INSERT OR IGNORE INTO named VALUES (?1, ?2)")?;
            for entry in entries {
                let question: String = entry.question.chars().take(QUESTION).collect();
                let LoggedRecall { at, agent, key, user, project, strategy, milliseconds, .. } = entry;
                add.execute(params![at.0, agent, key, user, project, question, strategy, milliseconds])?;
                let id = transaction.last_insert_rowid();
                for (rank, one) in entry.given.iter().enumerate() {
                    let memory = one.memory.0.into_bytes();
                    give.execute(params![id, rank as i64, memory, one.handle.0, one.score])?;
                }
                for entity in &entry.named {
                    name.execute(params![id, entity])?;
                }
            }
            remove_older(transaction, since)?;
            transaction.execute(
                "DELETE FROM recall
                 WHERE id NOT IN (SELECT id FROM recall ORDER BY at DESC, id DESC LIMIT ?1)",
                [MOST],
            )?;
            Ok(())
        })
    }

    fn change<T>(&self, what: &str, act: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T> {
        let done = || {
            let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
            let done = act(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        done().map_err(|error| cannot(what, &error))
    }
}

/// The time before which entries are removed.
pub fn oldest(now: Timestamp, days: u64) -> Timestamp {
    let days = i64::try_from(days).unwrap_or(i64::MAX);
    Timestamp(now.0.saturating_sub(days.saturating_mul(Timestamp::DAY)))
}

fn remove_older(transaction: &Transaction<'_>, since: Timestamp) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM recall WHERE at < ?1", [since.0]).map(drop)
}

/// Opens the file, makes its tables if it has none, and returns its version.
fn connect(path: &Path) -> rusqlite::Result<(Connection, i64)> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // A rollback journal leaves no second file in which erased questions could stay.
    connection.execute_batch(
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
         PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;",
    )?;
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0));
    let found: i64 = version(&connection)?;
    if found != 0 {
        return Ok((connection, found));
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = version(&transaction)?;
    if found == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()?;
    Ok((connection, found.max(VERSION)))
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

#[cfg(test)]
mod tests;
