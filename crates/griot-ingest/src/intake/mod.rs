//! Files and folders into an engine: which are read, what is passed over, what is forgotten because it is
//! gone.
//!
//! - A file that cannot be read is reported, and the next one is read; an error of the store ends the work.
//! - A source is made to hold exactly what its file holds; a large one arrives in parts, and is never held as
//!   a whole.
//! - What is gone from the disk is forgotten only where that was asked for, and below the named paths only.
//!
//! `gone` knows what is no longer where it was, `job` makes a durable job of it all, `watch` goes on as files
//! change.

mod gone;
mod job;
mod run;
mod watch;

pub use job::{run_ingest, start_ingest};
pub use run::{FileEvent, FileOptions, Intake};
pub use watch::{Watch, memory_layout};
