//! Jobs as types, with the words that the database stores.

use griot::model::{Error, Result};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

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
    /// How an address of the frontier is used.
    Role {
        Page = "page",
        /// A list of pages, such as a sitemap.
        List = "list",
        /// A usual location of a list; it is not an error if there is none.
        Guess = "guess",
    }
}

words! {
    /// The state of an address or a file.
    PageState {
        Queued = "queued",
        /// Its text is recorded but not stored in the engine yet.
        Fetched = "fetched",
        Stored = "stored",
        /// Same content as the last time.
        Unchanged = "unchanged",
        /// Same content as another page.
        Duplicate = "duplicate",
        Redirected = "redirected",
        /// Left out, for a reason that is not an error.
        Skipped = "skipped",
        /// The page or file does not exist any more.
        Gone = "gone",
        Failed = "failed",
    }
}

words! {
    /// The format in which the text of a page is recorded.
    Form {
        Plain = "plain",
        Markdown = "markdown",
        /// Passages of a binary document, as JSON.
        Passages = "passages",
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

    /// The error for a job that does not exist.
    pub fn missing(self) -> Error {
        Error::not_found(format!("find the job `{self}`"), "there is no such job").hint("griot jobs")
    }
}

impl JobState {
    pub(super) const fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

/// Which processes may work on a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkedBy {
    /// The process that created it, or one that a person starts to resume it.
    Creator,
    /// Any long-running process: a server, or `griot mcp`.
    Anyone,
}

impl WorkedBy {
    /// The state of an unfinished job that no process works on.
    pub(super) const fn state_without_process(self) -> JobState {
        match self {
            Self::Creator => JobState::Paused,
            Self::Anyone => JobState::Queued,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobDraft {
    pub kind: JobKind,
    pub target: String,
    /// JSON.
    pub options: String,
    pub user: Option<String>,
    pub by: WorkedBy,
    /// Milliseconds from its end until it is repeated.
    pub every: Option<i64>,
}

/// The last job that read one source, without its counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastJob {
    pub id: JobId,
    pub kind: JobKind,
    /// The user that it reads for.
    pub user: Option<String>,
    pub state: JobState,
    /// Why it failed.
    pub message: Option<String>,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    pub id: JobId,
    pub kind: JobKind,
    /// The user that it reads for.
    pub user: Option<String>,
    pub by: WorkedBy,
    /// Milliseconds from its end until it is repeated.
    pub every: Option<i64>,
    /// What it reads, such as an address.
    pub target: String,
    /// JSON, for the process that resumes the job.
    pub options: String,
    pub state: JobState,
    /// Why it failed.
    pub message: Option<String>,
    pub counts: Counts,
    /// In the order in which they occurred, at most 100.
    pub errors: Vec<PageError>,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub updated_at: i64,
}

impl Job {
    /// Parses the options as those of its kind.
    pub(crate) fn read_options<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(&self.options).map_err(|why| {
            Error::invalid(format!("resume the job `{}`", self.id), format!("its options are invalid: {why}"))
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Pages or files.
    pub discovered: u64,
    /// Pages that the server answered with content or as not modified.
    pub fetched: u64,
    /// Fetched pages that are done.
    pub processed: u64,
    pub stored: u64,
    pub unchanged: u64,
    pub duplicates: u64,
    pub skipped: u64,
    pub gone: u64,
    pub failed: u64,
    /// Found beyond the limits, and left out.
    pub dropped: u64,
    pub memories: u64,
    pub entities: u64,
    pub edges: u64,
    /// Memories that were removed because their source changed or is gone.
    pub removed: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageError {
    pub url: String,
    pub why: String,
}
