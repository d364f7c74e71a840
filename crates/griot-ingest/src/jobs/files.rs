//! The frontier rows of a job that reads files: which files there are and which are done.

use std::collections::HashSet;

use griot::model::Result;
use griot::remember::IngestTally;
use rusqlite::params;

use super::frontier::add_counts;
use super::model::{JobId, PageState};
use super::store::Jobs;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileRow {
    pub(crate) name: String,
    pub(crate) state: PageState,
    pub(crate) why: Option<String>,
    pub(crate) tally: IngestTally,
}

impl Jobs {
    /// Adds files; known ones stay as they are.
    pub(crate) fn add_files(&self, job: JobId, names: &[String]) -> Result<()> {
        self.change("add files", |transaction| {
            let mut insert = transaction.prepare_cached(
                "INSERT OR IGNORE INTO frontier (job, url, role, depth, hops, state)
                 VALUES (?1, ?2, 'page', 0, 0, 'queued')",
            )?;
            names.iter().try_for_each(|name| insert.execute(params![job.0, name]).map(drop))?;
            add_counts(transaction, job, &[])
        })
    }

    pub(crate) fn settled_files(&self, job: JobId) -> Result<HashSet<String>> {
        let sql = "SELECT url FROM frontier WHERE job = ?1 AND state <> 'queued'";
        let files = self.rows("read the files of a job", sql, [job.0], |row| row.get(0))?;
        Ok(files.into_iter().collect())
    }

    pub(crate) fn settle_files(&self, job: JobId, rows: &[FileRow]) -> Result<()> {
        self.change("write the files of a job", |transaction| {
            let mut write = transaction.prepare_cached(
                "INSERT INTO frontier (job, url, role, depth, hops, state, why)
                 VALUES (?1, ?2, 'page', 0, 0, ?3, ?4)
                 ON CONFLICT (job, url) DO UPDATE SET state = excluded.state, why = excluded.why, begun = 0",
            )?;
            let mut tallies = Vec::new();
            for row in rows {
                write.execute(params![job.0, row.name, row.state, row.why])?;
                tallies.push(row.tally);
            }
            add_counts(transaction, job, &tallies)
        })
    }
}
