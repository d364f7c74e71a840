//! Which page or file ended the process that worked on it: each beginning is written before the work, and
//! taken back after it.
//!
//! What ended its process [`MOST`] times is given up, with its reason. What did so once is worked on alone,
//! so that nothing else is counted with it.

use griot::model::Result;
use rusqlite::params;

use super::model::JobId;
use super::store::{Jobs, cannot};

/// Times that a page or a file may end its process.
const MOST: i64 = 2;
pub(crate) const GIVEN_UP: &str = "the process that read it ended twice while it did, so it is given up";

impl Jobs {
    /// Work on a row begins.
    pub(crate) fn begin(&self, row: i64) -> Result<()> {
        self.count_row("UPDATE frontier SET begun = begun + 1 WHERE id = ?1", row)
    }

    /// Work on a row ended without an outcome, and its process goes on.
    pub(crate) fn let_go(&self, row: i64) -> Result<()> {
        self.count_row("UPDATE frontier SET begun = max(begun - 1, 0) WHERE id = ?1", row)
    }

    fn count_row(&self, sql: &str, row: i64) -> Result<()> {
        let mut statement =
            self.connection.prepare_cached(sql).map_err(|error| cannot("write the frontier", &error))?;
        statement.execute([row]).map(drop).map_err(|error| cannot("write the frontier", &error))
    }

    /// Gives up the pages that ended their process too often.
    pub(crate) fn give_up(&self, job: JobId) -> Result<()> {
        self.connection
            .execute(
                "UPDATE frontier SET state = 'failed', why = ?2, body = NULL
                 WHERE job = ?1 AND state IN ('queued', 'fetched') AND begun >= ?3",
                params![job.0, GIVEN_UP, MOST],
            )
            .map(drop)
            .map_err(|error| cannot("write the frontier", &error))
    }

    /// Work on a file begins.
    pub(crate) fn begin_file(&self, job: JobId, name: &str) -> Result<()> {
        self.count_file("UPDATE frontier SET begun = begun + 1 WHERE job = ?1 AND url = ?2", job, name)
    }

    /// Work on a file ended without an outcome, and its process goes on.
    pub(crate) fn let_go_file(&self, job: JobId, name: &str) -> Result<()> {
        self.count_file(
            "UPDATE frontier SET begun = max(begun - 1, 0) WHERE job = ?1 AND url = ?2",
            job,
            name,
        )
    }

    fn count_file(&self, sql: &str, job: JobId, name: &str) -> Result<()> {
        let failed = |error: rusqlite::Error| cannot("write the files of a job", &error);
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        statement.execute(params![job.0, name]).map(drop).map_err(failed)
    }

    /// Files that ended their process too often.
    pub(crate) fn deadly_files(&self, job: JobId) -> Result<Vec<String>> {
        let read = || {
            let mut statement = self.connection.prepare_cached(
                "SELECT url FROM frontier WHERE job = ?1 AND state = 'queued' AND begun >= ?2 ORDER BY id",
            )?;
            statement.query_map(params![job.0, MOST], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the files of a job", &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Found, JobDraft, JobKind, Role, WorkedBy};

    fn crawl(jobs: &Jobs) -> JobId {
        let draft = JobDraft {
            kind: JobKind::Crawl,
            target: "https://example.org/".into(),
            options: "{}".into(),
            user: None,
            by: WorkedBy::Anyone,
            every: None,
        };
        let job = jobs.create(&draft, 1).expect("a job");
        let page = |name: &str| Found {
            url: format!("https://example.org/{name}"),
            role: Role::Page,
            depth: 0,
            hops: 0,
        };
        jobs.add(job, &[page("a"), page("b"), page("c")], 10).expect("addresses");
        job
    }

    #[test]
    fn a_page_that_ended_its_process_twice_is_given_up_and_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w.db.jobs");
        let jobs = Jobs::open(&path).expect("jobs");
        let job = crawl(&jobs);
        let rows = |jobs: &Jobs| jobs.waiting(job, 10).expect("rows");
        let row = rows(&jobs)[0].row;
        jobs.begin(row).expect("it begins");
        jobs.let_go(row).expect("it is let go");
        jobs.begin(row).expect("it begins");
        drop(jobs);
        let jobs = Jobs::open(&path).expect("jobs");
        jobs.give_up(job).expect("none is given up");
        assert_eq!(rows(&jobs).iter().map(|row| row.begun).collect::<Vec<_>>(), [1, 0, 0]);
        jobs.begin(row).expect("it begins");
        jobs.give_up(job).expect("one is given up");
        assert_eq!(rows(&jobs).len(), 2);
        let found = jobs.job(job).expect("the job");
        assert_eq!((found.counts.failed, found.errors.len()), (1, 1));
        assert_eq!(
            (found.errors[0].url.as_str(), found.errors[0].why.as_str()),
            ("https://example.org/a", GIVEN_UP)
        );
        jobs.retry(job, 2).expect("it can be tried again");
        assert_eq!(rows(&jobs).iter().map(|row| row.begun).collect::<Vec<_>>(), [0, 0, 0]);
    }

    #[test]
    fn jobs_of_the_version_before_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w.db.jobs");
        let jobs = Jobs::open(&path).expect("jobs");
        let job = crawl(&jobs);
        jobs.connection
            .execute_batch("ALTER TABLE frontier DROP COLUMN begun; PRAGMA user_version = 3;")
            .expect("as it was");
        drop(jobs);
        let jobs = Jobs::open(&path).expect("jobs");
        assert_eq!(jobs.waiting(job, 10).expect("rows").len(), 3);
        jobs.begin(1).expect("it can be counted");
    }
}
