//! What the rows become for speed: words, vectors, times, places and arcs of one workspace.
//!
//! An index is a snapshot file, mapped and shared by processes, at one revision, plus a tail in memory of what was
//! committed since. It is never the truth: delete the file and it is built again, and answers byte for byte alike
//! (invariant 1). The back end feeds it with [`Update`]s in the order of commits and asks it through the searches below.

use crate::model::{EdgeKind, Provenance};

/// A memory as the index sees it. Names (user, project, kind, …) are numbers that the store interned; 0 is none.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub memory: u32,
    pub text: &'a str,
    /// Title of the source, headings and speaker, joined by spaces.
    pub header: &'a str,
    pub place: u32,
    pub source: u32,
    pub ordinal: u32,
    pub occurred_at: i64,
    pub user: u32,
    pub project: u32,
    pub kind: u32,
    pub agent: u32,
    pub session: u32,
    /// `Node::raw` of the entity that speaks.
    pub speaker: u32,
    pub deleted: bool,
    pub superseded: bool,
    pub vector: Option<(&'a [i8], f32)>,
}

/// An edge as the index sees it.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub number: u32,
    /// `Node::raw`.
    pub source: u32,
    pub target: u32,
    pub kind: EdgeKind,
    pub label: u32,
    pub weight: f32,
    pub confidence: f32,
    pub touched_at: i64,
    pub provenance: Provenance,
}

/// One step of catching up. Every update may be applied twice with the same result.
#[derive(Clone, Copy, Debug)]
pub enum Update<'a> {
    /// A memory is new, or one of its columns or its vector changed; text and header never change.
    Document(Document<'a>),
    /// An edge is new or changed.
    Link(Link),
    /// The edge with this number is gone.
    Unlink(u32),
    /// An entity was hidden or brought back; arcs to hidden ones are not followed.
    Entity { entity: u32, deleted: bool },
}
