//! A name before the store has heard of it.

use crate::model::{EntityType, entity_key, normal_name};

/// A name that a text carries, not yet an entity of the store.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub name: String,
    /// In normal form: what entities are found by.
    pub normal: String,
    /// Which one of its type, where a caller says so.
    pub key: Option<String>,
    /// `None` where the rules could not tell.
    pub kind: Option<EntityType>,
    /// What it is where nothing else is known of it: `concept`, `topic` for a tag, `person` for capitals
    /// alone.
    pub fallback: EntityType,
    /// Names a caller gave, speakers and titles weigh more than what a rule guessed.
    pub weight: f32,
    pub confidence: f32,
    /// Only link it if the store has such an entity already: parts of longer names.
    pub only_if_known: bool,
    /// How the text writes it where that is another name of the same thing (`Postgres` for PostgreSQL), in
    /// normal form.
    pub alias: Option<String>,
}

impl Name {
    /// How sure a rule is of a name it found. Of the spans found in labelled news text 88 % were names;
    /// the rest of the way down is for text of other kinds, which was not measured.
    pub const RULE_CONFIDENCE: f32 = 0.8;

    /// `None` if the name is empty.
    pub fn given(name: &str, kind: Option<EntityType>) -> Option<Self> {
        Self::new(name, kind, 1.0, 1.0, false)
    }

    /// The key that it means among entities of a type.
    pub fn key_as(&self, kind: EntityType) -> String {
        entity_key(kind, self.key.as_deref().unwrap_or(&self.name))
    }

    /// Two names of one text that mean one thing. Where spelling counts, each sign does; what a caller gave
    /// two types, or two keys, is two things.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_given = |name: &Self| name.confidence >= 1.0 && name.kind.is_some();
        let is_spelled = |name: &Self| name.kind.is_some_and(EntityType::is_spelled);
        self.normal == other.normal
            && (self.key == other.key || !is_given(self) || !is_given(other))
            && (self.name == other.name || !is_spelled(self) && !is_spelled(other))
            && (self.kind == other.kind || !is_given(self) || !is_given(other))
    }

    /// A name that is of this type unless something else is known of it.
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
        let name = name.trim();
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
            alias: None,
        })
    }
}
