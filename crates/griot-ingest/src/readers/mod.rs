//! One reader for each kind of file: bytes to drafts.
//!
//! - `input`: what they share: the file that is read, and the drafts that are made of it
//! - `binary`: what is no text, told by its first bytes
//! - `archive`, `element`: zip archives and XML within limits
//! - `document`: Markdown and plain text, with `front_matter` and `wiki`; `markdown` is how other readers
//!   write it
//! - `word`, `slides`, `open_document`, `rich_text`, `epub`, `notebook`, `restructured`, `html`: documents to
//!   Markdown
//! - `byline`, `language`, `bounds`: who wrote a page, and in which language; whether it can be parsed in
//!   time
//! - `pdf`: pages; `unicode_map`: what their fonts say
//! - `table`, `sheet`: rows with the names of their columns
//! - `json`, `record`, `yaml`, `xml`: values to memories; the field names that are known
//! - `lines`: formats that are read line by line, and thereby in parts
//! - `chat`, `transcript`, `subtitle`: messages, their sessions, and the form `[time] Speaker: text`
//! - `mail`: letters and boxes of them
//! - `export`: what other programs give back
//! - `database`: the SQLite files of other memory programs
//! - `session`: what was said in a session of Claude Code

pub(crate) mod archive;
pub(crate) mod binary;
pub(crate) mod bounds;
pub(crate) mod byline;
pub(crate) mod chat;
pub(crate) mod database;
pub(crate) mod document;
pub(crate) mod element;
pub(crate) mod epub;
pub(crate) mod export;
pub(crate) mod front_matter;
pub(crate) mod html;
pub(crate) mod hyphen;
pub(crate) mod input;
pub(crate) mod json;
pub(crate) mod language;
pub(crate) mod lines;
pub(crate) mod mail;
pub(crate) mod markdown;
pub(crate) mod notebook;
pub(crate) mod open_document;
pub(crate) mod pdf;
pub(crate) mod record;
pub(crate) mod restructured;
pub(crate) mod rich_text;
pub(crate) mod session;
pub(crate) mod sheet;
pub(crate) mod slides;
pub(crate) mod subtitle;
pub(crate) mod table;
pub(crate) mod transcript;
pub(crate) mod wiki;
pub(crate) mod word;
pub(crate) mod xml;
pub(crate) mod yaml;
