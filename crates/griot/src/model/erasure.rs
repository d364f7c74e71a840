//! What was erased: the receipt that stays, and the plan that leads to it.
//!
//! A receipt holds kinds, counts, times and hashes of ids, never a text or a name, so that it can stay when
//! everything that it speaks of is gone. It is written in the transaction that removes the rows, unfinished:
//! a process that dies before the files hold nothing any more leaves a receipt that says so, and whoever
//! opens the workspace next goes on.

use super::{Change, MemoryId, Revision, Timestamp};

/// What was asked to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ErasedKind {
    Memory,
    Source,
    Entity,
    /// Everything that is one user's.
    User,
}

impl ErasedKind {
    pub const ALL: [Self; 4] = [Self::Memory, Self::Source, Self::Entity, Self::User];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Source => "source",
            Self::Entity => "entity",
            Self::User => "user",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}

macro_rules! counts {
    ($($(#[doc = $doc:literal])* $name:ident,)+) => {
        /// How much went, and what stayed.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct ErasureCounts { $($(#[doc = $doc])* pub $name: u64,)+ }

        impl ErasureCounts {
            /// Each count with its name, in a fixed order.
            pub fn named(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)+]
            }

            /// Sets a count by its name; a name of a later format is passed over.
            pub fn set(&mut self, name: &str, count: u64) {
                match name { $(stringify!($name) => self.$name = count,)+ _ => {} }
            }
        }
    };
}

counts! {
    /// Texts with their tags, hidden ones too.
    memories,
    vectors,
    entities,
    sources,
    edges,
    facts,
    /// Pieces of evidence taken from edges and facts that others support as well.
    evidence,
    /// Names and descriptions taken from entities that stay, because only erased texts wrote them so.
    spellings,
    /// Merges in the log that were removed or rewritten, with what undoes them.
    merges,
    /// Rows of jobs: pages and files that they knew.
    job_rows,
    /// Copies of the database that were removed or erased from: those made before a migration, and those in
    /// the trash.
    copies,
    /// Texts that say word for word what an erased one said, and stay because they are other memories.
    same_texts,
    /// Texts that mention an erased entity, and stay.
    mentioning,
}

/// The hash of an id: 16 bytes of BLAKE3 over what it is the id of and the id.
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

pub fn mark_of_entity(number: u32) -> Mark {
    mark("entity", &number.to_le_bytes())
}

pub fn mark_of_source(number: u32) -> Mark {
    mark("source", &number.to_le_bytes())
}

pub fn mark_of_origin(origin: &str) -> Mark {
    mark("origin", origin.as_bytes())
}

/// A source of which a part went.
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
    /// When every file was rid of it; `None` while that is left to do.
    pub finished_at: Option<Timestamp>,
    pub counts: ErasureCounts,
    /// Memories, entities and sources that went, as hashes of their ids, ascending.
    pub marks: Vec<Mark>,
    /// What the files beside the database have to be looked through for: origins of sources and the user, as
    /// hashes. Empty once the erasure is finished.
    pub beside: Vec<Mark>,
}

impl Erasure {
    /// `x3`.
    pub fn id(&self) -> String {
        format!("x{}", self.number)
    }
}

/// What an erasure will do.
#[derive(Clone, PartialEq, Debug)]
pub struct ErasurePlan {
    pub changes: Vec<Change>,
    /// Its number, its revisions and what only the store can count are filled in by the store.
    pub receipt: Erasure,
    /// Every text that goes, to look for in the files afterwards. Never written.
    pub texts: Vec<String>,
}
