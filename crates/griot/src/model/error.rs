//! Errors, grouped by what the caller does next.

use std::fmt;

pub type Result<T, E = Error> = std::result::Result<T, E>;

named! {
    /// The class of an error. Front ends map it to exit codes and statuses in one table each.
    ErrorKind {
        /// The request is wrong: correct it. Nothing was changed.
        InvalidInput = "invalid_input",
        /// The named thing does not exist: name another.
        NotFound = "not_found",
        /// Another writer was first or holds the lock: retry.
        Conflict = "conflict",
        /// Disk, model or permission is missing: wait or configure.
        Unavailable = "unavailable",
        /// The store is damaged or of another version: run `griot doctor`.
        Corrupt = "corrupt",
        /// A bug in Griot: report it.
        Bug = "bug",
    }
}

impl ErrorKind {
    /// The stable name in JSON.
    pub const fn code(self) -> &'static str {
        self.name()
    }
}

/// `what` could not be done, `why`, and the command that helps, if known.
///
/// Unless a function says otherwise, an error means that the store is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Error {
    pub kind: ErrorKind,
    /// A verb phrase that completes "cannot …", with the object named.
    pub what: String,
    pub why: String,
    pub hint: Option<String>,
    /// The possible meanings of an ambiguous name; empty for every other error.
    pub candidates: Box<[Candidate]>,
}

/// One possible meaning of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// The unambiguous name: canonical id or handle.
    pub id: String,
    /// The name of an entity, or the beginning of a memory.
    pub name: String,
    /// The type of an entity.
    pub kind: Option<super::EntityType>,
}

impl Error {
    pub fn new(kind: ErrorKind, what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { kind, what: what.into(), why: why.into(), hint: None, candidates: Box::default() }
    }

    pub fn invalid(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidInput, what, why)
    }

    pub fn not_found(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotFound, what, why)
    }

    pub fn unavailable(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unavailable, what, why)
    }

    pub fn corrupt(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(ErrorKind::Corrupt, what, why).hint("griot doctor")
    }

    /// Says which item of a list of `count` the error is about, counted from 0.
    pub fn of_item(mut self, index: usize, count: usize) -> Self {
        if count > 1 {
            self.what = format!("{} (item {} of {count})", self.what, index + 1);
        }
        self
    }

    pub fn candidates(mut self, candidates: Vec<Candidate>) -> Self {
        self.candidates = candidates.into();
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.what, self.why)
    }
}

impl std::error::Error for Error {}
