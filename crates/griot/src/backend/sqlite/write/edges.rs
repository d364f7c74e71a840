//! Writes edges and facts: one row per key, merged by `Edge::merge`, with their evidence.
//!
//! Most mentions only state "this memory names that entity", so a mention whose only evidence is its own
//! memory at its own time stores no evidence row; reading reconstructs it (rows.rs).

use rusqlite::types::Value;

use super::{Writer, take_number};
use crate::backend::sqlite::rows::own_evidence;
use crate::backend::sqlite::tables::Tables;
use crate::model::{Edge, EdgeKind, Evidence, Fact, FactObject, Link, MemoryId, Node, Result};

impl Writer<'_, '_> {
    pub fn put_edge(&mut self, edge: &Edge) -> rusqlite::Result<()> {
        let tables = self.tables;
        self.note_node(edge.source);
        self.note_node(edge.target);
        // New edges are the common case: insert first, look up the old one only if the key is taken.
        if self.insert_edge(edge, self.next.edge)? {
            self.next.edge += 1;
            return Ok(());
        }
        let (source, target) = storage_order(edge.source, edge.target, edge.kind);
        let label = tables.intern_label(&edge.label)?;
        let Some(known) = tables.edge_by_key(source, target, edge.kind, label)? else {
            return self.rewrite_edge(edge, source, target, label);
        };
        let number = known.number;
        let known_evidence = known.evidence.len();
        let mut incoming = edge.clone().normalised();
        if incoming.kind == EdgeKind::Mentions && incoming.evidence.is_empty() {
            incoming
                .evidence
                .extend(self.id_of(source.number())?.map(|id| own_evidence(id, edge.created_at)));
        }
        let merged = known.merge(incoming);
        tables.execute(
            "UPDATE edge SET weight = ?2, confidence = ?3, provenance = ?4, touched = ?5, expires_at = ?6
             WHERE number = ?1",
            (
                number,
                merged.weight,
                merged.confidence,
                merged.provenance as u8,
                merged.touched_at.0 - merged.created_at.0,
                merged.expires_at.map(|at| at.0),
            ),
        )?;
        if merged.evidence.len() > known_evidence {
            // Merging only appends; evidence reconstructed on reading is now stored with the rest.
            let stored: i64 =
                tables.one("SELECT count(*) FROM evidence WHERE edge = ?1", [number])?.unwrap_or(0);
            self.unsettled.own.remove(&number);
            let new = merged.evidence.get(stored as usize..).unwrap_or_default();
            self.put_evidence(EDGE_EVIDENCE, number, stored, new)?;
        }
        self.note_link(number, source, target, label, &merged);
        Ok(())
    }

    /// An unreadable row has the key: it gets the values of this edge and keeps its evidence.
    fn rewrite_edge(&mut self, edge: &Edge, source: Node, target: Node, label: u32) -> rusqlite::Result<()> {
        let tables = self.tables;
        let sql = "UPDATE edge SET weight = ?5, confidence = ?6, provenance = ?7, created_at = ?8, touched =
            ?9, expires_at = ?10
            WHERE source = ?1 AND target = ?2 AND kind = ?3 AND label = ?4 RETURNING number";
        let touched = edge.touched_at.0 - edge.created_at.0;
        let key = (source.raw(), target.raw(), edge.kind as u8, label);
        let values = (edge.weight, edge.confidence, edge.provenance as u8, edge.created_at.0, touched);
        let expires_at = edge.expires_at.map(|at| at.0);
        let params = rusqlite::params![
            key.0, key.1, key.2, key.3, values.0, values.1, values.2, values.3, values.4, expires_at
        ];
        let Some(number): Option<u32> = tables.one(sql, params)? else { return Ok(()) };
        let next = "SELECT coalesce(max(position), -1) + 1 FROM evidence WHERE edge = ?1";
        let next: i64 = tables.one(next, [number])?.unwrap_or(0);
        self.put_evidence(EDGE_EVIDENCE, number, next, &edge.evidence)?;
        self.note_link(number, source, target, label, edge);
        Ok(())
    }

    /// Writes an edge under a free number; false if its key is taken.
    pub(super) fn insert_edge(&mut self, edge: &Edge, number: u32) -> rusqlite::Result<bool> {
        let tables = self.tables;
        let (source, target) = storage_order(edge.source, edge.target, edge.kind);
        let label = tables.intern_label(&edge.label)?;
        let inserted = tables.execute(
            "INSERT INTO edge (number, source, target, kind, label, weight, confidence, provenance,
                created_at, touched, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
             ON CONFLICT (source, target, kind, label) DO NOTHING",
            (
                number,
                source.raw(),
                target.raw(),
                edge.kind as u8,
                label,
                edge.weight,
                edge.confidence,
                edge.provenance as u8,
                edge.created_at.0,
                edge.touched_at.0 - edge.created_at.0,
                edge.expires_at.map(|at| at.0),
            ),
        )?;
        if inserted == 0 {
            return Ok(false);
        }
        self.unsettled.fresh.insert(number);
        if self.is_own_evidence(edge)? {
            self.unsettled.own.insert(number);
        } else {
            self.unsettled.own.remove(&number);
            self.put_evidence(EDGE_EVIDENCE, number, 0, &edge.evidence)?;
        }
        self.note_link(number, source, target, label, edge);
        Ok(true)
    }

    pub fn remove_edge(
        &mut self,
        source: Node,
        target: Node,
        kind: EdgeKind,
        label: &str,
    ) -> rusqlite::Result<()> {
        let tables = self.tables;
        let (source, target) = storage_order(source, target, kind);
        let Some(label) = tables.find_label(label)? else { return Ok(()) };
        let sql = "SELECT number FROM edge WHERE source = ?1 AND target = ?2 AND kind = ?3 AND label = ?4";
        let number: Option<u32> = tables.one(sql, (source.raw(), target.raw(), kind as u8, label))?;
        if let Some(number) = number {
            self.note_gone(number)?;
            tables.execute("DELETE FROM edge WHERE number = ?1", [number])?;
            if self.erases {
                self.leftovers.names.insert(label);
            }
            self.applied.links.remove(&number);
            self.applied.removed_edges.insert(number);
        }
        Ok(())
    }

    pub fn put_fact(&mut self, fact: &Fact) -> Result<()> {
        let wanted = if fact.number == 0 { self.next.fact } else { fact.number };
        let is_new = take_number(&mut self.next.fact, wanted)
            .ok_or_else(|| self.skipped_number(format!("fact f{}", fact.number)))?;
        for node in [Some(fact.subject), fact.object.entity()].into_iter().flatten() {
            self.note_node(node);
            self.unsettled.entities.extend(node.is_entity().then(|| node.number()));
        }
        if !is_new {
            let former = self.tables.run("read", || self.tables.ends_of_fact(wanted))?;
            self.unsettled.entities.extend(former);
        }
        self.tables.run("write a fact to", || {
            self.tables.put_fact_row(fact, wanted, is_new)?;
            self.put_evidence(FACT_EVIDENCE, wanted, 0, &fact.evidence)
        })
    }

    /// Writes evidence from a position on. A memory that is not stored is named by its id.
    pub(super) fn put_evidence(
        &self,
        sql: &str,
        owner: u32,
        first: i64,
        evidence: &[Evidence],
    ) -> rusqlite::Result<()> {
        for (position, Evidence { memory, quote, reason, at }) in (first..).zip(evidence) {
            let memory = match memory {
                None => Value::Null,
                Some(id) => match self.number_of(*id)? {
                    Some(number) => Value::from(number),
                    None => Value::Blob(id.0.into_bytes().to_vec()),
                },
            };
            self.tables.execute(sql, (owner, position, memory, quote, reason, at.0))?;
        }
        Ok(())
    }

    /// Whether reading would reconstruct exactly the evidence of this mention.
    pub(super) fn is_own_evidence(&self, edge: &Edge) -> rusqlite::Result<bool> {
        if edge.kind != EdgeKind::Mentions {
            return Ok(false);
        }
        match edge.evidence.as_slice() {
            [] => Ok(true),
            [only] => {
                let own = self.id_of(edge.source.number())?.map(|id| own_evidence(id, edge.created_at));
                Ok(own.as_ref() == Some(only))
            }
            _ => Ok(false),
        }
    }

    pub(super) fn note_node(&mut self, node: Node) {
        let highest = if node.is_memory() { &mut self.highest_memory } else { &mut self.highest_entity };
        // Node 0 of either sequence does not exist; `u32::MAX` makes the check of the ends fail.
        *highest = (*highest).max(if node.number() == 0 { u32::MAX } else { node.number() });
    }

    /// Records what depended on an edge whose row is removed.
    pub(super) fn note_gone(&mut self, number: u32) -> rusqlite::Result<()> {
        let Some((edge, live)) = self.joint(number)? else { return Ok(()) };
        self.unsettled.entities.extend(edge.entities());
        if edge.kind == EdgeKind::Mentions as u8 && live {
            self.unsettled.unmentioned.push((edge.target.number(), edge.source.number()));
        }
        Ok(())
    }

    fn note_link(&mut self, number: u32, source: Node, target: Node, label: u32, edge: &Edge) {
        let link = Link {
            number,
            source: source.raw(),
            target: target.raw(),
            kind: edge.kind,
            label,
            weight: edge.weight,
            confidence: edge.confidence,
            touched_at: edge.touched_at.0,
            provenance: edge.provenance,
            expires_at: edge.expires_at.map(|at| at.0),
        };
        self.unsettled.edges.insert(number);
        self.applied.hidden_edges.remove(&number);
        self.applied.links.insert(number, link);
    }

    fn id_of(&self, memory: u32) -> rusqlite::Result<Option<MemoryId>> {
        match self.ids.get(&memory) {
            Some(&id) => Ok(Some(id)),
            None => self.tables.memory_id(memory),
        }
    }

    fn number_of(&self, id: MemoryId) -> rusqlite::Result<Option<u32>> {
        match self.numbers.get(&id) {
            Some(&number) => Ok(Some(number)),
            None => self.tables.memory_number(id),
        }
    }
}

const EDGE_EVIDENCE: &str =
    "INSERT INTO evidence (edge, position, memory, quote, reason, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const FACT_EVIDENCE: &str =
    "INSERT INTO fact_evidence (fact, position, memory, quote, reason, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// The ends as stored: the smaller first if the kind is symmetric (`Edge::normalised` without the copy).
pub(in crate::backend::sqlite) fn storage_order(source: Node, target: Node, kind: EdgeKind) -> (Node, Node) {
    if kind.is_symmetric() && source > target { (target, source) } else { (source, target) }
}

impl Tables {
    pub fn memory_number(&self, id: MemoryId) -> rusqlite::Result<Option<u32>> {
        self.one("SELECT number FROM memory WHERE id = ?1", [id.0.into_bytes()])
    }

    fn put_fact_row(&self, fact: &Fact, number: u32, is_new: bool) -> rusqlite::Result<()> {
        if !is_new {
            self.execute("DELETE FROM fact WHERE number = ?1", [number])?;
        }
        let (object, literal) = match &fact.object {
            FactObject::Entity(node) => (Some(node.raw()), None),
            FactObject::Literal(literal) => (None, Some(literal)),
        };
        self.execute(
            "INSERT INTO fact (number, subject, predicate, object, literal, valid_from, valid_to, recorded_at,
             superseded_at, confidence, user, project, ended_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
             ?10, ?11, ?12, ?13)",
            (
                number,
                fact.subject.raw(),
                self.intern(Some(fact.predicate.name()))?,
                object,
                literal,
                fact.valid_from.map(|at| at.0),
                fact.valid_to.map(|at| at.0),
                fact.recorded_at.0,
                fact.superseded_at.map(|at| at.0),
                fact.confidence,
                self.intern(fact.scope.user.as_deref())?,
                self.intern(fact.scope.project.as_deref())?,
                fact.ended_at.map(|at| at.0),
            ),
        )?;
        Ok(())
    }
}
