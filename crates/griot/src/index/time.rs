//! Memories in the order of their event time, overall and per source, and the arcs derived from times and
//! ordinals.
//!
//! Three orders: all memories by (time, number); events by (time, number), and events per source by (time,
//! ordinal, number). A passage of a document is not an event: its time is when it was stored.
//!
//! Three kinds of arc are derived when read instead of stored; all run from the earlier to the later memory,
//! have edge 0, confidence 1 and provenance rule, and respect the filter, skipping at most 64 hidden
//! memories:
//!
//! - `narrative` joins neighbours by ordinal in a session;
//! - `temporal`, [`LABEL_BACKBONE`], joins consecutive memories of one source;
//! - `temporal`, [`LABEL_PROXIMITY`], joins a memory with the 10 nearest in time within 24 hours, other than
//!   its backbone neighbours; its weight is `1 / (1 + hours)`. It is one-sided: the other memory may have ten
//!   nearer ones.
//!
//! Timeless memories ([`Document::timeless`]) have narrative arcs only: as events, all memories of one
//! ingestion would be joined.
//!
//! [`Document::timeless`]: crate::model::Document::timeless

use std::io;

use super::Visible;
use super::arcs::Packed;
use super::columns::{Columns, KNOWN, TIMELESS};
use super::map::Sections;
use super::order::Order;
use super::places::Places;
use super::snapshot::Writer;
use crate::model::{EdgeKind, LABEL_BACKBONE, LABEL_PROXIMITY, Node, Provenance, Timestamp};

/// Number of memories that a derived arc may skip.
const LOOK: usize = 64;
const PROXIMITY: usize = 10;

#[derive(Default)]
pub(super) struct Times {
    all: Order<u64>,
    happened: Order<u64>,
    by_source: Order<u128>,
}

/// Maps a signed time to an unsigned number in the same order.
fn key(at: i64) -> u64 {
    at as u64 ^ 1 << 63
}

fn present(columns: &Columns) -> impl Fn(u32) -> Option<u64> + '_ {
    |memory| columns.has(memory, KNOWN).then(|| key(columns.occurred_at.get(memory as usize)))
}

/// The current time of an event; `None` for a timeless memory.
fn present_if_it_happened(columns: &Columns) -> impl Fn(u32) -> Option<u64> + '_ {
    |memory| present(columns)(memory).filter(|_| !columns.has(memory, TIMELESS))
}

fn source_of(key: u128) -> u32 {
    (key >> 96) as u32
}

/// The current key of a memory in its source; `None` if it has no source, or is timeless.
fn present_in_source(columns: &Columns) -> impl Fn(u32) -> Option<u128> + '_ {
    |memory| {
        let at = memory as usize;
        let source = columns.source.get(at);
        (source != 0 && columns.has(memory, KNOWN) && !columns.has(memory, TIMELESS)).then(|| {
            u128::from(source) << 96
                | u128::from(key(columns.occurred_at.get(at))) << 32
                | u128::from(columns.ordinal.get(at))
        })
    }
}

impl Times {
    pub(super) const SECTIONS: usize = 2 * Order::<u64>::SECTIONS + Order::<u128>::SECTIONS;

    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        Some(Self {
            all: Order::open(sections)?,
            happened: Order::open(sections)?,
            by_source: Order::open(sections)?,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer, columns: &Columns) -> io::Result<()> {
        self.all.write(writer, present(columns))?;
        self.happened.write(writer, present_if_it_happened(columns))?;
        self.by_source.write(writer, present_in_source(columns))
    }

    /// Adds a memory with the times of its columns.
    pub(super) fn add(&mut self, memory: u32, columns: &Columns) {
        self.all.insert(present(columns)(memory), memory);
        self.happened.insert(present_if_it_happened(columns)(memory), memory);
        self.by_source.insert(present_in_source(columns)(memory), memory);
    }

    /// Removes a memory. Must be called before its columns change.
    pub(super) fn remove(&mut self, memory: u32, columns: &Columns) {
        self.all.remove(present(columns)(memory), memory);
        self.happened.remove(present_if_it_happened(columns)(memory), memory);
        self.by_source.remove(present_in_source(columns)(memory), memory);
    }

    /// The `limit` latest visible memories of `start..end`, in the order of time.
    pub(super) fn within(
        &self,
        (start, end): (i64, i64),
        limit: usize,
        columns: &Columns,
        visible: &Visible<'_>,
    ) -> Vec<u32> {
        let mut found: Vec<u32> = self
            .all
            .before((key(end), 0), present(columns))
            .take_while(|(at, _)| *at >= key(start))
            .map(|(_, memory)| memory)
            .filter(|memory| columns.admits(visible, *memory))
            .take(limit)
            .collect();
        found.reverse();
        found
    }

    /// The visible neighbours of a memory, both lists in the order of time.
    pub(super) fn around(
        &self,
        memory: u32,
        before: usize,
        after: usize,
        columns: &Columns,
        visible: &Visible<'_>,
    ) -> (Vec<u32>, Vec<u32>) {
        let Some(own) = present(columns)(memory) else {
            return (Vec::new(), Vec::new());
        };
        let sees = |other: &u32| *other != memory && columns.admits(visible, *other);
        let number = |(_, other): (u64, u32)| other;
        let mut earlier: Vec<u32> =
            self.all.before((own, memory), present(columns)).map(number).filter(sees).take(before).collect();
        earlier.reverse();
        let later =
            self.all.from((own, memory), present(columns)).map(number).filter(sees).take(after).collect();
        (earlier, later)
    }

    /// The next or previous visible memory of the same source.
    fn neighbour(&self, memory: u32, forward: bool, columns: &Columns, visible: &Visible<'_>) -> Option<u32> {
        let own = present_in_source(columns)(memory)?;
        let sees = |other: &u32| columns.admits(visible, *other);
        let present = present_in_source(columns);
        self.by_source.neighbour((own, memory), forward, LOOK, present, source_of, sees)
    }

    /// Appends the backbone and proximity arcs of a memory, in both directions; a timeless one has none.
    pub(super) fn temporal(
        &self,
        memory: u32,
        columns: &Columns,
        visible: &Visible<'_>,
        out: &mut Vec<Packed>,
    ) {
        let Some(own) = present_if_it_happened(columns)(memory) else {
            return;
        };
        let arc = |other: u32, forward: bool, label: u32, weight: f32| {
            derived(memory, other, forward, EdgeKind::Temporal, label, weight, columns)
        };
        let next = self.neighbour(memory, true, columns, visible);
        let previous = self.neighbour(memory, false, columns, visible);
        out.extend(next.map(|other| arc(other, true, LABEL_BACKBONE, 1.0)));
        out.extend(previous.map(|other| arc(other, false, LABEL_BACKBONE, 1.0)));

        // Ten of each side are enough: nearest first, ties to the one with fewer memories in between, then to
        // the earlier one.
        let is_near = |(at, other): (u64, u32)| {
            let distance = at.abs_diff(own);
            (distance <= Timestamp::DAY as u64).then_some((distance, other))
        };
        let is_seen = |(_, other): &(u64, u32)| {
            Some(*other) != next && Some(*other) != previous && columns.admits(visible, *other)
        };
        let later = self
            .happened
            .from((own, memory), present_if_it_happened(columns))
            .filter(|(_, other)| *other != memory);
        let earlier = self.happened.before((own, memory), present_if_it_happened(columns));
        let later = later.take(LOOK).map_while(is_near).filter(is_seen).take(PROXIMITY).enumerate();
        let earlier = earlier.take(LOOK).map_while(is_near).filter(is_seen).take(PROXIMITY).enumerate();
        let mut near: Vec<(u64, usize, bool, u32)> = earlier
            .map(|(between, (distance, other))| (distance, between, false, other))
            .chain(later.map(|(between, (distance, other))| (distance, between, true, other)))
            .collect();
        near.sort_unstable();
        near.truncate(PROXIMITY);
        for (distance, _, forward, other) in near {
            let hours = distance as f64 / Timestamp::HOUR as f64;
            out.push(arc(other, forward, LABEL_PROXIMITY, (1.0 / (1.0 + hours)) as f32));
        }
    }
}

/// Appends the arcs to the neighbours of a memory in its session, in both directions.
pub(super) fn narrative(
    memory: u32,
    places: &Places,
    columns: &Columns,
    visible: &Visible<'_>,
    out: &mut Vec<Packed>,
) {
    for forward in [false, true] {
        let other = places.neighbour(memory, forward, LOOK, columns, visible);
        out.extend(other.map(|other| derived(memory, other, forward, EdgeKind::Narrative, 0, 1.0, columns)));
    }
}

/// A derived arc; its touch time is that of the later memory.
fn derived(
    memory: u32,
    other: u32,
    forward: bool,
    kind: EdgeKind,
    label: u32,
    weight: f32,
    columns: &Columns,
) -> Packed {
    let later = if forward { other } else { memory };
    Packed {
        to: Node::memory(other).raw(),
        edge: 0,
        weight,
        confidence: 1.0,
        touched_at: columns.occurred_at.get(later as usize),
        label,
        kind: kind as u8,
        provenance: Provenance::Rule as u8,
        forward: u8::from(forward),
        flags: 0,
    }
}
