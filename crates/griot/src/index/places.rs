//! Sessions: the memories of one (source, session) pair in the order of their ordinals, and their total
//! length.
//!
//! The key of the order is `place << 32 | ordinal`, so that a session is one range of it. Session 0 means
//! none and has no members.

use std::io;

use super::columns::{Column, Columns, KNOWN};
use super::map::Sections;
use super::order::Order;
use super::snapshot::Writer;
use super::{Totals, Visible};

#[derive(Default)]
pub(super) struct Places {
    order: Order<u64>,
    /// Number of terms in the texts of all members.
    lengths: Column<u64>,
    /// Number of members, live and deleted.
    counts: Column<u32>,
}

fn key(place: u32, ordinal: u32) -> u64 {
    u64::from(place) << 32 | u64::from(ordinal)
}

fn place_of(key: u64) -> u32 {
    (key >> 32) as u32
}

/// The current key of a memory; `None` if it is in no session.
fn present(columns: &Columns) -> impl Fn(u32) -> Option<u64> + '_ {
    |memory| {
        let place = columns.place.get(memory as usize);
        (place != 0 && columns.has(memory, KNOWN)).then(|| key(place, columns.ordinal.get(memory as usize)))
    }
}

impl Places {
    pub(super) const SECTIONS: usize = Order::<u64>::SECTIONS + 2;

    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        Some(Self {
            order: Order::open(sections)?,
            lengths: Column::new(sections.next()?),
            counts: Column::new(sections.next()?),
        })
    }

    pub(super) fn write(&self, writer: &mut Writer, columns: &Columns) -> io::Result<()> {
        self.order.write(writer, present(columns))?;
        self.lengths.write(writer)?;
        self.counts.write(writer)
    }

    /// One past the highest session.
    pub(super) fn end(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn length(&self, place: u32) -> u64 {
        self.lengths.get(place as usize)
    }

    /// Adds a memory to the session in its columns.
    pub(super) fn add(&mut self, memory: u32, columns: &Columns, totals: &mut Totals) {
        let Some(key) = present(columns)(memory) else {
            return;
        };
        let place = place_of(key) as usize;
        let length = u64::from(columns.body_length.get(memory as usize));
        self.order.insert(Some(key), memory);
        self.lengths.set(place, self.lengths.get(place).saturating_add(length));
        self.counts.set(place, self.counts.get(place).saturating_add(1));
        totals.places += u64::from(self.counts.get(place) == 1);
        totals.placed_terms = totals.placed_terms.saturating_add(length);
    }

    /// Removes a memory. Must be called before its columns change.
    pub(super) fn remove(&mut self, memory: u32, columns: &Columns, totals: &mut Totals) {
        let Some(key) = present(columns)(memory) else {
            return;
        };
        let place = place_of(key) as usize;
        let length = u64::from(columns.body_length.get(memory as usize));
        self.order.remove(Some(key), memory);
        let (Some(total), Some(count)) = (self.lengths.get_mut(place), self.counts.get_mut(place)) else {
            return;
        };
        *total = total.saturating_sub(length);
        *count = count.saturating_sub(1);
        totals.places = totals.places.saturating_sub(u64::from(*count == 0));
        totals.placed_terms = totals.placed_terms.saturating_sub(length);
    }

    /// Whether any member is visible.
    pub(super) fn sees(&self, place: u32, columns: &Columns, visible: &Visible<'_>) -> bool {
        self.order
            .from((key(place, 0), 0), present(columns))
            .take_while(|(key, _)| place_of(*key) == place)
            .any(|(_, memory)| columns.admits(visible, memory))
    }

    /// The visible members nearest to an ordinal (ties to the earlier one), in the order of (ordinal,
    /// number).
    pub(super) fn members(
        &self,
        place: u32,
        around: u32,
        limit: usize,
        columns: &Columns,
        visible: &Visible<'_>,
    ) -> Vec<u32> {
        let start = (key(place, around), 0);
        let inside = |(key, _): &(u64, u32)| place != 0 && place_of(*key) == place;
        let seen = |(_, memory): &(u64, u32)| columns.admits(visible, *memory);
        let mut after = self.order.from(start, present(columns)).take_while(inside).filter(seen).peekable();
        let mut before =
            self.order.before(start, present(columns)).take_while(inside).filter(seen).peekable();
        let distance = |(key, _): &(u64, u32)| (*key as u32).abs_diff(around);
        let mut earlier = Vec::new();
        let mut later = Vec::new();
        while earlier.len() + later.len() < limit {
            let is_before = match (before.peek(), after.peek()) {
                (Some(b), Some(a)) => distance(b) <= distance(a),
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            if is_before {
                earlier.extend(before.next().map(|(_, memory)| memory));
            } else {
                later.extend(after.next().map(|(_, memory)| memory));
            }
        }
        earlier.reverse();
        earlier.extend(later);
        earlier
    }

    /// The next or previous visible member, at most `look` steps away.
    pub(super) fn neighbour(
        &self,
        memory: u32,
        forward: bool,
        look: usize,
        columns: &Columns,
        visible: &Visible<'_>,
    ) -> Option<u32> {
        let own = present(columns)(memory)?;
        let sees = |other: &u32| columns.admits(visible, *other);
        self.order.neighbour((own, memory), forward, look, present(columns), place_of, sees)
    }
}
