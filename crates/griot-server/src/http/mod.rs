//! Griot over HTTP: which requests are let in, what they ask, and how long they may take.
//!
//! - `routes`: the table of everything that is answered; router, OpenAPI document and reference page are made from it
//! - `input`: path, query and body to a typed request
//! - `guard`: who is asking, from where; request ids, limits, logs
//! - `seeds`: routes of older memory servers, with their payloads; `envelope`, `upload`
//! - `events`: the change log as server-sent events
//! - `listen`: sockets, timeouts, the end
//! - `metrics`, `openapi`

mod envelope;
mod events;
mod guard;
mod input;
mod listen;
mod metrics;
pub mod openapi;
mod routes;
pub(crate) mod seeds;
mod upload;

use std::sync::Arc;
use std::time::Duration;

use griot::engine::{McpSettings, ServerSettings};
use tokio::sync::{Semaphore, watch};

use crate::access::Keys;
use crate::failure::{Failure, Kind, Outcome};
use crate::service::Service;

pub(crate) use input::typed;
pub use listen::{Server, bind};
pub use routes::{Route, routes};

/// What all requests share.
pub struct App {
    pub service: Arc<Service>,
    pub keys: Keys,
    pub settings: ServerSettings,
    pub mcp: McpSettings,
    /// Only this machine can reach the server.
    pub loopback: bool,
    metrics: metrics::Metrics,
    /// Engines compute: more threads than processors only wait for each other. Writers wait for the disk and for one
    /// another, so that they have a gate of their own and never stand in the way of a reader.
    readers: Semaphore,
    writers: Semaphore,
    /// True once the server is to end; streams watch it.
    ending: watch::Sender<bool>,
}

/// Writers that may wait at once; more of them wait in order before the gate.
const WRITERS: usize = 4;

impl App {
    pub fn new(service: Arc<Service>, keys: Keys, settings: ServerSettings, mcp: McpSettings, loopback: bool) -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            service,
            keys,
            settings,
            mcp,
            loopback,
            metrics: metrics::Metrics::new(),
            readers: Semaphore::new(processors * 2),
            writers: Semaphore::new(WRITERS),
            ending: watch::Sender::new(false),
        }
    }

    /// Runs what blocks on a thread of its own.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        writes: bool,
        act: impl FnOnce(&Self) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let app = Arc::clone(self);
        // The work goes on when the client has gone: a write is whole or not there.
        let work = tokio::spawn(async move {
            let gate = if writes { &app.writers } else { &app.readers };
            let permit = gate.acquire().await;
            let inner = Arc::clone(&app);
            let done = tokio::task::spawn_blocking(move || act(&inner)).await;
            drop(permit);
            done
        });
        match work.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) | Err(error) => Err(panicked(&error)),
        }
    }

    /// Waits until nothing is written any more, and lets nobody write after that.
    async fn drain(&self, longest: Duration) -> bool {
        let all = self.writers.acquire_many(WRITERS as u32);
        match tokio::time::timeout(longest, all).await {
            Ok(Ok(permits)) => {
                permits.forget();
                true
            }
            _ => false,
        }
    }
}

fn panicked(error: &tokio::task::JoinError) -> Failure {
    tracing::error!(%error, "a request failed in an unforeseen way");
    Failure::new(Kind::Engine(griot::model::ErrorKind::Bug), "answer", "something unforeseen happened on the server")
        .hint("report it with the request id and the server's log")
}
