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
    /// What tells it from all others of its type ([`entity_key`]). It follows from the name, or was given:
    /// the qualified name of a function, the goal that a task belongs to.
    pub key: String,
    /// Names of the same thing in normal form ([`super::normal_name`]), the entity's own among them; and
    /// canonical ids that a change of type or a merge left behind.
    pub aliases: Vec<String>,
    /// Fragments in the order they were learned.
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

    /// The key follows from the name: no caller gave it.
    pub fn is_keyed_by_name(&self) -> bool {
        self.key == entity_key(self.kind, &self.name)
    }

    /// The key that the entity would have with another type.
    pub fn key_as(&self, kind: EntityType) -> String {
        entity_key(kind, if self.is_keyed_by_name() { &self.name } else { &self.key })
    }

    /// A name that is spelled means this entity only if every sign of it does: as name, key, or former id.
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
