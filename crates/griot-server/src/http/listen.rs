//! The listening socket: binding, timeouts of clients, graceful shutdown.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
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
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::CorsLayer;

use super::{App, guard, router};

/// Pause after a failed `accept`, usually for lack of file descriptors. Other programs may hold them, so
/// there is no event to wait for.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);
/// Most bytes of the first line that [`check`] reads.
const MAX_STATUS: u64 = 256;

/// A bound server that does not answer yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
}

/// Binds the address. Addresses other than loopback require a key, so that a server is not exposed by
/// mistake.
pub async fn bind(listen: &str, make: impl FnOnce(bool) -> App) -> Result<Server> {
    let what = || format!("listen on `{listen}`");
    let address = resolved(listen)?;
    let loopback = address.ip().is_loopback();
    let app = Arc::new(make(loopback));
    if !loopback && !app.keys.any()? {
        return Err(Error::invalid(what(), "other machines could connect, and there is no key")
            .hint("griot key create --workspace NAME --role write"));
    }
    let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => Error::unavailable(what(), "the port is in use by another program")
            .hint("griot serve --listen 127.0.0.1:0 picks a free port"),
        _ => Error::unavailable(what(), error.to_string()),
    })?;
    let address = listener.local_addr().map_err(|error| Error::unavailable(what(), error.to_string()))?;
    Ok(Server { app, listener, address })
}

/// Asks the server that listens there whether it is ready; returns the address that was asked. A server on
/// all addresses of this machine is asked on the loopback one.
pub fn check(listen: &str, patience: Duration) -> Result<SocketAddr> {
    let mut address = resolved(listen)?;
    if address.ip().is_unspecified() {
        let is_v4 = address.is_ipv4();
        address.set_ip(if is_v4 { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    let ask = || {
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut status = String::new();
        // What listens there may be another program, which need not send a line.
        BufReader::new(stream).take(MAX_STATUS).read_line(&mut status)?;
        Ok(status)
    };
    let unready = |why: String| {
        Error::unavailable(format!("ask the server at {address} whether it is ready"), why)
            .hint("griot serve starts one")
    };
    let status = ask().map_err(|error: std::io::Error| unready(error.to_string()))?;
    match status.split(' ').nth(1) {
        Some("200") => Ok(address),
        Some(code) if status.starts_with("HTTP/1.") => Err(unready(format!("it answers {}", code.trim()))),
        _ => Err(unready("what listens there is no HTTP server".to_string())),
    }
}

fn resolved(listen: &str) -> Result<SocketAddr> {
    let what = || format!("listen on `{listen}`");
    listen
        .to_socket_addrs()
        .map_err(|error| Error::invalid(what(), error.to_string()).hint("write it as 127.0.0.1:4747"))?
        .next()
        .ok_or_else(|| Error::invalid(what(), "it does not resolve to an address"))
}

impl Server {
    /// The address it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether clients are answered without a key.
    pub fn keyless(&self) -> Result<bool> {
        Ok(self.app.loopback && self.app.keys.is_empty()?)
    }

    /// Serves until `end` completes, then finishes requests in progress, above all writes.
    pub async fn run(self, end: impl Future<Output = ()>) -> Result<()> {
        let Self { app, listener, .. } = self;
        let service = with_middleware(&app);
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
                        // Probably too many open files: wait until a connection closes.
                        tracing::warn!(%error, "cannot accept a connection");
                        tokio::select! {
                            () = closed.notified() => continue,
                            () = tokio::time::sleep(ACCEPT_RETRY) => continue,
                            () = &mut end => break,
                        }
                    }
                },
                () = &mut end => break,
            };
            // Send small answers immediately.
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
        let written = app.limits.close(longest).await;
        if !(ended && written) {
            tracing::warn!("the server ended before all requests were finished");
        }
        let service = Arc::clone(&app.service);
        tokio::task::spawn_blocking(move || service.close()).await.ok();
        Ok(())
    }
}

/// The routes with all middleware.
fn with_middleware(app: &Arc<App>) -> Router {
    let worth_it = SizeAbove::new(1024).and(NotForContentType::new("text/event-stream"));
    router::router(app)
        .merge(crate::mcp::http::router(app))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), guard::around))
        .layer(cors(app))
        .layer(CompressionLayer::new().gzip(true).quality(CompressionLevel::Fastest).compress_when(worth_it))
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
