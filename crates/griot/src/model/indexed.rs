//! Rows in the form that the index keeps: a memory, an edge, and one step of catching up.
//!
//! Names (user, project, kind, label …) are numbers that the back end assigned; 0 is none, and the number of
//! a name never changes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{EdgeKind, Memory, Provenance, StoredVector};

/// The label of a derived `temporal` arc that joins consecutive memories of one source.
pub const LABEL_BACKBONE: u32 = 1;
/// The label of a derived `temporal` arc that joins memories within a day.
pub const LABEL_PROXIMITY: u32 = 2;

/// A memory, borrowed from the ChangeSet that adds it, or read from its row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Document<'a> {
    pub memory: u32,
    pub text: Cow<'a, str>,
    /// Title of the source when the memory was added, headings and speaker; see [`Document::header_of`].
    pub header: String,
    pub place: u32,
    pub source: u32,
    pub ordinal: u32,
    pub occurred_at: i64,
    pub user: u32,
    pub project: u32,
    pub kind: u32,
    pub agent: u32,
    pub session: u32,
    /// `Node::raw` of the entity that speaks.
    pub speaker: u32,
    pub deleted: bool,
    pub superseded: bool,
    /// Its time is when it was stored, not when something happened: a passage of a document. It has no
    /// derived temporal arcs.
    pub timeless: bool,
    /// `Tier as u8`.
    pub tier: u8,
    /// Milliseconds; `None` if it does not expire.
    pub expires_at: Option<i64>,
    pub vector: Option<(Cow<'a, [i8]>, f32)>,
}

impl<'a> Document<'a> {
    /// Everything but the numbers that the back end assigns.
    pub fn of(memory: &'a Memory, title: &str, vector: Option<&'a StoredVector>) -> Self {
        Self {
            memory: memory.node.number(),
            text: Cow::Borrowed(&memory.text),
            header: Self::header_of(title, &memory.heading, memory.speaker.as_deref().unwrap_or_default()),
            source: memory.source.0,
            ordinal: memory.ordinal,
            occurred_at: memory.occurred_at.0,
            deleted: memory.deleted_at.is_some(),
            superseded: memory.superseded_by.is_some(),
            timeless: memory.is_timeless(),
            tier: memory.tier as u8,
            expires_at: memory.expires_at.map(|at| at.0),
            vector: vector.map(|vector| (Cow::Borrowed(vector.values.as_slice()), vector.scale)),
            ..Self::default()
        }
    }
}

impl Document<'_> {
    /// Whether it has a tier other than the default, or expires.
    pub fn is_special(&self) -> bool {
        self.tier != 0 || self.expires_at.is_some()
    }

    pub fn vector(&self) -> Option<(&[i8], f32)> {
        self.vector.as_ref().map(|(values, scale)| (values.as_ref(), *scale))
    }

    /// The context that is indexed with a text, joined by spaces.
    pub fn header_of(title: &str, heading: &[String], speaker: &str) -> String {
        let parts = std::iter::once(title).chain(heading.iter().map(String::as_str)).chain([speaker]);
        let mut header = String::new();
        for part in parts.filter(|part| !part.is_empty()) {
            if !header.is_empty() {
                header.push(' ');
            }
            header.push_str(part);
        }
        header
    }
}

/// A live edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link {
    pub number: u32,
    /// `Node::raw`.
    pub source: u32,
    pub target: u32,
    pub kind: EdgeKind,
    pub label: u32,
    pub weight: f32,
    pub confidence: f32,
    pub touched_at: i64,
    /// Milliseconds; `None` if it does not expire.
    pub expires_at: Option<i64>,
    pub provenance: Provenance,
}

/// One step of catching up. Every update may be applied twice with the same result.
#[derive(Clone, Copy, Debug)]
pub enum Update<'a> {
    /// A memory is new, or one of its columns or its vector changed; text and header never change. `vector:
    /// None` means that the memory has none.
    Document(&'a Document<'a>),
    /// Memories were erased: they leave no trace and count in no statistics.
    Erase(&'a BTreeSet<u32>),
    /// An edge is new or changed.
    Link(Link),
    /// The edge with this number was removed, or is not live any more.
    Unlink(u32),
    /// An entity (`Node::number`) was hidden or brought back; arcs to hidden ones are not followed.
    Entity { entity: u32, hidden: bool },
    /// An entity (`Node::number`) is new or its name changed; `None`: it was erased.
    Name { entity: u32, name: Option<&'a str> },
}
