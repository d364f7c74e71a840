//! An allocator that counts bytes and fails beyond a limit: bounds a worker on systems without a memory
//! limit.
//!
//! Without a limit it delegates to the system's allocator and counts nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Bytes; 0 is unlimited.
static LIMIT: AtomicI64 = AtomicI64::new(0);
/// Bytes allocated since the limit was set. Earlier allocations may be freed later, so this may go
/// negative.
static USED: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
/// 1 once anything was counted: this allocator is the program's own.
static COUNTED: AtomicU64 = AtomicU64::new(0);

/// Set as `global_allocator` by programs that serve as read workers.
#[derive(Debug, Default)]
pub struct CountingAllocator;

/// Limits the process to this many further bytes.
pub(super) fn limit(bytes: u64) {
    LIMIT.store(i64::try_from(bytes).unwrap_or(i64::MAX).max(1), Ordering::Relaxed);
}

/// Peak bytes in use since the last call; 0 if this allocator is not the program's own.
pub(super) fn take_peak() -> u64 {
    if COUNTED.load(Ordering::Relaxed) == 0 {
        return 0;
    }
    let peak = PEAK.swap(USED.load(Ordering::Relaxed), Ordering::Relaxed);
    u64::try_from(peak).unwrap_or(0)
}

/// Counts an allocation; false if it exceeds the limit.
fn charge(size: usize) -> bool {
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

fn release(size: usize) {
    if LIMIT.load(Ordering::Relaxed) != 0 {
        USED.fetch_sub(i64::try_from(size).unwrap_or(i64::MAX), Ordering::Relaxed);
    }
}

/// Allocates within the limit, and counts it; null if that fails.
fn charged(size: usize, allocate: impl FnOnce() -> *mut u8) -> *mut u8 {
    if !charge(size) {
        return std::ptr::null_mut();
    }
    let pointer = allocate();
    if pointer.is_null() {
        release(size);
    }
    pointer
}

// SAFETY: every pointer comes from `System` and is returned to it with its original layout; null reports
// that memory is exhausted.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        charged(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        charged(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        release(layout.size());
        // SAFETY: it came from `System` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: it came from `System` with this layout.
        let moved = charged(new_size, || unsafe { System.realloc(pointer, layout, new_size) });
        if !moved.is_null() {
            release(layout.size());
        }
        moved
    }
}
