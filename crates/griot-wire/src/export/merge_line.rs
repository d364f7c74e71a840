//! Lines about entities that are one: merges with what undoes them, suggestions, counts of types.
//!
//! In the engine's record nodes are places in a list of names; in a line the names stand where they are
//! meant.

use std::collections::HashMap;

use griot::engine::{MergeRecord, Record};
use griot::model::{
    Edge, EdgeKey, Entity, Fact, FactObject, FoldedEdge, Merge, Node, Suggestion, SuggestionState, TypeVotes,
};
use serde::{Deserialize, Serialize};

use super::line::{
    EdgeLine, EntityLine, FactLine, edge_kind, edge_line, entity_line, entity_type, fact_line, number,
    provenance, share, unknown,
};
use crate::Time;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TypesLine {
    entity: String,
    times: Vec<TimesLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimesLine {
    kind: String,
    given: bool,
    times: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuggestionLine {
    id: String,
    kept: String,
    merged: String,
    likeness: f32,
    reason: String,
    at: Time,
    state: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MergeLine {
    id: String,
    /// Both as they were before.
    kept: EntityLine,
    merged: EntityLine,
    kind: String,
    at: Time,
    by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undone_at: Option<Time>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moved: Vec<KeyLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    folded: Vec<FoldedLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<EdgeLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    facts: Vec<FactLine>,
    /// Ids of memories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    spoken: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyLine {
    source: String,
    target: String,
    kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    label: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FoldedLine {
    edge: EdgeLine,
    into: EdgeLine,
}

impl TypesLine {
    pub(super) fn new(entity: &str, votes: &[TypeVotes]) -> Self {
        let line = |vote: &TypeVotes| TimesLine {
            kind: vote.kind.name().into(),
            given: vote.given,
            times: vote.times,
        };
        Self { entity: entity.into(), times: votes.iter().map(line).collect() }
    }

    pub(super) fn into_record(self) -> Result<Record, String> {
        let vote = |line: TimesLine| {
            Ok(TypeVotes { kind: entity_type(&line.kind)?, given: line.given, times: line.times })
        };
        let votes = self.times.into_iter().map(vote).collect::<Result<_, String>>()?;
        Ok(Record::Types { entity: self.entity, votes })
    }
}

impl SuggestionLine {
    pub(super) fn new(suggestion: &Suggestion, kept: &str, merged: &str) -> Self {
        Self {
            id: suggestion.id(),
            kept: kept.into(),
            merged: merged.into(),
            likeness: suggestion.similarity,
            reason: suggestion.reason.clone(),
            at: suggestion.at.into(),
            state: suggestion.state.name().into(),
        }
    }

    pub(super) fn into_record(self) -> Result<Record, String> {
        let suggestion = Suggestion {
            number: number(&self.id, 'p')?,
            kept: Node::from_raw(0),
            merged: Node::from_raw(0),
            similarity: share("likeness", self.likeness)?,
            reason: self.reason,
            at: self.at.0,
            state: SuggestionState::parse(&self.state)
                .ok_or_else(|| unknown("state of a suggestion", &self.state))?,
        };
        Ok(Record::Suggestion { suggestion, kept: self.kept, merged: self.merged })
    }
}

impl From<&MergeRecord> for MergeLine {
    fn from(record: &MergeRecord) -> Self {
        let merge = &record.merge;
        let name = |node: Node| record.names.get(node.raw() as usize).map_or("", String::as_str);
        let edge = |edge: &Edge| edge_line(name(edge.source), name(edge.target), edge);
        let fact = |fact: &Fact| {
            let object = match fact.object {
                FactObject::Entity(node) => Some(name(node)),
                FactObject::Literal(_) => None,
            };
            fact_line(name(fact.subject), object, fact)
        };
        // The id is the one that the entity has in this file; the name and type may be older.
        let entity = |entity: &Entity| {
            let mut line = entity_line(entity);
            line.id = name(entity.node).into();
            line
        };
        Self {
            id: merge.id(),
            kept: entity(&merge.kept),
            merged: entity(&merge.merged),
            kind: merge.kind.name().into(),
            at: merge.at.into(),
            by: merge.by.name().into(),
            reason: merge.reason.clone(),
            undone_at: merge.undone_at.map(Into::into),
            moved: merge
                .moved
                .iter()
                .map(|key| KeyLine {
                    source: name(key.source).into(),
                    target: name(key.target).into(),
                    kind: key.kind.name().into(),
                    label: key.label.clone(),
                })
                .collect(),
            folded: merge
                .folded
                .iter()
                .map(|pair| FoldedLine { edge: edge(&pair.edge), into: edge(&pair.into) })
                .collect(),
            dropped: merge.dropped.iter().map(edge).collect(),
            facts: merge.facts.iter().map(fact).collect(),
            spoken: merge.spoken.iter().map(|node| name(*node).into()).collect(),
        }
    }
}

/// Gives each name a place.
#[derive(Default)]
struct Places {
    names: Vec<String>,
    places: HashMap<String, u32>,
}

impl Places {
    fn of(&mut self, name: &str) -> Node {
        if let Some(&place) = self.places.get(name) {
            return Node::from_raw(place);
        }
        let place = self.names.len() as u32;
        self.names.push(name.into());
        self.places.insert(name.into(), place);
        Node::from_raw(place)
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
        let mut places = Places::default();
        let (kept, merged) = (places.entity(self.kept)?, places.entity(self.merged)?);
        let mut moved = Vec::with_capacity(self.moved.len());
        for key in self.moved {
            let (source, target) = (places.of(&key.source), places.of(&key.target));
            moved.push(EdgeKey { source, target, kind: edge_kind(&key.kind)?, label: key.label });
        }
        let mut folded = Vec::with_capacity(self.folded.len());
        for pair in self.folded {
            folded.push(FoldedEdge { edge: places.edge(pair.edge)?, into: places.edge(pair.into)? });
        }
        let dropped = self.dropped.into_iter().map(|line| places.edge(line)).collect::<Result<_, _>>()?;
        let facts = self.facts.into_iter().map(|line| places.fact(line)).collect::<Result<_, _>>()?;
        let spoken = self.spoken.iter().map(|id| places.of(id)).collect();
        let merge = Merge {
            number: number(&self.id, 'g')?,
            kept,
            merged,
            kind: entity_type(&self.kind)?,
            at: self.at.0,
            by: provenance(&self.by)?,
            reason: self.reason,
            moved,
            folded,
            dropped,
            facts,
            spoken,
            undone_at: self.undone_at.map(|at| at.0),
        };
        Ok(MergeRecord { merge, names: places.names })
    }
}
