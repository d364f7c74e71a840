//! Crawls and other jobs: start, show, pause, resume, cancel.
//!
//! - Callers share the jobs of a workspace; a caller bound to a user sees and controls only that user's jobs.
//! - A crawl stores into the scope of the request that started it. Only a setting can allow local addresses;
//!   a request cannot.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot_ingest::{
    CrawlEvent, CrawlOptions, FileEvent, Job, JobId, JobKind, JobState, Jobs, WorkedBy, run_crawl,
    run_ingest, start_crawl,
};

use crate::Job as Answer;
use crate::call::{Call, Role};
use crate::failure::Outcome;
use crate::request::{Bare, crawl_mode};

requests! {
    /// Crawl a page, the pages that a site lists, or the pages reached by following links.
    Crawl of speaker {
        /// The page to start from.
        #[schemars(schema_with = "crate::request::forms::url")]
        #[arg(skip)]
        url: String,
        /// `single`, `sitemap` or `recursive`; default `crawl.mode`.
        #[schemars(schema_with = "crate::request::forms::crawl_mode")]
        #[arg(long, value_parser = crate::request::crawl_modes(),
            help = "Which pages to read [default: crawl.mode, which is recursive]")]
        mode [default]: Option<String>,
        /// Maximum link depth; default `crawl.depth`.
        #[schemars(range(min = 0, max = 1000))]
        #[arg(long, help = "Maximum link depth [default: crawl.depth, which is 3]")]
        depth [default]: Option<u32>,
        /// Maximum number of pages; default `crawl.max_pages_per_crawl`.
        #[schemars(range(min = 1, max = 10000000))]
        #[arg(long, value_name = "COUNT",
            help = "Maximum number of pages [default: crawl.max_pages_per_crawl, which is 100]")]
        max_pages [default]: Option<u64>,
        /// Only URLs or paths that match, such as `/docs/**`; default `crawl.allow`, else the site of the
        /// start page.
        #[schemars(schema_with = "crate::request::forms::globs")]
        #[arg(long, value_name = "GLOB", help = "Only URLs or paths that match, such as `/docs/**`; may be \
            given more than once [default: crawl.allow, else the site of URL]")]
        allow [default]: Vec<String>,
        /// Skip URLs or paths that match, besides those of `crawl.block`.
        #[schemars(schema_with = "crate::request::forms::globs")]
        #[arg(long, value_name = "GLOB", help = "Skip URLs or paths that match; may be given more than once")]
        block [default]: Vec<String>,
        /// Tags for the stored memories.
        #[schemars(schema_with = "crate::request::forms::words")]
        #[arg(long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',',
            help = "A tag for the stored memories; may be given more than once")]
        tags [default]: Vec<String>,
        /// What to note of each page, by name; shown with its source, never searched.
        #[schemars(schema_with = "crate::request::forms::metadata")]
        #[arg(skip)]
        metadata [default]: BTreeMap<String, String>,
        /// The agent that the memories belong to; settings specific to this agent apply.
        #[arg(long, help = "The agent that the memories belong to; settings specific to this agent apply")]
        agent [default]: Option<String>,
        /// Forget the memories of pages that are gone.
        #[arg(long, help = "Forget the memories of pages that are gone (404, 410)")]
        prune [default]: bool,
        /// Repeat the crawl this many hours after it ends; default never.
        #[schemars(range(min = 0, max = 87600))]
        #[arg(long = "every", value_name = "HOURS",
            help = "Let a server of this workspace repeat the crawl this many hours after it ends")]
        every_hours [default]: Option<f64>,
    }

    /// A job, by id.
    OneJob by new {
        /// Id of a job, such as `j3`.
        #[schemars(regex(pattern = r"^j[1-9][0-9]{0,8}$"))]
        #[arg(value_name = "JOB", help = "Such as `j3`")]
        name: String,
    }
}

impl Crawl {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// The options: those of the request over those of the settings.
    pub fn options(&self, call: &Call) -> Outcome<CrawlOptions> {
        let settings = &call.engine.settings().crawl;
        let usual = CrawlOptions::new(settings);
        let allow = if self.allow.is_empty() { &settings.allow } else { &self.allow };
        Ok(CrawlOptions {
            mode: crawl_mode(self.mode.as_deref().unwrap_or(settings.mode.name()))?,
            depth: self.depth.unwrap_or(settings.depth),
            max_pages: self.max_pages.unwrap_or(usual.max_pages),
            allow: allow.clone(),
            block: settings.block.iter().chain(&self.block).cloned().collect(),
            tags: self.tags.clone(),
            metadata: self.metadata.clone(),
            user: call.scope.user.clone(),
            project: call.scope.project.clone(),
            agent: self.agent.clone(),
            settings_of: call.engine.agent().map(str::to_string),
            prune: self.prune,
            every_hours: self.every_hours.unwrap_or(0.0),
            ..usual
        })
    }
}

pub fn crawl(call: &Call, q: Crawl) -> Outcome<Answer> {
    Ok(Answer::from(&started(call, &q.url, &q.options(call)?, WorkedBy::Anyone)?))
}

pub fn started(call: &Call, url: &str, options: &CrawlOptions, by: WorkedBy) -> Outcome<Job> {
    let jobs = call.jobs()?;
    let id = start_crawl(&jobs, url, options, by, call.engine.now().0)?;
    call.wake();
    Ok(jobs.job(id)?)
}

pub fn jobs(call: &Call, _: Bare) -> Outcome<Vec<Answer>> {
    let Some(jobs) = call.jobs_if_any()? else { return Ok(Vec::new()) };
    Ok(jobs.list()?.iter().filter(|job| sees(call, job)).map(Answer::from).collect())
}

pub fn job(call: &Call, q: OneJob) -> Outcome<Answer> {
    Ok(Answer::from(&found(call, &q.name)?))
}

pub fn sees(call: &Call, job: &Job) -> bool {
    call.bound.is_none() || job.user == call.bound
}

/// Answers alike for another user's job and a missing one, to reveal nothing.
pub fn found(call: &Call, name: &str) -> Outcome<Job> {
    let id = JobId::parse(name)?;
    let jobs = call.jobs_if_any()?.ok_or_else(|| id.missing())?;
    let job = jobs.job(id)?;
    if sees(call, &job) { Ok(job) } else { Err(id.missing().into()) }
}

pub fn pause(call: &Call, q: OneJob) -> Outcome<Answer> {
    ask(call, &q.name, JobState::Paused)
}

pub fn cancel(call: &Call, q: OneJob) -> Outcome<Answer> {
    ask(call, &q.name, JobState::Cancelled)
}

fn ask(call: &Call, name: &str, wanted: JobState) -> Outcome<Answer> {
    let (id, jobs) = (found(call, name)?.id, call.jobs()?);
    jobs.request_state(id, wanted, call.engine.now().0)?;
    Ok(Answer::from(&jobs.job(id)?))
}

pub fn resume(call: &Call, q: OneJob) -> Outcome<Answer> {
    hand_over(call, &found(call, &q.name)?)
}

pub fn retry(call: &Call, q: OneJob) -> Outcome<Answer> {
    let job = found(call, &q.name)?;
    // A running job retries by itself.
    if job.state == JobState::Running {
        return Ok(Answer::from(&job));
    }
    hand_over(call, &retried(call, &q.name)?)
}

/// The job, which tries again what failed.
pub fn retried(call: &Call, name: &str) -> Outcome<Job> {
    call.jobs()?.retry(found(call, name)?.id, call.engine.now().0)?;
    found(call, name)
}

/// Queues the job again and wakes the worker.
fn hand_over(call: &Call, job: &Job) -> Outcome<Answer> {
    if matches!(job.state, JobState::Done | JobState::Cancelled) {
        let why = format!("it is {}", job.state.name());
        return Err(Error::invalid(format!("go on with the job `{}`", job.id), why).into());
    }
    if job.kind == JobKind::Ingest {
        call.needs(Role::Admin, "read files of the server")?;
    }
    let jobs = call.jobs()?;
    jobs.queue_for_anyone(job.id, call.engine.now().0)?;
    call.wake();
    Ok(Answer::from(&jobs.job(job.id)?))
}

/// What happens while a job runs.
pub enum JobEvent<'a> {
    File(FileEvent<'a>),
    Page(&'a CrawlEvent),
}

/// Runs a job in this process until it ends or `stop` is set.
pub fn work(
    jobs: &Jobs,
    id: JobId,
    engine: &Engine,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(JobEvent<'_>),
) -> Result<Job> {
    match jobs.job(id)?.kind {
        JobKind::Ingest => run_ingest(jobs, id, engine, stop, &mut |event| {
            on_event(JobEvent::File(event));
            Ok(())
        }),
        JobKind::Crawl | JobKind::Refresh => {
            run_crawl(jobs, id, engine, stop, &mut |event| on_event(JobEvent::Page(event)))
        }
    }
}
