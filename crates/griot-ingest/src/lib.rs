//! Readers that turn files into drafts for the engine.
//!
//! A caller finds files with [`files`], asks [`identify`] which source a file is and whether the engine has it already,
//! and hands what [`read_stream`] (or [`read_file`], [`read_text`]) answers to the engine:
//!
//! ```no_run
//! # fn main() -> griot::model::Result<()> {
//! use griot_ingest::{ReadOptions, files, identify, read_stream};
//! let options = ReadOptions::default();
//! let found = files("docs".as_ref())?; // found.problems: what could not be looked at
//! for path in &found.files {
//!     let source = identify(path, &options)?; // engine.source_is_current(&source): go on with the next
//!     read_stream(path, &options, &mut |reading| {
//!         println!("{}: {} drafts", reading.source.origin, reading.drafts.len());
//!         Ok(())
//!     })?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! An error means that nothing of the file can be used; a [`Reading`]'s `problems` name the lines, messages and values
//! that were left out while the rest was read. Nothing here panics on any content of a file, and what a file says stays
//! text: it names no path, and it never widens the scope that the caller gave.
//!
//! - `files`: which files of a folder are read
//! - `format`: which reader is right for a file
//! - `decode`: bytes to text
//! - `read`: options, limits, hashes; calls the readers, which share `job`
//! - `binary`: what is no text, told by its first bytes
//! - `archive`, `element`: zip archives and XML within limits
//! - `document`: Markdown and plain text, with `front_matter` and `wiki`; `markdown` is how other readers write it
//! - `word`, `slides`, `open_document`, `rich_text`, `epub`, `notebook`, `restructured`: documents to Markdown
//! - `pdf`: pages
//! - `table`, `sheet`: rows with the names of their columns
//! - `json`, `record`, `yaml`, `xml`: values to memories; the field names that are known
//! - `lines`: formats that are read line by line, and thereby in parts
//! - `chat`, `transcript`, `subtitle`: messages, their sessions, and the form `[time] Speaker: text`
//! - `mail`: letters and boxes of them
//! - `export`: what other programs give back
//! - `html`: a page as people read it
//! - `crawl`: a crawl from its first address to its last, with `web` (one request, who may be asked) and `jobs` (what is left)
//! - `session`: what was said in a session of Claude Code
//! - `time`: times as files write them

mod archive;
mod binary;
mod chat;
mod crawl;
mod decode;
mod document;
mod element;
mod epub;
mod export;
mod files;
mod format;
mod front_matter;
mod html;
mod job;
mod jobs;
mod json;
mod lines;
mod mail;
mod markdown;
mod notebook;
mod open_document;
mod pdf;
mod read;
mod record;
mod restructured;
mod rich_text;
mod session;
mod sheet;
mod slides;
mod subtitle;
mod table;
mod time;
mod transcript;
mod web;
mod wiki;
mod word;
mod xml;
mod yaml;

pub use crawl::{CrawlEvent, CrawlMode, CrawlOptions, run_crawl, start_crawl, start_refresh};
pub use decode::decode;
pub use files::{Found, files};
pub use format::Format;
pub use html::{HtmlPage, read_html};
pub use jobs::{Counts, Job, JobId, JobKind, JobLock, JobState, Jobs, PageError, PageState};
pub use read::{
    ReadOptions, Reading, content_hash, identify, origin, read_bytes, read_file, read_stream, read_text, text_hash,
};
pub use session::{MEMORY_BEGIN, MEMORY_END};
