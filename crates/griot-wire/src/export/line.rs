//! One line of an export, and the record of the engine that it holds.

use griot::engine::{EdgeRecord, FactRecord, Record};
use griot::model::Revision;
use serde::{Deserialize, Serialize};

use super::merges::{MergeLine, SuggestionLine, TypesLine};
use super::rows::{EdgeLine, EntityLine, FactLine, MemoryLine, OfferLine, ReadingLine, SourceLine};
use super::{FORMAT, VERSION};
use crate::Time;

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    Header(HeaderLine),
    Source(SourceLine),
    Entity(EntityLine),
    Memory(Box<MemoryLine>),
    Edge(EdgeLine),
    Fact(FactLine),
    Types(TypesLine),
    Offer(OfferLine),
    Reading(ReadingLine),
    Merge(Box<MergeLine>),
    Suggestion(SuggestionLine),
    End { records: u64 },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderLine {
    pub(super) format: String,
    pub(super) version: u32,
    revision: u64,
    exported_at: Time,
    vector_model: Option<String>,
    vector_dimensions: Option<usize>,
}

impl HeaderLine {
    pub(super) fn into_record(self) -> Record {
        Record::Header {
            revision: Revision(self.revision),
            exported_at: self.exported_at.0,
            vector_model: self.vector_model.zip(self.vector_dimensions),
        }
    }
}

impl From<&Record> for Line {
    fn from(record: &Record) -> Self {
        match record {
            Record::Header { revision, exported_at, vector_model } => Self::Header(HeaderLine {
                format: FORMAT.into(),
                version: VERSION,
                revision: revision.0,
                exported_at: (*exported_at).into(),
                vector_model: vector_model.as_ref().map(|(name, _)| name.clone()),
                vector_dimensions: vector_model.as_ref().map(|(_, dimensions)| *dimensions),
            }),
            Record::Source(source) => Self::Source(source.into()),
            Record::Entity(entity) => Self::Entity(entity.into()),
            Record::Memory { memory, vector } => Self::Memory(Box::new(MemoryLine::of(memory, vector))),
            Record::Edge(record) => Self::Edge(EdgeLine::of(&record.edge, &record.source, &record.target)),
            Record::Fact(FactRecord { subject, object, fact }) => {
                Self::Fact(FactLine::of(fact, subject, object.as_deref()))
            }
            Record::Types { entity, votes } => Self::Types(TypesLine::of(votes, entity)),
            Record::Offer { offer, newer, other } => Self::Offer(OfferLine::of(offer, newer, other)),
            Record::Reading { reading, memory, by } => Self::Reading(ReadingLine::of(reading, memory, by)),
            Record::Merge(record) => Self::Merge(Box::new(record.into())),
            Record::Suggestion { suggestion, kept, merged } => {
                Self::Suggestion(SuggestionLine::of(suggestion, kept, merged))
            }
        }
    }
}

impl Line {
    /// The engine's record, or what is wrong with it.
    pub(super) fn into_record(self) -> Result<Record, String> {
        Ok(match self {
            Self::Source(line) => Record::Source(line.into_source()?),
            Self::Entity(line) => {
                let id = line.id.clone();
                let mut entity = line.into_entity()?;
                // In files of earlier formats the id did not follow from type and key; edges name the entity
                // by it.
                if id != entity.canonical_id() && !entity.aliases.contains(&id) {
                    entity.aliases.push(id);
                }
                Record::Entity(entity)
            }
            Self::Memory(line) => line.into_record()?,
            Self::Edge(line) => Record::Edge(EdgeRecord {
                source: line.source.clone(),
                target: line.target.clone(),
                edge: line.into_edge()?,
            }),
            Self::Fact(line) => Record::Fact(FactRecord {
                subject: line.subject.clone(),
                object: line.object.clone(),
                fact: line.into_fact()?,
            }),
            Self::Types(line) => line.into_record()?,
            Self::Offer(line) => line.into_record()?,
            Self::Reading(line) => line.into_record()?,
            Self::Merge(line) => Record::Merge(line.into_record()?),
            Self::Suggestion(line) => line.into_record()?,
            Self::Header(_) | Self::End { .. } => return Err("out of place".into()),
        })
    }
}
