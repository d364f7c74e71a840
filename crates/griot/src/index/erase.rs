//! Erasure: no trace of an erased memory stays in the index.
//!
//! The base is a private mapping, so that this process changes its own copy; the back end removes the file on
//! disk.

use std::collections::BTreeSet;

use super::Index;
use super::columns::{KNOWN, VECTOR};

impl Index {
    pub(super) fn erase(&mut self, memories: &BTreeSet<u32>) {
        let known: BTreeSet<u32> =
            memories.iter().copied().filter(|memory| self.columns.has(*memory, KNOWN)).collect();
        if known.is_empty() {
            return;
        }
        self.erased = true;
        self.words.erase(&known);
        for memory in known {
            let at = memory as usize;
            self.places.remove(memory, &self.columns, &mut self.totals);
            self.times.remove(memory, &self.columns);
            let (body, full) = (self.columns.body_length.get(at), self.columns.full_length.get(at));
            self.totals.memories = self.totals.memories.saturating_sub(1);
            self.totals.body_terms = self.totals.body_terms.saturating_sub(u64::from(body));
            self.totals.full_terms = self.totals.full_terms.saturating_sub(u64::from(full));
            if self.columns.has(memory, VECTOR) {
                self.totals.vectors = self.totals.vectors.saturating_sub(1);
                let nothing = vec![0; self.vectors.dimensions()];
                self.vectors.set(memory, &nothing, 0.0);
            }
            self.years.clear(memory);
            self.columns.clear(memory);
        }
    }
}
