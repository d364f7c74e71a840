//! Requests of other processes to the one that works on a job: cheap to poll often, read from the database
//! seldom.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::model::{JobId, JobState};
use super::store::Jobs;

const POLL: Duration = Duration::from_millis(200);

pub(crate) struct StopRequest<'a> {
    jobs: &'a Jobs,
    id: JobId,
    polled: Cell<Instant>,
    state: Cell<Option<JobState>>,
}

impl Jobs {
    pub(crate) fn stop_request(&self, id: JobId) -> StopRequest<'_> {
        StopRequest { jobs: self, id, polled: Cell::new(Instant::now()), state: Cell::new(None) }
    }
}

impl StopRequest<'_> {
    /// The state in which the job should end, if another process asked for one. It does not change once
    /// seen.
    pub(crate) fn poll(&self) -> Option<JobState> {
        if self.state.get().is_none() && self.polled.get().elapsed() >= POLL {
            self.polled.set(Instant::now());
            // Ignores read errors: the next poll tries again.
            self.state.set(self.jobs.wanted_state(self.id).unwrap_or_default());
        }
        self.state.get()
    }
}
