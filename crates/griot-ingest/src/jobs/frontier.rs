//! The frontier: the addresses of a job and their states, and what earlier jobs know of pages.
//!
//! Each method is one transaction, so the process may end after any of them. What follows from an answer
//! (its links, its redirect, its counts) is written with it.

use griot::model::Result;
use griot::remember::IngestTally;
use rusqlite::{Row, Transaction, params};

use super::model::{Form, JobId, PageState, Role};
use super::store::{Jobs, count};
use crate::web::source;

const READ: &str = "read the frontier";

/// A queued address.
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

/// An address to add.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewAddress {
    pub(crate) url: String,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
}

/// A page that was fetched and is not stored yet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FetchedPage {
    pub(crate) row: i64,
    pub(crate) url: String,
    pub(crate) origin: String,
    /// The user it was read for; part of the key under which later jobs know the page.
    pub(crate) user: Option<String>,
    pub(crate) title: Option<String>,
    /// The authors, as the page names them.
    pub(crate) byline: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) published: Option<i64>,
    pub(crate) form: Form,
    pub(crate) body: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) hash: [u8; 32],
    /// Hash of the tags and the owner that it was read with.
    pub(crate) reading: [u8; 32],
    pub(crate) links: Vec<String>,
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
    pub(crate) links: Vec<String>,
}

/// What storing a page changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct StoreChanges {
    pub(crate) memories: u64,
    pub(crate) entities: u64,
    pub(crate) edges: u64,
    pub(crate) removed: u64,
}

impl StoreChanges {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            memories: self.memories + other.memories,
            entities: self.entities + other.entities,
            edges: self.edges + other.edges,
            removed: self.removed + other.removed,
        }
    }
}

impl From<IngestTally> for StoreChanges {
    fn from(tally: IngestTally) -> Self {
        Self {
            memories: tally.added.into(),
            entities: tally.entities.into(),
            edges: tally.edges.into(),
            removed: tally.removed.into(),
        }
    }
}

impl Jobs {
    /// Adds addresses, up to `most` rows in the job. A known address takes the smaller depth.
    pub(crate) fn add(&self, job: JobId, found: &[NewAddress], most: u64) -> Result<()> {
        self.change("add addresses", |transaction| insert_addresses(transaction, job, found, most))
    }

    /// Queued addresses of the smallest depth, in the order in which they were found. One depth at a time,
    /// so that every address is found by its shortest path.
    pub(crate) fn queued(&self, job: JobId, most: usize) -> Result<Vec<QueuedAddress>> {
        let sql = "SELECT id, url, role, depth, hops, tries, begun FROM frontier
                   WHERE job = ?1 AND state = 'queued'
                   AND depth = (SELECT min(depth) FROM frontier WHERE job = ?1 AND state = 'queued')
                   ORDER BY id LIMIT ?2";
        self.rows(READ, sql, params![job.0, most as i64], |row| {
            Ok(QueuedAddress {
                row: row.get(0)?,
                url: row.get(1)?,
                role: row.get(2)?,
                depth: row.get(3)?,
                hops: row.get(4)?,
                tries: row.get(5)?,
                begun: row.get(6)?,
            })
        })
    }

    /// Pages with content, requests made, and whether addresses are queued.
    pub(crate) fn spent(&self, job: JobId) -> Result<(u64, u64, bool)> {
        let sql = "SELECT pages, requests,
                   EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND state = 'queued') FROM job WHERE id = ?1";
        let spent = self.get(READ, sql, [job.0], |row| Ok((count(row, 0)?, count(row, 1)?, row.get(2)?)))?;
        spent.ok_or_else(|| job.missing())
    }

    /// A request failed and will be retried.
    pub(crate) fn tried(&self, job: JobId, row: i64) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute("UPDATE frontier SET tries = tries + 1, begun = 0 WHERE id = ?1", [row])?;
            count_request(transaction, job)
        })
    }

    /// Sets the result of an address, and adds the addresses found there.
    pub(crate) fn settle(
        &self,
        job: JobId,
        row: i64,
        state: PageState,
        why: Option<&str>,
        found: &[NewAddress],
        most: u64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = ?2, why = ?3, tries = tries + 1, begun = 0, body = NULL WHERE id = ?1",
                params![row, state, why],
            )?;
            count_request(transaction, job)?;
            insert_addresses(transaction, job, found, most)
        })
    }

    /// Records a page with everything needed to store it.
    pub(crate) fn record(
        &self,
        job: JobId,
        page: &FetchedPage,
        found: &[NewAddress],
        most: u64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'fetched', role = 'page', tries = tries + 1, begun = 0, why = NULL, origin = ?2, title = ?3,
                 published = ?4, form = ?5, body = ?6, etag = ?7, modified = ?8, hash = ?9, byline = ?10,
                 language = ?11 WHERE id = ?1",
                params![
                    page.row,
                    page.origin,
                    page.title,
                    page.published,
                    page.form,
                    page.body,
                    page.etag,
                    page.modified,
                    page.hash,
                    page.byline,
                    page.language
                ],
            )?;
            // The frontier has no columns for links and reading, so the `page` row is written now.
            put_page(transaction, page)?;
            count_page(transaction, job)?;
            count_request(transaction, job)?;
            insert_addresses(transaction, job, found, most)
        })
    }

    /// Records a page that did not change. `own` is the key under which later jobs know it.
    pub(crate) fn unchanged(
        &self,
        job: JobId,
        row: i64,
        (url, own): (&str, &str),
        found: &[NewAddress],
        most: u64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'unchanged', tries = tries + 1, begun = 0, origin = ?2,
                 hash = (SELECT hash FROM page WHERE url = ?3) WHERE id = ?1",
                params![row, url, own],
            )?;
            count_page(transaction, job)?;
            count_request(transaction, job)?;
            insert_addresses(transaction, job, found, most)
        })
    }

    /// Records a redirect. Its target is added even if the frontier is full.
    pub(crate) fn redirect(&self, job: JobId, row: i64, is_start: bool, to: &NewAddress) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'redirected', tries = tries + 1, begun = 0 WHERE id = ?1",
                [row],
            )?;
            count_request(transaction, job)?;
            insert_addresses(transaction, job, std::slice::from_ref(to), u64::MAX)?;
            if is_start {
                transaction.execute(
                    "UPDATE frontier SET is_start = 1 WHERE job = ?1 AND url = ?2",
                    params![job.0, to.url],
                )?;
            }
            Ok(())
        })
    }

    /// Whether the row is the start of the job, or what the start redirected to.
    pub(crate) fn is_from_start(&self, job: JobId, row: i64) -> Result<bool> {
        let sql =
            "SELECT is_start OR url = (SELECT target FROM job WHERE id = ?1) FROM frontier WHERE id = ?2";
        self.value(READ, sql, [job.0, row])
    }

    /// The address that the start redirected to.
    pub(crate) fn moved_to(&self, job: JobId) -> Result<Option<String>> {
        let sql = "SELECT url FROM frontier WHERE job = ?1 AND is_start ORDER BY id DESC LIMIT 1";
        self.get(READ, sql, [job.0], |row| row.get(0))
    }

    /// Pages that wait to be stored.
    pub(crate) fn backlog(&self, job: JobId) -> Result<i64> {
        let sql = "SELECT count(*) FROM frontier WHERE job = ?1 AND state = 'fetched' AND origin = url";
        self.value(READ, sql, [job.0])
    }

    /// Whether any list of pages was read.
    pub(crate) fn has_list(&self, job: JobId) -> Result<bool> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND role <> 'page' AND state = 'stored')";
        self.value(READ, sql, [job.0])
    }

    pub(crate) fn removed(&self, job: JobId, memories: u64) -> Result<()> {
        let sql = "UPDATE job SET removed = removed + ?2 WHERE id = ?1";
        self.execute("write the job", sql, params![job.0, memories as i64])
    }

    /// The next page to store. Pages under their own address come first, because they decide what that
    /// address says.
    pub(crate) fn next_fetched(&self, job: JobId, with_others: bool) -> Result<Option<FetchedPage>> {
        let sql =
            "SELECT id, url, origin, title, published, form, body, etag, modified, hash, byline, language
                   FROM frontier WHERE job = ?1 AND state = 'fetched' AND (origin = url OR ?2)
                   ORDER BY origin <> url, id LIMIT 1";
        self.get(READ, sql, params![job.0, with_others], |row| {
            Ok(FetchedPage {
                row: row.get(0)?,
                url: row.get(1)?,
                origin: row.get(2)?,
                title: row.get(3)?,
                published: row.get(4)?,
                form: row.get(5)?,
                body: row.get(6)?,
                etag: row.get(7)?,
                modified: row.get(8)?,
                hash: row.get(9)?,
                byline: row.get(10)?,
                language: row.get(11)?,
                // Needed only for the `page` row, which `record` wrote.
                user: None,
                reading: [0; 32],
                links: Vec::new(),
            })
        })
    }

    /// Sets the result of storing a recorded page.
    pub(crate) fn stored(
        &self,
        job: JobId,
        row: i64,
        state: PageState,
        why: Option<&str>,
        tally: StoreChanges,
        now: i64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = ?2, why = ?3, begun = 0, body = NULL WHERE id = ?1",
                params![row, state, why],
            )?;
            transaction.execute("UPDATE job SET updated_at = ?2 WHERE id = ?1", [job.0, now])?;
            add_counts(transaction, job, tally)
        })
    }

    /// Whether another page of the job is stored under this origin already.
    pub(crate) fn has_origin(&self, job: JobId, row: i64, origin: &str) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND id <> ?2 AND origin = ?3
                   AND state IN ('stored', 'unchanged'))";
        self.value(READ, sql, params![job.0, row, origin])
    }

    /// Origins of pages with the same text under other addresses.
    pub(crate) fn same_text(&self, url: &str, hash: &[u8; 32]) -> Result<Vec<String>> {
        let sql =
            "SELECT DISTINCT origin FROM page WHERE hash = ?1 AND url <> ?2 AND origin = url ORDER BY 1";
        self.rows("read the known pages", sql, params![hash, url], |row| row.get(0))
    }

    pub(crate) fn known(&self, url: &str) -> Result<Option<KnownPage>> {
        let sql = "SELECT origin, etag, modified, hash, links, reading FROM page WHERE url = ?1";
        self.get("read the known pages", sql, [url], |row| {
            let links: String = row.get(4)?;
            Ok(KnownPage {
                origin: row.get(0)?,
                etag: row.get(1)?,
                modified: row.get(2)?,
                hash: row.get(3)?,
                reading: row.get(5)?,
                links: links.lines().map(str::to_string).collect(),
            })
        })
    }

    /// Addresses of the known pages of a site.
    pub(crate) fn known_of(&self, site: &str) -> Result<Vec<String>> {
        let sql = "SELECT url FROM page WHERE url >= ?1 AND url < ?2 ORDER BY url";
        // `0` is the character after `/`.
        let range = [format!("{site}/"), format!("{site}0")];
        self.rows("read the known pages", sql, range, |row| row.get(0))
    }

    pub(crate) fn forget_page(&self, url: &str) -> Result<()> {
        self.execute("write the known pages", "DELETE FROM page WHERE url = ?1", [url])
    }

    /// The body of a site's robots.txt, or why it could not be read; `None` if it was not requested yet.
    pub(crate) fn robots(&self, job: JobId, site: &str) -> Result<Option<(Option<String>, Option<String>)>> {
        let sql = "SELECT body, why FROM robots WHERE job = ?1 AND site = ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.get("read robots.txt of a site", sql, params![job.0, site], read)
    }

    pub(crate) fn put_robots(
        &self,
        job: JobId,
        site: &str,
        body: Option<&str>,
        why: Option<&str>,
        found: &[NewAddress],
        most: u64,
    ) -> Result<()> {
        self.change("write robots.txt of a site", |transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO robots (job, site, body, why) VALUES (?1, ?2, ?3, ?4)",
                params![job.0, site, body, why],
            )?;
            insert_addresses(transaction, job, found, most)
        })
    }

    /// Skips what is still queued.
    pub(crate) fn skip_queued(&self, job: JobId, why: &str) -> Result<()> {
        let sql = "UPDATE frontier SET state = 'skipped', why = ?2 WHERE job = ?1 AND state = 'queued'";
        self.execute("write the frontier", sql, params![job.0, why])
    }
}

/// Adds to the counts of a job.
pub(super) fn add_counts(
    transaction: &Transaction<'_>,
    job: JobId,
    tally: StoreChanges,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "UPDATE job SET memories = memories + ?2, entities = entities + ?3, edges = edges + ?4, removed = removed + ?5
             WHERE id = ?1",
        )?
        .execute(params![
            job.0,
            tally.memories as i64,
            tally.entities as i64,
            tally.edges as i64,
            tally.removed as i64
        ])
        .map(|_| ())
}

fn count_request(transaction: &Transaction<'_>, job: JobId) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("UPDATE job SET requests = requests + 1 WHERE id = ?1")?
        .execute([job.0])
        .map(|_| ())
}

fn count_page(transaction: &Transaction<'_>, job: JobId) -> rusqlite::Result<()> {
    transaction.prepare_cached("UPDATE job SET pages = pages + 1 WHERE id = ?1")?.execute([job.0]).map(|_| ())
}

fn insert_addresses(
    transaction: &Transaction<'_>,
    job: JobId,
    found: &[NewAddress],
    most: u64,
) -> rusqlite::Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let held: i64 = transaction.query_row("SELECT held FROM job WHERE id = ?1", [job.0], |row| row.get(0))?;
    let mut room = most.saturating_sub(u64::try_from(held).unwrap_or(0));
    let (mut taken, mut dropped) = (0_i64, 0_i64);
    let mut nearer = transaction
        .prepare_cached("UPDATE frontier SET depth = min(depth, ?3) WHERE job = ?1 AND url = ?2")?;
    let mut insert = transaction.prepare_cached(
        "INSERT INTO frontier (job, url, role, depth, hops, state) VALUES (?1, ?2, ?3, ?4, ?5, 'queued')",
    )?;
    for one in found {
        if nearer.execute(params![job.0, one.url, one.depth])? > 0 {
            continue;
        }
        if room == 0 {
            dropped += 1;
            continue;
        }
        insert.execute(params![job.0, one.url, one.role, one.depth, one.hops])?;
        room -= 1;
        taken += 1;
    }
    transaction
        .prepare_cached("UPDATE job SET held = held + ?2, dropped = dropped + ?3 WHERE id = ?1")?
        .execute(params![job.0, taken, dropped])
        .map(|_| ())
}

fn put_page(transaction: &Transaction<'_>, page: &FetchedPage) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO page (url, origin, etag, modified, hash, reading, links) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            source::origin(page.user.as_deref(), &page.url),
            source::origin(page.user.as_deref(), &page.origin),
            page.etag,
            page.modified,
            page.hash,
            page.reading,
            page.links.join("\n")
        ])
        .map(|_| ())
}
