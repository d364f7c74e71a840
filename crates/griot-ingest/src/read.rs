//! What a caller hands in and gets back; limits and hashes; which reader reads what.

use std::path::{Path, PathBuf};

use griot::model::{Error, Result, Scope};
use griot::remember::{Draft, SourceDraft};

use crate::Format;

/// What was read from one source, or one part of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    pub source: SourceDraft,
    /// In the order of the file. Empty if the file holds no text.
    pub drafts: Vec<Draft>,
    /// What was left out, by line or message. At most 100 in one source; the last one counts the others.
    pub problems: Vec<Error>,
}

/// How to read.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadOptions {
    /// Added to the tags that the file gives.
    pub tags: Vec<String>,
    /// Where it is set, a record's own `user` and `project` do not count.
    pub scope: Scope,
    /// Largest file; for formats that are read line by line by [`read_stream`], the longest line.
    pub max_bytes: u64,
    /// Origins are paths relative to it; absolute if there is none or the file lies outside.
    pub root: Option<PathBuf>,
    /// In place of `passage` and `turn`; a record's own `kind` is kept.
    pub kind: Option<String>,
    /// Default: [`Format::detect`].
    pub format: Option<Format>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            tags: Vec::new(),
            scope: Scope::default(),
            max_bytes: griot::engine::IngestSettings::default().max_file_bytes,
            root: None,
            kind: None,
            format: None,
        }
    }
}

fn later<T>() -> Result<T> {
    Err(Error::new(griot::model::ErrorKind::Bug, "read", "not connected"))
}

/// The path as a source is named by it: relative to `options.root` if it lies inside, with forward slashes; bytes
/// that are not UTF-8 are written `\xNN`.
pub fn origin(path: &Path, options: &ReadOptions) -> String {
    let _ = options;
    path.display().to_string()
}

/// Which source a file is, without parsing it: kind, origin and content hash, as its [`Reading`] will have them.
/// Reads the file once, in pieces.
pub fn identify(path: &Path, options: &ReadOptions) -> Result<SourceDraft> {
    let _ = (path, options);
    later()
}

/// BLAKE3 of the file's bytes and of the options that change what is made of them (tags, scope, kind, format).
pub fn content_hash(path: &Path, options: &ReadOptions) -> Result<[u8; 32]> {
    let _ = (path, options);
    later()
}

/// The same for bytes that are there already.
pub fn text_hash(bytes: &[u8], options: &ReadOptions) -> [u8; 32] {
    let _ = (bytes, options);
    [0; 32]
}

/// Reads a whole file. One source, one reading.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Vec<Reading>> {
    let _ = (path, options);
    later()
}

/// Reads text that is no file, such as standard input, under the name `origin`.
pub fn read_text(origin: &str, text: &str, options: &ReadOptions) -> Result<Vec<Reading>> {
    let _ = (origin, text, options);
    later()
}

/// Reads a file of any size that is read line by line (JSON Lines, chats), and any other file as [`read_file`] does.
///
/// Above 8 MB it arrives in parts of one source: at most 1,000 drafts or 8 MB each. Only the last part carries the content hash,
/// so that a file whose reading was interrupted does not count as read. An error of `sink` ends the reading.
pub fn read_stream(path: &Path, options: &ReadOptions, sink: &mut dyn FnMut(Reading) -> Result<()>) -> Result<()> {
    read_file(path, options)?.into_iter().try_for_each(sink)
}
