//! Strings used by many rows, stored once and referenced by number.
//!
//! A name never changes, so look-ups are cached. The cache is cleared when names disappear: a rolled-back
//! transaction removes the names that it created, an erasure those no longer used. A number is never reused
//! for another string. Number 0 means "none" and has no row.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

/// The names looked up so far.
#[derive(Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    texts: HashMap<u32, String>,
    /// The revision of the last erasure known to this cache.
    pub(super) erased: u64,
}

impl Names {
    /// The string for a number; an unknown number is an error in the row that contains it.
    pub(super) fn text(&mut self, connection: &Connection, number: u32) -> rusqlite::Result<String> {
        if let Some(text) = self.texts.get(&number) {
            return Ok(text.clone());
        }
        let text: String = connection
            .prepare_cached("SELECT text FROM name WHERE number = ?1")?
            .query_row([number], |row| row.get(0))?;
        self.keep(number, &text);
        Ok(text)
    }

    /// The number of a stored string; does not store it.
    pub(super) fn find(&mut self, connection: &Connection, text: &str) -> rusqlite::Result<Option<u32>> {
        if let Some(&number) = self.numbers.get(text) {
            return Ok(Some(number));
        }
        let number = connection
            .prepare_cached("SELECT number FROM name WHERE text = ?1")?
            .query_row([text], |row| row.get(0))
            .optional()?;
        if let Some(number) = number {
            self.keep(number, text);
        }
        Ok(number)
    }

    /// The number of a string, assigned if it has none. Only inside a write.
    pub(super) fn intern(&mut self, connection: &Connection, text: &str) -> rusqlite::Result<u32> {
        if let Some(number) = self.find(connection, text)? {
            return Ok(number);
        }
        // Higher than every number that an erasure freed.
        connection
            .prepare_cached(
                "INSERT INTO name (number, text) VALUES (1 + max((SELECT coalesce(max(number), 0) FROM name),
                 (SELECT coalesce(max(value), 0) FROM meta WHERE key = 'last name')), ?1)",
            )?
            .execute([text])?;
        let number = connection.last_insert_rowid() as u32;
        self.keep(number, text);
        Ok(number)
    }

    /// Clears the cache if there was an erasure since.
    pub(super) fn know_erasure(&mut self, revision: u64) {
        if self.erased != revision {
            self.forget();
            self.erased = revision;
        }
    }

    pub(super) fn forget(&mut self) {
        self.numbers.clear();
        self.texts.clear();
    }

    fn keep(&mut self, number: u32, text: &str) {
        self.numbers.insert(text.to_owned(), number);
        self.texts.insert(number, text.to_owned());
    }
}
