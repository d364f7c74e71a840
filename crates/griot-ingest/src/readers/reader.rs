//! The description of a reader: one row of the table of formats.
//!
//! A reader recognises its files by three things, in this order: their first bytes (`magic`, `zip`), an
//! extension that no other reader claims (`own_extensions`), and how well the beginning of a text file fits
//! (`detect`).

use std::io::BufRead;

use griot::model::Result;

use crate::readers::head::Head;
pub(crate) use crate::readers::input::Batch;

/// Above this size a file that is parsed into a tree is read in a process of its own.
const SMALL_TREE: usize = 256 * 1024;

/// How one format is named, recognised and read.
pub(crate) struct Reader {
    /// The format's name in options, requests and `ingest.allowed_types`.
    pub(crate) name: &'static str,
    pub(crate) mime: &'static str,
    /// How a file becomes memories, for the reference page.
    pub(crate) summary: &'static str,
    /// Extensions of this format alone: they decide, whatever the file holds.
    pub(crate) own_extensions: &'static [&'static str],
    /// Extensions that other formats have, too: the content decides.
    pub(crate) shared_extensions: &'static [&'static str],
    /// Whether the first bytes are unmistakable.
    pub(crate) magic: fn(&Head) -> bool,
    pub(crate) zip: Zip,
    /// How well the beginning of a text file fits.
    pub(crate) detect: fn(&Head) -> Option<Fit>,
    /// Whether its sources are conversations.
    pub(crate) is_chat: bool,
    /// Whether a crawl follows links to files with these extensions.
    pub(crate) is_crawled: bool,
    pub(crate) read: fn(&Head) -> Read,
}

impl Reader {
    /// What most readers have in common: text that is recognised by its extension.
    pub(crate) const BASE: Self = Self {
        name: "",
        mime: "",
        summary: "",
        own_extensions: &[],
        shared_extensions: &[],
        magic: |_| false,
        zip: Zip::None,
        detect: |_| None,
        is_chat: false,
        is_crawled: true,
        read: |_| Read::Text(|_, _| Ok(())),
    };

    pub(crate) fn extensions(&self) -> impl Iterator<Item = &'static str> {
        self.own_extensions.iter().chain(self.shared_extensions).copied()
    }
}

/// How well a text fits a format. The best fit wins; of equals, the format that comes later in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    /// Any text fits.
    Any,
    /// The syntax fits.
    Syntax,
    /// The first records have the fields of messages.
    Fields,
    /// The first record says what kind of record it is.
    Record,
    /// There are keys that only one program writes.
    Keys,
    /// Nearly every line has the form.
    Lines,
    /// It begins with a mark.
    Mark,
    /// It is named so.
    Name,
}

/// How a format is recognised in a zip archive.
pub(crate) enum Zip {
    None,
    /// A document: its part `mimetype` says so, or the name of a part begins like this.
    Package {
        mimetype: Option<&'static str>,
        part: Option<&'static str>,
    },
    /// A file `.zip` with one of these parts.
    Export(&'static [&'static str]),
}

/// Takes what was read so far, if it is enough for a part.
pub(crate) type Full<'f> = dyn FnMut(&mut Batch) -> Result<()> + 'f;

pub(crate) type ReadText = fn(&str, &mut Batch) -> Result<()>;
type ReadBytes = fn(&[u8], &mut Batch) -> Result<()>;
type ReadStream = fn(&mut dyn BufRead, &mut Batch, &mut Full) -> Result<()>;

/// How a file is read. This also determines whether it is read in a separate process.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    /// Text of any encoding, at the cost of a few times its size.
    Text(ReadText),
    /// Text of any encoding that becomes a tree of many times its size.
    Tree(ReadText),
    /// The same for JSON, which is UTF-8 or UTF-16.
    Json(ReadText),
    /// Line by line, so that a file of any size arrives in parts.
    Stream(ReadStream),
    /// The same; a file that is read as a whole may have any encoding.
    TextStream(ReadStream),
    /// Markup that names its encoding itself. Parsing it may cost far more than its size.
    Page(ReadBytes),
    /// A binary document: packed, or describing more than it holds. Its library may panic.
    Bytes(ReadBytes),
    /// A database; a large one is queried in its file.
    Database,
}

impl Read {
    /// Whether a file of this size is read in a process of its own.
    pub(crate) const fn is_heavy(self, bytes: usize) -> bool {
        match self {
            Self::Text(_) | Self::Stream(_) | Self::TextStream(_) => false,
            Self::Tree(_) | Self::Json(_) => bytes > SMALL_TREE,
            Self::Page(_) | Self::Bytes(_) | Self::Database => true,
        }
    }
}
