//! How to read: options and limits of a caller.

use std::path::{Path, PathBuf};
use std::time::Duration;

use griot::engine::IngestSettings;
use griot::model::Scope;

use crate::readers::Format;
use crate::readers::input::Input;

/// How to read.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadOptions {
    /// Added to the tags that the file gives.
    pub tags: Vec<String>,
    /// If set, a record's own `user` and `project` are ignored.
    pub scope: Scope,
    /// Largest file; for formats that are read line by line by [`read_stream`](crate::read_stream), the
    /// longest line.
    pub max_bytes: u64,
    /// Origins are paths relative to this folder; absolute without one, or if the file lies outside.
    pub root: Option<PathBuf>,
    /// In place of `passage` and `turn`; a record's own `kind` is kept.
    pub kind: Option<String>,
    /// Default: [`Format::detect`].
    pub format: Option<Format>,
    /// Formats or MIME types that are read; all if empty.
    pub allowed: Vec<String>,
    /// What reading one file may cost, if it is read in a process of its own.
    pub limits: ReadLimits,
}

impl ReadOptions {
    /// The options from the settings.
    pub fn new(settings: &IngestSettings) -> Self {
        Self {
            tags: Vec::new(),
            scope: Scope::default(),
            max_bytes: settings.max_file_bytes,
            allowed: settings.allowed_types.clone(),
            root: None,
            kind: None,
            format: None,
            limits: ReadLimits::new(settings),
        }
    }

    /// A text that is read with these options; `name` is what errors name.
    pub(crate) fn input<'a>(&'a self, name: &'a str, path: &'a Path, origin: String) -> Input<'a> {
        Input {
            name,
            path,
            origin,
            tags: &self.tags,
            scope: &self.scope,
            kind: self.kind.as_deref(),
            max_bytes: self.max_bytes,
            modified: None,
            is_file: false,
        }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new(&IngestSettings::default())
    }
}

/// Limits for reading one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadLimits {
    /// Bytes.
    pub memory: u64,
    pub time: Duration,
}

impl ReadLimits {
    /// The limits from the settings.
    pub fn new(settings: &IngestSettings) -> Self {
        Self { memory: settings.reader_memory_bytes, time: Duration::from_secs(settings.reader_seconds) }
    }
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self::new(&IngestSettings::default())
    }
}
