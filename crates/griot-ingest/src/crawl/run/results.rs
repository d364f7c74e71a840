//! Handles the results of requests: what is recorded, which addresses are added, what the engine stores.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use griot::model::{ErrorKind, Result, SourceType};
use griot::remember::IngestTally;
use url::Url;

use super::super::GONE;
use super::{Crawl, InFlight};
use crate::crawl::options::{CrawlEvent, CrawlMode, Report};
use crate::jobs::{FetchedPage, KnownPage, NewAddress, PageState, QueuedAddress, Role};
use crate::readers::html::NEEDS_SCRIPTS;
use crate::readers::readers;
use crate::web::fetch::{FetchError, Validators};
use crate::web::listing::{self, Listing};
use crate::web::page::PageText;
use crate::web::reading;
use crate::web::scope;
use crate::web::workers::Fetched;

const MAX_REDIRECTS: u32 = 10;
/// Nested sitemaps to follow; the sitemap protocol itself allows two levels.
const MAX_LIST_DEPTH: u32 = 5;
/// Extensions that are never pages, so that they are not requested; those of readers that are not
/// `is_crawled` come on top.
const NON_PAGE_EXTENSIONS: &[&str] = &[
    "7z", "avi", "bin", "bmp", "bz2", "css", "deb", "dmg", "doc", "eot", "exe", "flac", "gif", "gz", "ico",
    "iso", "jar", "jpeg", "jpg", "js", "map", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "ogg", "otf", "png",
    "ppt", "rar", "rpm", "rss", "svg", "tar", "tgz", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp",
    "whl", "woff", "woff2", "xls", "xz", "zip", "zst",
];

impl Crawl<'_> {
    pub(super) fn take(&mut self, row: i64, fetched: Fetched, report: &mut Report) -> Result<()> {
        match self.in_flight.remove(&row) {
            None => Ok(()),
            Some(InFlight::Robots(site)) => self.take_robots(&site, fetched, report),
            Some(InFlight::Row(queued, url)) => {
                self.take_row(&queued, &url, fetched)?;
                report(&CrawlEvent::Recorded(queued.url));
                Ok(())
            }
        }
    }

    fn take_robots(&mut self, site: &str, fetched: Fetched, report: &mut Report) -> Result<()> {
        let (body, why) = match fetched {
            Fetched::Robots(body) => (Some(body), None),
            Fetched::Failed(error) => {
                let tries = self.robots_tries.get(site).map_or(1, |tries| tries + 1);
                self.robots_tries.insert(site.to_string(), tries);
                if let Some(wait) = error.retry.filter(|_| tries < self.options.tries) {
                    let until = Instant::now() + wait.max(self.backoff(tries));
                    self.pace.hold(site, until);
                    return Ok(());
                }
                // RFC 9309, 2.3.1.4: an unreachable robots.txt means complete disallow.
                (None, Some(format!("its robots.txt could not be read: {}", error.why)))
            }
            _ => (Some(String::new()), None),
        };
        let robots = self.rules(body.as_deref());
        let mut found = Vec::new();
        if self.options.mode == CrawlMode::Sitemap && *site == scope::origin(&self.start) {
            let list = |path: &str| {
                let url = scope::normal(self.start.join(path).ok()?)?;
                Some(NewAddress::list(url, 0))
            };
            found.extend(robots.sitemaps.iter().filter_map(|path| list(path)));
            if found.is_empty() {
                let guesses = listing::USUAL_PATHS.iter().filter_map(|path| list(path));
                found.extend(guesses.map(|list| NewAddress { role: Role::Guess, ..list }));
            }
        }
        self.frontier.put_robots(site, body.as_deref(), why.as_deref(), &found)?;
        self.robots.insert(site.to_string(), robots);
        report(&CrawlEvent::Robots(site.to_string()));
        Ok(())
    }

    fn backoff(&self, tries: u32) -> Duration {
        Duration::from_millis(self.options.backoff_ms.saturating_mul(1 << tries.saturating_sub(1).min(6)))
    }

    /// Sets the result of an address where nothing was found.
    pub(super) fn settle(&self, queued: &QueuedAddress, state: PageState, why: &str) -> Result<()> {
        self.frontier.settle(queued.row, state, Some(why), &[])
    }

    fn take_row(&mut self, queued: &QueuedAddress, url: &Url, fetched: Fetched) -> Result<()> {
        match fetched {
            Fetched::Page { page, validators } => self.take_page(queued, url, *page, validators),
            Fetched::List(listing) => self.take_list(queued, &listing),
            Fetched::Unchanged => {
                let key = self.key(&queued.url);
                let links = self.frontier.known(&key)?.map(|known| known.links).unwrap_or_default();
                let found = self.children(queued, links.lines().filter_map(|link| Url::parse(link).ok()));
                self.frontier.unchanged(queued.row, &queued.url, &key, &found)
            }
            Fetched::Redirect(to) => self.take_redirect(queued, url, to),
            Fetched::Refused(_) if queued.role == Role::Guess => {
                self.frontier.settle(queued.row, PageState::Skipped, None, &[])
            }
            Fetched::Refused(status @ (404 | 410)) => {
                if self.options.prune {
                    self.forget(&queued.url)?;
                }
                let why = format!("the server answered {status}: {GONE}");
                self.settle(queued, PageState::Gone, &why)
            }
            Fetched::Refused(status) => {
                self.settle(queued, PageState::Failed, &format!("the server answered {status}"))
            }
            Fetched::Other(why) if queued.role == Role::List => self.settle(queued, PageState::Failed, &why),
            Fetched::Other(why) => self.settle(queued, PageState::Skipped, &why),
            Fetched::Failed(error) => self.take_failure(queued, &error),
            Fetched::Robots(_) => Ok(()),
        }
    }

    fn take_failure(&mut self, queued: &QueuedAddress, error: &FetchError) -> Result<()> {
        let tries = queued.tries + 1;
        match error.retry {
            Some(wait) if tries < self.options.tries => {
                self.retry_at.insert(queued.row, Instant::now() + wait.max(self.backoff(tries)));
                self.frontier.tried(queued.row)
            }
            _ if queued.role == Role::Guess => self.settle(queued, PageState::Skipped, &error.why),
            _ => self.settle(queued, PageState::Failed, &error.why),
        }
    }

    fn take_redirect(&mut self, queued: &QueuedAddress, url: &Url, to: Url) -> Result<()> {
        let fail = |why: &str| self.settle(queued, PageState::Failed, why);
        let Some(to) = scope::normal(to) else {
            return fail("it redirects to something that is not a page");
        };
        if to == *url {
            // We normalise addresses (`scope::normal`); with this server that loops.
            return fail("it redirects to itself");
        }
        if queued.hops >= MAX_REDIRECTS {
            return fail(&format!("it redirects more than {MAX_REDIRECTS} times"));
        }
        let is_start = self.frontier.is_from_start(queued.row)?;
        if is_start {
            self.scope.add_origin(&to);
        } else if !self.scope.contains(&to) && queued.role == Role::Page {
            let why = format!("it redirects out of the crawl, to {to}");
            return self.settle(queued, PageState::Skipped, &why);
        }
        let found =
            NewAddress { role: queued.role, hops: queued.hops + 1, ..NewAddress::page(to, queued.depth) };
        self.frontier.redirect(queued.row, is_start, &found)
    }

    fn take_list(&self, queued: &QueuedAddress, listing: &Listing) -> Result<()> {
        let mut found = Vec::new();
        if queued.hops < MAX_LIST_DEPTH {
            // The protocol allows sitemaps on other hosts; the pages they list are checked against the scope.
            let lists = listing.lists.iter().cloned().filter_map(scope::normal);
            found.extend(lists.map(|url| NewAddress::list(url, queued.hops + 1)));
        }
        let pages = listing.pages.iter().cloned().filter_map(scope::normal);
        let pages = pages.filter(|url| self.scope.contains(url));
        found.extend(pages.map(|url| NewAddress::page(url, 1)));
        self.frontier.settle(queued.row, PageState::Stored, None, &found)
    }

    /// Addresses to follow from a page: normalised, in scope, each once.
    fn children(&self, queued: &QueuedAddress, links: impl Iterator<Item = Url>) -> Vec<NewAddress> {
        if self.options.mode != CrawlMode::Recursive || queued.depth >= self.options.depth {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        links
            .filter_map(scope::normal)
            .filter(|url| self.scope.contains(url) && (may_be_page(url) || self.is_wanted(url)))
            .map(|url| NewAddress::page(url, queued.depth + 1))
            .filter(|found| seen.insert(found.url.clone()))
            .collect()
    }

    /// Whether an allow glob names this file type, such as `*.pdf`.
    fn is_wanted(&self, url: &Url) -> bool {
        let path = url.path().to_ascii_lowercase();
        let ends = self.options.allow.iter().filter_map(|glob| glob.rsplit_once("*.")).map(|(_, end)| end);
        ends.filter(|end| !end.is_empty())
            .any(|end| path.ends_with(&format!(".{}", end.to_ascii_lowercase())))
    }

    fn take_page(
        &mut self,
        queued: &QueuedAddress,
        url: &Url,
        PageText { form, mut page }: PageText,
        validators: Validators,
    ) -> Result<()> {
        let mut found = self.children(queued, page.links.iter().cloned());
        if self.options.mode == CrawlMode::Sitemap && queued.url == self.start.as_str() {
            let feeds = page.feeds.iter().cloned().filter_map(scope::normal);
            found.extend(feeds.map(|url| NewAddress::list(url, 0)));
        }
        if page.needs_scripts {
            return self.frontier.settle(queued.row, PageState::Failed, Some(NEEDS_SCRIPTS), &found);
        }
        let origin = canonical(url, page.canonical.as_ref());
        let is_inside = self.scope.contains(&origin);
        if origin != *url && self.options.mode != CrawlMode::Single && is_inside {
            let hops = queued.hops;
            found.push(NewAddress { hops, ..NewAddress::page(origin.as_str(), queued.depth) });
        }
        let origin = if is_inside { origin.to_string() } else { queued.url.clone() };
        let hash = reading::hash(&page, &self.reading);
        let links = std::mem::take(&mut page.links).into_iter().filter_map(scope::normal);
        let known = KnownPage {
            origin: self.key(&origin),
            etag: validators.etag,
            modified: validators.modified,
            hash,
            reading: self.reading_hash(),
            links: links.map(String::from).collect::<Vec<_>>().join("\n"),
        };
        let fetched = FetchedPage { row: queued.row, url: queued.url.clone(), origin, form, page, hash };
        self.frontier.record(&fetched, (&self.key(&queued.url), &known), &found)
    }

    /// Stores one recorded page; false if there is none.
    pub(super) fn store_one(&mut self, with_others: bool, report: &mut Report) -> Result<bool> {
        let Some(page) = self.frontier.next_fetched(with_others)? else { return Ok(false) };
        self.jobs.begin(page.row)?;
        let (state, why, tally) = match self.store(&page) {
            Ok((state, tally)) => (state, None, tally),
            // A page that the engine rejects is that page's failure; other errors are the store's and end
            // the crawl.
            Err(error) if error.kind == ErrorKind::InvalidInput => {
                (PageState::Failed, Some(error.to_string()), IngestTally::default())
            }
            Err(error) => {
                self.jobs.release(page.row)?;
                return Err(error);
            }
        };
        report(&CrawlEvent::Stored(page.url.clone()));
        self.frontier.stored(page.row, state, why.as_deref(), tally, self.engine.now().0)?;
        report(&CrawlEvent::Settled(page.url));
        Ok(true)
    }

    fn store(&self, page: &FetchedPage) -> Result<(PageState, IngestTally)> {
        if page.origin != page.url && self.frontier.has_origin(page.row, &page.origin)? {
            return Ok((PageState::Duplicate, IngestTally::default()));
        }
        for origin in self.frontier.same_text(&self.key(&page.url), &page.hash)? {
            if self.engine.source_is_current(&reading::source(&origin, page.hash))? {
                return Ok((PageState::Duplicate, IngestTally::default()));
            }
        }
        let (source, drafts) = reading::drafts(page, &self.reading, self.options.agent.as_ref())?;
        if self.engine.forgotten_source(&source)?.is_some() {
            return Ok((PageState::Unchanged, IngestTally::default()));
        }
        let begun = self.engine.read()?.source_by_origin(SourceType::Page, &source.origin)?;
        let is_begun = begun.is_some_and(|source| source.created_at.0 >= self.job.created_at);
        match self.engine.ingest(&source, drafts)? {
            Some(tally) if !is_begun => Ok((PageState::Stored, tally)),
            // The engine has the page, or part of a large one from before a crash.
            _ => self.already_stored(&source.origin),
        }
    }

    /// The result for a page that the engine has already: unchanged, or stored by this job before a crash
    /// and counted now.
    fn already_stored(&self, origin: &str) -> Result<(PageState, IngestTally)> {
        let source = self.engine.read()?.source_by_origin(SourceType::Page, origin)?;
        let Some(source) = source.filter(|source| source.updated_at.0 >= self.job.created_at) else {
            return Ok((PageState::Unchanged, IngestTally::default()));
        };
        let (view, _) = self.engine.source(source.id)?;
        let (added, entities, edges) = (view.memories, view.entities, view.edges);
        Ok((PageState::Stored, IngestTally { added, entities, edges, ..IngestTally::default() }))
    }

    /// Forgets the source of a page that is gone.
    fn forget(&self, url: &str) -> Result<()> {
        let key = self.key(url);
        let source = self.engine.read()?.source_by_origin(SourceType::Page, &key)?;
        if let Some(source) = source.filter(|source| source.deleted_at.is_none()) {
            let forgotten = self.engine.forget_missing(&source)?;
            self.frontier.removed(forgotten.memories.len() as u64)?;
        }
        self.frontier.forget_page(&key)
    }
}

/// The canonical address of a page if it is credible: on the same site, and not the site's front page,
/// which careless templates declare on every page.
fn canonical(url: &Url, declared: Option<&Url>) -> Url {
    match declared {
        Some(declared)
            if declared.origin() == url.origin() && (declared.path() != "/" || url.path() == "/") =>
        {
            declared.clone()
        }
        _ => url.clone(),
    }
}

fn may_be_page(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    name.rsplit_once('.').is_none_or(|(_, extension)| {
        let mut uncrawled = readers().filter(|reader| !reader.is_crawled);
        !NON_PAGE_EXTENSIONS.contains(&extension)
            && !uncrawled.any(|reader| reader.extensions().any(|own| own == extension))
    })
}
