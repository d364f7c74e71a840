//! Writes the steps of an entity merge: edges with changed ends, speakers, type votes, the log.

use super::Writer;
use crate::backend::sqlite::tables::Tables;
use crate::model::{Edge, EntityType, Merge, Node, Result, Suggestion};

impl Writer<'_, '_> {
    /// Writes an edge under its own number, replacing any edge there.
    pub fn set_edge(&mut self, edge: &Edge) -> Result<()> {
        let tables = self.tables;
        if edge.number == 0 || edge.number == u32::MAX {
            return Err(self.skipped_number(format!("edge e{}", edge.number)));
        }
        self.next.edge = self.next.edge.max(edge.number + 1);
        self.note_node(edge.source);
        self.note_node(edge.target);
        let is_free = tables.run("write an edge to", || {
            self.note_gone(edge.number)?;
            // Removes the replaced edge together with its evidence.
            tables.execute("DELETE FROM edge WHERE number = ?1", [edge.number])?;
            self.applied.removed_edges.remove(&edge.number);
            self.insert_edge(edge, edge.number)
        })?;
        if is_free {
            return Ok(());
        }
        let what = format!("write edge e{} to", edge.number);
        Err(tables.bug(&what, "another edge has its ends, kind and label"))
    }

    pub fn set_speaker(&mut self, memory: Node, entity: Option<Node>) -> Result<()> {
        let tables = self.tables;
        if entity.is_some_and(|entity| !entity.is_entity() || entity.number() >= self.next.entity) {
            return Err(tables.bug("write to", "a speaker does not exist"));
        }
        self.change_memory(memory, |number| {
            let sql = "UPDATE memory SET speaker_entity = ?2 WHERE number = ?1";
            tables.execute(sql, (number, entity.map_or(0, Node::raw)))
        })
    }
}

impl Tables {
    pub fn count_type(
        &self,
        entity: Node,
        kind: EntityType,
        given: bool,
        times: i64,
    ) -> rusqlite::Result<()> {
        let kind = self.intern(Some(kind.name()))?;
        let entity = entity.number();
        if times >= 0 {
            self.execute(
                "INSERT INTO entity_type (entity, kind, given, times) SELECT ?1, ?2, ?3, ?4 WHERE ?4 > 0
                 ON CONFLICT DO UPDATE SET times = min(times + excluded.times, 4294967295)",
                (entity, kind, given, times),
            )?;
            return Ok(());
        }
        let sql = "UPDATE entity_type SET times = times + ?4 WHERE entity = ?1 AND kind = ?2 AND given = ?3";
        self.execute(sql, (entity, kind, given, times))?;
        self.execute(
            "DELETE FROM entity_type WHERE entity = ?1 AND kind = ?2 AND given = ?3 AND times <= 0",
            (entity, kind, given),
        )?;
        Ok(())
    }

    pub fn put_merge(&self, merge: &Merge) -> rusqlite::Result<()> {
        self.execute(
            "INSERT INTO merge (number, kept, merged, at, provenance, reason, undone_at, undo)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (number) DO UPDATE SET undone_at = excluded.undone_at",
            (
                merge.number,
                merge.kept.node.number(),
                merge.merged.node.number(),
                merge.at.0,
                merge.by as u8,
                &merge.reason,
                merge.undone_at.map(|at| at.0),
                crate::backend::sqlite::merges::undo_to_bytes(merge),
            ),
        )?;
        Ok(())
    }

    pub fn put_suggestion(&self, suggestion: &Suggestion) -> rusqlite::Result<()> {
        self.execute(
            "INSERT INTO merge_suggestion (number, kept, merged, likeness, reason, at, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (number) DO UPDATE SET state = excluded.state",
            (
                suggestion.number,
                suggestion.kept.number(),
                suggestion.merged.number(),
                suggestion.similarity,
                &suggestion.reason,
                suggestion.at.0,
                suggestion.state as u8,
            ),
        )?;
        Ok(())
    }
}
