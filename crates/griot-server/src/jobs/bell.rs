//! Wakes the worker between two polls.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Wakes the worker.
#[derive(Clone, Default)]
pub struct Bell(Arc<(Mutex<bool>, Condvar)>);

impl Bell {
    pub fn ring(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    pub(super) fn wait(&self, longest: Duration) {
        let rung = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.0.1.wait_timeout_while(rung, longest, |rung| !*rung);
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }
}
