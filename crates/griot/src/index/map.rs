//! A mapped file as typed arrays, with each block checked when it is first used. The only module of the index
//! that reads memory it did not allocate.
//!
//! The mapping is private copy-on-write: processes share the pages of the file, and a process that changes a
//! column of an old memory gets its own copy of that page only. So the arrays can be changed in place without
//! changing the file.
//!
//! A section is divided into blocks of [`BLOCK`] bytes, each with a CRC-32 (stored as `snapshot` describes).
//! All accesses go through [`Section`], which verifies a block the first time it is touched and records that
//! in one bit. A block that differs sets a flag that is never cleared: results computed from the file since
//! then are invalid, and the caller checks the flag ([`Checked::is_damaged`]) before it uses an answer. Until
//! then the values of a damaged block are used like others, so they must not be used as positions unchecked.
//!
//! A block is one page: a fresh process touches scattered pages, and the checksums should not make it read
//! more.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};

/// Alignment of sections; no array needs more.
pub(super) const ALIGNMENT: usize = 64;
/// Bytes per checksum. No value crosses blocks, because the size of each type divides this.
pub(super) const BLOCK: usize = 4096;

/// The checksum of a block.
pub(super) fn checksum(block: &[u8]) -> u32 {
    crc32fast::hash(block)
}

/// The number of blocks of a section of this many bytes.
pub(super) fn blocks(bytes: usize) -> usize {
    bytes.div_ceil(BLOCK)
}

/// A mapped file that has not been divided into sections.
pub(super) struct Mapped {
    map: MmapMut,
}

impl Mapped {
    /// `None` if the file cannot be mapped (it is empty, or the system refuses).
    pub(super) fn open(file: &File) -> Option<Self> {
        // SAFETY: the mapping is private. The file is written under another name, renamed once complete, and
        // afterwards only unlinked or replaced by another rename, so it is never shortened while it is
        // mapped.
        let map = unsafe { MmapOptions::new().no_reserve_swap().map_copy(file) }.ok()?;
        Some(Self { map })
    }

    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    pub(super) fn bytes(&self, range: Range<usize>) -> Option<&[u8]> {
        self.map.get(range)
    }
}

/// The position of a section in the file, and the number of its first block.
struct Stretch {
    offset: usize,
    bytes: usize,
    first: usize,
    /// Number of blocks that have not been verified.
    unseen: AtomicUsize,
}

/// A mapped file with the checksums of its blocks.
pub(super) struct Checked {
    /// Kept alive only: bytes are accessed through one section, or through `verify` while no `&mut` to them
    /// exists.
    _map: MmapMut,
    start: NonNull<u8>,
    path: PathBuf,
    stretches: Vec<Stretch>,
    sums: Vec<u32>,
    /// One bit per block: it was verified.
    seen: Vec<AtomicU64>,
    /// Incremented before a damaged block counts as verified, so that no thread uses one without seeing this.
    damaged: AtomicUsize,
}

// SAFETY: the pointer leads into the mapping that the value owns. Through `&self` bytes are only read, and
// only those of blocks that were never handed out mutably (see `verify`).
unsafe impl Send for Checked {}
// SAFETY: as above.
unsafe impl Sync for Checked {}

impl Checked {
    /// Whether some block that was touched differs from what was written.
    pub(super) fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Acquire) > 0
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Verifies all remaining blocks; returns the number of damaged ones, and of all.
    pub(super) fn check_all(&self) -> (usize, usize) {
        for (at, stretch) in self.stretches.iter().enumerate() {
            for block in (0..blocks(stretch.bytes)).filter(|block| !self.is_seen(stretch.first + block)) {
                self.verify(at, block);
            }
        }
        (self.damaged.load(Ordering::Relaxed), self.sums.len())
    }

    #[inline]
    fn is_seen(&self, block: usize) -> bool {
        self.seen.get(block / 64).is_some_and(|bits| bits.load(Ordering::Acquire) >> (block % 64) & 1 == 1)
    }

    /// Verifies a block; true for the last one of its section. The bit is set before a block is handed out
    /// mutably (`Section::touch`), so a changed block is never verified. If two threads verify the same
    /// block, both get the same result.
    #[cold]
    fn verify(&self, stretch: usize, block: usize) -> bool {
        let Some(stretch) = self.stretches.get(stretch) else { return false };
        let number = stretch.first + block;
        let from = (block * BLOCK).min(stretch.bytes);
        let to = (from + BLOCK).min(stretch.bytes);
        // SAFETY: `Sections::new` checked that the stretch is inside the mapping. No `&mut` to these bytes
        // exists: they are handed out through `&mut Section`, and only after their block was verified.
        let bytes =
            unsafe { std::slice::from_raw_parts(self.start.as_ptr().add(stretch.offset + from), to - from) };
        let is_sound = self.sums.get(number) == Some(&checksum(bytes));
        if !is_sound {
            self.damaged.fetch_add(1, Ordering::AcqRel);
        }
        let bit = 1 << (number % 64);
        let was = self.seen.get(number / 64).map_or(0, |bits| bits.fetch_or(bit, Ordering::AcqRel));
        if was & bit != 0 {
            if !is_sound {
                // Another thread verified the block meanwhile, and counted it.
                self.damaged.fetch_sub(1, Ordering::AcqRel);
            }
            return false;
        }
        stretch.unseen.fetch_sub(1, Ordering::AcqRel) == 1
    }
}

/// Hands out the sections of a mapped file, front to back.
pub(super) struct Sections {
    file: Arc<Checked>,
    len: usize,
    next: usize,
}

impl Sections {
    /// `table` lists offset and length of each section; `sums` are the checksums of all their blocks in that
    /// order. `None` if a section is outside the file, is not aligned or overlaps the one before, or if the
    /// number of checksums differs.
    pub(super) fn new(mapped: Mapped, path: &Path, table: &[(u64, u64)], sums: Vec<u32>) -> Option<Self> {
        let Mapped { mut map } = mapped;
        let len = map.len();
        let mut stretches = Vec::with_capacity(table.len());
        let (mut taken, mut first) = (0, 0);
        for &(offset, bytes) in table {
            let (offset, bytes) = (usize::try_from(offset).ok()?, usize::try_from(bytes).ok()?);
            let end = offset.checked_add(bytes)?;
            if offset < taken || end > len || !offset.is_multiple_of(ALIGNMENT) {
                return None;
            }
            stretches.push(Stretch { offset, bytes, first, unseen: AtomicUsize::new(blocks(bytes)) });
            first += blocks(bytes);
            taken = end;
        }
        if first != sums.len() {
            return None;
        }
        let start = NonNull::new(map.as_mut_ptr())?;
        let seen = (0..first.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        // The map is never dereferenced through its owner again: from here on each byte belongs to one
        // section at most.
        let file = Checked {
            _map: map,
            start,
            path: path.to_owned(),
            stretches,
            sums,
            seen,
            damaged: AtomicUsize::new(0),
        };
        Some(Self { file: Arc::new(file), len, next: 0 })
    }

    pub(super) fn file(&self) -> Arc<Checked> {
        Arc::clone(&self.file)
    }

    /// The next section as an array; `None` if there is none, or its length is not a multiple of the type's.
    pub(super) fn next<T: Pod>(&mut self) -> Option<Section<T>> {
        const { assert!(BLOCK.is_multiple_of(size_of::<T>())) };
        let stretch = self.file.stretches.get(self.next)?;
        if !stretch.bytes.is_multiple_of(size_of::<T>()) || stretch.offset > self.len {
            return None;
        }
        // SAFETY: `offset <= len`, so the pointer stays inside the mapping or one past it.
        let start = unsafe { self.file.start.add(stretch.offset) }.cast::<T>();
        if !start.is_aligned() {
            return None;
        }
        let (len, first, number) = (stretch.bytes / size_of::<T>(), stretch.first, self.next);
        self.next += 1;
        let (file, is_checked) = (Some(Arc::clone(&self.file)), AtomicBool::new(false));
        Some(Section { start, len, number, first, file, is_checked, _type: PhantomData })
    }
}

/// An array inside a mapped file; empty by default.
pub(super) struct Section<T> {
    start: NonNull<T>,
    len: usize,
    /// Index of its stretch in the file.
    number: usize,
    /// Its first block among all blocks of the file.
    first: usize,
    /// Keeps the mapping alive, and records which blocks were verified.
    file: Option<Arc<Checked>>,
    /// All of its blocks were verified.
    is_checked: AtomicBool,
    _type: PhantomData<T>,
}

// SAFETY: a section is the only one that accesses its bytes (`Sections::next` hands out each stretch once),
// so it may move to another thread and be shared like a `Vec<T>`.
unsafe impl<T: Send> Send for Section<T> {}
// SAFETY: as above; `&Section` gives `&[T]` only.
unsafe impl<T: Sync> Sync for Section<T> {}

impl<T> Default for Section<T> {
    fn default() -> Self {
        Self {
            start: NonNull::dangling(),
            len: 0,
            number: 0,
            first: 0,
            file: None,
            is_checked: AtomicBool::new(true),
            _type: PhantomData,
        }
    }
}

impl<T: Pod> Section<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Verifies the blocks of a range of values, which must be inside.
    #[inline]
    fn touch(&self, range: &Range<usize>) {
        if self.is_checked.load(Ordering::Acquire) {
            return;
        }
        if let Some(file) = &self.file
            && range.start < range.end
        {
            let last = (range.end - 1) * size_of::<T>() / BLOCK;
            for block in range.start * size_of::<T>() / BLOCK..=last {
                if !file.is_seen(self.first + block) {
                    let is_last = file.verify(self.number, block);
                    self.is_checked.fetch_or(is_last, Ordering::Release);
                }
            }
        }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<T> {
        if at >= self.len {
            return None;
        }
        self.touch(&(at..at + 1));
        // SAFETY: as in `range`.
        Some(unsafe { *self.start.as_ptr().add(at) })
    }

    /// Consecutive values; `None` if some are missing.
    #[inline]
    pub(super) fn range(&self, range: Range<usize>) -> Option<&[T]> {
        if range.start > range.end || range.end > self.len {
            return None;
        }
        self.touch(&range);
        // SAFETY: `start` is aligned and, unless `len` is 0, points to `len` values inside the mapping that
        // `file` keeps alive; the range is inside; every bit pattern is a `T: Pod`; no other section
        // overlaps, and `&mut` to these values cannot exist besides `&self`.
        Some(unsafe { std::slice::from_raw_parts(self.start.as_ptr().add(range.start), range.len()) })
    }

    /// All values; reads the whole section the first time.
    pub(super) fn all(&self) -> &[T] {
        self.range(0..self.len).unwrap_or(&[])
    }

    #[inline]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.range_mut(at..at.checked_add(1)?).and_then(<[T]>::first_mut)
    }

    pub(super) fn range_mut(&mut self, range: Range<usize>) -> Option<&mut [T]> {
        if range.start > range.end || range.end > self.len {
            return None;
        }
        self.touch(&range);
        // SAFETY: as in `range`; `&mut self` is the only access to these bytes, and the mapping is writable
        // (private).
        Some(unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().add(range.start), range.len()) })
    }

    /// The number of ascending values for which `is_before` holds, by binary search.
    pub(super) fn partition_point(&self, is_before: impl Fn(T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).is_some_and(&is_before) { low = middle + 1 } else { high = middle }
        }
        low
    }
}
