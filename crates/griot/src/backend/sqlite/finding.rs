//! Look-ups by name (handles, canonical ids, aliases, hashes, sessions) and counts.

use std::collections::BTreeMap;

use rusqlite::Row;

use super::tables::{Tables, readable};
use super::write::short_hash;
use crate::backend::{Counts, Found, FoundEntity, NodeName, Of};
use crate::model::{
    EdgeKind, EntityType, Handle, Memory, MemoryId, Node, Scope, SourceId, Timestamp, content_hash,
};

impl Tables {
    pub fn numbers(&self, of: Of<'_>) -> rusqlite::Result<Vec<u32>> {
        let (sql, name) = match of {
            Of::Tag(tag) => ("SELECT DISTINCT memory FROM memory_tag WHERE tag = ?1 ORDER BY memory", tag),
            Of::SourceType(kind) => {
                ("SELECT number FROM source WHERE kind = ?1 ORDER BY number", kind.name())
            }
            Of::Rules => {
                let sql = "SELECT number FROM memory WHERE tier = 1 AND deleted_at IS NULL
                    ORDER BY importance DESC, recorded_at DESC, number DESC";
                return self.all(sql, []);
            }
        };
        match self.find_name(name)? {
            Some(name) => self.all(sql, [name]),
            None => Ok(Vec::new()),
        }
    }

    pub fn has_rules(&self) -> rusqlite::Result<bool> {
        // Left to itself SQLite takes the index by hash, and looks up every memory.
        let sql = "SELECT 1 FROM memory INDEXED BY memory_by_rule
            WHERE tier = 1 AND deleted_at IS NULL LIMIT 1";
        Ok(self.one::<i64>(sql, [])?.is_some())
    }

    /// Number of live expired memories per kind.
    pub fn expired(&self, now: Timestamp) -> rusqlite::Result<BTreeMap<String, u64>> {
        let sql =
            "SELECT kind, count(*) FROM memory WHERE expires_at <= ?1 AND deleted_at IS NULL GROUP BY kind";
        let counts = |row: &Row<'_>| Ok((self.word(row.get(0)?)?, row.get::<_, i64>(1)? as u64));
        Ok(self.map(sql, [now.0], counts)?.into_iter().collect())
    }

    pub fn memory_by_hash(&self, hash: &[u8; 16]) -> rusqlite::Result<Option<Node>> {
        let mut statement = self.cached(
            "SELECT number, text, user, project FROM memory WHERE hash = ?1 AND deleted_at IS NULL
                ORDER BY number DESC",
        )?;
        let mut rows = statement.query([short_hash(hash)])?;
        while let Some(row) = rows.next()? {
            let name = |at| readable(row.get(at).and_then(|name| self.name(name)));
            let (Some(user), Some(project)) = (name(2)?, name(3)?) else { continue };
            let scope = Scope { user, project };
            if content_hash(row.get_ref(1)?.as_str()?, &scope) == *hash {
                return Ok(Some(Node::memory(row.get(0)?)));
            }
        }
        Ok(None)
    }

    pub fn find(&self, name: &NodeName<'_>) -> rusqlite::Result<Vec<Found>> {
        let nodes = match *name {
            NodeName::Entity(name) => return self.entities_named(name),
            NodeName::Key(key) => return self.key_holders(key),
            NodeName::Id(id) => self.memory_number(id)?.map(Node::memory).into_iter().collect(),
            NodeName::Handle(text) => self.memories_by_handle(text)?,
            NodeName::Hash(hash) => self.memory_by_hash(hash)?.into_iter().collect(),
            NodeName::Canonical(id) => self.bearers(id)?,
        };
        Ok(nodes.into_iter().map(|node| Found { node, entity: None }).collect())
    }

    /// The entity with this canonical id, else the entities that had it formerly.
    fn bearers(&self, id: &str) -> rusqlite::Result<Vec<Node>> {
        let sql = "SELECT e.number, a.position = 0 FROM alias a JOIN entity e ON e.number = a.entity
            WHERE a.name = ?1 AND e.deleted_at IS NULL ORDER BY a.position > 0, e.number";
        let named = self.map(sql, [id], |row| Ok((Node::entity(row.get(0)?), row.get(1)?)))?;
        if let Some(&(bearer, true)) = named.first() {
            return Ok(vec![bearer]);
        }
        let mut former: Vec<Node> = named.into_iter().map(|(node, _)| node).collect();
        former.dedup();
        Ok(former)
    }

    /// The memory with exactly this handle; else those whose handle starts with it; else those whose handle
    /// is a prefix of it, if the remaining digits match their id.
    fn memories_by_handle(&self, text: &str) -> rusqlite::Result<Vec<Node>> {
        let digits = text.strip_prefix('#').unwrap_or(text).to_ascii_lowercase();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Vec::new());
        }
        if let Some(number) = self.one("SELECT number FROM memory WHERE handle = ?1", [&digits])? {
            return Ok(vec![Node::memory(number)]);
        }
        // 'g' is the character after the last hexadecimal digit.
        let sql = "SELECT number FROM memory WHERE handle >= ?1 AND handle < ?1 || 'g' ORDER BY number";
        let begins: Vec<u32> = self.all(sql, [&digits])?;
        if !begins.is_empty() {
            return Ok(begins.into_iter().map(Node::memory).collect());
        }
        let whole = format!("#{digits}");
        let mut longer = Vec::new();
        for length in Handle::DIGITS.min(digits.len())..digits.len() {
            let number: Option<u32> =
                self.one("SELECT number FROM memory WHERE handle = ?1", [&digits[..length]])?;
            if let Some(number) = number
                && self.memory_id(number)?.is_some_and(|id| id.handle(digits.len()).0 == whole)
            {
                longer.push(number);
            }
        }
        longer.sort_unstable();
        Ok(longer.into_iter().map(Node::memory).collect())
    }

    /// Entities with this normal name that are not forgotten.
    fn entities_named(&self, name: &str) -> rusqlite::Result<Vec<Found>> {
        let sql = "SELECT DISTINCT e.number, e.kind, e.live FROM alias a JOIN entity e ON e.number = a.entity
             WHERE a.name = ?1 AND a.position > 0 AND e.deleted_at IS NULL ORDER BY e.number";
        self.map(sql, [name], |row| {
            let kind = self.entity_type_or_concept(row, 1)?;
            let entity = FoundEntity { kind, hidden: false, live: row.get(2)? };
            Ok(Found { node: Node::entity(row.get(0)?), entity: Some(entity) })
        })
    }

    fn key_holders(&self, key: &str) -> rusqlite::Result<Vec<Found>> {
        let sql =
            "SELECT number, kind, deleted_at IS NOT NULL, live FROM entity WHERE key = ?1 ORDER BY number";
        self.map(sql, [key], |row| {
            let kind = self.entity_type(row.get(1)?)?;
            let entity = FoundEntity { kind, hidden: row.get(2)?, live: row.get(3)? };
            Ok(Found { node: Node::entity(row.get(0)?), entity: Some(entity) })
        })
    }

    pub fn named_like(
        &self,
        part: &str,
        kind: Option<EntityType>,
        limit: usize,
    ) -> rusqlite::Result<Vec<(Node, u32)>> {
        let Some(kind) = self.number_of_type(kind)? else { return Ok(Vec::new()) };
        let sql = "SELECT e.number,
               (SELECT count(*) FROM edge WHERE target = e.number * 2 + 1 AND kind = ?3 AND live) AS mentions
             FROM entity e
             WHERE e.live AND (?2 = 0 OR e.kind = ?2) AND EXISTS
               (SELECT 1 FROM alias a WHERE a.entity = e.number AND a.position > 0 AND instr(a.name, ?1) > 0)
             ORDER BY mentions DESC, e.number LIMIT ?4";
        let asked = (part, kind, EdgeKind::Mentions as u8, limit as i64);
        self.map(sql, asked, |row| Ok((Node::entity(row.get(0)?), row.get(1)?)))
    }

    /// The number of a type's name, 0 for any type; `None` if no entity has it.
    pub fn number_of_type(&self, kind: Option<EntityType>) -> rusqlite::Result<Option<u32>> {
        kind.map_or(Ok(Some(0)), |kind| self.find_name(kind.name()))
    }

    pub fn source_memories(&self, source: SourceId, deleted: bool) -> rusqlite::Result<Vec<Node>> {
        let sql = "SELECT m.number FROM place p JOIN memory m ON m.place = p.number
            LEFT JOIN name n ON n.number = p.session
            WHERE p.source = ?1 AND (?2 OR m.deleted_at IS NULL) ORDER BY n.text, m.ordinal, m.number";
        Ok(self.all::<u32>(sql, (source.0, deleted))?.into_iter().map(Node::memory).collect())
    }

    /// One more than the highest ordinal, deleted memories included, because they may be restored. An ordinal
    /// beyond the last one, which only damage causes, does not block later memories.
    pub fn next_ordinal(&self, source: SourceId, session: Option<&str>) -> rusqlite::Result<u32> {
        let session = match session {
            None => 0,
            Some(session) => match self.find_name(session)? {
                None => return Ok(0),
                Some(number) => number,
            },
        };
        let sql = "SELECT min(max(ordinal) + 1, ?3) FROM memory WHERE ordinal BETWEEN 0 AND ?3 AND place =
            (SELECT number FROM place WHERE source = ?1 AND session = ?2)";
        let next: Option<Option<u32>> = self.one(sql, (source.0, session, Memory::LAST_ORDINAL))?;
        Ok(next.flatten().unwrap_or(0))
    }

    /// Number of digits in the shortest free handle of a new id.
    pub fn free_handle(&self, id: MemoryId) -> rusqlite::Result<u32> {
        let whole = id.handle(usize::MAX).0;
        let most = whole.len() - 1;
        for digits in Handle::DIGITS..most {
            if self.one::<i64>("SELECT 1 FROM memory WHERE handle = ?1", [&whole[1..=digits]])?.is_none() {
                return Ok(digits as u32);
            }
        }
        Ok(most as u32)
    }

    /// Everything but edges.
    pub fn counts(&self) -> rusqlite::Result<Counts> {
        let mut counts = Counts::default();
        let mut statement = self.cached(
            "SELECT kind, deleted_at IS NOT NULL, superseded_by IS NOT NULL, count(*), min(occurred_at)
                FROM memory GROUP BY 1, 2, 3",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (deleted, superseded): (bool, bool) = (row.get(1)?, row.get(2)?);
            let count = row.get::<_, i64>(3)? as u64;
            if deleted {
                counts.deleted_memories += count;
                continue;
            }
            counts.memories += count;
            let earliest = Timestamp(row.get(4)?);
            counts.earliest = Some(counts.earliest.map_or(earliest, |known| known.min(earliest)));
            counts.superseded_memories += if superseded { count } else { 0 };
            let kind = readable(row.get(0).and_then(|name| self.word(name)))?.unwrap_or_default();
            *counts.memories_by_kind.entry(kind).or_default() += count;
        }
        let sql = "SELECT kind, count(*) FROM entity WHERE live GROUP BY kind";
        let of_type =
            |row: &Row<'_>| Ok((self.entity_type_or_concept(row, 0)?, row.get::<_, i64>(1)? as u64));
        for (kind, count) in self.map(sql, [], of_type)? {
            counts.entities += count;
            *counts.entities_by_type.entry(kind.name().to_owned()).or_default() += count;
        }
        let count =
            |sql: &str| -> rusqlite::Result<u64> { Ok(self.one::<i64>(sql, [])?.unwrap_or(0) as u64) };
        counts.vectors = count("SELECT count(*) FROM vector")?;
        counts.facts = count("SELECT count(*) FROM fact")?;
        counts.sources = count("SELECT count(*) FROM source WHERE deleted_at IS NULL")?;
        Ok(counts)
    }
}
