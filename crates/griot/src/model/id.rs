//! Identifiers: stable ids for people and programs, dense node numbers for the engine's arrays.

use std::fmt;

use uuid::Uuid;

/// A node of the graph inside one workspace: a memory or an entity, numbered by the back end.
///
/// The number is dense and never reused, so indexes can be arrays. The lowest bit distinguishes memories from
/// entities; both sequences start at 1. A `Node` never leaves the process: the public names are [`MemoryId`]
/// and the canonical id of an entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Node(u32);

impl Node {
    pub const fn memory(number: u32) -> Self {
        Self(number << 1)
    }

    pub const fn entity(number: u32) -> Self {
        Self(number << 1 | 1)
    }

    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The packed form that indexes and tables store.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The number in the sequence of memories or of entities.
    pub const fn number(self) -> u32 {
        self.0 >> 1
    }

    pub const fn is_memory(self) -> bool {
        self.0 & 1 == 0
    }

    pub const fn is_entity(self) -> bool {
        self.0 & 1 == 1
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_memory() { 'm' } else { 'e' }, self.number())
    }
}

/// The stable id of a memory: a UUID of version 7, so that ids sort by the time of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryId(pub Uuid);

impl MemoryId {
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }

    /// The handle of this id with `digits` hexadecimal digits; the back end uses the shortest free one with
    /// at least [`Handle::DIGITS`].
    pub fn handle(self, digits: usize) -> Handle {
        let hash = blake3::hash(self.0.as_bytes()).to_hex();
        Handle(format!("#{}", &hash[..digits.min(hash.len())]))
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A short name for a memory, unique in its workspace, such as `#a1b2c3`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Handle(pub String);

impl Handle {
    /// Six digits name 16 million memories; where a handle is taken, a digit is added.
    pub const DIGITS: usize = 6;
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a source in one workspace, assigned by the back end, printed as `s12`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SourceId(pub u32);

impl SourceId {
    pub fn parse(text: &str) -> Option<Self> {
        text.strip_prefix('s')?.parse().ok().map(Self)
    }
}

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}
