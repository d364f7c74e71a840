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

use std::sync::atomic::AtomicBool;

use griot::engine::{CrawlSettings, Engine};
use griot::model::{Error, Result, Timestamp};
use griot::remember::checked_words;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::jobs::{Job, JobDraft, JobId, JobKind, Jobs, WorkedBy};
use crate::web::scope::{self, Scope};
use course::Course;

/// Above these nobody means a number.
const MOST_PAGES: u64 = 10_000_000;
const MOST_STEPS: u32 = 1000;
/// In characters.
const LONGEST_GLOB: usize = 500;
/// Ten years.
const MOST_HOURS: f64 = 87_600.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CrawlMode {
    /// The address alone.
    Single,
    /// What the site lists.
    Sitemap,
    /// What the links of its pages lead to.
    Recursive,
}

/// How to crawl. Kept with the job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CrawlOptions {
    pub mode: CrawlMode,
    /// Links from the first page; 0 is the first page alone.
    pub depth: u32,
    pub max_pages: u64,
    /// Globs over addresses or paths; without any, the origin of the first address.
    pub allow: Vec<String>,
    pub block: Vec<String>,
    pub tags: Vec<String>,
    pub user: Option<String>,
    pub project: Option<String>,
    /// Requests a second and host; 0 is as many as the site answers. A site's own Crawl-delay counts if it is
    /// slower.
    pub rate: f64,
    /// Keep to what sites ask of robots.
    pub respect_robots: bool,
    pub user_agent: String,
    /// Also addresses of this machine and its networks.
    pub allow_private: bool,
    /// Forget what came from pages that are gone.
    pub prune: bool,
    /// For one answer as a whole.
    pub timeout_ms: u64,
    /// Requests for one address, with those that are made again.
    pub tries: u32,
    /// Wait before the first repetition; doubled with each.
    pub backoff_ms: u64,
    pub max_bytes: u64,
    /// Crawl again so many hours after the end; 0 is never.
    pub every_hours: f64,
}

impl CrawlOptions {
    /// A crawl as the settings have it.
    pub fn new(settings: &CrawlSettings) -> Self {
        Self {
            mode: CrawlMode::Recursive,
            depth: 3,
            max_pages: settings.max_pages_per_crawl,
            allow: Vec::new(),
            block: Vec::new(),
            tags: Vec::new(),
            user: None,
            project: None,
            rate: settings.requests_per_second,
            respect_robots: settings.respect_robots_txt,
            user_agent: settings.user_agent.clone(),
            allow_private: settings.allow_private,
            prune: false,
            timeout_ms: 30_000,
            tries: 3,
            backoff_ms: 1000,
            max_bytes: 10 * 1024 * 1024,
            every_hours: 0.0,
        }
    }
}

impl Default for CrawlOptions {
    fn default() -> Self {
        Self::new(&CrawlSettings::default())
    }
}

/// What has just been written; a crawl may end after each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CrawlEvent {
    Robots(String),
    /// An address is about to be asked for.
    Begun(String),
    /// An answer is recorded.
    Recorded(String),
    /// The engine has the page.
    Stored(String),
    /// The frontier knows that the engine has it.
    Settled(String),
}

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
