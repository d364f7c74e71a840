//! The best few of many scores; ties go to the smaller number.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Keeps up to twice the limit, and drops the worse half when full.
pub(super) struct Best {
    limit: usize,
    kept: Vec<(f32, u32)>,
    bound: f32,
}

/// Higher scores first, then smaller numbers.
pub(super) fn better_first(a: &(f32, u32), b: &(f32, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, kept: Vec::with_capacity(limit.saturating_mul(2).min(1 << 16)), bound: 0.0 }
    }

    /// A score below this cannot be among the best. Scores must be positive.
    #[inline]
    pub(super) fn bound(&self) -> f32 {
        self.bound
    }

    #[inline]
    pub(super) fn push(&mut self, score: f32, number: u32) {
        self.kept.push((score, number));
        if self.kept.len() >= self.limit.saturating_mul(2).max(64) {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        if self.limit > 0 && self.kept.len() > self.limit {
            self.kept.select_nth_unstable_by(self.limit - 1, better_first);
            self.kept.truncate(self.limit);
            self.bound = self.kept[self.limit - 1].0;
        }
    }

    pub(super) fn finish(mut self) -> Vec<(f32, u32)> {
        // To leave out the worse half costs less than to sort it.
        self.shrink();
        self.kept.sort_unstable_by(better_first);
        self.kept.truncate(self.limit);
        self.kept
    }
}

/// Empties a heap from the top: sorts only as far as the iterator is read.
pub(super) fn descending<T: Ord>(mut heap: BinaryHeap<T>) -> impl Iterator<Item = T> {
    std::iter::from_fn(move || heap.pop())
}
