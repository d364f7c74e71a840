//! Brings the index to the revision of the rows: from a snapshot, from the change log, or from scratch.

use std::collections::BTreeSet;
use std::path::Path;

use crate::backend::{ChangeNote, Feed, Head, Home, Table, Wanted, Which};
use crate::embed::name_vector;
use crate::index::{Index, IndexConfig, Pressure};
use crate::model::{Entity, Node, Result, Revision, Update};
use crate::private;
use crate::text::for_each_term;

fn config(home: &Home, model: Option<(String, usize)>) -> IndexConfig {
    IndexConfig { store_id: home.store_id, model, tokenizer: for_each_term, namer: name_vector }
}

pub(super) fn open_snapshot(home: &Home, model: Option<(String, usize)>) -> Option<Index> {
    Index::open(home.index.as_deref()?, config(home, model))
}

/// A snapshot that belongs to the rows, at their revision.
pub(super) fn usable(rows: &dyn Feed, snapshot: Option<Index>) -> Result<Option<Index>> {
    let Some(mut index) = snapshot else { return Ok(None) };
    let head = rows.head()?;
    // A snapshot is ahead if the store was restored from a copy.
    let is_usable = (1..=head.revision.0).contains(&index.revision()) && catch_up(rows, &head, &mut index)?;
    Ok(is_usable.then_some(index))
}

/// False if writing failed, or if `may` returned false after the file was started; nothing is changed then.
pub(super) fn write_snapshot(index: &Index, dir: &Path, may: &dyn Fn() -> bool) -> bool {
    private::folder(dir).is_ok() && index.write_snapshot(dir, may).is_ok()
}

/// Updates between two checks of the tail's size.
const LOOK_EVERY: usize = 1024;

/// Builds an index of all rows. With `flush`, writes a snapshot whenever the tail has grown, to bound memory
/// use. Such a snapshot has revision 0, which [`usable`] never accepts.
pub(super) fn build(rows: &dyn Feed, home: &Home, flush: bool) -> Result<Index> {
    let head = rows.head()?;
    let dir = home.index.as_deref().filter(|_| flush && !home.read_only);
    let mut built = Built { index: Index::empty(config(home, head.model)), dir, seen: 0 };
    rows.documents(Which::All, &mut |document| built.apply(Update::Document(document)))?;
    for (entity, live) in rows.liveness(None)? {
        built.apply(Update::Entity { entity: entity.number(), hidden: !live });
    }
    each_entity(rows, &mut |entity| {
        built.apply(Update::Name { entity: entity.node.number(), name: Some(&entity.name) });
    })?;
    rows.links(Which::All, &mut |link| built.apply(Update::Link(link)))?;
    built.index.set_revision(head.revision.0);
    Ok(built.index)
}

/// All entities by number, also those that are hidden.
pub(super) fn each_entity(rows: &dyn Feed, act: &mut dyn FnMut(&Entity)) -> Result<()> {
    const PAGE: usize = 1000;
    let mut last = 0;
    loop {
        let page = rows.scan(Table::Entities, last, PAGE)?.entities;
        let Some(end) = page.last() else { return Ok(()) };
        last = end.node.number();
        page.iter().for_each(&mut *act);
    }
}

struct Built<'a> {
    index: Index,
    dir: Option<&'a Path>,
    seen: usize,
}

impl Built<'_> {
    fn apply(&mut self, update: Update<'_>) {
        self.index.apply(update);
        self.seen += 1;
        if self.seen.is_multiple_of(LOOK_EVERY)
            && let Some(dir) = self.dir
            && self.index.wants_snapshot() == Pressure::Now
            // An erasure waits for this read to end, then removes the snapshots written during it.
            && write_snapshot(&self.index, dir, &|| true)
        {
            self.index.reopen(dir);
        }
    }
}

/// Applies the commits since the index's revision. False if the log does not cover them: the index is
/// unchanged and must be rebuilt.
pub(super) fn catch_up(rows: &dyn Feed, head: &Head, index: &mut Index) -> Result<bool> {
    if index.revision() >= head.revision.0 {
        return Ok(true);
    }
    let since = index.revision();
    let notes = rows.changes_after(Revision(since), usize::MAX >> 1)?;
    let is_complete = notes.iter().map(|note| note.revision.0).eq(since + 1..=head.revision.0);
    if !is_complete {
        return Ok(false);
    }
    // Drop vectors of a replaced embedder; the memories that had one are among those touched.
    index.set_model(head.model.clone());
    update(rows, &notes, index)?;
    index.set_revision(head.revision.0);
    Ok(true)
}

/// Applies the current state of all rows that the revisions touched: many revisions cost as much as their
/// union.
fn update(rows: &dyn Feed, notes: &[ChangeNote], index: &mut Index) -> Result<()> {
    let nodes: BTreeSet<Node> = notes.iter().flat_map(|note| &note.nodes).copied().collect();
    let (memories, entities): (Vec<Node>, Vec<Node>) = nodes.into_iter().partition(|node| node.is_memory());
    let mut erased: BTreeSet<u32> = memories.into_iter().map(Node::number).collect();
    let memories: Vec<u32> = erased.iter().copied().collect();
    rows.documents(Which::These(&memories), &mut |document| {
        erased.remove(&document.memory);
        index.apply(Update::Document(document));
    })?;
    if !erased.is_empty() {
        index.apply(Update::Erase(&erased));
    }
    let fetched = rows.fetch(&Wanted { nodes: &entities, live: &entities, ..Wanted::default() })?;
    let mut names = fetched.entities.iter().peekable();
    for (node, live) in entities.iter().zip(fetched.live) {
        let (entity, row) = (node.number(), names.next_if(|row| row.node == *node));
        index.apply(Update::Entity { entity, hidden: !live });
        index.apply(Update::Name { entity, name: row.map(|row| row.name.as_str()) });
    }
    // A touched edge may have been removed in a later revision.
    let touched = notes.iter().flat_map(|note| note.edges.iter().chain(&note.removed_edges));
    let mut removed: BTreeSet<u32> = touched.copied().collect();
    let edges: Vec<u32> = removed.iter().copied().collect();
    rows.links(Which::These(&edges), &mut |link| {
        removed.remove(&link.number);
        index.apply(Update::Link(link));
    })?;
    removed.into_iter().for_each(|number| index.apply(Update::Unlink(number)));
    Ok(())
}
