//! Griot over HTTP.
//!
//! - `routes`: the table of routes; the router, the OpenAPI document and the reference page come from it
//! - `router`: how a request is answered
//! - `input`: path, query and body as a typed request
//! - `guard`: authentication, hosts and origins, request ids, limits, logs
//! - `envelope`: what clients of a memory SDK expect around an answer
//! - `upload`: files as a form
//! - `events`: the change log as server-sent events
//! - `page`: the built page for people
//! - `listen`: sockets, timeouts, shutdown
//! - `metrics`, `openapi`

mod envelope;
mod events;
pub(crate) mod guard;
mod input;
pub mod listen;
mod metrics;
pub mod openapi;
mod page;
mod router;
mod routes;
mod upload;

use std::sync::Arc;

use griot::engine::{McpSettings, ServerSettings};
use tokio::sync::watch;

use crate::access::Keys;
use crate::failure::Outcome;
use crate::limits::{Limits, Work};
use crate::service::Service;

pub use routes::{Route, routes};

pub struct App {
    pub service: Arc<Service>,
    pub keys: Keys,
    pub settings: ServerSettings,
    pub mcp: McpSettings,
    /// Only this machine can reach the server.
    pub loopback: bool,
    metrics: metrics::Metrics,
    pub(crate) limits: Arc<Limits>,
    watchers: events::Watchers,
    /// True once the server is to end; streams watch it.
    ending: watch::Sender<bool>,
}

impl App {
    pub fn new(
        service: Arc<Service>,
        keys: Keys,
        settings: ServerSettings,
        mcp: McpSettings,
        loopback: bool,
    ) -> Self {
        Self {
            service,
            keys,
            mcp,
            loopback,
            metrics: metrics::Metrics::new(),
            limits: Limits::new(),
            watchers: events::Watchers::default(),
            settings,
            ending: watch::Sender::new(false),
        }
    }

    /// Runs blocking work on the thread pool.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: Work,
        act: impl FnOnce(&Self) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let app = Arc::clone(self);
        self.limits.run(work, move || act(&app)).await
    }

    /// Completes when the server is to end.
    pub(crate) fn ending(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut ending = self.ending.subscribe();
        async move {
            // An error means that the server is gone already.
            let _ = ending.wait_for(|ending| *ending).await;
        }
    }
}
