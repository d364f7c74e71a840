//! The rows of a job that reads files: which there are, and which are done.

use std::collections::HashSet;

use griot::model::Result;
use rusqlite::params;

use super::frontier::{Tally, count_in};
use super::model::{JobId, PageState};
use super::store::{Jobs, cannot};

/// What came of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileRow {
    pub(crate) name: String,
    pub(crate) state: PageState,
    pub(crate) why: Option<String>,
    pub(crate) tally: Tally,
}

impl Jobs {
    /// Takes up files. Those that are known stay as they are.
    pub(crate) fn add_files(&self, job: JobId, names: &[String]) -> Result<()> {
        self.change("take up files", |transaction| {
            let mut insert = transaction.prepare_cached(
                "INSERT OR IGNORE INTO frontier (job, url, role, depth, hops, state) VALUES (?1, ?2, 'page', 0, 0, 'queued')",
            )?;
            names.iter().try_for_each(|name| insert.execute(params![job.0, name]).map(drop))?;
            count_in(transaction, job, Tally::default())
        })
    }

    /// Files that nothing is left to do for.
    pub(crate) fn settled_files(&self, job: JobId) -> Result<HashSet<String>> {
        let read = || {
            let mut statement = self
                .connection
                .prepare_cached("SELECT url FROM frontier WHERE job = ?1 AND state <> 'queued'")?;
            statement.query_map([job.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| cannot("read the files of a job", &error))
    }

    pub(crate) fn settle_files(&self, job: JobId, rows: &[FileRow]) -> Result<()> {
        self.change("write the files of a job", |transaction| {
            let mut write = transaction.prepare_cached(
                "INSERT INTO frontier (job, url, role, depth, hops, state, why) VALUES (?1, ?2, 'page', 0, 0, ?3, ?4)
                 ON CONFLICT (job, url) DO UPDATE SET state = excluded.state, why = excluded.why, begun = 0",
            )?;
            let mut sum = Tally::default();
            for row in rows {
                write.execute(params![job.0, row.name, row.state, row.why])?;
                sum = sum.and(row.tally);
            }
            count_in(transaction, job, sum)
        })
    }
}
