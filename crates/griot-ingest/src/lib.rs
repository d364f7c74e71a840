//! Readers that turn files into drafts for the engine.
//!
//! A caller finds files with [`files`], skips those whose source ([`identify`]) the engine has already, and
//! passes the results of [`read_stream`] (or [`read_file`], [`read_text`]) to the engine:
//!
//! ```no_run
//! # fn main() -> griot::model::Result<()> {
//! use griot_ingest::{ReadOptions, files, identify, read_stream};
//! let options = ReadOptions::default();
//! let found = files("docs".as_ref())?; // found.problems: folders and links that could not be read
//! for path in &found.files {
//!     let source = identify(path, &options)?; // skip the file if engine.source_is_current(&source)
//!     read_stream(path, &options, &mut |reading| {
//!         println!("{}: {} drafts", reading.source.origin, reading.drafts.len());
//!         Ok(())
//!     })?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! An error means that the file is unusable; the `problems` of a [`Reading`] list the lines, messages and
//! values that were skipped. No content causes a panic, selects a path to open, or widens the scope that the
//! caller gave.
//!
//! From the ground up (a module imports only those above it, and never this file):
//!
//! - `shown`, `time`, `decode`: formats values for messages, parses times, decodes bytes
//! - `readers`: the table of formats, with a module for each
//! - `detect`: chooses the reader for a file; `options`: settings of a caller; `hash`: detects unchanged
//!   sources; `allowed`: checks the format; `files`: finds the files of a folder
//! - `in_process`: reads in this process; `worker`: reads in a separate process; `read`: chooses between them
//! - `web`: fetches and parses one page; `jobs`: stores jobs and the frontier of a crawl
//! - `intake`: reads files and folders into an engine, once, as a job, or as they change
//! - `crawl`: runs a crawl
//! - `reference`: writes the page of formats; `refresh`: reads a source again; `erase`: erases from all files
//!   of a workspace

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
pub mod recalls;
mod reference;
mod refresh;
mod shown;
mod time;
mod web;
mod worker;

pub use crawl::{CrawlEvent, CrawlMode, CrawlOptions, GONE, run_crawl, start_crawl, start_refresh};
pub use detect::format_name;
pub use erase::{Lies, erase, finish_erasures};
pub use files::{Found, files};
pub use intake::{FileEvent, FileOptions, Intake, Watch, memory_layout, run_ingest, start_ingest};
pub use jobs::{
    Counts, Job, JobDraft, JobId, JobKind, JobLock, JobState, Jobs, LastJob, PageError, PageState, WorkedBy,
};
pub use options::{ReadLimits, ReadOptions};
pub use read::{identify, origin, read_bytes, read_file, read_stream, read_text, upload_origin};
pub use readers::Format;
pub use readers::claude_code::{MEMORY_BEGIN, MEMORY_END};
pub use readers::input::Reading;
pub use recalls::{Given, LoggedRecall};
pub use reference::formats_page;
pub use refresh::{RefreshOptions, refresh_source};
pub use worker::{
    CountingAllocator, READ_WORKER, ReadProgram, last_reader_peak, serve_reader, set_read_program,
};
