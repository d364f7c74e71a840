//! The frontier: the addresses that a job knows, how far each is, and what earlier jobs know of pages.
//!
//! Whoever calls may end after each of these methods: one is one transaction, and what follows from an answer
//! (its links, its redirect, its count) is written with it.

use griot::model::Result;
use griot::remember::IngestTally;
use rusqlite::{OptionalExtension, Transaction, params};

use super::model::{Form, JobId, PageState, Role};
use super::store::{Jobs, cannot};
use crate::web::source;

/// An address that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) row: i64,
    pub(crate) url: String,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) tries: u32,
    /// Times that work on it began and did not end.
    pub(crate) begun: u32,
}

/// An address to take up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) url: String,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
}

/// A page that was fetched and is not stored yet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Recorded {
    pub(crate) row: i64,
    pub(crate) url: String,
    pub(crate) origin: String,
    /// For whom it was read: part of the name under which later jobs know it.
    pub(crate) user: Option<String>,
    pub(crate) title: Option<String>,
    /// Who wrote it, as the page says.
    pub(crate) byline: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) published: Option<i64>,
    pub(crate) form: Form,
    pub(crate) body: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) hash: [u8; 32],
    /// With which tags and for whom it was read.
    pub(crate) reading: [u8; 32],
    pub(crate) links: Vec<String>,
}

/// What earlier jobs know of a page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Known {
    pub(crate) origin: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) hash: [u8; 32],
    /// With which tags and for whom it was read.
    pub(crate) reading: [u8; 32],
    pub(crate) links: Vec<String>,
}

/// What storing a page came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) memories: u64,
    pub(crate) entities: u64,
    pub(crate) edges: u64,
    pub(crate) removed: u64,
}

impl Tally {
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            memories: self.memories + other.memories,
            entities: self.entities + other.entities,
            edges: self.edges + other.edges,
            removed: self.removed + other.removed,
        }
    }
}

impl From<IngestTally> for Tally {
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
    /// Takes up addresses, up to `most` in the job. What is known is nearer now if it was found nearer.
    pub(crate) fn add(&self, job: JobId, found: &[Found], most: u64) -> Result<()> {
        self.change("take up addresses", |transaction| put(transaction, job, found, most))
    }

    /// The nearest addresses that wait, in the order of finding; those of one depth only, so that what is
    /// found at a depth is found by the shortest way.
    pub(crate) fn waiting(&self, job: JobId, most: usize) -> Result<Vec<Waiting>> {
        let read = || {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, url, role, depth, hops, tries, begun FROM frontier WHERE job = ?1 AND state = 'queued'
                 AND depth = (SELECT min(depth) FROM frontier WHERE job = ?1 AND state = 'queued') ORDER BY id LIMIT ?2",
            )?;
            let rows = statement.query_map(params![job.0, most as i64], |row| {
                Ok(Waiting {
                    row: row.get(0)?,
                    url: row.get(1)?,
                    role: row.get(2)?,
                    depth: row.get(3)?,
                    hops: row.get(4)?,
                    tries: row.get(5)?,
                    begun: row.get(6)?,
                })
            })?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the frontier", &error))
    }

    /// Pages with content, requests that were made, and whether addresses wait.
    pub(crate) fn spent(&self, job: JobId) -> Result<(u64, u64, bool)> {
        let number = |row: &rusqlite::Row<'_>, column| {
            row.get::<_, i64>(column).map(|n| u64::try_from(n).unwrap_or(0))
        };
        self.connection
            .prepare_cached(
                "SELECT pages, requests,
                 EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND state = 'queued') FROM job WHERE id = ?1",
            )
            .and_then(|mut statement| {
                statement.query_row([job.0], |row| Ok((number(row, 0)?, number(row, 1)?, row.get(2)?)))
            })
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// One more request was made for nothing, and another one is to be made.
    pub(crate) fn tried(&self, job: JobId, row: i64) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute("UPDATE frontier SET tries = tries + 1, begun = 0 WHERE id = ?1", [row])?;
            asked_once(transaction, job)
        })
    }

    /// What came of an address, with what was found there.
    pub(crate) fn settle(
        &self,
        job: JobId,
        row: i64,
        state: PageState,
        why: Option<&str>,
        found: &[Found],
        most: u64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = ?2, why = ?3, tries = tries + 1, begun = 0, body = NULL WHERE id = ?1",
                params![row, state, why],
            )?;
            asked_once(transaction, job)?;
            put(transaction, job, found, most)
        })
    }

    /// A page with all that is needed to store it, before anybody works with it.
    pub(crate) fn record(&self, job: JobId, page: &Recorded, found: &[Found], most: u64) -> Result<()> {
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
            // Beside the page until it is stored, so that its row has all that is to be known of it.
            put_page(transaction, page)?;
            one_more_page(transaction, job)?;
            asked_once(transaction, job)?;
            put(transaction, job, found, most)
        })
    }

    /// A page that says what it said; the engine has it. The second of its names is the one under which later
    /// jobs know it.
    pub(crate) fn unchanged(
        &self,
        job: JobId,
        row: i64,
        (url, own): (&str, &str),
        found: &[Found],
        most: u64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'unchanged', tries = tries + 1, begun = 0, origin = ?2,
                 hash = (SELECT hash FROM page WHERE url = ?3) WHERE id = ?1",
                params![row, url, own],
            )?;
            one_more_page(transaction, job)?;
            asked_once(transaction, job)?;
            put(transaction, job, found, most)
        })
    }

    /// An address that leads to another one, which is taken up whatever the frontier holds.
    pub(crate) fn redirect(&self, job: JobId, row: i64, is_start: bool, to: &Found) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = 'redirected', tries = tries + 1, begun = 0 WHERE id = ?1",
                [row],
            )?;
            asked_once(transaction, job)?;
            put(transaction, job, std::slice::from_ref(to), u64::MAX)?;
            if is_start {
                transaction.execute(
                    "UPDATE frontier SET is_start = 1 WHERE job = ?1 AND url = ?2",
                    params![job.0, to.url],
                )?;
            }
            Ok(())
        })
    }

    /// It is what was asked for, or where that has moved.
    pub(crate) fn is_from_start(&self, job: JobId, row: i64) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT is_start OR url = (SELECT target FROM job WHERE id = ?1) FROM frontier WHERE id = ?2",
            )
            .and_then(|mut statement| statement.query_row([job.0, row], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// Where that which was asked for has moved.
    pub(crate) fn moved_to(&self, job: JobId) -> Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT url FROM frontier WHERE job = ?1 AND is_start ORDER BY id DESC LIMIT 1")
            .and_then(|mut statement| statement.query_row([job.0], |row| row.get(0)).optional())
            .map_err(|error| cannot("read the frontier", &error))
    }

    pub(crate) fn backlog(&self, job: JobId) -> Result<i64> {
        self.connection
            .prepare_cached(
                "SELECT count(*) FROM frontier WHERE job = ?1 AND state = 'fetched' AND origin = url",
            )
            .and_then(|mut statement| statement.query_row([job.0], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// Some list of pages was read.
    pub(crate) fn has_list(&self, job: JobId) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND role <> 'page' AND state = 'stored')",
            )
            .and_then(|mut statement| statement.query_row([job.0], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    pub(crate) fn removed(&self, job: JobId, memories: u64) -> Result<()> {
        self.connection
            .execute("UPDATE job SET removed = removed + ?2 WHERE id = ?1", params![job.0, memories as i64])
            .map(|_| ())
            .map_err(|error| cannot("write the job", &error))
    }

    /// A page that is to be stored next: those under their own address first, since they decide what an
    /// address says.
    pub(crate) fn recorded(&self, job: JobId, with_others: bool) -> Result<Option<Recorded>> {
        self.connection
            .prepare_cached(
                "SELECT id, url, origin, title, published, form, body, etag, modified, hash, byline, language
                 FROM frontier
                 WHERE job = ?1 AND state = 'fetched' AND (origin = url OR ?2) ORDER BY origin <> url, id LIMIT 1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row(params![job.0, with_others], |row| {
                        Ok(Recorded {
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
                            // Known from the page's own row, which is written already.
                            user: None,
                            reading: [0; 32],
                            links: Vec::new(),
                        })
                    })
                    .optional()
            })
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// What the engine made of a recorded page.
    pub(crate) fn stored(
        &self,
        job: JobId,
        row: i64,
        state: PageState,
        why: Option<&str>,
        tally: Tally,
        now: i64,
    ) -> Result<()> {
        self.change("write the frontier", |transaction| {
            transaction.execute(
                "UPDATE frontier SET state = ?2, why = ?3, begun = 0, body = NULL WHERE id = ?1",
                params![row, state, why],
            )?;
            transaction.execute("UPDATE job SET updated_at = ?2 WHERE id = ?1", [job.0, now])?;
            count_in(transaction, job, tally)
        })
    }

    /// Another page of the job stands for this origin already.
    pub(crate) fn has_origin(&self, job: JobId, row: i64, origin: &str) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM frontier WHERE job = ?1 AND id <> ?2 AND origin = ?3
                 AND state IN ('stored', 'unchanged'))",
            )
            .and_then(|mut statement| statement.query_row(params![job.0, row, origin], |row| row.get(0)))
            .map_err(|error| cannot("read the frontier", &error))
    }

    /// Origins of pages that say the same, under other addresses.
    pub(crate) fn same_text(&self, url: &str, hash: &[u8; 32]) -> Result<Vec<String>> {
        let read = || {
            let mut statement = self.connection.prepare_cached(
                "SELECT DISTINCT origin FROM page WHERE hash = ?1 AND url <> ?2 AND origin = url ORDER BY 1",
            )?;
            statement.query_map(params![hash, url], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the known pages", &error))
    }

    pub(crate) fn known(&self, url: &str) -> Result<Option<Known>> {
        self.connection
            .prepare_cached("SELECT origin, etag, modified, hash, links, reading FROM page WHERE url = ?1")
            .and_then(|mut statement| {
                statement
                    .query_row([url], |row| {
                        let links: String = row.get(4)?;
                        Ok(Known {
                            origin: row.get(0)?,
                            etag: row.get(1)?,
                            modified: row.get(2)?,
                            hash: row.get(3)?,
                            reading: row.get(5)?,
                            links: links.lines().map(str::to_string).collect(),
                        })
                    })
                    .optional()
            })
            .map_err(|error| cannot("read the known pages", &error))
    }

    /// Addresses of known pages of a site.
    pub(crate) fn known_of(&self, site: &str) -> Result<Vec<String>> {
        let read = || {
            let mut statement = self
                .connection
                .prepare_cached("SELECT url FROM page WHERE url >= ?1 AND url < ?2 ORDER BY url")?;
            // `0` follows `/`.
            statement
                .query_map([format!("{site}/"), format!("{site}0")], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the known pages", &error))
    }

    pub(crate) fn forget_page(&self, url: &str) -> Result<()> {
        self.connection
            .execute("DELETE FROM page WHERE url = ?1", [url])
            .map(|_| ())
            .map_err(|error| cannot("write the known pages", &error))
    }

    /// What a site said of robots: nothing if it was not asked; `Some(None)` if it could not say.
    pub(crate) fn robots(&self, job: JobId, site: &str) -> Result<Option<(Option<String>, Option<String>)>> {
        self.connection
            .prepare_cached("SELECT body, why FROM robots WHERE job = ?1 AND site = ?2")
            .and_then(|mut statement| {
                statement.query_row(params![job.0, site], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(|error| cannot("read what sites ask of robots", &error))
    }

    pub(crate) fn put_robots(
        &self,
        job: JobId,
        site: &str,
        body: Option<&str>,
        why: Option<&str>,
        found: &[Found],
        most: u64,
    ) -> Result<()> {
        self.change("write what a site asks of robots", |transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO robots (job, site, body, why) VALUES (?1, ?2, ?3, ?4)",
                params![job.0, site, body, why],
            )?;
            put(transaction, job, found, most)
        })
    }

    /// What still waits is not wanted any more.
    pub(crate) fn leave_rest(&self, job: JobId, why: &str) -> Result<()> {
        self.connection
            .execute(
                "UPDATE frontier SET state = 'skipped', why = ?2 WHERE job = ?1 AND state = 'queued'",
                params![job.0, why],
            )
            .map(|_| ())
            .map_err(|error| cannot("write the frontier", &error))
    }
}

/// Adds to what a job made.
pub(super) fn count_in(transaction: &Transaction<'_>, job: JobId, tally: Tally) -> rusqlite::Result<()> {
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

fn asked_once(transaction: &Transaction<'_>, job: JobId) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("UPDATE job SET requests = requests + 1 WHERE id = ?1")?
        .execute([job.0])
        .map(|_| ())
}

fn one_more_page(transaction: &Transaction<'_>, job: JobId) -> rusqlite::Result<()> {
    transaction.prepare_cached("UPDATE job SET pages = pages + 1 WHERE id = ?1")?.execute([job.0]).map(|_| ())
}

fn put(transaction: &Transaction<'_>, job: JobId, found: &[Found], most: u64) -> rusqlite::Result<()> {
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

fn put_page(transaction: &Transaction<'_>, page: &Recorded) -> rusqlite::Result<()> {
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
