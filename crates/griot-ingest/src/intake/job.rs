//! Reads files as a durable job: its rows record which files are done, so that it can be resumed.
//!
//! Each process that works on it lists the files again: what is on disk counts, not what was there at the
//! start.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot::remember::{IngestTally, checked_metadata, checked_words};

use super::run::{FileEvent, FileOptions, Intake, Report};
use crate::jobs::{End, FileRow, GIVEN_UP, Job, JobDraft, JobId, JobKind, Jobs, PageState, WorkedBy};
use crate::shown::printed;

/// Rows are written in batches of this size, or after this time. A file that changed the store is written
/// at once.
const BATCH: usize = 256;
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// Creates a job that reads files; [`run_ingest`] runs it.
pub fn start_ingest(jobs: &Jobs, options: &FileOptions, by: WorkedBy, now: i64) -> Result<JobId> {
    let what = || "read files".to_string();
    if options.paths.is_empty() {
        return Err(Error::invalid(what(), "no path was given"));
    }
    // An invalid tag would fail every file.
    checked_words("tag", &options.tags)?;
    checked_metadata(&options.metadata)?;
    // Another process, in another working directory, may resume it.
    let absolute = |path| std::path::absolute(path).map_err(|why| Error::invalid(what(), why.to_string()));
    let paths = options.paths.iter().map(absolute).collect::<Result<Vec<_>>>()?;
    let target = paths.iter().map(|path| printed(path)).collect::<Vec<_>>().join(" ");
    let kept = FileOptions { paths, ..options.clone() };
    let draft = JobDraft {
        kind: JobKind::Ingest,
        target,
        options: serde_json::to_string(&kept).map_err(|why| Error::invalid(what(), why.to_string()))?,
        user: options.user.clone(),
        by,
        every: None,
    };
    jobs.create(&draft, now)
}

/// Runs it until it is done, `stop` is set, or another process asks it to end; returns the job as it is
/// then.
pub fn run_ingest(
    jobs: &Jobs,
    id: JobId,
    engine: &Engine,
    stop: &AtomicBool,
    report: &mut Report,
) -> Result<Job> {
    jobs.work(id, &|| engine.now().0, |job| {
        let asked: FileOptions = job.read_options()?;
        let own = asked.agent.as_deref().and_then(|agent| engine.for_agent(agent));
        let engine = own.as_ref().unwrap_or(engine);
        let stop_request = jobs.stop_request(id);
        let should_stop = || stop.load(Ordering::Relaxed) || stop_request().is_some();
        let intake = Intake::new(engine, &asked, &should_stop)?;
        let mut progress =
            Progress { jobs, id, rows: Vec::new(), problem: None, at: None, written: Instant::now() };
        let found = intake.list(&mut |event| progress.on_event(event, report))?;
        jobs.add_files(id, &found.iter().map(|path| printed(path)).collect::<Vec<_>>())?;
        for name in jobs.crashing_files(id)? {
            let error =
                Error::invalid(format!("read `{name}`"), GIVEN_UP).hint(format!("griot jobs retry {id}"));
            progress.on_event(FileEvent::Failed { path: Path::new(&name), error: &error }, report)?;
        }
        progress.write()?;
        let done = jobs.settled_files(id)?;
        let left: Vec<&PathBuf> = found.iter().filter(|path| !done.contains(&printed(path))).collect();
        let taken = intake.read_and_prune(&found, &left, &mut |event| progress.on_event(event, report));
        // Also if the store failed: what is done stays done.
        progress.write()?;
        progress.release()?;
        Ok(match stop_request() {
            _ if taken? => End::Done(None),
            Some(state) => End::Requested(state),
            None => End::Stopped,
        })
    })
}

/// Results of files that are not written yet.
struct Progress<'a> {
    jobs: &'a Jobs,
    id: JobId,
    rows: Vec<FileRow>,
    /// Of the file that is being read.
    problem: Option<String>,
    /// The row of the file whose start is written.
    at: Option<i64>,
    written: Instant,
}

impl Progress<'_> {
    fn on_event(&mut self, event: FileEvent, report: &mut Report) -> Result<()> {
        self.take(&event)?;
        report(event)
    }

    /// Takes back the start of an unfinished file: its process did not crash.
    fn release(&mut self) -> Result<()> {
        self.at.take().map_or(Ok(()), |row| self.jobs.release(row))
    }

    fn take(&mut self, event: &FileEvent) -> Result<()> {
        let nothing = IngestTally::default();
        let (name, state, tally) = match event {
            // A renamed file was not read; the next event covers it.
            FileEvent::Next { .. }
            | FileEvent::Renamed { .. }
            | FileEvent::Unread(_)
            | FileEvent::Missing { .. } => return Ok(()),
            FileEvent::Begun { path } => {
                // Settles the files before it, so that a crash is counted for this file only.
                self.write()?;
                self.at = Some(self.jobs.begin_file(self.id, &printed(path))?);
                return Ok(());
            }
            FileEvent::Problem { error, .. } => {
                self.problem.get_or_insert_with(|| error.to_string());
                return Ok(());
            }
            FileEvent::Failed { path, error } => {
                self.problem = Some(error.to_string());
                (printed(path), PageState::Failed, nothing)
            }
            FileEvent::Taken { path, tally: None } | FileEvent::Forgotten { path, .. } => {
                (printed(path), PageState::Unchanged, nothing)
            }
            FileEvent::Taken { path, tally: Some(tally) } => (printed(path), PageState::Stored, *tally),
            FileEvent::Pruned { origin, memories } => {
                let removed = u32::try_from(*memories).unwrap_or(u32::MAX);
                ((*origin).to_string(), PageState::Gone, IngestTally { removed, ..nothing })
            }
        };
        self.at = None;
        let has_changes = tally.added > 0 || tally.entities > 0 || tally.edges > 0 || tally.removed > 0;
        self.rows.push(FileRow { name, state, why: self.problem.take(), tally });
        if has_changes || self.rows.len() >= BATCH || self.written.elapsed() >= WRITE_INTERVAL {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<()> {
        self.written = Instant::now();
        if !self.rows.is_empty() {
            self.jobs.settle_files(self.id, &std::mem::take(&mut self.rows))?;
        }
        Ok(())
    }
}
