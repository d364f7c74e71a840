//! The change log: the rows that an index must re-read to get from one revision to a later one.
//!
//! The blob of a revision is four sets of numbers (codec.rs), in this order: memories, entities, edges that
//! are new or changed, edges that were removed. It records which rows were touched, not their contents: a
//! reader that catches up reads the rows in one transaction, so that many revisions cost only as much as
//! their union.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rusqlite::Row;

use super::codec::{put_set, strings_from_bytes, take_set};
use super::tables::{Tables, finite, nodes_exist, readable, unreadable};
use crate::backend::ChangeNote;
use crate::model::{Document, EdgeKind, EntityType, Link, Memory, Node, Provenance, Revision, Timestamp};

/// The rows touched by one or several revisions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Touched {
    pub memories: BTreeSet<u32>,
    pub entities: BTreeSet<u32>,
    pub edges: BTreeSet<u32>,
    pub removed_edges: BTreeSet<u32>,
}

impl Touched {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for set in [&self.memories, &self.entities, &self.edges, &self.removed_edges] {
            put_set(&mut bytes, set);
        }
        bytes
    }

    /// Adds the contents of a revision's blob; `None` if it is damaged.
    pub fn add_bytes(&mut self, mut bytes: &[u8]) -> Option<()> {
        for set in [&mut self.memories, &mut self.entities, &mut self.edges, &mut self.removed_edges] {
            take_set(&mut bytes, set)?;
        }
        bytes.is_empty().then_some(())
    }
}

const DOCUMENT: &str = "SELECT m.number, m.text, m.title, m.heading, m.speaker, m.place, p.source, m.ordinal,
    m.occurred_at, m.user, m.project, m.kind, m.agent, p.session, m.speaker_entity, m.deleted_at IS NOT NULL,
    m.superseded_by IS NOT NULL, v.data, v.scale, m.tier, m.expires_at
    FROM memory m JOIN place p ON p.number = m.place LEFT JOIN vector v ON v.memory = m.number";
const LINK: &str = concat!(
    "SELECT number, source, target, kind, label, weight, confidence, created_at + touched, provenance,
        expires_at FROM edge WHERE live AND ",
    nodes_exist!("edge.source", "edge.target")
);

impl Tables {
    /// The revisions after `since`; one that cannot be read is left out.
    pub fn notes_since(&self, since: Revision, limit: usize) -> rusqlite::Result<Vec<ChangeNote>> {
        let sql = "SELECT revision, at, touched FROM change WHERE revision > ?1 ORDER BY revision LIMIT ?2";
        let mut statement = self.cached(sql)?;
        let mut rows = statement.query([since.0 as i64, limit.min(1 << 20) as i64])?;
        let mut notes = Vec::new();
        while let Some(row) = rows.next()? {
            let mut touched = Touched::default();
            if row.get_ref(2)?.as_blob().ok().and_then(|bytes| touched.add_bytes(bytes)).is_none() {
                continue;
            }
            let memories = touched.memories.into_iter().map(Node::memory);
            notes.push(ChangeNote {
                revision: Revision(row.get::<_, i64>(0)? as u64),
                at: Timestamp(row.get(1)?),
                nodes: memories.chain(touched.entities.into_iter().map(Node::entity)).collect(),
                edges: touched.edges.into_iter().collect(),
                removed_edges: touched.removed_edges.into_iter().collect(),
            });
        }
        Ok(notes)
    }

    pub fn document(&self, number: u32) -> rusqlite::Result<Option<Document<'static>>> {
        self.row(&format!("{DOCUMENT} WHERE m.number = ?1"), [number], |row| self.read_document(row))
    }

    /// `None` for an edge that does not exist or is not live.
    pub fn link(&self, number: u32) -> rusqlite::Result<Option<Link>> {
        self.row(&format!("{LINK} AND number = ?1"), [number], read_link)
    }

    /// All entities of a type and whether each is live.
    pub fn liveness(&self, kind: Option<EntityType>) -> rusqlite::Result<Vec<(Node, bool)>> {
        let Some(kind) = self.number_of_type(kind)? else { return Ok(Vec::new()) };
        let sql = "SELECT number, live FROM entity WHERE ?1 = 0 OR kind = ?1 ORDER BY number";
        self.map(sql, [kind], |row| Ok((Node::entity(row.get(0)?), row.get(1)?)))
    }

    pub fn every_document(&self, sink: &mut dyn FnMut(&Document<'_>)) -> rusqlite::Result<()> {
        let sql = format!("{DOCUMENT} ORDER BY m.number");
        self.each(&sql, [], |row| self.read_document(row), |document| sink(&document))
    }

    pub fn every_link(&self, sink: &mut dyn FnMut(Link)) -> rusqlite::Result<()> {
        self.each(&format!("{LINK} ORDER BY number"), [], read_link, sink)
    }

    fn read_document(&self, row: &Row<'_>) -> rusqlite::Result<Document<'static>> {
        // Fields skipped here are skipped in the memory as well (rows.rs).
        let heading = match row.get_ref(3)?.as_blob_or_null() {
            Ok(Some(bytes)) => strings_from_bytes(bytes).unwrap_or_default(),
            _ => Vec::new(),
        };
        let vector = match row.get_ref(17)?.as_blob_or_null()? {
            None => None,
            Some(bytes) => Some((Cow::Owned(bytes.iter().map(|&byte| byte as i8).collect()), row.get(18)?)),
        };
        let kind: u32 = row.get(11)?;
        Ok(Document {
            memory: row.get(0)?,
            text: Cow::Owned(row.get(1)?),
            header: Document::header_of(&self.word(row.get(2)?)?, &heading, &self.word(row.get(4)?)?),
            place: row.get(5)?,
            source: row.get(6)?,
            ordinal: readable(row.get(7))?.unwrap_or_default(),
            occurred_at: row.get(8)?,
            user: row.get(9)?,
            project: row.get(10)?,
            kind,
            agent: row.get(12)?,
            session: row.get(13)?,
            speaker: row.get(14)?,
            deleted: row.get(15)?,
            superseded: row.get(16)?,
            timeless: self.word(kind)? == Memory::PASSAGE,
            tier: row.get(19)?,
            expires_at: row.get(20)?,
            vector,
        })
    }
}

fn read_link(row: &Row<'_>) -> rusqlite::Result<Link> {
    Ok(Link {
        number: row.get(0)?,
        source: row.get(1)?,
        target: row.get(2)?,
        kind: EdgeKind::from_number(row.get(3)?).ok_or_else(|| unreadable("the kind of an edge"))?,
        label: row.get(4)?,
        weight: finite(row, 5)?,
        confidence: finite(row, 6)?,
        touched_at: row.get(7)?,
        provenance: Provenance::from_number(row.get(8)?).ok_or_else(|| unreadable("who says an edge"))?,
        expires_at: row.get(9)?,
    })
}
