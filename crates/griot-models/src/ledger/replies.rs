//! Replies that are kept, by the hash of everything that they depend on.

use griot::engine::{ModelProvider, ModelSettings};
use griot::model::{Mark, Result, Timestamp};
use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use super::{Ledger, cannot, day_of};
use crate::chat::{Failure, Question};

/// Older ones are dropped.
const MOST_REPLIES: i64 = 10_000;

/// The hash of a question to a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QuestionHash([u8; 32]);

impl QuestionHash {
    pub(crate) fn of(
        question: &Question<'_>,
        settings: &ModelSettings,
        provider: ModelProvider,
        address: &str,
    ) -> Self {
        let mut hasher = blake3::Hasher::new();
        let version = question.version.to_string();
        let most = settings.max_output_tokens.to_string();
        let schema = question.schema.map(|schema| schema.to_string()).unwrap_or_default();
        let parts = [
            question.purpose,
            &version,
            provider.name(),
            address,
            settings.name.trim(),
            &most,
            question.task,
            question.content,
            &schema,
        ];
        for part in parts {
            // With its length, so that no two lists of parts are the same bytes.
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        Self(*hasher.finalize().as_bytes())
    }
}

/// A reply that is kept.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Kept {
    pub(crate) reply: Value,
    pub(crate) truncated: bool,
}

impl Ledger {
    pub(crate) fn kept(&self, question: QuestionHash) -> Result<Option<Kept>> {
        let sql = "SELECT reply, truncated FROM reply WHERE question = ?1";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?));
        let found = self.connection().query_row(sql, [&question.0[..]], read).optional();
        let found = found.map_err(|error| cannot("read the ledger of language models", &error))?;
        // A reply that cannot be read is asked for again.
        Ok(found.and_then(|(reply, truncated)| {
            serde_json::from_str(&reply).ok().map(|reply| Kept { reply, truncated })
        }))
    }

    /// Counts that a kept reply saved a request.
    pub(crate) fn count_kept(
        &self,
        settings: &ModelSettings,
        purpose: &str,
        model: &str,
        now: Timestamp,
    ) -> Result<()> {
        self.change("write the ledger", |transaction| {
            let sql = "INSERT INTO call (at, day, purpose, provider, model, state, input, output)
                       VALUES (?1, ?2, ?3, ?4, ?5, 'kept', 0, 0)";
            let params = params![now.0, day_of(now), purpose, settings.provider.name(), model];
            transaction.execute(sql, params).map(drop)
        })
    }

    /// Keeps a reply, if every memory that was sent is still there when the lock of this file is held: an
    /// erasure removes the memory first and then waits for the same lock, so that it either finds the reply
    /// or prevents it.
    pub(crate) fn keep(
        &self,
        question: QuestionHash,
        kept: &Kept,
        memories: &[Mark],
        now: Timestamp,
        still: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        Ok(self.change("write the ledger", |transaction| {
            if !still() {
                return Ok(());
            }
            let sql = "INSERT INTO reply (question, at, reply, truncated) VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT (question) DO UPDATE SET at = ?2, reply = ?3, truncated = ?4
                       RETURNING id";
            let params = params![&question.0[..], now.0, kept.reply.to_string(), kept.truncated];
            let id: i64 = transaction.query_row(sql, params, |row| row.get(0))?;
            transaction.execute("DELETE FROM reply_memory WHERE reply = ?1", [id])?;
            let mut add = transaction
                .prepare_cached("INSERT OR IGNORE INTO reply_memory (memory, reply) VALUES (?1, ?2)")?;
            for memory in memories {
                add.execute(params![&memory[..], id])?;
            }
            transaction.execute("DELETE FROM reply WHERE id <= ?1", [id - MOST_REPLIES]).map(drop)
        })?)
    }
}
