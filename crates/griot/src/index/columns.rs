//! The properties of each memory except its text: one array per column, dense by memory number.
//!
//! ```text
//! number          0      1      2     …   base−1 │ base  …
//! place     u32   –      7      7                │
//! flags     u8    0   KNOWN  KNOWN|DELETED       │
//!                 └──── mapped snapshot ───────┘ └─ tail in memory ─┘
//! ```
//!
//! Slot 0 is unused. A number that was skipped has no `KNOWN` flag. Changes of old memories are written in
//! place: the mapping is private (see `map`).

use std::io;

use bytemuck::Pod;

use super::Visible;
use super::map::{Section, Sections};
use super::snapshot::Writer;
use crate::model::Document;

/// The row is in use.
pub(super) const KNOWN: u8 = 1;
pub(super) const DELETED: u8 = 2;
pub(super) const SUPERSEDED: u8 = 4;
/// The text ends in a question mark.
pub(super) const ASKS: u8 = 8;
/// The memory has a vector.
pub(super) const VECTOR: u8 = 16;
/// The memory's time does not join it to others.
pub(super) const TIMELESS: u8 = 32;
/// The memory has a tier other than the default, or expires. A search reads these two columns only for
/// memories with this flag.
pub(super) const SPECIAL: u8 = 64;

/// An array whose first part is mapped and whose rest grows in memory.
pub(super) struct Column<T> {
    base: Section<T>,
    tail: Vec<T>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { base: Section::default(), tail: Vec::new() }
    }
}

impl<T: Pod> Column<T> {
    pub(super) fn new(base: Section<T>) -> Self {
        Self { base, tail: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.base.len() + self.tail.len()
    }

    /// The value, or zero outside.
    #[inline]
    pub(super) fn get(&self, at: usize) -> T {
        match self.base.get(at) {
            Some(value) => value,
            None => self.tail.get(at.wrapping_sub(self.base.len())).copied().unwrap_or_else(T::zeroed),
        }
    }

    #[inline]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        let base = self.base.len();
        if at < base { self.base.get_mut(at) } else { self.tail.get_mut(at - base) }
    }

    /// Sets a value, growing with zeros as needed.
    pub(super) fn set(&mut self, at: usize, value: T) {
        self.grow(at + 1);
        if let Some(slot) = self.get_mut(at) {
            *slot = value;
        }
    }

    pub(super) fn grow(&mut self, len: usize) {
        if len > self.len() {
            self.tail.resize(len - self.base.len(), T::zeroed());
        }
    }

    /// Consecutive values; `None` if some are missing, or they cross the border of the two parts.
    pub(super) fn slice(&self, at: usize, len: usize) -> Option<&[T]> {
        let base = self.base.len();
        if at < base {
            self.base.range(at..at.checked_add(len)?)
        } else {
            self.tail.get(at - base..(at - base).checked_add(len)?)
        }
    }

    pub(super) fn slice_mut(&mut self, at: usize, len: usize) -> Option<&mut [T]> {
        let base = self.base.len();
        if at < base {
            self.base.range_mut(at..at.checked_add(len)?)
        } else {
            self.tail.get_mut(at - base..(at - base).checked_add(len)?)
        }
    }

    /// The mapped part and the rest.
    pub(super) fn parts(&self) -> (&[T], &[T]) {
        (self.base.all(), &self.tail)
    }

    pub(super) fn write(&self, writer: &mut Writer) -> io::Result<()> {
        writer.begin()?;
        writer.put(self.base.all())?;
        writer.put(&self.tail)?;
        writer.end()
    }
}

/// The time as it is stored. 0 means never, so an expiry in the first millisecond of 1970 is stored as the
/// second.
pub(super) fn expiry(at: Option<i64>) -> i64 {
    at.map_or(0, |at| if at == 0 { 1 } else { at })
}

/// The columns of all memories.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) place: Column<u32>,
    pub(super) source: Column<u32>,
    pub(super) ordinal: Column<u32>,
    pub(super) occurred_at: Column<i64>,
    /// Milliseconds, as returned by `expiry`; 0 for memories that do not expire.
    pub(super) expires_at: Column<i64>,
    /// `Tier as u8`.
    pub(super) tier: Column<u8>,
    pub(super) user: Column<u32>,
    pub(super) project: Column<u32>,
    pub(super) kind: Column<u32>,
    pub(super) agent: Column<u32>,
    pub(super) session: Column<u32>,
    pub(super) speaker: Column<u32>,
    /// Terms in the text.
    pub(super) body_length: Column<u32>,
    /// Terms in text and header.
    pub(super) full_length: Column<u32>,
    pub(super) flags: Column<u8>,
    pub(super) first_year: Column<i16>,
    pub(super) last_year: Column<i16>,
}

impl Columns {
    pub(super) const SECTIONS: usize = 17;

    /// `None` if the columns do not have the same number of rows.
    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        let columns = Self {
            place: Column::new(sections.next()?),
            source: Column::new(sections.next()?),
            ordinal: Column::new(sections.next()?),
            occurred_at: Column::new(sections.next()?),
            expires_at: Column::new(sections.next()?),
            tier: Column::new(sections.next()?),
            user: Column::new(sections.next()?),
            project: Column::new(sections.next()?),
            kind: Column::new(sections.next()?),
            agent: Column::new(sections.next()?),
            session: Column::new(sections.next()?),
            speaker: Column::new(sections.next()?),
            body_length: Column::new(sections.next()?),
            full_length: Column::new(sections.next()?),
            flags: Column::new(sections.next()?),
            first_year: Column::new(sections.next()?),
            last_year: Column::new(sections.next()?),
        };
        let rows = columns.rows();
        let equal = [&columns.place, &columns.source, &columns.ordinal, &columns.user, &columns.project]
            .into_iter()
            .chain([&columns.kind, &columns.agent, &columns.session, &columns.speaker])
            .chain([&columns.body_length, &columns.full_length])
            .all(|column| column.len() == rows);
        let equal = equal
            && columns.occurred_at.len() == rows
            && columns.expires_at.len() == rows
            && columns.tier.len() == rows
            && columns.first_year.len() == rows
            && columns.last_year.len() == rows
            && u32::try_from(rows).is_ok();
        equal.then_some(columns)
    }

    pub(super) fn write(&self, writer: &mut Writer) -> io::Result<()> {
        self.place.write(writer)?;
        self.source.write(writer)?;
        self.ordinal.write(writer)?;
        self.occurred_at.write(writer)?;
        self.expires_at.write(writer)?;
        self.tier.write(writer)?;
        self.user.write(writer)?;
        self.project.write(writer)?;
        self.kind.write(writer)?;
        self.agent.write(writer)?;
        self.session.write(writer)?;
        self.speaker.write(writer)?;
        self.body_length.write(writer)?;
        self.full_length.write(writer)?;
        self.flags.write(writer)?;
        self.first_year.write(writer)?;
        self.last_year.write(writer)
    }

    /// One past the highest number.
    pub(super) fn rows(&self) -> usize {
        self.flags.len()
    }

    #[inline]
    pub(super) fn has(&self, memory: u32, flag: u8) -> bool {
        self.flags.get(memory as usize) & flag != 0
    }

    pub(super) fn set_flag(&mut self, memory: u32, flag: u8, on: bool) {
        if let Some(flags) = self.flags.get_mut(memory as usize) {
            if on { *flags |= flag } else { *flags &= !flag }
        }
    }

    /// Writes everything of a document but its lengths, years, `ASKS` and `VECTOR`.
    pub(super) fn put(&mut self, document: &Document<'_>) {
        let at = document.memory as usize;
        self.place.set(at, document.place);
        self.source.set(at, document.source);
        self.ordinal.set(at, document.ordinal);
        self.occurred_at.set(at, document.occurred_at);
        self.expires_at.set(at, expiry(document.expires_at));
        self.tier.set(at, document.tier);
        self.user.set(at, document.user);
        self.project.set(at, document.project);
        self.kind.set(at, document.kind);
        self.agent.set(at, document.agent);
        self.session.set(at, document.session);
        self.speaker.set(at, document.speaker);
        self.body_length.grow(at + 1);
        self.full_length.grow(at + 1);
        self.first_year.grow(at + 1);
        self.last_year.grow(at + 1);
        let mut flags = self.flags.get(at) & !(DELETED | SUPERSEDED | TIMELESS | SPECIAL) | KNOWN;
        if document.is_special() {
            flags |= SPECIAL;
        }
        if document.deleted {
            flags |= DELETED;
        }
        if document.superseded {
            flags |= SUPERSEDED;
        }
        if document.timeless {
            flags |= TIMELESS;
        }
        self.flags.set(at, flags);
    }

    /// Clears the row of a memory, as if it had never been used.
    pub(super) fn clear(&mut self, memory: u32) {
        let at = memory as usize;
        let numbers =
            [&mut self.place, &mut self.source, &mut self.ordinal, &mut self.user, &mut self.project]
                .into_iter()
                .chain([&mut self.kind, &mut self.agent, &mut self.session, &mut self.speaker])
                .chain([&mut self.body_length, &mut self.full_length]);
        for column in numbers {
            column.get_mut(at).map(|value| *value = 0).unwrap_or_default();
        }
        for column in [&mut self.occurred_at, &mut self.expires_at] {
            column.get_mut(at).map(|value| *value = 0).unwrap_or_default();
        }
        self.tier.get_mut(at).map(|value| *value = 0).unwrap_or_default();
        self.flags.get_mut(at).map(|value| *value = 0).unwrap_or_default();
        for column in [&mut self.first_year, &mut self.last_year] {
            column.get_mut(at).map(|value| *value = 0).unwrap_or_default();
        }
    }

    /// Whether a search with this filter may see the memory.
    #[inline]
    pub(super) fn admits(&self, visible: &Visible<'_>, memory: u32) -> bool {
        let at = memory as usize;
        let hidden = if visible.superseded { DELETED } else { DELETED | SUPERSEDED };
        let flags = self.flags.get(at);
        if flags & (KNOWN | hidden) != KNOWN {
            return false;
        }
        let (tier, end) =
            if flags & SPECIAL == 0 { (0, 0) } else { (self.tier.get(at), self.expires_at.get(at)) };
        if visible.without_tiers >> tier.min(7) & 1 == 1
            || end != 0 && visible.now.is_some_and(|now| end <= now)
        {
            return false;
        }
        let of_scope = |asked: Option<u32>, column: &Column<u32>| {
            asked.is_none_or(|asked| {
                let own = column.get(at);
                own == asked || own == 0
            })
        };
        let is = |asked: Option<u32>, column: &Column<u32>| asked.is_none_or(|asked| column.get(at) == asked);
        let one_of =
            |asked: &[u32], column: &Column<u32>| asked.is_empty() || asked.contains(&column.get(at));
        of_scope(visible.user, &self.user)
            && of_scope(visible.project, &self.project)
            && one_of(visible.kinds, &self.kind)
            && (visible.without_kinds.is_empty() || !visible.without_kinds.contains(&self.kind.get(at)))
            && one_of(visible.sources, &self.source)
            && (visible.without_sources.is_empty()
                || visible.without_sources.binary_search(&self.source.get(at)).is_err())
            && is(visible.agent, &self.agent)
            && is(visible.session, &self.session)
            && visible.occurred.is_none_or(|(start, end)| (start..end).contains(&self.occurred_at.get(at)))
            && visible.within.is_none_or(|within| within.binary_search(&memory).is_ok())
    }
}
