//! `griot jobs`: long work that outlives the process that does it.
//!
//! All progress is in the rows of a job (`griot_ingest::Jobs`); it is shown here, and Ctrl-C stops it.

use std::time::{Duration, Instant};

use griot::model::Result;
use griot_ingest::{CrawlEvent, Job, JobKind, JobState};
use griot_wire::call::Call;
use griot_wire::request::{Bare, Place};
use griot_wire::verbs::job::{self as verbs, JobEvent};

use super::fine;
use super::ingest::{Reading, STOPPING, stop_on_interrupt};
use crate::args::{JobsAction, JobsArgs};
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;
use crate::session::{Session, Use};

/// Interval of updates of the progress bar.
const DRAW: Duration = Duration::from_millis(200);

pub fn run(session: &Session, args: JobsArgs) -> Result<Exit> {
    let here = |job: &verbs::OneJob, begin: fn(&Call, &str) -> _| {
        let call = session.call(Use::Write, &Place::default())?;
        let (job, _) = work(&call, &begin(&call, &job.name)?)?;
        session.out.answer(&griot_wire::Job::from(&job), render::job)?;
        Ok(exit(&job))
    };
    match args.action.unwrap_or(JobsAction::List(args.limit)) {
        JobsAction::List(limit) => {
            let call = session.call(Use::Read, &Place::default())?;
            let all = limit.cut(verbs::jobs(&call, Bare::NOTHING)?, "job", "jobs");
            fine(session.out.answer(&all, |page, all| render::jobs(page, all)))
        }
        JobsAction::Show(job) => fine(session.ask(Use::Read, job, verbs::job, render::job)),
        JobsAction::Pause(job) => fine(session.ask(Use::Write, job, verbs::pause, render::job)),
        JobsAction::Cancel(job) => fine(session.ask(Use::Write, job, verbs::cancel, render::job)),
        JobsAction::Resume(job) => here(&job, verbs::found),
        JobsAction::Retry(job) => here(&job, verbs::retried),
    }
}

/// A job has to end, and one over files has to read all of them; a page that cannot be fetched is usual.
pub(super) fn exit(job: &Job) -> Exit {
    let is_whole = job.kind != JobKind::Ingest || job.counts.failed == 0;
    Exit::fine_if(job.state == JobState::Done && is_whole)
}

/// Works on a job in this process until it is done or Ctrl-C, and shows its progress. What was read of files
/// is counted.
pub(super) fn work(call: &Call, job: &Job) -> Result<(Job, Reading)> {
    let is_files = job.kind == JobKind::Ingest;
    let stop = stop_on_interrupt(if is_files { STOPPING } else { "pausing; Ctrl-C again stops at once" });
    let (jobs, mut reading, pages) = (call.jobs()?, Reading::new(), Progress::new("pages"));
    let mut drawn: Option<Instant> = None;
    let job = verbs::work(&jobs, job.id, &call.whole, &stop, &mut |event| match event {
        JobEvent::File(event) => reading.hear(&event),
        JobEvent::Page(_) if drawn.is_some_and(|drawn| drawn.elapsed() < DRAW) => {}
        JobEvent::Page(event) => {
            drawn = Some(Instant::now());
            if let (CrawlEvent::Recorded(url), Ok(job)) = (event, jobs.job(job.id)) {
                pages.at(job.counts.processed, job.counts.discovered);
                pages.message(url.clone());
            }
        }
    });
    pages.finish();
    Ok((job?, reading))
}
