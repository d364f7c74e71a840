//! The unit that is stored, linked and recalled, and its source.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Handle, MemoryId, Node, SourceId, Timestamp};

/// The owner and the project of a memory. `None` in a query means "not restricted"; `None` on a memory means
/// "shared by all". A query for user `ada` sees the memories of `ada` and the shared ones.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scope {
    pub user: Option<String>,
    pub project: Option<String>,
}

impl Scope {
    /// Whether one user can see memories of both scopes: they do not name two different users or projects.
    pub fn meets(&self, other: &Self) -> bool {
        let fits = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        fits(&self.user, &other.user) && fits(&self.project, &other.project)
    }

    /// Whether text with the scope `other` may be used for this scope: if it has the same owner or is shared.
    /// Unlike a query, a shared scope knows nothing of any owner.
    pub fn may_know(&self, other: &Self) -> bool {
        let fits = |own: &Option<String>, has: &Option<String>| has.is_none() || own == has;
        fits(&self.user, &other.user) && fits(&self.project, &other.project)
    }
}

/// First and last line of a passage in its source, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lines {
    pub first: u32,
    pub last: u32,
}

named! {
    /// The purpose of a memory, which decides how it is kept and returned. (The *layer* of a node is
    /// something else: `layer.rs`.)
    #[derive(Default)]
    Tier lenient {
        /// Kept, and returned where a question asks for it.
        #[default]
        LongTerm = "long_term" | "long-term",
        /// A standing rule or preference: returned with every answer in its scope. No document can create
        /// one.
        Rule = "rule",
        /// Useful for a while: it expires.
        Working = "working",
    }
}

/// A verbatim piece of text with its time.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    pub node: Node,
    pub id: MemoryId,
    pub handle: Handle,
    /// Exactly as received (invariant 3).
    pub text: String,
    /// `insight`, `decision`, `fact`, `preference`, `event`, `observation`, `note`, `passage`, `turn` or a
    /// word of the caller's choice; lower case.
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
    /// The position in its source and session, from 0.
    pub ordinal: u32,
    /// When it happened or was said.
    pub occurred_at: Timestamp,
    /// When it was stored.
    pub recorded_at: Timestamp,
    /// From then on, searches and walks ignore it; it can still be read by its id.
    pub expires_at: Option<Timestamp>,
    pub deleted_at: Option<Timestamp>,
    pub superseded_by: Option<MemoryId>,
    /// Number of times that a caller asked for this very memory (`show`, `why`, `keep`), not of times it was
    /// a result.
    pub access_count: u32,
    pub last_accessed_at: Option<Timestamp>,
}

impl Memory {
    /// The highest ordinal that a caller may give.
    pub const LAST_GIVEN_ORDINAL: u32 = 1_000_000_000;
    /// The highest ordinal. It leaves room to continue from any given one.
    pub const LAST_ORDINAL: u32 = 2_000_000_000;

    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }

    /// The kind of a document's passages.
    pub const PASSAGE: &str = "passage";

    /// The kind of what someone says in a conversation.
    pub const TURN: &str = "turn";
    /// The kind of what a person wants to be done or kept to from now on.
    pub const PREFERENCE: &str = "preference";

    /// A passage of a document is not an event: its time is that of the file or of the ingestion, so memories
    /// near it in time are unrelated. Its ordinal in the document is its order.
    pub fn is_timeless(&self) -> bool {
        self.kind == Self::PASSAGE
    }

    /// Whether its time is when it was said or written. That of a passage is, if it is a whole day: readers
    /// give it the day that its document states, and else the time of the file, which is only a bound.
    pub fn is_dated(&self) -> bool {
        Self::states_time(&self.kind, self.occurred_at)
    }

    /// [`Self::is_dated`] of a memory of this kind and time.
    pub fn states_time(kind: &str, occurred_at: Timestamp) -> bool {
        kind != Self::PASSAGE || occurred_at == occurred_at.day_start()
    }
}

/// The hash that identifies equal memories: text and scope. 16 bytes of BLAKE3.
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

named! {
    /// The kind of source.
    SourceType {
        /// An agent or a person, directly.
        Agent = "agent",
        File = "file",
        Page = "page",
        Chat = "chat",
        Code = "code",
        Tracker = "tracker",
        Import = "import",
    }

    /// How a source came into the workspace.
    OriginKind lenient {
        /// What agents and people remembered, and the memory files of agents.
        Memory = "memory",
        /// What was brought in on request: files, chats, texts, imports.
        Manual = "manual",
        /// Pages of the web.
        Crawl = "crawl",
    }

    /// How trustworthy the text of a source is.
    Trust {
        /// Anyone may have written it: a web page.
        Web = "web",
        /// A user brought it here: agents, files, chats, code.
        Own = "own",
    }
}

impl SourceType {
    /// Derived from the kind of source, so that no text can claim more for itself.
    pub const fn trust(self) -> Trust {
        match self {
            Self::Page => Trust::Web,
            Self::Agent | Self::File | Self::Chat | Self::Code | Self::Tracker | Self::Import => Trust::Own,
        }
    }
}

/// The origin of memories. `(kind, origin)` is unique in a workspace.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    pub id: SourceId,
    pub kind: SourceType,
    /// A path, an address, an agent's name.
    pub origin: String,
    pub title: Option<String>,
    /// The language that it declares, such as `en` or `pt-BR`.
    pub language: Option<String>,
    pub tags: Vec<String>,
    /// What its user noted of it, by name; never searched.
    pub metadata: BTreeMap<String, String>,
    /// BLAKE3 of the content when last read; `None` for sources that grow, such as agents.
    pub content_hash: Option<[u8; 32]>,
    /// The origin is the path of a file that was read on this machine for its owner: only such a path is
    /// opened again.
    pub from_disk: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

impl Source {
    /// Prefix of the origin of content that came over a network or a pipe, and is never opened.
    pub const UPLOADED: &str = "upload:";
    /// Separates an address from the user for whom the page was read; the address of a page has no
    /// fragment.
    pub const OF_USER: &str = "#user=";

    /// Whether it can be read again without its user: a page, or a file of this machine.
    pub fn is_readable(&self) -> bool {
        match self.kind {
            SourceType::Page => true,
            SourceType::File | SourceType::Chat => self.from_disk,
            SourceType::Agent | SourceType::Code | SourceType::Tracker | SourceType::Import => false,
        }
    }

    /// How it came into the workspace.
    pub fn origin_kind(&self) -> OriginKind {
        match self.kind {
            SourceType::Agent => OriginKind::Memory,
            SourceType::File if self.is_memory_file() => OriginKind::Memory,
            SourceType::Page => OriginKind::Crawl,
            SourceType::File
            | SourceType::Chat
            | SourceType::Code
            | SourceType::Tracker
            | SourceType::Import => OriginKind::Manual,
        }
    }

    /// `MEMORY.md` and `memory/*.md`, where agents keep their memory (`griot watch`).
    fn is_memory_file(&self) -> bool {
        let path = Path::new(&self.origin);
        let folder = path.parent().and_then(Path::file_name);
        let in_folder = folder.is_some_and(|folder| folder == "memory");
        path.ends_with("MEMORY.md") || in_folder && path.extension().is_some_and(|end| end == "md")
    }

    /// The origin under which a page is stored: its address, and the user it was read for, so that one user's
    /// copy never replaces another's.
    pub fn of_page(url: &str, user: Option<&str>) -> String {
        match user {
            Some(user) => format!("{url}{}{user}", Self::OF_USER),
            None => url.to_string(),
        }
    }

    /// The name that its user gave it: a path, an address, the name of an upload.
    pub fn given_name(&self) -> &str {
        let uploaded = self.origin.strip_prefix(Self::UPLOADED);
        uploaded.unwrap_or_else(|| self.origin.split_once(Self::OF_USER).map_or(&self.origin, |(url, _)| url))
    }
}
