//! A filter resolved to numbers: which memories a search may see.

use crate::model::{Belief, Timestamp};

/// The default sees all live memories that nothing supersedes. Names are numbers that the store interned; a
/// name that the store does not know makes `none`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Visible<'a> {
    /// Memories of this user and of nobody in particular; of nobody alone if it is 0.
    pub user: Option<u32>,
    /// Memories of this project and of none in particular; of none alone if it is 0.
    pub project: Option<u32>,
    /// Empty means any.
    pub kinds: &'a [u32],
    /// None of these.
    pub without_kinds: &'a [u32],
    /// Empty means any.
    pub sources: &'a [u32],
    /// None of these, ascending.
    pub without_sources: &'a [u32],
    pub agent: Option<u32>,
    pub session: Option<u32>,
    /// Milliseconds; the start belongs to it, the end does not.
    pub occurred: Option<(i64, i64)>,
    /// Superseded ones are seen too.
    pub superseded: bool,
    /// A bit for each tier (`1 << Tier as u8`) that is not seen.
    pub without_tiers: u8,
    /// Milliseconds: what has expired by then is not seen.
    pub now: Option<i64>,
    /// Edges that are not believed are not seen.
    pub belief: Belief,
    /// Only these, ascending (the memories that carry the wanted tags).
    pub within: Option<&'a [u32]>,
    /// Sees nothing.
    pub none: bool,
}

impl Visible<'_> {
    pub fn admits(&self, index: &super::Index, memory: u32) -> bool {
        index.columns.admits(self, memory)
    }

    /// Whether a time is over; what has none never is.
    pub(super) fn is_over(&self, end: Option<i64>) -> bool {
        self.now.is_some_and(|now| end.is_some_and(|end| end <= now))
    }

    pub(super) fn timestamp(&self) -> Option<Timestamp> {
        self.now.map(Timestamp)
    }
}

/// A vector as it is stored, whose neighbours are looked for.
#[derive(Clone, Copy, Debug)]
pub struct VectorQuery<'a> {
    pub values: &'a [i8],
    pub scale: f32,
    pub visible: Visible<'a>,
}
