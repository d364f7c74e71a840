//! What a job is, in the words that its rows use.

use griot::model::{Error, Result};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

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

words! {
    /// What the text of a page is recorded as.
    Form {
        Plain = "plain",
        Markdown = "markdown",
        /// Of a document that is no text, as JSON.
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

    /// The error where there is none of this number.
    pub fn missing(self) -> Error {
        Error::not_found(format!("find the job `{self}`"), "there is no such job").hint("griot jobs")
    }
}

/// Who may work on a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkedBy {
    /// The process that made it, or one that a person tells to go on with it.
    Maker,
    /// Any process that goes on running: a server, or one that speaks with an agent.
    Anyone,
}

/// A job to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobDraft {
    pub kind: JobKind,
    pub target: String,
    /// As JSON.
    pub options: String,
    pub user: Option<String>,
    pub by: WorkedBy,
    /// Milliseconds after its end until it is done again.
    pub every: Option<i64>,
}

/// A job and how far it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    pub id: JobId,
    pub kind: JobKind,
    /// For whom it reads.
    pub user: Option<String>,
    pub by: WorkedBy,
    /// Milliseconds after its end until it is done again.
    pub every: Option<i64>,
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

impl Job {
    /// For whoever goes on with it.
    pub(crate) fn read_options<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(&self.options).map_err(|why| {
            Error::invalid(
                format!("go on with the job `{}`", self.id),
                format!("its options are wrong: {why}"),
            )
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Pages, or files.
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
