//! Handles the results of requests: what is recorded, which addresses are added, what the engine stores.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use griot::model::{ErrorKind, Result, SourceType};
use url::Url;

use super::{Crawl, InFlight};
use crate::crawl::options::{CrawlEvent, CrawlMode};
use crate::jobs::{FetchedPage, NewAddress, PageState, QueuedAddress, Role, StoreChanges};
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
    pub(super) fn take(
        &mut self,
        row: i64,
        fetched: Fetched,
        report: &mut dyn FnMut(&CrawlEvent),
    ) -> Result<()> {
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

    fn take_robots(
        &mut self,
        site: &str,
        fetched: Fetched,
        report: &mut dyn FnMut(&CrawlEvent),
    ) -> Result<()> {
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
            let list = |url: Url, role| {
                Some(NewAddress { url: scope::normal(url)?.to_string(), role, depth: 0, hops: 0 })
            };
            let named = robots.sitemaps.iter().filter_map(|place| self.start.join(place).ok());
            found.extend(named.filter_map(|url| list(url, Role::List)));
            if found.is_empty() {
                let places = listing::USUAL_PATHS.iter().filter_map(|place| self.start.join(place).ok());
                found.extend(places.filter_map(|url| list(url, Role::Guess)));
            }
        }
        self.jobs.put_robots(self.id, site, body.as_deref(), why.as_deref(), &found, self.room())?;
        self.robots.insert(site.to_string(), robots);
        report(&CrawlEvent::Robots(site.to_string()));
        Ok(())
    }

    fn backoff(&self, tries: u32) -> Duration {
        Duration::from_millis(self.options.backoff_ms.saturating_mul(1 << tries.saturating_sub(1).min(6)))
    }

    pub(super) fn settle(
        &self,
        row: i64,
        state: PageState,
        why: Option<&str>,
        found: &[NewAddress],
    ) -> Result<()> {
        self.jobs.settle(self.id, row, state, why, found, self.room())
    }

    fn take_row(&mut self, queued: &QueuedAddress, url: &Url, fetched: Fetched) -> Result<()> {
        let is_guess = queued.role == Role::Guess;
        match fetched {
            Fetched::Page { page, validators } => self.take_page(queued, url, *page, validators),
            Fetched::List(listing) => self.take_list(queued, &listing),
            Fetched::Unchanged => {
                let key = self.key(&queued.url);
                let known = self.jobs.known(&key)?;
                let links = known.map(|known| known.links).unwrap_or_default();
                let links = links.iter().filter_map(|link| Url::parse(link).ok());
                let found = self.children(queued, links);
                self.jobs.unchanged(self.id, queued.row, (&queued.url, &key), &found, self.room())
            }
            Fetched::Redirect(to) => self.take_redirect(queued, url, to),
            Fetched::Refused(_) if is_guess => self.settle(queued.row, PageState::Skipped, None, &[]),
            Fetched::Refused(status @ (404 | 410)) => {
                if self.options.prune {
                    self.forget(&queued.url)?;
                }
                self.settle(
                    queued.row,
                    PageState::Gone,
                    Some(&format!("the server answered {status}: the page is gone")),
                    &[],
                )
            }
            Fetched::Refused(status) => self.settle(
                queued.row,
                PageState::Failed,
                Some(&format!("the server answered {status}")),
                &[],
            ),
            Fetched::Other(why) if queued.role == Role::List => {
                self.settle(queued.row, PageState::Failed, Some(&why), &[])
            }
            Fetched::Other(why) => self.settle(queued.row, PageState::Skipped, Some(&why), &[]),
            Fetched::Failed(error) => self.take_failure(queued, &error),
            Fetched::Robots(_) => Ok(()),
        }
    }

    fn take_failure(&mut self, queued: &QueuedAddress, error: &FetchError) -> Result<()> {
        let tries = queued.tries + 1;
        match error.retry {
            Some(wait) if tries < self.options.tries => {
                self.retry_at.insert(queued.row, Instant::now() + wait.max(self.backoff(tries)));
                self.jobs.tried(self.id, queued.row)
            }
            _ if queued.role == Role::Guess => {
                self.settle(queued.row, PageState::Skipped, Some(&error.why), &[])
            }
            _ => self.settle(queued.row, PageState::Failed, Some(&error.why), &[]),
        }
    }

    fn take_redirect(&mut self, queued: &QueuedAddress, url: &Url, to: Url) -> Result<()> {
        let Some(to) = scope::normal(to) else {
            return self.settle(
                queued.row,
                PageState::Failed,
                Some("it redirects to something that is not a page"),
                &[],
            );
        };
        if to == *url {
            // We normalise addresses (`scope::normal`); with this server that loops.
            return self.settle(queued.row, PageState::Failed, Some("it redirects to itself"), &[]);
        }
        if queued.hops >= MAX_REDIRECTS {
            let why = format!("it redirects more than {MAX_REDIRECTS} times");
            return self.settle(queued.row, PageState::Failed, Some(&why), &[]);
        }
        let is_start = self.jobs.is_from_start(self.id, queued.row)?;
        if is_start {
            self.scope.add_origin(&to);
        } else if !self.scope.contains(&to) && queued.role == Role::Page {
            let why = format!("it redirects out of the crawl, to {to}");
            return self.settle(queued.row, PageState::Skipped, Some(&why), &[]);
        }
        let found =
            NewAddress { url: to.to_string(), role: queued.role, depth: queued.depth, hops: queued.hops + 1 };
        self.jobs.redirect(self.id, queued.row, is_start, &found)
    }

    fn take_list(&self, queued: &QueuedAddress, listing: &Listing) -> Result<()> {
        let mut found = Vec::new();
        if queued.hops < MAX_LIST_DEPTH {
            for url in listing.lists.iter().cloned().filter_map(scope::normal) {
                // The protocol allows sitemaps on other hosts; the pages they list are checked against the
                // scope.
                found.push(NewAddress { url: url.into(), role: Role::List, depth: 0, hops: queued.hops + 1 });
            }
        }
        for url in
            listing.pages.iter().cloned().filter_map(scope::normal).filter(|url| self.scope.contains(url))
        {
            found.push(NewAddress { url: url.into(), role: Role::Page, depth: 1, hops: 0 });
        }
        self.settle(queued.row, PageState::Stored, None, &found)
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
            .map(|url| NewAddress { url: url.into(), role: Role::Page, depth: queued.depth + 1, hops: 0 })
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
        page: PageText,
        validators: Validators,
    ) -> Result<()> {
        let mut found = self.children(queued, page.links.iter().cloned());
        if self.options.mode == CrawlMode::Sitemap {
            let feeds = page
                .feeds
                .iter()
                .cloned()
                .filter_map(scope::normal)
                .filter(|_| queued.url == self.start.as_str());
            found.extend(feeds.map(|url| NewAddress {
                url: url.into(),
                role: Role::List,
                depth: 0,
                hops: 0,
            }));
        }
        let origin = canonical(url, page.canonical.as_ref());
        if origin != *url && self.options.mode != CrawlMode::Single && self.scope.contains(&origin) {
            found.push(NewAddress {
                url: origin.to_string(),
                role: Role::Page,
                depth: queued.depth,
                hops: queued.hops,
            });
        }
        let origin = if self.scope.contains(&origin) { origin.to_string() } else { queued.url.clone() };
        let recorded = FetchedPage {
            row: queued.row,
            url: queued.url.clone(),
            origin,
            user: self.owner.user.clone(),
            hash: reading::hash(&page, &self.options.tags, &self.owner),
            title: page.title,
            byline: page.byline,
            language: page.language,
            published: page.published.map(|at| at.0),
            form: page.form,
            body: page.text,
            etag: validators.etag,
            modified: validators.modified,
            links: page.links.into_iter().filter_map(scope::normal).map(String::from).collect(),
            reading: self.reading(),
        };
        self.jobs.record(self.id, &recorded, &found, self.room())
    }

    /// Stores one recorded page; false if there is none.
    pub(super) fn store_one(
        &mut self,
        with_others: bool,
        report: &mut dyn FnMut(&CrawlEvent),
    ) -> Result<bool> {
        let Some(page) = self.jobs.next_fetched(self.id, with_others)? else { return Ok(false) };
        self.jobs.begin(page.row)?;
        let (state, why, tally) = match self.store(&page) {
            Ok((state, tally)) => (state, None, tally),
            // A page that the engine rejects is that page's failure; other errors are the store's and end
            // the crawl.
            Err(error) if error.kind == ErrorKind::InvalidInput => {
                (PageState::Failed, Some(error.to_string()), StoreChanges::default())
            }
            Err(error) => {
                self.jobs.release(page.row)?;
                return Err(error);
            }
        };
        report(&CrawlEvent::Stored(page.url.clone()));
        self.jobs.stored(self.id, page.row, state, why.as_deref(), tally, self.engine.now().0)?;
        report(&CrawlEvent::Settled(page.url));
        Ok(true)
    }

    fn store(&self, page: &FetchedPage) -> Result<(PageState, StoreChanges)> {
        if page.origin != page.url && self.jobs.has_origin(self.id, page.row, &page.origin)? {
            return Ok((PageState::Duplicate, StoreChanges::default()));
        }
        for origin in self.jobs.same_text(&self.key(&page.url), &page.hash)? {
            if self.engine.source_is_current(&reading::source(&origin, page.hash))? {
                return Ok((PageState::Duplicate, StoreChanges::default()));
            }
        }
        let (source, drafts) = reading::drafts(page, &self.options.tags, &self.owner)?;
        let begun = self.engine.read()?.source_by_origin(SourceType::Page, &source.origin)?;
        let is_begun = begun.is_some_and(|source| source.created_at.0 >= self.created_at);
        match self.engine.ingest(&source, drafts)? {
            Some(tally) if !is_begun => Ok((PageState::Stored, tally.into())),
            // The engine has the page, or part of a large one from before a crash.
            _ => self.already_stored(&source.origin),
        }
    }

    /// The result for a page that the engine has already: unchanged, or stored by this job before a crash
    /// and counted now.
    fn already_stored(&self, origin: &str) -> Result<(PageState, StoreChanges)> {
        let source = self.engine.read()?.source_by_origin(SourceType::Page, origin)?;
        let Some(source) = source.filter(|source| source.updated_at.0 >= self.created_at) else {
            return Ok((PageState::Unchanged, StoreChanges::default()));
        };
        let (view, _) = self.engine.source(source.id)?;
        let tally = StoreChanges {
            memories: u64::from(view.memories),
            entities: u64::from(view.entities),
            edges: u64::from(view.edges),
            removed: 0,
        };
        Ok((PageState::Stored, tally))
    }

    /// Forgets the source of a page that is gone.
    fn forget(&self, url: &str) -> Result<()> {
        let key = self.key(url);
        let source = self.engine.read()?.source_by_origin(SourceType::Page, &key)?;
        if let Some(source) = source.filter(|source| source.deleted_at.is_none()) {
            let forgotten = self.engine.forget(&source.id.to_string())?;
            self.jobs.removed(self.id, forgotten.memories.len() as u64)?;
        }
        self.jobs.forget_page(&key)
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
