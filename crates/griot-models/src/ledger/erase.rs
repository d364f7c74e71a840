//! Removes kept replies that depend on erased memories.

use griot::model::{Erasure, Result};

use super::{Ledger, cannot};

/// Tables of the ledger, and what an erasure removes from each. A test compares this with the schema.
#[cfg(test)]
const TABLES: &[(&str, &str)] = &[
    ("call", "nothing: it holds numbers and names of models"),
    ("embedder", "nothing: it holds settings of embedding models"),
    ("lease", "nothing: it holds numbers, and ends by itself"),
    ("reply", "replies to questions that an erased text was sent with"),
    ("reply_memory", "removed with its reply"),
];

impl Ledger {
    /// Removes the replies that depend on what the receipt names; returns how many.
    pub fn erase(&self, receipt: &Erasure) -> Result<u64> {
        let removed = self.change("erase from the ledger", |transaction| {
            let mut erase = transaction.prepare(
                "DELETE FROM reply WHERE id IN (SELECT reply FROM reply_memory WHERE memory = ?1)",
            )?;
            let each = receipt.marks.iter().map(|mark| erase.execute([&mark[..]]));
            each.sum::<rusqlite::Result<usize>>()
        })?;
        if removed > 0 {
            // Gaps of pages may hold earlier copies of rows.
            let rewritten = self.connection().execute_batch("VACUUM");
            rewritten.map_err(|error| cannot("rewrite the ledger", &error))?;
        }
        Ok(removed as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_says_how_it_is_erased() {
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::for_database(&folder.path().join("griot.db")).expect("it opens");
        let sql =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let connection = ledger.connection();
        let mut statement = connection.prepare(sql).expect("the schema");
        let found: Vec<String> = statement
            .query_map([], |row| row.get(0))
            .expect("rows")
            .collect::<rusqlite::Result<_>>()
            .expect("names");
        assert_eq!(found, TABLES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
