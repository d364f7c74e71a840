//! Durable jobs: their options, progress and errors.
//!
//! A job is a row, and every address that a crawl knows is a row of the job's frontier. Each step is one
//! transaction, and a page is recorded together with its links before its text is used. So whenever the
//! process ends, the rows say what is left: nothing recorded is fetched twice, and nothing found is lost.
//! The file is separate from the workspace's database, because work in progress is not knowledge: losing it
//! loses no memory.
//!
//! The process that works on a job holds its lock (`lock`).

mod crashes;
mod erase;
mod files;
mod frontier;
mod lock;
mod model;
mod store;

pub(crate) use crashes::GIVEN_UP;
pub(crate) use files::FileRow;
pub(crate) use frontier::{FetchedPage, Frontier, KnownPage, NewAddress, QueuedAddress};
pub use lock::JobLock;
pub use model::{Counts, Job, JobDraft, JobId, JobKind, JobState, LastJob, PageError, PageState, WorkedBy};
pub(crate) use model::{Form, Role};
pub(crate) use store::End;
pub use store::Jobs;

#[cfg(test)]
fn crawl_of(target: &str, user: Option<&str>) -> JobDraft {
    let (options, user) = ("{}".into(), user.map(str::to_owned));
    JobDraft { kind: JobKind::Crawl, target: target.into(), options, user, by: WorkedBy::Anyone, every: None }
}
