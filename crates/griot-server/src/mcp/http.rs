//! MCP as Streamable HTTP at `/mcp`. Keys, hosts and origins were looked at before a message arrives here,
//! and every message brings its own key. A session belongs to the key that opened it: its id is sealed with
//! that key, so that for any other it does not exist, and nothing has to be kept.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::any_service;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::Tools;
use crate::failure::{Failure, Kind};
use crate::http::{App, guard};

/// How long an answer that was made may take to reach its socket when the server ends. The library that
/// writes it tells nobody that it has.
const LAST_WORDS: Duration = Duration::from_millis(100);

pub fn router(app: &Arc<App>) -> Router {
    // The guard checks hosts and origins for all routes by one rule.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(app.settings.body_limit_bytes);
    let tools = Tools::new(Arc::clone(&app.service), Arc::clone(&app.gates), None, &app.mcp);
    // Sessions wait for messages that nobody will send: they end with the server, after what is under way.
    let (end, ending, gates) = (config.cancellation_token.clone(), app.ending(), Arc::clone(&app.gates));
    let longest = Duration::from_millis(app.settings.shutdown_timeout_ms);
    tokio::spawn(async move {
        ending.await;
        gates.rest(longest).await;
        tokio::time::sleep(LAST_WORDS).await;
        end.cancel();
    });
    let service = StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let in_time = axum::middleware::from_fn_with_state(Arc::clone(app), guard::in_time);
    let seal = Arc::new(Seal::new());
    let bound =
        axum::middleware::from_fn(move |request: Request, next: Next| Arc::clone(&seal).hold(request, next));
    Router::new().route("/mcp", any_service(service)).layer(bound).layer(in_time)
}

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// Binds sessions to keys for as long as this process lives.
struct Seal([u8; 32]);

impl Seal {
    fn new() -> Self {
        let mut secret = [0; 32];
        match getrandom::fill(&mut secret) {
            Ok(()) => Self(secret),
            // Without chance of the system, ids of sessions are as good as its clock.
            Err(_) => Self(*blake3::hash(uuid::Uuid::now_v7().as_bytes()).as_bytes()),
        }
    }

    fn of(&self, session: &str, key: Option<&str>) -> blake3::Hash {
        blake3::keyed_hash(&self.0, format!("{}\0{session}", key.unwrap_or_default()).as_bytes())
    }

    /// The session that this id stands for, if it was opened with this key.
    fn opened<'a>(&self, id: &'a str, key: Option<&str>) -> Option<&'a str> {
        let (session, seal) = id.rsplit_once('.')?;
        // Hashes compare in constant time.
        (blake3::Hash::from_hex(seal).ok()? == self.of(session, key)).then_some(session)
    }

    async fn hold(self: Arc<Self>, mut request: Request, next: Next) -> Response {
        let key = guard::caller(&request).ok().and_then(|caller| caller.key);
        if let Some(given) = request.headers().get(&SESSION) {
            let session = given.to_str().ok().and_then(|id| self.opened(id, key.as_deref()));
            let Some(session) = session.and_then(|session| HeaderValue::from_str(session).ok()) else {
                let kind = Kind::Engine(griot::model::ErrorKind::NotFound);
                return guard::refuse(Failure::new(
                    kind,
                    "go on with the session",
                    "this key opened no such session",
                ));
            };
            request.headers_mut().insert(SESSION, session);
        }
        let mut response = next.run(request).await;
        let own = response.headers().get(&SESSION).and_then(|id| id.to_str().ok());
        let own = own.map(|id| format!("{id}.{}", self.of(id, key.as_deref()).to_hex()));
        if let Some(id) = own.and_then(|id| HeaderValue::from_str(&id).ok()) {
            response.headers_mut().insert(SESSION, id);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_there_for_the_key_that_opened_it() {
        let seal = Seal::new();
        let id = format!("abc.{}", seal.of("abc", Some("k1")).to_hex());
        assert_eq!(seal.opened(&id, Some("k1")), Some("abc"));
        for key in [Some("k2"), None] {
            assert_eq!(seal.opened(&id, key), None);
        }
        assert_eq!(seal.opened("abc", Some("k1")), None);
    }
}
