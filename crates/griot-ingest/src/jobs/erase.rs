//! Removes erased content from the jobs file.
//!
//! A receipt holds hashes of addresses and names, so every row is compared with them. Page texts passed
//! through the file, so it is rewritten afterwards.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use griot::model::{
    Erasure, Error, ErrorKind, Mark, Result, Source, mark_of_origin, mark_of_part, mark_of_user,
};
use rusqlite::{Params, Row, Transaction};
use serde_json::Value;

use super::store::{BUSY_MS, Jobs, cannot};

/// Tables of the jobs file, and what an erasure removes from each. A test compares this with the schema.
#[cfg(test)]
pub(crate) const TABLES: &[(&str, &str)] = &[
    ("frontier", "rows whose address or source was erased; the text of a page that an erased text came from"),
    ("job", "jobs of an erased user, and jobs whose target was erased"),
    ("page", "erased pages, and links to them"),
    ("robots", "removed with its job"),
];

/// Pause between attempts to truncate the write-ahead log.
const RETRY_PAUSE: Duration = Duration::from_millis(2);

impl Jobs {
    /// Removes what the receipt names; returns the number of rows.
    pub fn erase(&self, receipt: &Erasure) -> Result<u64> {
        if receipt.beside.is_empty() {
            return Ok(0);
        }
        let erased: HashSet<Mark> = receipt.beside.iter().copied().collect();
        let removed = self.change("erase from the jobs", |transaction| {
            let removed = erase_jobs(transaction, &erased)?
                + erase_frontier(transaction, &erased)?
                + erase_pages(transaction, &erased)?;
            if removed > 0 {
                // Messages may quote an address.
                transaction.execute("UPDATE job SET message = NULL WHERE message IS NOT NULL", [])?;
            }
            Ok(removed as u64)
        })?;
        self.rewrite()?;
        Ok(removed)
    }

    /// Rewrites the file: free pages, gaps within pages and the write-ahead log still hold what was
    /// removed.
    fn rewrite(&self) -> Result<()> {
        let failed = |error: rusqlite::Error| cannot("rewrite the jobs", &error);
        self.connection.execute_batch("PRAGMA temp_store = MEMORY; VACUUM").map_err(failed)?;
        let deadline = Instant::now() + Duration::from_millis(BUSY_MS.into());
        self.connection.busy_timeout(Duration::ZERO).map_err(failed)?;
        let outcome = loop {
            let busy: rusqlite::Result<i64> =
                self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
            match busy.map_err(failed) {
                Ok(0) => break Ok(()),
                Err(error) if error.kind != ErrorKind::Conflict => break Err(error),
                _ => {}
            }
            if Instant::now() >= deadline {
                let what = format!("remove erased content from `{}`", self.path.display());
                break Err(Error::new(
                    ErrorKind::Conflict,
                    what,
                    "another process still reads an older state",
                )
                .hint("griot erase --resume"));
            }
            std::thread::sleep(RETRY_PAUSE);
        };
        self.connection.busy_timeout(Duration::from_millis(BUSY_MS.into())).map_err(failed)?;
        outcome
    }
}

/// Jobs of an erased user, and jobs whose target or options name something erased.
fn erase_jobs(transaction: &Transaction<'_>, erased: &HashSet<Mark>) -> rusqlite::Result<usize> {
    let jobs = chosen(transaction, "SELECT id, user, target, options FROM job", |row| {
        let (user, target, options): (Option<String>, String, String) =
            (row.get(1)?, row.get(2)?, row.get(3)?);
        let own_copy = Source::of_page(&target, user.as_deref());
        let is_erased = user.is_some_and(|user| erased.contains(&mark_of_user(&user)))
            || erased.contains(&mark_of_origin(&target))
            || erased.contains(&mark_of_origin(&own_copy))
            || any_string(&options, &|text| erased.contains(&mark_of_origin(text)));
        id_if(is_erased, row)
    })?;
    let rows = for_each(transaction, "DELETE FROM frontier WHERE job = ?1", jobs.iter().copied())?;
    Ok(rows + for_each(transaction, "DELETE FROM job WHERE id = ?1", jobs)?)
}

/// Rows of erased sources, and texts of pages that an erased text came from.
fn erase_frontier(transaction: &Transaction<'_>, erased: &HashSet<Mark>) -> rusqlite::Result<usize> {
    let rows = |of: &str, mark: fn(&str) -> Mark| {
        let sql = format!("SELECT id, url, origin FROM frontier WHERE {of}");
        chosen(transaction, &sql, |row| {
            let names: [Option<String>; 2] = [row.get(1)?, row.get(2)?];
            id_if(names.iter().flatten().any(|name| erased.contains(&mark(name))), row)
        })
    };
    let sql = "DELETE FROM frontier WHERE id = ?1";
    let removed = for_each(transaction, sql, rows("true", mark_of_origin)?)?;
    // Storing it now would bring back the erased text.
    let sql = "UPDATE frontier SET body = NULL, state = 'skipped', why = 'a text of it was erased'
               WHERE id = ?1";
    Ok(removed + for_each(transaction, sql, rows("body IS NOT NULL", mark_of_part)?)?)
}

/// Known pages that were erased, and links to them: an unchanged page is not fetched again, so its links
/// would lead back to the erased ones.
fn erase_pages(transaction: &Transaction<'_>, erased: &HashSet<Mark>) -> rusqlite::Result<usize> {
    let pages = chosen(transaction, "SELECT url, origin FROM page", |row| {
        let (url, origin): (String, String) = (row.get(0)?, row.get(1)?);
        let is_erased = [&url, &origin].iter().any(|name| erased.contains(&mark_of_origin(name)));
        Ok(is_erased.then_some(url))
    })?;
    let pages: HashSet<String> = pages.into_iter().collect();
    let sql = "DELETE FROM page WHERE url = ?1";
    let removed = for_each(transaction, sql, pages.iter().map(|url| [url]))?;
    let changed = chosen(transaction, "SELECT url, links FROM page", |row| {
        let (url, links): (String, String) = (row.get(0)?, row.get(1)?);
        let is_kept = |link: &&str| !erased.contains(&mark_of_origin(link)) && !pages.contains(*link);
        let kept: Vec<&str> = links.lines().filter(is_kept).collect();
        Ok((kept.len() < links.lines().count()).then(|| (url, kept.join("\n"))))
    })?;
    Ok(removed + for_each(transaction, "UPDATE page SET links = ?2 WHERE url = ?1", changed)?)
}

/// What `choose` makes of the rows.
fn chosen<T>(
    transaction: &Transaction<'_>,
    sql: &str,
    choose: impl Fn(&Row<'_>) -> rusqlite::Result<Option<T>>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = transaction.prepare(sql)?;
    let rows = statement.query_map([], choose)?;
    rows.filter_map(Result::transpose).collect()
}

fn id_if(is_chosen: bool, row: &Row<'_>) -> rusqlite::Result<Option<[i64; 1]>> {
    is_chosen.then(|| Ok([row.get(0)?])).transpose()
}

/// Runs a statement with each of these parameters; returns the number of changed rows.
fn for_each<P: Params>(
    transaction: &Transaction<'_>,
    sql: &str,
    all: impl IntoIterator<Item = P>,
) -> rusqlite::Result<usize> {
    let mut statement = transaction.prepare(sql)?;
    all.into_iter().map(|params| statement.execute(params)).sum()
}

/// Whether any string in this JSON satisfies `is`.
fn any_string(options: &str, is: &dyn Fn(&str) -> bool) -> bool {
    fn walk(value: &Value, is: &dyn Fn(&str) -> bool) -> bool {
        match value {
            Value::String(text) => is(text),
            Value::Array(items) => items.iter().any(|item| walk(item, is)),
            Value::Object(fields) => fields.values().any(|field| walk(field, is)),
            _ => false,
        }
    }
    serde_json::from_str::<Value>(options).is_ok_and(|options| walk(&options, is))
}

#[cfg(test)]
mod tests {
    use griot::model::{ErasedKind, ErasureCounts, Revision, Timestamp};

    use super::super::crawl_of;
    use super::*;

    fn receipt(beside: Vec<Mark>) -> Erasure {
        Erasure {
            number: 1,
            kind: ErasedKind::Source,
            at: Timestamp(0),
            by: "test".into(),
            before: Revision(1),
            after: Revision(2),
            finished_at: None,
            counts: ErasureCounts::default(),
            marks: Vec::new(),
            beside,
        }
    }

    fn jobs() -> (tempfile::TempDir, Jobs) {
        let folder = tempfile::tempdir().expect("a folder");
        let jobs = Jobs::open(&folder.path().join("griot.db.jobs")).expect("they open");
        jobs.create(&crawl_of("https://one.test/", Some("ada")), 1).expect("a job");
        let second = jobs.create(&crawl_of("https://two.test/", None), 1).expect("a job");
        jobs.connection
            .execute(
                "INSERT INTO frontier (job, url, role, depth, hops, state, origin, form, body)
                 VALUES (?1, 'https://two.test/page', 'page', 0, 0, 'fetched', 'https://two.test/page',
                 'plain', 'the heron stood in the reeds all morning')",
                [second.0],
            )
            .expect("a row");
        (folder, jobs)
    }

    fn holds(folder: &tempfile::TempDir, text: &str) -> bool {
        std::fs::read_dir(folder.path()).expect("the folder").flatten().any(|entry| {
            let bytes = std::fs::read(entry.path()).expect("a file");
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        })
    }

    #[test]
    fn every_table_says_how_it_is_erased() {
        let (_folder, jobs) = jobs();
        let sql =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let found: Vec<String> = jobs.rows("read the schema", sql, [], |row| row.get(0)).expect("names");
        assert_eq!(found, TABLES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn the_jobs_of_a_user_and_the_page_of_a_source_leave_no_trace() {
        let (folder, jobs) = jobs();
        let marks = vec![mark_of_user("ada"), mark_of_part("https://two.test/page")];
        assert_eq!(jobs.erase(&receipt(marks)).expect("they are erased"), 2);
        assert!(!holds(&folder, "stood in the reeds") && !holds(&folder, "https://one.test/"));
        assert_eq!(jobs.list().expect("the rest").len(), 1);
        assert_eq!(
            jobs.erase(&receipt(vec![mark_of_origin("https://two.test/page")])).expect("once more"),
            1
        );
        assert!(!holds(&folder, "https://two.test/page"));
    }

    #[test]
    fn the_job_of_a_page_goes_with_the_copy_of_its_user() {
        let (folder, jobs) = jobs();
        let marks = vec![mark_of_origin("https://one.test/#user=ada")];
        assert_eq!(jobs.erase(&receipt(marks)).expect("it is erased"), 1);
        assert!(!holds(&folder, "https://one.test/"));
    }

    #[test]
    fn kept_pages_lose_links_to_erased_ones() {
        let (folder, jobs) = jobs();
        let sql = "INSERT INTO page (url, origin, hash, reading, links) VALUES (?1, ?2, x'00', x'00', ?3)";
        let (one, two) = ("https://site.test/one", "https://site.test/two");
        let links = format!("{one}\n{two}\nhttps://site.test/three");
        let start = "https://site.test/";
        for (url, origin, links) in [(start, start, links.as_str()), (one, one, ""), (two, "of-ada", "")] {
            jobs.connection.execute(sql, (url, origin, links)).expect("a row");
        }
        let marks = vec![mark_of_origin(one), mark_of_origin("of-ada")];
        assert_eq!(jobs.erase(&receipt(marks)).expect("they are erased"), 3);
        assert!(!holds(&folder, one) && !holds(&folder, two));
        assert!(holds(&folder, "https://site.test/three"));
    }
}
