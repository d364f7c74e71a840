//! Stores counts about the graph as rows: modes, windows, answers, feedback, incidents.
//!
//! Measures use their own connection, which does not sync to disk: a power cut loses counts only. Nothing
//! here touches the change log, so counting changes neither the revision nor any answer.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, Row};

use super::connect::{self, Options};
use super::errors::from_sqlite;
use super::tables::{Tables, unreadable};
use crate::backend::EdgeEnds;
use crate::model::{EdgeKind, Mark, Node, Result, Timestamp};
use crate::rollout::{
    ANSWERS, Answered, Credited, Fallback, INCIDENTS, Incident, Ledger, Measures, Mode, Standing, Strategy,
    Tally, WINDOWS, Window, window_start,
};

/// How long measures wait for a writer, in milliseconds; they are retried later.
const BUSY_MS: u64 = 250;
/// Log pages after which measures copy the log into the database (1 MB), so that a new process has little to
/// read.
const CHECKPOINT_PAGES: u32 = 256;

/// Opens the connection for measures. It does not copy the log when closed last, which would cost a process
/// that only read several syncs.
pub(super) fn connect(path: &Path, options: &Options) -> Result<Connection> {
    let options = Options { create: false, sync_full: false, busy_timeout_ms: BUSY_MS, ..options.clone() };
    let connection = connect::connect(path, &options)?;
    let failed = |error: rusqlite::Error| from_sqlite("open the database", path, &error);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(failed)?;
    Ok(connection)
}

impl Tables {
    pub fn standing(&self) -> rusqlite::Result<Standing> {
        let sql = "SELECT mode, at, by, (SELECT max(at) FROM rollout_mode WHERE forced) FROM rollout_mode
            ORDER BY number DESC LIMIT 1";
        let row = self.cached(sql)?.query_row([], |row| {
            let mode = Mode::parse(row.get_ref(0)?.as_str()?).ok_or_else(|| unreadable("a mode"))?;
            Ok(Standing {
                mode,
                updated_at: Some(Timestamp(row.get(1)?)),
                updated_by: row.get(2)?,
                evidence_from: Timestamp(row.get::<_, Option<i64>>(3)?.unwrap_or(0)),
            })
        });
        Ok(row.optional()?.unwrap_or_default())
    }

    pub fn set_mode(&self, after: &Standing, before: &Standing) -> rusqlite::Result<bool> {
        if self.standing()? != *before {
            return Ok(false);
        }
        let at = after.updated_at.unwrap_or_default();
        let forced = after.evidence_from != before.evidence_from;
        let sql = "INSERT INTO rollout_mode (mode, at, by, forced) VALUES (?1, ?2, ?3, ?4)";
        self.execute(
            sql,
            (after.mode.name(), at.0, after.updated_by.as_deref().unwrap_or_default(), forced),
        )?;
        Ok(true)
    }

    pub fn ledger(&self, width: i64) -> rusqlite::Result<Ledger> {
        let mut windows: BTreeMap<Timestamp, Tally> = BTreeMap::new();
        let counts = "SELECT start, counter, value FROM rollout_count WHERE width = ?1";
        for (start, counter, value) in self.rows(counts, [width], |row| {
            Ok((Timestamp(row.get(0)?), row.get::<_, String>(1)?, row.get(2)?))
        })? {
            windows.entry(start).or_default().count(&counter, value);
        }
        let feedback = "SELECT at, good, graph FROM rollout_feedback WHERE graph IS NOT NULL";
        for (at, good, graph) in
            self.rows(feedback, [], |row| Ok((Timestamp(row.get(0)?), row.get(1)?, row.get(2)?)))?
        {
            windows.entry(window_start(at, width)).or_default().say(good, graph);
        }
        let surplus = windows.len().saturating_sub(WINDOWS + 1);
        let windows = windows.into_iter().skip(surplus);
        let answers = "SELECT id, at, hybrid, memories, asker FROM rollout_answer ORDER BY at DESC, id DESC";
        let incidents = "SELECT at, reason, shadow, message FROM rollout_incident WHERE number > 0
            ORDER BY number DESC";
        let last = "SELECT at, reason, shadow, message FROM rollout_incident WHERE number = 0";
        Ok(Ledger {
            standing: self.standing()?,
            windows: windows.map(|(start, tally)| Window { start, width, tally }).collect(),
            answers: self.rows(answers, [], answered)?,
            incidents: self.rows(incidents, [], incident)?,
            last_fallback: self.row(last, [], incident)?.map(|last| (last.at, last.reason)),
        })
    }

    pub fn record(&self, measures: &Measures) -> rusqlite::Result<()> {
        for window in &measures.windows {
            for (counter, value) in window.tally.counts() {
                self.execute(
                    "INSERT INTO rollout_count (width, start, counter, value) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO UPDATE SET value = value + excluded.value",
                    (window.width, window.start.0, counter, value),
                )?;
            }
        }
        for answer in &measures.answered {
            let packed =
                |(node, graph): &(Node, bool)| (node.number() << 1 | u32::from(*graph)).to_le_bytes();
            let memories: Vec<u8> = answer.memories.iter().flat_map(packed).collect();
            self.execute(
                "INSERT OR REPLACE INTO rollout_answer (id, at, hybrid, memories, asker)
                    VALUES (?1, ?2, ?3, ?4, ?5)",
                (&answer.id, answer.at.0, answer.applied == Strategy::HybridGraph, memories, answer.asker),
            )?;
        }
        for incident in &measures.incidents {
            self.execute(
                "INSERT INTO rollout_incident (number, at, reason, shadow, message)
                 VALUES ((SELECT coalesce(max(number), 0) + 1 FROM rollout_incident), ?1, ?2, ?3, ?4)",
                (incident.at.0, incident.reason.name(), incident.shadow, &incident.message),
            )?;
        }
        if let Some((at, reason)) = measures.last_fallback {
            self.execute(
                "INSERT INTO rollout_incident (number, at, reason, shadow, message) VALUES (0, ?1, ?2, 0, '')
                 ON CONFLICT DO UPDATE SET at = excluded.at, reason = excluded.reason
                 WHERE excluded.at >= at",
                (at.0, reason.name()),
            )?;
        }
        self.forget_measures(measures.keep_from)
    }

    fn forget_measures(&self, keep_from: Timestamp) -> rusqlite::Result<()> {
        self.execute("DELETE FROM rollout_count WHERE start < ?1", [keep_from.0])?;
        self.execute("DELETE FROM rollout_feedback WHERE at < ?1", [keep_from.0])?;
        self.execute(
            "DELETE FROM rollout_answer WHERE (at, id) <=
             (SELECT at, id FROM rollout_answer ORDER BY at DESC, id DESC LIMIT 1 OFFSET ?1)",
            [ANSWERS as i64],
        )?;
        self.execute(
            "DELETE FROM rollout_incident
             WHERE number > 0 AND number <= (SELECT max(number) - ?1 FROM rollout_incident)",
            [INCIDENTS as i64],
        )
        .map(drop)
    }

    pub fn keep_feedback(&self, credited: &[Credited], good: bool, at: Timestamp) -> rusqlite::Result<()> {
        for one in credited {
            self.execute(
                "INSERT OR REPLACE INTO rollout_feedback (answer, memory, at, good, graph)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                (
                    one.answer.as_deref().unwrap_or_default(),
                    one.memory.map_or(0, Node::number),
                    at.0,
                    good,
                    one.strategy.map(|strategy| strategy == Strategy::HybridGraph),
                ),
            )?;
        }
        Ok(())
    }

    /// Removes the answers of erased users.
    pub fn forget_answers_of(&self, gone: &[Mark]) -> rusqlite::Result<()> {
        for mark in gone {
            self.execute("DELETE FROM rollout_answer WHERE asker = ?1", [mark])?;
        }
        Ok(())
    }

    pub fn edge_ends(&self, now: Timestamp, entities: &[Node]) -> rusqlite::Result<Vec<EdgeEnds>> {
        let sql = "SELECT count(*) FILTER (WHERE kind = ?2 AND target = ?1),
                count(*) FILTER (WHERE kind <> ?2 AND source = ?1),
                count(*) FILTER (WHERE kind <> ?2 AND target = ?1)
            FROM edge WHERE (source = ?1 OR target = ?1) AND live
                AND (expires_at IS NULL OR expires_at > ?3)";
        let mut statement = self.cached(sql)?;
        let mut ends = |node: &Node| {
            statement.query_row((node.raw(), EdgeKind::Mentions as u8, now.0), |row| {
                let count = |column| row.get::<_, u32>(column).map(u64::from);
                Ok(EdgeEnds { mentions: count(0)?, outbound: count(1)?, inbound: count(2)? })
            })
        };
        entities.iter().map(&mut ends).collect()
    }
}

fn answered(row: &Row<'_>) -> rusqlite::Result<Answered> {
    let memories = row.get_ref(3)?.as_blob()?.chunks_exact(4).map(|bytes| {
        let packed = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        (Node::memory(packed >> 1), packed & 1 == 1)
    });
    let applied = if row.get(2)? { Strategy::HybridGraph } else { Strategy::Baseline };
    Ok(Answered {
        id: row.get(0)?,
        at: Timestamp(row.get(1)?),
        applied,
        asker: row.get(4)?,
        memories: memories.collect(),
    })
}

fn incident(row: &Row<'_>) -> rusqlite::Result<Incident> {
    let reason = Fallback::parse(row.get_ref(1)?.as_str()?).ok_or_else(|| unreadable("a reason"))?;
    Ok(Incident { at: Timestamp(row.get(0)?), reason, shadow: row.get(2)?, message: row.get(3)? })
}
