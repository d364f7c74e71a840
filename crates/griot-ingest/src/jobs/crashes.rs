//! Counts crashes: finds the page or file that made the process end while it was worked on.
//!
//! Each start of work is written before the work and taken back after it. What crashed its process
//! [`MAX_CRASHES`] times is given up with a reason. What crashed it once is worked on alone, so that nothing
//! else is counted with it.

use griot::model::Result;
use rusqlite::params;

use super::model::JobId;
use super::store::Jobs;

const WRITE: &str = "write the frontier";
/// Crashes that a page or a file may cause.
const MAX_CRASHES: i64 = 2;
pub(crate) const GIVEN_UP: &str = "given up: the process that read it crashed twice";

impl Jobs {
    /// Work on a row starts.
    pub(crate) fn begin(&self, row: i64) -> Result<()> {
        self.execute(WRITE, "UPDATE frontier SET begun = begun + 1 WHERE id = ?1", [row])
    }

    /// Work on a row stopped without a result, and the process is still alive.
    pub(crate) fn release(&self, row: i64) -> Result<()> {
        self.execute(WRITE, "UPDATE frontier SET begun = max(begun - 1, 0) WHERE id = ?1", [row])
    }

    /// Gives up the pages that crashed their process too often.
    pub(crate) fn give_up(&self, job: JobId) -> Result<()> {
        self.execute(
            WRITE,
            "UPDATE frontier SET state = 'failed', why = ?2, body = NULL
             WHERE job = ?1 AND state IN ('queued', 'fetched') AND begun >= ?3",
            params![job.0, GIVEN_UP, MAX_CRASHES],
        )
    }

    /// Work on a file starts; returns its row.
    pub(crate) fn begin_file(&self, job: JobId, name: &str) -> Result<i64> {
        let sql = "SELECT id FROM frontier WHERE job = ?1 AND url = ?2";
        let row = self.value("read the files of a job", sql, params![job.0, name])?;
        self.begin(row).map(|()| row)
    }

    /// Files that crashed their process too often.
    pub(crate) fn crashing_files(&self, job: JobId) -> Result<Vec<String>> {
        let sql = "SELECT url FROM frontier WHERE job = ?1 AND state = 'queued' AND begun >= ?2 ORDER BY id";
        self.rows("read the files of a job", sql, params![job.0, MAX_CRASHES], |row| row.get(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{NewAddress, crawl_of};

    fn crawl(jobs: &Jobs) -> JobId {
        let job = jobs.create(&crawl_of("https://example.org/", None), 1).expect("a job");
        let found = ["a", "b", "c"].map(|name| NewAddress::page(format!("https://example.org/{name}"), 0));
        jobs.frontier(job, 10).add(&found).expect("addresses");
        job
    }

    #[test]
    fn a_page_that_crashed_its_process_twice_is_given_up_and_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w.db.jobs");
        let jobs = Jobs::open(&path).expect("jobs");
        let job = crawl(&jobs);
        let rows = |jobs: &Jobs| jobs.frontier(job, 10).queued(10).expect("rows");
        let row = rows(&jobs)[0].row;
        jobs.begin(row).expect("it begins");
        jobs.release(row).expect("it is let go");
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
        let error = &found.errors[0];
        assert_eq!((error.url.as_str(), error.why.as_str()), ("https://example.org/a", GIVEN_UP));
        jobs.retry(job, 2).expect("it can be tried again");
        assert_eq!(rows(&jobs).iter().map(|row| row.begun).collect::<Vec<_>>(), [0, 0, 0]);
    }

    #[test]
    fn jobs_of_the_previous_version_are_migrated() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w.db.jobs");
        let jobs = Jobs::open(&path).expect("jobs");
        let job = crawl(&jobs);
        jobs.connection
            .execute_batch("ALTER TABLE frontier DROP COLUMN begun; PRAGMA user_version = 3;")
            .expect("as it was");
        drop(jobs);
        let jobs = Jobs::open(&path).expect("jobs");
        assert_eq!(jobs.frontier(job, 10).queued(10).expect("rows").len(), 3);
        jobs.begin(1).expect("it can be counted");
    }
}
