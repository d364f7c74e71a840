//! Records measures in the background: an answer adds its measures to a queue and returns. A thread writes
//! them later, many in one transaction; a process starts it at its second recall. Closing the engine writes
//! the rest.
//!
//! A crash loses at most the unwritten measures, never an answer. Writes to a busy store are retried; a store
//! that cannot be written to loses the counts.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::backend::Store;
use crate::model::{ErrorKind, Result};
use crate::rollout::Measures;

/// Time during which measures are collected into one write.
const GATHER: Duration = Duration::from_secs(1);

pub(super) struct Recorder {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    backend: Arc<dyn Store>,
    /// The setting `rollout.metrics`.
    counts: bool,
    pending: Mutex<Pending>,
    /// Signals that the empty queue got an entry or that the engine closes.
    wake: Condvar,
    /// Held during a write, so that a caller can read what it flushed.
    writing: Mutex<()>,
}

#[derive(Default)]
struct Pending {
    measures: Measures,
    pushed: u64,
    closing: bool,
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.measures.windows.is_empty()
    }
}

impl Recorder {
    pub fn new(backend: Arc<dyn Store>, counts: bool) -> Self {
        let (pending, wake, writing) = (Mutex::default(), Condvar::new(), Mutex::default());
        let shared = Shared { backend, counts, pending, wake, writing };
        Self { shared: Arc::new(shared), thread: Mutex::default() }
    }

    pub fn push(&self, measures: Measures) {
        if !self.shared.counts {
            return;
        }
        let pushed = {
            let mut pending = lock(&self.shared.pending);
            if pending.is_empty() {
                self.shared.wake.notify_one();
            }
            pending.measures.append(measures);
            pending.pushed += 1;
            pending.pushed
        };
        // A process with a single recall writes its measures when it closes.
        if pushed == 2 {
            let shared = Arc::clone(&self.shared);
            let thread =
                std::thread::Builder::new().name("griot-measures".into()).spawn(move || shared.run());
            *lock(&self.thread) = thread.ok();
        }
    }

    /// Writes the pending measures and makes them readable. Measures stay pending if the store is busy; any
    /// other failure loses them.
    pub fn flush(&self) -> Result<()> {
        self.shared.flush()
    }
}

impl Shared {
    fn run(&self) {
        let mut pending = lock(&self.pending);
        while !pending.closing {
            if pending.is_empty() {
                pending = self.wake.wait(pending).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let gathering = self.wake.wait_timeout_while(pending, GATHER, |pending| !pending.closing);
            pending = gathering.unwrap_or_else(PoisonError::into_inner).0;
            if !pending.closing {
                drop(pending);
                // Failed measures are retried together with the next ones.
                let _ = self.flush();
                pending = lock(&self.pending);
            }
        }
    }

    fn flush(&self) -> Result<()> {
        let _writing = lock(&self.writing);
        let mut measures = {
            let mut pending = lock(&self.pending);
            if pending.is_empty() {
                return Ok(());
            }
            std::mem::take(&mut pending.measures)
        };
        let written = self.backend.telemetry().record(&measures);
        if written.as_ref().is_err_and(|error| error.kind == ErrorKind::Conflict) {
            let mut pending = lock(&self.pending);
            measures.append(std::mem::take(&mut pending.measures));
            pending.measures = measures;
        }
        written
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Recorder {
    fn drop(&mut self) {
        lock(&self.shared.pending).closing = true;
        self.shared.wake.notify_all();
        if let Some(thread) = lock(&self.thread).take() {
            // A panic in the thread loses its measures and nothing else.
            let _ = thread.join();
        }
        // Counts that cannot be written at this point are lost.
        let _ = self.flush();
    }
}
