//! Erasure as one transaction: removes rows and names that are no longer used, and writes the receipt.
//!
//! After this commit erased rows are gone from every answer; `scrub.rs` removes them from the files. Until
//! then the receipt stays unfinished.

use rusqlite::Row;

use super::tables::{Tables, Transaction, unreadable};
use super::view::learn_of_erasures;
use super::{SqliteBackend, write};
use crate::backend::{Committed, Feed};
use crate::model::{
    ChangeSet, ErasedKind, Erasure, ErasureCounts, ErasurePlan, Mark, Result, Revision, Timestamp,
};

impl SqliteBackend {
    pub(super) fn erase_rows(
        &self,
        tables: &Tables,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<Option<ErasurePlan>>,
        committed: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Option<Erasure>> {
        let transaction = tables.run("write to", || Transaction::write(tables))?;
        learn_of_erasures(tables, &self.erased)?;
        let Some(plan) = plan(&self.rows(tables))? else { return Ok(None) };
        let before = tables.run("read", || tables.revision())?;
        let after = Revision(before.0 + 1);
        let set = ChangeSet { at: plan.receipt.at, changes: plan.changes };
        let applied = write::apply(tables, &set, after)?;
        let receipt = tables.run("write to", || {
            let last: Option<Option<u32>> = tables.one("SELECT max(number) FROM erasure", [])?;
            let number = last.flatten().unwrap_or(0) + 1;
            let receipt = Erasure { number, before, after, finished_at: None, ..plan.receipt };
            tables.put_erasure(&receipt)?;
            tables.forget_answers_of(&receipt.beside)?;
            Ok(receipt)
        })?;
        tables.run("commit to", || transaction.commit())?;
        tables.names.borrow_mut().know_erasure(after.0);
        committed(&applied.committed(after));
        self.erased.store(after.0, std::sync::atomic::Ordering::Release);
        Ok(Some(receipt))
    }
}

const ERASURE: &str =
    "SELECT number, kind, at, by, before, after, finished_at, counts, marks, beside FROM erasure";
/// Uses the index `erasure_unfinished`, which is empty in a store at rest.
const UNFINISHED: &str = "WHERE finished_at IS NULL ORDER BY number";

impl Tables {
    /// The revision of the last erasure, 0 without any.
    pub fn last_erasure(&self) -> rusqlite::Result<u64> {
        let last: Option<Option<i64>> = self.one("SELECT max(after) FROM erasure", [])?;
        Ok(last.flatten().unwrap_or(0) as u64)
    }

    fn put_erasure(&self, erasure: &Erasure) -> rusqlite::Result<()> {
        self.execute(
            "INSERT INTO erasure (number, kind, at, by, before, after, finished_at, counts, marks, beside)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            (
                erasure.number,
                erasure.kind as u8,
                erasure.at.0,
                &erasure.by,
                erasure.before.0 as i64,
                erasure.after.0 as i64,
                erasure.finished_at.map(|at| at.0),
                counts_to_text(&erasure.counts),
                erasure.marks.concat(),
                erasure.beside.concat(),
            ),
        )
        .map(drop)
    }

    pub fn finish_erasure(&self, erasure: &Erasure) -> rusqlite::Result<()> {
        self.execute(
            "UPDATE erasure SET finished_at = ?2, counts = ?3, beside = x'' WHERE number = ?1",
            (erasure.number, erasure.finished_at.map(|at| at.0), counts_to_text(&erasure.counts)),
        )
        .map(drop)
    }

    pub fn erasures(&self) -> rusqlite::Result<Vec<Erasure>> {
        self.map(&format!("{ERASURE} ORDER BY number"), [], read_erasure)
    }

    pub fn unfinished_erasures(&self) -> rusqlite::Result<Vec<Erasure>> {
        self.map(&format!("{ERASURE} {UNFINISHED}"), [], read_erasure)
    }
}

fn read_erasure(row: &Row<'_>) -> rusqlite::Result<Erasure> {
    Ok(Erasure {
        number: row.get(0)?,
        kind: ErasedKind::from_number(row.get(1)?).ok_or_else(|| unreadable("what was erased"))?,
        at: Timestamp(row.get(2)?),
        by: row.get(3)?,
        before: Revision(row.get::<_, i64>(4)? as u64),
        after: Revision(row.get::<_, i64>(5)? as u64),
        finished_at: row.get::<_, Option<i64>>(6)?.map(Timestamp),
        counts: counts_from_text(row.get_ref(7)?.as_str()?),
        marks: marks(row.get_ref(8)?.as_blob()?),
        beside: marks(row.get_ref(9)?.as_blob()?),
    })
}

fn marks(bytes: &[u8]) -> Vec<Mark> {
    bytes.as_chunks::<16>().0.to_vec()
}

fn counts_to_text(counts: &ErasureCounts) -> String {
    let counts: Vec<String> =
        counts.named().into_iter().map(|(name, count)| format!("{name}={count}")).collect();
    counts.join(",")
}

fn counts_from_text(text: &str) -> ErasureCounts {
    let mut counts = ErasureCounts::default();
    for (name, count) in text.split(',').filter_map(|part| part.split_once('=')) {
        counts.set(name, count.parse().unwrap_or(0));
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::sqlite::Options;

    #[test]
    fn what_is_unfinished_is_found_without_reading_every_receipt() {
        let folder = tempfile::tempdir().expect("a folder");
        let backend =
            SqliteBackend::open(&folder.path().join("griot.db"), Options::default()).expect("it opens");
        let plan = backend.with_tables(|tables| {
            tables.run("read", || {
                let mut statement = tables.cached(&format!("EXPLAIN QUERY PLAN {ERASURE} {UNFINISHED}"))?;
                let lines = statement.query_map([], |row| row.get::<_, String>(3))?;
                Ok(lines.collect::<rusqlite::Result<Vec<_>>>()?.join("; "))
            })
        });
        let plan = plan.expect("a plan");
        assert!(plan.contains("erasure_unfinished"), "{plan}");
    }
}
