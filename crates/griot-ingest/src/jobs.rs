//! Durable jobs: what was asked for, how far it is, and what went wrong.
//!
//! A job is a row, and every address that a crawl knows is a row below it (the frontier). A step is one transaction, and a
//! page is recorded with the links that were found on it before anybody works with its text, so that whenever the process ends,
//! the rows say what is left: nothing that was recorded is fetched twice, and nothing that was found is forgotten. The file
//! lies beside the workspace: what is in progress is no knowledge, and losing it loses no memory.
//!
//! Who works on a job holds a lock of the operating system on it, which ends with its process, however that ends.

use std::fs::File;
use std::path::{Path, PathBuf};

use griot::model::{Error, ErrorKind, Result};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

/// Told one by one in an answer; the others are counted.
const ERRORS: usize = 100;
const BUSY_MS: u32 = 10_000;
const VERSION: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  state TEXT NOT NULL,
  wanted TEXT,                -- what another process asks of the one that works: paused, cancelled
  message TEXT,               -- why it failed
  requests INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,     -- rows of the frontier
  dropped INTEGER NOT NULL DEFAULT 0,  -- addresses found and not taken up
  memories INTEGER NOT NULL DEFAULT 0,
  entities INTEGER NOT NULL DEFAULT 0,
  edges INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE frontier (
  id INTEGER PRIMARY KEY,     -- in the order of finding
  job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  role TEXT NOT NULL,
  depth INTEGER NOT NULL,
  hops INTEGER NOT NULL,      -- redirects, or lists within lists, that led here
  is_start INTEGER NOT NULL DEFAULT 0,  -- what was asked for, or where that has moved
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  why TEXT,                   -- of failed, gone, skipped
  origin TEXT,                -- the source that the page is, once it is fetched
  title TEXT,
  published INTEGER,
  is_markdown INTEGER,
  body TEXT,                  -- until it is stored
  etag TEXT,
  modified TEXT,
  hash BLOB,
  UNIQUE (job, url)
) STRICT;
CREATE INDEX frontier_by_state ON frontier(job, state, depth, id);
CREATE TABLE robots (
  job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  site TEXT NOT NULL,
  body TEXT,                  -- nothing: the site could not say, so nothing of it is fetched
  why TEXT,
  PRIMARY KEY (job, site)
) STRICT, WITHOUT ROWID;
-- What is known of pages from earlier jobs, for conditional requests.
CREATE TABLE page (
  url TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  etag TEXT,
  modified TEXT,
  hash BLOB NOT NULL,
  reading BLOB NOT NULL,      -- with which tags and for whom it was read
  links TEXT NOT NULL         -- by line: an unchanged page is not sent again, and its links are still followed
) STRICT, WITHOUT ROWID;
CREATE INDEX page_by_hash ON page(hash);
";

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

/// An address that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) row: i64,
    pub(crate) url: String,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) tries: u32,
}

/// An address to take up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) url: String,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
}

/// A page that was fetched and is not stored yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) row: i64,
    pub(crate) url: String,
    pub(crate) origin: String,
    pub(crate) title: Option<String>,
    pub(crate) published: Option<i64>,
    pub(crate) is_markdown: bool,
    pub(crate) body: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) hash: [u8; 32],
    /// With which tags and for whom it was read.
    pub(crate) reading: [u8; 32],
    pub(crate) links: Vec<String>,
}

/// What earlier jobs know of a page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Known {
    pub(crate) origin: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) hash: [u8; 32],
    /// With which tags and for whom it was read.
    pub(crate) reading: [u8; 32],
    pub(crate) links: Vec<String>,
}

/// What storing a page came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) memories: u64,
    pub(crate) entities: u64,
    pub(crate) edges: u64,
    pub(crate) removed: u64,
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
        connection.busy_timeout(std::time::Duration::from_millis(BUSY_MS.into())).map_err(failed)?;
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
        Ok(JobId(self.connection.last_insert_rowid()))
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
        if job.state == JobState::Running && self.lock(id)?.is_some() {
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
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{id}.lock"));
        let path = PathBuf::from(name);
        let failed = |error: std::io::Error| Error::unavailable(format!("lock the job `{id}`"), error.to_string());
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(JobLock { file, path })),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(error)) => Err(failed(error)),
        }
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

    /// Takes up addresses, up to `most` in the job. What is known is nearer now if it was found nearer.
    pub(crate) fn add(&self, job: JobId, found: &[Found], most: u64) -> Result<()> {
        self.change("take up addresses", |transaction| put(transaction, job, found, most))
    }

    /// The nearest addresses that wait, in the order of finding; those of one depth only, so that what is found at a depth is
    /// found by the shortest way.
    pub(crate) fn waiting(&self, job: JobId, most: usize) -> Result<Vec<Waiting>> {
        let read = || {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, url, role, depth, hops, tries FROM frontier WHERE job = ?1 AND state = 'queued'
                 AND depth = (SELECT min(depth) FROM frontier WHERE job = ?1 AND state = 'queued') ORDER BY id LIMIT ?2",
            )?;
            let rows = statement.query_map(params![job.0, most as i64], |row| {
                Ok(Waiting {
                    row: row.get(0)?,
                    url: row.get(1)?,
                    role: row.get(2)?,
                    depth: row.get(3)?,
                    hops: row.get(4)?,
                    tries: row.get(5)?,
                })
            })?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the frontier", &error))
    }

    /// Pages with content, requests that were made, and whether addresses wait.
    pub(crate) fn spent(&self, job: JobId) -> Result<(u64, u64, bool)> {
        let number = |row: &rusqlite::Row<'_>, column| row.get::<_, i64>(column).map(|n| u64::try_from(n).unwrap_or(0));
        self.connection
            .prepare_cached(
                "SELECT (SELECT count(*) FROM frontier WHERE job = ?1 AND role = 'page'
                 AND state IN ('fetched', 'stored', 'unchanged', 'duplicate')), requests,
                 EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND state = 'queued') FROM job WHERE id = ?1",
            )
            .and_then(|mut statement| {
                statement.query_row([job.0], |row| Ok((number(row, 0)?, number(row, 1)?, row.get(2)?)))
            })
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// One more request was made for nothing, and another one is to be made.
    pub(crate) fn tried(&self, job: JobId, row: i64) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute("UPDATE frontier SET tries = tries + 1 WHERE id = ?1", [row])?;
            asked_once(transaction, job)
        })
    }

    /// What came of an address, with what was found there.
    pub(crate) fn settle(
        &self,
        job: JobId,
        row: i64,
        state: PageState,
        why: Option<&str>,
        found: &[Found],
        most: u64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = ?2, why = ?3, tries = tries + 1, body = NULL WHERE id = ?1",
                params![row, state, why],
            )?;
            asked_once(transaction, job)?;
            put(transaction, job, found, most)
        })
    }

    /// A page with all that is needed to store it, before anybody works with it.
    pub(crate) fn record(&self, job: JobId, page: &Recorded, found: &[Found], most: u64) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'fetched', role = 'page', tries = tries + 1, why = NULL, origin = ?2, title = ?3,
                 published = ?4, is_markdown = ?5, body = ?6, etag = ?7, modified = ?8, hash = ?9 WHERE id = ?1",
                params![
                    page.row,
                    page.origin,
                    page.title,
                    page.published,
                    page.is_markdown,
                    page.body,
                    page.etag,
                    page.modified,
                    page.hash
                ],
            )?;
            // Beside the page until it is stored, so that its row has all that is to be known of it.
            put_page(transaction, page)?;
            asked_once(transaction, job)?;
            put(transaction, job, found, most)
        })
    }

    /// A page that says what it said; the engine has it.
    pub(crate) fn unchanged(&self, job: JobId, row: i64, url: &str, found: &[Found], most: u64) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'unchanged', tries = tries + 1, origin = ?2,
                 hash = (SELECT hash FROM page WHERE url = ?2) WHERE id = ?1",
                params![row, url],
            )?;
            asked_once(transaction, job)?;
            put(transaction, job, found, most)
        })
    }

    /// An address that leads to another one, which is taken up whatever the frontier holds.
    pub(crate) fn redirect(&self, job: JobId, row: i64, is_start: bool, to: &Found) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute("UPDATE frontier SET state = 'redirected', tries = tries + 1 WHERE id = ?1", [row])?;
            asked_once(transaction, job)?;
            put(transaction, job, std::slice::from_ref(to), u64::MAX)?;
            if is_start {
                transaction
                    .execute("UPDATE frontier SET is_start = 1 WHERE job = ?1 AND url = ?2", params![job.0, to.url])?;
            }
            Ok(())
        })
    }

    /// It is what was asked for, or where that has moved.
    pub(crate) fn is_from_start(&self, job: JobId, row: i64) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT is_start OR url = (SELECT target FROM job WHERE id = ?1) FROM frontier WHERE id = ?2",
            )
            .and_then(|mut statement| statement.query_row([job.0, row], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// Where that which was asked for has moved.
    pub(crate) fn moved_to(&self, job: JobId) -> Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT url FROM frontier WHERE job = ?1 AND is_start ORDER BY id DESC LIMIT 1")
            .and_then(|mut statement| statement.query_row([job.0], |row| row.get(0)).optional())
            .map_err(|error| cannot("read the frontier", &error))
    }

    pub(crate) fn backlog(&self, job: JobId) -> Result<i64> {
        self.connection
            .prepare_cached("SELECT count(*) FROM frontier WHERE job = ?1 AND state = 'fetched' AND origin = url")
            .and_then(|mut statement| statement.query_row([job.0], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// Some list of pages was read.
    pub(crate) fn has_list(&self, job: JobId) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND role <> 'page' AND state = 'stored')",
            )
            .and_then(|mut statement| statement.query_row([job.0], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    pub(crate) fn removed(&self, job: JobId, memories: u64) -> Result<()> {
        self.connection
            .execute("UPDATE job SET removed = removed + ?2 WHERE id = ?1", params![job.0, memories as i64])
            .map(|_| ())
            .map_err(|error| cannot("write the job", &error))
    }

    /// A page that is to be stored next: those under their own address first, since they decide what an address says.
    pub(crate) fn recorded(&self, job: JobId, with_others: bool) -> Result<Option<Recorded>> {
        self.connection
            .prepare_cached(
                "SELECT id, url, origin, title, published, is_markdown, body, etag, modified, hash FROM frontier
                 WHERE job = ?1 AND state = 'fetched' AND (origin = url OR ?2) ORDER BY origin <> url, id LIMIT 1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row(params![job.0, with_others], |row| {
                        Ok(Recorded {
                            row: row.get(0)?,
                            url: row.get(1)?,
                            origin: row.get(2)?,
                            title: row.get(3)?,
                            published: row.get(4)?,
                            is_markdown: row.get(5)?,
                            body: row.get(6)?,
                            etag: row.get(7)?,
                            modified: row.get(8)?,
                            hash: row.get(9)?,
                            ..Recorded::default()
                        })
                    })
                    .optional()
            })
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// What the engine made of a recorded page.
    pub(crate) fn stored(
        &self,
        job: JobId,
        row: i64,
        state: PageState,
        why: Option<&str>,
        tally: Tally,
        now: i64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = ?2, why = ?3, body = NULL WHERE id = ?1",
                params![row, state, why],
            )?;
            transaction.execute(
                "UPDATE job SET memories = memories + ?2, entities = entities + ?3, edges = edges + ?4,
                 removed = removed + ?5, updated_at = ?6 WHERE id = ?1",
                params![
                    job.0,
                    tally.memories as i64,
                    tally.entities as i64,
                    tally.edges as i64,
                    tally.removed as i64,
                    now
                ],
            )?;
            Ok(())
        })
    }

    /// Another page of the job stands for this origin already.
    pub(crate) fn has_origin(&self, job: JobId, row: i64, origin: &str) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND id <> ?2 AND origin = ?3
                 AND state IN ('stored', 'unchanged'))",
            )
            .and_then(|mut statement| statement.query_row(params![job.0, row, origin], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// Origins of pages that say the same, under other addresses.
    pub(crate) fn same_text(&self, url: &str, hash: &[u8; 32]) -> Result<Vec<String>> {
        let read = || {
            let mut statement = self.connection.prepare_cached(
                "SELECT DISTINCT origin FROM page WHERE hash = ?1 AND url <> ?2 AND origin = url ORDER BY 1",
            )?;
            statement.query_map(params![hash, url], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the known pages", &error))
    }

    pub(crate) fn known(&self, url: &str) -> Result<Option<Known>> {
        self.connection
            .prepare_cached("SELECT origin, etag, modified, hash, links, reading FROM page WHERE url = ?1")
            .and_then(|mut statement| {
                statement
                    .query_row([url], |row| {
                        let links: String = row.get(4)?;
                        Ok(Known {
                            origin: row.get(0)?,
                            etag: row.get(1)?,
                            modified: row.get(2)?,
                            hash: row.get(3)?,
                            reading: row.get(5)?,
                            links: links.lines().map(str::to_string).collect(),
                        })
                    })
                    .optional()
            })
            .map_err(|error| cannot("read the known pages", &error))
    }

    /// Addresses of known pages of a site.
    pub(crate) fn known_of(&self, site: &str) -> Result<Vec<String>> {
        let read = || {
            let mut statement =
                self.connection.prepare_cached("SELECT url FROM page WHERE url >= ?1 AND url < ?2 ORDER BY url")?;
            // `0` follows `/`.
            statement
                .query_map([format!("{site}/"), format!("{site}0")], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the known pages", &error))
    }

    pub(crate) fn forget_page(&self, url: &str) -> Result<()> {
        self.connection
            .execute("DELETE FROM page WHERE url = ?1", [url])
            .map(|_| ())
            .map_err(|error| cannot("write the known pages", &error))
    }

    /// What a site said of robots: nothing if it was not asked; `Some(None)` if it could not say.
    pub(crate) fn robots(&self, job: JobId, site: &str) -> Result<Option<(Option<String>, Option<String>)>> {
        self.connection
            .prepare_cached("SELECT body, why FROM robots WHERE job = ?1 AND site = ?2")
            .and_then(|mut statement| {
                statement.query_row(params![job.0, site], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(|error| cannot("read what sites ask of robots", &error))
    }

    pub(crate) fn put_robots(
        &self,
        job: JobId,
        site: &str,
        body: Option<&str>,
        why: Option<&str>,
        found: &[Found],
        most: u64,
    ) -> Result<()> {
        self.change("write what a site asks of robots", |transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO robots (job, site, body, why) VALUES (?1, ?2, ?3, ?4)",
                params![job.0, site, body, why],
            )?;
            put(transaction, job, found, most)
        })
    }

    /// What still waits is not wanted any more.
    pub(crate) fn leave_rest(&self, job: JobId, why: &str) -> Result<()> {
        self.connection
            .execute(
                "UPDATE frontier SET state = 'skipped', why = ?2 WHERE job = ?1 AND state = 'queued'",
                params![job.0, why],
            )
            .map(|_| ())
            .map_err(|error| cannot("write the frontier", &error))
    }
}

fn asked_once(transaction: &Transaction<'_>, job: JobId) -> rusqlite::Result<()> {
    transaction.prepare_cached("UPDATE job SET requests = requests + 1 WHERE id = ?1")?.execute([job.0]).map(|_| ())
}

fn put(transaction: &Transaction<'_>, job: JobId, found: &[Found], most: u64) -> rusqlite::Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let held: i64 = transaction.query_row("SELECT held FROM job WHERE id = ?1", [job.0], |row| row.get(0))?;
    let mut room = most.saturating_sub(u64::try_from(held).unwrap_or(0));
    let (mut taken, mut dropped) = (0_i64, 0_i64);
    let mut nearer =
        transaction.prepare_cached("UPDATE frontier SET depth = min(depth, ?3) WHERE job = ?1 AND url = ?2")?;
    let mut insert = transaction.prepare_cached(
        "INSERT INTO frontier (job, url, role, depth, hops, state) VALUES (?1, ?2, ?3, ?4, ?5, 'queued')",
    )?;
    for one in found {
        if nearer.execute(params![job.0, one.url, one.depth])? > 0 {
            continue;
        }
        if room == 0 {
            dropped += 1;
            continue;
        }
        insert.execute(params![job.0, one.url, one.role, one.depth, one.hops])?;
        room -= 1;
        taken += 1;
    }
    transaction
        .prepare_cached("UPDATE job SET held = held + ?2, dropped = dropped + ?3 WHERE id = ?1")?
        .execute(params![job.0, taken, dropped])
        .map(|_| ())
}

fn put_page(transaction: &Transaction<'_>, page: &Recorded) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO page (url, origin, etag, modified, hash, reading, links) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            page.url,
            page.origin,
            page.etag,
            page.modified,
            page.hash,
            page.reading,
            page.links.join("\n")
        ])
        .map(|_| ())
}

fn cannot(what: &str, error: &rusqlite::Error) -> Error {
    let kind = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => ErrorKind::Conflict,
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        _ => ErrorKind::Unavailable,
    };
    Error::new(kind, what, error.to_string())
}
