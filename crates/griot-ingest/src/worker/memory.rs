//! An allocator that counts, and gives nothing beyond a limit: what stops a reader where the system has no
//! limit of its own.
//!
//! Without a limit it hands everything on to the system's allocator and counts nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Bytes; 0 is no limit.
static LIMIT: AtomicI64 = AtomicI64::new(0);
/// Since there is a limit. What was allocated before may be freed after, so it may fall below zero.
static USED: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
/// Of all allocations: whether this allocator is the program's own.
static COUNTED: AtomicU64 = AtomicU64::new(0);

/// To be set as the `global_allocator` of a program that serves as a reader.
#[derive(Debug, Default)]
pub struct CountingAllocator;

/// From here on, no more than so many bytes.
pub(super) fn limit(bytes: u64) {
    LIMIT.store(i64::try_from(bytes).unwrap_or(i64::MAX).max(1), Ordering::Relaxed);
}

/// The most that was in use since the last call; 0 where this allocator is not the program's own.
pub(super) fn take_peak() -> u64 {
    if COUNTED.load(Ordering::Relaxed) == 0 {
        return 0;
    }
    let peak = PEAK.swap(USED.load(Ordering::Relaxed), Ordering::Relaxed);
    u64::try_from(peak).unwrap_or(0)
}

/// Takes so many bytes, if there are so many.
fn take(size: usize) -> bool {
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit == 0 {
        return true;
    }
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let used = USED.fetch_add(size, Ordering::Relaxed).saturating_add(size);
    if used > limit {
        USED.fetch_sub(size, Ordering::Relaxed);
        return false;
    }
    COUNTED.store(1, Ordering::Relaxed);
    PEAK.fetch_max(used, Ordering::Relaxed);
    true
}

fn give(size: usize) {
    if LIMIT.load(Ordering::Relaxed) != 0 {
        USED.fetch_sub(i64::try_from(size).unwrap_or(i64::MAX), Ordering::Relaxed);
    }
}

// SAFETY: every pointer comes from `System` and goes back to it with the layout that it was asked for with; a
// null pointer is what the trait asks for where there is no memory.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        let pointer = unsafe { System.alloc(layout) };
        if pointer.is_null() {
            give(layout.size());
        }
        pointer
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        let pointer = unsafe { System.alloc_zeroed(layout) };
        if pointer.is_null() {
            give(layout.size());
        }
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give(layout.size());
        // SAFETY: it came from `System` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !take(new_size) {
            return std::ptr::null_mut();
        }
        // SAFETY: it came from `System` with this layout.
        let moved = unsafe { System.realloc(pointer, layout, new_size) };
        give(if moved.is_null() { new_size } else { layout.size() });
        moved
    }
}
