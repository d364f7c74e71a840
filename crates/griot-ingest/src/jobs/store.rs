//! The file of jobs: making, finding, working on, and ending jobs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use griot::backend::private;
use griot::model::{Error, ErrorKind, Result};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::model::{Counts, Job, JobDraft, JobId, JobKind, JobState, PageError, PageState, WorkedBy};

/// Told one by one in an answer; the others are counted.
const ERRORS: usize = 100;
/// Jobs that are over are let go of after so many others; what is known of pages stays.
const KEPT: i64 = 100;
pub(super) const BUSY_MS: u32 = 10_000;
const VERSION: i64 = 4;
/// The first version whose jobs are kept.
const KEPT_VERSION: i64 = 3;

const SCHEMA: &str = include_str!("schema.sql");

/// What a job came to when whoever worked on it let go.
pub(crate) enum End {
    /// With the reason, if nothing came of it.
    Done(Option<String>),
    /// The process is to end, or has other things to do.
    Stopped,
    /// Somebody asked for it.
    Asked(JobState),
}

/// The file of jobs of one workspace.
#[derive(Debug)]
pub struct Jobs {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
}

impl Jobs {
    /// The jobs of the workspace with this database.
    pub fn beside(database: &Path) -> Result<Self> {
        Self::open(&path_beside(database))
    }

    /// The same for those who only look: nothing if there never was a job.
    pub fn find(database: &Path) -> Result<Option<Self>> {
        let path = path_beside(database);
        path.exists().then(|| Self::open(&path)).transpose()
    }

    pub fn open(path: &Path) -> Result<Self> {
        let failed =
            |error: rusqlite::Error| cannot(&format!("open the jobs in `{}`", path.display()), &error);
        // What lies beside it gets its permissions. What cannot be made SQLite tells.
        let _ = private::file(path);
        let mut connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(Duration::from_millis(BUSY_MS.into())).map_err(failed)?;
        // A process that ends loses nothing; a power cut may lose the last pages, which are then fetched
        // again.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;")
            .map_err(failed)?;
        let version =
            |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0));
        // Whoever only looks takes no writer's place.
        if version(&connection).map_err(failed)? != VERSION {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            match version(&transaction).map_err(failed)? {
                VERSION => {}
                // Rows that are there were not ended by what they are about.
                KEPT_VERSION => {
                    transaction
                        .execute_batch("ALTER TABLE frontier ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;")
                        .map_err(failed)?;
                    transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
                }
                // What was in progress before the first release is no knowledge.
                old @ 0..KEPT_VERSION => {
                    if old > 0 {
                        transaction
                            .execute_batch(
                                "DROP TABLE robots; DROP TABLE frontier; DROP TABLE page; DROP TABLE job;",
                            )
                            .map_err(failed)?;
                    }
                    transaction.execute_batch(SCHEMA).map_err(failed)?;
                    transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
                }
                newer => {
                    let why = format!("they are of version {newer}, and this griot knows {VERSION}");
                    return Err(Error::unavailable(format!("open the jobs in `{}`", path.display()), why)
                        .hint("use the griot that wrote them"));
                }
            }
            transaction.commit().map_err(failed)?;
        }
        Ok(Self { connection, path: path.to_path_buf() })
    }

    pub fn create(&self, draft: &JobDraft, now: i64) -> Result<JobId> {
        self.change("make a job", |transaction| {
            let id = insert(transaction, draft, now)?;
            transaction.execute(
                "DELETE FROM job WHERE state IN ('done', 'cancelled') AND every IS NULL AND id <= ?1",
                [id - KEPT],
            )?;
            Ok(JobId(id))
        })
    }

    /// Makes the jobs that are due again. The schedule goes over to the new job, so that two processes make
    /// one.
    pub fn repeat(&self, now: i64) -> Result<()> {
        const DUE: &str = "every IS NOT NULL AND state IN ('done', 'failed') AND updated_at + every <= ?1";
        let any = format!("SELECT EXISTS (SELECT 1 FROM job WHERE {DUE})");
        let is_due =
            self.connection.prepare_cached(&any).and_then(|mut any| any.query_row([now], |row| row.get(0)));
        if !is_due.map_err(|error| cannot("look for jobs that are due", &error))? {
            return Ok(());
        }
        self.change("make a job again", |transaction| {
            let mut due = transaction
                .prepare_cached(&format!("SELECT id, target, options, user, every FROM job WHERE {DUE}"))?;
            let due: Vec<(i64, JobDraft)> = due
                .query_map([now], |row| {
                    let draft = JobDraft {
                        kind: JobKind::Refresh,
                        target: row.get(1)?,
                        options: row.get(2)?,
                        user: row.get(3)?,
                        by: WorkedBy::Anyone,
                        every: row.get(4)?,
                    };
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

    /// Jobs that anyone may work on and nobody does, the oldest first.
    pub fn left(&self) -> Result<Vec<JobId>> {
        let failed = |error: rusqlite::Error| cannot("look for work", &error);
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT id, state FROM job WHERE anyone AND state IN ('queued', 'running') ORDER BY id",
            )
            .map_err(failed)?;
        let jobs: Vec<(i64, JobState)> = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .and_then(Iterator::collect)
            .map_err(failed)?;
        let mut left = Vec::new();
        for (id, state) in jobs {
            if state == JobState::Queued || self.is_left(JobId(id))? {
                left.push(JobId(id));
            }
        }
        Ok(left)
    }

    /// How far each of the latest jobs is, as numbers that grow with every change.
    pub fn steps(&self, most: usize) -> Result<Vec<(JobId, u64)>> {
        let read = || {
            let mut statement =
                self.connection.prepare_cached("SELECT id, step FROM job ORDER BY id DESC LIMIT ?1")?;
            let rows = statement.query_map([most as i64], |row| {
                Ok((JobId(row.get(0)?), row.get::<_, i64>(1).map(|step| u64::try_from(step).unwrap_or(0))?))
            })?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("look at the jobs", &error))
    }

    /// Takes a job, has `act` work on it, and writes what came of it.
    pub(crate) fn work(
        &self,
        id: JobId,
        now: &dyn Fn() -> i64,
        act: impl FnOnce(&Job) -> Result<End>,
    ) -> Result<Job> {
        let Some(lock) = self.lock(id)? else {
            let what = format!("go on with the job `{id}`");
            return Err(Error::new(ErrorKind::Conflict, what, "another process works on it")
                .hint(format!("griot jobs pause {id}")));
        };
        let job = self.job(id)?;
        if matches!(job.state, JobState::Done | JobState::Cancelled) {
            let why = format!("it is {}", job.state.name());
            return Err(Error::invalid(format!("go on with the job `{id}`"), why).hint("griot jobs"));
        }
        self.set_state(id, JobState::Running, None, now())?;
        match act(&job) {
            Ok(End::Done(None)) => {
                if job.kind == JobKind::Ingest {
                    self.fold(id)?;
                }
                self.set_state(id, JobState::Done, None, now())?;
            }
            Ok(End::Done(Some(why))) => self.set_state(id, JobState::Failed, Some(&why), now())?,
            // Another process may go on at once.
            Ok(End::Stopped) if job.by == WorkedBy::Anyone => {
                self.set_state(id, JobState::Queued, None, now())?
            }
            Ok(End::Stopped) => self.set_state(id, JobState::Paused, None, now())?,
            Ok(End::Asked(state)) => self.set_state(id, state, None, now())?,
            // What was asked for cannot be done, now or later.
            Err(error) if error.kind == ErrorKind::InvalidInput => {
                self.set_state(id, JobState::Failed, Some(&error.to_string()), now())?;
                return Err(error);
            }
            Err(error) => {
                // What is recorded stays; the same job can be taken up when the trouble is over.
                self.set_state(id, JobState::Paused, None, now())?;
                return Err(error);
            }
        }
        let job = self.job(id)?;
        if matches!(job.state, JobState::Done | JobState::Cancelled) {
            lock.remove();
        }
        Ok(job)
    }

    /// The latest first.
    pub fn list(&self) -> Result<Vec<Job>> {
        let failed = |error: rusqlite::Error| cannot("list the jobs", &error);
        let mut statement = self.connection.prepare("SELECT id FROM job ORDER BY id DESC").map_err(failed)?;
        let ids: Vec<i64> =
            statement.query_map([], |row| row.get(0)).and_then(Iterator::collect).map_err(failed)?;
        ids.into_iter().map(|id| self.job(JobId(id))).collect()
    }

    pub fn job(&self, id: JobId) -> Result<Job> {
        let failed = |error: rusqlite::Error| cannot(&format!("read the job `{id}`"), &error);
        let row = self
            .connection
            .prepare_cached(
                "SELECT kind, target, options, state, message, dropped, memories, entities, edges, removed, created_at, updated_at,
                 user, anyone, every, summary FROM job WHERE id = ?1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row([id.0], |row| {
                        let number = |column| row.get::<_, i64>(column).map(|n| u64::try_from(n).unwrap_or(0));
                        let summary: Option<String> = row.get(15)?;
                        let is_folded = summary.is_some();
                        let summary = summary.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
                        let job = Job {
                            id,
                            kind: row.get(0)?,
                            target: row.get(1)?,
                            options: row.get(2)?,
                            state: row.get(3)?,
                            message: row.get(4)?,
                            counts: Counts {
                                dropped: number(5)?,
                                memories: number(6)?,
                                entities: number(7)?,
                                edges: number(8)?,
                                removed: number(9)?,
                                ..summary
                            },
                            errors: Vec::new(),
                            created_at: row.get(10)?,
                            updated_at: row.get(11)?,
                            user: row.get(12)?,
                            by: if row.get(13)? { WorkedBy::Anyone } else { WorkedBy::Maker },
                            every: row.get(14)?,
                        };
                        Ok((job, is_folded))
                    })
                    .optional()
            })
            .map_err(failed)?;
        let Some((mut job, is_folded)) = row else {
            return Err(id.missing());
        };
        if !is_folded {
            self.count(&mut job).map_err(failed)?;
        }
        job.errors = self.errors(&job).map_err(failed)?;
        // Nobody works on it any more: its process ended.
        if job.state == JobState::Running && self.is_left(id)? {
            job.state = if job.by == WorkedBy::Anyone { JobState::Queued } else { JobState::Paused };
        }
        Ok(job)
    }

    fn count(&self, job: &mut Job) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(
            "SELECT state, role = 'page', count(*) FROM frontier WHERE job = ?1 GROUP BY 1, 2",
        )?;
        let rows = statement.query_map([job.id.0], |row| {
            Ok((row.get::<_, PageState>(0)?, row.get::<_, bool>(1)?, row.get::<_, i64>(2)?))
        })?;
        let counts = &mut job.counts;
        let mut waiting = 0;
        for row in rows {
            let (state, is_page, count) = row?;
            let count = u64::try_from(count).unwrap_or(0);
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

    /// What went wrong, the job as a whole first.
    fn errors(&self, job: &Job) -> rusqlite::Result<Vec<PageError>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT url, why FROM frontier WHERE job = ?1 AND state IN ('failed', 'gone', 'stored') AND why IS NOT NULL
             ORDER BY id LIMIT ?2",
        )?;
        let read = |row: &rusqlite::Row<'_>| Ok(PageError { url: row.get(0)?, why: row.get(1)? });
        let errors = statement.query_map(params![job.id.0, ERRORS as i64], read)?;
        let whole = job.message.iter().map(|why| Ok(PageError { url: job.target.clone(), why: why.clone() }));
        whole.chain(errors).collect()
    }

    pub fn set_state(&self, id: JobId, state: JobState, message: Option<&str>, now: i64) -> Result<()> {
        self.connection
            .execute(
                "UPDATE job SET state = ?2, message = ?3, wanted = NULL, updated_at = ?4 WHERE id = ?1",
                params![id.0, state, message, now],
            )
            .map(|_| ())
            .map_err(|error| cannot(&format!("write the job `{id}`"), &error))
    }

    /// Asks whoever works on the job to end it so; if nobody does, it is so at once.
    pub fn ask(&self, id: JobId, wanted: JobState, now: i64) -> Result<()> {
        let job = self.job(id)?;
        if matches!(job.state, JobState::Done | JobState::Cancelled) {
            return Err(Error::invalid(
                format!("make the job `{id}` {}", wanted.name()),
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
            None => self
                .connection
                .execute("UPDATE job SET wanted = ?2 WHERE id = ?1", params![id.0, wanted])
                .map(|_| ())
                .map_err(|error| cannot(&format!("write the job `{id}`"), &error)),
        }
    }

    pub(crate) fn asked(&self, id: JobId) -> Result<Option<JobState>> {
        self.connection
            .prepare_cached("SELECT wanted FROM job WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([id.0], |row| row.get(0)).optional())
            .map(Option::flatten)
            .map_err(|error| cannot(&format!("read the job `{id}`"), &error))
    }

    /// Keeps the counts of a job and lets go of its rows, but for those that tell of problems.
    fn fold(&self, id: JobId) -> Result<()> {
        let counts = self.job(id)?.counts;
        let summary = serde_json::to_string(&counts).unwrap_or_default();
        self.change(&format!("write the job `{id}`"), |transaction| {
            transaction.execute("UPDATE job SET summary = ?2 WHERE id = ?1", params![id.0, summary])?;
            transaction.execute("DELETE FROM frontier WHERE job = ?1 AND why IS NULL", [id.0]).map(|_| ())
        })
    }

    /// Lets any process that goes on running take it up.
    pub fn hand_over(&self, id: JobId, now: i64) -> Result<()> {
        self.connection
            .execute(
                "UPDATE job SET anyone = 1, state = 'queued', wanted = NULL, updated_at = ?2 WHERE id = ?1 AND state <> 'running'",
                [id.0, now],
            )
            .map(|_| ())
            .map_err(|error| cannot(&format!("write the job `{id}`"), &error))
    }

    /// Addresses that failed wait again.
    pub fn retry(&self, id: JobId, now: i64) -> Result<u64> {
        self.change(&format!("retry the job `{id}`"), |transaction| {
            transaction.execute("DELETE FROM robots WHERE job = ?1 AND body IS NULL", [id.0])?;
            transaction.execute(
                "UPDATE job SET state = 'queued', message = NULL, requests = 0, updated_at = ?2,
                 pages = pages - (SELECT count(*) FROM frontier WHERE job = ?1 AND state = 'failed' AND hash IS NOT NULL)
                 WHERE id = ?1 AND state <> 'running'",
                [id.0, now],
            )?;
            // Files are listed anew: what is on the disk counts.
            let files = "SELECT id FROM job WHERE id = ?1 AND kind = 'ingest'";
            transaction.execute(&format!("UPDATE job SET summary = NULL WHERE id IN ({files})"), [id.0])?;
            transaction.execute(&format!("DELETE FROM frontier WHERE job IN ({files})"), [id.0])?;
            transaction.execute(
                "UPDATE frontier SET state = 'queued', tries = 0, begun = 0, why = NULL WHERE job = ?1 AND state = 'failed'",
                [id.0],
            )
        })
        .map(|count| count as u64)
    }

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

fn path_beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".jobs");
    PathBuf::from(name)
}

fn insert(transaction: &Transaction<'_>, draft: &JobDraft, now: i64) -> rusqlite::Result<i64> {
    transaction.execute(
        "INSERT INTO job (kind, target, options, user, anyone, every, state, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
        params![
            draft.kind,
            draft.target,
            draft.options,
            draft.user,
            draft.by == WorkedBy::Anyone,
            draft.every,
            JobState::Queued,
            now
        ],
    )?;
    Ok(transaction.last_insert_rowid())
}

pub(super) fn cannot(what: &str, error: &rusqlite::Error) -> Error {
    let kind = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => ErrorKind::Conflict,
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        _ => ErrorKind::Unavailable,
    };
    Error::new(kind, what, error.to_string())
}
