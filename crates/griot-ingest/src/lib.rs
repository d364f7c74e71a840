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
//! what a file says stays text: it names no path, and it never widens the scope that the caller gave.
//!
//! - `files`: which files of a folder are read
//! - `format`: which reader is right for a file; `allowed`: whether its kind is wanted; `decode`: bytes to
//!   text; `time`: times as files write them
//! - `read`: options, limits, hashes; calls one of the `readers`
//! - `worker`: the process in which heavy files are read
//! - `intake`: files and folders into an engine, once, as a job, or as they change
//! - `refresh`: a source read again
//! - `erase`: an erasure with the files beside a database
//! - `crawl`: a crawl from its first address to its last, with `web` (one request, who may be asked) and
//!   `jobs` (what is left)

mod allowed;
mod crawl;
mod decode;
mod erase;
mod files;
mod format;
mod intake;
mod jobs;
mod read;
mod readers;
mod refresh;
mod time;
mod web;
mod worker;

pub use crawl::{CrawlEvent, CrawlMode, CrawlOptions, run_crawl, start_crawl, start_refresh};
pub use decode::decode;
pub use erase::{Lies, erase, finish_erasures};
pub use files::{Found, files};
pub use format::Format;
pub use intake::{FileEvent, FileOptions, Intake, Watch, memory_layout, run_ingest, start_ingest};
pub use jobs::{
    Counts, Job, JobDraft, JobId, JobKind, JobLock, JobState, Jobs, PageError, PageState, WorkedBy,
};
pub use read::{
    ReadOptions, Reading, content_hash, identify, origin, read_bytes, read_file, read_stream, read_text,
    text_hash, upload_origin,
};
pub use readers::html::{HtmlPage, read_html};
pub use readers::session::{MEMORY_BEGIN, MEMORY_END};
pub use refresh::{RefreshOptions, refresh_source};
pub use worker::{
    CountingAllocator, READ_WORKER, ReadLimits, ReadProgram, last_reader_peak, serve_reader, set_read_program,
};
