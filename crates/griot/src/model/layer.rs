//! The four layers that nodes belong to.
//!
//! The layer is derived, not stored: from the type of an entity and the kind of a memory. Kinds are words of
//! the caller's choice, so a kind that is not in the table is knowledge: something that was learned and
//! written down. (How long a memory stays and how it is returned is its *tier*: `memory.rs`.)

use super::EdgeKind;
use super::EntityType::{self, Event, External, File, Function, Goal, Module, Repo, Task, Type};

named! {
    /// One of the four orthogonal graphs that a question may be about.
    Layer lenient {
        /// The structure of the program.
        Code = "code",
        /// Events while something ran or was done.
        Execution = "execution",
        /// What was learned, decided or is known.
        Knowledge = "knowledge",
        /// Tasks, and their constraints.
        Project = "project",
    }
}

/// Types of entities and kinds of memories of each layer; all others are knowledge.
const TABLE: &[(Layer, &[EntityType], &[&str])] = &[
    (
        Layer::Code,
        &[File, Module, Function, Type, External, Repo],
        &["code", "file", "function", "class", "module", "import", "test"],
    ),
    (
        Layer::Execution,
        &[Event],
        &["event", "observation", "error", "action", "tool_call", "tool_use", "turn", "log"],
    ),
    (
        Layer::Project,
        &[Goal, Task],
        &["task", "goal", "constraint", "deadline", "plan", "requirement", "todo", "milestone"],
    ),
];

impl Layer {
    pub fn of_entity(kind: EntityType) -> Self {
        TABLE.iter().find(|(_, types, _)| types.contains(&kind)).map_or(Self::Knowledge, |(layer, ..)| *layer)
    }

    /// The layer of a memory of this kind.
    pub fn of_memory(kind: &str) -> Self {
        TABLE.iter().find(|(.., kinds)| kinds.contains(&kind)).map_or(Self::Knowledge, |(layer, ..)| *layer)
    }

    /// The layer that an edge of this kind belongs to, whatever it joins.
    pub const fn of_edge(kind: EdgeKind) -> Self {
        match kind {
            EdgeKind::Imports
            | EdgeKind::Calls
            | EdgeKind::Reads
            | EdgeKind::Writes
            | EdgeKind::Extends
            | EdgeKind::Contains => Self::Code,
            EdgeKind::Temporal | EdgeKind::Narrative => Self::Execution,
            EdgeKind::HasTask | EdgeKind::HasSubtask | EdgeKind::Blocks | EdgeKind::DependsOn => {
                Self::Project
            }
            EdgeKind::Mentions
            | EdgeKind::Relation
            | EdgeKind::Causal
            | EdgeKind::Explains
            | EdgeKind::Semantic
            | EdgeKind::Supporting
            | EdgeKind::Contradicts
            | EdgeKind::Supersedes
            | EdgeKind::References
            | EdgeKind::Modifies => Self::Knowledge,
        }
    }

    /// The kinds of memories in the table; all others are knowledge.
    pub fn named_kinds() -> impl Iterator<Item = &'static str> {
        TABLE.iter().flat_map(|(.., kinds)| kinds.iter().copied())
    }

    /// The types of entities of this layer, in the order of the catalogue.
    pub fn entity_types(self) -> impl Iterator<Item = EntityType> {
        EntityType::ALL.iter().copied().filter(move |kind| Self::of_entity(*kind) == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_and_kind_has_one_layer() {
        let types: usize = Layer::ALL.iter().map(|layer| layer.entity_types().count()).sum();
        assert_eq!(types, EntityType::ALL.len());
        let named: Vec<&str> = TABLE.iter().flat_map(|(.., kinds)| kinds.iter().copied()).collect();
        let mut once = named.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), named.len(), "a kind belongs to two layers");
        for (kind, layer) in [
            ("decision", Layer::Knowledge),
            ("insight", Layer::Knowledge),
            ("a word of my own", Layer::Knowledge),
            ("observation", Layer::Execution),
            ("turn", Layer::Execution),
            ("task", Layer::Project),
        ] {
            assert_eq!(Layer::of_memory(kind), layer, "{kind}");
        }
        assert_eq!(Layer::of_entity(EntityType::Function), Layer::Code);
        assert_eq!(Layer::of_entity(EntityType::Person), Layer::Knowledge);
        for layer in Layer::ALL {
            assert_eq!(Layer::parse(layer.name()), Some(layer));
        }
    }
}
