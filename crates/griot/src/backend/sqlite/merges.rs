//! Reads the log of merges, suggestions and type votes from their rows; encodes the undo record of a merge.
//!
//! The blob `merge.undo` is: both entities, the new type, then five lists, each with its length first: keys
//! of moved edges, pairs of folded edges, dropped edges, facts, memories. Numbers are encoded as in codec.rs;
//! a signed one as its absolute value with the sign in the lowest bit; floats as their bits; a string as its
//! length and its bytes; an option as 0, or 1 and the value. Types, labels and predicates are strings, so
//! that the blob depends on no table.

use rusqlite::Row;
use uuid::Uuid;

use super::codec::{put_number, take_number};
use super::tables::{Tables, unreadable};
use crate::model::{
    Edge, EdgeKey, EdgeKind, Entity, EntityType, Evidence, Fact, FactObject, FoldedEdge, MemoryId, Merge,
    Node, Predicate, Provenance, Scope, Suggestion, SuggestionState, Timestamp, TypeVotes,
};

impl Tables {
    pub fn spoken_by(&self, entity: Node) -> rusqlite::Result<Vec<Node>> {
        if !entity.is_entity() {
            return Ok(Vec::new());
        }
        let sql = "SELECT number FROM memory WHERE speaker_entity = ?1 ORDER BY number";
        Ok(self.all::<u32>(sql, [entity.raw()])?.into_iter().map(Node::memory).collect())
    }

    pub fn type_votes(&self, entity: Node) -> rusqlite::Result<Vec<TypeVotes>> {
        if !entity.is_entity() {
            return Ok(Vec::new());
        }
        let mut votes: Vec<TypeVotes> = self
            .cached("SELECT kind, given, times FROM entity_type WHERE entity = ?1")?
            .query_map([entity.number()], |row| {
                Ok(TypeVotes { kind: self.entity_type(row.get(0)?)?, given: row.get(1)?, times: row.get(2)? })
            })?
            .collect::<rusqlite::Result<_>>()?;
        votes.sort();
        Ok(votes)
    }

    pub fn next_merge(&self) -> rusqlite::Result<u32> {
        let last: Option<Option<u32>> = self.one(
            "SELECT max(number) FROM (SELECT number FROM merge UNION ALL SELECT value FROM meta
                WHERE key = 'last merge')",
            [],
        )?;
        Ok(last.flatten().unwrap_or(0) + 1)
    }

    pub fn merges_after(&self, number: u32, limit: usize) -> rusqlite::Result<Vec<Merge>> {
        self.cached(
            "SELECT number, at, provenance, reason, undone_at, undo FROM merge WHERE number > ?1
                ORDER BY number LIMIT ?2",
        )?
        .query_map((number, limit as i64), read_merge)?
        .collect()
    }

    pub fn suggestions(&self) -> rusqlite::Result<Vec<Suggestion>> {
        self.cached(
            "SELECT number, kept, merged, likeness, reason, at, state FROM merge_suggestion ORDER BY number",
        )?
        .query_map([], |row| {
            Ok(Suggestion {
                number: row.get(0)?,
                kept: Node::entity(row.get(1)?),
                merged: Node::entity(row.get(2)?),
                similarity: row.get(3)?,
                reason: row.get(4)?,
                at: Timestamp(row.get(5)?),
                state: SuggestionState::from_number(row.get(6)?)
                    .ok_or_else(|| unreadable("the state of a suggestion"))?,
            })
        })?
        .collect()
    }
}

fn read_merge(row: &Row<'_>) -> rusqlite::Result<Merge> {
    let undo =
        undo_from_bytes(row.get_ref(5)?.as_blob()?).ok_or_else(|| unreadable("what undoes a merge"))?;
    Ok(Merge {
        number: row.get(0)?,
        at: Timestamp(row.get(1)?),
        by: Provenance::from_number(row.get(2)?).ok_or_else(|| unreadable("who merged"))?,
        reason: row.get(3)?,
        undone_at: row.get::<_, Option<i64>>(4)?.map(Timestamp),
        ..undo
    })
}

pub(super) fn undo_to_bytes(merge: &Merge) -> Vec<u8> {
    let mut out = Bytes(Vec::new());
    out.entity(&merge.kept);
    out.entity(&merge.merged);
    out.text(merge.kind.name());
    out.list(&merge.moved, |out, key| {
        out.number(key.source.raw());
        out.number(key.target.raw());
        out.number(key.kind as u32);
        out.text(&key.label);
    });
    out.list(&merge.folded, |out, folded| {
        out.edge(&folded.edge);
        out.edge(&folded.into);
    });
    out.list(&merge.dropped, Bytes::edge);
    out.list(&merge.facts, Bytes::fact);
    out.list(&merge.spoken, |out, node| out.number(node.raw()));
    // Last, because older records end here.
    out.list(&merge.facts, |out, fact| {
        out.option(fact.scope.user.as_deref(), Bytes::text);
        out.option(fact.scope.project.as_deref(), Bytes::text);
    });
    out.0
}

/// `None` if the bytes are damaged. Values with their own columns keep their defaults.
fn undo_from_bytes(bytes: &[u8]) -> Option<Merge> {
    undo_from(Reader { rest: bytes, has_keys: true })
}

/// Decodes records of formats 2 to 4, which have no entity keys; these are left empty.
pub(super) fn undo_of_format_4(bytes: &[u8]) -> Option<Merge> {
    undo_from(Reader { rest: bytes, has_keys: false })
}

fn undo_from(mut from: Reader<'_>) -> Option<Merge> {
    let mut merge = Merge {
        number: 0,
        kept: from.entity()?,
        merged: from.entity()?,
        kind: EntityType::parse(&from.text()?)?,
        at: Timestamp(0),
        by: Provenance::User,
        reason: None,
        moved: from.list(|from| {
            Some(EdgeKey {
                source: from.node()?,
                target: from.node()?,
                kind: from.edge_kind()?,
                label: from.text()?,
            })
        })?,
        folded: from.list(|from| Some(FoldedEdge { edge: from.edge()?, into: from.edge()? }))?,
        dropped: from.list(Reader::edge)?,
        facts: from.list(Reader::fact)?,
        spoken: from.list(Reader::node)?,
        undone_at: None,
    };
    if !from.rest.is_empty() {
        let scopes = from.list(|from| {
            Some(Scope { user: from.option(Reader::text)?, project: from.option(Reader::text)? })
        })?;
        for (fact, scope) in merge.facts.iter_mut().zip(scopes) {
            fact.scope = scope;
        }
    }
    from.rest.is_empty().then_some(merge)
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn number(&mut self, number: u32) {
        put_number(&mut self.0, u64::from(number));
    }

    fn time(&mut self, at: Timestamp) {
        put_number(&mut self.0, ((at.0 << 1) ^ (at.0 >> 63)) as u64);
    }

    fn float(&mut self, value: f32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        put_number(&mut self.0, text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn option<T>(&mut self, value: Option<T>, put: impl FnOnce(&mut Self, T)) {
        self.0.push(u8::from(value.is_some()));
        if let Some(value) = value {
            put(self, value);
        }
    }

    fn list<T>(&mut self, items: &[T], put: impl Fn(&mut Self, &T)) {
        put_number(&mut self.0, items.len() as u64);
        items.iter().for_each(|item| put(self, item));
    }

    fn entity(&mut self, entity: &Entity) {
        self.number(entity.node.raw());
        self.text(&entity.name);
        self.text(entity.kind.name());
        self.text(&entity.key);
        self.list(&entity.aliases, |out, alias| out.text(alias));
        self.list(&entity.description, |out, fragment| out.text(fragment));
        self.time(entity.first_seen);
        self.time(entity.last_seen);
        self.option(entity.deleted_at, Self::time);
    }

    fn evidence(&mut self, evidence: &Evidence) {
        self.option(evidence.memory, |out, id| out.0.extend_from_slice(id.0.as_bytes()));
        self.option(evidence.quote.as_deref(), Self::text);
        self.option(evidence.reason.as_deref(), Self::text);
        self.time(evidence.at);
    }

    fn edge(&mut self, edge: &Edge) {
        self.number(edge.number);
        self.number(edge.source.raw());
        self.number(edge.target.raw());
        self.number(edge.kind as u32);
        self.text(&edge.label);
        self.float(edge.weight);
        self.float(edge.confidence);
        self.number(edge.provenance as u32);
        self.list(&edge.evidence, Self::evidence);
        self.time(edge.created_at);
        self.time(edge.touched_at);
        self.option(edge.expires_at, Self::time);
    }

    fn fact(&mut self, fact: &Fact) {
        self.number(fact.number);
        self.number(fact.subject.raw());
        self.text(fact.predicate.name());
        match &fact.object {
            FactObject::Entity(node) => self.option(Some(node.raw()), Self::number),
            FactObject::Literal(literal) => {
                self.option(None, Self::number);
                self.text(literal);
            }
        }
        for at in [fact.valid_from, fact.valid_to, Some(fact.recorded_at), fact.superseded_at] {
            self.option(at, Self::time);
        }
        self.float(fact.confidence);
        self.list(&fact.evidence, Self::evidence);
    }
}

struct Reader<'a> {
    /// The bytes not decoded yet.
    rest: &'a [u8],
    has_keys: bool,
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u32> {
        u32::try_from(take_number(&mut self.rest)?).ok()
    }

    fn node(&mut self) -> Option<Node> {
        self.number().map(Node::from_raw)
    }

    fn edge_kind(&mut self) -> Option<EdgeKind> {
        EdgeKind::from_number(u8::try_from(self.number()?).ok()?)
    }

    fn time(&mut self) -> Option<Timestamp> {
        let folded = take_number(&mut self.rest)?;
        Some(Timestamp((folded >> 1) as i64 ^ -((folded & 1) as i64)))
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*first)
    }

    fn float(&mut self) -> Option<f32> {
        self.bytes().map(f32::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(take_number(&mut self.rest)?).ok()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }

    fn option<T>(&mut self, take: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.bytes::<1>()? {
            [0] => Some(None),
            [1] => take(self).map(Some),
            _ => None,
        }
    }

    fn list<T>(&mut self, take: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = take_number(&mut self.rest)?;
        // Every item takes at least one byte, so a wrong length fails at the end of the bytes, before memory
        // runs out.
        (0..length).map(|_| take(self)).collect()
    }

    fn entity(&mut self) -> Option<Entity> {
        Some(Entity {
            node: self.node()?,
            name: self.text()?,
            kind: EntityType::parse(&self.text()?)?,
            key: if self.has_keys { self.text()? } else { String::new() },
            aliases: self.list(Reader::text)?,
            description: self.list(Reader::text)?,
            first_seen: self.time()?,
            last_seen: self.time()?,
            deleted_at: self.option(Reader::time)?,
        })
    }

    fn evidence(&mut self) -> Option<Evidence> {
        Some(Evidence {
            memory: self.option(|from| from.bytes().map(|id| MemoryId(Uuid::from_bytes(id))))?,
            quote: self.option(Reader::text)?,
            reason: self.option(Reader::text)?,
            at: self.time()?,
        })
    }

    fn edge(&mut self) -> Option<Edge> {
        Some(Edge {
            number: self.number()?,
            source: self.node()?,
            target: self.node()?,
            kind: self.edge_kind()?,
            label: self.text()?,
            weight: self.float()?,
            confidence: self.float()?,
            provenance: Provenance::from_number(u8::try_from(self.number()?).ok()?)?,
            evidence: self.list(Reader::evidence)?,
            created_at: self.time()?,
            touched_at: self.time()?,
            expires_at: self.option(Reader::time)?,
        })
    }

    fn fact(&mut self) -> Option<Fact> {
        let (number, subject) = (self.number()?, self.node()?);
        let predicate = Predicate::parse(&self.text()?)?;
        let object = match self.option(Reader::node)? {
            Some(node) => FactObject::Entity(node),
            None => FactObject::Literal(self.text()?),
        };
        Some(Fact {
            number,
            subject,
            predicate,
            object,
            valid_from: self.option(Reader::time)?,
            valid_to: self.option(Reader::time)?,
            recorded_at: self.option(Reader::time)??,
            superseded_at: self.option(Reader::time)?,
            confidence: self.float()?,
            scope: Scope::default(),
            evidence: self.list(Reader::evidence)?,
        })
    }
}
