//! The course of one crawl: sends what may be asked, takes what came, stores what was recorded.
//!
//! Everything that lasts is in the frontier; what is held here (who is on the way, when a host may be asked
//! again, what was read of robots.txt) may be lost at any moment.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{ErrorKind, Result, Scope as Owner, SourceType};
use url::Url;

use super::options::{CrawlEvent, CrawlMode, CrawlOptions};
use crate::jobs::{End, Form, Found, Job, JobId, Jobs, PageState, Recorded, Role, Tally, Waiting};
use crate::options::ReadLimits;
use crate::readers::readers;
use crate::web::fetch::{Condition, Failure, Fetcher};
use crate::web::listing::{self, Listing};
use crate::web::pace::Pace;
use crate::web::page::PageText;
use crate::web::reading;
use crate::web::robots::Robots;
use crate::web::scope::{self, Scope};
use crate::web::source;
use crate::web::workers::{Came, Task, Workers};

const MOST_HOPS: u32 = 10;
/// Lists within lists; the protocol of sitemaps knows two.
const MOST_LEVELS: u32 = 5;
/// How many threads ask; the rate of a host is kept over all of them.
const WORKERS: usize = 8;
/// Pages that may be recorded and not stored yet, so that the file of jobs stays small.
const AHEAD: usize = 64;
/// The longest sleep: so soon a wish to stop is noticed.
const LOOK: Duration = Duration::from_millis(200);
/// How long answers that are on their way are waited for when a crawl pauses.
const GRACE: Duration = Duration::from_secs(2);
/// Extensions of files that are never pages, beside those of readers that are not `is_crawled`.
const NO_PAGES: &str = " 7z avi bin bmp bz2 css deb dmg doc eot exe flac gif gz ico iso jar jpeg jpg js map mov mp3 mp4 mpeg \
                        mpg msi ogg otf png ppt rar rpm rss svg tar tgz tif tiff ttf wasm wav webm webp whl woff woff2 xls \
                        xz zip zst ";

pub(super) struct Course<'a> {
    jobs: &'a Jobs,
    id: JobId,
    engine: &'a Engine,
    created_at: i64,
    options: CrawlOptions,
    owner: Owner,
    start: Url,
    scope: Scope,
    workers: Workers,
    robots: HashMap<String, Robots>,
    pace: Pace,
    /// Rows that are on their way; robots of sites by negative numbers.
    flying: HashMap<i64, Flight>,
    /// Rows that are not to be asked before.
    resting: HashMap<i64, Instant>,
    robots_tries: HashMap<String, u32>,
}

enum Flight {
    Robots(String),
    Row(Waiting, Url),
}

impl<'a> Course<'a> {
    pub(super) fn new(jobs: &'a Jobs, job: &Job, engine: &'a Engine, options: CrawlOptions) -> Result<Self> {
        let start = scope::parse(&job.target)?;
        let scope = Scope::new(&start, &options.allow, &options.block)?;
        let fetcher = Fetcher::new(
            Duration::from_millis(options.timeout_ms.max(1)),
            options.allow_private,
            &options.user_agent,
        );
        Ok(Self {
            jobs,
            id: job.id,
            engine,
            created_at: job.created_at,
            owner: Owner { user: options.user.clone(), project: options.project.clone() },
            workers: Workers::start(WORKERS, fetcher, ReadLimits::new(&engine.settings().ingest))?,
            pace: Pace::new(options.rate),
            options,
            start,
            scope,
            robots: HashMap::new(),
            flying: HashMap::new(),
            resting: HashMap::new(),
            robots_tries: HashMap::new(),
        })
    }

    pub(super) fn run(&mut self, stop: &AtomicBool, tell: &mut dyn FnMut(&CrawlEvent)) -> Result<End> {
        let outcome = self.go(stop, tell);
        // What is still on its way has not ended this process.
        for row in self.flying.keys().filter(|row| **row > 0) {
            self.jobs.let_go(*row)?;
        }
        outcome
    }

    fn go(&mut self, stop: &AtomicBool, tell: &mut dyn FnMut(&CrawlEvent)) -> Result<End> {
        self.jobs.give_up(self.id)?;
        self.begin()?;
        // What ended a process while it was stored is stored before anything else is on its way.
        while !stop.load(Ordering::Relaxed) && self.store_one(false, tell)? {}
        let wish = self.jobs.wish(self.id);
        loop {
            if stop.load(Ordering::Relaxed) {
                self.land(tell)?;
                return Ok(End::Stopped);
            }
            if let Some(state) = wish.look() {
                self.land(tell)?;
                return Ok(End::Asked(state));
            }
            let stored = self.store_one(false, tell)?;
            let sent = self.send(tell)?;
            // While there is something to store, answers are taken as they come.
            let wait = if stored { Duration::ZERO } else { self.rest() };
            if let Some((row, came)) = self.workers.wait(wait)? {
                self.take(row, came, tell)?;
                continue;
            }
            if stored || !self.flying.is_empty() || sent {
                continue;
            }
            if !self.is_waiting()? {
                // Pages that give themselves another address come last: that address decides.
                while self.store_one(true, tell)? {}
                return self.end();
            }
        }
    }

    /// The first addresses of a new job; those of one that goes on are there.
    fn begin(&mut self) -> Result<()> {
        let mut found = Vec::new();
        let page = |url: &Url, depth| Found { url: url.to_string(), role: Role::Page, depth, hops: 0 };
        match self.options.mode {
            CrawlMode::Sitemap if listing::is_named_so(&self.start) => {
                found.push(Found { role: Role::List, ..page(&self.start, 0) });
            }
            // The site is asked for its lists first (`take_robots`); pages come after lists.
            CrawlMode::Sitemap => found.push(page(&self.start, 1)),
            CrawlMode::Single | CrawlMode::Recursive => found.push(page(&self.start, 0)),
        }
        if self.options.prune && self.options.mode != CrawlMode::Single {
            // Pages that nothing leads to any more are asked whether they are gone. Their links are not
            // followed from there.
            let depth = if self.options.mode == CrawlMode::Recursive { self.options.depth } else { 1 };
            for known in self.jobs.known_of(&scope::origin(&self.start))? {
                let (address, user) = source::address(&known);
                if let Ok(url) = Url::parse(address)
                    && user == self.owner.user.as_deref()
                    && self.scope.holds(&url)
                {
                    found.push(page(&url, depth));
                }
            }
        }
        self.jobs.add(self.id, &found, self.room())?;
        // A start that has moved took the site with it.
        if self.options.mode != CrawlMode::Single
            && let Some(moved) = self.jobs.moved_to(self.id)?.and_then(|url| Url::parse(&url).ok())
        {
            self.scope.add_origin(&moved);
        }
        Ok(())
    }

    /// Rows that the frontier may hold: enough for what is wanted, whatever a site makes up.
    fn room(&self) -> u64 {
        self.options.max_pages.saturating_mul(20).saturating_add(1000)
    }

    /// Sends what may be asked now.
    fn send(&mut self, tell: &mut dyn FnMut(&CrawlEvent)) -> Result<bool> {
        let mut sent = false;
        if self.flying.len() >= WORKERS {
            return Ok(sent);
        }
        let start_site = scope::origin(&self.start);
        if self.options.mode == CrawlMode::Sitemap
            && !listing::is_named_so(&self.start)
            && !self.knows_robots(&start_site)?
        {
            let start = self.start.clone();
            return self.ask_robots(&start);
        }
        let (pages, requests, _) = self.jobs.spent(self.id)?;
        let flying_pages = self
            .flying
            .values()
            .filter(|flight| matches!(flight, Flight::Row(row, _) if row.role == Role::Page))
            .count();
        let mut budget = self.options.max_pages.saturating_sub(pages + flying_pages as u64);
        if requests > self.most_requests() || self.backlog()? >= AHEAD {
            return Ok(sent);
        }
        if self.flying.values().any(|flight| matches!(flight, Flight::Row(row, _) if row.begun > 0)) {
            return Ok(sent);
        }
        let waiting = self.jobs.waiting(self.id, 256)?;
        // What was on its way when a process ended goes alone: should it end this one, too, nothing else is
        // counted with it.
        let has_suspect = waiting.iter().any(|row| row.begun > 0 && !self.flying.contains_key(&row.row));
        for waiting in waiting {
            if self.flying.len() >= WORKERS || (has_suspect && !self.flying.is_empty()) {
                break;
            }
            if has_suspect && waiting.begun == 0 {
                continue;
            }
            if self.flying.contains_key(&waiting.row)
                || self.resting.get(&waiting.row).is_some_and(|until| *until > Instant::now())
                || (waiting.role == Role::Page && budget == 0)
            {
                continue;
            }
            let Ok(url) = Url::parse(&waiting.url) else {
                self.settle(waiting.row, PageState::Failed, Some("it is no address"), &[])?;
                continue;
            };
            let site = scope::origin(&url);
            if !self.knows_robots(&site)? {
                sent |= self.ask_robots(&url)?;
                continue;
            }
            let path = url[url::Position::BeforePath..url::Position::AfterQuery].to_string();
            if !self.robots.get(&site).is_some_and(|robots| robots.allows(&path)) {
                let (_, why) = self.jobs.robots(self.id, &site)?.unwrap_or_default();
                match why {
                    Some(why) => self.settle(waiting.row, PageState::Failed, Some(&why), &[])?,
                    None if waiting.depth == 0 && waiting.role == Role::Page => {
                        self.settle(waiting.row, PageState::Failed, Some("robots.txt disallows it"), &[])?;
                    }
                    None => {
                        self.settle(waiting.row, PageState::Skipped, Some("robots.txt disallows it"), &[])?
                    }
                }
                sent = true;
                continue;
            }
            if !self.may_ask(&site) {
                continue;
            }
            let task = match waiting.role {
                Role::Page => {
                    budget = budget.saturating_sub(1);
                    Task::Page {
                        url: url.clone(),
                        known: self.condition(&waiting.url)?,
                        limit: self.options.max_bytes,
                    }
                }
                Role::List | Role::Guess => Task::List(url.clone()),
            };
            self.jobs.begin(waiting.row)?;
            tell(&CrawlEvent::Begun(waiting.url.clone()));
            self.workers.send(waiting.row, task)?;
            self.flying.insert(waiting.row, Flight::Row(waiting, url));
            sent = true;
        }
        Ok(sent)
    }

    /// A site of dead links is left after so many.
    fn most_requests(&self) -> u64 {
        self.options.max_pages.saturating_mul(5).saturating_add(200)
    }

    fn backlog(&self) -> Result<usize> {
        Ok(usize::try_from(self.jobs.backlog(self.id)?).unwrap_or(usize::MAX))
    }

    /// Something can still be asked.
    fn is_waiting(&self) -> Result<bool> {
        let (pages, requests, queued) = self.jobs.spent(self.id)?;
        Ok(queued && pages < self.options.max_pages && requests <= self.most_requests())
    }

    fn knows_robots(&mut self, site: &str) -> Result<bool> {
        if self.robots.contains_key(site) {
            return Ok(true);
        }
        let Some((body, _)) = self.jobs.robots(self.id, site)? else { return Ok(false) };
        let robots = self.rules(body.as_deref());
        self.robots.insert(site.to_string(), robots);
        Ok(true)
    }

    /// What a site asks for, by its robots.txt; nothing may be fetched where it could not say.
    fn rules(&self, body: Option<&str>) -> Robots {
        let asked = body.map_or_else(Robots::closed, |body| Robots::parse(body, &self.options.user_agent));
        if self.options.respect_robots { asked } else { asked.without_rules() }
    }

    fn ask_robots(&mut self, url: &Url) -> Result<bool> {
        let site = scope::origin(url);
        let is_asked =
            self.flying.values().any(|flight| matches!(flight, Flight::Robots(asked) if *asked == site));
        let Some(place) = url.join("/robots.txt").ok().filter(|_| !is_asked && self.may_ask(&site)) else {
            return Ok(false);
        };
        let row = self.flying.keys().copied().min().unwrap_or(0).min(0) - 1;
        self.workers.send(row, Task::Robots(place))?;
        self.flying.insert(row, Flight::Robots(site));
        Ok(true)
    }

    /// Whether it is the site's turn; takes the turn if it is.
    fn may_ask(&mut self, site: &str) -> bool {
        let asked = self.robots.get(site).and_then(|robots| robots.delay);
        self.pace.take(site, asked, Instant::now())
    }

    /// How long nothing can happen but an answer.
    fn rest(&self) -> Duration {
        let now = Instant::now();
        let rested = self.resting.values().copied().filter(|at| *at > now).min();
        let next = self.pace.next(now).into_iter().chain(rested).min();
        match next {
            Some(at) => at.saturating_duration_since(now).min(LOOK),
            None if self.flying.is_empty() => Duration::ZERO,
            None => LOOK,
        }
    }

    /// What is known of a page, if the engine still has it.
    fn condition(&self, url: &str) -> Result<Condition> {
        let own = self.own(url);
        let Some(known) = self.jobs.known(&own)?.filter(|known| known.origin == own) else {
            return Ok(Condition::default());
        };
        if known.etag.is_none() && known.modified.is_none() {
            return Ok(Condition::default());
        }
        // The hash says with which tags and for whom it was read: changed ones need the text again.
        if known.reading != self.reading()
            || !self.engine.source_is_current(&reading::source(&known.origin, known.hash))?
        {
            return Ok(Condition::default());
        }
        Ok(Condition { etag: known.etag, modified: known.modified })
    }

    /// The name of a page among those of all users.
    fn own(&self, url: &str) -> String {
        source::origin(self.owner.user.as_deref(), url)
    }

    /// How pages are read in this job.
    fn reading(&self) -> [u8; 32] {
        reading::hash(&PageText::new(Form::Plain, String::new()), &self.options.tags, &self.owner)
    }

    fn take(&mut self, row: i64, came: Came, tell: &mut dyn FnMut(&CrawlEvent)) -> Result<()> {
        match self.flying.remove(&row) {
            None => Ok(()),
            Some(Flight::Robots(site)) => self.take_robots(&site, came, tell),
            Some(Flight::Row(waiting, url)) => {
                self.take_row(&waiting, &url, came)?;
                tell(&CrawlEvent::Recorded(waiting.url));
                Ok(())
            }
        }
    }

    fn take_robots(&mut self, site: &str, came: Came, tell: &mut dyn FnMut(&CrawlEvent)) -> Result<()> {
        let (body, why) = match came {
            Came::Robots(body) => (Some(body), None),
            Came::Failed(failure) => {
                let tries = self.robots_tries.get(site).map_or(1, |tries| tries + 1);
                self.robots_tries.insert(site.to_string(), tries);
                if let Some(wait) = failure.retry.filter(|_| tries < self.options.tries) {
                    let until = Instant::now() + wait.max(self.backoff(tries));
                    self.pace.hold(site, until);
                    return Ok(());
                }
                // RFC 9309: a site that cannot say what it allows allows nothing.
                (None, Some(format!("its robots.txt could not be read: {}", failure.why)))
            }
            _ => (Some(String::new()), None),
        };
        let robots = self.rules(body.as_deref());
        let mut found = Vec::new();
        if self.options.mode == CrawlMode::Sitemap && *site == scope::origin(&self.start) {
            let list = |url: Url, role| {
                Some(Found { url: scope::normal(url)?.to_string(), role, depth: 0, hops: 0 })
            };
            let named = robots.sitemaps.iter().filter_map(|place| self.start.join(place).ok());
            found.extend(named.filter_map(|url| list(url, Role::List)));
            if found.is_empty() {
                let places = listing::PLACES.iter().filter_map(|place| self.start.join(place).ok());
                found.extend(places.filter_map(|url| list(url, Role::Guess)));
            }
        }
        self.jobs.put_robots(self.id, site, body.as_deref(), why.as_deref(), &found, self.room())?;
        self.robots.insert(site.to_string(), robots);
        tell(&CrawlEvent::Robots(site.to_string()));
        Ok(())
    }

    fn backoff(&self, tries: u32) -> Duration {
        Duration::from_millis(self.options.backoff_ms.saturating_mul(1 << tries.saturating_sub(1).min(6)))
    }

    fn settle(&self, row: i64, state: PageState, why: Option<&str>, found: &[Found]) -> Result<()> {
        self.jobs.settle(self.id, row, state, why, found, self.room())
    }

    fn take_row(&mut self, waiting: &Waiting, url: &Url, came: Came) -> Result<()> {
        let is_guess = waiting.role == Role::Guess;
        match came {
            Came::Page { page, condition } => self.take_page(waiting, url, *page, condition),
            Came::List(listing) => self.take_list(waiting, &listing),
            Came::Unchanged => {
                let own = self.own(&waiting.url);
                let known = self.jobs.known(&own)?;
                let links = known.map(|known| known.links).unwrap_or_default();
                let links = links.iter().filter_map(|link| Url::parse(link).ok());
                let found = self.children(waiting, links);
                self.jobs.unchanged(self.id, waiting.row, (&waiting.url, &own), &found, self.room())
            }
            Came::Moved(to) => self.take_redirect(waiting, url, to),
            Came::Refused(_) if is_guess => self.settle(waiting.row, PageState::Skipped, None, &[]),
            Came::Refused(status @ (404 | 410)) => {
                if self.options.prune {
                    self.forget(&waiting.url)?;
                }
                self.settle(
                    waiting.row,
                    PageState::Gone,
                    Some(&format!("the server answered {status}: it is gone")),
                    &[],
                )
            }
            Came::Refused(status) => self.settle(
                waiting.row,
                PageState::Failed,
                Some(&format!("the server answered {status}")),
                &[],
            ),
            Came::Other(why) if waiting.role == Role::List => {
                self.settle(waiting.row, PageState::Failed, Some(&why), &[])
            }
            Came::Other(why) => self.settle(waiting.row, PageState::Skipped, Some(&why), &[]),
            Came::Failed(failure) => self.take_failure(waiting, &failure),
            Came::Robots(_) => Ok(()),
        }
    }

    fn take_failure(&mut self, waiting: &Waiting, failure: &Failure) -> Result<()> {
        let tries = waiting.tries + 1;
        match failure.retry {
            Some(wait) if tries < self.options.tries => {
                self.resting.insert(waiting.row, Instant::now() + wait.max(self.backoff(tries)));
                self.jobs.tried(self.id, waiting.row)
            }
            _ if waiting.role == Role::Guess => {
                self.settle(waiting.row, PageState::Skipped, Some(&failure.why), &[])
            }
            _ => self.settle(waiting.row, PageState::Failed, Some(&failure.why), &[]),
        }
    }

    fn take_redirect(&mut self, waiting: &Waiting, url: &Url, to: Url) -> Result<()> {
        let Some(to) = scope::normal(to) else {
            return self.settle(waiting.row, PageState::Failed, Some("it redirects to no page"), &[]);
        };
        if to == *url {
            // Without what we take off an address the server sends us round in a circle.
            return self.settle(waiting.row, PageState::Failed, Some("it redirects to itself"), &[]);
        }
        if waiting.hops >= MOST_HOPS {
            let why = format!("it redirects more than {MOST_HOPS} times");
            return self.settle(waiting.row, PageState::Failed, Some(&why), &[]);
        }
        let is_start = self.jobs.is_from_start(self.id, waiting.row)?;
        if is_start {
            self.scope.add_origin(&to);
        } else if !self.scope.holds(&to) && waiting.role == Role::Page {
            let why = format!("it leads out of the crawl, to {to}");
            return self.settle(waiting.row, PageState::Skipped, Some(&why), &[]);
        }
        let found =
            Found { url: to.to_string(), role: waiting.role, depth: waiting.depth, hops: waiting.hops + 1 };
        self.jobs.redirect(self.id, waiting.row, is_start, &found)
    }

    fn take_list(&self, waiting: &Waiting, listing: &Listing) -> Result<()> {
        let mut found = Vec::new();
        if waiting.hops < MOST_LEVELS {
            for url in listing.lists.iter().cloned().filter_map(scope::normal) {
                // Lists may lie elsewhere, as the protocol allows; the pages that they name are held to the
                // scope.
                found.push(Found { url: url.into(), role: Role::List, depth: 0, hops: waiting.hops + 1 });
            }
        }
        for url in listing.pages.iter().cloned().filter_map(scope::normal).filter(|url| self.scope.holds(url))
        {
            found.push(Found { url: url.into(), role: Role::Page, depth: 1, hops: 0 });
        }
        self.settle(waiting.row, PageState::Stored, None, &found)
    }

    /// Addresses to follow from a page.
    fn children(&self, waiting: &Waiting, links: impl Iterator<Item = Url>) -> Vec<Found> {
        if self.options.mode != CrawlMode::Recursive || waiting.depth >= self.options.depth {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        links
            .filter_map(scope::normal)
            .filter(|url| self.scope.holds(url) && (may_be_page(url) || self.is_wanted(url)))
            .map(|url| Found { url: url.into(), role: Role::Page, depth: waiting.depth + 1, hops: 0 })
            .filter(|found| seen.insert(found.url.clone()))
            .collect()
    }

    /// Files are asked for where a glob names their kind, such as `*.pdf`.
    fn is_wanted(&self, url: &Url) -> bool {
        let path = url.path().to_ascii_lowercase();
        let ends = self.options.allow.iter().filter_map(|glob| glob.rsplit_once("*.")).map(|(_, end)| end);
        ends.filter(|end| !end.is_empty())
            .any(|end| path.ends_with(&format!(".{}", end.to_ascii_lowercase())))
    }

    fn take_page(
        &mut self,
        waiting: &Waiting,
        url: &Url,
        page: PageText,
        condition: Condition,
    ) -> Result<()> {
        let mut found = self.children(waiting, page.links.iter().cloned());
        if self.options.mode == CrawlMode::Sitemap {
            let feeds = page
                .feeds
                .iter()
                .cloned()
                .filter_map(scope::normal)
                .filter(|_| waiting.url == self.start.as_str());
            found.extend(feeds.map(|url| Found { url: url.into(), role: Role::List, depth: 0, hops: 0 }));
        }
        let origin = canonical(url, page.canonical.as_ref());
        if origin != *url && self.options.mode != CrawlMode::Single && self.scope.holds(&origin) {
            found.push(Found {
                url: origin.to_string(),
                role: Role::Page,
                depth: waiting.depth,
                hops: waiting.hops,
            });
        }
        let origin = if self.scope.holds(&origin) { origin.to_string() } else { waiting.url.clone() };
        let recorded = Recorded {
            row: waiting.row,
            url: waiting.url.clone(),
            origin,
            user: self.owner.user.clone(),
            hash: reading::hash(&page, &self.options.tags, &self.owner),
            title: page.title,
            byline: page.byline,
            language: page.language,
            published: page.published.map(|at| at.0),
            form: page.form,
            body: page.text,
            etag: condition.etag,
            modified: condition.modified,
            links: page.links.into_iter().filter_map(scope::normal).map(String::from).collect(),
            reading: self.reading(),
        };
        self.jobs.record(self.id, &recorded, &found, self.room())
    }

    /// Hands one recorded page to the engine. False if there is none.
    fn store_one(&mut self, with_others: bool, tell: &mut dyn FnMut(&CrawlEvent)) -> Result<bool> {
        let Some(page) = self.jobs.recorded(self.id, with_others)? else { return Ok(false) };
        self.jobs.begin(page.row)?;
        let (state, why, tally) = match self.store(&page) {
            Ok((state, tally)) => (state, None, tally),
            // What the engine refuses in this page it may take in others; any other trouble is the store's.
            Err(error) if error.kind == ErrorKind::InvalidInput => {
                (PageState::Failed, Some(error.to_string()), Tally::default())
            }
            Err(error) => {
                self.jobs.let_go(page.row)?;
                return Err(error);
            }
        };
        tell(&CrawlEvent::Stored(page.url.clone()));
        self.jobs.stored(self.id, page.row, state, why.as_deref(), tally, self.engine.now().0)?;
        tell(&CrawlEvent::Settled(page.url));
        Ok(true)
    }

    fn store(&self, page: &Recorded) -> Result<(PageState, Tally)> {
        if page.origin != page.url && self.jobs.has_origin(self.id, page.row, &page.origin)? {
            return Ok((PageState::Duplicate, Tally::default()));
        }
        for origin in self.jobs.same_text(&self.own(&page.url), &page.hash)? {
            if self.engine.source_is_current(&reading::source(&origin, page.hash))? {
                return Ok((PageState::Duplicate, Tally::default()));
            }
        }
        let (source, drafts) = reading::drafts(page, &self.options.tags, &self.owner)?;
        let begun = self.engine.read()?.source_by_origin(SourceType::Page, &source.origin)?;
        let is_begun = begun.is_some_and(|source| source.created_at.0 >= self.created_at);
        match self.engine.ingest(&source, drafts)? {
            Some(tally) if !is_begun => Ok((PageState::Stored, tally.into())),
            // The engine had it, or, of a large page, a part of it when the process ended.
            _ => self.was_there(&source.origin),
        }
    }

    /// A page that the engine has already: unchanged, or stored by this very job before its process ended,
    /// which is counted now.
    fn was_there(&self, origin: &str) -> Result<(PageState, Tally)> {
        let source = self.engine.read()?.source_by_origin(SourceType::Page, origin)?;
        let Some(source) = source.filter(|source| source.updated_at.0 >= self.created_at) else {
            return Ok((PageState::Unchanged, Tally::default()));
        };
        let (view, _) = self.engine.source(source.id)?;
        let tally = Tally {
            memories: u64::from(view.memories),
            entities: u64::from(view.entities),
            edges: u64::from(view.edges),
            removed: 0,
        };
        Ok((PageState::Stored, tally))
    }

    /// Forgets the source of a page that is gone.
    fn forget(&self, url: &str) -> Result<()> {
        let own = self.own(url);
        let source = self.engine.read()?.source_by_origin(SourceType::Page, &own)?;
        if let Some(source) = source.filter(|source| source.deleted_at.is_none()) {
            let forgotten = self.engine.forget(&source.id.to_string())?;
            self.jobs.removed(self.id, forgotten.memories.len() as u64)?;
        }
        self.jobs.forget_page(&own)
    }

    /// Takes what is on its way, for a short while.
    fn land(&mut self, tell: &mut dyn FnMut(&CrawlEvent)) -> Result<()> {
        let until = Instant::now() + GRACE;
        while !self.flying.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            match self.workers.wait(left)? {
                Some((row, came)) => self.take(row, came, tell)?,
                None => break,
            }
        }
        while self.store_one(false, tell)? {}
        Ok(())
    }

    fn end(&self) -> Result<End> {
        let (pages, requests, queued) = self.jobs.spent(self.id)?;
        if queued {
            let why = if requests > self.most_requests() {
                format!("{requests} requests brought only {pages} pages")
            } else {
                format!("the limit of {} pages is reached", self.options.max_pages)
            };
            self.jobs.leave_rest(self.id, &why)?;
        }
        if self.options.mode == CrawlMode::Sitemap && !self.jobs.has_list(self.id)? {
            return Ok(End::Done(Some("no sitemap, feed or llms.txt was found".into())));
        }
        let job = self.jobs.job(self.id)?;
        let nothing = job.counts.fetched == 0 && job.counts.gone == 0 && job.counts.failed > 0;
        Ok(End::Done(nothing.then(|| "no page could be fetched".into())))
    }
}

/// The address that a page gives itself, if it can be believed: on the same site, and not the first page of
/// the site, which careless templates give to all of their pages.
fn canonical(url: &Url, given: Option<&Url>) -> Url {
    match given {
        Some(given) if given.origin() == url.origin() && (given.path() != "/" || url.path() == "/") => {
            given.clone()
        }
        _ => url.clone(),
    }
}

fn may_be_page(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    match name.rsplit_once('.') {
        Some((_, end)) if !end.is_empty() => {
            let mut uncrawled = readers().filter(|reader| !reader.is_crawled);
            !NO_PAGES.contains(&format!(" {end} "))
                && !uncrawled.any(|reader| reader.extensions().any(|own| own == end))
        }
        _ => true,
    }
}
