//! The frontier: the addresses of a job and their states, and what earlier jobs know of pages.
//!
//! Each method is one transaction, so the process may end after any of them. What follows from an answer
//! (its links, its redirect, its counts) is written with it.

use griot::model::{Result, Timestamp};
use griot::remember::IngestTally;
use rusqlite::{Row, Transaction, params};

use super::model::{Form, JobId, PageState, Role};
use super::store::{Jobs, columns, count};
use crate::readers::html::Page;

const READ: &str = "read the frontier";
const WRITE: &str = "write the frontier";
const READ_PAGES: &str = "read the known pages";

pub(crate) struct Frontier<'a> {
    jobs: &'a Jobs,
    job: JobId,
    /// Rows that it may hold.
    max_rows: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct QueuedAddress {
    pub(crate) row: i64,
    pub(crate) url: String,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) tries: u32,
    /// Crashes while it was worked on.
    pub(crate) begun: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewAddress {
    pub(crate) url: String,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
}

impl NewAddress {
    pub(crate) fn page(url: impl Into<String>, depth: u32) -> Self {
        Self { url: url.into(), role: Role::Page, depth, hops: 0 }
    }

    /// `hops`: lists that led to it.
    pub(crate) fn list(url: impl Into<String>, hops: u32) -> Self {
        Self { role: Role::List, hops, ..Self::page(url, 0) }
    }
}

/// A page that was fetched and is not stored yet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FetchedPage {
    pub(crate) row: i64,
    pub(crate) url: String,
    pub(crate) origin: String,
    pub(crate) form: Form,
    pub(crate) page: Page,
    pub(crate) hash: [u8; 32],
}

/// What earlier jobs know of a page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KnownPage {
    pub(crate) origin: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) hash: [u8; 32],
    /// Hash of the tags and the owner that it was read with.
    pub(crate) reading: [u8; 32],
    /// One address per line.
    pub(crate) links: String,
}

impl Jobs {
    pub(crate) fn frontier(&self, job: JobId, max_rows: u64) -> Frontier<'_> {
        Frontier { jobs: self, job, max_rows }
    }
}

impl Frontier<'_> {
    /// Adds addresses. A known address takes the smaller depth.
    pub(crate) fn add(&self, found: &[NewAddress]) -> Result<()> {
        self.jobs.change("add addresses", |transaction| self.insert(transaction, found, self.max_rows))
    }

    /// Queued addresses of the smallest depth, in the order in which they were found. One depth at a time,
    /// so that every address is found by its shortest path.
    pub(crate) fn queued(&self, most: usize) -> Result<Vec<QueuedAddress>> {
        let sql = "SELECT id AS row, url, role, depth, hops, tries, begun FROM frontier
                   WHERE job = ?1 AND state = 'queued'
                   AND depth = (SELECT min(depth) FROM frontier WHERE job = ?1 AND state = 'queued')
                   ORDER BY id LIMIT ?2";
        let read = columns!(QueuedAddress { row, url, role, depth, hops, tries, begun });
        self.jobs.rows(READ, sql, params![self.job.0, most as i64], read)
    }

    /// Pages with content, requests made, and whether addresses are queued.
    pub(crate) fn spent(&self) -> Result<(u64, u64, bool)> {
        let sql = "SELECT pages, requests,
                   EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND state = 'queued')
                   FROM job WHERE id = ?1";
        let read = |row: &Row<'_>| Ok((count(row, 0)?, count(row, 1)?, row.get(2)?));
        self.jobs.get(READ, sql, [self.job.0], read)?.ok_or_else(|| self.job.missing())
    }

    /// A request failed and will be retried.
    pub(crate) fn tried(&self, row: i64) -> Result<()> {
        self.answered(0, &[], |transaction| {
            transaction.execute("UPDATE frontier SET tries = tries + 1, begun = 0 WHERE id = ?1", [row])
        })
    }

    /// Sets the result of an address, and adds the addresses found there.
    pub(crate) fn settle(
        &self,
        row: i64,
        state: PageState,
        why: Option<&str>,
        found: &[NewAddress],
    ) -> Result<()> {
        self.answered(0, found, |transaction| {
            let sql = "UPDATE frontier SET state = ?2, why = ?3, tries = tries + 1, begun = 0, body = NULL
                       WHERE id = ?1";
            transaction.execute(sql, params![row, state, why])
        })
    }

    /// Records a page with everything needed to store it, and what later jobs know of it under `key`.
    pub(crate) fn record(
        &self,
        fetched: &FetchedPage,
        (key, known): (&str, &KnownPage),
        found: &[NewAddress],
    ) -> Result<()> {
        let page = &fetched.page;
        self.answered(1, found, |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'fetched', role = 'page', tries = tries + 1, begun = 0,
                 why = NULL, origin = ?2, title = ?3, published = ?4, form = ?5, body = ?6, etag = ?7,
                 modified = ?8, hash = ?9, byline = ?10, language = ?11 WHERE id = ?1",
                params![
                    fetched.row,
                    fetched.origin,
                    page.title,
                    page.published.map(|at| at.0),
                    fetched.form,
                    page.text,
                    known.etag,
                    known.modified,
                    fetched.hash,
                    page.byline,
                    page.language
                ],
            )?;
            let sql = "INSERT OR REPLACE INTO page (url, origin, etag, modified, hash, reading, links)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let KnownPage { origin, etag, modified, hash, reading, links } = known;
            transaction.execute(sql, params![key, origin, etag, modified, hash, reading, links])
        })
    }

    /// Records a page that did not change. `key` is the key under which later jobs know it.
    pub(crate) fn unchanged(&self, row: i64, url: &str, key: &str, found: &[NewAddress]) -> Result<()> {
        self.answered(1, found, |transaction| {
            let sql = "UPDATE frontier SET state = 'unchanged', tries = tries + 1, begun = 0, origin = ?2,
                       hash = (SELECT hash FROM page WHERE url = ?3) WHERE id = ?1";
            transaction.execute(sql, params![row, url, key])
        })
    }

    /// Records a redirect. Its target is added even if the frontier is full.
    pub(crate) fn redirect(&self, row: i64, is_start: bool, to: &NewAddress) -> Result<()> {
        self.answered(0, &[], |transaction| {
            let sql = "UPDATE frontier SET state = 'redirected', tries = tries + 1, begun = 0 WHERE id = ?1";
            transaction.execute(sql, [row])?;
            self.insert(transaction, std::slice::from_ref(to), u64::MAX)?;
            let sql = "UPDATE frontier SET is_start = 1 WHERE job = ?1 AND url = ?2 AND ?3";
            transaction.execute(sql, params![self.job.0, to.url, is_start])
        })
    }

    /// Whether the row is the start of the job, or what the start redirected to.
    pub(crate) fn is_from_start(&self, row: i64) -> Result<bool> {
        let sql =
            "SELECT is_start OR url = (SELECT target FROM job WHERE id = ?1) FROM frontier WHERE id = ?2";
        self.jobs.value(READ, sql, [self.job.0, row])
    }

    /// The address that the start redirected to.
    pub(crate) fn moved_to(&self) -> Result<Option<String>> {
        let sql = "SELECT url FROM frontier WHERE job = ?1 AND is_start ORDER BY id DESC LIMIT 1";
        self.jobs.get(READ, sql, [self.job.0], |row| row.get(0))
    }

    /// Pages that wait to be stored.
    pub(crate) fn backlog(&self) -> Result<i64> {
        let sql = "SELECT count(*) FROM frontier WHERE job = ?1 AND state = 'fetched' AND origin = url";
        self.jobs.value(READ, sql, [self.job.0])
    }

    /// Whether any list of pages was read.
    pub(crate) fn has_list(&self) -> Result<bool> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND role <> 'page' AND state = 'stored')";
        self.jobs.value(READ, sql, [self.job.0])
    }

    pub(crate) fn removed(&self, memories: u64) -> Result<()> {
        let sql = "UPDATE job SET removed = removed + ?2 WHERE id = ?1";
        self.jobs.execute("write the job", sql, params![self.job.0, memories as i64])
    }

    /// The next page to store. Pages under their own address come first, because they decide what that
    /// address says.
    pub(crate) fn next_fetched(&self, with_others: bool) -> Result<Option<FetchedPage>> {
        let sql = "SELECT id AS row, url, origin, title, byline, language, published, form, body, hash
                   FROM frontier WHERE job = ?1 AND state = 'fetched' AND (origin = url OR ?2)
                   ORDER BY origin <> url, id LIMIT 1";
        let read = |row: &Row<'_>| {
            let page = Page {
                title: row.get("title")?,
                byline: row.get("byline")?,
                language: row.get("language")?,
                published: row.get::<_, Option<i64>>("published")?.map(Timestamp),
                text: row.get("body")?,
                ..Page::default()
            };
            columns!(FetchedPage { row, url, origin, form, hash }, page)(row)
        };
        self.jobs.get(READ, sql, params![self.job.0, with_others], read)
    }

    /// Sets the result of storing a recorded page.
    pub(crate) fn stored(
        &self,
        row: i64,
        state: PageState,
        why: Option<&str>,
        tally: IngestTally,
        now: i64,
    ) -> Result<()> {
        self.jobs.change(WRITE, |transaction| {
            let sql = "UPDATE frontier SET state = ?2, why = ?3, begun = 0, body = NULL WHERE id = ?1";
            transaction.execute(sql, params![row, state, why])?;
            transaction.execute("UPDATE job SET updated_at = ?2 WHERE id = ?1", [self.job.0, now])?;
            add_counts(transaction, self.job, &[tally])
        })
    }

    /// Whether another page of the job is stored under this origin already.
    pub(crate) fn has_origin(&self, row: i64, origin: &str) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND id <> ?2 AND origin = ?3
                   AND state IN ('stored', 'unchanged'))";
        self.jobs.value(READ, sql, params![self.job.0, row, origin])
    }

    /// Origins of pages with the same text under other addresses.
    pub(crate) fn same_text(&self, url: &str, hash: &[u8; 32]) -> Result<Vec<String>> {
        let sql =
            "SELECT DISTINCT origin FROM page WHERE hash = ?1 AND url <> ?2 AND origin = url ORDER BY 1";
        self.jobs.rows(READ_PAGES, sql, params![hash, url], |row| row.get(0))
    }

    pub(crate) fn known(&self, url: &str) -> Result<Option<KnownPage>> {
        let sql = "SELECT origin, etag, modified, hash, reading, links FROM page WHERE url = ?1";
        let read = columns!(KnownPage { origin, etag, modified, hash, reading, links });
        self.jobs.get(READ_PAGES, sql, [url], read)
    }

    /// Addresses of the known pages of a site.
    pub(crate) fn known_of(&self, site: &str) -> Result<Vec<String>> {
        let sql = "SELECT url FROM page WHERE url >= ?1 AND url < ?2 ORDER BY url";
        // `0` is the character after `/`.
        let range = [format!("{site}/"), format!("{site}0")];
        self.jobs.rows(READ_PAGES, sql, range, |row| row.get(0))
    }

    pub(crate) fn forget_page(&self, url: &str) -> Result<()> {
        self.jobs.execute("write the known pages", "DELETE FROM page WHERE url = ?1", [url])
    }

    /// The body of a site's robots.txt, or why it could not be read; `None` if it was not requested yet.
    pub(crate) fn robots(&self, site: &str) -> Result<Option<(Option<String>, Option<String>)>> {
        let sql = "SELECT body, why FROM robots WHERE job = ?1 AND site = ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.jobs.get("read robots.txt of a site", sql, params![self.job.0, site], read)
    }

    pub(crate) fn put_robots(
        &self,
        site: &str,
        body: Option<&str>,
        why: Option<&str>,
        found: &[NewAddress],
    ) -> Result<()> {
        self.jobs.change("write robots.txt of a site", |transaction| {
            let sql = "INSERT OR REPLACE INTO robots (job, site, body, why) VALUES (?1, ?2, ?3, ?4)";
            transaction.execute(sql, params![self.job.0, site, body, why])?;
            self.insert(transaction, found, self.max_rows)
        })
    }

    pub(crate) fn skip_queued(&self, why: &str) -> Result<()> {
        let sql = "UPDATE frontier SET state = 'skipped', why = ?2 WHERE job = ?1 AND state = 'queued'";
        self.jobs.execute(WRITE, sql, params![self.job.0, why])
    }

    /// Writes the result of a request, counts it, and adds the addresses found there. `pages` is 1 if the
    /// answer was a page, changed or not.
    fn answered(
        &self,
        pages: u32,
        found: &[NewAddress],
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<usize>,
    ) -> Result<()> {
        self.jobs.change(WRITE, |transaction| {
            write(transaction)?;
            transaction
                .prepare_cached("UPDATE job SET requests = requests + 1, pages = pages + ?2 WHERE id = ?1")?
                .execute(params![self.job.0, pages])?;
            self.insert(transaction, found, self.max_rows)
        })
    }

    fn insert(
        &self,
        transaction: &Transaction<'_>,
        found: &[NewAddress],
        max_rows: u64,
    ) -> rusqlite::Result<()> {
        if found.is_empty() {
            return Ok(());
        }
        let job = self.job.0;
        let held: i64 =
            transaction.query_row("SELECT held FROM job WHERE id = ?1", [job], |row| row.get(0))?;
        let mut room = max_rows.saturating_sub(u64::try_from(held).unwrap_or(0));
        let (mut taken, mut dropped) = (0_i64, 0_i64);
        let mut nearer = transaction
            .prepare_cached("UPDATE frontier SET depth = min(depth, ?3) WHERE job = ?1 AND url = ?2")?;
        let mut insert = transaction.prepare_cached(
            "INSERT INTO frontier (job, url, role, depth, hops, state) VALUES (?1, ?2, ?3, ?4, ?5, 'queued')",
        )?;
        for one in found {
            if nearer.execute(params![job, one.url, one.depth])? > 0 {
                continue;
            }
            if room == 0 {
                dropped += 1;
                continue;
            }
            insert.execute(params![job, one.url, one.role, one.depth, one.hops])?;
            room -= 1;
            taken += 1;
        }
        transaction
            .prepare_cached("UPDATE job SET held = held + ?2, dropped = dropped + ?3 WHERE id = ?1")?
            .execute(params![job, taken, dropped])
            .map(drop)
    }
}

pub(super) fn add_counts(
    transaction: &Transaction<'_>,
    job: JobId,
    tallies: &[IngestTally],
) -> rusqlite::Result<()> {
    let sum = |part: fn(&IngestTally) -> u32| tallies.iter().map(|tally| i64::from(part(tally))).sum::<i64>();
    let (memories, entities) = (sum(|tally| tally.added), sum(|tally| tally.entities));
    let (edges, removed) = (sum(|tally| tally.edges), sum(|tally| tally.removed));
    transaction
        .prepare_cached(
            "UPDATE job SET memories = memories + ?2, entities = entities + ?3, edges = edges + ?4,
             removed = removed + ?5 WHERE id = ?1",
        )?
        .execute([job.0, memories, entities, edges, removed])
        .map(drop)
}
