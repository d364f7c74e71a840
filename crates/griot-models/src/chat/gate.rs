//! How many requests to models run at once in this process.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::connection::Service;

/// The requests of one service. A question must not wait for its vector until a model has read memories.
struct Gate {
    running: Mutex<usize>,
    freed: Condvar,
}

static CHAT: Gate = Gate::new();
static VECTORS: Gate = Gate::new();
static RANKS: Gate = Gate::new();

impl Gate {
    const fn new() -> Self {
        Self { running: Mutex::new(0), freed: Condvar::new() }
    }
}

/// The right to send one request; given back on drop.
pub(crate) struct Permit(&'static Gate);

impl Permit {
    /// Waits until fewer than `most` run; `None` if none ended before the deadline.
    pub(crate) fn take(service: Service, most: usize, deadline: Instant) -> Option<Self> {
        let gate = match service {
            Service::Chat(_) => &CHAT,
            Service::Vectors(_) => &VECTORS,
            Service::Ranks(_) => &RANKS,
        };
        let mut running = gate.running.lock().unwrap_or_else(PoisonError::into_inner);
        while *running >= most.max(1) {
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            running = gate.freed.wait_timeout(running, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *running += 1;
        Some(Self(gate))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        // Workspaces differ in their limit: one that waits may not be the one that may go.
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use griot::engine::ModelProvider;

    use super::*;

    #[test]
    fn each_service_has_its_own_limit_and_each_that_waits_is_woken() {
        let (chat, vectors) = (Service::Chat(ModelProvider::Off), Service::Vectors(ModelProvider::Off));
        let take = |service, most, wait| Permit::take(service, most, Instant::now() + wait);
        let (none, long) = (Duration::ZERO, Duration::from_secs(60));
        let mut held: Vec<_> = (0..2).filter_map(|_| take(chat, 2, none)).collect();
        assert_eq!(held.len(), 2);
        assert!(take(chat, 2, none).is_none());
        assert!(take(vectors, 1, none).is_some());
        thread::scope(|scope| {
            let strict = scope.spawn(|| take(chat, 1, long).is_some());
            // Time for the strict one to wait first; in the other order this holds too.
            thread::sleep(Duration::from_millis(50));
            let other = scope.spawn(|| take(chat, 2, long).is_some());
            thread::sleep(Duration::from_millis(50));
            held.pop();
            assert!(other.join().expect("it ends"));
            held.pop();
            assert!(strict.join().expect("it ends"));
        });
    }
}
