//! Reads and writes what language models said about memories, and finds the memories that were not read.
//!
//! `meta` keeps for each task the number up to which every memory was read, so that a store that is up to
//! date says so without looking at its memories.

use std::collections::BTreeSet;

use rusqlite::Row;

use super::codec::{strings_from_bytes, strings_to_bytes};
use super::tables::{Tables, unreadable};
use crate::model::{Node, Reading, ReadingOutcome, ReadingTask, Said, Timestamp};

/// Of memory `m`: it is behind ?1, live, of kind ?3 if that is given, and has no reading of its own for ?2.
const UNREAD: &str = "number > ?1 AND deleted_at IS NULL
    AND (?3 IS NULL OR kind = (SELECT number FROM name WHERE text = ?3))
    AND NOT EXISTS (SELECT 1 FROM reading WHERE memory = m.number AND task = ?2 AND by = m.number)";
const COLUMNS: &str = "memory, task, by, version, outcome, at, undone_at, said";

impl Tables {
    pub fn readings_about(&self, memories: &[Node]) -> rusqlite::Result<Vec<Reading>> {
        self.readings_of(memories, "memory = ?1")
    }

    pub fn readings_by(&self, memories: &[Node]) -> rusqlite::Result<Vec<Reading>> {
        let mut found = self.readings_of(memories, "by = ?1 AND by <> memory")?;
        found.sort_by_key(|reading| (reading.memory, reading.task, reading.by));
        Ok(found)
    }

    fn readings_of(&self, memories: &[Node], which: &str) -> rusqlite::Result<Vec<Reading>> {
        let sql = format!("SELECT {COLUMNS} FROM reading WHERE {which} ORDER BY task, by");
        let numbers: BTreeSet<u32> =
            memories.iter().filter(|node| node.is_memory()).map(|node| node.number()).collect();
        let mut found = Vec::new();
        for number in numbers {
            found.extend(self.rows(&sql, [number], read_reading)?);
        }
        Ok(found)
    }

    pub fn readings_after(&self, number: u32, limit: usize) -> rusqlite::Result<Vec<Reading>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM reading WHERE memory IN (SELECT DISTINCT memory FROM reading
             WHERE memory > ?1 ORDER BY memory LIMIT ?2) ORDER BY memory, task, by"
        );
        self.rows(&sql, (number, limit as i64), read_reading)
    }

    /// Live memories without a reading of their own for this task.
    pub fn unread(&self, task: ReadingTask, after: u32, limit: usize) -> rusqlite::Result<Vec<Node>> {
        let after = if after == 0 { self.read_up_to(task)? } else { after };
        let sql = format!("SELECT number FROM memory m WHERE {UNREAD} ORDER BY number LIMIT ?4");
        let found: Vec<u32> = self.all(&sql, (after, task as u8, task.only_kind(), limit as i64))?;
        Ok(found.into_iter().map(Node::memory).collect())
    }

    fn read_up_to(&self, task: ReadingTask) -> rusqlite::Result<u32> {
        Ok(self.one("SELECT value FROM meta WHERE key = ?1", [key_of(task)])?.unwrap_or(0))
    }

    pub fn put_reading(&self, reading: &Reading) -> rusqlite::Result<()> {
        let strings: Vec<String> = reading.said.iter().flat_map(counted).collect();
        self.execute(
            &format!("INSERT OR REPLACE INTO reading ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
            (
                reading.memory.number(),
                reading.task as u8,
                reading.by.number(),
                reading.version,
                reading.outcome as u8,
                reading.at.0,
                reading.undone_at.map(|at| at.0),
                strings_to_bytes(&strings),
            ),
        )?;
        self.note_read(reading.task)
    }

    /// A memory may be unread again: the marks of all tasks move below it.
    pub fn note_unread(&self, memory: u32) -> rusqlite::Result<()> {
        for task in ReadingTask::ALL {
            let sql = "UPDATE meta SET value = ?2 WHERE key = ?1 AND value > ?2";
            self.execute(sql, (key_of(task), memory.saturating_sub(1)))?;
        }
        Ok(())
    }

    /// Moves the mark of a task up to the last memory before the first that was not read.
    fn note_read(&self, task: ReadingTask) -> rusqlite::Result<()> {
        let from = self.read_up_to(task)?;
        let sql = format!(
            "SELECT coalesce((SELECT number - 1 FROM memory m WHERE {UNREAD} ORDER BY number LIMIT 1),
            (SELECT max(number) FROM memory), 0)"
        );
        let up_to: u32 = self.one(&sql, (from, task as u8, task.only_kind()))?.unwrap_or(0);
        if up_to > from {
            let sql = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE
                SET value = ?2";
            self.execute(sql, (key_of(task), up_to))?;
        }
        Ok(())
    }
}

fn key_of(task: ReadingTask) -> String {
    format!("{} up to", task.name())
}

/// A statement as strings: its form, how many parts follow, and the parts.
fn counted(said: &Said) -> impl Iterator<Item = String> {
    let (form, parts) = said.parts();
    [form.to_string(), parts.len().to_string()].into_iter().chain(parts)
}

/// Statements of a form that this program does not know are left out.
fn statements(strings: Vec<String>) -> Option<Vec<Said>> {
    let mut strings = strings.into_iter();
    let mut said = Vec::new();
    while let Some(form) = strings.next() {
        let count: usize = strings.next()?.parse().ok()?;
        let parts: Vec<String> = strings.by_ref().take(count).collect();
        if parts.len() < count {
            return None;
        }
        said.extend(Said::from_parts(&form, parts));
    }
    Some(said)
}

fn read_reading(row: &Row<'_>) -> rusqlite::Result<Reading> {
    let said: Option<Vec<u8>> = row.get(7)?;
    let said = said.map_or(Some(Vec::new()), |bytes| statements(strings_from_bytes(&bytes)?));
    Ok(Reading {
        memory: Node::memory(row.get(0)?),
        task: ReadingTask::from_number(row.get(1)?).ok_or_else(|| unreadable("the task of a reading"))?,
        by: Node::memory(row.get(2)?),
        version: row.get(3)?,
        outcome: ReadingOutcome::from_number(row.get(4)?)
            .ok_or_else(|| unreadable("the outcome of a reading"))?,
        at: Timestamp(row.get(5)?),
        undone_at: row.get::<_, Option<i64>>(6)?.map(Timestamp),
        said: said.ok_or_else(|| unreadable("what a model said"))?,
    })
}
