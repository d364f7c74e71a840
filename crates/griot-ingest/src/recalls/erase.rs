//! Removes entries about erased content.
//!
//! An entry goes with a memory that it names, with its user, and with an entity that its question names. A
//! question may also quote what was erased. The texts are only known to the process that erases: another one
//! that finishes an interrupted erasure removes all entries.

use std::collections::HashSet;

use griot::model::{ErasedKind, Erasure, Mark, MemoryId, Result, mark_of_memory, mark_of_user};
use rusqlite::Transaction;
use uuid::Uuid;

use super::{RecallLog, cannot};

/// Tables of the log, and what an erasure removes from each. A test compares this with the schema.
#[cfg(test)]
pub(super) const TABLES: &[(&str, &str)] = &[
    ("given", "removed with its recall"),
    ("named", "removed with its recall"),
    ("recall", "recalls that name an erased memory, user or entity, or quote an erased text"),
];

/// So many bytes in common are a quote.
const QUOTE: usize = 12;
/// Shorter texts say too little to be looked for.
const LEAST: usize = 3;

impl RecallLog {
    /// Removes what the receipt names and what quotes one of the texts; without them, everything. Returns the
    /// number of entries.
    pub fn erase(&self, receipt: &Erasure, texts: Option<&[String]>) -> Result<u64> {
        let removed = self.change("erase from the log of recalls", |transaction| match texts {
            None => transaction.execute("DELETE FROM recall", []),
            Some(texts) => {
                let mut ids = naming(transaction, receipt)?;
                ids.extend(quoting(transaction, receipt.kind, texts)?);
                let mut erase = transaction.prepare("DELETE FROM recall WHERE id = ?1")?;
                ids.iter().map(|id| erase.execute([id])).sum()
            }
        })?;
        if removed > 0 {
            // Gaps of pages may hold earlier copies of rows.
            let rewritten = self.connection.execute_batch("VACUUM");
            rewritten.map_err(|error| cannot("rewrite the log of recalls", &error))?;
        }
        Ok(removed as u64)
    }
}

/// Recalls that name something erased.
fn naming(transaction: &Transaction<'_>, receipt: &Erasure) -> rusqlite::Result<HashSet<i64>> {
    let marks: HashSet<&Mark> = receipt.marks.iter().chain(&receipt.beside).collect();
    let mut found = HashSet::new();
    let mut given = transaction.prepare("SELECT recall, memory FROM given")?;
    let rows = given.query_map([], |row| Ok((row.get(0)?, row.get::<_, [u8; 16]>(1)?)))?;
    for row in rows {
        let (id, memory) = row?;
        if marks.contains(&mark_of_memory(MemoryId(Uuid::from_bytes(memory)))) {
            found.insert(id);
        }
    }
    let mut named = transaction.prepare("SELECT recall, entity FROM named")?;
    for row in named.query_map([], |row| Ok((row.get(0)?, row.get::<_, Mark>(1)?)))? {
        let (id, entity) = row?;
        if marks.contains(&entity) {
            found.insert(id);
        }
    }
    let mut users = transaction.prepare("SELECT id, user FROM recall WHERE user IS NOT NULL")?;
    for row in users.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))? {
        let (id, user) = row?;
        if marks.contains(&mark_of_user(&user)) {
            found.insert(id);
        }
    }
    Ok(found)
}

/// Recalls whose question has a part in common with a text. Names of entities count however short they are.
fn quoting(
    transaction: &Transaction<'_>,
    kind: ErasedKind,
    texts: &[String],
) -> rusqlite::Result<HashSet<i64>> {
    let mut questions = transaction.prepare("SELECT id, question FROM recall")?;
    let questions: Vec<(i64, String)> = questions
        .query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?.to_lowercase())))?
        .collect::<rusqlite::Result<_>>()?;
    let mut quotes: HashSet<Vec<u8>> = HashSet::new();
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        let text = text.to_lowercase();
        match text.len() {
            QUOTE.. => quotes.extend(text.as_bytes().windows(QUOTE).map(<[u8]>::to_vec)),
            LEAST.. if kind == ErasedKind::Entity => names.push(text),
            _ => {}
        }
    }
    let quotes_one = |question: &str| {
        question.as_bytes().windows(QUOTE).any(|window| quotes.contains(window))
            || names.iter().any(|name| question.contains(name.as_str()))
    };
    Ok(questions.iter().filter(|(_, question)| quotes_one(question)).map(|(id, _)| *id).collect())
}
