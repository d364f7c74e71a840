//! The lines of rows: sources, entities, memories, edges, facts, offers, readings.
//!
//! A line omits unknown values. A value that the engine does not know is an error in words.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use griot::engine::Record;
use griot::model::{
    Edge, EdgeKind, Entity, EntityType, Evidence, Fact, FactObject, Handle, Lines, Memory, MemoryId, Node,
    Offer, OfferKind, Predicate, Provenance, Reading, ReadingOutcome, ReadingTask, Said, Scope, Source,
    SourceId, SourceType, StoredVector, SuggestionState, Tier, Timestamp, entity_key, normal_name,
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

impl Optional for BTreeMap<String, String> {
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
        metadata [optional]: BTreeMap<String, String>,
        content_hash [optional]: Option<String> = source.content_hash.map(hex),
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

    OfferLine of (offer: &Offer, newer: &str, other: &str) {
        id: String = offer.id(),
        /// Ids of memories.
        newer: String = newer.into(),
        other: String = other.into(),
        kind: String,
        probability: f32,
        made_at: Time,
        refused_at [optional]: Option<Time>,
    }

    ReadingLine of (reading: &Reading, memory: &str, by: &str) {
        /// Ids of memories.
        memory: String = memory.into(),
        by: String = by.into(),
        task: String = reading.task.name().into(),
        version: u32,
        outcome: String = reading.outcome.name().into(),
        at: Time,
        undone_at [optional]: Option<Time>,
        /// Statements: the word for the form, and its parts.
        said [optional]: Vec<Vec<String>> = reading.said.iter().map(parts).collect(),
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
        ended_at [optional]: Option<Time>,
        confidence: f32,
        user [optional]: Option<String> = fact.scope.user.clone(),
        project [optional]: Option<String> = fact.scope.project.clone(),
        evidence [optional]: Vec<EvidenceLine>,
    }
}

/// The engine's value with what these fields of a line hold, and with variables of the same name.
macro_rules! of {
    ($line:ident => $name:ident { $($field:ident),* } $(with $($given:ident),*)?) => {
        $name { $($field: $crate::export::rows::Reads::read($line.$field)?,)* $($($given,)*)? }
    };
}
pub(super) use of;

/// The engine's value of what a field holds, or what is wrong with it.
pub(super) trait Reads<T> {
    fn read(self) -> Result<T, String>;
}

macro_rules! reads {
    ($($from:ty => $to:ty: $given:ident => $value:expr;)*) => {$(
        impl $crate::export::rows::Reads<$to> for $from {
            fn read(self) -> Result<$to, String> {
                let $given = self;
                $value
            }
        }
    )*};
}
pub(super) use reads;

reads! {
    bool => bool: given => Ok(given);
    u8 => u8: given => Ok(given);
    u32 => u32: given => Ok(given);
    f32 => f32: given => Ok(given);
    String => String: text => Ok(text);
    BTreeMap<String, String> => BTreeMap<String, String>: given => Ok(given);
    Time => Timestamp: at => Ok(at.0);
    Span => Lines: span => Ok(Lines { first: span.first, last: span.last });
    String => Handle: handle => Ok(Handle(handle));
    String => MemoryId: id => MemoryId::parse(&id).ok_or_else(|| format!("`{id}` is no id of a memory"));
    String => SourceId: id => SourceId::parse(&id).ok_or_else(|| format!("`{id}` is no id of a source"));
    String => EntityType: name => known(EntityType::parse(&name), "type of entity", &name);
    String => EdgeKind: name => known(EdgeKind::parse(&name), "kind of edge", &name);
    String => Provenance: name => known(Provenance::parse(&name), "provenance", &name);
    String => Predicate: name => known(Predicate::parse(&name), "predicate", &name);
    String => SourceType: name => known(SourceType::parse(&name), "kind of source", &name);
    String => Tier: name => known(Tier::parse(&name), "tier", &name);
    String => ReadingTask: name => known(ReadingTask::parse(&name), "task of a language model", &name);
    String => ReadingOutcome: name => known(ReadingOutcome::parse(&name), "outcome of a reading", &name);
    Vec<String> => Said: parts => statement(parts);
    String => OfferKind: name => known(OfferKind::parse(&name), "kind of offer", &name);
    String => SuggestionState: name => known(SuggestionState::parse(&name), "state of a suggestion", &name);
    EvidenceLine => Evidence: line => Ok(of!(line => Evidence { memory, quote, reason, at }));
    VectorLine => StoredVector: line => {
        let bytes = STANDARD.decode(&line.values).map_err(|_| "the vector's `values` are no base64")?;
        if !line.scale.is_finite() || line.scale <= 0.0 {
            return Err(format!("the vector's `scale` is {}", line.scale));
        }
        let values = bytes.into_iter().map(|byte| byte as i8).collect();
        Ok(of!(line => StoredVector { model, scale } with values))
    };
}

impl<T, S: Reads<T>> Reads<Option<T>> for Option<S> {
    fn read(self) -> Result<Option<T>, String> {
        self.map(S::read).transpose()
    }
}

impl<T, S: Reads<T>> Reads<Vec<T>> for Vec<S> {
    fn read(self) -> Result<Vec<T>, String> {
        self.into_iter().map(S::read).collect()
    }
}

impl SourceLine {
    pub(super) fn into_source(self) -> Result<Source, String> {
        let (content_hash, from_disk) = (self.content_hash.as_deref().map(unhex).transpose()?, false);
        Ok(of!(self => Source {
            id, kind, origin, title, language, tags, metadata, created_at, updated_at, deleted_at
        } with content_hash, from_disk))
    }
}

fn parts(said: &Said) -> Vec<String> {
    let (form, parts) = said.parts();
    std::iter::once(form.to_string()).chain(parts).collect()
}

fn statement(parts: Vec<String>) -> Result<Said, String> {
    let mut parts = parts.into_iter();
    let form = parts.next().unwrap_or_default();
    Said::from_parts(&form, parts.collect()).ok_or_else(|| format!("`{form}` is no statement of a model"))
}

impl ReadingLine {
    pub(super) fn into_record(self) -> Result<Record, String> {
        let (memory, by) = (NO_NODE, NO_NODE);
        let reading = of!(self => Reading {
            task, version, outcome, at, undone_at, said
        } with memory, by);
        Ok(Record::Reading { reading: Box::new(reading), memory: self.memory, by: self.by })
    }
}

impl OfferLine {
    pub(super) fn into_record(self) -> Result<Record, String> {
        let (number, probability) = (number(&self.id, 'o')?, share("probability", self.probability)?);
        let (newer, other) = (NO_NODE, NO_NODE);
        let offer = of!(self => Offer { kind, made_at, refused_at } with number, probability, newer, other);
        Ok(Record::Offer { offer, newer: self.newer, other: self.other })
    }
}

impl EntityLine {
    /// Without its node.
    pub(super) fn into_entity(self) -> Result<Entity, String> {
        let kind = self.kind.read()?;
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
        let node = NO_NODE;
        Ok(of!(self => Entity {
            name, description, first_seen, last_seen, deleted_at
        } with node, kind, key, aliases))
    }
}

impl EdgeLine {
    /// Without its ends.
    pub(super) fn into_edge(self) -> Result<Edge, String> {
        let number = if self.id.is_empty() { 0 } else { number(&self.id, 'e')? };
        let (source, target) = (NO_NODE, NO_NODE);
        let confidence = share("confidence", self.confidence)?;
        Ok(of!(self => Edge {
            kind, label, weight, provenance, evidence, created_at, touched_at, expires_at
        } with number, source, target, confidence))
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
        let (number, subject) = (number(&self.id, 'f')?, NO_NODE);
        let confidence = share("confidence", self.confidence)?;
        let scope = Scope { user: self.user, project: self.project };
        Ok(of!(self => Fact {
            predicate, valid_from, valid_to, recorded_at, superseded_at, ended_at, evidence
        } with number, subject, object, confidence, scope))
    }
}

impl MemoryLine {
    pub(super) fn into_record(self) -> Result<Record, String> {
        let (node, scope) = (NO_NODE, Scope { user: self.user, project: self.project });
        let tier = self.tier.read()?.unwrap_or_default();
        let vector = self.vector.read()?;
        let memory = of!(self => Memory {
            id, handle, text, kind, tags, importance, agent, session, speaker, heading, lines, source,
            ordinal, occurred_at, recorded_at, expires_at, deleted_at, superseded_by, access_count,
            last_accessed_at
        } with node, scope, tier);
        Ok(Record::Memory { memory, vector })
    }
}

fn known<T>(found: Option<T>, what: &str, word: &str) -> Result<T, String> {
    found.ok_or_else(|| format!("unknown {what} `{word}`"))
}

pub(super) fn share(name: &str, value: f32) -> Result<f32, String> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(format!("`{name}` is {value}, outside 0..1")) }
}

pub(super) fn number(text: &str, prefix: char) -> Result<u32, String> {
    text.strip_prefix(prefix)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| format!("`{text}` is no id such as `{prefix}12`"))
}

fn hex(hash: [u8; 32]) -> String {
    blake3::Hash::from(hash).to_string()
}

fn unhex(text: &str) -> Result<[u8; 32], String> {
    let wrong = |_| format!("`content_hash` is `{text}`, not 64 hexadecimal digits");
    blake3::Hash::from_hex(text).map(Into::into).map_err(wrong)
}
