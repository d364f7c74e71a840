//! One line of an export, and what it is to the engine.
//!
//! What is not known is left out of a line; what the engine does not know is an error in words.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use griot::engine::{EdgeRecord, FactRecord, Record};
use griot::model::{
    Edge, EdgeKind, Entity, EntityType, Evidence, Fact, FactObject, Handle, Lines, Memory, MemoryId, Node,
    Predicate, Provenance, Revision, Scope, Source, SourceId, SourceType, StoredVector, Tier, entity_key,
    normal_name,
};
use serde::{Deserialize, Serialize};

use super::merge_line::{MergeLine, SuggestionLine, TypesLine};
use super::{FORMAT, VERSION};
use crate::{Span, Time};

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

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceLine {
    id: String,
    kind: String,
    origin: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content_hash: Option<String>,
    created_at: Time,
    updated_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deleted_at: Option<Time>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntityLine {
    pub(super) id: String,
    name: String,
    kind: String,
    /// Left out where it follows from the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    description: Vec<String>,
    first_seen: Time,
    last_seen: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deleted_at: Option<Time>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryLine {
    id: String,
    handle: String,
    text: String,
    kind: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tier: Option<String>,
    importance: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    heading: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Span>,
    source: String,
    ordinal: u32,
    occurred_at: Time,
    recorded_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deleted_at: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    superseded_by: Option<String>,
    #[serde(default)]
    access_count: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_accessed_at: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vector: Option<VectorLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VectorLine {
    model: String,
    scale: f32,
    /// Base64 of one signed byte per dimension.
    values: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvidenceLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quote: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    at: Time,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EdgeLine {
    /// Empty in the log of merges: what was folded away has no number any more.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    id: String,
    pub(super) source: String,
    pub(super) target: String,
    kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    label: String,
    weight: f32,
    confidence: f32,
    provenance: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceLine>,
    created_at: Time,
    touched_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Time>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactLine {
    id: String,
    pub(super) subject: String,
    predicate: String,
    /// Canonical id of the object; left out for a literal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    literal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_from: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_to: Option<Time>,
    recorded_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    superseded_at: Option<Time>,
    confidence: f32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceLine>,
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
            Record::Source(source) => Self::Source(SourceLine {
                id: source.id.to_string(),
                kind: source.kind.name().into(),
                origin: source.origin.clone(),
                title: source.title.clone(),
                language: source.language.clone(),
                tags: source.tags.clone(),
                content_hash: source.content_hash.map(|hash| hex(&hash)),
                created_at: source.created_at.into(),
                updated_at: source.updated_at.into(),
                deleted_at: source.deleted_at.map(Into::into),
            }),
            Record::Entity(entity) => Self::Entity(entity_line(entity)),
            Record::Memory { memory, vector } => Self::Memory(Box::new(memory_line(memory, vector.as_ref()))),
            Record::Edge(EdgeRecord { source, target, edge }) => Self::Edge(edge_line(source, target, edge)),
            Record::Fact(FactRecord { subject, object, fact }) => {
                Self::Fact(fact_line(subject, object.as_deref(), fact))
            }
            Record::Types { entity, votes } => Self::Types(TypesLine::new(entity, votes)),
            Record::Merge(record) => Self::Merge(Box::new(record.into())),
            Record::Suggestion { suggestion, kept, merged } => {
                Self::Suggestion(SuggestionLine::new(suggestion, kept, merged))
            }
        }
    }
}

pub(super) fn entity_line(entity: &Entity) -> EntityLine {
    EntityLine {
        id: entity.canonical_id(),
        name: entity.name.clone(),
        kind: entity.kind.name().into(),
        key: (!entity.is_keyed_by_name()).then(|| entity.key.clone()),
        aliases: entity.aliases.clone(),
        description: entity.description.clone(),
        first_seen: entity.first_seen.into(),
        last_seen: entity.last_seen.into(),
        deleted_at: entity.deleted_at.map(Into::into),
    }
}

pub(super) fn edge_line(source: &str, target: &str, edge: &Edge) -> EdgeLine {
    EdgeLine {
        id: if edge.number > 0 { format!("e{}", edge.number) } else { String::new() },
        source: source.into(),
        target: target.into(),
        kind: edge.kind.name().into(),
        label: edge.label.clone(),
        weight: edge.weight,
        confidence: edge.confidence,
        provenance: edge.provenance.name().into(),
        evidence: evidence_lines(&edge.evidence),
        created_at: edge.created_at.into(),
        touched_at: edge.touched_at.into(),
        expires_at: edge.expires_at.map(Into::into),
    }
}

pub(super) fn fact_line(subject: &str, object: Option<&str>, fact: &Fact) -> FactLine {
    FactLine {
        id: format!("f{}", fact.number),
        subject: subject.into(),
        predicate: fact.predicate.name().into(),
        object: object.map(Into::into),
        literal: match &fact.object {
            FactObject::Literal(text) => Some(text.clone()),
            FactObject::Entity(_) => None,
        },
        valid_from: fact.valid_from.map(Into::into),
        valid_to: fact.valid_to.map(Into::into),
        recorded_at: fact.recorded_at.into(),
        superseded_at: fact.superseded_at.map(Into::into),
        confidence: fact.confidence,
        user: fact.scope.user.clone(),
        project: fact.scope.project.clone(),
        evidence: evidence_lines(&fact.evidence),
    }
}

fn memory_line(memory: &Memory, vector: Option<&StoredVector>) -> MemoryLine {
    MemoryLine {
        id: memory.id.to_string(),
        handle: memory.handle.to_string(),
        text: memory.text.clone(),
        kind: memory.kind.clone(),
        tags: memory.tags.clone(),
        tier: (memory.tier != Tier::default()).then(|| memory.tier.name().to_string()),
        importance: memory.importance,
        user: memory.scope.user.clone(),
        project: memory.scope.project.clone(),
        agent: memory.agent.clone(),
        session: memory.session.clone(),
        speaker: memory.speaker.clone(),
        heading: memory.heading.clone(),
        lines: memory.lines.map(Into::into),
        source: memory.source.to_string(),
        ordinal: memory.ordinal,
        occurred_at: memory.occurred_at.into(),
        recorded_at: memory.recorded_at.into(),
        expires_at: memory.expires_at.map(Into::into),
        deleted_at: memory.deleted_at.map(Into::into),
        superseded_by: memory.superseded_by.map(|id| id.to_string()),
        access_count: memory.access_count,
        last_accessed_at: memory.last_accessed_at.map(Into::into),
        vector: vector.map(|vector| VectorLine {
            model: vector.model.clone(),
            scale: vector.scale,
            values: STANDARD.encode(vector.values.iter().map(|&value| value as u8).collect::<Vec<u8>>()),
        }),
    }
}

fn evidence_lines(evidence: &[Evidence]) -> Vec<EvidenceLine> {
    let line = |evidence: &Evidence| EvidenceLine {
        memory: evidence.memory.map(|id| id.to_string()),
        quote: evidence.quote.clone(),
        reason: evidence.reason.clone(),
        at: evidence.at.into(),
    };
    evidence.iter().map(line).collect()
}

impl Line {
    /// The engine's record, or what is wrong with it.
    pub(super) fn into_record(self) -> Result<Record, String> {
        Ok(match self {
            Self::Source(line) => Record::Source(Source {
                id: source_id(&line.id)?,
                kind: SourceType::parse(&line.kind).ok_or_else(|| unknown("kind of source", &line.kind))?,
                origin: line.origin,
                title: line.title,
                language: line.language,
                tags: line.tags,
                content_hash: line.content_hash.as_deref().map(unhex).transpose()?,
                from_disk: false,
                created_at: line.created_at.0,
                updated_at: line.updated_at.0,
                deleted_at: line.deleted_at.map(|at| at.0),
            }),
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
            Self::Merge(line) => Record::Merge(line.into_record()?),
            Self::Suggestion(line) => line.into_record()?,
            Self::Header(_) | Self::End { .. } => return Err("out of place".into()),
        })
    }
}

impl EntityLine {
    /// Without its node.
    pub(super) fn into_entity(self) -> Result<Entity, String> {
        let kind = entity_type(&self.kind)?;
        let key = entity_key(kind, self.key.as_deref().unwrap_or(&self.name));
        if key.is_empty() {
            return Err("an entity without a name".into());
        }
        let mut aliases: Vec<String> = Vec::with_capacity(self.aliases.len() + 1);
        // Files of earlier formats have another normal form.
        let is_id =
            |alias: &String| alias.split_once(':').is_some_and(|(kind, _)| EntityType::parse(kind).is_some());
        let normal =
            self.aliases.into_iter().map(|alias| if is_id(&alias) { alias } else { normal_name(&alias) });
        for alias in normal.chain([normal_name(&self.name)]) {
            if !aliases.contains(&alias) {
                aliases.push(alias);
            }
        }
        Ok(Entity {
            node: Node::from_raw(0),
            kind,
            name: self.name,
            key,
            aliases,
            description: self.description,
            first_seen: self.first_seen.0,
            last_seen: self.last_seen.0,
            deleted_at: self.deleted_at.map(|at| at.0),
        })
    }
}

impl EdgeLine {
    /// Without its ends.
    pub(super) fn into_edge(self) -> Result<Edge, String> {
        Ok(Edge {
            number: if self.id.is_empty() { 0 } else { number(&self.id, 'e')? },
            source: Node::from_raw(0),
            target: Node::from_raw(0),
            kind: edge_kind(&self.kind)?,
            label: self.label,
            weight: self.weight,
            confidence: share("confidence", self.confidence)?,
            provenance: provenance(&self.provenance)?,
            evidence: evidence(self.evidence)?,
            created_at: self.created_at.0,
            touched_at: self.touched_at.0,
            expires_at: self.expires_at.map(|at| at.0),
        })
    }
}

impl FactLine {
    /// Without its nodes.
    pub(super) fn into_fact(self) -> Result<Fact, String> {
        let object = match (&self.object, self.literal) {
            (Some(_), None) => FactObject::Entity(Node::from_raw(0)),
            (None, Some(text)) => FactObject::Literal(text),
            _ => return Err("a fact has either an `object` or a `literal`".into()),
        };
        Ok(Fact {
            number: number(&self.id, 'f')?,
            subject: Node::from_raw(0),
            predicate: Predicate::parse(&self.predicate)
                .ok_or_else(|| unknown("predicate", &self.predicate))?,
            object,
            valid_from: self.valid_from.map(|at| at.0),
            valid_to: self.valid_to.map(|at| at.0),
            recorded_at: self.recorded_at.0,
            superseded_at: self.superseded_at.map(|at| at.0),
            confidence: share("confidence", self.confidence)?,
            scope: Scope { user: self.user, project: self.project },
            evidence: evidence(self.evidence)?,
        })
    }
}

impl MemoryLine {
    pub(super) fn into_record(self) -> Result<Record, String> {
        let vector = self.vector.map(VectorLine::into_vector).transpose()?;
        let memory = Memory {
            node: Node::from_raw(0),
            id: memory_id(&self.id)?,
            handle: Handle(self.handle),
            text: self.text,
            kind: self.kind,
            tags: self.tags,
            tier: match self.tier.as_deref() {
                None => Tier::default(),
                Some(name) => Tier::parse(name).ok_or_else(|| unknown("tier", name))?,
            },
            importance: self.importance,
            scope: Scope { user: self.user, project: self.project },
            agent: self.agent,
            session: self.session,
            speaker: self.speaker,
            heading: self.heading,
            lines: self.lines.map(|span| Lines { first: span.first, last: span.last }),
            source: source_id(&self.source)?,
            ordinal: self.ordinal,
            occurred_at: self.occurred_at.0,
            recorded_at: self.recorded_at.0,
            expires_at: self.expires_at.map(|at| at.0),
            deleted_at: self.deleted_at.map(|at| at.0),
            superseded_by: self.superseded_by.as_deref().map(memory_id).transpose()?,
            access_count: self.access_count,
            last_accessed_at: self.last_accessed_at.map(|at| at.0),
        };
        Ok(Record::Memory { memory, vector })
    }
}

impl VectorLine {
    fn into_vector(self) -> Result<StoredVector, String> {
        let bytes = STANDARD.decode(&self.values).map_err(|_| "the vector's `values` are no base64")?;
        if !self.scale.is_finite() || self.scale <= 0.0 {
            return Err(format!("the vector's `scale` is {}", self.scale));
        }
        Ok(StoredVector {
            model: self.model,
            scale: self.scale,
            values: bytes.into_iter().map(|byte| byte as i8).collect(),
        })
    }
}

pub(super) fn entity_type(name: &str) -> Result<EntityType, String> {
    EntityType::parse(name).ok_or_else(|| unknown("type of entity", name))
}

pub(super) fn edge_kind(name: &str) -> Result<EdgeKind, String> {
    EdgeKind::parse(name).ok_or_else(|| unknown("kind of edge", name))
}

pub(super) fn provenance(name: &str) -> Result<Provenance, String> {
    Provenance::parse(name).ok_or_else(|| unknown("provenance", name))
}

pub(super) fn unknown(what: &str, word: &str) -> String {
    format!("unknown {what} `{word}`")
}

pub(super) fn share(name: &str, value: f32) -> Result<f32, String> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(format!("`{name}` is {value}, outside 0..1")) }
}

pub(super) fn memory_id(text: &str) -> Result<MemoryId, String> {
    MemoryId::parse(text).ok_or_else(|| format!("`{text}` is no id of a memory"))
}

fn source_id(text: &str) -> Result<SourceId, String> {
    SourceId::parse(text).ok_or_else(|| format!("`{text}` is no id of a source"))
}

pub(super) fn number(text: &str, prefix: char) -> Result<u32, String> {
    text.strip_prefix(prefix)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| format!("`{text}` is no id such as `{prefix}12`"))
}

fn evidence(lines: Vec<EvidenceLine>) -> Result<Vec<Evidence>, String> {
    let read = |line: EvidenceLine| {
        Ok(Evidence {
            memory: line.memory.as_deref().map(memory_id).transpose()?,
            quote: line.quote,
            reason: line.reason,
            at: line.at.0,
        })
    };
    lines.into_iter().map(read).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Result<[u8; 32], String> {
    let wrong = || format!("`content_hash` is `{text}`, not 64 hexadecimal digits");
    if text.len() != 64 || !text.is_ascii() {
        return Err(wrong());
    }
    let mut bytes = [0; 32];
    for (position, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * position..2 * position + 2], 16).map_err(|_| wrong())?;
    }
    Ok(bytes)
}
