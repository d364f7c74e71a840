//! Why a model gave no reply, and what to do about it.

use std::time::Duration;

use griot::model::{Error, ErrorKind};

/// The hint where a server answers, but not as its interface does.
pub(crate) const FITTING: &str = "griot config: do provider, url and name fit together?";

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident = $name:literal,)*) => {
        /// The class of a failure.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum FailureKind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl FailureKind {
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// No model is set.
    Off = "off",
    /// Settings that contradict each other, or miss something.
    Misconfigured = "misconfigured",
    /// The provider does not accept the key.
    WrongKey = "wrong_key",
    /// The provider does not know the model.
    UnknownModel = "unknown_model",
    /// Whatever answers is no interface of this kind, such as a web page.
    NotAnInterface = "not_an_interface",
    /// The provider does not accept the request.
    Rejected = "rejected",
    /// The model or its provider declined to answer. Asking again changes nothing.
    Refused = "refused",
    /// The reply was cut before anything of it was complete.
    Truncated = "truncated",
    /// The reply has another form than the one that was asked for.
    Unreadable = "unreadable",
    /// The reply is larger than any that was asked for.
    TooLarge = "too_large",
    /// Too many requests, or no quota left.
    Overloaded = "overloaded",
    /// No connection, a connection that was cut, or an error of the server.
    Unreachable = "unreachable",
    /// No complete reply in time.
    TimedOut = "timed_out",
    /// A budget would be exceeded.
    OverBudget = "over_budget",
    /// The ledger could not be read or written, so nothing was asked.
    Ledger = "ledger",
}

/// A question without a reply.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    /// The end of the sentence "could not ask the language model: …".
    pub why: String,
    pub hint: Option<String>,
    /// The same request may succeed after this time.
    pub(crate) retry: Option<Duration>,
    /// The provider may have worked on the request, and count it.
    pub(crate) may_cost: bool,
}

impl Failure {
    pub fn new(kind: FailureKind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into(), hint: None, retry: None, may_cost: false }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Worth another try, at the earliest after this time.
    pub(crate) fn again(mut self, after: Duration) -> Self {
        self.retry = Some(after);
        self
    }

    pub(crate) fn may_cost(mut self) -> Self {
        self.may_cost = true;
        self
    }

    /// For people.
    pub fn sentence(&self) -> String {
        let hint = self.hint.as_ref().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
        format!("could not ask the language model: {}{hint}", self.why)
    }
}

impl Failure {
    /// The error of what could not be done.
    pub(crate) fn error(self, what: &str) -> Error {
        // Asking again does not help where a setting is missing.
        let kind = match self.kind {
            FailureKind::Off | FailureKind::Misconfigured => ErrorKind::InvalidInput,
            _ => ErrorKind::Unavailable,
        };
        Error { hint: self.hint, ..Error::new(kind, what, self.why) }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        failure.error("ask the language model")
    }
}

/// The ledger's errors.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { hint: error.hint.clone(), ..Self::new(FailureKind::Ledger, error.to_string()) }
    }
}

/// The words of a server as one short line without secrets.
pub(crate) fn short(text: &str) -> String {
    /// Characters.
    const MESSAGE: usize = 240;
    let text = griot::text::masked(text).unwrap_or_else(|| text.to_string());
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
