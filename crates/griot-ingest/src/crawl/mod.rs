//! A crawl from its first address to its last: what is asked next, what is made of the answer, when it ends.
//!
//! One thread decides, records and stores; others only ask and read (`web::workers`). Each decision is in the
//! frontier (`jobs`) before the next one is made, so that a crawl can end at any moment and go on from there:
//!
//! - a page is recorded together with the links on it, then stored in the engine, then its text is dropped;
//! - an address that was recorded is never asked for again by the same job; one that was on its way when the
//!   process ended is;
//! - depth by depth: an address is found by its shortest way, so that a limit of depth cuts the same pages in
//!   every run;
//! - a redirect makes a new address of the frontier, where scope, robots and limits are checked as for any
//!   other.

mod course;
mod options;

use std::sync::atomic::AtomicBool;

use griot::engine::Engine;
use griot::model::{Error, Result, Timestamp};
use griot::remember::checked_words;
use url::Url;

use crate::jobs::{Job, JobDraft, JobId, JobKind, Jobs, WorkedBy};
use crate::web::scope::{self, Scope};
use course::Course;

pub use options::{CrawlEvent, CrawlMode, CrawlOptions};

/// Upper bounds; larger values are mistakes.
const MOST_PAGES: u64 = 10_000_000;
const MOST_STEPS: u32 = 1000;
/// In characters.
const LONGEST_GLOB: usize = 500;
/// Ten years.
const MOST_HOURS: f64 = 87_600.0;

/// Makes a job of a crawl; [`run_crawl`] works on it.
pub fn start_crawl(jobs: &Jobs, url: &str, options: &CrawlOptions, by: WorkedBy, now: i64) -> Result<JobId> {
    let start = scope::parse(url)?;
    Scope::new(&start, &options.allow, &options.block)?;
    create(jobs, JobKind::Crawl, &start, options, by, now)
}

/// Makes a job that asks again for one page.
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
        return Err(refused("the rate is no number of requests a second".into()));
    }
    if options.max_pages == 0 {
        return Err(refused("the limit is 0 pages, so nothing can be fetched".into()));
    }
    if options.max_pages > MOST_PAGES {
        return Err(refused(format!("the limit is more than {MOST_PAGES} pages")));
    }
    if options.depth > MOST_STEPS {
        return Err(refused(format!("the depth is more than {MOST_STEPS} links")));
    }
    let globs = || options.allow.iter().chain(&options.block);
    if globs().any(|glob| glob.trim().is_empty()) {
        return Err(refused("a glob is empty".into()));
    }
    if globs().any(|glob| glob.chars().count() > LONGEST_GLOB) {
        return Err(refused(format!("a glob is longer than {LONGEST_GLOB} characters")));
    }
    if !(0.0..=MOST_HOURS).contains(&options.every_hours) {
        return Err(refused(format!("it can be repeated after 0 to {MOST_HOURS} hours")));
    }
    // One that no memory may carry would fail with every page.
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

/// Works on a crawl until it is done, `stop` is set, or another process asks for it; answers how far it is
/// then. `tell` hears of each step after it was written.
pub fn run_crawl(
    jobs: &Jobs,
    id: JobId,
    engine: &Engine,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&CrawlEvent),
) -> Result<Job> {
    jobs.work(id, &|| engine.now().0, |job| {
        Course::new(jobs, job, engine, job.read_options()?)?.run(stop, tell)
    })
}
