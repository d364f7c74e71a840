//! Lines about merged entities: merges with what an undo needs, suggestions, and counts of types.
//!
//! In the engine's record nodes are positions in a list of names; a line holds the names themselves.

use std::collections::HashMap;

use griot::engine::{MergeRecord, Record};
use griot::model::{Edge, EdgeKey, Entity, Fact, FactObject, FoldedEdge, Merge, Node, Suggestion, TypeVotes};

use super::rows::{EdgeLine, EntityLine, FactLine, NO_NODE, Reads as _, lines, number, of, reads, share};
use crate::Time;
use crate::object::shown;

lines! {
    TypesLine of (votes: &[TypeVotes], entity: &str) {
        entity: String = entity.into(),
        times: Vec<TimesLine> = votes.iter().map(TimesLine::from).collect(),
    }

    TimesLine from (vote: TypeVotes) {
        kind: String,
        given: bool,
        times: u32,
    }

    SuggestionLine of (suggestion: &Suggestion, kept: &str, merged: &str) {
        id: String = suggestion.id(),
        kept: String = kept.into(),
        merged: String = merged.into(),
        likeness: f32 = suggestion.similarity,
        reason: String,
        at: Time,
        state: String,
    }

    MergeLine from (record: MergeRecord) {
        id: String = record.merge.id(),
        /// Both as they were before.
        kept: EntityLine = entity(&record.merge.kept, record),
        merged: EntityLine = entity(&record.merge.merged, record),
        kind: String = shown(&record.merge.kind),
        at: Time = record.merge.at.into(),
        by: String = shown(&record.merge.by),
        reason [optional]: Option<String> = record.merge.reason.clone(),
        undone_at [optional]: Option<Time> = shown(&record.merge.undone_at),
        moved [optional]: Vec<KeyLine> =
            record.merge.moved.iter().map(|key| KeyLine::of(key, record)).collect(),
        folded [optional]: Vec<FoldedLine> =
            record.merge.folded.iter().map(|pair| FoldedLine::of(pair, record)).collect(),
        dropped [optional]: Vec<EdgeLine> =
            record.merge.dropped.iter().map(|one| edge(one, record)).collect(),
        facts [optional]: Vec<FactLine> = record.merge.facts.iter().map(|one| fact(one, record)).collect(),
        /// Ids of memories.
        spoken [optional]: Vec<String> =
            record.merge.spoken.iter().map(|node| name(*node, record).into()).collect(),
    }

    KeyLine of (key: &EdgeKey, record: &MergeRecord) {
        source: String = name(key.source, record).into(),
        target: String = name(key.target, record).into(),
        kind: String,
        label [optional]: String,
    }

    FoldedLine of (pair: &FoldedEdge, record: &MergeRecord) {
        edge: EdgeLine = edge(&pair.edge, record),
        into: EdgeLine = edge(&pair.into, record),
    }
}

fn name(node: Node, record: &MergeRecord) -> &str {
    record.names.get(node.raw() as usize).map_or("", String::as_str)
}

/// The id is the one that the entity has in this file; the name and type may be older.
fn entity(entity: &Entity, record: &MergeRecord) -> EntityLine {
    EntityLine { id: name(entity.node, record).into(), ..entity.into() }
}

fn edge(edge: &Edge, record: &MergeRecord) -> EdgeLine {
    EdgeLine::of(edge, name(edge.source, record), name(edge.target, record))
}

fn fact(fact: &Fact, record: &MergeRecord) -> FactLine {
    let object = match fact.object {
        FactObject::Entity(node) => Some(name(node, record)),
        FactObject::Literal(_) => None,
    };
    FactLine::of(fact, name(fact.subject, record), object)
}

reads! {
    TimesLine => TypeVotes: line => Ok(of!(line => TypeVotes { kind, given, times }));
}

impl TypesLine {
    pub(super) fn into_record(self) -> Result<Record, String> {
        Ok(Record::Types { entity: self.entity, votes: self.times.read()? })
    }
}

impl SuggestionLine {
    pub(super) fn into_record(self) -> Result<Record, String> {
        let (number, similarity) = (number(&self.id, 'p')?, share("likeness", self.likeness)?);
        let (kept, merged) = (NO_NODE, NO_NODE);
        let suggestion = of!(self => Suggestion { reason, at, state } with number, similarity, kept, merged);
        Ok(Record::Suggestion { suggestion, kept: self.kept, merged: self.merged })
    }
}

/// Gives each name a position.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    positions: HashMap<String, u32>,
}

impl Names {
    fn of(&mut self, name: &str) -> Node {
        if let Some(&position) = self.positions.get(name) {
            return Node::from_raw(position);
        }
        let position = self.names.len() as u32;
        self.names.push(name.into());
        self.positions.insert(name.into(), position);
        Node::from_raw(position)
    }

    fn edge(&mut self, line: EdgeLine) -> Result<Edge, String> {
        let (source, target) = (self.of(&line.source), self.of(&line.target));
        Ok(Edge { source, target, ..line.into_edge()? })
    }

    fn entity(&mut self, line: EntityLine) -> Result<Entity, String> {
        let node = self.of(&line.id);
        Ok(Entity { node, ..line.into_entity()? })
    }

    fn fact(&mut self, line: FactLine) -> Result<Fact, String> {
        let subject = self.of(&line.subject);
        let named = line.object.as_deref().map(|name| self.of(name));
        let fact = line.into_fact()?;
        let object = named.map_or(fact.object, FactObject::Entity);
        Ok(Fact { subject, object, ..fact })
    }
}

impl MergeLine {
    pub(super) fn into_record(self) -> Result<MergeRecord, String> {
        let mut names = Names::default();
        let (kept, merged) = (names.entity(self.kept)?, names.entity(self.merged)?);
        let mut moved = Vec::with_capacity(self.moved.len());
        for key in self.moved {
            let (source, target) = (names.of(&key.source), names.of(&key.target));
            moved.push(of!(key => EdgeKey { kind, label } with source, target));
        }
        let mut folded = Vec::with_capacity(self.folded.len());
        for pair in self.folded {
            folded.push(FoldedEdge { edge: names.edge(pair.edge)?, into: names.edge(pair.into)? });
        }
        let dropped = self.dropped.into_iter().map(|line| names.edge(line)).collect::<Result<_, _>>()?;
        let facts = self.facts.into_iter().map(|line| names.fact(line)).collect::<Result<_, _>>()?;
        let spoken = self.spoken.iter().map(|id| names.of(id)).collect();
        let number = number(&self.id, 'g')?;
        let merge = of!(self => Merge {
            kind, at, by, reason, undone_at
        } with number, kept, merged, moved, folded, dropped, facts, spoken);
        Ok(MergeRecord { merge, names: names.names })
    }
}
