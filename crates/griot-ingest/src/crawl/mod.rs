//! Crawls a site: decides what to request next, what to do with each answer, and when to stop.
//!
//! One thread decides, records and stores; the others only fetch and parse (`web::workers`). Each decision
//! is written to the frontier (`jobs`) before the next one is made, so a crawl can be killed at any moment
//! and resumed:
//!
//! - a page is recorded together with its links, then stored in the engine, then its text is dropped;
//! - a job never requests a recorded address again; it does repeat a request that had no answer when the
//!   process ended;
//! - addresses are visited breadth-first, so a depth limit cuts off the same pages in every run;
//! - a redirect becomes a new address of the frontier, checked against scope, robots.txt and limits like
//!   any other.

mod options;
mod run;

use std::sync::atomic::AtomicBool;

use griot::engine::Engine;
use griot::model::{Error, Result, Timestamp};
use griot::remember::checked_words;
use url::Url;

use crate::jobs::{Job, JobDraft, JobId, JobKind, Jobs, WorkedBy};
use crate::web::scope::{self, Scope};
use run::Crawl;

pub use options::{CrawlEvent, CrawlMode, CrawlOptions};

/// Upper bounds; larger values are treated as mistakes.
const MAX_PAGES: u64 = 10_000_000;
const MAX_DEPTH: u32 = 1000;
/// Characters.
const MAX_GLOB: usize = 500;
/// Ten years.
const MAX_HOURS: f64 = 87_600.0;

/// Creates the job of a crawl; [`run_crawl`] runs it.
pub fn start_crawl(jobs: &Jobs, url: &str, options: &CrawlOptions, by: WorkedBy, now: i64) -> Result<JobId> {
    let start = scope::parse(url)?;
    Scope::new(&start, &options.allow, &options.block)?;
    create(jobs, JobKind::Crawl, &start, options, by, now)
}

/// Creates a job that fetches one page again.
pub fn start_refresh(
    jobs: &Jobs,
    url: &str,
    options: &CrawlOptions,
    by: WorkedBy,
    now: i64,
) -> Result<JobId> {
    let options = CrawlOptions { mode: CrawlMode::Single, ..options.clone() };
    create(jobs, JobKind::Refresh, &scope::parse(url)?, &options, by, now)
}

fn create(
    jobs: &Jobs,
    kind: JobKind,
    start: &Url,
    options: &CrawlOptions,
    by: WorkedBy,
    now: i64,
) -> Result<JobId> {
    let refused = |why: String| Error::invalid(format!("crawl `{start}`"), why);
    if !options.rate.is_finite() || options.rate < 0.0 {
        return Err(refused("the rate is not a number of requests per second".into()));
    }
    if options.max_pages == 0 {
        return Err(refused("the limit is 0 pages, so nothing can be fetched".into()));
    }
    if options.max_pages > MAX_PAGES {
        return Err(refused(format!("the limit is more than {MAX_PAGES} pages")));
    }
    if options.depth > MAX_DEPTH {
        return Err(refused(format!("the depth is more than {MAX_DEPTH} links")));
    }
    let globs = || options.allow.iter().chain(&options.block);
    if globs().any(|glob| glob.trim().is_empty()) {
        return Err(refused("a glob is empty".into()));
    }
    if globs().any(|glob| glob.chars().count() > MAX_GLOB) {
        return Err(refused(format!("a glob is longer than {MAX_GLOB} characters")));
    }
    if !(0.0..=MAX_HOURS).contains(&options.every_hours) {
        return Err(refused(format!("the interval must be 0 to {MAX_HOURS} hours")));
    }
    // An invalid tag would fail every page.
    checked_words("tag", &options.tags)?;
    let draft = JobDraft {
        kind,
        target: start.to_string(),
        options: serde_json::to_string(options).map_err(|error| refused(error.to_string()))?,
        user: options.user.clone(),
        by,
        every: (options.every_hours > 0.0).then_some((options.every_hours * Timestamp::HOUR as f64) as i64),
    };
    jobs.create(&draft, now)
}

/// Runs a crawl until it is done, `stop` is set, or another process asks it to end; returns the job as it
/// is then.
pub fn run_crawl(
    jobs: &Jobs,
    id: JobId,
    engine: &Engine,
    stop: &AtomicBool,
    report: &mut options::Report,
) -> Result<Job> {
    jobs.work(id, &|| engine.now().0, |job| {
        Crawl::new(jobs, job, engine, job.read_options()?)?.run(stop, report)
    })
}
