//! How much is done at once? Three gates before the engine, through which HTTP and MCP both go.
//!
//! - Engines compute: more threads than processors only wait for each other. Writers wait for the disk and
//!   for one another, so that they have a gate of their own and never stand in the way of a reader.
//! - Who waits for something else, a web site or a job, stands in nobody's way.
//! - One key takes a part of what all share and is held for long, never all of it.
//! - What has passed a gate is finished, whether or not anybody still waits for it: a write is whole or not
//!   there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use crate::failure::{Failure, Kind, Outcome};

/// Writers that may wait at once; more of them wait in order before the gate.
const WRITERS: u32 = 4;
/// Requests that may wait for something else at once.
const WAITERS: usize = 32;

/// Requests of one key that may wait for something else at once.
const WAITERS_OF_ONE: usize = 8;
/// Exports at once, of all keys and of one. Each has a thread of its own while it lasts.
const EXPORTS: usize = 16;
const EXPORTS_OF_ONE: usize = 2;

/// What is held for long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Held {
    Waiter,
    Export,
    Stream,
}

/// How much of it each key holds. Without a key there is one who asks, the owner of the machine, and the
/// limit of all.
#[derive(Default)]
pub struct Shares(Mutex<HashMap<(Held, Option<String>), usize>>);

/// A part of it, given back when it is dropped.
pub struct Share {
    shares: Arc<Shares>,
    held: Held,
    key: Option<String>,
}

impl Shares {
    /// One more for this key, if it holds less than `of_one` and all together less than `of_all`.
    pub fn take(
        self: &Arc<Self>,
        held: Held,
        key: Option<&str>,
        of_one: usize,
        of_all: usize,
    ) -> Outcome<Share> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = key.map(str::to_string);
        let together: usize = all.iter().filter(|((what, _), _)| *what == held).map(|(_, count)| count).sum();
        let own = all.entry((held, key.clone())).or_default();
        let what = match held {
            Held::Waiter => "wait for something else",
            Held::Export => "export the workspace",
            Held::Stream => "stream events",
        };
        if let Some(id) = key.as_ref().filter(|_| *own >= of_one) {
            let why = format!("the key `{id}` holds {of_one} of them, which is the limit of one key");
            let mut failure = Failure::new(Kind::RateLimited, what, why).hint("close one that is open");
            failure.retry_after = Some(1);
            return Err(failure);
        }
        if together >= of_all {
            let why = format!("{of_all} are open, which is the limit");
            let failure = Failure::new(Kind::Engine(griot::model::ErrorKind::Unavailable), what, why);
            return Err(match held {
                Held::Stream => failure.hint("griot config set server.streams NUMBER"),
                _ => failure,
            });
        }
        *own += 1;
        Ok(Share { shares: Arc::clone(self), held, key })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut all = self.shares.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (self.held, self.key.take());
        if let Some(count) = all.get_mut(&place) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                all.remove(&place);
            }
        }
    }
}

/// What a request keeps busy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// A processor.
    Reads,
    /// The store.
    Writes,
    /// Nothing of this machine.
    Waits,
}

impl Work {
    /// A page has to be fetched where an address is named, and who says `wait` waits for a job.
    pub fn of(writes: bool, request: &Map<String, Value>) -> Self {
        let waits = request.get("url").is_some_and(Value::is_string)
            || request.get("wait") == Some(&Value::Bool(true));
        match (waits, writes) {
            (true, _) => Self::Waits,
            (false, true) => Self::Writes,
            (false, false) => Self::Reads,
        }
    }
}

/// The gates.
pub struct Gates {
    readers: Semaphore,
    writers: Semaphore,
    waiters: Semaphore,
    all_readers: u32,
    shares: Arc<Shares>,
}

impl Gates {
    pub fn new() -> Arc<Self> {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let all_readers = u32::try_from(processors * 2).unwrap_or(u32::MAX);
        let readers = Semaphore::new(all_readers as usize);
        Arc::new(Self {
            readers,
            writers: Semaphore::new(WRITERS as usize),
            waiters: Semaphore::new(WAITERS),
            all_readers,
            shares: Arc::default(),
        })
    }

    /// A place among those who wait, where the work is waiting.
    pub fn waiter(&self, work: Work, key: Option<&str>) -> Outcome<Option<Share>> {
        let share = || self.shares.take(Held::Waiter, key, WAITERS_OF_ONE, usize::MAX);
        (work == Work::Waits).then(share).transpose()
    }

    pub fn export(&self, key: Option<&str>) -> Outcome<Share> {
        self.shares.take(Held::Export, key, EXPORTS_OF_ONE, EXPORTS)
    }

    /// One of `all` streams, of which one key holds a quarter at most.
    pub fn stream(&self, key: Option<&str>, all: usize) -> Outcome<Share> {
        self.shares.take(Held::Stream, key, (all / 4).max(1), all)
    }

    /// Runs what blocks on a thread of its own.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: Work,
        act: impl FnOnce() -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let gates = Arc::clone(self);
        // The work goes on when the client has gone.
        let done = tokio::spawn(async move {
            let gate = match work {
                Work::Reads => &gates.readers,
                Work::Writes => &gates.writers,
                Work::Waits => &gates.waiters,
            };
            // Closed once the server has ended: then nothing is begun any more.
            let Ok(_permit) = gate.acquire().await else { return Ok(Err(ended())) };
            tokio::task::spawn_blocking(act).await
        });
        match done.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) | Err(error) => Err(panicked(&error)),
        }
    }

    /// Waits until what has come so far is done.
    pub async fn rest(&self, longest: Duration) -> bool {
        let all = async {
            let readers = self.readers.acquire_many(self.all_readers).await.is_ok();
            readers && self.writers.acquire_many(WRITERS).await.is_ok()
        };
        tokio::time::timeout(longest, all).await.unwrap_or(false)
    }

    /// Waits until nothing is written any more, and lets nobody in after that.
    pub async fn close(&self, longest: Duration) -> bool {
        let written =
            matches!(tokio::time::timeout(longest, self.writers.acquire_many(WRITERS)).await, Ok(Ok(_)));
        self.readers.close();
        self.writers.close();
        self.waiters.close();
        written
    }
}

fn ended() -> Failure {
    Failure::new(Kind::Engine(griot::model::ErrorKind::Unavailable), "answer", "the server has ended")
}

fn panicked(error: &tokio::task::JoinError) -> Failure {
    tracing::error!(%error, "a request failed in an unforeseen way");
    Failure::new(
        Kind::Engine(griot::model::ErrorKind::Bug),
        "answer",
        "something unforeseen happened on the server",
    )
    .hint("report it with the request id and the server's log")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    #[test]
    fn one_key_leaves_room_for_others() {
        let gates = Gates::new();
        let full: Vec<Share> =
            (0..EXPORTS_OF_ONE).map(|_| gates.export(Some("k1")).expect("there is room")).collect();
        assert_eq!(
            gates.export(Some("k1")).map(drop).map_err(|failure| failure.kind),
            Err(Kind::RateLimited)
        );
        gates.export(Some("k2")).expect("another key has its own");
        gates.stream(Some("k1"), 8).expect("another thing");
        drop(full);
        gates.export(Some("k1")).expect("it was given back");
        let own: Vec<Share> =
            (0..EXPORTS).map(|_| gates.export(None).expect("the owner has the limit of all")).collect();
        assert!(gates.export(None).is_err() && own.len() == EXPORTS);
        let waits = |key| gates.waiter(Work::Waits, key);
        let eight: Vec<_> = (0..WAITERS_OF_ONE).map(|_| waits(Some("k1")).expect("there is room")).collect();
        assert!(waits(Some("k1")).is_err() && waits(Some("k2")).is_ok() && eight.len() == WAITERS_OF_ONE);
        assert!(gates.waiter(Work::Reads, Some("k1")).expect("nothing is held").is_none());
    }

    #[tokio::test]
    async fn what_has_begun_is_finished_and_nothing_begins_after_the_end() {
        let gates = Gates::new();
        let (started, begun) = tokio::sync::oneshot::channel();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let (done, finished) = std::sync::mpsc::channel::<()>();
        let asked = tokio::spawn({
            let gates = Arc::clone(&gates);
            async move {
                let write = move || {
                    let _ = started.send(());
                    let _ = released.recv();
                    let _ = done.send(());
                    Ok(())
                };
                gates.run(Work::Writes, write).await
            }
        });
        assert!(begun.await.is_ok(), "the write has begun");
        // Whoever asked for it goes away.
        asked.abort();
        let closing = gates.close(LONG);
        tokio::pin!(closing);
        tokio::select! {
            biased;
            _ = &mut closing => panic!("the write was not waited for"),
            () = std::future::ready(()) => {}
        }
        assert!(release.send(()).is_ok(), "the write is still under way");
        assert!(closing.await);
        assert!(finished.try_recv().is_ok(), "the write was finished");
        let late = gates.run(Work::Writes, || Ok(())).await.map_err(|failure| failure.why);
        assert_eq!(late, Err("the server has ended".to_string()));
    }

    #[tokio::test]
    async fn a_panic_is_a_failure_and_opens_the_gate_again() {
        let gates = Gates::new();
        for _ in 0..=WRITERS {
            let failure = gates.run::<()>(Work::Writes, || panic!("unforeseen")).await.expect_err("it fails");
            assert_eq!(failure.kind, Kind::Engine(griot::model::ErrorKind::Bug));
        }
        assert!(gates.rest(LONG).await);
    }
}
