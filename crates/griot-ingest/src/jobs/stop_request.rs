//! Requests of other processes to the one that works on a job: cheap to poll often, read from the database
//! seldom.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::model::{JobId, JobState};
use super::store::Jobs;

const POLL: Duration = Duration::from_millis(200);

impl Jobs {
    /// Returns the state in which the job should end, if another process asked for one. It does not change
    /// once seen.
    pub(crate) fn stop_request(&self, id: JobId) -> impl Fn() -> Option<JobState> {
        let (polled, state) = (Cell::new(Instant::now()), Cell::new(None));
        move || {
            if state.get().is_none() && polled.get().elapsed() >= POLL {
                polled.set(Instant::now());
                // Ignores read errors: the next poll tries again.
                state.set(self.wanted_state(id).unwrap_or_default());
            }
            state.get()
        }
    }
}
