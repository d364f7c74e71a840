//! A name found in a text, and the rule that found it.

use std::ops::Range;

use crate::model::EntityType;

/// The rule that found a name, the strongest evidence first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum EntityRule {
    Dictionary,
    Url,
    Path,
    At,
    Date,
    /// CamelCase, snake_case, dotted or `::` names.
    Code,
    CjkTitle,
    Quoted,
    AllCaps,
    Capitalised,
    /// Capitals without another explanation: usually a person.
    Guessed,
}

/// A name in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntityMention {
    pub bytes: Range<usize>,
    /// As written, without possessive, title (`Dr.`) or `@`; dictionary terms under their main name
    /// (`Kubernetes` for `k8s`); dates in normal form (`2023-05-08`, `2023-05`, `2023`, `1916-1920`).
    pub name: String,
    pub kind: EntityType,
    pub rule: EntityRule,
}
