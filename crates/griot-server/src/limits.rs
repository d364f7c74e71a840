//! Concurrency limits for HTTP and MCP.
//!
//! - Readers compute: more of them than processors only slow each other down. Writers wait for the disk and
//!   for each other, so they have a limit of their own and never delay readers.
//! - Requests that wait for something external (a web site, a job) have a third limit.
//! - Of scarce, long-held resources, one key gets a share only.
//! - Work that has started is finished even if the client has gone: a write is complete or absent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::failure::{Failure, Kind, Outcome};

/// Writers at once; further ones queue in order.
const MAX_WRITERS: u32 = 4;
/// Requests that may wait for something external at once.
const MAX_WAITERS: usize = 32;

/// The same per key.
const WAITERS_PER_KEY: usize = 8;
/// Large uploads in memory at once; further ones queue in order, before their bodies are read.
const MAX_UPLOADS: usize = 2;
/// Exports at once, over all keys and per key. Each occupies a thread while it lasts.
const MAX_EXPORTS: usize = 16;
const EXPORTS_PER_KEY: usize = 2;

/// A scarce resource that is held for long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resource {
    Waiter,
    Export,
    Stream,
}

/// Semaphores for all requests (`None`) and for each key. Requests without a key are the owner's, who has the
/// limit of all.
#[derive(Default)]
struct Quotas(Mutex<HashMap<Quota, Arc<Semaphore>>>);

/// What a semaphore counts: the requests of a key, or all.
type Quota = (Resource, Option<String>);

/// Held resources, released on drop.
pub struct Permit {
    _held: Vec<OwnedSemaphorePermit>,
}

impl Quotas {
    fn take(&self, resource: Resource, key: Option<&str>, per_key: usize, total: usize) -> Outcome<Permit> {
        let try_take = |key: Option<&str>, limit: usize| {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let semaphore = all.entry((resource, key.map(str::to_string)));
            Arc::clone(semaphore.or_insert_with(|| Arc::new(Semaphore::new(limit)))).try_acquire_owned().ok()
        };
        let what = match resource {
            Resource::Waiter => "wait",
            Resource::Export => "export the workspace",
            Resource::Stream => "stream events",
        };
        let mut held = Vec::new();
        if let Some(id) = key {
            held.push(try_take(key, per_key).ok_or_else(|| {
                let why = format!("the key `{id}` has {per_key} open, the limit per key");
                let mut failure = Failure::new(Kind::RateLimited, what, why).hint("close one of them");
                failure.retry_after = Some(1);
                failure
            })?);
        }
        held.push(try_take(None, total).ok_or_else(|| {
            let why = format!("{total} are open, the limit");
            let failure = Failure::new(Kind::Engine(griot::model::ErrorKind::Unavailable), what, why);
            match resource {
                Resource::Stream => failure.hint("griot config set server.streams NUMBER"),
                _ => failure,
            }
        })?);
        Ok(Permit { _held: held })
    }
}

/// The resource that a request needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// A processor.
    Reads,
    /// The store's write lock.
    Writes,
    /// Something external.
    Waits,
}

impl Work {
    /// Requests that name an address fetch a page; requests with `wait` wait for a job. `waits` says that the
    /// verb waits by itself.
    pub fn of(writes: bool, waits: bool, request: &Map<String, Value>) -> Self {
        let is_waiting = waits
            || request.get("url").is_some_and(Value::is_string)
            || request.get("wait") == Some(&Value::Bool(true));
        match (is_waiting, writes) {
            (true, _) => Self::Waits,
            (false, true) => Self::Writes,
            (false, false) => Self::Reads,
        }
    }
}

pub struct Limits {
    readers: Semaphore,
    writers: Semaphore,
    waiters: Semaphore,
    uploads: Arc<Semaphore>,
    all_readers: u32,
    quotas: Quotas,
}

impl Limits {
    pub fn new() -> Arc<Self> {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let all_readers = u32::try_from(processors * 2).unwrap_or(u32::MAX);
        let readers = Semaphore::new(all_readers as usize);
        Arc::new(Self {
            readers,
            writers: Semaphore::new(MAX_WRITERS as usize),
            waiters: Semaphore::new(MAX_WAITERS),
            uploads: Arc::new(Semaphore::new(MAX_UPLOADS)),
            all_readers,
            quotas: Quotas::default(),
        })
    }

    /// The share of a request that waits.
    pub fn waiter(&self, work: Work, key: Option<&str>) -> Outcome<Option<Permit>> {
        let permit = || self.quotas.take(Resource::Waiter, key, WAITERS_PER_KEY, Semaphore::MAX_PERMITS);
        (work == Work::Waits).then(permit).transpose()
    }

    /// The right to hold a large upload in memory.
    pub async fn upload(&self) -> Outcome<Permit> {
        let held = Arc::clone(&self.uploads).acquire_owned().await.map_err(|_| ended())?;
        Ok(Permit { _held: vec![held] })
    }

    pub fn export(&self, key: Option<&str>) -> Outcome<Permit> {
        self.quotas.take(Resource::Export, key, EXPORTS_PER_KEY, MAX_EXPORTS)
    }

    /// One of `all` streams; a key gets a quarter at most.
    pub fn stream(&self, key: Option<&str>, all: usize) -> Outcome<Permit> {
        self.quotas.take(Resource::Stream, key, (all / 4).max(1), all)
    }

    /// Runs blocking work on the thread pool.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: Work,
        act: impl FnOnce() -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let limits = Arc::clone(self);
        // A task of its own, so that it continues if the client disconnects.
        let done = tokio::spawn(async move {
            let semaphore = match work {
                Work::Reads => &limits.readers,
                Work::Writes => &limits.writers,
                Work::Waits => &limits.waiters,
            };
            // Semaphores are closed when the server ends.
            let Ok(_permit) = semaphore.acquire().await else { return Ok(Err(ended())) };
            tokio::task::spawn_blocking(act).await
        });
        match done.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) | Err(error) => Err(panicked(&error)),
        }
    }

    /// Waits for current reads and writes. False if that took longer than `longest`.
    pub async fn drain(&self, longest: Duration) -> bool {
        let all = async {
            let readers = self.readers.acquire_many(self.all_readers).await.is_ok();
            readers && self.writers.acquire_many(MAX_WRITERS).await.is_ok()
        };
        tokio::time::timeout(longest, all).await.unwrap_or(false)
    }

    /// Waits for current writes, then rejects all further work.
    pub async fn close(&self, longest: Duration) -> bool {
        let written =
            matches!(tokio::time::timeout(longest, self.writers.acquire_many(MAX_WRITERS)).await, Ok(Ok(_)));
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
    tracing::error!(%error, "a request handler panicked");
    Failure::new(Kind::Engine(griot::model::ErrorKind::Bug), "answer", "the request handler crashed")
        .hint("report it with the request id and the server's log")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    #[test]
    fn one_key_leaves_room_for_others() {
        let limits = Limits::new();
        let full: Vec<Permit> =
            (0..EXPORTS_PER_KEY).map(|_| limits.export(Some("k1")).expect("there is room")).collect();
        assert_eq!(
            limits.export(Some("k1")).map(drop).map_err(|failure| failure.kind),
            Err(Kind::RateLimited)
        );
        limits.export(Some("k2")).expect("another key has its own");
        limits.stream(Some("k1"), 8).expect("another thing");
        drop(full);
        limits.export(Some("k1")).expect("it was given back");
        let own: Vec<Permit> =
            (0..MAX_EXPORTS).map(|_| limits.export(None).expect("the owner has the limit of all")).collect();
        assert!(limits.export(None).is_err() && own.len() == MAX_EXPORTS);
        let waits = |key| limits.waiter(Work::Waits, key);
        let eight: Vec<_> = (0..WAITERS_PER_KEY).map(|_| waits(Some("k1")).expect("there is room")).collect();
        assert!(waits(Some("k1")).is_err() && waits(Some("k2")).is_ok() && eight.len() == WAITERS_PER_KEY);
        assert!(limits.waiter(Work::Reads, Some("k1")).expect("it needs none").is_none());
    }

    #[tokio::test]
    async fn started_work_finishes_and_none_starts_after_close() {
        let limits = Limits::new();
        let (started, begun) = tokio::sync::oneshot::channel();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let (done, finished) = std::sync::mpsc::channel::<()>();
        let asked = tokio::spawn({
            let limits = Arc::clone(&limits);
            async move {
                let write = move || {
                    let _ = started.send(());
                    let _ = released.recv();
                    let _ = done.send(());
                    Ok(())
                };
                limits.run(Work::Writes, write).await
            }
        });
        assert!(begun.await.is_ok(), "the write has begun");
        // The client disconnects.
        asked.abort();
        let closing = limits.close(LONG);
        tokio::pin!(closing);
        tokio::select! {
            biased;
            _ = &mut closing => panic!("the write was not waited for"),
            () = std::future::ready(()) => {}
        }
        assert!(release.send(()).is_ok(), "the write is still under way");
        assert!(closing.await);
        assert!(finished.try_recv().is_ok(), "the write was finished");
        let late = limits.run(Work::Writes, || Ok(())).await.map_err(|failure| failure.why);
        assert_eq!(late, Err("the server has ended".to_string()));
    }

    #[tokio::test]
    async fn a_panic_is_a_failure_and_releases_its_permit() {
        let limits = Limits::new();
        for _ in 0..=MAX_WRITERS {
            let failure =
                limits.run::<()>(Work::Writes, || panic!("unforeseen")).await.expect_err("it fails");
            assert_eq!(failure.kind, Kind::Engine(griot::model::ErrorKind::Bug));
        }
        assert!(limits.drain(LONG).await);
    }
}
