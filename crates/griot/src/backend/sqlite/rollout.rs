//! Stores counts about the graph as rows: modes, windows, answers, feedback, incidents.
//!
//! Measures use their own connection, which does not sync to disk: a power cut loses counts only. Nothing
//! here touches the change log, so counting changes neither the revision nor any answer.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension};

use super::connect::{self, Options};
use super::errors::from_sqlite;
use super::tables::{Tables, unreadable};
use crate::backend::{EdgeEnds, GraphHealth};
use crate::model::{EdgeKind, Mark, Node, Result, Timestamp};
use crate::rollout::{
    ANSWERS, Answered, Credited, Fallback, INCIDENTS, Incident, Ledger, Measures, Mode, ModeChange, Standing,
    Strategy, Tally, WINDOWS, Window, window_start,
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

    pub fn set_mode(&self, change: &ModeChange) -> rusqlite::Result<()> {
        let sql = "INSERT INTO rollout_mode (mode, at, by, forced) VALUES (?1, ?2, ?3, ?4)";
        self.execute(sql, (change.mode.name(), change.at.0, &change.by, change.forced)).map(drop)
    }

    pub fn ledger(&self, width: i64) -> rusqlite::Result<Ledger> {
        let mut windows: BTreeMap<Timestamp, Tally> = BTreeMap::new();
        let mut statement =
            self.cached("SELECT start, counter, value FROM rollout_count WHERE width = ?1")?;
        let mut rows = statement.query([width])?;
        while let Some(row) = rows.next()? {
            windows.entry(Timestamp(row.get(0)?)).or_default().count(row.get_ref(1)?.as_str()?, row.get(2)?);
        }
        let mut statement =
            self.cached("SELECT at, good, graph FROM rollout_feedback WHERE graph IS NOT NULL")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let tally = windows.entry(window_start(Timestamp(row.get(0)?), width)).or_default();
            tally.say(row.get(1)?, row.get(2)?);
        }
        let windows = windows.into_iter().map(|(start, tally)| Window { start, width, tally });
        let windows: Vec<Window> = windows.collect();
        let kept = windows.len().saturating_sub(WINDOWS + 1);
        let mut statement = self
            .cached("SELECT id, at, hybrid, memories, asker FROM rollout_answer ORDER BY at DESC, id DESC")?;
        let answers = statement.query_map([], answered)?.collect::<rusqlite::Result<_>>()?;
        let mut ledger = Ledger {
            standing: self.standing()?,
            windows: windows[kept..].to_vec(),
            answers,
            ..Ledger::default()
        };
        let mut statement = self.cached(
            "SELECT number, at, reason, shadow, message FROM rollout_incident ORDER BY number DESC",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let at = Timestamp(row.get(1)?);
            let reason = Fallback::parse(row.get_ref(2)?.as_str()?).ok_or_else(|| unreadable("a reason"))?;
            if row.get::<_, i64>(0)? == 0 {
                ledger.last_fallback = Some((at, reason));
            } else {
                ledger.incidents.push(Incident { at, reason, shadow: row.get(3)?, message: row.get(4)? });
            }
        }
        Ok(ledger)
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

    pub fn graph_health(&self, now: Timestamp, entities: &[Node]) -> rusqlite::Result<GraphHealth> {
        let expired =
            self.one::<u32>("SELECT count(*) FROM edge WHERE live AND expires_at <= ?1", [now.0])?;
        let orphans = self.one::<u32>(
            "SELECT count(*) FROM entity e WHERE live
             AND NOT EXISTS (SELECT 1 FROM edge WHERE source = e.number * 2 + 1 AND live
                AND (expires_at IS NULL OR expires_at > ?1))
             AND NOT EXISTS (SELECT 1 FROM edge WHERE target = e.number * 2 + 1 AND live
                AND (expires_at IS NULL OR expires_at > ?1))",
            [now.0],
        )?;
        let mentions = EdgeKind::Mentions as u8;
        let count = |sql: &str, node: &Node| -> rusqlite::Result<u64> {
            Ok(self.one::<u32>(sql, (node.raw(), mentions, now.0))?.unwrap_or(0).into())
        };
        let ends = |node: &Node| {
            Ok(EdgeEnds {
                mentions: count(
                    "SELECT count(*) FROM edge WHERE target = ?1 AND kind = ?2 AND live
                        AND (expires_at IS NULL OR expires_at > ?3)",
                    node,
                )?,
                outbound: count(
                    "SELECT count(*) FROM edge WHERE source = ?1 AND kind <> ?2 AND live
                        AND (expires_at IS NULL OR expires_at > ?3)",
                    node,
                )?,
                inbound: count(
                    "SELECT count(*) FROM edge WHERE target = ?1 AND kind <> ?2 AND live
                        AND (expires_at IS NULL OR expires_at > ?3)",
                    node,
                )?,
            })
        };
        Ok(GraphHealth {
            expired_edges: expired.unwrap_or(0).into(),
            orphan_entities: orphans.unwrap_or(0).into(),
            ends: entities.iter().map(ends).collect::<rusqlite::Result<_>>()?,
        })
    }
}

fn answered(row: &rusqlite::Row<'_>) -> rusqlite::Result<Answered> {
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
