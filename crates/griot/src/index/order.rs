//! Memories in the order of a key: by time, by session and ordinal, by source and time.
//!
//! The base is two mapped arrays, keys (ascending, ties by number) and numbers; the tail is a tree of later
//! entries. A base entry whose memory has a different key now is stale and skipped; the tail never contains
//! an entry of the base. The caller provides the current key of a memory.

use std::collections::BTreeSet;
use std::io;

use bytemuck::Pod;

use super::map::{Section, Sections};
use super::snapshot::Writer;

pub(super) struct Order<K> {
    keys: Section<K>,
    members: Section<u32>,
    tail: BTreeSet<(K, u32)>,
}

impl<K> Default for Order<K> {
    fn default() -> Self {
        Self { keys: Section::default(), members: Section::default(), tail: BTreeSet::new() }
    }
}

impl<K: Pod + Ord> Order<K> {
    pub(super) const SECTIONS: usize = 2;

    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        let order = Self { keys: sections.next()?, members: sections.next()?, tail: BTreeSet::new() };
        (order.keys.len() == order.members.len()).then_some(order)
    }

    /// Writes the merged order.
    pub(super) fn write(&self, writer: &mut Writer, present: impl Fn(u32) -> Option<K>) -> io::Result<()> {
        let mut members = Vec::with_capacity(self.members.len() + self.tail.len());
        let entries = self.from((K::zeroed(), 0), present).inspect(|(_, member)| members.push(*member));
        writer.values(entries.map(|(key, _)| key))?;
        writer.section(&members)
    }

    /// Inserts a memory at its key, if it has one. A former key must have been passed to [`Order::remove`].
    pub(super) fn insert(&mut self, key: Option<K>, member: u32) {
        let Some(key) = key else { return };
        let at = self.position((key, member));
        let is_known = self.entry(at) == Some((key, member));
        if !is_known {
            self.tail.insert((key, member));
        }
    }

    pub(super) fn remove(&mut self, key: Option<K>, member: u32) {
        if let Some(key) = key {
            self.tail.remove(&(key, member));
        }
    }

    /// The next or previous member of the same group that `sees` accepts, at most `look` steps away.
    pub(super) fn neighbour(
        &self,
        own: (K, u32),
        forward: bool,
        look: usize,
        present: impl Fn(u32) -> Option<K>,
        group: fn(K) -> u32,
        sees: impl Fn(&u32) -> bool,
    ) -> Option<u32> {
        let step = |(key, other): (K, u32)| (group(key) == group(own.0) && other != own.1).then_some(other);
        if forward {
            self.from(own, present).skip(1).take(look).map_while(step).find(sees)
        } else {
            self.before(own, present).take(look).map_while(step).find(sees)
        }
    }

    /// An entry of the base.
    fn entry(&self, at: usize) -> Option<(K, u32)> {
        self.keys.get(at).zip(self.members.get(at))
    }

    /// The position of the first base entry that is not before this one.
    fn position(&self, entry: (K, u32)) -> usize {
        let mut low = 0;
        let mut high = self.keys.len().min(self.members.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle).is_some_and(|other| other < entry) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low
    }

    /// All entries from this one on, ascending.
    pub(super) fn from(
        &self,
        entry: (K, u32),
        present: impl Fn(u32) -> Option<K>,
    ) -> impl Iterator<Item = (K, u32)> {
        // By position, not by slice, so that only the entries that are read are verified.
        let base = (self.position(entry)..).map_while(|at| self.entry(at));
        let base = base.filter(move |&(key, member)| present(member) == Some(key));
        merge(base, self.tail.range(entry..).copied(), |a, b| a <= b)
    }

    /// All entries before this one, descending.
    pub(super) fn before(
        &self,
        entry: (K, u32),
        present: impl Fn(u32) -> Option<K>,
    ) -> impl Iterator<Item = (K, u32)> {
        let base = (0..self.position(entry)).rev().filter_map(|at| self.entry(at));
        let base = base.filter(move |&(key, member)| present(member) == Some(key));
        merge(base, self.tail.range(..entry).rev().copied(), |a, b| a >= b)
    }
}

/// Merges two ordered iterators.
fn merge<T>(
    left: impl Iterator<Item = T>,
    right: impl Iterator<Item = T>,
    is_before: fn(&T, &T) -> bool,
) -> impl Iterator<Item = T> {
    let (mut left, mut right) = (left.peekable(), right.peekable());
    std::iter::from_fn(move || match (left.peek(), right.peek()) {
        (Some(earlier), Some(other)) if is_before(earlier, other) => left.next(),
        (_, Some(_)) => right.next(),
        _ => left.next(),
    })
}
