//! Files and folders into an engine, one after the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use griot::engine::{Arrival, Engine};
use griot::model::{Error, ErrorKind, Result, Scope, SourceId};
use griot::remember::{IngestTally, SourceDraft, checked_metadata};
use serde::{Deserialize, Serialize};

use crate::files::{Found, files};
use crate::options::ReadOptions;
use crate::read::{identify, origin, read_stream};
use crate::readers::Format;
use crate::readers::input::Reading;

/// What to read, and how. Stored with the job.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FileOptions {
    pub paths: Vec<PathBuf>,
    pub tags: Vec<String>,
    /// Metadata of each file.
    pub metadata: BTreeMap<String, String>,
    pub user: Option<String>,
    pub project: Option<String>,
    /// Kind of the memories, instead of `passage` and `turn`.
    pub kind: Option<String>,
    /// The agent that the memories belong to.
    pub agent: Option<String>,
    /// Name of a [`Format`]; detected for each file if `None`.
    pub format: Option<String>,
    /// Forget sources below the paths whose files are gone.
    pub prune: bool,
}

#[derive(Debug)]
pub enum FileEvent<'a> {
    /// `done` of `all` files are done, and this one is next.
    Next { path: &'a Path, done: usize, all: usize },
    /// A new or changed file is about to be read.
    Begun { path: &'a Path },
    /// A file was read; `None` if the engine had it already.
    Taken { path: &'a Path, tally: Option<IngestTally> },
    /// A part of a file could not be read, or was left out.
    Problem { path: &'a Path, error: &'a Error },
    /// A file or a folder could not be read.
    Failed { path: &'a Path, error: &'a Error },
    /// A file was renamed; its source keeps its memories.
    Renamed { from: &'a str, path: &'a Path },
    /// Files in a folder whose kind is not read: their number by the end of their name.
    Unread(&'a BTreeMap<String, u64>),
    /// A file was left out, because its source was forgotten.
    Forgotten { path: &'a Path, source: SourceId },
    /// A source whose file is gone was forgotten.
    Pruned { origin: &'a str, memories: u64 },
    /// A source keeps its memories although its file is gone.
    Missing { origin: &'a str },
}

/// Called for each step. An error ends the run.
pub type Report<'a> = dyn FnMut(FileEvent<'_>) -> Result<()> + 'a;

impl FileOptions {
    /// The options that each file is read with.
    pub fn read_options(&self, engine: &Engine) -> Result<ReadOptions> {
        Ok(ReadOptions {
            tags: self.tags.clone(),
            metadata: checked_metadata(&self.metadata)?,
            scope: Scope { user: self.user.clone(), project: self.project.clone() },
            kind: self.kind.clone(),
            format: self.format.as_deref().map(Format::named).transpose()?,
            ..ReadOptions::new(&engine.settings().ingest)
        })
    }
}

pub struct Intake<'a> {
    pub(super) engine: &'a Engine,
    pub(super) asked: &'a FileOptions,
    pub(super) options: ReadOptions,
    /// Checked before each file.
    pub(super) should_stop: &'a dyn Fn() -> bool,
}

impl<'a> Intake<'a> {
    pub fn new(
        engine: &'a Engine,
        asked: &'a FileOptions,
        should_stop: &'a dyn Fn() -> bool,
    ) -> Result<Self> {
        Ok(Self { engine, asked, options: asked.read_options(engine)?, should_stop })
    }

    /// Reads the files that are `wanted`. False if it was stopped before the end.
    pub fn run(&self, wanted: &dyn Fn(&Path) -> bool, report: &mut Report) -> Result<bool> {
        let found = self.list(report)?;
        let wanted: Vec<&PathBuf> = found.iter().filter(|path| wanted(path)).collect();
        self.read_and_prune(&found, &wanted, report)
    }

    /// Reads the wanted files, then forgets or reports sources whose files are gone.
    pub(super) fn read_and_prune(
        &self,
        found: &[PathBuf],
        wanted: &[&PathBuf],
        report: &mut Report,
    ) -> Result<bool> {
        let gone = self.missing(found, wanted, report)?;
        let whole = self.read_all(wanted, report)?;
        if whole && self.asked.prune {
            self.prune(gone, report)?;
        } else if whole {
            gone.iter().try_for_each(|source| report(FileEvent::Missing { origin: &source.origin }))?;
        }
        Ok(whole)
    }

    fn read_all(&self, files: &[&PathBuf], report: &mut Report) -> Result<bool> {
        for (done, path) in files.iter().enumerate() {
            if (self.should_stop)() {
                return Ok(false);
            }
            report(FileEvent::Next { path, done, all: files.len() })?;
            match self.read_one(path, report) {
                Ok(Read::Left(source)) => report(FileEvent::Forgotten { path, source })?,
                Ok(Read::Taken(tally)) => report(FileEvent::Taken { path, tally })?,
                Err(error) if is_store_error(&error) => return Err(error),
                Err(error) => report(FileEvent::Failed { path, error: &error })?,
            }
        }
        Ok(true)
    }

    /// The files below the named paths, each once. Reports what cannot be listed.
    pub(super) fn list(&self, report: &mut Report) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for path in &self.asked.paths {
            match files(path) {
                Ok(Found { files, problems, unread }) => {
                    problems.iter().try_for_each(|error| report(FileEvent::Failed { path, error }))?;
                    if !unread.is_empty() {
                        report(FileEvent::Unread(&unread))?;
                    }
                    all.extend(files);
                }
                // A file that is gone and will be forgotten is not an error.
                Err(_) if self.asked.prune && !path.exists() && self.is_known(path)? => {}
                Err(_) if self.asked.prune && !path.exists() => {
                    let what = format!("look for what is gone below {}", path.display());
                    let why = "there is no such folder; if it is gone for good, name the one above it";
                    report(FileEvent::Failed { path, error: &Error::not_found(what, why) })?;
                }
                Err(error) => report(FileEvent::Failed { path, error: &error })?,
            }
        }
        all.sort();
        all.dedup();
        Ok(all)
    }

    /// Whether a source came from this file.
    fn is_known(&self, path: &Path) -> Result<bool> {
        let file = origin(path, &self.options);
        Ok(self.engine.sources()?.iter().any(|view| view.source.origin == file))
    }

    /// Reads one file, unless the engine has it unchanged, or its source was forgotten.
    fn read_one(&self, path: &Path, report: &mut Report) -> Result<Read> {
        let source = identify(path, &self.options)?;
        if let Some(forgotten) = self.engine.forgotten_source(&source)? {
            return Ok(Read::Left(forgotten));
        }
        if self.engine.source_is_current(&source)? {
            return Ok(Read::Taken(None));
        }
        report(FileEvent::Begun { path })?;
        let mut parts = Parts::Nothing;
        read_stream(path, &self.options, &mut |mut reading| {
            reading.belongs_to(self.asked.agent.as_deref());
            reading.problems.iter().try_for_each(|error| report(FileEvent::Problem { path, error }))?;
            parts = std::mem::replace(&mut parts, Parts::Nothing).push(self.engine, reading)?;
            Ok(())
        })?;
        let tally = match parts {
            Parts::Nothing => None,
            Parts::Single(reading) => self.engine.ingest(&reading.source, reading.drafts)?,
            Parts::Several(arrival, source) => Some(arrival.finish(&source)?),
        };
        Ok(Read::Taken(tally))
    }
}

/// What became of a file; `Taken` has no tally if the engine had it already.
enum Read {
    Taken(Option<IngestTally>),
    Left(SourceId),
}

/// What was read of a file so far. The first part is held back: a file of a single part is compared as a
/// whole before any of it is stored.
enum Parts<'a> {
    Nothing,
    Single(Reading),
    /// With the source as the last part describes it.
    Several(Box<Arrival<'a>>, SourceDraft),
}

impl<'a> Parts<'a> {
    fn push(self, engine: &'a Engine, reading: Reading) -> Result<Self> {
        let mut arrival = match self {
            Self::Nothing => return Ok(Self::Single(reading)),
            Self::Several(arrival, _) => *arrival,
            Self::Single(first) => {
                // The engine cannot know a part as a source, so this always is `Some`.
                let Some(mut arrival) = engine.arrival(&first.source)? else { return Ok(Self::Nothing) };
                arrival.part(&first.source, first.drafts)?;
                arrival
            }
        };
        arrival.part(&reading.source, reading.drafts)?;
        Ok(Self::Several(Box::new(arrival), reading.source))
    }
}

/// Whether the error is the store's, so that every other file would fail, too.
fn is_store_error(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Corrupt | ErrorKind::Conflict)
}

pub(super) fn is_below(origin: &str, root: &str) -> bool {
    let root = root.trim_end_matches(['/', '.']);
    origin == root || origin.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}
