//! What another process asks of the one that works on a job: looked for often, read seldom.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::model::{JobId, JobState};
use super::store::Jobs;

const LOOK: Duration = Duration::from_millis(200);

pub(crate) struct Wish<'a> {
    jobs: &'a Jobs,
    id: JobId,
    looked: Cell<Instant>,
    state: Cell<Option<JobState>>,
}

impl Jobs {
    pub(crate) fn wish(&self, id: JobId) -> Wish<'_> {
        Wish { jobs: self, id, looked: Cell::new(Instant::now()), state: Cell::new(None) }
    }
}

impl Wish<'_> {
    /// How the job is to end, if it is to end. It stays once it was seen.
    pub(crate) fn look(&self) -> Option<JobState> {
        if self.state.get().is_none() && self.looked.get().elapsed() >= LOOK {
            self.looked.set(Instant::now());
            // Rows that cannot be read now can be read later.
            self.state.set(self.jobs.asked(self.id).unwrap_or_default());
        }
        self.state.get()
    }
}
