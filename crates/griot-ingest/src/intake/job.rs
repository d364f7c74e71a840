//! Files as a durable job: which are done is in its rows, so that it goes on where it ended.
//!
//! Files are listed anew by each process that works on it: what is on the disk counts, not what was there at
//! the start.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot::remember::checked_words;

use super::run::{FileEvent, FileOptions, Intake, Tell};
use crate::jobs::{End, FileRow, GIVEN_UP, Job, JobDraft, JobId, JobKind, Jobs, PageState, Tally, WorkedBy};
use crate::shown::printed;

/// Rows are written after so many files, and after so long; a file that brought something is written at once.
const ROWS: usize = 256;
const WRITE: Duration = Duration::from_millis(500);

/// Makes a job of reading files; [`run_ingest`] works on it.
pub fn start_ingest(jobs: &Jobs, options: &FileOptions, by: WorkedBy, now: i64) -> Result<JobId> {
    let what = || "read files".to_string();
    if options.paths.is_empty() {
        return Err(Error::invalid(what(), "no path is named"));
    }
    // One that no memory may carry would fail with every file.
    checked_words("tag", &options.tags)?;
    // Another process, with another folder, may go on with it.
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

/// Works on it until it is done, `stop` is set, or another process asks for it; answers how far it is then.
pub fn run_ingest(
    jobs: &Jobs,
    id: JobId,
    engine: &Engine,
    stop: &AtomicBool,
    tell: &mut Tell,
) -> Result<Job> {
    jobs.work(id, &|| engine.now().0, |job| {
        let asked: FileOptions = job.read_options()?;
        let wish = jobs.wish(id);
        let is_over = || stop.load(Ordering::Relaxed) || wish.look().is_some();
        let intake = Intake::new(engine, &asked, &is_over)?;
        let mut rows = Rows { jobs, id, rows: Vec::new(), problem: None, at: None, written: Instant::now() };
        let found = intake.list(&mut |event| rows.hear(event, tell))?;
        jobs.add_files(id, &found.iter().map(|path| printed(path)).collect::<Vec<_>>())?;
        for name in jobs.deadly_files(id)? {
            let error =
                Error::invalid(format!("read `{name}`"), GIVEN_UP).hint(format!("griot jobs retry {id}"));
            rows.hear(FileEvent::Failed { path: Path::new(&name), error: &error }, tell)?;
        }
        rows.write()?;
        let done = jobs.settled_files(id)?;
        let left: Vec<&PathBuf> = found.iter().filter(|path| !done.contains(&printed(path))).collect();
        let taken = intake.take_and_prune(&found, &left, &mut |event| rows.hear(event, tell));
        // Also where the store is in trouble: what is done is done.
        rows.write()?;
        rows.let_go()?;
        Ok(match wish.look() {
            _ if taken? => End::Done(None),
            Some(state) => End::Asked(state),
            None => End::Stopped,
        })
    })
}

/// What came of files and is not written yet.
struct Rows<'a> {
    jobs: &'a Jobs,
    id: JobId,
    rows: Vec<FileRow>,
    /// Of the file that is being read.
    problem: Option<String>,
    /// The file whose beginning is written.
    at: Option<String>,
    written: Instant,
}

impl Rows<'_> {
    fn hear(&mut self, event: FileEvent, tell: &mut Tell) -> Result<()> {
        self.take(&event)?;
        tell(event)
    }

    /// Its process goes on, whatever was not finished.
    fn let_go(&mut self) -> Result<()> {
        self.at.take().map_or(Ok(()), |name| self.jobs.let_go_file(self.id, &name))
    }

    fn take(&mut self, event: &FileEvent) -> Result<()> {
        let (name, state, tally) = match event {
            // A renamed file is unchanged; that is reported next.
            FileEvent::Next { .. } | FileEvent::Renamed { .. } => return Ok(()),
            FileEvent::Begun { path } => {
                // What was read before is settled first, so that only what is at hand is counted if the
                // process ends.
                self.write()?;
                let name = printed(path);
                self.jobs.begin_file(self.id, &name)?;
                self.at = Some(name);
                return Ok(());
            }
            FileEvent::Problem { error, .. } => {
                self.problem.get_or_insert_with(|| error.to_string());
                return Ok(());
            }
            FileEvent::Failed { path, error } => {
                self.problem = Some(error.to_string());
                (printed(path), PageState::Failed, Tally::default())
            }
            FileEvent::Taken { path, tally: None } => (printed(path), PageState::Unchanged, Tally::default()),
            FileEvent::Taken { path, tally: Some(tally) } => {
                (printed(path), PageState::Stored, (*tally).into())
            }
            FileEvent::Pruned { origin, memories } => {
                ((*origin).to_string(), PageState::Gone, Tally { removed: *memories, ..Tally::default() })
            }
        };
        self.at = None;
        let brought = tally != Tally::default();
        self.rows.push(FileRow { name, state, why: self.problem.take(), tally });
        if brought || self.rows.len() >= ROWS || self.written.elapsed() >= WRITE {
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
