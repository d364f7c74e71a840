//! Where embedding models are, by the names that their vectors carry.
//!
//! Nothing says where a key is: a program that can write this file could otherwise have any variable or file
//! sent to an address of its choice.

use griot::model::{Error, Result};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{Ledger, cannot};

/// How an embedding model was asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct KeptEmbedder {
    /// Empty for the provider's own address.
    pub(crate) url: String,
    pub(crate) query_prefix: String,
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

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::super::{END, STEPS};
    use super::*;

    #[test]
    fn a_ledger_that_says_where_keys_are_says_it_no_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("griot.db");
        let path = folder.path().join(format!("griot.db{END}"));
        let former = Connection::open(&path).expect("a file");
        for step in &STEPS[..3] {
            former.execute_batch(step).expect("a step");
        }
        let settings = r#"{"key_env":"HERON_KEY","key_file":"/heron","query_prefix":"q: ","url":"http://x"}"#;
        former.execute("INSERT INTO embedder VALUES ('openai/x', ?1)", [settings]).expect("a row");
        former.pragma_update(None, "user_version", 3).expect("the version");
        drop(former);
        let ledger = Ledger::for_database(&database).expect("it opens");
        let kept = KeptEmbedder { url: "http://x".into(), query_prefix: "q: ".into() };
        assert_eq!(ledger.embedder("openai/x").expect("it reads"), Some(kept));
        drop(ledger);
        let bytes = std::fs::read(&path).expect("the ledger");
        let has = |word: &[u8]| bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word));
        assert!(!has(b"heron") && !has(b"key_env"));
    }
}
