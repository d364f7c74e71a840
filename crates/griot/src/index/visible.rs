//! A filter resolved to numbers: which memories a search may see.

/// The default sees all live memories that nothing supersedes. Names are numbers that the store interned; a name that the
/// store does not know makes `none`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Visible<'a> {
    /// Memories of this user and of nobody in particular; of nobody alone if it is 0.
    pub user: Option<u32>,
    /// Memories of this project and of none in particular; of none alone if it is 0.
    pub project: Option<u32>,
    /// Empty means any.
    pub kinds: &'a [u32],
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
    /// Only these, ascending (the memories that carry the wanted tags).
    pub within: Option<&'a [u32]>,
    /// Sees nothing.
    pub none: bool,
}

impl Visible<'_> {
    pub fn admits(&self, index: &super::Index, memory: u32) -> bool {
        index.columns.admits(self, memory)
    }
}

/// A vector as it is stored, whose neighbours are looked for.
#[derive(Clone, Copy, Debug)]
pub struct VectorQuery<'a> {
    pub values: &'a [i8],
    pub scale: f32,
    pub visible: Visible<'a>,
}
