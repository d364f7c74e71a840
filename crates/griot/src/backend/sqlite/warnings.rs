//! Stores the verifier's warnings: one row per warning, and one per node that it is about.

use rusqlite::Row;

use super::tables::{Tables, unreadable};
use crate::model::{Acknowledged, Finding, Node, Timestamp, Warning, WarningId, WarningKind};

const COLUMNS: &str = "id, rule, nodes, edges, first_seen, acknowledged_at, acknowledged_by, note";

impl Tables {
    pub fn warnings(&self) -> rusqlite::Result<Vec<Warning>> {
        self.rows(&format!("SELECT {COLUMNS} FROM warning ORDER BY first_seen, id"), [], read_warning)
    }

    pub fn warnings_about(&self, nodes: &[Node]) -> rusqlite::Result<Vec<Warning>> {
        // Usually there is no warning.
        if self.one::<u32>("SELECT 1 FROM warning LIMIT 1", [])?.is_none() {
            return Ok(Vec::new());
        }
        let mut ids = Vec::new();
        for node in nodes {
            ids.extend(self.all::<i64>("SELECT warning FROM warning_node WHERE node = ?1", [node.raw()])?);
        }
        ids.sort_unstable();
        ids.dedup();
        let sql = format!("SELECT {COLUMNS} FROM warning WHERE id = ?1");
        let mut warnings = Vec::with_capacity(ids.len());
        for id in ids {
            warnings.extend(self.row(&sql, [id], read_warning)?);
        }
        warnings.sort_by_key(|warning| (warning.first_seen, warning.found.id()));
        Ok(warnings)
    }

    pub fn put_warning(&self, warning: &Warning) -> rusqlite::Result<()> {
        let id = warning.found.id();
        self.remove_warning(id)?;
        let said = warning.acknowledged.as_ref();
        self.execute(
            &format!("INSERT INTO warning ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
            (
                id.0 as i64,
                warning.found.kind as u8,
                to_bytes(warning.found.nodes.iter().map(|node| node.raw())),
                to_bytes(warning.found.edges.iter().copied()),
                warning.first_seen.0,
                said.map(|said| said.at.0),
                said.map(|said| &said.by),
                said.and_then(|said| said.note.as_ref()),
            ),
        )?;
        for node in &warning.found.nodes {
            self.execute(
                "INSERT OR IGNORE INTO warning_node (node, warning) VALUES (?1, ?2)",
                (node.raw(), id.0 as i64),
            )?;
        }
        Ok(())
    }

    pub fn remove_warning(&self, id: WarningId) -> rusqlite::Result<()> {
        let nodes: Option<Vec<u8>> = self.one("SELECT nodes FROM warning WHERE id = ?1", [id.0 as i64])?;
        for node in from_bytes(&nodes.unwrap_or_default()) {
            self.execute("DELETE FROM warning_node WHERE node = ?1 AND warning = ?2", (node, id.0 as i64))?;
        }
        self.execute("DELETE FROM warning WHERE id = ?1", [id.0 as i64]).map(drop)
    }
}

fn read_warning(row: &Row<'_>) -> rusqlite::Result<Warning> {
    let kind = WarningKind::from_number(row.get(1)?).ok_or_else(|| unreadable("a rule"))?;
    let found = Finding {
        kind,
        nodes: from_bytes(row.get_ref(2)?.as_blob()?).map(Node::from_raw).collect(),
        edges: from_bytes(row.get_ref(3)?.as_blob()?).collect(),
    };
    let acknowledged = match (row.get::<_, Option<i64>>(5)?, row.get(6)?) {
        (Some(at), Some(by)) => Some(Acknowledged { at: Timestamp(at), by, note: row.get(7)? }),
        _ => None,
    };
    Ok(Warning { found, first_seen: Timestamp(row.get(4)?), acknowledged })
}

fn to_bytes(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

fn from_bytes(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes))
}
