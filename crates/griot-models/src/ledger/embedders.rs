//! Where embedding models are, by the names that their vectors carry.

use griot::model::Result;
use rusqlite::{OptionalExtension, params};

use super::{Ledger, cannot};

impl Ledger {
    pub(crate) fn embedder(&self, name: &str) -> Result<Option<String>> {
        let sql = "SELECT settings FROM embedder WHERE name = ?1";
        let found = self.connection().query_row(sql, [name], |row| row.get(0)).optional();
        found.map_err(|error| cannot("read the ledger of language models", &error))
    }

    pub(crate) fn keep_embedder(&self, name: &str, settings: &str) -> Result<()> {
        if self.embedder(name)?.as_deref() == Some(settings) {
            return Ok(());
        }
        self.change("write the ledger", |transaction| {
            let sql = "INSERT INTO embedder (name, settings) VALUES (?1, ?2)
                       ON CONFLICT (name) DO UPDATE SET settings = ?2";
            transaction.execute(sql, params![name, settings]).map(drop)
        })
    }
}
