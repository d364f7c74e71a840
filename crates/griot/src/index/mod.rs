//! What the rows become for speed: words, vectors, times, places and arcs of one workspace.
//!
//! An index is a snapshot file, mapped and shared by processes, at one revision, plus a tail in memory of what was
//! committed since. It is never the truth: delete the file and it is built again, and answers byte for byte alike
//! (invariant 1). The back end feeds it with [`Update`]s in the order of commits and asks it through the searches below.

mod visible;

use std::io;
use std::path::Path;

use crate::backend::{Arc, Direction, Placement, WordHits};
use crate::model::{EdgeKind, Interval, Provenance};

pub use visible::Visible;

/// Cuts a text into terms (folded, stemmed) and hands them to the sink. Stop terms are left out here: what the tokenizer
/// yields is what is indexed and what counts as length.
pub type Tokenizer = fn(&str, &mut dyn FnMut(&str));

/// The label of a derived `temporal` arc that joins consecutive memories of one source. The store interns it as number 1.
pub const LABEL_BACKBONE: u32 = 1;
/// The label of a derived `temporal` arc that joins memories within a day. The store interns it as number 2.
pub const LABEL_PROXIMITY: u32 = 2;

/// What an index must agree with its store about.
#[derive(Clone, Debug)]
pub struct IndexConfig {
    /// A snapshot of another store is never opened.
    pub store_id: [u8; 16],
    /// Name and dimensions of the embedder whose vectors the store holds; `None` before the first vector.
    pub model: Option<(String, usize)>,
    pub tokenizer: Tokenizer,
}

/// Whether the tail has grown so much that a new snapshot pays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pressure {
    /// Not worth it.
    None,
    /// When the process closes: the tail holds more than 200 memories + 1 % of the base, or four times that in edges.
    OnClose,
    /// Now: the tail holds more than 20,000 memories + 25 % of the base, or four times that in edges.
    Now,
}

/// A memory as the index sees it. Names (user, project, kind, …) are numbers that the store interned; 0 is none.
#[derive(Clone, Copy, Debug)]
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
    pub vector: Option<(&'a [i8], f32)>,
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
    pub provenance: Provenance,
}

/// One step of catching up. Every update may be applied twice with the same result.
#[derive(Clone, Copy, Debug)]
pub enum Update<'a> {
    /// A memory is new, or one of its columns or its vector changed; text and header never change. `vector: None`
    /// means that the memory has none.
    Document(Document<'a>),
    /// An edge is new or changed.
    Link(Link),
    /// The edge with this number is gone.
    Unlink(u32),
    /// An entity (`Node::number`) was hidden or brought back; arcs to hidden ones are not followed.
    Entity { entity: u32, deleted: bool },
}

/// The index of one workspace. Searching takes `&self` from any number of threads; applying takes `&mut self`.
pub struct Index {
    config: IndexConfig,
    revision: u64,
}

impl Index {
    /// An index of nothing, at revision 0.
    pub fn empty(config: IndexConfig) -> Self {
        Self {
            config,
            revision: 0,
        }
    }

    /// The newest usable snapshot of this store in a folder. Files that are cut short, damaged in their head, of another
    /// store, model or format are passed over.
    pub fn open(_dir: &Path, _config: IndexConfig) -> Option<Self> {
        None
    }

    /// The revision up to which updates were applied.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Says that all updates up to this revision were applied.
    pub fn set_revision(&mut self, revision: u64) {
        self.revision = revision;
    }

    /// Names the embedder whose vectors follow. Vectors of another one are forgotten.
    pub fn set_model(&mut self, model: Option<(String, usize)>) {
        self.config.model = model;
    }

    pub fn apply(&mut self, _update: Update<'_>) {}

    /// Writes everything as `index-<revision>.bin` and removes older snapshots where that is possible.
    pub fn write_snapshot(&self, _dir: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Replaces base and tail by the snapshot of this very revision, so that the tail's memory is freed. False if there is
    /// none; nothing changed then.
    pub fn reopen(&mut self, _dir: &Path) -> bool {
        false
    }

    pub fn wants_snapshot(&self) -> Pressure {
        Pressure::None
    }

    /// The best memories and places by words; terms are those of `text::query_terms`, at most 64.
    pub fn words(&self, _terms: &[String], _limit: usize, _visible: &Visible<'_>) -> WordHits {
        WordHits::default()
    }

    /// The memories nearest by cosine to a vector of length 1, best first. Approximate: the best 1,000 (or four times
    /// the limit) by sign bits are compared exactly.
    pub fn nearest(
        &self,
        _vector: &[f32],
        _limit: usize,
        _visible: &Visible<'_>,
    ) -> Vec<(u32, f32)> {
        Vec::new()
    }

    /// For each of many stored-form vectors (values and scale) the memories with at least this cosine, best first.
    pub fn nearest_batch(
        &self,
        vectors: &[(&[i8], f32)],
        _min_cosine: f32,
        _limit: usize,
        _visible: &Visible<'_>,
    ) -> Vec<Vec<(u32, f32)>> {
        vec![Vec::new(); vectors.len()]
    }

    /// Cosine of each memory with a vector of length 1; `None` where a memory has none.
    pub fn cosines(&self, _vector: &[f32], memories: &[u32]) -> Vec<Option<f32>> {
        vec![None; memories.len()]
    }

    /// The `limit` latest memories that happened inside, in the order of time.
    pub fn within(&self, _interval: Interval, _limit: usize, _visible: &Visible<'_>) -> Vec<u32> {
        Vec::new()
    }

    /// The memories that were recorded last, latest first.
    pub fn latest(&self, _limit: usize, _visible: &Visible<'_>) -> Vec<u32> {
        Vec::new()
    }

    /// The memories next to one in time (ties by number), both lists in the order of time, without itself.
    pub fn around(
        &self,
        _memory: u32,
        _before: usize,
        _after: usize,
        _visible: &Visible<'_>,
    ) -> (Vec<u32>, Vec<u32>) {
        (Vec::new(), Vec::new())
    }

    /// Appends the arcs of a node in the order (kind, backward before forward, heaviest, latest touched, smallest node).
    pub fn arcs(
        &self,
        _node: u32,
        _direction: Direction,
        _fan_out: &[usize],
        _visible: &Visible<'_>,
        _out: &mut Vec<Arc>,
    ) {
    }

    /// How many stored edges a node (`Node::raw`) has.
    pub fn degree(&self, _node: u32) -> u32 {
        0
    }

    /// The nodes (`Node::raw`) with the most stored edges among those that `wanted` takes, most first, ties by node.
    pub fn hubs(&self, _limit: usize, _wanted: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
        Vec::new()
    }

    pub fn placement(&self, _memory: u32) -> Option<Placement> {
        None
    }

    /// The members of a place nearest to an ordinal, in the order of (ordinal, number).
    pub fn place_members(
        &self,
        _place: u32,
        _around: u32,
        _limit: usize,
        _visible: &Visible<'_>,
    ) -> Vec<u32> {
        Vec::new()
    }

    /// The years that a memory's text names, ascending.
    pub fn years(&self, _memory: u32) -> &[i16] {
        &[]
    }

    /// How many memories are known, live and deleted.
    pub fn memory_count(&self) -> u32 {
        0
    }

    /// One past the highest memory number.
    pub fn memory_end(&self) -> u32 {
        1
    }

    pub fn vector_of(&self, _memory: u32) -> Option<(&[i8], f32)> {
        None
    }

    /// A number over all columns and the vector of a memory, to compare with [`Index::checksum_of`] its row; `None` if
    /// the memory is unknown.
    pub fn checksum(&self, _memory: u32) -> Option<u64> {
        None
    }

    /// What [`Index::checksum`] must be for a memory that was applied like this.
    pub fn checksum_of(&self, _document: &Document<'_>) -> u64 {
        0
    }

    /// How many edges are known.
    pub fn link_count(&self) -> u64 {
        0
    }

    /// Every edge, in the order of numbers within base and tail.
    pub fn each_link(&self, _sink: &mut dyn FnMut(Link)) {}
}
