//! A filter resolved to numbers: the memories that a search may see.

use crate::model::{Belief, Timestamp};

/// The default sees all live memories that are not superseded. Names are numbers that the back end assigned;
/// one that none has matches nothing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Visible<'a> {
    /// Memories of this user and those without a user; only the latter if it is 0.
    pub user: Option<u32>,
    /// Memories of this project and those without a project; only the latter if it is 0.
    pub project: Option<u32>,
    /// Empty means any.
    pub kinds: &'a [u32],
    /// Excluded kinds.
    pub without_kinds: &'a [u32],
    /// Empty means any.
    pub sources: &'a [u32],
    /// Excluded sources, ascending.
    pub without_sources: &'a [u32],
    pub agent: Option<u32>,
    pub session: Option<u32>,
    /// Milliseconds; includes the start, excludes the end.
    pub occurred: Option<(i64, i64)>,
    /// Also see superseded memories.
    pub superseded: bool,
    /// One bit (`1 << Tier as u8`) for each hidden tier.
    pub without_tiers: u8,
    /// Milliseconds; hides what has expired by then.
    pub now: Option<i64>,
    /// Hides edges with too low a confidence.
    pub belief: Belief,
    /// Only these memories, ascending (those with the requested tags).
    pub within: Option<&'a [u32]>,
}

impl Visible<'_> {
    pub fn admits(&self, index: &super::Index, memory: u32) -> bool {
        index.columns.admits(self, memory)
    }

    /// Whether a time is past; `None` never is.
    pub(super) fn is_over(&self, end: Option<i64>) -> bool {
        self.now.is_some_and(|now| end.is_some_and(|end| end <= now))
    }

    pub(super) fn timestamp(&self) -> Option<Timestamp> {
        self.now.map(Timestamp)
    }
}

/// A stored vector whose neighbours are searched.
#[derive(Clone, Copy, Debug)]
pub struct VectorQuery<'a> {
    pub values: &'a [i8],
    pub scale: f32,
    pub visible: Visible<'a>,
}
