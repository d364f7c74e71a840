//! What clients may do with jobs: start crawls, look at them, stop them, go on. `worker` is who works on
//! them, `watching` reads folders as they change.
//!
//! - A job of a workspace is anyone's; a caller that is bound to a user sees and moves that user's jobs only.
//! - A crawl reads for the scope of the request that started it. Whether addresses of this machine may be
//!   asked is a setting, never a wish of the caller.

pub(crate) mod bell;
pub mod watching;
pub mod worker;

use std::sync::atomic::Ordering;
use std::time::Duration;

use griot::model::{Error, SourceType};
use griot_ingest::{
    CrawlMode, CrawlOptions, Job, JobId, JobKind, JobState, RefreshOptions, WorkedBy, refresh_source,
    run_crawl, start_crawl,
};
use griot_wire::request::{self as ask, seeds};
use griot_wire::sdk::CrawlProgress;
use griot_wire::{IngestFailure, Ingested, SourceView};

use crate::access::Role;
use crate::failure::Outcome;
use crate::service::Call;
use crate::told;

/// How often somebody who waits for a job looks at it.
const LOOK: Duration = Duration::from_millis(200);
/// Times that a page is asked for while a client waits.
const TRIES: u32 = 2;
/// For one answer while a client waits.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn crawl(call: &Call, q: ask::Crawl) -> Outcome<griot_wire::Job> {
    Ok(told::job(&started(call, q)?))
}

fn started(call: &Call, q: ask::Crawl) -> Outcome<Job> {
    let usual = CrawlOptions::new(&call.engine.settings().crawl);
    let options = CrawlOptions {
        mode: mode(q.mode.as_deref())?,
        depth: q.depth,
        max_pages: q.max_pages.unwrap_or(usual.max_pages),
        allow: q.allow,
        block: q.block,
        tags: q.tags,
        user: call.scope.user.clone(),
        project: call.scope.project.clone(),
        prune: q.prune,
        every_hours: q.every_hours.unwrap_or(0.0),
        ..usual
    };
    let jobs = call.jobs()?;
    let id = start_crawl(&jobs, &q.url, &options, WorkedBy::Anyone, call.engine.now().0)?;
    call.wake();
    Ok(jobs.job(id)?)
}

fn mode(name: Option<&str>) -> Outcome<CrawlMode> {
    match name.unwrap_or("recursive") {
        "single" => Ok(CrawlMode::Single),
        "sitemap" => Ok(CrawlMode::Sitemap),
        "recursive" => Ok(CrawlMode::Recursive),
        other => {
            let error = Error::invalid(format!("crawl in the mode `{other}`"), "there is no such mode");
            Err(error.hint("use single, sitemap or recursive").into())
        }
    }
}

/// Reads one page while the client waits.
pub fn read_page(call: &Call, url: &str, tags: Vec<String>) -> Outcome<Ingested> {
    let options = CrawlOptions {
        mode: CrawlMode::Single,
        tags,
        user: call.scope.user.clone(),
        project: call.scope.project.clone(),
        tries: TRIES,
        timeout_ms: PATIENCE.as_millis() as u64,
        backoff_ms: LOOK.as_millis() as u64,
        ..CrawlOptions::new(&call.engine.settings().crawl)
    };
    let jobs = call.jobs()?;
    let id = start_crawl(&jobs, url, &options, WorkedBy::Maker, call.engine.now().0)?;
    let job = run_crawl(&jobs, id, &call.whole, &call.ending, &mut |_| {})?;
    let counts = &job.counts;
    let failed = |one: &griot_ingest::PageError| IngestFailure {
        path: one.url.clone(),
        code: griot::model::ErrorKind::Unavailable.code().into(),
        message: one.why.clone(),
    };
    Ok(Ingested {
        sources: counts.processed,
        unchanged: counts.unchanged + counts.duplicates,
        added: counts.memories,
        removed: counts.removed,
        entities: counts.entities,
        edges: counts.edges,
        // The job as a whole failed for the reason that its page gives.
        failed: job
            .errors
            .iter()
            .skip(usize::from(job.errors.len() > 1 && job.message.is_some()))
            .map(failed)
            .collect(),
        ..Ingested::empty()
    })
}

pub fn jobs(call: &Call, _: ask::Bare) -> Outcome<Vec<griot_wire::Job>> {
    let Some(jobs) = call.jobs_if_any()? else { return Ok(Vec::new()) };
    Ok(jobs.list()?.iter().filter(|job| sees(call, job)).map(told::job).collect())
}

pub fn job(call: &Call, q: ask::OneJob) -> Outcome<griot_wire::Job> {
    Ok(told::job(&found(call, &q.name)?))
}

pub fn sees(call: &Call, job: &Job) -> bool {
    call.bound.is_none() || job.user == call.bound
}

/// The same answer whether a job is somebody else's or not there.
fn found(call: &Call, name: &str) -> Outcome<Job> {
    let id = JobId::parse(name)?;
    let jobs = call.jobs_if_any()?.ok_or_else(|| id.missing())?;
    let job = jobs.job(id)?;
    if sees(call, &job) { Ok(job) } else { Err(id.missing().into()) }
}

pub fn pause(call: &Call, q: ask::OneJob) -> Outcome<griot_wire::Job> {
    ask(call, &q.name, JobState::Paused)
}

pub fn cancel(call: &Call, q: ask::OneJob) -> Outcome<griot_wire::Job> {
    ask(call, &q.name, JobState::Cancelled)
}

fn ask(call: &Call, name: &str, wanted: JobState) -> Outcome<griot_wire::Job> {
    let (id, jobs) = (found(call, name)?.id, call.jobs()?);
    jobs.ask(id, wanted, call.engine.now().0)?;
    Ok(told::job(&jobs.job(id)?))
}

pub fn resume(call: &Call, q: ask::OneJob) -> Outcome<griot_wire::Job> {
    hand_over(call, &found(call, &q.name)?)
}

pub fn retry(call: &Call, q: ask::OneJob) -> Outcome<griot_wire::Job> {
    let job = found(call, &q.name)?;
    // One that runs tries by itself.
    if job.state == JobState::Running {
        return Ok(told::job(&job));
    }
    call.jobs()?.retry(job.id, call.engine.now().0)?;
    hand_over(call, &found(call, &q.name)?)
}

/// Lets the worker go on with it.
fn hand_over(call: &Call, job: &Job) -> Outcome<griot_wire::Job> {
    if matches!(job.state, JobState::Done | JobState::Cancelled) {
        let why = format!("it is {}", job.state.name());
        return Err(Error::invalid(format!("go on with the job `{}`", job.id), why).into());
    }
    if job.kind == JobKind::Ingest {
        call.needs(Role::Admin, "read files of the server")?;
    }
    let jobs = call.jobs()?;
    jobs.hand_over(job.id, call.engine.now().0)?;
    call.wake();
    Ok(told::job(&jobs.job(job.id)?))
}

/// Reads a source again.
pub fn refresh(call: &Call, q: ask::Refresh) -> Outcome<griot_wire::Job> {
    let id = ask::source(&call.engine, &q.name)?;
    let (view, _) = call.engine.source(id)?;
    if view.source.kind != SourceType::Page {
        call.needs(Role::Admin, "read files of the server")?;
    }
    let jobs = call.jobs()?;
    let options = RefreshOptions { prune: q.prune, allow_private: false, by: WorkedBy::Anyone };
    let id = refresh_source(&jobs, &call.engine, id, options)?;
    call.wake();
    Ok(told::job(&jobs.job(id)?))
}

pub fn tag_source(call: &Call, q: ask::SourceTags) -> Outcome<SourceView> {
    let id = ask::source(&call.engine, &q.name)?;
    Ok(SourceView::from(&call.of_all("set the tags of a source")?.set_source_tags(id, q.tags)?))
}

pub fn knowledge_crawl(call: &Call, q: seeds::KnowledgeCrawl) -> Outcome<CrawlProgress> {
    let wait = q.wait;
    let job = started(call, q.into())?;
    followed(call, job, wait)
}

pub fn knowledge_crawl_status(call: &Call, q: seeds::KnowledgeCrawlStatus) -> Outcome<CrawlProgress> {
    let job = match &q.crawl_id {
        Some(id) => found(call, id)?,
        None => {
            let all = call.jobs_if_any()?.map(|jobs| jobs.list()).transpose()?.unwrap_or_default();
            let latest = all.into_iter().find(|job| job.kind != JobKind::Ingest && sees(call, job));
            latest.ok_or_else(|| Error::not_found("find a crawl", "there is none in this workspace"))?
        }
    };
    followed(call, job, q.wait)
}

/// Waits for the end of a job if that is wished, and tells how far it is.
fn followed(call: &Call, mut job: Job, wait: bool) -> Outcome<CrawlProgress> {
    let jobs = call.jobs()?;
    let goes_on = |job: &Job| matches!(job.state, JobState::Queued | JobState::Running);
    while wait && goes_on(&job) && !call.ending.load(Ordering::Relaxed) {
        call.progress.tell(job.counts.processed, job.counts.discovered);
        std::thread::sleep(LOOK);
        job = jobs.job(job.id)?;
    }
    Ok(told::crawl(&job))
}
