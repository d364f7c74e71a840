//! Reads files and folders into an engine: decides which files are read, which are skipped, and what is
//! forgotten because its file is gone.
//!
//! - A file that cannot be read is reported and the others are still read; an error of the store ends the
//!   run.
//! - A source holds exactly what its file holds. A large file is read in parts and is never in memory as a
//!   whole.
//! - Sources of deleted files are forgotten only on request, and only below the named paths.
//!
//! `missing` finds moved and deleted files, `job` runs this as a durable job, `watch` follows changes.

mod job;
mod missing;
mod run;
mod watch;

pub use job::{run_ingest, start_ingest};
pub use run::{FileEvent, FileOptions, Intake};
pub use watch::{Watch, memory_layout};
