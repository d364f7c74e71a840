//! MCP as Streamable HTTP at `/mcp`. Keys, hosts and origins were looked at before a message arrives here, and every message
//! brings its own key: a session is worth nothing to somebody else.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::any_service;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::Tools;
use crate::http::{App, guard};

/// How long an answer that was made may take to reach its socket when the server ends. The library that writes it tells
/// nobody that it has.
const LAST_WORDS: Duration = Duration::from_millis(100);

pub fn router(app: &Arc<App>) -> Router {
    // The guard checks hosts and origins for all routes by one rule.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(app.settings.body_limit_bytes);
    let tools = Tools::new(Arc::clone(&app.service), Arc::clone(&app.gates), None, app.mcp.compatibility);
    // Sessions wait for messages that nobody will send: they end with the server, after what is under way.
    let (end, ending, gates) = (config.cancellation_token.clone(), app.ending(), Arc::clone(&app.gates));
    let longest = Duration::from_millis(app.settings.shutdown_timeout_ms);
    tokio::spawn(async move {
        ending.await;
        gates.rest(longest).await;
        tokio::time::sleep(LAST_WORDS).await;
        end.cancel();
    });
    let service =
        StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(LocalSessionManager::default()), config);
    let in_time = axum::middleware::from_fn_with_state(Arc::clone(app), guard::in_time);
    Router::new().route("/mcp", any_service(service)).layer(in_time)
}
