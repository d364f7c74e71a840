//! A named thing with a type.

use super::key::{canonical_id, entity_key, spelled_name};
use super::{Node, Timestamp};

macro_rules! entity_types {
    ($($variant:ident $name:literal),+ $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

impl Entity {
    /// `type:key`, unique in a workspace.
    pub fn canonical_id(&self) -> String {
        canonical_id(self.kind, &self.key)
    }

    /// Whether the key is derived from the name, not given by a caller.
    pub fn is_keyed_by_name(&self) -> bool {
        self.key == entity_key(self.kind, &self.name)
    }

    /// The key that the entity would have with another type.
    pub fn key_as(&self, kind: EntityType) -> String {
        entity_key(kind, if self.is_keyed_by_name() { &self.name } else { &self.key })
    }

    /// Whether a spelled name matches this entity exactly: as name, key, or former id.
    pub fn is_spelled_so(&self, name: &str) -> bool {
        let name = spelled_name(name);
        let former = |alias: &String| {
            let id = alias.split_once(':');
            id.is_some_and(|(kind, key)| {
                key == name && EntityType::parse(kind).is_some_and(EntityType::is_spelled)
            })
        };
        spelled_name(&self.name) == name || self.key == name || self.aliases.iter().any(former)
    }
}
