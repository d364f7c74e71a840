//! The index of one workspace, derived from its rows for fast search: words, vectors, times, sessions and
//! arcs.
//!
//! An index is a snapshot file at one revision, mapped and shared by processes, plus a tail in memory with
//! later commits. It is never the truth: if the file is deleted, it is rebuilt and answers byte for byte
//! alike (invariant 1). Its owner, [`Indexed`](crate::store::Indexed), applies [`Update`]s in the order of
//! commits and calls the searches below.
//!
//! Each module holds one kind of data and defines its layout, base and tail together: `columns` the
//! properties of a memory, `words` postings, `vectors` bits and bytes, `names` the same
//! of entities' names, `years`, `places`, `time` (also the
//! arcs derived from times), `arcs` the edges. `order` is a sorted list shared by sessions and times, `map`
//! the mapped file as arrays, `snapshot` the file, `simd` the fast loops. Everything is dense: memories by
//! number, nodes by `Node::raw`; slot 0 is unused.
//!
//! A file with a damaged head is not opened. Damage in a later block is found when the block is first
//! touched, and sets [`Index::is_damaged`]: answers since then must be discarded. It never causes a panic,
//! because values of the arrays are never used as positions without a check.

mod arcs;
mod best;
mod checksum;
mod columns;
mod config;
mod erase;
mod hash;
mod map;
mod names;
mod order;
mod places;
mod simd;
mod snapshot;
#[cfg(test)]
mod tests;
mod time;
mod vectors;
mod visible;
mod words;
mod years;

use std::io;
use std::path::{Path, PathBuf};
use std::sync;

use bytemuck::{Pod, Zeroable};

use crate::model::{
    Arc, CATALOGUE_SIZE, Direction, Document, EdgeKind, Interval, Link, Node, Placement, SimdLevel, SourceId,
    Timestamp, Update, WordHits, WordQuery,
};

use arcs::Arcs;
use columns::{ASKS, Columns, KNOWN, VECTOR};
use map::{Checked, Section, Sections};
use names::Names;
use places::Places;
use snapshot::Head;
use time::Times;
use vectors::{COMPARED, Vectors};
use words::Words;
use years::Years;

pub use config::{IndexConfig, Namer, Pressure, Tokenizer};
pub use snapshot::remove_before as remove_snapshots_before;
pub use visible::{VectorQuery, Visible};

/// Sums over all memories and edges, live and deleted. Also their form in the file.
#[derive(Clone, Copy, Default, Debug, Pod, Zeroable)]
#[repr(C)]
struct Totals {
    memories: u64,
    body_terms: u64,
    full_terms: u64,
    /// Number of sessions with members.
    places: u64,
    /// Number of terms in the texts of all members of sessions.
    placed_terms: u64,
    vectors: u64,
    links: u64,
    /// Length of all texts, without headers.
    bytes: u64,
}

impl Totals {
    const SECTIONS: usize = 1;

    fn open(sections: &mut Sections) -> Option<Self> {
        let totals: Section<Self> = sections.next()?;
        totals.get(0).filter(|_| totals.len() == 1)
    }
}

/// Damage to a snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    pub path: PathBuf,
    /// Number of blocks that differ from what was written, out of `blocks`.
    pub damaged: usize,
    pub blocks: usize,
}

/// Least number of memories that are compared by value in a search by vector.
const CANDIDATES: usize = 1000;

/// Each process that opens the workspace tokenises the text of the tail again: 256 KB take about 50 ms.
const BYTES_ON_CLOSE: u64 = 256 << 10;
const BYTES_NOW: u64 = 16 << 20;

/// The index of one workspace. Searches take `&self` from any number of threads; updates take `&mut self`.
pub struct Index {
    config: IndexConfig,
    revision: u64,
    totals: Totals,
    columns: Columns,
    words: Words,
    years: Years,
    vectors: Vectors,
    times: Times,
    places: Places,
    arcs: Arcs,
    names: Names,
    /// The mapped snapshot.
    file: Option<sync::Arc<Checked>>,
    /// Size of the snapshot, and number of updates since.
    base_memories: u64,
    base_bytes: u64,
    pending_documents: u64,
    pending_links: u64,
    /// Memories were erased since the snapshot, which was removed then.
    erased: bool,
}

const SECTIONS: usize = Totals::SECTIONS
    + Columns::SECTIONS
    + Words::SECTIONS
    + Years::SECTIONS
    + Vectors::SECTIONS
    + Times::SECTIONS
    + Places::SECTIONS
    + Arcs::SECTIONS
    + Names::SECTIONS;

impl Index {
    /// An empty index at revision 0.
    pub fn empty(config: IndexConfig) -> Self {
        let dimensions = config.model.as_ref().map_or(0, |(_, dimensions)| *dimensions);
        Self {
            config,
            revision: 0,
            totals: Totals::default(),
            columns: Columns::default(),
            words: Words::default(),
            years: Years::default(),
            vectors: Vectors::new(dimensions),
            times: Times::default(),
            places: Places::default(),
            arcs: Arcs::default(),
            names: Names::default(),
            file: None,
            base_memories: 0,
            base_bytes: 0,
            pending_documents: 0,
            pending_links: 0,
            erased: false,
        }
    }

    /// The newest usable snapshot of this store in a folder. Files that are truncated, have a damaged head,
    /// or belong to another store, model or format are skipped.
    ///
    /// Its revision may be later than one the caller read before, if another process has written since. After
    /// a store was restored to an older state its newer snapshots must not be used: the caller compares
    /// revisions.
    pub fn open(dir: &Path, config: IndexConfig) -> Option<Self> {
        snapshot::list(dir).into_iter().find_map(|(_, path)| Self::open_file(&path, &config))
    }

    fn open_file(path: &Path, config: &IndexConfig) -> Option<Self> {
        let (head, mut sections) = snapshot::open(path, SECTIONS)?;
        if !snapshot::serves(&head, config) {
            return None;
        }
        let totals = Totals::open(&mut sections)?;
        let columns = Columns::open(&mut sections)?;
        let rows = columns.rows();
        if sections.file().is_damaged() {
            return None;
        }
        Some(Self {
            revision: head.revision,
            totals,
            columns,
            words: Words::open(&mut sections)?,
            years: Years::open(&mut sections)?,
            vectors: Vectors::open(&mut sections, head.dimensions, rows)?,
            times: Times::open(&mut sections)?,
            places: Places::open(&mut sections)?,
            arcs: Arcs::open(&mut sections)?,
            names: Names::open(&mut sections)?,
            file: Some(sections.file()),
            base_memories: totals.memories,
            base_bytes: totals.bytes,
            ..Self::empty(config.clone())
        })
    }

    /// Whether a block of the snapshot that was touched is damaged: all answers and updates since the index
    /// was opened are invalid.
    pub fn is_damaged(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.is_damaged())
    }

    /// Verifies the whole snapshot; `None` if it is intact, or there is none.
    pub fn check_snapshot(&self) -> Option<Damage> {
        let file = self.file.as_ref()?;
        let (damaged, blocks) = file.check_all();
        (damaged > 0).then(|| Damage { path: file.path().to_owned(), damaged, blocks })
    }

    /// The revision up to which updates were applied.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Records that all updates up to this revision were applied.
    pub fn set_revision(&mut self, revision: u64) {
        self.revision = revision;
    }

    /// Sets the embedder of the vectors that follow; must be called before the first vector. Vectors of
    /// another embedder are dropped.
    pub fn set_model(&mut self, model: Option<(String, usize)>) {
        let was_unnamed = self.config.model.as_ref().is_some_and(|(name, _)| name.is_empty());
        let dimensions = model.as_ref().map_or(0, |(_, dimensions)| *dimensions);
        let keeps = self.config.model == model || was_unnamed && dimensions == self.vectors.dimensions();
        self.config.model = model;
        if !keeps {
            self.vectors = Vectors::new(dimensions);
            self.totals.vectors = 0;
            for memory in 0..self.memory_end() {
                self.columns.set_flag(memory, VECTOR, false);
            }
        }
    }

    pub fn apply(&mut self, update: Update<'_>) {
        match update {
            Update::Document(document) => self.put(document),
            Update::Link(link) => {
                self.pending_links += 1;
                if link.number > 0 {
                    self.arcs.put(link, &mut self.totals);
                }
            }
            Update::Unlink(number) => {
                self.pending_links += 1;
                self.arcs.remove(number, &mut self.totals);
            }
            Update::Erase(memories) => self.erase(memories),
            Update::Entity { entity, hidden } => self.arcs.hide(entity, hidden),
            Update::Name { entity, name } => self.names.set(entity, name, &self.config),
        }
    }

    fn put(&mut self, document: &Document<'_>) {
        let memory = document.memory;
        if memory == 0 {
            return;
        }
        self.pending_documents += 1;
        let at = memory as usize;
        let is_known = self.columns.has(memory, KNOWN);
        let stays = is_known
            && self.columns.place.get(at) == document.place
            && self.columns.ordinal.get(at) == document.ordinal
            && self.columns.source.get(at) == document.source
            && self.columns.occurred_at.get(at) == document.occurred_at
            && self.columns.has(memory, columns::TIMELESS) == document.timeless;
        if is_known && !stays {
            self.places.remove(memory, &self.columns, &mut self.totals);
            self.times.remove(memory, &self.columns);
        }
        self.columns.put(at, document);
        if !is_known {
            let lengths = self.words.add(memory, &document.text, &document.header, self.config.tokenizer);
            let years = years::years_in(&document.text);
            self.columns.put_text(at, &document.text, lengths, &years);
            self.years.set(memory, years);
            self.totals.memories += 1;
            self.totals.bytes += document.text.len() as u64;
            self.totals.body_terms += u64::from(lengths.0);
            self.totals.full_terms += u64::from(lengths.1);
        }
        if !stays {
            self.places.add(memory, &self.columns, &mut self.totals);
            self.times.add(memory, &self.columns);
        }
        self.put_vector(memory, document.vector());
    }

    fn put_vector(&mut self, memory: u32, vector: Option<(&[i8], f32)>) {
        if let Some((values, _)) = vector
            && self.config.model.is_none()
        {
            self.set_model(Some((String::new(), values.len())));
        }
        let vector =
            vector.filter(|(values, _)| values.len() == self.vectors.dimensions() && !values.is_empty());
        let had = self.columns.has(memory, VECTOR);
        self.columns.set_flag(memory, VECTOR, vector.is_some());
        self.totals.vectors =
            self.totals.vectors.saturating_sub(u64::from(had)) + u64::from(vector.is_some());
        if let Some((values, scale)) = vector {
            self.vectors.set(memory, values, scale);
        }
    }

    /// Writes everything as `index-<revision>.bin` and removes older snapshots where possible. The tail stays
    /// in memory, and keeps counting, until [`Index::reopen`]. `may` is called once the file is begun: an
    /// erasure after that removes the file.
    pub fn write_snapshot(&self, dir: &Path, may: &dyn Fn() -> bool) -> io::Result<()> {
        let head = Head {
            store_id: self.config.store_id,
            fingerprint: snapshot::fingerprint(self.config.model.as_ref()),
            dimensions: self.vectors.dimensions() as u64,
            revision: self.revision,
        };
        snapshot::write(dir, head, SECTIONS, |writer| {
            if !may() {
                return Err(io::Error::other("memories were erased meanwhile"));
            }
            let rows = self.columns.rows();
            writer.section(&[self.totals])?;
            self.columns.write(writer)?;
            self.words.write(writer)?;
            self.years.write(writer, rows)?;
            self.vectors.write(writer, rows, self.totals.vectors)?;
            self.times.write(writer, &self.columns)?;
            self.places.write(writer, &self.columns)?;
            self.arcs.write(writer)?;
            self.names.write(writer)?;
            // Damaged data must not get new checksums.
            if self.is_damaged() {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the snapshot that it is based on is damaged",
                ));
            }
            Ok(())
        })
    }

    /// Replaces base and tail by the snapshot of this revision, to free the memory of the tail. Returns false
    /// and changes nothing if there is none.
    pub fn reopen(&mut self, dir: &Path) -> bool {
        let opened = Self::open_file(&snapshot::file_path(dir, self.revision), &self.config);
        match opened.filter(|opened| opened.revision == self.revision) {
            Some(opened) => {
                *self = opened;
                true
            }
            None => false,
        }
    }

    /// [`Pressure`] documents the thresholds.
    pub fn wants_snapshot(&self) -> Pressure {
        let bytes = self.totals.bytes.saturating_sub(self.base_bytes);
        let exceeds = |memories: u64, most_bytes: u64| {
            self.pending_documents > memories || self.pending_links > 4 * memories || bytes > most_bytes
        };
        if exceeds(self.base_memories / 4 + 20_000, self.base_bytes / 4 + BYTES_NOW) {
            Pressure::Now
        } else if self.erased
            || exceeds(self.base_memories / 100 + 200, self.base_bytes / 100 + BYTES_ON_CLOSE)
        {
            Pressure::OnClose
        } else {
            Pressure::None
        }
    }

    /// The best memories and sessions by words.
    ///
    /// The statistics are those of the whole workspace, including deleted memories. A session counts if any
    /// member is visible.
    pub fn words(&self, query: &WordQuery, visible: &Visible<'_>) -> WordHits {
        self.words.search(&self.columns, &self.places, &self.totals, query, visible)
    }

    /// The memories nearest by cosine to a vector of length 1, best first. Approximate: the best 1,000 (or
    /// four times the limit) by sign bits are compared exactly.
    pub fn nearest(&self, vector: &[f32], limit: usize, visible: &Visible<'_>) -> Vec<(u32, f32)> {
        let sees = |memory: u32| self.columns.has(memory, VECTOR) && self.columns.admits(visible, memory);
        let compared = CANDIDATES.max(limit.saturating_mul(COMPARED));
        self.vectors.nearest(vector, limit, compared, visible.within, &sees)
    }

    /// The entities whose names are nearest to a vector of length 1, best first, among those that a visible
    /// memory mentions. Approximate: the best 4,000 by sign bits are compared exactly.
    pub fn named_like(&self, vector: &[f32], limit: usize, visible: &Visible<'_>) -> Vec<(u32, f32)> {
        /// How many names are looked at, first and then: a visible memory mentions most of them, unless the
        /// caller sees few.
        const SEARCHED: [usize; 2] = [50, 1000];
        let mut fan_out = [0; CATALOGUE_SIZE];
        fan_out[EdgeKind::Mentions as usize] = 1;
        let is_mentioned = |(entity, _): &(u32, f32)| {
            let mut mentions = Vec::new();
            self.arcs(Node::entity(*entity).raw(), Direction::In, &fan_out, visible, &mut mentions);
            !mentions.is_empty()
        };
        let mut mentioned = Vec::new();
        for searched in SEARCHED {
            let found = self.names.nearest(vector, searched, &|entity| !self.arcs.is_hidden(entity));
            let are_all = found.len() < searched;
            mentioned = found.into_iter().filter(is_mentioned).take(limit).collect();
            if mentioned.len() == limit || are_all {
                break;
            }
        }
        mentioned
    }

    /// For each of the vectors the memories with at least this cosine, best first. Approximate: see
    /// `most_differing_signs`.
    pub fn alike(&self, asked: &[VectorQuery<'_>], min_cosine: f32, limit: usize) -> Vec<Vec<(u32, f32)>> {
        self.vectors.alike(asked, min_cosine, limit, &self.columns)
    }

    /// Cosine of each memory with a vector of length 1; `None` where a memory has none.
    pub fn cosines(&self, vector: &[f32], memories: &[u32]) -> Vec<Option<f32>> {
        let level = SimdLevel::here();
        memories.iter().map(|memory| self.vectors.cosine(level, vector, *memory, &self.columns)).collect()
    }

    /// The `limit` latest memories that happened in the interval, in the order of time.
    pub fn within(&self, interval: Interval, limit: usize, visible: &Visible<'_>) -> Vec<u32> {
        self.times.within((interval.start.0, interval.end.0), limit, &self.columns, visible)
    }

    /// The most recently recorded memories, latest first.
    pub fn latest(&self, limit: usize, visible: &Visible<'_>) -> Vec<u32> {
        (1..self.memory_end())
            .rev()
            .filter(|memory| self.columns.admits(visible, *memory))
            .take(limit)
            .collect()
    }

    /// The neighbours of a memory in time (ties by number), both lists in the order of time, without itself.
    pub fn around(
        &self,
        memory: u32,
        before: usize,
        after: usize,
        visible: &Visible<'_>,
    ) -> (Vec<u32>, Vec<u32>) {
        self.times.around(memory, before, after, &self.columns, visible)
    }

    /// Appends the arcs of a node in the order (kind, backward before forward, heaviest, latest touched,
    /// smallest node, edge): of each kind and direction the first `fan_out[kind]` that lead to visible nodes.
    /// Symmetric edges are forward from both ends and found in every direction. Derived arcs: see `time`.
    pub fn arcs(
        &self,
        node: u32,
        direction: Direction,
        fan_out: &[usize],
        visible: &Visible<'_>,
        out: &mut Vec<Arc>,
    ) {
        let asked = |kind: EdgeKind| fan_out.get(kind as usize).is_some_and(|limit| *limit > 0);
        let own = Node::from_raw(node);
        let mut derived = Vec::new();
        if own.is_memory() && asked(EdgeKind::Temporal) {
            self.times.temporal(own.number(), &self.columns, visible, &mut derived);
        }
        if own.is_memory() && asked(EdgeKind::Narrative) {
            time::narrative(own.number(), &self.places, &self.columns, visible, &mut derived);
        }
        let sees = |to: Node| {
            if to.is_memory() {
                self.columns.admits(visible, to.number())
            } else {
                !self.arcs.is_hidden(to.number())
            }
        };
        self.arcs.collect(node, direction, fan_out, derived, visible, sees, out);
    }

    /// The number of stored edges of a node (`Node::raw`) that have not expired by `now`.
    pub fn degree(&self, node: u32, now: Option<i64>) -> u32 {
        self.arcs.degree(node, now)
    }

    /// The nodes (`Node::raw`) with the most stored edges among those that `wanted` accepts, most first, ties
    /// by node.
    pub fn hubs(&self, limit: usize, now: Option<i64>, wanted: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
        self.arcs.hubs(limit, now, wanted)
    }

    /// Whether an entity (`Node::number`) is hidden.
    pub fn is_hidden(&self, entity: u32) -> bool {
        self.arcs.is_hidden(entity)
    }

    /// The columns of a memory, live or deleted.
    pub fn placement(&self, memory: u32) -> Option<Placement> {
        let columns = &self.columns;
        let at = memory as usize;
        let speaker = columns.speaker.get(at);
        columns.has(memory, KNOWN).then(|| Placement {
            node: Node::memory(memory),
            place: columns.place.get(at),
            source: SourceId(columns.source.get(at)),
            ordinal: columns.ordinal.get(at),
            occurred_at: Timestamp(columns.occurred_at.get(at)),
            speaker: (speaker != 0).then(|| Node::from_raw(speaker)),
            length: columns.body_length.get(at),
            document_length: match columns.has(memory, columns::TIMELESS) {
                true => self.places.length(columns.place.get(at)),
                false => 0,
            },
            asks: columns.has(memory, ASKS),
            superseded: columns.has(memory, columns::SUPERSEDED),
            first_year: columns.first_year.get(at),
            last_year: columns.last_year.get(at),
        })
    }

    /// The visible members of a session nearest to an ordinal (ties to the earlier one), in the order of
    /// (ordinal, number).
    pub fn place_members(&self, place: u32, around: u32, limit: usize, visible: &Visible<'_>) -> Vec<u32> {
        self.places.members(place, around, limit, &self.columns, visible)
    }

    /// The years that a memory's text names, ascending.
    pub fn years(&self, memory: u32) -> &[i16] {
        self.years.get(memory)
    }

    /// The number of memories, live and deleted.
    pub fn memory_count(&self) -> u32 {
        self.totals.memories as u32
    }

    /// The number of indexed words in their texts.
    pub fn word_count(&self) -> u64 {
        self.totals.body_terms
    }

    /// One past the highest memory number.
    pub fn memory_end(&self) -> u32 {
        (self.columns.rows() as u32).max(1)
    }

    /// The number of memories with a vector.
    pub fn vector_count(&self) -> u64 {
        self.totals.vectors
    }

    pub fn vector_of(&self, memory: u32) -> Option<(&[i8], f32)> {
        if self.columns.has(memory, VECTOR) { self.vectors.get(memory) } else { None }
    }

    pub fn name_vector(&self, entity: u32) -> Option<(&[i8], f32)> {
        self.names.of(entity)
    }

    /// Every edge once, in no particular order.
    pub fn each_link(&self, sink: &mut dyn FnMut(Link)) {
        self.arcs.each(sink);
    }
}
