//! A named thing with a type.

use super::{Node, Timestamp};

macro_rules! entity_types {
    ($($variant:ident $name:literal),+ $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum EntityType { $($variant),+ }

        impl EntityType {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

entity_types! {
    Person "person",
    Org "org",
    Repo "repo",
    Concept "concept",
    Tool "tool",
    Location "location",
    Event "event",
    Goal "goal",
    Task "task",
    File "file",
    Module "module",
    Function "function",
    Type "type",
    External "external",
    Topic "topic",
    Date "date",
    Custom "custom",
}

/// A node that memories mention.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    pub node: Node,
    /// The name as first written.
    pub name: String,
    pub kind: EntityType,
    /// Distinguishes it from all others of its type ([`entity_key`]). Derived from the name, or given: the
    /// qualified name of a function, the goal of a task.
    pub key: String,
    /// Names of the same thing in normal form ([`super::normal_name`]), including the entity's own; and
    /// former canonical ids, from before a change of type or a merge.
    pub aliases: Vec<String>,
    /// Fragments in the order in which they were added.
    pub description: Vec<String>,
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
    pub deleted_at: Option<Timestamp>,
}
