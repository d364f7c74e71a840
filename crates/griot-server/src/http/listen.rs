//! The socket: who may bind where, how long a client may take, and how the server ends.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header};
use griot::model::{Error, Result};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::CorsLayer;

use super::{App, guard, routes};

/// How long a connection that could not be taken waits for another try. Other programs may hold the files
/// that are missing, and nobody is told when those are closed.
const FULL: Duration = Duration::from_millis(50);

/// A server that listens and does not answer yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
}

/// Takes the address. Beyond this machine only with a key, so that nothing is open by mistake.
pub async fn bind(listen: &str, make: impl FnOnce(bool) -> App) -> Result<Server> {
    let what = || format!("listen on `{listen}`");
    let address = listen
        .to_socket_addrs()
        .map_err(|error| Error::invalid(what(), error.to_string()).hint("write it as 127.0.0.1:4747"))?
        .next()
        .ok_or_else(|| Error::invalid(what(), "it is no address"))?;
    let loopback = address.ip().is_loopback();
    let app = Arc::new(make(loopback));
    if !loopback && !app.keys.any()? {
        return Err(Error::invalid(what(), "others could reach it, and there is no key")
            .hint("griot key create --workspace NAME --role write"));
    }
    let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => Error::unavailable(what(), "the port is in use by another program")
            .hint("griot serve --listen 127.0.0.1:0 takes a free one"),
        _ => Error::unavailable(what(), error.to_string()),
    })?;
    let address = listener.local_addr().map_err(|error| Error::unavailable(what(), error.to_string()))?;
    Ok(Server { app, listener, address })
}

impl Server {
    /// Where it listens, with the port that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whoever reaches it is answered without a key.
    pub fn keyless(&self) -> Result<bool> {
        Ok(self.app.loopback && self.app.keys.is_empty()?)
    }

    /// Answers until `end` is there, then finishes what is under way, writes above all.
    pub async fn run(self, end: impl Future<Output = ()>) -> Result<()> {
        let Self { app, listener, .. } = self;
        let service = whole(&app);
        let connections = GracefulShutdown::new();
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(Duration::from_millis(app.settings.header_timeout_ms));
        tokio::pin!(end);
        let closed = Arc::new(Notify::new());
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        // Too many open files, most likely: wait until one of ours is closed.
                        tracing::warn!(%error, "a connection could not be taken");
                        tokio::select! {
                            () = closed.notified() => continue,
                            () = tokio::time::sleep(FULL) => continue,
                            () = &mut end => break,
                        }
                    }
                },
                () = &mut end => break,
            };
            // Small answers are not held back.
            let _ = stream.set_nodelay(true);
            let connection =
                http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service.clone()));
            let connection = connections.watch(connection);
            let closed = Arc::clone(&closed);
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection ended");
                }
                closed.notify_waiters();
            });
        }
        drop(listener);
        app.ending.send_replace(true);
        app.service.end_waiting();
        let longest = Duration::from_millis(app.settings.shutdown_timeout_ms);
        let ended = tokio::time::timeout(longest, connections.shutdown()).await.is_ok();
        let written = app.gates.close(longest).await;
        if !(ended && written) {
            tracing::warn!("some requests were still under way when the server ended");
        }
        let service = Arc::clone(&app.service);
        tokio::task::spawn_blocking(move || service.close()).await.ok();
        Ok(())
    }
}

/// Routes with everything around them.
fn whole(app: &Arc<App>) -> Router {
    let worth_it = SizeAbove::new(1024).and(NotForContentType::new("text/event-stream"));
    routes::router(app)
        .merge(crate::mcp::http::router(app))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), guard::around))
        .layer(cors(app))
        .layer(CompressionLayer::new().gzip(true).compress_when(worth_it))
}

fn cors(app: &App) -> CorsLayer {
    let origins: Vec<HeaderValue> =
        app.settings.cors_origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    if origins.is_empty() {
        return CorsLayer::new();
    }
    let own = ["x-api-key", "x-request-id", "last-event-id", "mcp-session-id", "mcp-protocol-version"];
    let mut headers = vec![header::AUTHORIZATION, header::CONTENT_TYPE];
    headers.extend(own.into_iter().map(HeaderName::from_static));
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers(headers)
        .expose_headers([
            header::RETRY_AFTER,
            HeaderName::from_static("x-request-id"),
            HeaderName::from_static("mcp-session-id"),
        ])
}
