//! Where embedding models are, by the names that their vectors carry.
//!
//! Nothing says where a key is: a program that can write this file could otherwise have any variable or file
//! sent to an address of its choice.

use griot::model::{Error, Result};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{Ledger, cannot};

/// How an embedding model was asked.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct KeptEmbedder {
    /// Empty for the provider's own address.
    pub(crate) url: String,
    pub(crate) query_prefix: String,
    /// Of a million tokens.
    pub(crate) price: f64,
    pub(crate) text_tokens: usize,
}

impl Ledger {
    /// `None` if no request to it was written, or what was written cannot be read.
    pub(crate) fn embedder(&self, name: &str) -> Result<Option<KeptEmbedder>> {
        let sql = "SELECT settings FROM embedder WHERE name = ?1";
        let found = self.connection().query_row(sql, [name], |row| row.get::<_, String>(0)).optional();
        let found = found.map_err(|error| cannot("read the ledger of language models", &error))?;
        Ok(found.and_then(|settings| serde_json::from_str(&settings).ok()))
    }

    pub(crate) fn keep_embedder(&self, name: &str, kept: &KeptEmbedder) -> Result<()> {
        if self.embedder(name)?.as_ref() == Some(kept) {
            return Ok(());
        }
        let what = "write the ledger";
        let settings = serde_json::to_string(kept);
        let settings = settings.map_err(|error| Error::unavailable(what, error.to_string()))?;
        self.change(what, |transaction| {
            let sql = "INSERT INTO embedder (name, settings) VALUES (?1, ?2)
                       ON CONFLICT (name) DO UPDATE SET settings = ?2";
            transaction.execute(sql, params![name, settings]).map(drop)
        })
    }
}
