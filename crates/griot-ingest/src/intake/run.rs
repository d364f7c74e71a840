//! Files and folders into an engine, one after the other.

use std::path::{Path, PathBuf};

use griot::engine::{Arrival, Engine};
use griot::model::{Error, ErrorKind, Result, Scope};
use griot::remember::{IngestTally, SourceDraft};
use serde::{Deserialize, Serialize};

use crate::files::{Found, files};
use crate::options::ReadOptions;
use crate::read::{identify, origin, read_stream};
use crate::readers::Format;
use crate::readers::input::Reading;

/// What is read, and how. Kept with the job.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FileOptions {
    pub paths: Vec<PathBuf>,
    pub tags: Vec<String>,
    pub user: Option<String>,
    pub project: Option<String>,
    /// In place of `passage` and `turn`.
    pub kind: Option<String>,
    /// Name of a [`Format`]; detected for each file without one.
    pub format: Option<String>,
    /// Forget what came from files below the paths that are gone.
    pub prune: bool,
}

/// What has just happened.
#[derive(Debug)]
pub enum FileEvent<'a> {
    /// `done` of `all` files are done, and this one is next.
    Next { path: &'a Path, done: usize, all: usize },
    /// A file is about to be read: it is new, or has changed.
    Begun { path: &'a Path },
    /// A file was read, or passed over because the engine has it already.
    Taken { path: &'a Path, tally: Option<IngestTally> },
    /// A part of a file could not be read, or was left out.
    Problem { path: &'a Path, error: &'a Error },
    /// A file or a folder could not be read.
    Failed { path: &'a Path, error: &'a Error },
    /// A file has another name, and what came from it is kept under that.
    Renamed { from: &'a str, path: &'a Path },
    /// A source whose file is gone was forgotten.
    Pruned { origin: &'a str, memories: u64 },
}

/// Called for each step. An error ends the work.
pub type Tell<'a> = dyn FnMut(FileEvent<'_>) -> Result<()> + 'a;

impl FileOptions {
    /// How each file is read.
    pub fn read_options(&self, engine: &Engine) -> Result<ReadOptions> {
        Ok(ReadOptions {
            tags: self.tags.clone(),
            scope: Scope { user: self.user.clone(), project: self.project.clone() },
            kind: self.kind.clone(),
            format: self.format.as_deref().map(Format::named).transpose()?,
            ..ReadOptions::new(&engine.settings().ingest)
        })
    }
}

/// Reads files into one engine.
pub struct Intake<'a> {
    pub(super) engine: &'a Engine,
    pub(super) asked: &'a FileOptions,
    pub(super) options: ReadOptions,
    /// Asked before each file.
    pub(super) is_over: &'a dyn Fn() -> bool,
}

impl<'a> Intake<'a> {
    pub fn new(engine: &'a Engine, asked: &'a FileOptions, is_over: &'a dyn Fn() -> bool) -> Result<Self> {
        Ok(Self { engine, asked, options: asked.read_options(engine)?, is_over })
    }

    /// Reads those of the files that are `wanted`. False if it ended before that was done.
    pub fn run(&self, wanted: &dyn Fn(&Path) -> bool, tell: &mut Tell) -> Result<bool> {
        let found = self.list(tell)?;
        let wanted: Vec<&PathBuf> = found.iter().filter(|path| wanted(path)).collect();
        self.take_and_prune(&found, &wanted, tell)
    }

    /// Reads those of the found files that are wanted, and forgets what is gone.
    pub(super) fn take_and_prune(
        &self,
        found: &[PathBuf],
        wanted: &[&PathBuf],
        tell: &mut Tell,
    ) -> Result<bool> {
        let gone = if self.asked.prune { self.gone(found, wanted, tell)? } else { Vec::new() };
        let whole = self.take_all(wanted, tell)?;
        if whole {
            self.prune(gone, tell)?;
        }
        Ok(whole)
    }

    pub(super) fn take_all(&self, files: &[&PathBuf], tell: &mut Tell) -> Result<bool> {
        for (done, path) in files.iter().enumerate() {
            if (self.is_over)() {
                return Ok(false);
            }
            tell(FileEvent::Next { path, done, all: files.len() })?;
            match self.take(path, tell) {
                Ok(tally) => tell(FileEvent::Taken { path, tally })?,
                Err(error) if is_of_store(&error) => return Err(error),
                Err(error) => tell(FileEvent::Failed { path, error: &error })?,
            }
        }
        Ok(true)
    }

    /// The files below the named paths, without duplicates. What cannot be looked at is reported.
    pub(super) fn list(&self, tell: &mut Tell) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for path in &self.asked.paths {
            match files(path) {
                Ok(Found { files, problems }) => {
                    problems.iter().try_for_each(|error| tell(FileEvent::Failed { path, error }))?;
                    all.extend(files);
                }
                // What is forgotten for being gone is no problem.
                Err(_) if self.asked.prune && !path.exists() && self.is_known(path)? => {}
                Err(error) => tell(FileEvent::Failed { path, error: &error })?,
            }
        }
        all.sort();
        all.dedup();
        Ok(all)
    }

    /// Something came from this path or from below it.
    pub(super) fn is_known(&self, path: &Path) -> Result<bool> {
        let root = origin(path, &self.options);
        Ok(self.engine.sources()?.iter().any(|view| is_below(&view.source.origin, &root)))
    }

    /// Reads one file, unless the engine has it as it is.
    pub(super) fn take(&self, path: &Path, tell: &mut Tell) -> Result<Option<IngestTally>> {
        if self.engine.source_is_current(&identify(path, &self.options)?)? {
            return Ok(None);
        }
        tell(FileEvent::Begun { path })?;
        let mut read = Read::Nothing;
        read_stream(path, &self.options, &mut |reading| {
            reading.problems.iter().try_for_each(|error| tell(FileEvent::Problem { path, error }))?;
            read = std::mem::replace(&mut read, Read::Nothing).and(self.engine, reading)?;
            Ok(())
        })?;
        match read {
            Read::Nothing => Ok(None),
            Read::Whole(reading) => self.engine.ingest(&reading.source, reading.drafts),
            Read::Parts(arrival, source) => arrival.finish(&source).map(Some),
        }
    }
}

/// What was read of a file so far. The first part waits: a file of one part is compared as a whole before any
/// of it is stored.
enum Read<'a> {
    Nothing,
    Whole(Reading),
    /// With the source as the last part has it.
    Parts(Arrival<'a>, SourceDraft),
}

impl<'a> Read<'a> {
    fn and(self, engine: &'a Engine, reading: Reading) -> Result<Self> {
        let mut arrival = match self {
            Self::Nothing => return Ok(Self::Whole(reading)),
            Self::Parts(arrival, _) => arrival,
            Self::Whole(first) => {
                // A part is no source that the engine could know, so that there always is one.
                let Some(mut arrival) = engine.arrival(&first.source)? else { return Ok(Self::Nothing) };
                arrival.part(&first.source, first.drafts)?;
                arrival
            }
        };
        arrival.part(&reading.source, reading.drafts)?;
        Ok(Self::Parts(arrival, reading.source))
    }
}

/// The store is in trouble: no other file will fare better.
fn is_of_store(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Corrupt | ErrorKind::Conflict)
}

pub(super) fn is_below(origin: &str, root: &str) -> bool {
    let root = root.trim_end_matches(['/', '.']);
    origin == root || origin.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}
