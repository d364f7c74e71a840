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
use crate::model::{Document, only_asks};

/// The row is in use.
pub(super) const KNOWN: u8 = 1;
pub(super) const DELETED: u8 = 2;
pub(super) const SUPERSEDED: u8 = 4;
/// The text asks and says nothing.
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

/// Declares the columns in the order of their sections, with what each takes from a document. The others
/// follow from text and vector.
macro_rules! columns {
    (|$document:ident| $($(#[$doc:meta])* $name:ident: $type:ty $(= $value:expr)?,)+) => {
        /// The columns of all memories.
        #[derive(Default)]
        pub(super) struct Columns {
            $($(#[$doc])* pub(super) $name: Column<$type>,)+
        }

        impl Columns {
            pub(super) const SECTIONS: usize = [$(stringify!($name)),+].len();

            /// `None` if the columns do not have the same number of rows.
            pub(super) fn open(sections: &mut Sections) -> Option<Self> {
                let columns = Self { $($name: Column::new(sections.next()?),)+ };
                let rows = columns.rows();
                let equal = u32::try_from(rows).is_ok() $(&& columns.$name.len() == rows)+;
                equal.then_some(columns)
            }

            pub(super) fn write(&self, writer: &mut Writer) -> io::Result<()> {
                $(self.$name.write(writer)?;)+
                Ok(())
            }

            fn set(&mut self, at: usize, $document: &Document<'_>) {
                $(self.$name.grow(at + 1);)+
                $($(self.$name.set(at, $value);)?)+
            }

            /// Clears the row of a memory, as if it had never been used.
            pub(super) fn clear(&mut self, memory: u32) {
                $(if let Some(value) = self.$name.get_mut(memory as usize) {
                    *value = 0;
                })+
            }

            /// The bytes of a row.
            pub(super) fn row(&self, at: usize) -> Vec<u8> {
                [$(bytemuck::bytes_of(&self.$name.get(at))),+].concat()
            }
        }
    };
}

columns! { |document|
    place: u32 = document.place,
    source: u32 = document.source,
    ordinal: u32 = document.ordinal,
    occurred_at: i64 = document.occurred_at,
    /// Milliseconds, as returned by `expiry`; 0 for memories that do not expire.
    expires_at: i64 = expiry(document.expires_at),
    /// `Tier as u8`.
    tier: u8 = document.tier,
    user: u32 = document.user,
    project: u32 = document.project,
    kind: u32 = document.kind,
    agent: u32 = document.agent,
    session: u32 = document.session,
    speaker: u32 = document.speaker,
    /// Terms in the text.
    body_length: u32,
    /// Terms in text and header.
    full_length: u32,
    flags: u8,
    first_year: i16,
    last_year: i16,
}

impl Columns {
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

    /// Writes everything of a document but what follows from its text and vector.
    pub(super) fn put(&mut self, at: usize, document: &Document<'_>) {
        self.set(at, document);
        let flags = [
            (KNOWN, true),
            (DELETED, document.deleted),
            (SUPERSEDED, document.superseded),
            (TIMELESS, document.timeless),
            (SPECIAL, document.is_special()),
        ];
        flags.into_iter().for_each(|(flag, on)| self.set_flag(at as u32, flag, on));
    }

    /// Writes what follows from a text: the number of terms in it and in text and header, and its years.
    pub(super) fn put_text(&mut self, at: usize, text: &str, (body, full): (u32, u32), years: &[i16]) {
        self.body_length.set(at, body);
        self.full_length.set(at, full);
        self.first_year.set(at, years.first().copied().unwrap_or(0));
        self.last_year.set(at, years.last().copied().unwrap_or(0));
        self.set_flag(at as u32, ASKS, only_asks(text));
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
