//! Guarantees specific to the SQLite store: files, processes, damage, bad input.

#![allow(clippy::unwrap_used)]

mod damage;
mod files;
mod format_4;
mod keys;
mod numbers;
mod sharing;

use super::*;
use crate::backend::{Read, Rows, Search, Store};
use crate::store::Indexed;

type Opened = Indexed<SqliteBackend>;

/// A new folder and the path of a store in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    (folder, path)
}

fn opened(path: &Path, options: Options) -> Result<Opened> {
    Indexed::new(SqliteBackend::open(path, options)?)
}
