//! Erasures: the receipt that remains, and the plan.
//!
//! A receipt contains kinds, counts, times and hashes of ids, but no text and no name, so that it can remain
//! when everything it refers to is gone. It is written as unfinished in the transaction that removes the
//! rows: if the process dies before the files are clean, the next process that opens the workspace sees it
//! and continues.

use super::{Change, MemoryId, Revision, Timestamp};

named! {
    /// The object of an erasure.
    ErasedKind {
        Memory = "memory",
        Source = "source",
        Entity = "entity",
        /// Everything of one user.
        User = "user",
    }
}

macro_rules! counts {
    ($($(#[doc = $doc:literal])* $name:ident,)+) => {
        /// How much was removed, and what remained.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct ErasureCounts { $($(#[doc = $doc])* pub $name: u64,)+ }

        impl ErasureCounts {
            /// Each count with its name, in a fixed order.
            pub fn named(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)+]
            }

            /// Sets a count by its name; unknown names, of a later format, are ignored.
            pub fn set(&mut self, name: &str, count: u64) {
                match name { $(stringify!($name) => self.$name = count,)+ _ => {} }
            }
        }
    };
}

counts! {
    /// Texts with their tags, including hidden ones.
    memories,
    vectors,
    entities,
    sources,
    edges,
    facts,
    /// Evidence removed from edges and facts that have other evidence as well.
    evidence,
    /// Names and descriptions removed from remaining entities, because only erased texts wrote them so.
    spellings,
    /// Merges in the log that were removed or rewritten, with their undo.
    merges,
    /// Rows of jobs: pages and files of theirs.
    job_rows,
    /// Kept replies of language models.
    replies,
    /// Entries of the log of recalls.
    recalls,
    /// Copies of the database that were removed or erased from: backups made before a migration, and those in
    /// the trash.
    copies,
    /// Texts identical to an erased one that remain because they are other memories.
    same_texts,
    /// Remaining texts that mention an erased entity.
    mentioning,
}

/// The hash of an id: 16 bytes of BLAKE3 over the kind of id and the id.
pub type Mark = [u8; 16];

fn mark(of: &str, id: &[u8]) -> Mark {
    let mut hasher = blake3::Hasher::new();
    hasher.update(of.as_bytes()).update(&[0]).update(id);
    let mut short = [0; 16];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    short
}

pub fn mark_of_memory(id: MemoryId) -> Mark {
    mark("memory", id.0.as_bytes())
}

/// A message of a session, by its millisecond: it may be read again, in its own session or a copy of it. Its
/// text is no part of the mark, because a short one could be guessed.
pub fn mark_of_turn(speaker: &str, at: Timestamp) -> Mark {
    mark("turn", format!("{}\0{speaker}", at.0).as_bytes())
}

pub fn mark_of_entity(number: u32) -> Mark {
    mark("entity", &number.to_le_bytes())
}

pub fn mark_of_source(number: u32) -> Mark {
    mark("source", &number.to_le_bytes())
}

pub fn mark_of_origin(origin: &str) -> Mark {
    mark("origin", origin.as_bytes())
}

/// A source that was erased in part.
pub fn mark_of_part(origin: &str) -> Mark {
    mark("part", origin.as_bytes())
}

pub fn mark_of_user(user: &str) -> Mark {
    mark("user", user.as_bytes())
}

/// A receipt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Erasure {
    /// Number in the workspace, printed as `x3`.
    pub number: u32,
    pub kind: ErasedKind,
    pub at: Timestamp,
    pub by: String,
    pub before: Revision,
    pub after: Revision,
    /// When all files were clean; `None` before.
    pub finished_at: Option<Timestamp>,
    pub counts: ErasureCounts,
    /// Erased memories, entities and sources as hashes of their ids, ascending.
    pub marks: Vec<Mark>,
    /// What to search the files besides the database for: origins of sources and the user, as hashes. Empty
    /// once the erasure is finished.
    pub beside: Vec<Mark>,
}

impl Erasure {
    /// `x3`.
    pub fn id(&self) -> String {
        format!("x{}", self.number)
    }
}

/// The changes of an erasure.
#[derive(Clone, PartialEq, Debug)]
pub struct ErasurePlan {
    pub changes: Vec<Change>,
    /// The store fills in its number, its revisions and the counts that only it knows.
    pub receipt: Erasure,
    /// Every removed text, to search the files for afterwards. Never written.
    pub texts: Vec<String>,
}
