//! Where the nodes of the whole graph are drawn, and to which communities they belong: derived from the store
//! and kept beside its index.
//!
//! The file holds numbers of nodes, positions and communities, and no text. It belongs to one store, is
//! replaced as a whole, carries a checksum, and may be deleted at any time. A small graph is laid out while
//! the caller waits, a larger one on a thread of its own, which reads page by page, holds nothing while it
//! computes, and ends with the engine. What came after a layout gets a position beside its neighbours, until
//! enough did.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Instant, SystemTime};

use foldhash::fast::FixedState;

use super::Engine;
use super::drawn::{ByNode, UNIT, each_arc, strength_drawn};
use crate::backend::{Filter, Read, Store, private};
use crate::graph::{self, Network, RESOLUTION};
use crate::model::{Error, Node, Result, Revision};

/// Most nodes that are laid out while the caller waits.
const AT_ONCE: u64 = 2000;
/// One part of the nodes that may have come after a layout until it is computed anew.
const STALE: usize = 20;
const FILE: &str = "layout.bin";
const MAGIC: &[u8; 8] = b"GRIOTLAY";
/// Raise it whenever the file or what it means changes.
const VERSION: u32 = 1;
/// Magic, version, count, store, revision, seconds and a reserved word.
const HEAD: usize = 8 + 4 + 4 + 16 + 8 + 4 + 4;
/// Node, x, y and community.
const ROW: usize = 16;

/// Positions of the nodes of one revision.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    pub revision: Revision,
    /// How long it took.
    pub seconds: f32,
    /// Identifies the layout.
    pub stamp: u32,
    rows: Vec<Row>,
    /// The position of each node in `rows`.
    at: ByNode,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Row {
    /// `Node::raw`; rows ascend by it.
    node: u32,
    x: f32,
    y: f32,
    community: u32,
}

impl Layout {
    fn new(revision: Revision, seconds: f32, stamp: u32, rows: Vec<Row>) -> Self {
        let at = ByNode::of(rows.iter().map(|row| Node::from_raw(row.node)).zip(0..));
        Self { revision, seconds, stamp, rows, at }
    }

    fn row(&self, node: Node) -> Option<&Row> {
        self.rows.get(self.at.get(node)? as usize)
    }

    pub(super) fn place(&self, node: Node) -> Option<(f32, f32)> {
        self.row(node).map(|row| (row.x, row.y))
    }

    pub(super) fn community(&self, node: Node) -> Option<u32> {
        self.row(node).map(|row| row.community)
    }

    fn to_bytes(&self, store: [u8; 16]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + ROW * self.rows.len() + 4);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(self.rows.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&store);
        bytes.extend_from_slice(&self.revision.0.to_le_bytes());
        bytes.extend_from_slice(&self.seconds.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        for row in &self.rows {
            for word in [row.node, row.x.to_bits(), row.y.to_bits(), row.community] {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// `None` for anything but a sound file of this store.
    fn from_bytes(bytes: &[u8], store: [u8; 16]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let count = word(12)? as usize;
        let end = HEAD.checked_add(ROW.checked_mul(count)?)?;
        let is_sound = bytes.get(..8)? == MAGIC
            && word(8)? == VERSION
            && bytes.get(16..32)? == store
            && bytes.len() == end + 4
            && word(end)? == crc32fast::hash(bytes.get(..end)?);
        if !is_sound {
            return None;
        }
        let row = |row: &[u8]| {
            let word = |at: usize| u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
            Row { node: word(0), x: f32::from_bits(word(4)), y: f32::from_bits(word(8)), community: word(12) }
        };
        let rows: Vec<Row> = bytes[HEAD..end].chunks_exact(ROW).map(row).collect();
        let is_usable = rows.is_sorted_by(|a, b| a.node < b.node)
            && rows.iter().all(|row| row.x.is_finite() && row.y.is_finite());
        is_usable.then(|| {
            let revision = Revision(u64::from_le_bytes(bytes[32..40].try_into().unwrap_or_default()));
            let seconds = f32::from_bits(word(40).unwrap_or_default());
            Self::new(revision, seconds, word(end).unwrap_or_default(), rows)
        })
    }
}

/// How far the layout of a workspace is.
#[derive(Clone, PartialEq, Debug)]
pub struct LayoutState {
    pub is_running: bool,
    /// The revision of the last finished one.
    pub revision: Option<Revision>,
    /// The finished part of the running one.
    pub share: f32,
    /// Nodes and communities of the last finished one that the caller sees.
    pub nodes: usize,
    pub communities: usize,
    pub seconds: f32,
}

/// The layout of an open workspace, shared by all handles on it.
pub(super) struct Layouts {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    known: Mutex<Known>,
    /// Held while a small graph is laid out, so that only one caller computes it.
    computing: Mutex<()>,
    /// Finished part of the running one, in thousandths.
    share: AtomicU32,
    stop: AtomicBool,
}

#[derive(Default)]
struct Known {
    layout: Option<Arc<Layout>>,
    /// Version of the file that was read or written.
    file: Option<Stamp>,
    running: Option<JoinHandle<()>>,
}

type Stamp = (SystemTime, u64);

impl Layouts {
    pub fn new() -> Self {
        Self { shared: Arc::default() }
    }
}

impl Drop for Layouts {
    /// The thread may hold the store for one page yet.
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let running = lock(&self.shared.known).running.take();
        if let Some(thread) = running {
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// The latest layout, also that of another process.
    fn latest(&self, store: &dyn Store) -> Option<Arc<Layout>> {
        let home = store.home();
        let path = home.index.map(|folder| folder.join(FILE));
        let mut known = lock(&self.known);
        let stamp = path.as_deref().and_then(stamp);
        if let Some(path) = path.filter(|_| stamp.is_some() && stamp != known.file) {
            known.file = stamp;
            let read = fs::read(path).ok().and_then(|bytes| Layout::from_bytes(&bytes, home.store_id));
            let is_later = |one: &Layout| known.layout.as_ref().is_none_or(|had| had.revision < one.revision);
            if let Some(layout) = read.filter(is_later) {
                known.layout = Some(Arc::new(layout));
            }
        }
        known.layout.clone()
    }

    fn put(&self, store: &dyn Store, layout: Layout) -> Arc<Layout> {
        let home = store.home();
        let bytes = layout.to_bytes(home.store_id);
        let stamp_of = |bytes: &[u8]| bytes[bytes.len() - 4..].try_into().map_or(0, u32::from_le_bytes);
        let layout = Arc::new(Layout { stamp: stamp_of(&bytes), ..layout });
        let written = home.index.filter(|_| !home.read_only).and_then(|folder| {
            let path = folder.join(FILE);
            // Without the file, the next process computes it again.
            write(&folder, &path, &bytes).ok()?;
            stamp(&path)
        });
        let mut known = lock(&self.known);
        known.file = written.or(known.file);
        known.layout = Some(Arc::clone(&layout));
        layout
    }

    fn goes_on(&self, share: f32) -> bool {
        self.share.store((share * 1000.0) as u32, Ordering::Relaxed);
        !self.stop.load(Ordering::Relaxed)
    }
}

impl Engine {
    /// The layout that a picture uses: the present one of a small graph; of a larger one the latest, while a
    /// thread may compute another.
    pub(super) fn layout_to_show(&self) -> Result<Option<Arc<Layout>>> {
        let head = self.whole.refresh()?;
        let shared = &self.layouts.shared;
        let latest = shared.latest(self.whole.as_ref());
        if latest.as_ref().is_some_and(|layout| layout.revision == head.revision) {
            return Ok(latest);
        }
        let nodes = head.memories + u64::from(head.next.entity.saturating_sub(1));
        if nodes <= AT_ONCE {
            let _one = lock(&shared.computing);
            let latest = shared.latest(self.whole.as_ref());
            if latest.as_ref().is_some_and(|layout| layout.revision == head.revision) {
                return Ok(latest);
            }
            let computed = computed(&|| Some(Arc::clone(&self.whole)), latest.as_deref(), &mut |_| true)?;
            return Ok(computed.map(|layout| shared.put(self.whole.as_ref(), layout)));
        }
        // Numbers are never used again, so that these count what was ever stored.
        let had = latest.as_ref().map_or(0, |layout| layout.rows.len());
        let newer = latest.as_ref().map_or(usize::MAX, |layout| {
            let last = |is_memory: bool| {
                let nodes = layout.rows.iter().rev().map(|row| Node::from_raw(row.node));
                nodes.filter(|node| node.is_memory() == is_memory).map(Node::number).next().unwrap_or(0)
            };
            let memories = head.next.memory.saturating_sub(last(true) + 1);
            let entities = head.next.entity.saturating_sub(last(false) + 1);
            (memories + entities) as usize
        });
        if newer > had / STALE {
            self.start_layout()?;
        }
        // One that knows less than half of the nodes says too little.
        Ok(latest.filter(|_| newer <= had))
    }

    /// Computes the layout on a thread, unless one does.
    pub fn start_layout(&self) -> Result<()> {
        let shared = &self.layouts.shared;
        let mut known = lock(&shared.known);
        if known.running.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return Ok(());
        }
        shared.share.store(0, Ordering::Relaxed);
        let (store, of_thread) = (Arc::downgrade(&self.whole), Arc::clone(shared));
        let former = known.layout.clone();
        let work = move || {
            let go_on = &mut |share| of_thread.goes_on(share);
            let computed = computed(&|| Weak::upgrade(&store), former.as_deref(), go_on);
            if let (Ok(Some(layout)), Some(store)) = (computed, store.upgrade()) {
                of_thread.put(store.as_ref(), layout);
            }
        };
        let thread = std::thread::Builder::new().name("griot-layout".into()).spawn(work);
        let failed = |error: std::io::Error| Error::unavailable("lay out the graph", error.to_string());
        known.running = Some(thread.map_err(failed)?);
        Ok(())
    }

    pub fn layout_state(&self) -> Result<LayoutState> {
        let read = self.read()?;
        let shared = &self.layouts.shared;
        let latest = shared.latest(self.whole.as_ref());
        let is_running = lock(&shared.known).running.as_ref().is_some_and(|thread| !thread.is_finished());
        let mut state = LayoutState {
            is_running,
            revision: None,
            share: if is_running { shared.share.load(Ordering::Relaxed) as f32 / 1000.0 } else { 0.0 },
            nodes: 0,
            communities: 0,
            seconds: 0.0,
        };
        let Some(layout) = latest else { return Ok(state) };
        let mut sizes: HashMap<u32, u32, FixedState> = HashMap::default();
        let seen =
            if self.sees_all() { None } else { Some(self.every_node(read, &self.everything(self.now()))?) };
        let rows: Vec<&Row> = match &seen {
            None => layout.rows.iter().collect(),
            Some(seen) => seen.iter().filter_map(|one| layout.row(one.node)).collect(),
        };
        rows.iter().for_each(|row| *sizes.entry(row.community).or_default() += 1);
        state.nodes = rows.len();
        state.communities = sizes.values().filter(|size| **size > 1).count();
        (state.revision, state.seconds) = (Some(layout.revision), layout.seconds);
        if !is_running {
            state.share = 1.0;
        }
        Ok(state)
    }
}

/// Reads the graph and lays it out. `None` if it was stopped, or the store is closed.
fn computed(
    store: &dyn Fn() -> Option<Arc<dyn Store>>,
    former: Option<&Layout>,
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Result<Option<Layout>> {
    /// Shares of the work that are done after reading, and after the communities are known.
    const READ: f32 = 0.1;
    const GROUPED: f32 = 0.35;
    let start = Instant::now();
    let Some((revision, nodes, network)) = read_network(store, &mut || go_on(READ / 2.0))? else {
        return Ok(None);
    };
    let had: Vec<u32> =
        nodes.iter().map(|node| former.and_then(|one| one.community(*node)).unwrap_or(u32::MAX)).collect();
    let begun = former.map(|_| {
        // Each node that is new begins alone.
        let free = had.iter().filter(|had| **had != u32::MAX).max().map_or(0, |last| last + 1);
        had.iter().zip(free..).map(|(had, own)| if *had == u32::MAX { own } else { *had }).collect::<Vec<_>>()
    });
    let found = graph::communities(&network, begun.as_deref(), RESOLUTION, &mut || go_on(READ));
    let Some(found) = found else { return Ok(None) };
    let community = graph::keep_numbers(&found, &had);
    let places: Vec<Option<(f32, f32)>> = nodes
        .iter()
        .map(|node| former.and_then(|one| one.place(*node)).map(|(x, y)| (x / UNIT, y / UNIT)))
        .collect();
    let arranged =
        graph::arrange(&network, &found, &places, &mut |share| go_on(GROUPED + (1.0 - GROUPED) * share));
    let Some(arranged) = arranged else { return Ok(None) };
    let rows = nodes.iter().zip(&arranged).zip(&community);
    let mut rows: Vec<Row> = rows
        .map(|((node, (x, y)), community)| Row {
            node: node.raw(),
            x: x * UNIT,
            y: y * UNIT,
            community: *community,
        })
        .collect();
    rows.sort_unstable_by_key(|row| row.node);
    Ok(Some(Layout::new(revision, start.elapsed().as_secs_f32(), 0, rows)))
}

/// Nodes ascending, and the graph between them.
type Whole = (Revision, Vec<Node>, Network);

fn read_network(
    store: &dyn Fn() -> Option<Arc<dyn Store>>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Whole>> {
    // Also what has expired: a picture may be of an earlier time.
    let filter = &Filter { superseded: true, ..Filter::default() };
    let Some(open) = store() else { return Ok(None) };
    let read: &dyn Read = open.as_ref();
    let revision = read.revision();
    let mut nodes = read.latest(filter, usize::MAX >> 1)?;
    nodes.extend(read.hubs(None, usize::MAX >> 1, filter.now)?.into_iter().map(|(node, _)| node));
    nodes.sort_unstable();
    drop(open);
    let at: HashMap<Node, u32, FixedState> = nodes.iter().copied().zip(0..).collect();
    let mut edges: Vec<(u32, u32, f32)> = Vec::new();
    /// Nodes whose arcs are read while the store is held.
    const PAGE: usize = 4096;
    for (page, some) in nodes.chunks(PAGE).enumerate() {
        let Some(open) = store().filter(|_| go_on()) else { return Ok(None) };
        each_arc(open.as_ref(), some, filter, &mut |from, arc| {
            if let Some(to) = at.get(&arc.to)
                && !(arc.kind.is_symmetric() && some[from] > arc.to)
            {
                edges.push(((page * PAGE + from) as u32, *to, strength_drawn(arc)));
            }
            Ok(())
        })?;
    }
    let network = Network::new(nodes.len(), edges);
    Ok(Some((revision, nodes, network)))
}

fn write(folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    private::folder(folder)?;
    private::write(path, bytes)
}

fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
