//! The unit that is stored, linked and recalled, and where it came from.

use super::{Handle, MemoryId, Node, SourceId, Timestamp};

/// Whose a memory is and what it is about. `None` in a query means "not restricted"; `None` on a memory means
/// "everybody's". A query for user `ada` sees the memories of `ada` and of nobody in particular.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Scope {
    pub user: Option<String>,
    pub project: Option<String>,
}

impl Scope {
    /// Whether somebody may see memories of both: no part names two.
    pub fn meets(&self, other: &Self) -> bool {
        let fits = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        fits(&self.user, &other.user) && fits(&self.project, &other.project)
    }

    /// Whether what is somebody's may be told of others: what is theirs, and what is everybody's. Unlike a
    /// query, what is everybody's sees nothing of anybody.
    pub fn may_know(&self, other: &Self) -> bool {
        let fits = |own: &Option<String>, has: &Option<String>| has.is_none() || own == has;
        fits(&self.user, &other.user) && fits(&self.project, &other.project)
    }
}

/// First and last line of a passage in its source, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Lines {
    pub first: u32,
    pub last: u32,
}

/// What a memory is for, and so how it is kept and brought back. (The *layer* of a node is another thing:
/// `layer.rs`.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Kept, and brought back where a question asks for it.
    #[default]
    LongTerm = 0,
    /// A standing rule or preference: it is shown beside every answer of its scope. No document can make one.
    Rule = 1,
    /// Of use for a while: it expires.
    Working = 2,
}

impl Tier {
    pub const ALL: [Self; 3] = [Self::LongTerm, Self::Rule, Self::Working];

    pub const fn name(self) -> &'static str {
        match self {
            Self::LongTerm => "long_term",
            Self::Rule => "rule",
            Self::Working => "working",
        }
    }

    /// `long-term` is read as `long_term`.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase().replace('-', "_");
        Self::ALL.into_iter().find(|tier| tier.name() == name)
    }

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}

/// A verbatim piece of text with its time.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    pub node: Node,
    pub id: MemoryId,
    pub handle: Handle,
    /// As it came (invariant 3).
    pub text: String,
    /// `insight`, `decision`, `fact`, `preference`, `event`, `observation`, `note`, `passage`, `turn` or a
    /// word of the caller's own; lower case.
    pub kind: String,
    pub tags: Vec<String>,
    pub tier: Tier,
    /// 1 (trivial) to 5 (vital).
    pub importance: u8,
    pub scope: Scope,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub speaker: Option<String>,
    /// Headings above a passage, outermost first.
    pub heading: Vec<String>,
    pub lines: Option<Lines>,
    pub source: SourceId,
    /// The place inside its source and session, from 0.
    pub ordinal: u32,
    /// When it happened or was said.
    pub occurred_at: Timestamp,
    /// When we stored it.
    pub recorded_at: Timestamp,
    /// From then on no search finds it and no walk steps on it; it is shown where it is named.
    pub expires_at: Option<Timestamp>,
    pub deleted_at: Option<Timestamp>,
    pub superseded_by: Option<MemoryId>,
    /// How often a caller asked for this very memory (`show`, `why`, `keep`), never how often it was
    /// surfaced.
    pub access_count: u32,
    pub last_accessed_at: Option<Timestamp>,
}

impl Memory {
    /// The highest place that a caller may give.
    pub const LAST_GIVEN_ORDINAL: u32 = 1_000_000_000;
    /// The highest place there is. It leaves room to count on from any place that was given.
    pub const LAST_ORDINAL: u32 = 2_000_000_000;
}

impl Memory {
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }

    /// The kind of a document's passages.
    pub const PASSAGE: &str = "passage";

    /// A passage of a document did not happen at a time: its time is that of the file or of the ingestion, so
    /// nothing follows from being near to it. Its place in the document is its order.
    pub fn is_timeless(&self) -> bool {
        self.kind == Self::PASSAGE
    }
}

/// The hash that makes two memories the same: text and scope. 16 bytes of BLAKE3.
pub fn content_hash(text: &str, scope: &Scope) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for part in [scope.user.as_deref(), scope.project.as_deref()] {
        hasher.update(&[part.is_some() as u8]);
        let part = part.unwrap_or_default();
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(text.as_bytes());
    let mut short = [0; 16];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    short
}

/// What kind of thing text came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum SourceType {
    /// What an agent or a person told directly.
    Agent,
    File,
    Page,
    Chat,
    Code,
    Tracker,
    Import,
}

/// How far what came from a source is to be believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Trust {
    /// Anybody may have written it: a page of the web.
    Web,
    /// Somebody brought it here: what was told, files, chats, code.
    Own,
}

impl Trust {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Own => "own",
        }
    }
}

impl SourceType {
    /// Follows from where the text came from, so that no text can claim more for itself.
    pub const fn trust(self) -> Trust {
        match self {
            Self::Page => Trust::Web,
            Self::Agent | Self::File | Self::Chat | Self::Code | Self::Tracker | Self::Import => Trust::Own,
        }
    }

    pub const ALL: [Self; 7] =
        [Self::Agent, Self::File, Self::Page, Self::Chat, Self::Code, Self::Tracker, Self::Import];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::File => "file",
            Self::Page => "page",
            Self::Chat => "chat",
            Self::Code => "code",
            Self::Tracker => "tracker",
            Self::Import => "import",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Where memories came from. `(kind, origin)` is unique in a workspace.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    pub id: SourceId,
    pub kind: SourceType,
    /// A path, an address, an agent's name.
    pub origin: String,
    pub title: Option<String>,
    /// That it says it is written in, such as `en` or `pt-BR`.
    pub language: Option<String>,
    pub tags: Vec<String>,
    /// BLAKE3 of the content as last read; `None` for sources that grow, such as agents.
    pub content_hash: Option<[u8; 32]>,
    /// Its origin is the path of a file that was read on this machine for its owner: only such a path is
    /// opened again.
    pub from_disk: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

impl Source {
    /// The beginning of the origin of what came over a network or a pipe, and is never opened.
    pub const UPLOADED: &str = "upload:";
    /// What stands between an address and the user for whom the page was read; an address of a page has no
    /// fragment.
    pub const OF_USER: &str = "#user=";

    /// What its giver called it: a path, an address, the name of an upload.
    pub fn given_name(&self) -> &str {
        let uploaded = self.origin.strip_prefix(Self::UPLOADED);
        uploaded.unwrap_or_else(|| self.origin.split_once(Self::OF_USER).map_or(&self.origin, |(url, _)| url))
    }
}
