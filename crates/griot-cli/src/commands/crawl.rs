//! `griot crawl`, `griot crawl-status`: pages and sites into memories.
//!
//! All progress is in the rows of the job (`griot_ingest::Jobs`). This file starts a job, shows it, and stops
//! it on Ctrl-C.

use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot_ingest::{CrawlEvent, CrawlOptions, Job, JobId, JobKind, JobState, Jobs, WorkedBy};
use griot_wire::request::Request;
use griot_wire::sdk::CrawlProgress;

use super::ingest::stop_on_interrupt;
use crate::args::{CrawlArgs, CrawlStatus};
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;
use crate::session::{Session, Use};

/// Interval of updates of the progress bar.
const DRAW: Duration = Duration::from_millis(200);

pub fn run(session: &Session, args: CrawlArgs) -> Result<Exit> {
    let q = args.owned.request();
    let call = session.call(Use::Write, &q.place()?)?;
    let jobs = call.jobs()?;
    let id = match (&args.resume, &args.url) {
        (Some(id), _) => JobId::parse(id)?,
        (None, Some(url)) => {
            let asked = q.options(&call)?;
            let options = CrawlOptions {
                rate: args.rate.unwrap_or(asked.rate),
                allow_private: args.allow_private || asked.allow_private,
                ..asked
            };
            griot_ingest::start_crawl(&jobs, url, &options, WorkedBy::Creator, call.engine.now().0)?
        }
        (None, None) => {
            return Err(
                Error::invalid("crawl", "there is no address").hint("griot crawl https://example.org/")
            );
        }
    };
    let job = work(&call.engine, &jobs, id)?;
    answer(session, &job)
}

/// Works on a job until it is done or Ctrl-C, and shows its progress.
pub(super) fn work(engine: &Engine, jobs: &Jobs, id: JobId) -> Result<Job> {
    let stop = stop_on_interrupt("pausing; Ctrl-C again stops at once");
    let progress = Progress::new("pages");
    let mut drawn: Option<Instant> = None;
    let job = griot_ingest::run_crawl(jobs, id, engine, &stop, &mut |event| {
        if drawn.is_some_and(|drawn| drawn.elapsed() < DRAW) {
            return;
        }
        drawn = Some(Instant::now());
        if let (CrawlEvent::Recorded(url), Ok(job)) = (event, jobs.job(id)) {
            progress.at(job.counts.processed, job.counts.discovered);
            progress.message(url.clone());
        }
    });
    progress.finish();
    job
}

pub(super) fn answer(session: &Session, job: &Job) -> Result<Exit> {
    session.out.answer(&CrawlProgress::from(job), |page, _| render::job(page, &job.into()))?;
    Ok(Exit::fine_if(job.state == JobState::Done))
}

pub fn status(session: &Session, args: &CrawlStatus) -> Result<Exit> {
    let none = || {
        Error::not_found("find a crawl", "there is none in this workspace")
            .hint("griot crawl https://example.org/")
    };
    let jobs = Jobs::find(&session.target()?.database)?.ok_or_else(none)?;
    let job = match &args.job {
        Some(id) => jobs.job(JobId::parse(id)?)?,
        None => jobs.list()?.into_iter().find(|job| job.kind != JobKind::Ingest).ok_or_else(none)?,
    };
    answer(session, &job)?;
    Ok(Exit::Fine)
}
