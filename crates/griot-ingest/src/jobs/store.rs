//! The jobs file: create, find, work on and end jobs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use griot::model::{Error, ErrorKind, Result, Source};
use griot::private;
use rusqlite::types::FromSql;
use rusqlite::{
    Connection, OptionalExtension, Params, Row, RowIndex, Transaction, TransactionBehavior, params,
};

use super::model::{
    Counts, Job, JobDraft, JobId, JobKind, JobState, LastJob, PageError, PageState, WorkedBy,
};

/// Errors listed in an answer; further ones are only counted.
const MAX_ERRORS: i64 = 100;
/// Finished jobs that are kept; what is known of pages stays longer.
const KEPT_JOBS: i64 = 100;
pub(super) const BUSY_MS: u32 = 10_000;
const VERSION: i64 = 4;
/// The oldest version whose jobs are migrated; older ones are dropped.
const OLDEST_VERSION: i64 = 3;

const SCHEMA: &str = include_str!("schema.sql");

/// Reads the columns with the names of these fields into a struct; the other fields are given.
macro_rules! columns {
    ($name:ident { $($column:ident),+ $(,)? } $(, $given:ident)*) => {
        |row: &rusqlite::Row<'_>| -> rusqlite::Result<$name> {
            Ok($name { $($column: row.get(stringify!($column))?,)+ $($given),* })
        }
    };
}
pub(super) use columns;

/// How work on a job ended.
pub(crate) enum End {
    /// Finished; with a reason if it produced nothing.
    Done(Option<String>),
    /// The process has to end, or has other work to do.
    Stopped,
    /// Another process asked for this state.
    Requested(JobState),
}

/// The jobs file of one workspace.
#[derive(Debug)]
pub struct Jobs {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
}

impl Jobs {
    /// Opens the jobs of the workspace with this database.
    pub fn for_database(database: &Path) -> Result<Self> {
        Self::open(&private::beside(database, ".jobs"))
    }

    /// The same for readers: `None` if there never was a job.
    pub fn find(database: &Path) -> Result<Option<Self>> {
        let path = private::beside(database, ".jobs");
        path.exists().then(|| Self::open(&path)).transpose()
    }

    pub fn open(path: &Path) -> Result<Self> {
        let what = format!("open the jobs in `{}`", path.display());
        // SQLite gives the files beside it the same permissions. If this fails, opening fails with a better
        // error.
        let _ = private::create(path);
        let (connection, version) = connect(path).map_err(|error| cannot(&what, &error))?;
        if version != VERSION {
            let why = format!("the file has version {version}, and this griot supports up to {VERSION}");
            return Err(Error::unavailable(what, why).hint("use the griot that wrote them"));
        }
        Ok(Self { connection, path: path.to_path_buf() })
    }

    pub fn create(&self, draft: &JobDraft, now: i64) -> Result<JobId> {
        self.change("create a job", |transaction| {
            let id = insert(transaction, draft, now)?;
            transaction.execute(
                "DELETE FROM job WHERE state IN ('done', 'cancelled') AND every IS NULL AND id <= ?1",
                [id - KEPT_JOBS],
            )?;
            Ok(JobId(id))
        })
    }

    /// Creates the jobs that are due again. The schedule moves to the new job, so two processes do not both
    /// create one.
    pub fn repeat(&self, now: i64) -> Result<()> {
        const DUE: &str = "every IS NOT NULL AND state IN ('done', 'failed') AND updated_at + every <= ?1";
        let any = format!("SELECT EXISTS (SELECT 1 FROM job WHERE {DUE})");
        if !self.value("look for jobs that are due", &any, [now])? {
            return Ok(());
        }
        self.change("repeat a job", |transaction| {
            let sql = format!("SELECT id, target, options, user, every FROM job WHERE {DUE}");
            let mut due = transaction.prepare_cached(&sql)?;
            let due: Vec<(i64, JobDraft)> = due
                .query_map([now], |row| {
                    let (kind, by) = (JobKind::Refresh, WorkedBy::Anyone);
                    let draft = columns!(JobDraft { target, options, user, every }, kind, by)(row)?;
                    Ok((row.get(0)?, draft))
                })?
                .collect::<rusqlite::Result<_>>()?;
            for (id, draft) in due {
                transaction.execute("UPDATE job SET every = NULL WHERE id = ?1", [id])?;
                insert(transaction, &draft, now)?;
            }
            Ok(())
        })
    }

    /// Jobs that any process may work on and none does, oldest first.
    pub fn unclaimed(&self) -> Result<Vec<JobId>> {
        let sql = "SELECT id, state FROM job WHERE anyone AND state IN ('queued', 'running') ORDER BY id";
        let jobs: Vec<(i64, JobState)> =
            self.rows("look for work", sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut left = Vec::new();
        for (id, state) in jobs {
            if state == JobState::Queued || self.is_abandoned(JobId(id))? {
                left.push(JobId(id));
            }
        }
        Ok(left)
    }

    /// Change counters of the latest jobs; each grows with every change of its job.
    pub fn steps(&self, most: usize) -> Result<Vec<(JobId, u64)>> {
        let sql = "SELECT id, step FROM job ORDER BY id DESC LIMIT ?1";
        self.rows("read the jobs", sql, [most as i64], |row| Ok((JobId(row.get(0)?), count(row, 1)?)))
    }

    /// Locks a job, has `act` work on it, and writes the resulting state.
    pub(crate) fn work(
        &self,
        id: JobId,
        now: &dyn Fn() -> i64,
        act: impl FnOnce(&Job) -> Result<End>,
    ) -> Result<Job> {
        let Some(lock) = self.lock(id)? else {
            let what = format!("resume the job `{id}`");
            return Err(Error::new(ErrorKind::Conflict, what, "another process works on it")
                .hint(format!("griot jobs pause {id}")));
        };
        let job = self.job(id)?;
        if job.state.is_over() {
            let why = format!("it is {}", job.state.name());
            return Err(Error::invalid(format!("resume the job `{id}`"), why).hint("griot jobs"));
        }
        self.set_state(id, JobState::Running, None, now())?;
        let outcome = act(&job);
        let (state, message) = match &outcome {
            Ok(End::Done(None)) => (JobState::Done, None),
            Ok(End::Done(Some(why))) => (JobState::Failed, Some(why.clone())),
            Ok(End::Stopped) => (job.by.state_without_process(), None),
            Ok(End::Requested(state)) => (*state, None),
            // What the job asks for is impossible, now and later.
            Err(error) if error.kind == ErrorKind::InvalidInput => {
                (JobState::Failed, Some(error.to_string()))
            }
            // What is recorded stays; the job can be resumed once the cause is fixed.
            Err(_) => (JobState::Paused, None),
        };
        if state == JobState::Done && job.kind == JobKind::Ingest {
            self.compact(id)?;
        }
        self.set_state(id, state, message.as_deref(), now())?;
        outcome?;
        let job = self.job(id)?;
        if job.state.is_over() {
            lock.remove();
        }
        Ok(job)
    }

    /// Latest first.
    pub fn list(&self) -> Result<Vec<Job>> {
        let ids: Vec<i64> =
            self.rows("list the jobs", "SELECT id FROM job ORDER BY id DESC", [], |row| row.get(0))?;
        ids.into_iter().map(|id| self.job(JobId(id))).collect()
    }

    pub fn job(&self, id: JobId) -> Result<Job> {
        let what = format!("read the job `{id}`");
        let row = self.get(&what, "SELECT * FROM job WHERE id = ?1", [id.0], |row| {
            let summary: Option<String> = row.get("summary")?;
            let is_compacted = summary.is_some();
            let summary = summary.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            let counts = Counts {
                dropped: count(row, "dropped")?,
                memories: count(row, "memories")?,
                entities: count(row, "entities")?,
                edges: count(row, "edges")?,
                removed: count(row, "removed")?,
                ..summary
            };
            let by = if row.get("anyone")? { WorkedBy::Anyone } else { WorkedBy::Creator };
            let errors = Vec::new();
            let job = columns!(
                Job { kind, user, every, target, options, state, message, created_at, updated_at },
                id,
                by,
                counts,
                errors
            );
            Ok((job(row)?, is_compacted))
        })?;
        let (mut job, is_compacted) = row.ok_or_else(|| id.missing())?;
        if !is_compacted {
            self.count(&what, &mut job)?;
        }
        job.errors = self.errors(&what, &job)?;
        // The process that worked on it ended without writing a state.
        if job.state == JobState::Running && self.is_abandoned(id)? {
            job.state = job.by.state_without_process();
        }
        Ok(job)
    }

    fn count(&self, what: &str, job: &mut Job) -> Result<()> {
        let sql = "SELECT state, role = 'page', count(*) FROM frontier WHERE job = ?1 GROUP BY 1, 2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, count(row, 2)?));
        let rows: Vec<(PageState, bool, u64)> = self.rows(what, sql, [job.id.0], read)?;
        let counts = &mut job.counts;
        let mut waiting = 0;
        for (state, is_page, count) in rows {
            if state == PageState::Failed {
                counts.failed += count;
            }
            if !is_page || state == PageState::Redirected {
                continue;
            }
            counts.discovered += count;
            match state {
                PageState::Fetched => waiting += count,
                PageState::Stored => counts.stored += count,
                PageState::Unchanged => counts.unchanged += count,
                PageState::Duplicate => counts.duplicates += count,
                PageState::Skipped => counts.skipped += count,
                PageState::Gone => counts.gone += count,
                PageState::Queued | PageState::Redirected | PageState::Failed => {}
            }
        }
        counts.processed = counts.stored + counts.unchanged + counts.duplicates;
        counts.fetched = waiting + counts.processed;
        Ok(())
    }

    /// The errors of the job, the job's own message first.
    fn errors(&self, what: &str, job: &Job) -> Result<Vec<PageError>> {
        let sql = "SELECT url, why FROM frontier
                   WHERE job = ?1 AND state IN ('failed', 'gone', 'stored') AND why IS NOT NULL
                   ORDER BY id LIMIT ?2";
        let errors = self.rows(what, sql, [job.id.0, MAX_ERRORS], columns!(PageError { url, why }))?;
        let whole = job.message.iter().map(|why| PageError { url: job.target.clone(), why: why.clone() });
        Ok(whole.chain(errors).collect())
    }

    pub fn set_state(&self, id: JobId, state: JobState, message: Option<&str>, now: i64) -> Result<()> {
        self.execute(
            &format!("write the job `{id}`"),
            "UPDATE job SET state = ?2, message = ?3, wanted = NULL, updated_at = ?4 WHERE id = ?1",
            params![id.0, state, message, now],
        )
    }

    /// Asks the process that works on the job to end it in this state; sets the state at once if there is
    /// none.
    pub fn request_state(&self, id: JobId, wanted: JobState, now: i64) -> Result<()> {
        let job = self.job(id)?;
        if job.state.is_over() {
            return Err(Error::invalid(
                format!("set the job `{id}` to {}", wanted.name()),
                format!("it is {} already", job.state.name()),
            ));
        }
        match self.lock(id)? {
            Some(lock) => {
                self.set_state(id, wanted, None, now)?;
                if wanted == JobState::Cancelled {
                    lock.remove();
                }
                Ok(())
            }
            None => self.execute(
                &format!("write the job `{id}`"),
                "UPDATE job SET wanted = ?2 WHERE id = ?1",
                params![id.0, wanted],
            ),
        }
    }

    pub(crate) fn wanted_state(&self, id: JobId) -> Result<Option<JobState>> {
        self.value(&format!("read the job `{id}`"), "SELECT wanted FROM job WHERE id = ?1", [id.0])
    }

    /// Replaces the rows of a finished job by their counts, except rows that report problems.
    fn compact(&self, id: JobId) -> Result<()> {
        let counts = self.job(id)?.counts;
        let summary = serde_json::to_string(&counts).unwrap_or_default();
        self.change(&format!("write the job `{id}`"), |transaction| {
            transaction.execute("UPDATE job SET summary = ?2 WHERE id = ?1", params![id.0, summary])?;
            transaction.execute("DELETE FROM frontier WHERE job = ?1 AND why IS NULL", [id.0]).map(|_| ())
        })
    }

    /// The origin of the source that holds a page, which may have another address.
    pub fn origin_of_page(&self, user: Option<&str>, url: &str) -> Result<Option<String>> {
        let key = Source::of_page(url, user);
        self.get("read the known pages", "SELECT origin FROM page WHERE url = ?1", [key], |row| row.get(0))
    }

    /// The last job of each source that is the target of one, by the origin of the source. Finished jobs keep
    /// no rows of further pages that they read.
    pub fn last_by_origin(&self) -> Result<HashMap<String, LastJob>> {
        let sql = "SELECT target, id, kind, user, state, message, updated_at FROM job ORDER BY id";
        let rows: Vec<(String, LastJob)> = self.rows("read the jobs", sql, [], |row| {
            let id = JobId(row.get("id")?);
            Ok((row.get(0)?, columns!(LastJob { kind, user, state, message, updated_at }, id)(row)?))
        })?;
        let origin = |(target, job): (String, LastJob)| match job.kind {
            JobKind::Ingest => (target, job),
            JobKind::Crawl | JobKind::Refresh => (Source::of_page(&target, job.user.as_deref()), job),
        };
        Ok(rows.into_iter().map(origin).collect())
    }

    pub fn queue_for_anyone(&self, id: JobId, now: i64) -> Result<()> {
        self.execute(
            &format!("write the job `{id}`"),
            "UPDATE job SET anyone = 1, state = 'queued', wanted = NULL, updated_at = ?2
             WHERE id = ?1 AND state <> 'running'",
            [id.0, now],
        )
    }

    /// Queues failed addresses again.
    pub fn retry(&self, id: JobId, now: i64) -> Result<u64> {
        self.change(&format!("retry the job `{id}`"), |transaction| {
            transaction.execute("DELETE FROM robots WHERE job = ?1 AND body IS NULL", [id.0])?;
            transaction.execute(
                "UPDATE job SET state = 'queued', message = NULL, requests = 0, updated_at = ?2, pages = pages
                 - (SELECT count(*) FROM frontier WHERE job = ?1 AND state = 'failed' AND hash IS NOT NULL)
                 WHERE id = ?1 AND state <> 'running'",
                [id.0, now],
            )?;
            // Files are listed again: what is on disk now counts.
            let files = "SELECT id FROM job WHERE id = ?1 AND kind = 'ingest'";
            transaction.execute(&format!("UPDATE job SET summary = NULL WHERE id IN ({files})"), [id.0])?;
            transaction.execute(&format!("DELETE FROM frontier WHERE job IN ({files})"), [id.0])?;
            let sql = "UPDATE frontier SET state = 'queued', tries = 0, begun = 0, why = NULL
                       WHERE job = ?1 AND state = 'failed'";
            transaction.execute(sql, [id.0])
        })
        .map(|count| count as u64)
    }

    /// Reads at most one row.
    pub(super) fn get<T>(
        &self,
        what: &str,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, read).optional())
            .map_err(|error| cannot(what, &error))
    }

    /// Reads one value; `false` or 0 where there is no row.
    pub(super) fn value<T: FromSql + Default>(
        &self,
        what: &str,
        sql: &str,
        params: impl Params,
    ) -> Result<T> {
        self.get(what, sql, params, |row| row.get(0)).map(Option::unwrap_or_default)
    }

    pub(super) fn rows<T>(
        &self,
        what: &str,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(params, read)?.collect())
            .map_err(|error| cannot(what, &error))
    }

    pub(super) fn execute(&self, what: &str, sql: &str, params: impl Params) -> Result<()> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params))
            .map(drop)
            .map_err(|error| cannot(what, &error))
    }

    /// Runs one transaction.
    pub(super) fn change<T>(
        &self,
        what: &str,
        act: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let failed = |error: rusqlite::Error| cannot(what, &error);
        let transaction =
            Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate).map_err(failed)?;
        let done = act(&transaction).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

/// Opens the file and migrates it; returns the version that it has then.
fn connect(path: &Path) -> rusqlite::Result<(Connection, i64)> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_millis(BUSY_MS.into()))?;
    // A process that ends loses nothing; a power failure may lose the last pages, which are then fetched
    // again.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
         PRAGMA secure_delete = ON;",
    )?;
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0));
    // Takes the write lock only if there is something to migrate.
    if version(&connection)? == VERSION {
        return Ok((connection, VERSION));
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = version(&transaction)?;
    match found {
        // Existing rows have not crashed a process.
        OLDEST_VERSION => {
            let sql = "ALTER TABLE frontier ADD COLUMN begun INTEGER NOT NULL DEFAULT 0";
            transaction.execute_batch(sql)?;
        }
        // Jobs from before the first release are dropped.
        0..OLDEST_VERSION => {
            if found > 0 {
                let sql = "DROP TABLE robots; DROP TABLE frontier; DROP TABLE page; DROP TABLE job;";
                transaction.execute_batch(sql)?;
            }
            transaction.execute_batch(SCHEMA)?;
        }
        // Migrated by another process, or newer.
        _ => {
            drop(transaction);
            return Ok((connection, found));
        }
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok((connection, VERSION))
}

fn insert(transaction: &Transaction<'_>, draft: &JobDraft, now: i64) -> rusqlite::Result<i64> {
    let JobDraft { kind, target, options, user, by, every } = draft;
    let anyone = *by == WorkedBy::Anyone;
    transaction.execute(
        "INSERT INTO job (kind, target, options, user, anyone, every, state, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'queued', ?7, ?7)",
        params![kind, target, options, user, anyone, every, now],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// A column that is never negative.
pub(super) fn count(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|number| u64::try_from(number).unwrap_or(0))
}

pub(super) fn cannot(what: &str, error: &rusqlite::Error) -> Error {
    let kind = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => ErrorKind::Conflict,
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        _ => ErrorKind::Unavailable,
    };
    Error::new(kind, what, error.to_string())
}
