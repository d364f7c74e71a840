//! A mapped file seen as typed arrays. The only place of the index that reads memory it did not allocate.
//!
//! The mapping is private copy-on-write: processes share the pages of the file, and a process that changes a column of
//! an old memory gets its own copy of that page only. So the arrays can be changed in place, and the file never is.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};

/// Where sections start; no array needs more.
pub(super) const ALIGNMENT: usize = 64;

/// A mapped file from which sections are cut, front to back.
pub(super) struct Carver {
    owner: Arc<MmapMut>,
    start: NonNull<u8>,
    len: usize,
    /// Everything before this was given away.
    taken: usize,
}

impl Carver {
    /// `None` if the file cannot be mapped (it is empty, or the system refuses).
    pub(super) fn map(file: &File) -> Option<Self> {
        // SAFETY: the mapping is private. The file is written under another name, renamed once whole, and only ever
        // unlinked or replaced by another rename afterwards, so nobody shortens it while it is mapped.
        let mut map = unsafe { MmapOptions::new().no_reserve_swap().map_copy(file) }.ok()?;
        let len = map.len();
        let start = NonNull::new(map.as_mut_ptr())?;
        // The map is never dereferenced through its owner again: from here on each byte belongs to one section at most.
        Some(Self { owner: Arc::new(map), start, len, taken: 0 })
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The array of `bytes` bytes at `offset`. `None` if it lies outside, is not aligned, or does not come after
    /// everything that was taken before.
    pub(super) fn take<T: Pod>(&mut self, offset: u64, bytes: u64) -> Option<Section<T>> {
        let offset = usize::try_from(offset).ok()?;
        let bytes = usize::try_from(bytes).ok()?;
        let end = offset.checked_add(bytes)?;
        let fits = offset >= self.taken && end <= self.len;
        if !fits || !offset.is_multiple_of(ALIGNMENT) || !bytes.is_multiple_of(size_of::<T>()) {
            return None;
        }
        self.taken = end;
        // SAFETY: `offset <= len`, so the pointer stays inside the mapping or one past it.
        let start = unsafe { self.start.add(offset) }.cast::<T>();
        if !start.is_aligned() {
            return None;
        }
        Some(Section { start, len: bytes / size_of::<T>(), _owner: Some(Arc::clone(&self.owner)), _type: PhantomData })
    }
}

/// An array inside a mapped file; empty by default.
pub(super) struct Section<T> {
    start: NonNull<T>,
    len: usize,
    /// Keeps the mapping alive.
    _owner: Option<Arc<MmapMut>>,
    _type: PhantomData<T>,
}

// SAFETY: a section is the only one that reaches its bytes (`Carver::take` gives each byte away once), so it may move to
// another thread and be shared like a `Vec<T>`.
unsafe impl<T: Send> Send for Section<T> {}
// SAFETY: as above; `&Section` gives `&[T]` only.
unsafe impl<T: Sync> Sync for Section<T> {}

impl<T> Default for Section<T> {
    fn default() -> Self {
        Self { start: NonNull::dangling(), len: 0, _owner: None, _type: PhantomData }
    }
}

impl<T: Pod> Deref for Section<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `start` is aligned and, unless `len` is 0, points to `len` values inside the mapping that `_owner` keeps
        // alive; every bit pattern is a `T: Pod`; no other section overlaps, so `&mut` cannot exist besides.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Pod> DerefMut for Section<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `&mut self` is the only way to these bytes, and the mapping is writable (private).
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}
