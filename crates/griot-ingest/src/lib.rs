//! Readers that turn files into drafts for the engine.
//!
//! A caller finds files with [`files`], asks [`identify`] which source a file is and whether the engine has
//! it already, and hands what [`read_stream`] (or [`read_file`], [`read_text`]) answers to the engine:
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
//! An error means that nothing of the file can be used; a [`Reading`]'s `problems` name the lines, messages
//! and values that were left out while the rest was read. Nothing here panics on any content of a file, and
//! content stays text: it never names a path to open, and never widens the scope that the caller gave.
//!
//! From the ground up (a module imports only those above it, and never this file):
//!
//! - `shown`, `time`, `decode`: values in messages, times as files write them, bytes to text
//! - `readers`: the table of formats, with a file for each
//! - `detect`: which reader is right for a file; `options`, `hash`, `allowed`: what a caller sets, how a source is
//!   known to be unchanged, whether its kind is wanted; `files`: which files of a folder are read
//! - `in_process`: reads here; `worker`: reads in a process of its own; `read`: decides which
//! - `web`, `jobs`: one request and what it brings; durable jobs and the frontier of a crawl
//! - `intake`: files and folders into an engine, once, as a job, or as they change
//! - `crawl`: a crawl from its first address to its last
//! - `reference`: the page of formats; `refresh`, `erase`: a source read again; an erasure with the files beside a database

mod allowed;
mod crawl;
mod decode;
mod detect;
mod erase;
mod files;
mod hash;
mod in_process;
mod intake;
mod jobs;
mod options;
mod read;
mod readers;
mod reference;
mod refresh;
mod shown;
mod time;
mod web;
mod worker;

pub use crawl::{CrawlEvent, CrawlMode, CrawlOptions, run_crawl, start_crawl, start_refresh};
pub use decode::decode;
pub use detect::format_name;
pub use erase::{Lies, erase, finish_erasures};
pub use files::{Found, files};
pub use intake::{FileEvent, FileOptions, Intake, Watch, memory_layout, run_ingest, start_ingest};
pub use jobs::{
    Counts, Job, JobDraft, JobId, JobKind, JobLock, JobState, Jobs, PageError, PageState, WorkedBy,
};
pub use options::{ReadLimits, ReadOptions};
pub use read::{
    content_hash, identify, origin, read_bytes, read_file, read_stream, read_text, text_hash, upload_origin,
};
pub use readers::Format;
pub use readers::claude_code::{MEMORY_BEGIN, MEMORY_END};
pub use readers::html::{HtmlPage, read_html};
pub use readers::input::Reading;
pub use reference::formats_page;
pub use refresh::{RefreshOptions, refresh_source};
pub use worker::{
    CountingAllocator, READ_WORKER, ReadProgram, last_reader_peak, serve_reader, set_read_program,
};
