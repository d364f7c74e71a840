//! The one place that talks to the engine, through what a library user has.
//!
//! A workspace lives in a folder of its own. What is put in as units comes out as ids of units, so that nobody else
//! here knows how the engine cuts, names or stores them.

use std::path::{Path, PathBuf};
use std::process::Command;

use griot::model::{Error, Result};

use crate::dataset::Unit;
use crate::generator::GeneratedMemory;

/// An open workspace and, for measured sets, which memory stands for which unit.
pub struct Workspace {
    directory: PathBuf,
}

impl Workspace {
    /// Makes an empty workspace in `directory`, which exists and holds none yet.
    pub fn create(directory: &Path) -> Result<Self> {
        Err(not_connected(&format!(
            "create a workspace in {}",
            directory.display()
        )))
    }

    /// Opens the workspace that `create` made in `directory`, as a new process would.
    pub fn open(directory: &Path) -> Result<Self> {
        Err(not_connected(&format!(
            "open the workspace in {}",
            directory.display()
        )))
    }

    /// Takes units in the way a user would: turns as a chat with speakers, times and sessions; passages and sentences
    /// as documents by `source` and `ordinal`; notes by telling them one after another.
    pub fn ingest(&mut self, units: &[&Unit]) -> Result<()> {
        Err(not_connected(&format!("ingest {} units", units.len())))
    }

    /// Ids of at most `limit` units, best first, each once. With `floor` as a user gets it: what is irrelevant is left
    /// out and the answer may be empty. Without, as many as there are.
    pub fn ranking(&self, question: &str, limit: usize, floor: bool) -> Result<Vec<String>> {
        let floor = if floor { "with" } else { "without" };
        Err(not_connected(&format!(
            "recall {limit} units {floor} the floor for {question:?}"
        )))
    }

    /// Remembers all of `memories` in one durable transaction, vectors and every edge included; returns how many were
    /// added rather than skipped.
    pub fn remember(&mut self, memories: &[GeneratedMemory]) -> Result<usize> {
        Err(not_connected(&format!(
            "remember {} memories",
            memories.len()
        )))
    }

    /// A whole recall with default settings; returns the number of results.
    pub fn recall(&self, question: &str, limit: usize) -> Result<usize> {
        Err(not_connected(&format!(
            "recall {limit} memories for {question:?}"
        )))
    }

    /// Brings the index files up to date, as a user's process does when it ends.
    pub fn finish(&mut self) -> Result<()> {
        Err(not_connected(&format!(
            "write the indexes of {}",
            self.directory.display()
        )))
    }

    /// Size of the database, its write-ahead log included and the rebuildable index files not.
    pub fn database_bytes(&self) -> Result<u64> {
        Err(not_connected(&format!(
            "measure {}",
            self.directory.display()
        )))
    }

    /// Size of the index files beside the database.
    pub fn index_bytes(&self) -> Result<u64> {
        Err(not_connected(&format!(
            "measure {}",
            self.directory.display()
        )))
    }
}

/// The command line that asks the workspace in `directory` as a process of its own.
pub fn recall_command(binary: &Path, directory: &Path, question: &str) -> Result<Command> {
    Err(not_connected(&format!(
        "recall {question:?} in {} with {}",
        directory.display(),
        binary.display()
    )))
}

fn not_connected(what: &str) -> Error {
    Error::unavailable(what, "the engine is not connected")
}
