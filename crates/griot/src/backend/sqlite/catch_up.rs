//! Brings the index to the store's revision: from a snapshot, from the change log, or from scratch.

use std::path::Path;

use super::tables::Tables;
use super::write::Applied;
use crate::index::{Index, IndexConfig, Pressure, Update};
use crate::model::{Result, Revision};
use crate::private;
use crate::text::for_each_term;

/// Opens the newest snapshot and catches up, or builds an index from the rows.
pub(super) fn open_index(tables: &Tables, dir: &Path, store_id: [u8; 16], read_only: bool) -> Result<Index> {
    let config = tables.run("read", || config(tables, store_id))?;
    // Open the snapshot before reading the revision; otherwise one that another process writes in between
    // would seem to be ahead.
    if let Some(mut index) = Index::open(dir, config) {
        let stored = tables.run("read", || tables.revision())?;
        // A snapshot is ahead if the store was restored from a copy.
        if (1..=stored.0).contains(&index.revision())
            && tables.run("read", || catch_up_in_one_read(tables, &mut index))?
        {
            return Ok(index);
        }
    }
    build(tables, (!read_only).then_some(dir), store_id)
}

fn config(tables: &Tables, store_id: [u8; 16]) -> rusqlite::Result<IndexConfig> {
    Ok(IndexConfig { store_id, model: tables.model()?, tokenizer: for_each_term })
}

/// Updates between two checks of the tail's size.
const LOOK_EVERY: usize = 1024;

/// Builds an index of all rows. With a folder, flushes the tail whenever it has grown, to bound memory use.
/// Such a snapshot has revision 0, which `open_index` never accepts.
pub(super) fn build(tables: &Tables, dir: Option<&Path>, store_id: [u8; 16]) -> Result<Index> {
    tables.run("read", || {
        let read = ReadTransaction::begin(tables)?;
        let mut index = Index::empty(config(tables, store_id)?);
        let mut seen = 0;
        tables.every_update(&mut |update| {
            index.apply(update);
            seen += 1;
            if seen % LOOK_EVERY == 0
                && let Some(dir) = dir
                && index.wants_snapshot() == Pressure::Now
                // An erasure waits for this read to end, then removes the snapshots written during it.
                && write_snapshot(&index, dir, &|| true)
            {
                index.reopen(dir);
            }
        })?;
        index.set_revision(tables.revision()?.0);
        read.end()?;
        Ok(index)
    })
}

/// Applies the commits since the index's revision. The caller holds a transaction, so that log and rows
/// agree. False if the log does not cover them: the index is unchanged and must be rebuilt.
pub(super) fn catch_up(tables: &Tables, index: &mut Index) -> rusqlite::Result<bool> {
    let stored = tables.revision()?;
    if index.revision() >= stored.0 {
        return Ok(true);
    }
    let Some(touched) = tables.touched_since(Revision(index.revision()))? else { return Ok(false) };
    // Drop vectors of a replaced embedder; the memories that had one are among those touched.
    index.set_model(tables.model()?);
    tables.updates_of(&touched, &mut |update| index.apply(update))?;
    index.set_revision(stored.0);
    Ok(true)
}

/// [`catch_up`] in its own transaction, unless the caller is in one.
pub(super) fn catch_up_in_one_read(tables: &Tables, index: &mut Index) -> rusqlite::Result<bool> {
    let read = ReadTransaction::begin(tables)?;
    let is_caught_up = catch_up(tables, index)?;
    read.end()?;
    Ok(is_caught_up)
}

/// Applies a commit to the index without reading it back.
pub(super) fn apply(index: &mut Index, applied: &Applied<'_>) {
    if let Some(model) = &applied.new_model {
        index.set_model(Some(model.clone()));
    }
    applied.each_update(&mut |update: Update<'_>| index.apply(update));
}

/// False if writing failed, or if `may` returned false after the file was started; nothing is changed then.
pub(super) fn write_snapshot(index: &Index, dir: &Path, may: &dyn Fn() -> bool) -> bool {
    private::folder(dir).is_ok() && index.write_snapshot(dir, may).is_ok()
}

/// Removes the folder's snapshots. If one cannot be removed, it is either rejected by `open_index` or
/// correct.
pub(super) fn remove_snapshots(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with("index-") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// A read transaction on one state of the rows; ends when dropped.
pub(super) struct ReadTransaction<'a> {
    tables: &'a Tables,
    /// False inside a transaction of the caller, which already provides a consistent state.
    is_own: bool,
}

impl<'a> ReadTransaction<'a> {
    pub(super) fn begin(tables: &'a Tables) -> rusqlite::Result<Self> {
        let is_own = tables.connection.is_autocommit();
        if is_own {
            tables.execute("BEGIN", [])?;
        }
        Ok(Self { tables, is_own })
    }

    pub(super) fn end(self) -> rusqlite::Result<()> {
        if self.is_own { self.tables.execute("COMMIT", []).map(drop) } else { Ok(()) }
    }
}

impl Drop for ReadTransaction<'_> {
    fn drop(&mut self) {
        if self.is_own && !self.tables.connection.is_autocommit() {
            // Nothing was changed, so the error has no consequence.
            let _ = self.tables.execute("ROLLBACK", []);
        }
    }
}
