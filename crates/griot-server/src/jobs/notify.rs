//! Wakes the worker between two polls.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Wakes the worker. A notification before [`Notify::wait`] is not lost.
#[derive(Clone, Default)]
pub struct Notify(Arc<(Mutex<bool>, Condvar)>);

impl Notify {
    pub fn notify(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    pub(super) fn wait(&self, longest: Duration) {
        let notified = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.0.1.wait_timeout_while(notified, longest, |notified| !*notified);
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }
}
