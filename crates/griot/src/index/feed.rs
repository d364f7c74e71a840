//! The input of the index: its configuration, memories and edges.

use std::collections::BTreeSet;

use crate::model::{EdgeKind, Provenance};

/// Splits a text into terms (folded, stemmed) and passes them to the sink, without stop terms: exactly these
/// terms are indexed, and their number is the length of the text.
pub type Tokenizer = fn(&str, &mut dyn FnMut(&str));

/// The label of a derived `temporal` arc that joins consecutive memories of one source. The store interns it
/// as number 1.
pub const LABEL_BACKBONE: u32 = 1;
/// The label of a derived `temporal` arc that joins memories within a day. The store interns it as number 2.
pub const LABEL_PROXIMITY: u32 = 2;

/// The properties that an index must share with its store.
#[derive(Clone, Debug)]
pub struct IndexConfig {
    /// A snapshot of another store is never opened.
    pub store_id: [u8; 16],
    /// Name and dimensions of the embedder whose vectors the store holds; `None` before the first vector.
    pub model: Option<(String, usize)>,
    pub tokenizer: Tokenizer,
}

/// Whether the tail has grown so much that a new snapshot pays off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pressure {
    /// Not worth it.
    None,
    /// When the process closes: the tail holds more than 200 memories + 1 % of the base, or four times that
    /// in edges, or more than 256 KB of text + 1 % of the base's.
    OnClose,
    /// Now: the tail holds more than 20,000 memories + 25 % of the base, or four times that in edges, or more
    /// than 16 MB of text + 25 % of the base's.
    Now,
}

/// A memory as the index sees it. Names (user, project, kind, …) are numbers that the store interned; 0 is
/// none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Document<'a> {
    pub memory: u32,
    pub text: &'a str,
    /// Title of the source, headings and speaker, joined by spaces.
    pub header: &'a str,
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
    pub vector: Option<(&'a [i8], f32)>,
}

impl Document<'_> {
    /// Whether it has a tier other than the default, or expires.
    pub(super) fn is_special(&self) -> bool {
        self.tier != 0 || self.expires_at.is_some()
    }
}

/// An edge as the index sees it.
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
    Document(Document<'a>),
    /// Memories were erased: they leave no trace and count in no statistics.
    Erase(&'a BTreeSet<u32>),
    /// An edge is new or changed.
    Link(Link),
    /// The edge with this number was removed.
    Unlink(u32),
    /// An entity (`Node::number`) was hidden or brought back; arcs to hidden ones are not followed.
    Entity { entity: u32, deleted: bool },
}
