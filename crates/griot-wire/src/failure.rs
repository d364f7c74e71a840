//! How requests fail: one table from kinds of failure to HTTP statuses and JSON-RPC codes.

use std::path::PathBuf;

use griot::model::{Candidate, Error, ErrorKind};
use serde_json::{Value, json};

/// What a caller does next decides the kind. The engine's kinds, and those that only a server knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Engine(ErrorKind),
    /// No key, or a wrong or revoked one.
    Unauthenticated,
    /// The key does not reach this far.
    Forbidden,
    RateLimited,
    TooLarge,
    TimedOut,
    NoRoute,
    MethodNotAllowed,
    UnsupportedMediaType,
}

impl Kind {
    pub const ALL: [Self; 14] = [
        Self::Engine(ErrorKind::InvalidInput),
        Self::Engine(ErrorKind::NotFound),
        Self::Engine(ErrorKind::Conflict),
        Self::Engine(ErrorKind::Unavailable),
        Self::Engine(ErrorKind::Corrupt),
        Self::Engine(ErrorKind::Bug),
        Self::Unauthenticated,
        Self::Forbidden,
        Self::RateLimited,
        Self::TooLarge,
        Self::TimedOut,
        Self::NoRoute,
        Self::MethodNotAllowed,
        Self::UnsupportedMediaType,
    ];

    /// Name, status of HTTP, code of JSON-RPC.
    const fn row(self) -> (&'static str, u16, i32) {
        match self {
            Self::Engine(ErrorKind::InvalidInput) => (ErrorKind::InvalidInput.code(), 400, -32602),
            Self::Engine(ErrorKind::NotFound) => (ErrorKind::NotFound.code(), 404, -32002),
            Self::Engine(ErrorKind::Conflict) => (ErrorKind::Conflict.code(), 409, -32009),
            Self::Engine(ErrorKind::Unavailable) => (ErrorKind::Unavailable.code(), 503, -32010),
            Self::Engine(ErrorKind::Corrupt) => (ErrorKind::Corrupt.code(), 500, -32603),
            Self::Engine(ErrorKind::Bug) => (ErrorKind::Bug.code(), 500, -32603),
            Self::Unauthenticated => ("unauthenticated", 401, -32011),
            Self::Forbidden => ("forbidden", 403, -32012),
            Self::RateLimited => ("rate_limited", 429, -32013),
            Self::TooLarge => ("too_large", 413, -32014),
            Self::TimedOut => ("timed_out", 504, -32015),
            Self::NoRoute => ("not_found", 404, -32601),
            Self::MethodNotAllowed => ("method_not_allowed", 405, -32601),
            Self::UnsupportedMediaType => ("unsupported_media_type", 415, -32602),
        }
    }

    pub const fn name(self) -> &'static str {
        self.row().0
    }

    pub const fn status(self) -> u16 {
        self.row().1
    }

    pub const fn json_rpc_code(self) -> i32 {
        self.row().2
    }

    /// The same request may succeed later.
    pub const fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::Engine(ErrorKind::Conflict | ErrorKind::Unavailable) | Self::RateLimited | Self::TimedOut
        )
    }
}

/// A request that could not be answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub kind: Kind,
    pub what: String,
    pub why: String,
    pub hint: Option<String>,
    /// Seconds after which another try makes sense.
    pub retry_after: Option<u64>,
    /// Code and details that clients of the memory SDK look for.
    pub sdk: Option<Box<(&'static str, Value)>>,
    /// What a name may mean that means more than one thing.
    pub candidates: Box<[Candidate]>,
}

pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub fn new(kind: Kind, what: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
            why: why.into(),
            hint: None,
            retry_after: None,
            sdk: None,
            candidates: Box::default(),
        }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Without the folders of this machine's files: remote callers see only their names.
    pub fn conceal(mut self, roots: &[PathBuf]) -> Self {
        let roots: Vec<String> =
            roots.iter().map(|root| root.display().to_string()).filter(|r| r.len() > 1).collect();
        for text in [Some(&mut self.what), Some(&mut self.why), self.hint.as_mut()].into_iter().flatten() {
            *text = without_folders(text, &roots);
        }
        self
    }

    /// What helps, also where the failure itself does not say.
    fn advice(&self) -> Option<&str> {
        self.hint.as_deref().or(match self.kind {
            Kind::Engine(ErrorKind::Conflict) => Some("another process is writing: try again"),
            _ => None,
        })
    }

    /// The object under `error`.
    pub fn body(&self, request_id: &str) -> Value {
        json!({
            "kind": self.kind.name(),
            "what": self.what,
            "why": self.why,
            "hint": self.advice(),
            "candidates": self.candidates.iter().map(crate::Candidate::from).collect::<Vec<_>>(),
            "request_id": request_id,
        })
    }

    /// One line for people.
    pub fn sentence(&self) -> String {
        let hint = self.advice().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
        format!("cannot {}: {}{hint}", self.what, self.why)
    }
}

/// Paths below the roots, cut down to the name of the file.
fn without_folders(text: &str, roots: &[String]) -> String {
    let mut concealed = String::with_capacity(text.len());
    let mut rest = text;
    // Of several roots at one position the longest counts.
    let next = |rest: &str| {
        roots
            .iter()
            .filter_map(|root| Some((rest.find(root.as_str())?, root.len())))
            .min_by_key(|&(at, n)| (at, !n))
    };
    while let Some((at, length)) = next(rest) {
        concealed.push_str(&rest[..at]);
        let after = &rest[at + length..];
        let is_end = |c: char| c.is_whitespace() || matches!(c, '`' | '\'' | '"' | ')' | ',' | ';' | ':');
        let below = &after[..after.find(is_end).unwrap_or(after.len())];
        concealed.push_str(below.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or("…"));
        rest = &after[below.len()..];
    }
    concealed.push_str(rest);
    concealed
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            hint: error.hint,
            candidates: error.candidates,
            ..Self::new(Kind::Engine(error.kind), error.what, error.why)
        }
    }
}

/// For the command line, where only the engine refuses.
impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let kind = match failure.kind {
            Kind::Engine(kind) => kind,
            _ => ErrorKind::InvalidInput,
        };
        let error = Self::new(kind, failure.what, failure.why);
        Self { hint: failure.hint, candidates: failure.candidates, ..error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_files_are_concealed() {
        let failure =
            Failure::new(Kind::NoRoute, "open the database /srv/g/workspaces/acme/griot.db", "no `/etc/x`")
                .hint("see `/srv/g`, or /srv/g/keys.json: there");
        let concealed = failure.conceal(&["/srv/g/workspaces".into(), "/srv/g".into()]);
        assert_eq!(concealed.what, "open the database griot.db");
        assert_eq!(concealed.why, "no `/etc/x`");
        assert_eq!(concealed.hint.as_deref(), Some("see `…`, or keys.json: there"));
    }

    #[test]
    fn every_kind_has_one_status() {
        let table: Vec<String> =
            Kind::ALL.iter().map(|kind| format!("{} {}", kind.name(), kind.status())).collect();
        assert_eq!(
            table,
            [
                "invalid_input 400",
                "not_found 404",
                "conflict 409",
                "unavailable 503",
                "corrupt 500",
                "bug 500",
                "unauthenticated 401",
                "forbidden 403",
                "rate_limited 429",
                "too_large 413",
                "timed_out 504",
                "not_found 404",
                "method_not_allowed 405",
                "unsupported_media_type 415",
            ]
        );
    }
}
