//! The readers, and the table of the formats that they read.
//!
//! Each format has a file with a `READER` (related formats share one) and a line in the table below;
//! everything else that depends on the format reads the table.
//!
//! - `reader`: the description of a format; `head`: the part of a file used for detection
//! - `input`: the file, and what is read from it
//! - `archive`, `element`: zip archives and XML within limits; `bounds`: pages that cost too much to parse
//! - `document`: passages of a text; `markup`: Markdown as the readers of other formats write it;
//!   `html_tree`: a page as Markdown; `unmarked`: passages of Markdown without mark-up
//! - `chart`: a chart as a table; `table`: rows with named columns; `record`: JSON objects with known fields
//! - `lines`: line by line; `messages`: messages and their sessions; `transcript`: `[time] Speaker: text`
//! - `front_matter`, `wiki`, `byline`, `language`, `hyphen`: conventions inside documents

pub(crate) mod archive;
mod bounds;
mod branches;
pub(crate) mod byline;
mod chart;
mod chat;
pub(crate) mod claude_code;
mod conversations;
mod csv;
pub(crate) mod database;
mod document;
mod element;
mod epub;
pub(crate) mod front_matter;
mod grid;
pub(crate) mod head;
pub(crate) mod html;
mod html_tree;
mod hyphen;
pub(crate) mod input;
mod json;
mod json_lines;
pub(crate) mod language;
mod lines;
mod mail;
mod markdown;
mod markup;
mod mcp_memory;
mod messages;
mod notebook;
mod open_document;
mod pdf;
mod plain;
pub(crate) mod reader;
mod record;
mod reply;
mod restructured;
mod rich_text;
mod sheet;
mod slack;
mod slides;
mod subtitle;
mod table;
mod transcript;
pub(crate) mod unmarked;
mod whatsapp;
mod wiki;
mod word;
mod xml;
mod yaml;

use griot::model::{Error, Result};
use serde::{Deserialize, Serialize};

use reader::Reader;

/// Part of every content hash. Change it whenever a reader produces different drafts from the same bytes, so
/// that known sources are read again.
pub(crate) const VERSION: &[u8] = b"griot-ingest 8";

macro_rules! formats {
    ($($variant:ident $reader:path;)*) => {
        /// What a file is read as.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
        pub enum Format { $($variant,)* }

        impl Format {
            pub const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant),*];

            pub(crate) const fn reader(self) -> &'static Reader {
                match self { $(Self::$variant => &$reader,)* }
            }
        }
    };
}

// In the order in which formats are listed. Where two formats fit a file equally well, the later one wins.
formats! {
    Markdown markdown::READER;
    Text plain::READER;
    Restructured restructured::READER;
    Csv csv::READER;
    Json json::READER;
    JsonLines json_lines::READER;
    Yaml yaml::READER;
    Xml xml::READER;
    Notebook notebook::READER;
    Subtitles subtitle::READER;
    Word word::READER;
    Slides slides::READER;
    Sheet sheet::READER;
    OpenText open_document::TEXT;
    OpenSheet open_document::SHEET;
    Epub epub::READER;
    RichText rich_text::READER;
    Pdf pdf::READER;
    Email mail::EMAIL;
    Mailbox mail::MAILBOX;
    Slack slack::READER;
    ChatGpt conversations::CHATGPT;
    Claude conversations::CLAUDE;
    McpMemory mcp_memory::READER;
    Chat chat::READER;
    WhatsApp whatsapp::READER;
    ClaudeCode claude_code::READER;
    Html html::READER;
}

impl Format {
    pub const fn name(self) -> &'static str {
        self.reader().name
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// All MIME types, each once.
    pub fn mimes() -> Vec<&'static str> {
        let mut all: Vec<&str> = Self::ALL.iter().map(|format| format.reader().mime).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The format of a MIME type, whose parameters do not matter; `None` if several formats have it, so that
    /// the content decides.
    pub fn of_mime(mime: &str) -> Result<Option<Self>> {
        let word = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let word = if word == "text/x-markdown" { "text/markdown" } else { word.as_str() };
        let mut found = Self::ALL.into_iter().filter(|format| format.reader().mime == word);
        match (found.next(), found.next()) {
            (None, _) => Err(Error::invalid(format!("read `{mime}`"), "no format has this MIME type")
                .hint(format!("use one of {}", Self::mimes().join(", ")))),
            (one, None) => Ok(one),
            _ => Ok(None),
        }
    }

    /// As [`Format::parse`], for a name that a user gave.
    pub fn named(name: &str) -> Result<Self> {
        Self::parse(name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            Error::invalid(format!("read the format `{name}`"), "there is no such format")
                .hint(format!("use one of {}", known.join(", ")))
        })
    }
}

/// All readers, including that of databases, which callers cannot request: it is detected by its first bytes.
pub(crate) fn readers() -> impl Iterator<Item = &'static Reader> {
    Format::ALL.into_iter().map(Format::reader).chain([&database::READER])
}
