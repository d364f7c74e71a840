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
use griot::remember::{checked_metadata, checked_words};

use crate::jobs::{Job, JobDraft, JobId, JobKind, Jobs, WorkedBy};
use crate::web::scope::{self, Scope};
use run::Crawl;

pub use options::{CrawlEvent, CrawlMode, CrawlOptions};

/// How the error of an address ends that leads nowhere (404 or 410).
pub const GONE: &str = "the page is gone";

/// Upper bounds; larger values are treated as mistakes.
const MAX_PAGES: u64 = 10_000_000;
const MAX_DEPTH: u32 = 1000;
/// Characters.
const MAX_GLOB: usize = 500;
/// Ten years.
const MAX_HOURS: f64 = 87_600.0;

/// Creates the job of a crawl; [`run_crawl`] runs it.
pub fn start_crawl(jobs: &Jobs, url: &str, options: &CrawlOptions, by: WorkedBy, now: i64) -> Result<JobId> {
    create(jobs, JobKind::Crawl, url, options, by, now)
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
    create(jobs, JobKind::Refresh, url, &options, by, now)
}

fn create(
    jobs: &Jobs,
    kind: JobKind,
    url: &str,
    options: &CrawlOptions,
    by: WorkedBy,
    now: i64,
) -> Result<JobId> {
    let start = scope::parse(url)?;
    Scope::new(&start, &options.allow, &options.block)?;
    let refused = |why: String| Error::invalid(format!("crawl `{start}`"), why);
    let CrawlOptions { rate, max_pages, depth, every_hours, .. } = *options;
    let any_glob = |is: fn(&str) -> bool| options.allow.iter().chain(&options.block).any(|glob| is(glob));
    for (is_wrong, why) in [
        (!rate.is_finite() || rate < 0.0, "the rate is not a number of requests per second".into()),
        (max_pages == 0, "the limit is 0 pages, so nothing can be fetched".into()),
        (max_pages > MAX_PAGES, format!("the limit is more than {MAX_PAGES} pages")),
        (depth > MAX_DEPTH, format!("the depth is more than {MAX_DEPTH} links")),
        (any_glob(|glob| glob.trim().is_empty()), "a glob is empty".into()),
        (
            any_glob(|glob| glob.chars().count() > MAX_GLOB),
            format!("a glob is longer than {MAX_GLOB} characters"),
        ),
        (!(0.0..=MAX_HOURS).contains(&every_hours), format!("the interval must be 0 to {MAX_HOURS} hours")),
    ] {
        if is_wrong {
            return Err(refused(why));
        }
    }
    // An invalid tag would fail every page.
    checked_words("tag", &options.tags)?;
    let kept = CrawlOptions { metadata: checked_metadata(&options.metadata)?, ..options.clone() };
    let draft = JobDraft {
        kind,
        target: start.to_string(),
        options: serde_json::to_string(&kept).map_err(|error| refused(error.to_string()))?,
        user: options.user.clone(),
        by,
        every: (every_hours > 0.0).then_some((every_hours * Timestamp::HOUR as f64) as i64),
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
        let options: CrawlOptions = job.read_options()?;
        let own = options.settings_of.as_deref().or(options.agent.as_deref());
        let own = own.and_then(|agent| engine.for_agent(agent));
        Crawl::new(jobs, job, own.as_ref().unwrap_or(engine), options)?.run(stop, report)
    })
}
