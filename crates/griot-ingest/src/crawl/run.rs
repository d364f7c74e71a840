//! Runs one crawl: sends the requests that are due, records the results, stores recorded pages.
//!
//! All durable state is in the frontier. What this keeps in memory (open requests, the next turn of each
//! host, parsed robots.txt files) can be lost at any moment.

mod results;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Result, Scope as Owner, Source};
use url::Url;

use super::options::{CrawlEvent, CrawlMode, CrawlOptions, Report};
use crate::jobs::{End, Frontier, Job, JobKind, Jobs, NewAddress, PageState, QueuedAddress, Role};
use crate::options::{ReadLimits, ReadOptions};
use crate::readers::html::Page;
use crate::web::fetch::{Fetcher, Validators};
use crate::web::listing;
use crate::web::pace::Pace;
use crate::web::reading;
use crate::web::robots::Robots;
use crate::web::scope::{self, Scope};
use crate::web::workers::{Task, Workers};

/// Fetching threads. The rate limit of a host holds across all of them.
const WORKERS: usize = 8;
/// Recorded pages that are not stored yet; bounds the size of the jobs file.
const MAX_BACKLOG: i64 = 64;
/// Longest sleep, and so the longest time until a stop request is noticed.
const POLL: Duration = Duration::from_millis(200);
/// How long a crawl that pauses waits for open requests.
const GRACE: Duration = Duration::from_secs(2);

pub(super) struct Crawl<'a> {
    jobs: &'a Jobs,
    job: &'a Job,
    frontier: Frontier<'a>,
    engine: &'a Engine,
    options: CrawlOptions,
    /// How pages are read, and whose they are.
    reading: ReadOptions,
    start: Url,
    scope: Scope,
    workers: Workers,
    robots: HashMap<String, Robots>,
    pace: Pace,
    /// Requests without an answer so far, by row id; requests for robots.txt have negative ids.
    in_flight: HashMap<i64, InFlight>,
    /// Earliest time of the next try, by row id.
    retry_at: HashMap<i64, Instant>,
    robots_tries: HashMap<String, u32>,
}

enum InFlight {
    Robots(String),
    Row(QueuedAddress, Url),
}

impl<'a> Crawl<'a> {
    pub(super) fn new(
        jobs: &'a Jobs,
        job: &'a Job,
        engine: &'a Engine,
        options: CrawlOptions,
    ) -> Result<Self> {
        let start = scope::parse(&job.target)?;
        let timeout = Duration::from_millis(options.timeout_ms.max(1));
        let fetcher = Fetcher::new(timeout, options.allow_private, &options.user_agent);
        // Enough rows for `max_pages`, however many addresses a site invents.
        let max_rows = options.max_pages.saturating_mul(20).saturating_add(1000);
        Ok(Self {
            jobs,
            job,
            frontier: jobs.frontier(job.id, max_rows),
            engine,
            reading: ReadOptions {
                tags: options.tags.clone(),
                metadata: options.metadata.clone(),
                scope: Owner { user: options.user.clone(), project: options.project.clone() },
                ..ReadOptions::default()
            },
            workers: Workers::start(WORKERS, fetcher, ReadLimits::new(&engine.settings().ingest))?,
            pace: Pace::new(options.rate),
            scope: Scope::new(&start, &options.allow, &options.block)?,
            options,
            start,
            robots: HashMap::new(),
            in_flight: HashMap::new(),
            retry_at: HashMap::new(),
            robots_tries: HashMap::new(),
        })
    }

    pub(super) fn run(&mut self, stop: &AtomicBool, report: &mut Report) -> Result<End> {
        let outcome = self.go(stop, report);
        // A request that is still open did not crash this process.
        for row in self.in_flight.keys().filter(|row| **row > 0) {
            self.jobs.release(*row)?;
        }
        outcome
    }

    fn go(&mut self, stop: &AtomicBool, report: &mut Report) -> Result<End> {
        self.jobs.give_up(self.job.id)?;
        self.begin()?;
        // A page that crashed a process while it was stored is stored before anything else starts.
        while !stop.load(Ordering::Relaxed) && self.store_one(false, report)? {}
        let stop_request = self.jobs.stop_request(self.job.id);
        loop {
            if stop.load(Ordering::Relaxed) {
                self.drain(report)?;
                return Ok(End::Stopped);
            }
            if let Some(state) = stop_request() {
                self.drain(report)?;
                return Ok(End::Requested(state));
            }
            let stored = self.store_one(false, report)?;
            let sent = self.send(report)?;
            // While pages wait to be stored, results are taken without waiting for them.
            let wait = if stored { Duration::ZERO } else { self.wait_time() };
            if let Some((row, fetched)) = self.workers.wait(wait)? {
                self.take(row, fetched, report)?;
                continue;
            }
            if stored || !self.in_flight.is_empty() || sent {
                continue;
            }
            if !self.has_work()? {
                // Pages with a canonical address elsewhere come last: the page at that address decides.
                while self.store_one(true, report)? {}
                return self.end();
            }
        }
    }

    /// Queues the first addresses of a new job; a resumed job has them already.
    fn begin(&mut self) -> Result<()> {
        let start = self.start.as_str();
        let mut found = vec![match self.options.mode {
            CrawlMode::Sitemap if listing::looks_like_list(&self.start) => NewAddress::list(start, 0),
            // The lists of the site come first (`take_robots`), so pages start at depth 1.
            CrawlMode::Sitemap => NewAddress::page(start, 1),
            CrawlMode::Single | CrawlMode::Recursive => NewAddress::page(start, 0),
        }];
        if self.options.prune && self.options.mode != CrawlMode::Single {
            // Known pages that nothing links to any more are requested to find out whether they are gone.
            // Their links are not followed.
            let depth = if self.options.mode == CrawlMode::Recursive { self.options.depth } else { 1 };
            for known in self.frontier.known_of(&scope::origin(&self.start))? {
                let (address, user) = reading::address(&known);
                if let Ok(url) = Url::parse(address)
                    && user == self.reading.scope.user.as_deref()
                    && self.scope.contains(&url)
                {
                    found.push(NewAddress::page(url, depth));
                }
            }
        }
        self.frontier.add(&found)?;
        // A start that moved to another origin brings that origin into scope.
        if self.options.mode != CrawlMode::Single
            && let Some(moved) = self.frontier.moved_to()?.and_then(|url| Url::parse(&url).ok())
        {
            self.scope.add_origin(&moved);
        }
        Ok(())
    }

    /// Sends what is due; true if it sent or settled anything.
    fn send(&mut self, report: &mut Report) -> Result<bool> {
        let mut sent = false;
        if self.in_flight.len() >= WORKERS {
            return Ok(sent);
        }
        let start_site = scope::origin(&self.start);
        if self.options.mode == CrawlMode::Sitemap
            && !listing::looks_like_list(&self.start)
            && !self.knows_robots(&start_site)?
        {
            let start = self.start.clone();
            return self.request_robots(&start);
        }
        let (pages, requests, _) = self.frontier.spent()?;
        if requests > self.max_requests() || self.frontier.backlog()? >= MAX_BACKLOG {
            return Ok(sent);
        }
        let rows = || {
            self.in_flight.values().filter_map(|request| match request {
                InFlight::Row(row, _) => Some(row),
                InFlight::Robots(_) => None,
            })
        };
        if rows().any(|row| row.begun > 0) {
            return Ok(sent);
        }
        let open_pages = rows().filter(|row| row.role == Role::Page).count() as u64;
        let mut budget = self.options.max_pages.saturating_sub(pages + open_pages);
        let queued = self.frontier.queued(256)?;
        // An address that was requested when a process crashed is requested alone: if it crashes this
        // process too, nothing else is counted with it.
        let has_suspect = queued.iter().any(|row| row.begun > 0 && !self.in_flight.contains_key(&row.row));
        for queued in queued {
            if self.in_flight.len() >= WORKERS || (has_suspect && !self.in_flight.is_empty()) {
                break;
            }
            let (row, is_page) = (queued.row, queued.role == Role::Page);
            if (has_suspect && queued.begun == 0)
                || self.in_flight.contains_key(&row)
                || self.retry_at.get(&row).is_some_and(|at| *at > Instant::now())
                || (is_page && budget == 0)
            {
                continue;
            }
            sent |= self.send_one(queued, report)?;
            if is_page && self.in_flight.contains_key(&row) {
                budget -= 1;
            }
        }
        Ok(sent)
    }

    /// Requests an address if robots.txt and the rate limit allow it now.
    fn send_one(&mut self, queued: QueuedAddress, report: &mut Report) -> Result<bool> {
        let Ok(url) = Url::parse(&queued.url) else {
            self.settle(&queued, PageState::Failed, "not a valid address")?;
            return Ok(false);
        };
        let site = scope::origin(&url);
        if !self.knows_robots(&site)? {
            return self.request_robots(&url);
        }
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        if !self.robots.get(&site).is_some_and(|robots| robots.allows(path)) {
            let (_, unreadable) = self.frontier.robots(&site)?.unwrap_or_default();
            let is_start = queued.depth == 0 && queued.role == Role::Page;
            let state = if is_start || unreadable.is_some() { PageState::Failed } else { PageState::Skipped };
            self.settle(&queued, state, unreadable.as_deref().unwrap_or("robots.txt disallows it"))?;
            return Ok(true);
        }
        if !self.take_turn(&site) {
            return Ok(false);
        }
        let task = match queued.role {
            Role::Page => Task::Page {
                url: url.clone(),
                known: self.validators(&queued.url)?,
                limit: self.options.max_bytes,
            },
            Role::List | Role::Guess => Task::List(url.clone()),
        };
        self.jobs.begin(queued.row)?;
        report(&CrawlEvent::Begun(queued.url.clone()));
        self.workers.send(queued.row, task)?;
        self.in_flight.insert(queued.row, InFlight::Row(queued, url));
        Ok(true)
    }

    /// Requests after which the crawl gives up on a site of dead links.
    fn max_requests(&self) -> u64 {
        self.options.max_pages.saturating_mul(5).saturating_add(200)
    }

    /// Whether anything can still be requested.
    fn has_work(&self) -> Result<bool> {
        let (pages, requests, queued) = self.frontier.spent()?;
        Ok(queued && pages < self.options.max_pages && requests <= self.max_requests())
    }

    fn knows_robots(&mut self, site: &str) -> Result<bool> {
        if self.robots.contains_key(site) {
            return Ok(true);
        }
        let Some((body, _)) = self.frontier.robots(site)? else { return Ok(false) };
        let robots = self.rules(body.as_deref());
        self.robots.insert(site.to_string(), robots);
        Ok(true)
    }

    /// The rules of a site. If its robots.txt could not be read (`None`), nothing may be fetched.
    fn rules(&self, body: Option<&str>) -> Robots {
        let asked = body.map_or_else(Robots::closed, |body| Robots::parse(body, &self.options.user_agent));
        if self.options.respect_robots { asked } else { asked.without_rules() }
    }

    fn request_robots(&mut self, url: &Url) -> Result<bool> {
        let site = scope::origin(url);
        let is_same = |request: &InFlight| matches!(request, InFlight::Robots(other) if *other == site);
        if self.in_flight.values().any(is_same) {
            return Ok(false);
        }
        let Some(robots) = url.join("/robots.txt").ok().filter(|_| self.take_turn(&site)) else {
            return Ok(false);
        };
        let row = self.in_flight.keys().copied().min().unwrap_or(0).min(0) - 1;
        self.workers.send(row, Task::Robots(robots))?;
        self.in_flight.insert(row, InFlight::Robots(site));
        Ok(true)
    }

    /// Whether the site's turn has come; takes the turn if so.
    fn take_turn(&mut self, site: &str) -> bool {
        let asked = self.robots.get(site).and_then(|robots| robots.delay);
        self.pace.take(site, asked, Instant::now())
    }

    /// How long to wait for a result: until the next turn or retry.
    fn wait_time(&self) -> Duration {
        let now = Instant::now();
        let retries = self.retry_at.values().copied().filter(|at| *at > now).min();
        let next = self.pace.next(now).into_iter().chain(retries).min();
        match next {
            Some(at) => at.saturating_duration_since(now).min(POLL),
            None if self.in_flight.is_empty() => Duration::ZERO,
            None => POLL,
        }
    }

    /// Validators for a conditional request, if the engine still has the page.
    fn validators(&self, url: &str) -> Result<Validators> {
        let key = self.key(url);
        let Some(known) = self.frontier.known(&key)?.filter(|known| known.origin == key) else {
            return Ok(Validators::default());
        };
        if known.etag.is_none() && known.modified.is_none() {
            return Ok(Validators::default());
        }
        // The hash covers the tags, the metadata and the owner: if those changed, the text is needed again.
        if known.reading != self.reading_hash()
            || !self.engine.source_is_current(&reading::source(&known.origin, known.hash))?
        {
            return Ok(Validators::default());
        }
        Ok(Validators { etag: known.etag, modified: known.modified })
    }

    /// The key of a page in the `page` table, which all users share.
    fn key(&self, url: &str) -> String {
        Source::of_page(url, self.reading.scope.user.as_deref())
    }

    /// Hash of the options that decide how pages are read in this job.
    fn reading_hash(&self) -> [u8; 32] {
        reading::hash(&Page::default(), &self.reading)
    }

    /// Takes results that arrive within the grace period and stores what was recorded.
    fn drain(&mut self, report: &mut Report) -> Result<()> {
        let until = Instant::now() + GRACE;
        while !self.in_flight.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            match self.workers.wait(left)? {
                Some((row, fetched)) => self.take(row, fetched, report)?,
                None => break,
            }
        }
        while self.store_one(false, report)? {}
        Ok(())
    }

    fn end(&self) -> Result<End> {
        let (pages, requests, queued) = self.frontier.spent()?;
        if queued {
            let why = if requests > self.max_requests() {
                format!("{requests} requests brought only {pages} pages")
            } else {
                format!("the limit of {} pages is reached", self.options.max_pages)
            };
            self.frontier.skip_queued(&why)?;
        }
        if self.options.mode == CrawlMode::Sitemap && !self.frontier.has_list()? {
            return Ok(End::Done(Some("no sitemap, feed or llms.txt was found".into())));
        }
        let job = self.jobs.job(self.job.id)?;
        // A page that is gone is what a crawl that prunes and a refresh look for.
        let expects_gone = self.options.prune || self.job.kind == JobKind::Refresh;
        let missed = job.counts.failed > 0 || (job.counts.gone > 0 && !expects_gone);
        let nothing = job.counts.fetched == 0 && missed && !(expects_gone && job.counts.gone > 0);
        Ok(End::Done(nothing.then(|| "no page could be fetched".into())))
    }
}
