//! `griot crawl`, `griot crawl-status`: pages and sites into memories.
//!
//! What is done is in the job's rows at every moment (`griot_ingest::Jobs`); this file starts it, shows it,
//! and stops it on Ctrl-C.

use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot_ingest::{CrawlEvent, CrawlMode, CrawlOptions, Job, JobId, JobKind, JobState, Jobs, WorkedBy};
use griot_server::told;

use super::ingest::stop_on_interrupt;
use super::session::{Session, Use};
use crate::args::{Crawl, CrawlStatus, Following};
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;

/// How often the bar is drawn anew.
const DRAW: Duration = Duration::from_millis(200);

pub fn run(session: &Session, args: &Crawl) -> Result<Exit> {
    let (engine, jobs) = open(session)?;
    let id = match (&args.resume, &args.url) {
        (Some(id), _) => JobId::parse(id)?,
        (None, Some(url)) => {
            griot_ingest::start_crawl(&jobs, url, &options(&engine, args), WorkedBy::Maker, engine.now().0)?
        }
        (None, None) => {
            return Err(
                Error::invalid("crawl", "there is no address").hint("griot crawl https://example.org/")
            );
        }
    };
    let job = work(&engine, &jobs, id)?;
    engine.close()?;
    answer(session, &job)
}

/// The engine, and the jobs beside its workspace.
pub(super) fn open(session: &Session) -> Result<(Engine, Jobs)> {
    let engine = session.open(Use::Write)?;
    let jobs = Jobs::beside(&session.target()?.database)?;
    Ok((engine, jobs))
}

fn options(engine: &Engine, args: &Crawl) -> CrawlOptions {
    let usual = CrawlOptions::new(&engine.settings().crawl);
    CrawlOptions {
        mode: match args.mode {
            Following::Single => CrawlMode::Single,
            Following::Sitemap => CrawlMode::Sitemap,
            Following::Recursive => CrawlMode::Recursive,
        },
        depth: args.depth,
        max_pages: args.max_pages.unwrap_or(usual.max_pages),
        allow: args.allow.clone(),
        block: args.block.clone(),
        tags: args.tag.clone(),
        user: args.owner.user.clone(),
        project: args.owner.project.clone(),
        rate: args.rate.unwrap_or(usual.rate),
        allow_private: args.allow_private || usual.allow_private,
        prune: args.prune,
        every_hours: args.every.unwrap_or(0.0),
        ..usual
    }
}

/// Works on a job until it is done or Ctrl-C, and shows how far it is.
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
    session.out.answer(&told::crawl(job), |page, _| render::job(page, &told::job(job)))?;
    Ok(if job.state == JobState::Done { Exit::Fine } else { Exit::Problem })
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
