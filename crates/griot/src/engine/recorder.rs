//! Counts what happened behind the answers: an answer leaves its measures in a queue and goes; they are
//! written later, many in one transaction, by a thread that a process has only if it asks more than once, or
//! when the engine is closed.
//!
//! A crash loses at most what was not yet written, never an answer. A store that is busy is tried again; one
//! that cannot be written to at all costs the counts.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::backend::Backend;
use crate::model::{ErrorKind, Result, Timestamp};
use crate::rollout::{
    ANSWERS, Answered, Fallback, INCIDENTS, Incident, Measures, ModeChange, Tally, WINDOWS, Window,
    autopilot, plan, window_start,
};
use crate::settings::RolloutSettings;

/// How long measures wait for others to be written with.
const GATHER: Duration = Duration::from_secs(1);

/// What one event adds.
#[derive(Default)]
pub(super) struct Event {
    pub at: Timestamp,
    pub tally: Tally,
    pub answered: Option<Answered>,
    pub incident: Option<Incident>,
    pub fallback: Option<Fallback>,
}

pub(super) struct Recorder {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    backend: Arc<dyn Backend + Send + Sync>,
    settings: RolloutSettings,
    pending: Mutex<Pending>,
    /// Something came into an empty queue, or the engine closes.
    wake: Condvar,
    /// Held while measures are on their way to the store, so that who has flushed can read them.
    writing: Mutex<()>,
    /// Start of the window in which the autopilot looked last.
    piloted: AtomicI64,
}

#[derive(Default)]
struct Pending {
    measures: Measures,
    latest: Timestamp,
    events: u64,
    closing: bool,
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.measures.windows.is_empty()
    }

    fn add(&mut self, event: Event, width: i64) {
        let start = window_start(event.at, width);
        let windows = &mut self.measures.windows;
        match windows.iter_mut().find(|window| window.start == start) {
            Some(window) => window.tally.add(&event.tally),
            None => windows.push(Window { start, width, tally: event.tally }),
        }
        self.measures.answered.extend(event.answered);
        self.measures.incidents.extend(event.incident);
        if let Some(reason) = event.fallback {
            self.measures.last_fallback = Some((event.at, reason));
        }
        self.latest = self.latest.max(event.at);
        self.measures.keep_from =
            Timestamp(window_start(self.latest, width).0.saturating_sub(width * WINDOWS as i64));
        // A store that stays busy must not make the queue grow for ever.
        let answered = &mut self.measures.answered;
        answered.drain(..answered.len().saturating_sub(ANSWERS));
        let incidents = &mut self.measures.incidents;
        incidents.drain(..incidents.len().saturating_sub(INCIDENTS));
        self.events += 1;
    }

    /// What could not be written comes back, behind what came since.
    fn put_back(&mut self, old: Measures) {
        let new = std::mem::replace(&mut self.measures, old);
        for window in new.windows {
            match self.measures.windows.iter_mut().find(|w| w.start == window.start) {
                Some(known) => known.tally.add(&window.tally),
                None => self.measures.windows.push(window),
            }
        }
        self.measures.answered.extend(new.answered);
        self.measures.incidents.extend(new.incidents);
        self.measures.last_fallback = new.last_fallback.or(self.measures.last_fallback);
        self.measures.keep_from = self.measures.keep_from.max(new.keep_from);
    }
}

impl Recorder {
    pub fn new(backend: Arc<dyn Backend + Send + Sync>, settings: RolloutSettings) -> Self {
        let shared = Shared {
            backend,
            settings,
            pending: Mutex::default(),
            wake: Condvar::new(),
            writing: Mutex::default(),
            piloted: AtomicI64::new(i64::MIN),
        };
        Self { shared: Arc::new(shared), thread: Mutex::default() }
    }

    pub fn push(&self, event: Event) {
        if !self.shared.settings.metrics {
            return;
        }
        let events = {
            let mut pending = self.shared.pending();
            let was_empty = pending.is_empty();
            pending.add(event, self.shared.settings.window_ms());
            if was_empty {
                self.shared.wake.notify_one();
            }
            pending.events
        };
        // A process that asks once writes its measures when it closes.
        if events == 2 {
            let shared = Arc::clone(&self.shared);
            let thread =
                std::thread::Builder::new().name("griot-measures".into()).spawn(move || shared.run());
            *lock(&self.thread) = thread.ok();
        }
    }

    /// Writes what is waiting; after that, a reader sees it. What cannot be written now waits on, or is lost
    /// if it never could be.
    pub fn flush(&self) -> Result<()> {
        self.shared.flush()
    }

    /// Lets the autopilot look, if it is on and did not look in this window yet.
    pub fn pilot(&self, now: Timestamp) -> Result<()> {
        self.shared.pilot(now)
    }
}

impl Shared {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        lock(&self.pending)
    }

    fn run(&self) {
        let mut pending = self.pending();
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
                pending = self.pending();
            }
        }
    }

    fn flush(&self) -> Result<()> {
        let _writing = lock(&self.writing);
        let (measures, latest) = {
            let mut pending = self.pending();
            if pending.is_empty() {
                return Ok(());
            }
            (std::mem::take(&mut pending.measures), pending.latest)
        };
        if let Err(error) = self.backend.telemetry().record(&measures) {
            if error.kind == ErrorKind::Conflict {
                self.pending().put_back(measures);
            }
            return Err(error);
        }
        self.pilot(latest)
    }

    fn pilot(&self, now: Timestamp) -> Result<()> {
        let width = self.settings.window_ms();
        let window = window_start(now, width).0;
        if !self.settings.autopilot || self.piloted.swap(window, Ordering::SeqCst) == window {
            return Ok(());
        }
        // Under the lock, so that of several processes one takes the step.
        let step = self.backend.telemetry().set_mode(width, &mut |ledger| {
            let plan = plan(ledger, now, &self.settings);
            let step = autopilot(&plan, ledger.standing.updated_at, &self.settings);
            Ok(step.map(|step| ModeChange {
                mode: step.mode,
                at: now,
                by: "autopilot".into(),
                forced: false,
            }))
        });
        step.map(drop)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.shared.pending().closing = true;
        self.shared.wake.notify_all();
        if let Some(thread) = lock(&self.thread).take() {
            // A thread that panicked has lost its measures and nothing else.
            let _ = thread.join();
        }
        // Counts that cannot be written now are lost.
        let _ = self.flush();
    }
}
