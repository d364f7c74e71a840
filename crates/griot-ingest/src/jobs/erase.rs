//! How is the file of jobs rid of what was erased?
//!
//! A receipt holds no address and no name, only their hashes: rows are looked through for those that have one
//! of them. What the file held of them is overwritten, and the file written anew, as the texts of pages
//! passed through it.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use griot::model::{Erasure, Error, ErrorKind, Mark, Result, mark_of_origin, mark_of_part, mark_of_user};
use serde_json::Value;

use super::store::{BUSY_MS, Jobs, cannot};

/// Tables of the file of jobs, and what goes from each. A test compares this with the schema.
#[cfg(test)]
pub(crate) const TABLES: &[(&str, &str)] = &[
    ("frontier", "rows whose address or source was erased; the text of a page that an erased text came from"),
    ("job", "jobs of an erased user, and those that were asked for what was erased"),
    ("page", "pages that were erased, and links to them"),
    ("robots", "goes with its job"),
];

/// How often a log that others read is tried again.
const LOOK: Duration = Duration::from_millis(2);

impl Jobs {
    /// Removes what the receipt names; returns how many rows.
    pub fn erase(&self, receipt: &Erasure) -> Result<u64> {
        if receipt.beside.is_empty() {
            return Ok(0);
        }
        let gone: HashSet<Mark> = receipt.beside.iter().copied().collect();
        let has = |mark: Mark| gone.contains(&mark);
        let removed = self.change("erase from the jobs", |transaction| {
            let mut removed = 0;
            let mut rows = transaction.prepare("SELECT id, user, target, options FROM job")?;
            let mut rows = rows.query([])?;
            let mut jobs: Vec<i64> = Vec::new();
            while let Some(row) = rows.next()? {
                let (user, target, options): (Option<String>, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
                let asked = names_one(&options, &|text| has(mark_of_origin(text)));
                if user.is_some_and(|user| has(mark_of_user(&user))) || has(mark_of_origin(&target)) || asked {
                    jobs.push(row.get(0)?);
                }
            }
            for job in jobs {
                removed += transaction.execute("DELETE FROM frontier WHERE job = ?1", [job])?;
                removed += transaction.execute("DELETE FROM job WHERE id = ?1", [job])?;
            }
            let mut rows = transaction.prepare("SELECT id, url, origin, body IS NOT NULL FROM frontier")?;
            let mut rows = rows.query([])?;
            let (mut whole, mut bodies): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
            while let Some(row) = rows.next()? {
                let (url, origin): (String, Option<String>) = (row.get(1)?, row.get(2)?);
                let names = [Some(url.as_str()), origin.as_deref()];
                let is = |mark: fn(&str) -> Mark| names.into_iter().flatten().any(|name| has(mark(name)));
                if is(mark_of_origin) {
                    whole.push(row.get(0)?);
                } else if row.get(3)? && is(mark_of_part) {
                    bodies.push(row.get(0)?);
                }
            }
            for id in whole {
                removed += transaction.execute("DELETE FROM frontier WHERE id = ?1", [id])?;
            }
            for id in bodies {
                // Stored now, it would bring back what was erased.
                let sql =
                    "UPDATE frontier SET body = NULL, state = 'skipped', why = 'a text of it was erased' WHERE id = ?1";
                removed += transaction.execute(sql, [id])?;
            }
            let mut rows = transaction.prepare("SELECT url, origin, links FROM page")?;
            let mut rows = rows.query([])?;
            let (mut pages, mut rest): (HashSet<String>, Vec<(String, String)>) = (HashSet::new(), Vec::new());
            while let Some(row) = rows.next()? {
                let (url, origin): (String, String) = (row.get(0)?, row.get(1)?);
                if has(mark_of_origin(&url)) || has(mark_of_origin(&origin)) {
                    pages.insert(url);
                } else {
                    rest.push((url, row.get(2)?));
                }
            }
            for url in &pages {
                removed += transaction.execute("DELETE FROM page WHERE url = ?1", [url])?;
            }
            // Other pages led there: an unchanged one would lead there again.
            for (url, links) in rest {
                let is_left = |link: &&str| !has(mark_of_origin(link)) && !pages.contains(*link);
                let left: Vec<&str> = links.lines().filter(is_left).collect();
                if left.len() < links.lines().count() {
                    let sql = "UPDATE page SET links = ?2 WHERE url = ?1";
                    removed += transaction.execute(sql, (url, left.join("\n")))?;
                }
            }
            if removed > 0 {
                // A message may quote an address.
                transaction.execute("UPDATE job SET message = NULL WHERE message IS NOT NULL", [])?;
            }
            Ok(removed as u64)
        })?;
        self.write_anew()?;
        Ok(removed)
    }

    /// Free pages, gaps within pages and the log held what was removed.
    fn write_anew(&self) -> Result<()> {
        let failed = |error: rusqlite::Error| cannot("write the jobs anew", &error);
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
                let what = format!("rid `{}` of what was erased", self.path.display());
                break Err(Error::new(
                    ErrorKind::Conflict,
                    what,
                    "another process still reads the state before",
                )
                .hint("griot erase --resume"));
            }
            std::thread::sleep(LOOK);
        };
        self.connection.busy_timeout(Duration::from_millis(BUSY_MS.into())).map_err(failed)?;
        outcome
    }
}

/// Whether any string in this JSON is one of those.
fn names_one(options: &str, is: &dyn Fn(&str) -> bool) -> bool {
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

    use super::super::{JobDraft, JobKind, WorkedBy};
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
        let draft = |target: &str, user: Option<&str>| JobDraft {
            kind: JobKind::Crawl,
            target: target.into(),
            options: "{}".into(),
            user: user.map(str::to_owned),
            by: WorkedBy::Anyone,
            every: None,
        };
        jobs.create(&draft("https://one.test/", Some("ada")), 1).expect("a job");
        let second = jobs.create(&draft("https://two.test/", None), 1).expect("a job");
        jobs.connection
            .execute(
                "INSERT INTO frontier (job, url, role, depth, hops, state, origin, form, body)
                 VALUES (?1, 'https://two.test/page', 'page', 0, 0, 'fetched', 'https://two.test/page', 'plain',
                 'the heron stood in the reeds all morning')",
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
        let mut statement = jobs.connection.prepare(sql).expect("sound SQL");
        let found: Vec<String> = statement
            .query_map([], |row| row.get(0))
            .expect("rows")
            .collect::<rusqlite::Result<_>>()
            .expect("names");
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
    fn a_page_that_stays_keeps_no_link_to_one_that_went() {
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
