//! MCP as Streamable HTTP at `/mcp`. Keys, hosts and origins were looked at before a message arrives here.

use std::sync::Arc;

use axum::Router;
use axum::routing::any_service;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::Tools;
use crate::http::App;

pub fn router(app: &Arc<App>) -> Router {
    // The guard checks hosts and origins for all routes by one rule.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(app.settings.body_limit_bytes);
    let tools = Tools::new(Arc::clone(&app.service), None, app.mcp.compatibility);
    let service =
        StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(LocalSessionManager::default()), config);
    Router::new().route("/mcp", any_service(service))
}
