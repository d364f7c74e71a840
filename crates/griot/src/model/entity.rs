//! A named thing with a type.

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
    /// Names of the same thing in normal form (`text::normal_name`), the entity's own among them; and canonical ids
    /// that a change of type or name left behind.
    pub aliases: Vec<String>,
    /// Fragments in the order they were learned.
    pub description: Vec<String>,
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

impl Entity {
    /// `type:slug`, unique in a workspace.
    pub fn canonical_id(&self) -> String {
        canonical_id(self.kind, &self.name)
    }
}

/// `type:slug`.
pub fn canonical_id(kind: EntityType, name: &str) -> String {
    format!("{}:{}", kind.name(), slug(name))
}

/// Letters and digits of the lower-cased name, other runs as one `-`. Names of other signs only keep those.
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { name.trim().to_string() } else { slug.to_string() }
}
