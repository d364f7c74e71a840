//! The key of a provider. Only the request's header has its text: not `Debug`, no error, no log.

use std::fmt;
use std::io::Read;
use std::path::Path;

use super::failure::{Failure, FailureKind};

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// Of an environment variable; `None` if it is not set.
    pub(crate) fn of_variable(name: &str) -> Result<Option<Self>, Failure> {
        let from = format!("the environment variable `{name}`");
        match std::env::var_os(name) {
            None => Ok(None),
            Some(text) => Self::new(&from, &text.to_string_lossy()).map(Some),
        }
    }

    /// Of the file that this setting names.
    pub(crate) fn of_file(path: &Path, setting: &str) -> Result<Self, Failure> {
        const MOST: u64 = 16 * 1024;
        let from = format!("the file `{}`", path.display());
        let mut text = String::new();
        let read = std::fs::File::open(path)
            .and_then(|file| file.take(MOST).read_to_string(&mut text))
            .map_err(|error| {
                Failure::new(FailureKind::Misconfigured, format!("{from} could not be read: {error}"))
                    .hint(format!("griot config set {setting} PATH"))
            });
        read?;
        Self::new(&from, &text)
    }

    fn new(from: &str, text: &str) -> Result<Self, Failure> {
        let text = text.trim();
        let wrong = |why: &str| {
            Err(Failure::new(FailureKind::Misconfigured, format!("{from} {why}"))
                .hint("put the key there, alone and on one line"))
        };
        if text.is_empty() {
            return wrong("is empty");
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return wrong("holds more than a key: spaces, several lines or other characters");
        }
        Ok(Self(text.to_string()))
    }

    /// The text for a header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// A message without the key, in case a server repeats it.
    pub(crate) fn removed_from(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}
