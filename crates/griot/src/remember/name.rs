//! A name found in a draft, before it is resolved to an entity.

use crate::model::{EntityType, entity_key, normal_name};
use crate::text;

/// A name in a text, not yet resolved to an entity of the store.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub name: String,
    /// In normal form, by which entities are found.
    pub normal: String,
    /// The key among entities of the type, if a caller gave it.
    pub key: Option<String>,
    /// `None` if the rules do not know it.
    pub kind: Option<EntityType>,
    /// The type if nothing else is known: `concept`, `topic` for a tag, `person` for capitals alone.
    pub fallback: EntityType,
    /// Names given by a caller, speakers and titles weigh more than names found by a rule.
    pub weight: f32,
    pub confidence: f32,
    /// Link it only if the store already has such an entity: parts of longer names.
    pub only_if_known: bool,
    /// The name in the text, in normal form, if that is another name of the same thing (`Postgres` for
    /// PostgreSQL).
    pub alias: Option<String>,
}

impl Name {
    /// Confidence in a name found by a rule. Of the spans found in labelled news text 88 % were names; the
    /// reduction is for other kinds of text, which were not measured.
    pub const RULE_CONFIDENCE: f32 = 0.8;

    /// `None` if the name is empty.
    pub fn given(name: &str, kind: Option<EntityType>) -> Option<Self> {
        Self::new(name, kind, 1.0, 1.0, false)
    }

    /// Whether a caller or a title names it, not a rule.
    pub fn is_given(&self) -> bool {
        self.confidence >= 1.0
    }

    /// The key among entities of a type.
    pub fn key_as(&self, kind: EntityType) -> String {
        entity_key(kind, self.key.as_deref().unwrap_or(&self.name))
    }

    /// Whether two names of one text mean the same thing. Spelled names must be equal; names that a caller
    /// gave different types or keys are different things.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_given = |name: &Self| name.is_given() && name.kind.is_some();
        let is_spelled = |name: &Self| name.kind.is_some_and(EntityType::is_spelled);
        self.normal == other.normal
            && (self.key == other.key || !is_given(self) || !is_given(other))
            && (self.name == other.name || !is_spelled(self) && !is_spelled(other))
            && (self.kind == other.kind || !is_given(self) || !is_given(other))
    }

    /// A name that has this type unless something else is known about it.
    pub fn weak(name: &str, fallback: EntityType, weight: f32, confidence: f32) -> Option<Self> {
        Some(Self { fallback, ..Self::new(name, None, weight, confidence, false)? })
    }

    pub fn new(
        name: &str,
        kind: Option<EntityType>,
        weight: f32,
        confidence: f32,
        only_if_known: bool,
    ) -> Option<Self> {
        // Texts have a person without "Mr" and "Frau"; with it is another name of the same one.
        let full = name.trim();
        let is_person = kind == Some(EntityType::Person);
        let bare = text::bare_name(full).filter(|_| is_person);
        let name = bare.unwrap_or(full);
        let normal = normal_name(name);
        (!normal.is_empty()).then(|| Self {
            name: name.to_string(),
            normal,
            key: None,
            kind,
            fallback: EntityType::Concept,
            weight,
            confidence,
            only_if_known,
            alias: bare.map(|_| normal_name(full)),
        })
    }
}
