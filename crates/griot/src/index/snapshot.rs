//! The snapshot file: the index at one revision, as arrays that are used in place.
//!
//! ```text
//! 0     magic "GRIOTIDX"                       8 bytes
//! 8     format version                         u32
//! 12    number of sections                     u32
//! 16    store id                               16 bytes
//! 32    fingerprint of the vector model        u64 (0: none)
//! 40    dimensions                             u64
//! 48    revision                               u64
//! 56    length of the file                     u64
//! 64    offset of the checksums of the blocks  u64
//! 72    number of checksums                    u64
//! 80    checksum of these checksums            u64
//! 88    sections: offset u64, length u64       16 bytes each
//! …     checksum of everything above           u64
//! ```
//!
//! Sections follow in the order of the table, each at a multiple of 64 bytes; all numbers are little-endian.
//! At the end of the file is one CRC-32 for each block of each section, in the order of the table; the first
//! block of a section starts with the section. Opening reads head and checksums only, a thousandth of the
//! file: blocks are verified when they are used (see `map`). A file is written under a temporary name,
//! flushed to disk and renamed, so it is complete or absent.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytemuck::NoUninit;

use super::IndexConfig;
use super::hash::hash_bytes;
use super::map::{ALIGNMENT, BLOCK, Mapped, Sections, checksum};
use crate::private;

const MAGIC: &[u8; 8] = b"GRIOTIDX";
/// Raise it whenever a section, a hash or a derived value changes its meaning.
const VERSION: u32 = 7;
const FIXED: usize = 88;
/// Number of bytes of a section that are collected before they are written: whole blocks.
const WRITTEN_AT_ONCE: usize = 256 * BLOCK;

fn head_length(sections: usize) -> usize {
    FIXED + 16 * sections + 8
}

/// The content of the head of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) store_id: [u8; 16],
    pub(super) fingerprint: u64,
    pub(super) dimensions: u64,
    pub(super) revision: u64,
}

/// The hash of a model in the head.
pub(super) fn fingerprint(model: Option<&(String, usize)>) -> u64 {
    model.map_or(0, |(name, dimensions)| hash_bytes(name.as_bytes()).wrapping_add(*dimensions as u64).max(1))
}

/// Reads and verifies the head of a file. `None` for anything but a complete snapshot in this format.
pub(super) fn open(path: &Path, sections: usize) -> Option<(Head, Sections)> {
    if cfg!(target_endian = "big") {
        return None;
    }
    let file = File::open(path).ok()?;
    let mapped = Mapped::open(&file)?;
    let length = head_length(sections);
    let head = mapped.bytes(0..length)?;
    let number = |at: usize| Some(u64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?));
    let is_ours = head.get(..8)? == MAGIC
        && number(8)? == u64::from(VERSION) | (sections as u64) << 32
        && number(56)? == mapped.len() as u64
        && number(length - 8)? == hash_bytes(head.get(..length - 8)?);
    if !is_ours {
        return None;
    }
    let table: Option<Vec<_>> =
        (0..sections).map(|i| Some((number(FIXED + 16 * i)?, number(FIXED + 16 * i + 8)?))).collect();
    let description = Head {
        store_id: head.get(16..32)?.try_into().ok()?,
        fingerprint: number(32)?,
        dimensions: number(40)?,
        revision: number(48)?,
    };
    let start = usize::try_from(number(64)?).ok()?;
    let sums = mapped.bytes(start..start.checked_add(usize::try_from(number(72)?).ok()?.checked_mul(4)?)?)?;
    if number(80)? != u64::from(checksum(sums)) {
        return None;
    }
    let sums = sums.chunks_exact(4).map(|sum| u32::from_le_bytes([sum[0], sum[1], sum[2], sum[3]])).collect();
    Some((description, Sections::new(mapped, path, &table?, sums)?))
}

/// Writes a snapshot, section after section.
pub(super) struct Writer {
    out: File,
    at: u64,
    table: Vec<(u64, u64)>,
    /// Bytes of the current section that have not been written; begins at a block.
    pending: Vec<u8>,
    /// Checksums of all blocks so far.
    sums: Vec<u32>,
}

impl Writer {
    pub(super) fn begin(&mut self) -> io::Result<()> {
        self.align()?;
        self.table.push((self.at, 0));
        Ok(())
    }

    #[inline]
    pub(super) fn put<T: NoUninit>(&mut self, values: &[T]) -> io::Result<()> {
        self.pending.extend_from_slice(bytemuck::cast_slice(values));
        if self.pending.len() >= WRITTEN_AT_ONCE { self.write_blocks() } else { Ok(()) }
    }

    pub(super) fn end(&mut self) -> io::Result<()> {
        self.write_blocks()?;
        if !self.pending.is_empty() {
            self.sums.push(checksum(&self.pending));
            let rest = std::mem::take(&mut self.pending);
            self.write(&rest)?;
        }
        if let Some((start, length)) = self.table.last_mut() {
            *length = self.at - *start;
        }
        Ok(())
    }

    /// Writes a whole section at once.
    pub(super) fn section<T: NoUninit>(&mut self, values: &[T]) -> io::Result<()> {
        self.begin()?;
        self.put(values)?;
        self.end()
    }

    /// Writes a section of one value after the other.
    pub(super) fn values<T: NoUninit>(&mut self, values: impl IntoIterator<Item = T>) -> io::Result<()> {
        self.begin()?;
        values.into_iter().try_for_each(|value| self.put(&[value]))?;
        self.end()
    }

    /// Writes a section of where the lists of these lengths start, and where the last one ends.
    pub(super) fn offsets(&mut self, lengths: impl Iterator<Item = usize>) -> io::Result<()> {
        self.values(starts(lengths))
    }

    /// Writes the complete blocks of the pending bytes.
    fn write_blocks(&mut self) -> io::Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        let whole = pending.len() / BLOCK * BLOCK;
        self.sums.extend(pending[..whole].chunks_exact(BLOCK).map(checksum));
        self.write(&pending[..whole])?;
        pending.drain(..whole);
        self.pending = pending;
        Ok(())
    }

    fn align(&mut self) -> io::Result<()> {
        let gap = (ALIGNMENT as u64 - self.at % ALIGNMENT as u64) % ALIGNMENT as u64;
        self.write(&[0; ALIGNMENT][..gap as usize])
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// Where lists of these lengths start in an array, and where the last one ends.
pub(super) fn starts(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = u64> {
    let ends = lengths.scan(0, |end, length| {
        *end += length as u64;
        Some(*end)
    });
    std::iter::once(0).chain(ends)
}

/// Writes a file completely or not at all.
pub(super) fn write(
    dir: &Path,
    head: Head,
    sections: usize,
    content: impl FnOnce(&mut Writer) -> io::Result<()>,
) -> io::Result<()> {
    if cfg!(target_endian = "big") {
        return Ok(());
    }
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let counter = COUNTER.fetch_add(1, Ordering::Relaxed);
    let path = file_path(dir, head.revision);
    let temporary = dir.join(format!("index-{}.tmp-{}-{counter}", head.revision, std::process::id()));
    private::folder(dir)?;
    let written = write_to(&temporary, head, sections, content).and_then(|()| {
        match fs::rename(&temporary, &path) {
            // A mapped file that cannot be replaced is the same revision, written by another process.
            Err(_) if path.exists() => fs::remove_file(&temporary),
            renamed => renamed,
        }
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    remove_older(dir, head.revision, &path);
    Ok(())
}

fn write_to(
    path: &Path,
    head: Head,
    sections: usize,
    content: impl FnOnce(&mut Writer) -> io::Result<()>,
) -> io::Result<()> {
    let file = private::options().read(true).write(true).create_new(true).open(path)?;
    let length = head_length(sections);
    let mut writer = Writer {
        out: file,
        at: 0,
        table: Vec::with_capacity(sections),
        pending: Vec::new(),
        sums: Vec::new(),
    };
    writer.write(&vec![0u8; length])?;
    content(&mut writer)?;
    debug_assert_eq!(writer.table.len(), sections);
    writer.align()?;
    let sums_at = writer.at;
    let sums: Vec<u8> = writer.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    writer.write(&sums)?;

    let mut bytes = Vec::with_capacity(length);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(sections as u32).to_le_bytes());
    bytes.extend_from_slice(&head.store_id);
    let of_blocks = [sums_at, writer.sums.len() as u64, u64::from(checksum(&sums))];
    for number in [head.fingerprint, head.dimensions, head.revision, writer.at].into_iter().chain(of_blocks) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for (offset, length) in &writer.table {
        bytes.extend_from_slice(&offset.to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
    }
    let of_head = hash_bytes(&bytes);
    bytes.extend_from_slice(&of_head.to_le_bytes());

    let mut file = writer.out;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&bytes)?;
    file.sync_all()
}

pub(super) fn file_path(dir: &Path, revision: u64) -> PathBuf {
    dir.join(format!("index-{revision}.bin"))
}

/// The snapshots of a folder, newest first.
pub(super) fn list(dir: &Path) -> Vec<(u64, PathBuf)> {
    let mut found: Vec<_> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let revision = name.to_str()?.strip_prefix("index-")?.strip_suffix(".bin")?.parse().ok()?;
            Some((revision, entry.path()))
        })
        .collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

/// Removes older snapshots, and temporary files that a killed process left more than an hour ago. Best
/// effort: some systems cannot remove mapped files.
fn remove_older(dir: &Path, revision: u64, newest: &Path) {
    for (older, path) in list(dir) {
        if older < revision {
            let _ = fs::remove_file(path);
        }
    }
    let Ok(now) = newest.metadata().and_then(|data| data.modified()) else {
        return;
    };
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with("index-") && name.contains(".tmp-"));
        let age =
            entry.metadata().and_then(|data| data.modified()).ok().and_then(|at| now.duration_since(at).ok());
        if is_temporary && age.is_some_and(|age| age > Duration::from_secs(3600)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes every snapshot before a revision, complete or not. A snapshot that is being written then fails to
/// complete, because its file is gone. A file that is renamed while the folder is read may be missed, so the
/// folder is read until two readings in a row find nothing.
pub fn remove_before(dir: &Path, revision: u64) -> io::Result<()> {
    let mut clean = 0;
    while clean < 2 {
        clean += 1;
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let number = name
                .to_str()
                .and_then(|name| name.strip_prefix("index-"))
                .and_then(|rest| rest.split('.').next());
            if number.and_then(|number| number.parse().ok()).is_some_and(|number: u64| number < revision) {
                clean = 0;
                fs::remove_file(entry.path()).or_else(|error| match error.kind() {
                    io::ErrorKind::NotFound => Ok(()),
                    _ => Err(error),
                })?;
            }
        }
    }
    Ok(())
}

/// Whether a file with this head belongs to a store.
pub(super) fn serves(head: &Head, config: &IndexConfig) -> bool {
    let dimensions = config.model.as_ref().map_or(0, |(_, dimensions)| *dimensions as u64);
    head.store_id == config.store_id
        && head.fingerprint == fingerprint(config.model.as_ref())
        && head.dimensions == dimensions
}
