//! The lines of rows: sources, entities, memories, edges, facts.
//!
//! A line omits unknown values. A value that the engine does not know is an error in words.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use griot::engine::Record;
use griot::model::{
    Edge, EdgeKind, Entity, EntityType, Evidence, Fact, FactObject, Handle, Lines, Memory, MemoryId, Node,
    Predicate, Provenance, Scope, Source, SourceId, SourceType, StoredVector, Tier, entity_key, normal_name,
};

use crate::object::shown;
use crate::{Span, Time};

/// For nodes that are not known at this point.
pub(super) const NO_NODE: Node = Node::from_raw(0);

/// A field that may be left out.
pub(super) trait Optional {
    fn is_absent(&self) -> bool;
}

impl<T> Optional for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Optional for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Optional for String {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

/// Declares lines and how they are filled, as `objects!` does; a field may be `[optional]`.
macro_rules! lines {
    ($(
        $name:ident $how:ident $from:tt {
            $( $(#[$about:meta])* $field:ident $([$absent:ident])?: $kind:ty $(= $value:expr)?, )*
        }
    )*) => {
        $(
            #[derive(serde::Serialize, serde::Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(super) struct $name {
                $(
                    $(#[$about])*
                    $(
                        #[doc = stringify!($absent)]
                        #[serde(
                            default,
                            skip_serializing_if = "crate::export::rows::Optional::is_absent"
                        )]
                    )?
                    pub(super) $field: $kind,
                )*
            }

            filled!($name $how $from { $($field $(= $value)?,)* });
        )*
    };
}
pub(super) use lines;

lines! {
    SourceLine from (source: Source) {
        id: String,
        kind: String,
        origin: String,
        title [optional]: Option<String>,
        language [optional]: Option<String>,
        tags [optional]: Vec<String>,
        content_hash [optional]: Option<String> = source.content_hash.map(|hash| hex(&hash)),
        created_at: Time,
        updated_at: Time,
        deleted_at [optional]: Option<Time>,
    }

    EntityLine from (entity: Entity) {
        id: String = entity.canonical_id(),
        name: String,
        kind: String,
        /// Left out where it follows from the name.
        key [optional]: Option<String> = (!entity.is_keyed_by_name()).then(|| entity.key.clone()),
        aliases [optional]: Vec<String>,
        description [optional]: Vec<String>,
        first_seen: Time,
        last_seen: Time,
        deleted_at [optional]: Option<Time>,
    }

    MemoryLine of (memory: &Memory, vector: &Option<StoredVector>) {
        id: String,
        handle: String,
        text: String,
        kind: String,
        tags [optional]: Vec<String>,
        tier [optional]: Option<String> = (memory.tier != Tier::default()).then(|| shown(&memory.tier)),
        importance: u8,
        user [optional]: Option<String> = memory.scope.user.clone(),
        project [optional]: Option<String> = memory.scope.project.clone(),
        agent [optional]: Option<String>,
        session [optional]: Option<String>,
        speaker [optional]: Option<String>,
        heading [optional]: Vec<String>,
        lines [optional]: Option<Span>,
        source: String,
        ordinal: u32,
        occurred_at: Time,
        recorded_at: Time,
        expires_at [optional]: Option<Time>,
        deleted_at [optional]: Option<Time>,
        superseded_by [optional]: Option<String>,
        #[serde(default)]
        access_count: u32,
        last_accessed_at [optional]: Option<Time>,
        vector [optional]: Option<VectorLine> = shown(vector),
    }

    VectorLine from (vector: StoredVector) {
        model: String,
        scale: f32,
        /// Base64 of one signed byte per dimension.
        values: String =
            STANDARD.encode(vector.values.iter().map(|&value| value as u8).collect::<Vec<u8>>()),
    }

    EvidenceLine from (evidence: Evidence) {
        memory [optional]: Option<String>,
        quote [optional]: Option<String>,
        reason [optional]: Option<String>,
        at: Time,
    }

    EdgeLine of (edge: &Edge, source: &str, target: &str) {
        /// Empty in the log of merges, for edges that no longer exist.
        id [optional]: String = crate::edge_id(edge.number).unwrap_or_default(),
        source: String = source.into(),
        target: String = target.into(),
        kind: String,
        label [optional]: String,
        weight: f32,
        confidence: f32,
        provenance: String,
        evidence [optional]: Vec<EvidenceLine>,
        created_at: Time,
        touched_at: Time,
        expires_at [optional]: Option<Time>,
    }

    FactLine of (fact: &Fact, subject: &str, object: Option<&str>) {
        id: String = crate::fact_id(fact.number),
        subject: String = subject.into(),
        predicate: String,
        /// Canonical id of the object; left out for a literal.
        object [optional]: Option<String> = object.map(Into::into),
        literal [optional]: Option<String> = match &fact.object {
            FactObject::Literal(text) => Some(text.clone()),
            FactObject::Entity(_) => None,
        },
        valid_from [optional]: Option<Time>,
        valid_to [optional]: Option<Time>,
        recorded_at: Time,
        superseded_at [optional]: Option<Time>,
        confidence: f32,
        user [optional]: Option<String> = fact.scope.user.clone(),
        project [optional]: Option<String> = fact.scope.project.clone(),
        evidence [optional]: Vec<EvidenceLine>,
    }
}

impl SourceLine {
    pub(super) fn into_source(self) -> Result<Source, String> {
        Ok(Source {
            id: source_id(&self.id)?,
            kind: known(SourceType::parse(&self.kind), "kind of source", &self.kind)?,
            origin: self.origin,
            title: self.title,
            language: self.language,
            tags: self.tags,
            content_hash: self.content_hash.as_deref().map(unhex).transpose()?,
            from_disk: false,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            deleted_at: self.deleted_at.map(|at| at.0),
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
            node: NO_NODE,
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
            source: NO_NODE,
            target: NO_NODE,
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
            (Some(_), None) => FactObject::Entity(NO_NODE),
            (None, Some(text)) => FactObject::Literal(text),
            _ => return Err("a fact has either an `object` or a `literal`".into()),
        };
        Ok(Fact {
            number: number(&self.id, 'f')?,
            subject: NO_NODE,
            predicate: known(Predicate::parse(&self.predicate), "predicate", &self.predicate)?,
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
            node: NO_NODE,
            id: memory_id(&self.id)?,
            handle: Handle(self.handle),
            text: self.text,
            kind: self.kind,
            tags: self.tags,
            tier: match self.tier.as_deref() {
                None => Tier::default(),
                Some(name) => known(Tier::parse(name), "tier", name)?,
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
    known(EntityType::parse(name), "type of entity", name)
}

pub(super) fn edge_kind(name: &str) -> Result<EdgeKind, String> {
    known(EdgeKind::parse(name), "kind of edge", name)
}

pub(super) fn provenance(name: &str) -> Result<Provenance, String> {
    known(Provenance::parse(name), "provenance", name)
}

pub(super) fn known<T>(found: Option<T>, what: &str, word: &str) -> Result<T, String> {
    found.ok_or_else(|| format!("unknown {what} `{word}`"))
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
