//! Converts rows to domain types: memories, entities, edges, facts, sources.
//!
//! Every function reads one connection and keeps the order of the request. Several statements build one value
//! (a memory and its tags, an edge and its evidence); the writer guarantees that the parts match, and
//! integrity.rs checks it.

use std::collections::BTreeMap;

use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Params, Row};
use uuid::Uuid;

use super::codec::{pairs_of, strings_from_bytes};
use super::tables::{Tables, finite, nodes_exist, readable, unreadable};
use super::write::liveness::seen;
use crate::backend::{Caption, EdgeSpan, SourceTally};
use crate::model::{
    Edge, EdgeKind, Entity, EntityType, Evidence, Fact, FactObject, Handle, Lines, Memory, MemoryId, Node,
    Predicate, Provenance, Scope, Source, SourceId, SourceType, StoredVector, Tier, Timestamp, canonical_id,
};

const MEMORY: &str = "SELECT m.number, m.id, m.handle, m.kind, m.importance, m.user, m.project, m.agent,
    m.speaker, p.source, p.session, m.ordinal, m.occurred_at, m.recorded_at, m.deleted_at, m.superseded_by,
    m.access_count, m.last_accessed_at, m.first_line, m.last_line, m.heading, m.text, m.tier, m.expires_at,
    EXISTS (SELECT 1 FROM memory_tag t WHERE t.memory = m.number)
    FROM memory m JOIN place p ON p.number = m.place";
const ENTITY: &str =
    "SELECT number, name, kind, description, first_seen, last_seen, deleted_at, earliest, latest, key
    FROM entity";
const EDGE: &str = concat!(
    "SELECT number, source, target, kind, label, weight, confidence, provenance, created_at, touched,
    expires_at FROM edge WHERE ",
    nodes_exist!("edge.source", "edge.target")
);
const FACT: &str = concat!(
    "SELECT number, subject, predicate, object, literal, valid_from, valid_to, recorded_at, superseded_at,
    confidence, user, project, ended_at FROM fact WHERE ",
    nodes_exist!("fact.subject"),
    " AND (fact.object IS NULL OR ",
    nodes_exist!("fact.object"),
    ")"
);
const SOURCE: &str =
    "SELECT number, kind, origin, title, tags, content_hash, created_at, updated_at, deleted_at, language,
    from_disk, metadata FROM source";

impl Tables {
    /// Those of the nodes that are memories.
    pub fn memories(&self, nodes: &[Node]) -> rusqlite::Result<Vec<Memory>> {
        let numbers = nodes.iter().filter(|node| node.is_memory()).map(|node| node.number());
        self.row_of_each(&format!("{MEMORY} WHERE m.number = ?1"), numbers, |row| self.read_memory(row))
    }

    pub fn memories_after(&self, number: u32, limit: usize) -> rusqlite::Result<Vec<Memory>> {
        let sql = format!("{MEMORY} WHERE m.number > ?1 ORDER BY m.number LIMIT ?2");
        self.rows(&sql, (number, limit as i64), |row| self.read_memory(row))
    }

    fn read_memory(&self, row: &Row<'_>) -> rusqlite::Result<Memory> {
        let number: u32 = row.get(0)?;
        // Most have none, and a statement costs more than the row.
        let tags: Vec<u32> = match row.get(24)? {
            true => self.all("SELECT tag FROM memory_tag WHERE memory = ?1 ORDER BY position", [number])?,
            false => Vec::new(),
        };
        // Unreadable optional fields are omitted. Fields that control visibility must be readable.
        let first_line: Option<u32> = readable(row.get(18))?.flatten();
        let last_line: Option<u32> = readable(row.get(19))?.flatten();
        Ok(Memory {
            node: Node::memory(number),
            id: MemoryId(Uuid::from_bytes(row.get(1)?)),
            handle: Handle(format!("#{}", row.get_ref(2)?.as_str()?)),
            text: row.get(21)?,
            kind: self.word(row.get(3)?)?,
            tags: tags.into_iter().map(|tag| self.word(tag)).collect::<rusqlite::Result<_>>()?,
            tier: Tier::from_number(row.get(22)?).ok_or_else(|| unreadable("the tier of a memory"))?,
            importance: row.get(4)?,
            scope: Scope { user: self.name(row.get(5)?)?, project: self.name(row.get(6)?)? },
            agent: self.name(row.get(7)?)?,
            session: self.name(row.get(10)?)?,
            speaker: self.name(row.get(8)?)?,
            heading: readable(read_strings(row, 20))?.unwrap_or_default(),
            lines: first_line.zip(last_line).map(|(first, last)| Lines { first, last }),
            source: SourceId(row.get(9)?),
            ordinal: readable(row.get(11))?.unwrap_or_default(),
            occurred_at: Timestamp(row.get(12)?),
            recorded_at: Timestamp(row.get(13)?),
            expires_at: read_time(row, 23)?,
            deleted_at: read_time(row, 14)?,
            superseded_by: row.get::<_, Option<[u8; 16]>>(15)?.map(|id| MemoryId(Uuid::from_bytes(id))),
            access_count: row.get(16)?,
            last_accessed_at: read_time(row, 17)?,
        })
    }

    pub fn memory_id(&self, number: u32) -> rusqlite::Result<Option<MemoryId>> {
        let id: Option<[u8; 16]> = self.one("SELECT id FROM memory WHERE number = ?1", [number])?;
        Ok(id.map(|id| MemoryId(Uuid::from_bytes(id))))
    }

    /// The vectors of the memories that have one.
    pub fn vectors(&self, memories: &[Node]) -> rusqlite::Result<Vec<(Node, StoredVector)>> {
        let numbers = memories.iter().filter(|node| node.is_memory()).map(|node| node.number());
        self.row_of_each("SELECT memory, model, scale, data FROM vector WHERE memory = ?1", numbers, |row| {
            let vector = StoredVector {
                model: self.word(row.get(1)?)?,
                scale: row.get(2)?,
                values: row.get_ref(3)?.as_blob()?.iter().map(|&byte| byte as i8).collect(),
            };
            Ok((Node::memory(row.get(0)?), vector))
        })
    }

    /// Those of the memories with a row for this model among the vectors in the making.
    pub fn staged(&self, model: &str, memories: &[Node]) -> rusqlite::Result<Vec<Node>> {
        if memories.is_empty() {
            return Ok(Vec::new());
        }
        let Some(model) = self.find_name(model)? else { return Ok(Vec::new()) };
        let numbers = memories.iter().filter(|node| node.is_memory()).map(|node| node.number());
        let sql = format!("SELECT memory FROM next_vector WHERE memory = ?1 AND model = {model}");
        self.row_of_each(&sql, numbers, |row| Ok(Node::memory(row.get(0)?)))
    }

    /// Those of the nodes that are entities.
    pub fn entities(&self, nodes: &[Node]) -> rusqlite::Result<Vec<Entity>> {
        let numbers = nodes.iter().filter(|node| node.is_entity()).map(|node| node.number());
        self.row_of_each(&format!("{ENTITY} WHERE number = ?1"), numbers, |row| self.read_entity(row))
    }

    pub fn entities_after(&self, number: u32, limit: usize) -> rusqlite::Result<Vec<Entity>> {
        let sql = format!("{ENTITY} WHERE number > ?1 ORDER BY number LIMIT ?2");
        self.rows(&sql, (number, limit as i64), |row| self.read_entity(row))
    }

    fn read_entity(&self, row: &Row<'_>) -> rusqlite::Result<Entity> {
        let number: u32 = row.get(0)?;
        let said = (Timestamp(row.get(4)?), Timestamp(row.get(5)?));
        let (first_seen, last_seen) = seen(said, (read_time(row, 7)?, read_time(row, 8)?));
        Ok(Entity {
            node: Node::entity(number),
            name: row.get(1)?,
            kind: self.entity_type_or_concept(row, 2)?,
            key: readable(row.get::<_, Option<String>>(9))?.flatten().unwrap_or_default(),
            aliases: self.all(
                "SELECT name FROM alias WHERE entity = ?1 AND position > 0 ORDER BY position",
                [number],
            )?,
            description: readable(read_strings(row, 3))?.unwrap_or_default(),
            first_seen,
            last_seen,
            deleted_at: read_time(row, 6)?,
        })
    }

    /// Memories in the order of the request, then entities.
    pub fn captions(&self, nodes: &[Node]) -> rusqlite::Result<Vec<Caption>> {
        let of_memory = "SELECT m.handle, m.text, m.importance, m.user, m.project, p.source, m.occurred_at,
            m.number, m.superseded_by IS NOT NULL
            FROM memory m JOIN place p ON p.number = m.place WHERE m.number = ?1";
        let of_entity = format!("{ENTITY} WHERE number = ?1");
        let numbers = |of_memories: bool| {
            nodes.iter().filter(move |node| node.is_memory() == of_memories).map(|node| node.number())
        };
        let memory = |row: &Row<'_>| {
            Ok(Caption {
                node: Node::memory(row.get(7)?),
                kind: None,
                // `substr` ends at a NUL.
                text: row.get_ref(1)?.as_str()?.chars().take(Caption::BEGINNING).collect(),
                name: format!("#{}", row.get_ref(0)?.as_str()?),
                scope: Scope { user: self.name(row.get(3)?)?, project: self.name(row.get(4)?)? },
                source: Some(SourceId(row.get(5)?)),
                importance: row.get(2)?,
                superseded: row.get(8)?,
                at: Timestamp(row.get(6)?),
            })
        };
        let entity = |row: &Row<'_>| {
            let said = (Timestamp(row.get(4)?), Timestamp(row.get(5)?));
            let kind = self.entity_type_or_concept(row, 2)?;
            let key: Option<String> = readable(row.get(9))?.flatten();
            Ok(Caption {
                node: Node::entity(row.get(0)?),
                kind: Some(kind),
                text: row.get(1)?,
                name: canonical_id(kind, &key.unwrap_or_default()),
                scope: Scope::default(),
                source: None,
                importance: 0,
                superseded: false,
                at: seen(said, (read_time(row, 7)?, read_time(row, 8)?)).0,
            })
        };
        let mut captions = self.row_of_each(of_memory, numbers(true), memory)?;
        captions.extend(self.row_of_each(&of_entity, numbers(false), entity)?);
        Ok(captions)
    }

    /// The edges in the order of the request.
    pub fn spans(&self, edges: &[u32]) -> rusqlite::Result<Vec<EdgeSpan>> {
        // A mention without a row of evidence is evidenced by its memory.
        let sql = format!(
            "SELECT number, created_at, expires_at,
            kind = {} OR EXISTS (SELECT 1 FROM evidence v WHERE v.edge = edge.number)
             FROM edge WHERE number = ?1",
            EdgeKind::Mentions as u8
        );
        self.row_of_each(&sql, edges.iter().copied(), |row| {
            Ok(EdgeSpan {
                edge: row.get(0)?,
                created_at: Timestamp(row.get(1)?),
                expires_at: read_time(row, 2)?,
                has_evidence: row.get(3)?,
            })
        })
    }

    /// Entities with an unreadable type count as concepts.
    pub fn entity_type_or_concept(&self, row: &Row<'_>, column: usize) -> rusqlite::Result<EntityType> {
        let kind = row.get(column).and_then(|name| self.entity_type(name));
        Ok(readable(kind)?.unwrap_or(EntityType::Concept))
    }

    pub fn entity_type(&self, name: u32) -> rusqlite::Result<EntityType> {
        EntityType::parse(&self.word(name)?).ok_or_else(|| unreadable("the type of an entity"))
    }

    pub fn edge(&self, number: u32) -> rusqlite::Result<Option<Edge>> {
        Ok(self.edges_where("number = ?1", [number])?.pop())
    }

    /// Takes the ends as stored: the smaller first if the kind is symmetric.
    pub fn edge_by_key(
        &self,
        source: Node,
        target: Node,
        kind: EdgeKind,
        label: u32,
    ) -> rusqlite::Result<Option<Edge>> {
        let wanted = "source = ?1 AND target = ?2 AND kind = ?3 AND label = ?4";
        Ok(self.edges_where(wanted, (source.raw(), target.raw(), kind as u8, label))?.pop())
    }

    pub fn edges_after(&self, number: u32, limit: usize) -> rusqlite::Result<Vec<Edge>> {
        self.edges_where("number > ?1 ORDER BY number LIMIT ?2", (number, limit as i64))
    }

    /// By number. Two index look-ups instead of one scan with OR.
    pub fn edges_of(&self, node: Node) -> rusqlite::Result<Vec<Edge>> {
        let wanted = "number IN
            (SELECT number FROM edge WHERE source = ?1 UNION SELECT number FROM edge WHERE target = ?1)
            ORDER BY number";
        self.edges_where(wanted, [node.raw()])
    }

    fn edges_where(&self, wanted: &str, params: impl Params) -> rusqlite::Result<Vec<Edge>> {
        self.rows(&format!("{EDGE} AND {wanted}"), params, |row| self.read_edge(row))
    }

    fn read_edge(&self, row: &Row<'_>) -> rusqlite::Result<Edge> {
        let number: u32 = row.get(0)?;
        let source = Node::from_raw(row.get(1)?);
        let kind = EdgeKind::from_number(row.get(3)?).ok_or_else(|| unreadable("the kind of an edge"))?;
        let created_at: i64 = row.get(8)?;
        let mut evidence = self.evidence(
            "SELECT memory, quote, reason, at FROM evidence WHERE edge = ?1 ORDER BY position",
            number,
        )?;
        if evidence.is_empty() && kind == EdgeKind::Mentions {
            evidence
                .extend(self.memory_id(source.number())?.map(|id| own_evidence(id, Timestamp(created_at))));
        }
        Ok(Edge {
            number,
            source,
            target: Node::from_raw(row.get(2)?),
            kind,
            label: self.word(row.get(4)?)?,
            weight: finite(row, 5)?,
            confidence: finite(row, 6)?,
            provenance: Provenance::from_number(row.get(7)?).ok_or_else(|| unreadable("who says an edge"))?,
            evidence,
            created_at: Timestamp(created_at),
            touched_at: Timestamp(
                created_at.checked_add(row.get(9)?).ok_or_else(|| unreadable("when an edge was touched"))?,
            ),
            expires_at: read_time(row, 10)?,
        })
    }

    fn evidence(&self, sql: &str, owner: u32) -> rusqlite::Result<Vec<Evidence>> {
        self.rows(sql, [owner], |row| {
            let memory = match row.get_ref(0)? {
                ValueRef::Null => None,
                ValueRef::Integer(number) => {
                    let id = self.memory_id(number as u32)?;
                    Some(id.ok_or_else(|| unreadable("the memory of an evidence"))?)
                }
                ValueRef::Blob(id) => {
                    Some(MemoryId(Uuid::from_slice(id).map_err(|_| unreadable("the memory of an evidence"))?))
                }
                _ => return Err(unreadable("the memory of an evidence")),
            };
            Ok(Evidence { memory, quote: row.get(1)?, reason: row.get(2)?, at: Timestamp(row.get(3)?) })
        })
    }

    /// All facts, or those with the node as subject or object.
    pub fn facts(&self, node: Option<Node>) -> rusqlite::Result<Vec<Fact>> {
        let about = if node.is_some() { "AND (subject = ?1 OR object = ?1)" } else { "" };
        let sql = format!("{FACT} {about} ORDER BY number");
        self.rows(&sql, rusqlite::params_from_iter(node.map(Node::raw)), |row| self.read_fact(row))
    }

    fn read_fact(&self, row: &Row<'_>) -> rusqlite::Result<Fact> {
        let number: u32 = row.get(0)?;
        let object = match row.get::<_, Option<u32>>(3)? {
            Some(node) => FactObject::Entity(Node::from_raw(node)),
            None => FactObject::Literal(row.get(4)?),
        };
        Ok(Fact {
            number,
            subject: Node::from_raw(row.get(1)?),
            predicate: Predicate::parse(&self.word(row.get(2)?)?)
                .ok_or_else(|| unreadable("the predicate of a fact"))?,
            object,
            valid_from: read_time(row, 5)?,
            valid_to: read_time(row, 6)?,
            recorded_at: Timestamp(row.get(7)?),
            superseded_at: read_time(row, 8)?,
            ended_at: read_time(row, 12)?,
            confidence: finite(row, 9)?,
            scope: Scope { user: self.name(row.get(10)?)?, project: self.name(row.get(11)?)? },
            evidence: self.evidence(
                "SELECT memory, quote, reason, at FROM fact_evidence WHERE fact = ?1 ORDER BY position",
                number,
            )?,
        })
    }

    pub fn source(&self, id: SourceId) -> rusqlite::Result<Option<Source>> {
        self.cached(&format!("{SOURCE} WHERE number = ?1"))?
            .query_row([id.0], |row| self.read_source(row))
            .optional()
    }

    pub fn source_by_origin(&self, kind: SourceType, origin: &str) -> rusqlite::Result<Option<Source>> {
        let Some(kind) = self.find_name(kind.name())? else { return Ok(None) };
        self.cached(&format!("{SOURCE} WHERE kind = ?1 AND origin = ?2"))?
            .query_row((kind, origin), |row| self.read_source(row))
            .optional()
    }

    pub fn sources(&self) -> rusqlite::Result<Vec<Source>> {
        self.map(&format!("{SOURCE} ORDER BY number"), [], |row| self.read_source(row))
    }

    pub fn source_tallies(&self) -> rusqlite::Result<Vec<SourceTally>> {
        // An even node is a memory, an odd one an entity.
        let mut tallies: BTreeMap<u32, SourceTally> = BTreeMap::new();
        let mut add = |sql: &str, put: fn(&mut SourceTally, u32)| -> rusqlite::Result<()> {
            let mut statement = self.cached(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let source: u32 = row.get(0)?;
                let none = SourceTally { source: SourceId(source), memories: 0, entities: 0, edges: 0 };
                put(tallies.entry(source).or_insert(none), row.get(1)?);
            }
            Ok(())
        };
        add(
            "SELECT p.source, count(*) FROM memory m JOIN place p ON p.number = m.place
            WHERE m.deleted_at IS NULL GROUP BY p.source",
            |tally, count| tally.memories = count,
        )?;
        add(
            "SELECT p.source, count(DISTINCT e.target) FROM edge e JOIN memory m ON m.number = e.source / 2
            JOIN place p ON p.number = m.place
            WHERE e.source % 2 = 0 AND e.target % 2 = 1 AND e.live AND m.deleted_at IS NULL
            GROUP BY p.source",
            |tally, count| tally.entities = count,
        )?;
        add(
            "SELECT source, count(DISTINCT edge) FROM (
                SELECT p.source AS source, e.number AS edge FROM edge e JOIN memory m
                ON m.number = e.source / 2
                JOIN place p ON p.number = m.place WHERE e.source % 2 = 0 AND e.live AND m.deleted_at IS NULL
                UNION ALL
                SELECT p.source, e.number FROM edge e JOIN memory m ON m.number = e.target / 2
                JOIN place p ON p.number = m.place WHERE e.target % 2 = 0 AND e.live AND m.deleted_at IS NULL
            ) GROUP BY source",
            |tally, count| tally.edges = count,
        )?;
        Ok(tallies.into_values().collect())
    }

    fn read_source(&self, row: &Row<'_>) -> rusqlite::Result<Source> {
        Ok(Source {
            id: SourceId(row.get(0)?),
            kind: SourceType::parse(&self.word(row.get(1)?)?)
                .ok_or_else(|| unreadable("the type of a source"))?,
            origin: row.get(2)?,
            title: row.get(3)?,
            tags: read_strings(row, 4)?,
            content_hash: row.get(5)?,
            created_at: Timestamp(row.get(6)?),
            updated_at: Timestamp(row.get(7)?),
            deleted_at: read_time(row, 8)?,
            language: row.get(9)?,
            from_disk: row.get(10)?,
            metadata: pairs_of(readable(read_strings(row, 11))?.unwrap_or_default()),
        })
    }
}

/// The default evidence of a mention.
pub(super) fn own_evidence(memory: MemoryId, at: Timestamp) -> Evidence {
    Evidence { memory: Some(memory), quote: None, reason: None, at }
}

fn read_time(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp))
}

fn read_strings(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<String>> {
    match row.get_ref(column)?.as_blob_or_null()? {
        None => Ok(Vec::new()),
        Some(bytes) => strings_from_bytes(bytes).ok_or_else(|| unreadable("a list of strings")),
    }
}
