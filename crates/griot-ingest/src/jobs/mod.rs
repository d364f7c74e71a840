//! Durable jobs: what was asked for, how far it is, and what went wrong.
//!
//! A job is a row, and every address that a crawl knows is a row below it (the frontier). A step is one transaction, and a
//! page is recorded with the links that were found on it before anybody works with its text, so that whenever the process ends,
//! the rows say what is left: nothing that was recorded is fetched twice, and nothing that was found is forgotten. The file
//! lies beside the workspace: what is in progress is no knowledge, and losing it loses no memory.
//!
//! Who works on a job holds a lock of the operating system on it, which ends with its process, however that ends.

mod frontier;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use griot::model::{Error, ErrorKind, Result};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

/// Told one by one in an answer; the others are counted.
const ERRORS: usize = 100;
/// Jobs that are over are let go of after so many others; what is known of pages stays.
const KEPT: i64 = 100;
const BUSY_MS: u32 = 10_000;
/// How often a lock that is held is tried again, and after how long.
const LOOKS: u32 = 5;
const LOOK: Duration = Duration::from_millis(10);
const VERSION: i64 = 1;

const SCHEMA: &str = include_str!("schema.sql");

macro_rules! words {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $word:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum $name { $($(#[doc = $variant_doc])* $variant,)* }

        impl $name {
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.name().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                match value.as_str()? {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(FromSqlError::InvalidType),
                }
            }
        }
    };
}

words! {
    JobKind { Ingest = "ingest", Crawl = "crawl", Refresh = "refresh", }
}

words! {
    JobState {
        Queued = "queued",
        Running = "running",
        /// By the user, or because the process that worked on it ended.
        Paused = "paused",
        Done = "done",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

words! {
    /// What an address of the frontier is read as.
    Role {
        Page = "page",
        /// Something that lists pages.
        List = "list",
        /// A place where a list may be; that there is none is no error.
        Guess = "guess",
    }
}

words! {
    /// How far an address is.
    PageState {
        Queued = "queued",
        /// Its text is recorded and not stored yet.
        Fetched = "fetched",
        Stored = "stored",
        /// It says what it said the last time.
        Unchanged = "unchanged",
        /// It says what another page says.
        Duplicate = "duplicate",
        Redirected = "redirected",
        /// Not wanted: the reason is said, and is no error.
        Skipped = "skipped",
        /// There is no such page any more.
        Gone = "gone",
        Failed = "failed",
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct JobId(pub i64);

impl std::fmt::Display for JobId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "j{}", self.0)
    }
}

impl JobId {
    pub fn parse(text: &str) -> Result<Self> {
        let number = text.trim().trim_start_matches('j').parse().ok().filter(|number| *number > 0);
        number.map(Self).ok_or_else(|| {
            Error::invalid(format!("find the job `{text}`"), "a job is named like `j3`").hint("griot jobs")
        })
    }
}

pub(crate) use frontier::{Found, Recorded, Tally, Waiting};

/// A job and how far it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    pub id: JobId,
    pub kind: JobKind,
    /// What was asked for, such as an address.
    pub target: String,
    /// As JSON, for whoever goes on with it.
    pub options: String,
    pub state: JobState,
    /// Why it failed.
    pub message: Option<String>,
    pub counts: Counts,
    /// In the order of finding, at most 100.
    pub errors: Vec<PageError>,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub discovered: u64,
    /// Pages that the server answered with content, or with word that it did not change.
    pub fetched: u64,
    /// Of those, the ones that nothing is left to do for.
    pub processed: u64,
    pub stored: u64,
    pub unchanged: u64,
    pub duplicates: u64,
    pub skipped: u64,
    pub gone: u64,
    pub failed: u64,
    /// Found above the limits and not taken up.
    pub dropped: u64,
    pub memories: u64,
    pub entities: u64,
    pub edges: u64,
    /// Memories that left with what changed or is gone.
    pub removed: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageError {
    pub url: String,
    pub why: String,
}

/// The file of jobs of one workspace.
#[derive(Debug)]
pub struct Jobs {
    connection: Connection,
    path: PathBuf,
}

/// Held by whoever works on a job.
#[derive(Debug)]
pub struct JobLock {
    file: File,
    path: PathBuf,
}

impl JobLock {
    /// The job is over: nobody will ask for its lock again.
    pub(crate) fn remove(self) {
        // A file that stays is only litter.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Drop for JobLock {
    fn drop(&mut self) {
        // Closing the file ends the lock as well.
        let _ = self.file.unlock();
    }
}

impl Jobs {
    /// The jobs of the workspace with this database.
    pub fn beside(database: &Path) -> Result<Self> {
        let mut name = database.as_os_str().to_owned();
        name.push(".jobs");
        Self::open(Path::new(&name))
    }

    pub fn open(path: &Path) -> Result<Self> {
        let failed = |error: rusqlite::Error| cannot(&format!("open the jobs in `{}`", path.display()), &error);
        let mut connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(Duration::from_millis(BUSY_MS.into())).map_err(failed)?;
        // A process that ends loses nothing; a power cut may lose the last pages, which are then fetched again.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;")
            .map_err(failed)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
        match version {
            0 => {
                transaction.execute_batch(SCHEMA).map_err(failed)?;
                transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
            }
            VERSION => {}
            newer => {
                let why = format!("they are of version {newer}, and this griot knows {VERSION}");
                return Err(Error::unavailable(format!("open the jobs in `{}`", path.display()), why)
                    .hint("use the griot that wrote them"));
            }
        }
        transaction.commit().map_err(failed)?;
        Ok(Self { connection, path: path.to_path_buf() })
    }

    pub fn create(&self, kind: JobKind, target: &str, options: &str, now: i64) -> Result<JobId> {
        self.connection
            .execute(
                "INSERT INTO job (kind, target, options, state, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
                params![kind, target, options, JobState::Queued, now],
            )
            .map_err(|error| cannot("make a job", &error))?;
        let id = self.connection.last_insert_rowid();
        self.connection
            .execute("DELETE FROM job WHERE state IN ('done', 'cancelled') AND id <= ?1", [id - KEPT])
            .map_err(|error| cannot("let go of old jobs", &error))?;
        Ok(JobId(id))
    }

    /// The latest first.
    pub fn list(&self) -> Result<Vec<Job>> {
        let failed = |error: rusqlite::Error| cannot("list the jobs", &error);
        let mut statement = self.connection.prepare("SELECT id FROM job ORDER BY id DESC").map_err(failed)?;
        let ids: Vec<i64> = statement.query_map([], |row| row.get(0)).and_then(Iterator::collect).map_err(failed)?;
        ids.into_iter().map(|id| self.job(JobId(id))).collect()
    }

    pub fn job(&self, id: JobId) -> Result<Job> {
        let failed = |error: rusqlite::Error| cannot(&format!("read the job `{id}`"), &error);
        let row = self
            .connection
            .prepare_cached(
                "SELECT kind, target, options, state, message, dropped, memories, entities, edges, removed, created_at, updated_at
                 FROM job WHERE id = ?1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row([id.0], |row| {
                        let number = |column| row.get::<_, i64>(column).map(|n| u64::try_from(n).unwrap_or(0));
                        Ok(Job {
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
                                ..Counts::default()
                            },
                            errors: Vec::new(),
                            created_at: row.get(10)?,
                            updated_at: row.get(11)?,
                        })
                    })
                    .optional()
            })
            .map_err(failed)?;
        let Some(mut job) = row else {
            return Err(Error::not_found(format!("find the job `{id}`"), "there is no such job").hint("griot jobs"));
        };
        self.count(&mut job).map_err(failed)?;
        // Nobody works on it any more: its process ended.
        if job.state == JobState::Running && self.is_left(id)? {
            job.state = JobState::Paused;
        }
        Ok(job)
    }

    fn count(&self, job: &mut Job) -> rusqlite::Result<()> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT state, role = 'page', count(*) FROM frontier WHERE job = ?1 GROUP BY 1, 2")?;
        let rows = statement.query_map([job.id.0], |row| {
            Ok((row.get::<_, PageState>(0)?, row.get::<_, bool>(1)?, row.get::<_, i64>(2)?))
        })?;
        let counts = &mut job.counts;
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
                PageState::Fetched => counts.fetched += count,
                PageState::Stored => counts.stored += count,
                PageState::Unchanged => counts.unchanged += count,
                PageState::Duplicate => counts.duplicates += count,
                PageState::Skipped => counts.skipped += count,
                PageState::Gone => counts.gone += count,
                PageState::Queued | PageState::Redirected | PageState::Failed => {}
            }
        }
        counts.processed = counts.stored + counts.unchanged + counts.duplicates;
        counts.fetched += counts.processed;
        let mut statement = self.connection.prepare_cached(
            "SELECT url, why FROM frontier WHERE job = ?1 AND state IN ('failed', 'gone') AND why IS NOT NULL
             ORDER BY id LIMIT ?2",
        )?;
        let errors = statement
            .query_map(params![job.id.0, ERRORS as i64], |row| Ok(PageError { url: row.get(0)?, why: row.get(1)? }))?;
        job.errors = errors.collect::<rusqlite::Result<_>>()?;
        if let Some(message) = &job.message {
            job.errors.insert(0, PageError { url: job.target.clone(), why: message.clone() });
        }
        Ok(())
    }

    /// `None` if somebody works on it.
    pub fn lock(&self, id: JobId) -> Result<Option<JobLock>> {
        let path = self.lock_path(id);
        let failed = |error: std::io::Error| Error::unavailable(format!("lock the job `{id}`"), error.to_string());
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        for again in (0..LOOKS).rev() {
            match file.try_lock() {
                Ok(()) => return Ok(Some(JobLock { file, path })),
                // Somebody may only be looking whether it is taken.
                Err(std::fs::TryLockError::WouldBlock) if again > 0 => std::thread::sleep(LOOK),
                Err(std::fs::TryLockError::WouldBlock) => {}
                Err(std::fs::TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Ok(None)
    }

    /// Nobody works on it. Leaves no trace: jobs are looked at by those who only read.
    fn is_left(&self, id: JobId) -> Result<bool> {
        let failed = |error: std::io::Error| Error::unavailable(format!("look at the job `{id}`"), error.to_string());
        match File::open(self.lock_path(id)) {
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => Ok(true),
                Err(std::fs::TryLockError::WouldBlock) => Ok(false),
                Err(std::fs::TryLockError::Error(error)) => Err(failed(error)),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
            Err(error) => Err(failed(error)),
        }
    }

    fn lock_path(&self, id: JobId) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{id}.lock"));
        PathBuf::from(name)
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

    /// Addresses that failed wait again.
    pub fn retry(&self, id: JobId, now: i64) -> Result<u64> {
        self.change(&format!("retry the job `{id}`"), |transaction| {
            transaction.execute("DELETE FROM robots WHERE job = ?1 AND body IS NULL", [id.0])?;
            transaction.execute(
                "UPDATE job SET state = 'queued', message = NULL, requests = 0, updated_at = ?2 WHERE id = ?1 AND state <> 'running'",
                [id.0, now],
            )?;
            transaction.execute(
                "UPDATE frontier SET state = 'queued', tries = 0, why = NULL WHERE job = ?1 AND state = 'failed'",
                [id.0],
            )
        })
        .map(|count| count as u64)
    }

    fn change<T>(&self, what: &str, act: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T> {
        let failed = |error: rusqlite::Error| cannot(what, &error);
        let transaction =
            Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate).map_err(failed)?;
        let done = act(&transaction).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

fn cannot(what: &str, error: &rusqlite::Error) -> Error {
    let kind = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => ErrorKind::Conflict,
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        _ => ErrorKind::Unavailable,
    };
    Error::new(kind, what, error.to_string())
}
