//! How many requests to models run at once in this process.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

static RUNNING: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// The right to send one request; given back on drop.
pub(crate) struct Permit(());

impl Permit {
    /// Waits until fewer than `most` run; `None` if none ended before the deadline.
    pub(crate) fn take(most: usize, deadline: Instant) -> Option<Self> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        while *running >= most.max(1) {
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            running = FREED.wait_timeout(running, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *running += 1;
        Some(Self(()))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        FREED.notify_one();
    }
}
