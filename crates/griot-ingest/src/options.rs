//! Options and limits for reading.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use griot::engine::IngestSettings;
use griot::model::Scope;
use serde::{Deserialize, Serialize};

use crate::readers::Format;
use crate::readers::input::Input;

/// Options for reading. A read worker gets all but the root and the limits, which it does not need.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReadOptions {
    /// Added to the tags in the file.
    pub tags: Vec<String>,
    /// Metadata of the source.
    pub metadata: BTreeMap<String, String>,
    /// Overrides a record's own `user` and `project`.
    pub scope: Scope,
    /// Maximum size of a file; for formats that [`read_stream`](crate::read_stream) reads line by line, of a
    /// line.
    pub max_bytes: u64,
    /// Origins are paths relative to this folder, or absolute if it is unset or does not contain the file.
    #[serde(skip)]
    pub root: Option<PathBuf>,
    /// Replaces `passage` and `turn`; a record's own `kind` is kept.
    pub kind: Option<String>,
    /// Default: [`Format::detect`].
    pub format: Option<Format>,
    /// Accepted formats or MIME types; all if empty.
    pub allowed: Vec<String>,
    /// Limits for files that are read in a separate process.
    #[serde(skip)]
    pub limits: ReadLimits,
}

impl ReadOptions {
    pub fn new(settings: &IngestSettings) -> Self {
        Self {
            tags: Vec::new(),
            metadata: BTreeMap::new(),
            scope: Scope::default(),
            max_bytes: settings.max_file_bytes,
            allowed: settings.allowed_types.clone(),
            root: None,
            kind: None,
            format: None,
            limits: ReadLimits::new(settings),
        }
    }

    /// Describes a text to read with these options; `name` appears in error messages.
    pub(crate) fn input<'a>(&'a self, name: &'a str, path: &'a Path, origin: String) -> Input<'a> {
        Input {
            name,
            path,
            origin,
            tags: &self.tags,
            metadata: &self.metadata,
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
    pub fn new(settings: &IngestSettings) -> Self {
        Self { memory: settings.reader_memory_bytes, time: Duration::from_secs(settings.reader_seconds) }
    }
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self::new(&IngestSettings::default())
    }
}
