//! Records measures in the background: an answer adds its measures to those that are pending and returns. A
//! thread writes them later, many in one transaction; a process starts it at its second recall. Closing the
//! engine writes the rest.
//!
//! A crash loses at most the unwritten measures, never an answer. Writes to a busy store are retried together
//! with the next measures; a store that cannot be written to loses the counts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::backend::Store;
use crate::model::{ErrorKind, Result};
use crate::rollout::Measures;

/// Time during which measures are collected into one write.
const GATHER: Duration = Duration::from_secs(1);

pub(super) struct Recorder {
    shared: Arc<Shared>,
    /// The setting `rollout.metrics`.
    counts: bool,
    /// The threads that run.
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    backend: Arc<dyn Store>,
    pending: Mutex<Pending>,
    /// Held during a write, so that a caller can read what it flushed.
    writing: Mutex<()>,
}

#[derive(Default)]
struct Pending {
    measures: Measures,
    pushed: u64,
    /// A thread will write them.
    scheduled: bool,
}

impl Recorder {
    pub fn new(backend: Arc<dyn Store>, counts: bool) -> Self {
        let shared = Shared { backend, pending: Mutex::default(), writing: Mutex::default() };
        Self { shared: Arc::new(shared), counts, threads: Mutex::default() }
    }

    pub fn push(&self, measures: Measures) {
        if !self.counts {
            return;
        }
        let mut pending = lock(&self.shared.pending);
        pending.measures.append(measures);
        pending.pushed += 1;
        // A process with a single recall writes its measures when it closes.
        if pending.pushed == 1 || pending.scheduled {
            return;
        }
        pending.scheduled = true;
        drop(pending);
        let shared = Arc::clone(&self.shared);
        let write = move || {
            std::thread::park_timeout(GATHER);
            lock(&shared.pending).scheduled = false;
            // Failed measures are retried together with the next ones.
            let _ = shared.flush();
        };
        let thread = std::thread::Builder::new().name("griot-measures".into()).spawn(write);
        let mut threads = lock(&self.threads);
        threads.retain(|thread| !thread.is_finished());
        threads.extend(thread);
    }

    /// Writes the pending measures and makes them readable. Measures stay pending if the store is busy; any
    /// other failure loses them.
    pub fn flush(&self) -> Result<()> {
        self.shared.flush()
    }
}

impl Shared {
    fn flush(&self) -> Result<()> {
        let _writing = lock(&self.writing);
        let mut measures = std::mem::take(&mut lock(&self.pending).measures);
        if measures.windows.is_empty() {
            return Ok(());
        }
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
        for thread in std::mem::take(&mut *lock(&self.threads)) {
            thread.thread().unpark();
            // A panic in the thread loses its measures and nothing else.
            let _ = thread.join();
        }
        // Counts that cannot be written at this point are lost.
        let _ = self.flush();
    }
}
