//! Durable jobs: what was asked for, how far it is, and what went wrong.
//!
//! A job is a row, and every address that a crawl knows is a row below it (the frontier). A step is one
//! transaction, and a page is recorded with the links that were found on it before anybody works with its
//! text, so that whenever the process ends, the rows say what is left: nothing that was recorded is fetched
//! twice, and nothing that was found is forgotten. The file lies beside the workspace: what is in progress is
//! no knowledge, and losing it loses no memory.
//!
//! Who works on a job holds a lock of the operating system on it, which ends with its process, however that
//! ends.

mod deaths;
mod erase;
mod files;
mod frontier;
mod lock;
mod model;
mod store;
mod wish;

pub(crate) use deaths::GIVEN_UP;
pub(crate) use files::FileRow;
pub(crate) use frontier::{Found, Recorded, Tally, Waiting};
pub use lock::JobLock;
pub use model::{Counts, Job, JobDraft, JobId, JobKind, JobState, PageError, PageState, WorkedBy};
pub(crate) use model::{Form, Role};
pub(crate) use store::End;
pub use store::Jobs;
