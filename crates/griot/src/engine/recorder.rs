//! Counts what happened behind the answers: an answer leaves its measures in a queue and returns; they are written
//! later, many in one transaction, by a thread that a process has only if it asks more than once, or when the
//! engine is closed.
//!
//! A crash loses at most what was not yet written, never an answer. A store that is busy is tried again; one that
//! cannot be written to loses the counts.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::backend::Backend;
use crate::model::{ErrorKind, Result};
use crate::rollout::Measures;

/// How long measures wait for others to be written with.
const GATHER: Duration = Duration::from_secs(1);

pub(super) struct Recorder {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    backend: Arc<dyn Backend + Send + Sync>,
    /// The setting `rollout.metrics`.
    counts: bool,
    pending: Mutex<Pending>,
    /// Something was added to an empty queue, or the engine closes.
    wake: Condvar,
    /// Held while measures are being written, so that a caller that has flushed can read them.
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
    pub fn new(backend: Arc<dyn Backend + Send + Sync>, counts: bool) -> Self {
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
        // A process that asks once writes its measures when it closes.
        if pushed == 2 {
            let shared = Arc::clone(&self.shared);
            let thread =
                std::thread::Builder::new().name("griot-measures".into()).spawn(move || shared.run());
            *lock(&self.thread) = thread.ok();
        }
    }

    /// Writes what is waiting; after that, a reader sees it. What cannot be written because the store is busy
    /// waits on; anything else is lost.
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
                // What failed is tried again with what comes next.
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
            // A thread that panicked has lost its measures and nothing else.
            let _ = thread.join();
        }
        // Counts that cannot be written now are lost.
        let _ = self.flush();
    }
}
