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
        let sql = "SELECT kind, given, times FROM entity_type WHERE entity = ?1";
        let mut votes = self.map(sql, [entity.number()], |row| {
            Ok(TypeVotes { kind: self.entity_type(row.get(0)?)?, given: row.get(1)?, times: row.get(2)? })
        })?;
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
        let sql = "SELECT number, at, provenance, reason, undone_at, undo FROM merge WHERE number > ?1
            ORDER BY number LIMIT ?2";
        self.map(sql, (number, limit as i64), read_merge)
    }

    pub fn suggestions(&self) -> rusqlite::Result<Vec<Suggestion>> {
        let sql =
            "SELECT number, kept, merged, likeness, reason, at, state FROM merge_suggestion ORDER BY number";
        self.map(sql, [], |row| {
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
        })
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
    let mut out = Vec::new();
    merge.kept.put(&mut out);
    merge.merged.put(&mut out);
    merge.kind.put(&mut out);
    merge.moved.put(&mut out);
    merge.folded.put(&mut out);
    merge.dropped.put(&mut out);
    merge.facts.put(&mut out);
    merge.spoken.put(&mut out);
    // Last, because older records end here.
    merge.facts.iter().map(|fact| fact.scope.clone()).collect::<Vec<_>>().put(&mut out);
    out
}

/// `None` if the bytes are damaged. Values with their own columns keep their defaults.
fn undo_from_bytes(bytes: &[u8]) -> Option<Merge> {
    undo_from(Reader { rest: bytes, has_keys: true })
}

/// Decodes records of formats 2 to 4, which have no entity keys; these are left empty.
pub(super) fn undo_of_format_4(bytes: &[u8]) -> Option<Merge> {
    undo_from(Reader { rest: bytes, has_keys: false })
}

fn undo_from(mut reader: Reader<'_>) -> Option<Merge> {
    let from = &mut reader;
    let mut merge = Merge {
        number: 0,
        kept: Stored::take(from)?,
        merged: Stored::take(from)?,
        kind: Stored::take(from)?,
        at: Timestamp(0),
        by: Provenance::User,
        reason: None,
        moved: Stored::take(from)?,
        folded: Stored::take(from)?,
        dropped: Stored::take(from)?,
        facts: Stored::take(from)?,
        spoken: Stored::take(from)?,
        undone_at: None,
    };
    if !from.rest.is_empty() {
        let scopes: Vec<Scope> = Stored::take(from)?;
        for (fact, scope) in merge.facts.iter_mut().zip(scopes) {
            fact.scope = scope;
        }
    }
    from.rest.is_empty().then_some(merge)
}

struct Reader<'a> {
    /// The bytes not decoded yet.
    rest: &'a [u8],
    has_keys: bool,
}

/// A value in the blob.
trait Stored: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(from: &mut Reader<'_>) -> Option<Self>;
}

impl Stored for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        put_number(out, *self);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        take_number(&mut from.rest)
    }
}

impl<const N: usize> Stored for [u8; N] {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let (first, rest) = from.rest.split_first_chunk::<N>()?;
        from.rest = rest;
        Some(*first)
    }
}

impl Stored for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.len() as u64);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let length = usize::try_from(take_number(&mut from.rest)?).ok()?;
        let (text, rest) = from.rest.split_at_checked(length)?;
        from.rest = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        self.iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match <[u8; 1]>::take(from)? {
            [0] => Some(None),
            [1] => T::take(from).map(Some),
            _ => None,
        }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.len() as u64);
        self.iter().for_each(|item| item.put(out));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let length = take_number(&mut from.rest)?;
        // Every item takes at least one byte, so a wrong length fails at the end of the bytes, before memory
        // runs out.
        (0..length).map(|_| T::take(from)).collect()
    }
}

/// Types that are stored as another one.
macro_rules! stored_as {
    ($($type:ty as $stored:ty: $put:expr, $take:expr;)+) => {$(
        impl Stored for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let put: fn(&Self) -> $stored = $put;
                put(self).put(out);
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                let take: fn($stored) -> Option<Self> = $take;
                <$stored as Stored>::take(from).and_then(take)
            }
        }
    )+};
}

stored_as! {
    u32 as u64: |number| u64::from(*number), |number| u32::try_from(number).ok();
    f32 as [u8; 4]: |value| value.to_le_bytes(), |bytes| Some(f32::from_le_bytes(bytes));
    Timestamp as u64: |at| ((at.0 << 1) ^ (at.0 >> 63)) as u64,
        |folded| Some(Timestamp((folded >> 1) as i64 ^ -((folded & 1) as i64)));
    Node as u32: |node| node.raw(), |raw| Some(Node::from_raw(raw));
    MemoryId as [u8; 16]: |id| id.0.into_bytes(), |bytes| Some(MemoryId(Uuid::from_bytes(bytes)));
    EdgeKind as u32: |kind| *kind as u32, |number| EdgeKind::from_number(u8::try_from(number).ok()?);
    Provenance as u32: |by| *by as u32, |number| Provenance::from_number(u8::try_from(number).ok()?);
    EntityType as String: |kind| kind.name().to_owned(), |name| EntityType::parse(&name);
    Predicate as String: |predicate| predicate.name().to_owned(), |name| Predicate::parse(&name);
}

/// Types whose fields are stored one after the other; a field `if` the record has it.
macro_rules! stored {
    (@take $from:ident) => { Stored::take($from)? };
    (@take $from:ident $is_there:ident) => {
        if $from.$is_there { Stored::take($from)? } else { Default::default() }
    };
    ($($type:ident { $($field:ident $(if $is_there:ident)?),+ $(,)? })+) => {$(
        impl Stored for $type {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)+
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                Some(Self { $($field: stored!(@take from $($is_there)?)),+ })
            }
        }
    )+};
}

stored! {
    Entity {
        node, name, kind, key if has_keys, aliases, description, first_seen, last_seen, deleted_at,
    }
    Evidence { memory, quote, reason, at }
    Edge {
        number, source, target, kind, label, weight, confidence, provenance, evidence, created_at, touched_at,
        expires_at,
    }
    EdgeKey { source, target, kind, label }
    FoldedEdge { edge, into }
    Scope { user, project }
}

/// Without its scope and when a person ended it: an undo takes both from the fact as it is.
impl Stored for Fact {
    fn put(&self, out: &mut Vec<u8>) {
        self.number.put(out);
        self.subject.put(out);
        self.predicate.put(out);
        match &self.object {
            FactObject::Entity(node) => Some(*node).put(out),
            FactObject::Literal(literal) => {
                None::<Node>.put(out);
                literal.put(out);
            }
        }
        for at in [self.valid_from, self.valid_to, Some(self.recorded_at), self.superseded_at] {
            at.put(out);
        }
        self.confidence.put(out);
        self.evidence.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(Fact {
            number: Stored::take(from)?,
            subject: Stored::take(from)?,
            predicate: Stored::take(from)?,
            object: match <Option<_> as Stored>::take(from)? {
                Some(node) => FactObject::Entity(node),
                None => FactObject::Literal(Stored::take(from)?),
            },
            valid_from: Stored::take(from)?,
            valid_to: Stored::take(from)?,
            recorded_at: <Option<_> as Stored>::take(from)??,
            superseded_at: Stored::take(from)?,
            ended_at: None,
            confidence: Stored::take(from)?,
            scope: Scope::default(),
            evidence: Stored::take(from)?,
        })
    }
}
