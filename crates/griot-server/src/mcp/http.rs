//! MCP as Streamable HTTP at `/mcp`. The guard has checked key, host and origin of every message. A session
//! belongs to the key that opened it: its id is signed with that key, so it is invalid for any other, and
//! no table of sessions is needed.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::any_service;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;

use super::Tools;
use crate::failure::{Failure, Kind};
use crate::http::{App, guard};

/// Time for the last response to reach its socket at shutdown; the library does not report when it has.
const FLUSH_TIME: Duration = Duration::from_millis(100);

pub fn router(app: &Arc<App>) -> Router {
    // The guard already checks hosts and origins for all routes.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(app.settings.body_limit_bytes);
    let tools = Tools::new(Arc::clone(&app.service), Arc::clone(&app.limits), None, &app.mcp);
    // Sessions wait for messages for ever, so cancel them at shutdown, after requests in progress.
    let (end, ending, limits) = (config.cancellation_token.clone(), app.ending(), Arc::clone(&app.limits));
    let longest = Duration::from_millis(app.settings.shutdown_timeout_ms);
    tokio::spawn(async move {
        ending.await;
        limits.drain(longest).await;
        tokio::time::sleep(FLUSH_TIME).await;
        end.cancel();
    });
    let service = StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let in_time = axum::middleware::from_fn_with_state(Arc::clone(app), guard::in_time);
    let signer = Arc::new(Signer::new());
    let bound = axum::middleware::from_fn(move |request: Request, next: Next| {
        Arc::clone(&signer).hold(request, next)
    });
    let most = app.settings.body_limit_bytes;
    let plain = axum::middleware::from_fn(move |request: Request, next: Next| plain(request, next, most));
    Router::new().route("/mcp", any_service(service)).layer(plain).layer(bound).layer(in_time)
}

/// Passes a message on with its arguments as an object.
async fn plain(request: Request, next: Next, most: usize) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let Ok(mut bytes) = axum::body::to_bytes(body, most).await else {
        return guard::refuse(guard::too_large(most, "server.body_limit_bytes"));
    };
    // Anything that is wrong with it is reported by the library.
    if let Ok(value) = serde_json::from_slice::<Value>(&bytes)
        && value.pointer("/params/arguments").is_some_and(Value::is_string)
    {
        match super::plain::message(value) {
            Ok(message) => bytes = message.to_string().into(),
            Err(why) => {
                let kind = Kind::Engine(griot::model::ErrorKind::InvalidInput);
                return guard::refuse(Failure::new(kind, "read the message", why));
            }
        }
        parts.headers.insert(CONTENT_LENGTH, bytes.len().into());
    }
    next.run(Request::from_parts(parts, bytes.into())).await
}

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// Signs session ids with keys; valid while this process lives.
struct Signer([u8; 32]);

impl Signer {
    fn new() -> Self {
        let mut secret = [0; 32];
        match getrandom::fill(&mut secret) {
            Ok(()) => Self(secret),
            // Without randomness from the system, session ids are only as unpredictable as its clock.
            Err(_) => Self(*blake3::hash(uuid::Uuid::now_v7().as_bytes()).as_bytes()),
        }
    }

    fn sign(&self, session: &str, key: Option<&str>) -> blake3::Hash {
        blake3::keyed_hash(&self.0, format!("{}\0{session}", key.unwrap_or_default()).as_bytes())
    }

    /// The session id, if its signature is valid for this key.
    fn verified<'a>(&self, id: &'a str, key: Option<&str>) -> Option<&'a str> {
        let (session, signature) = id.rsplit_once('.')?;
        // Hashes compare in constant time.
        (blake3::Hash::from_hex(signature).ok()? == self.sign(session, key)).then_some(session)
    }

    async fn hold(self: Arc<Self>, mut request: Request, next: Next) -> Response {
        let key = guard::caller(&request).ok().and_then(|caller| caller.key);
        if let Some(given) = request.headers().get(&SESSION) {
            let session = given.to_str().ok().and_then(|id| self.verified(id, key.as_deref()));
            let Some(session) = session.and_then(|session| HeaderValue::from_str(session).ok()) else {
                let kind = Kind::Engine(griot::model::ErrorKind::NotFound);
                return guard::refuse(Failure::new(
                    kind,
                    "resume the session",
                    "this key has no such session",
                ));
            };
            request.headers_mut().insert(SESSION, session);
        }
        let ends = request.method() == Method::DELETE;
        let mut response = next.run(request).await;
        // The session is over; clients take "accepted" for a failure.
        if ends && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        let own = response.headers().get(&SESSION).and_then(|id| id.to_str().ok());
        let own = own.map(|id| format!("{id}.{}", self.sign(id, key.as_deref()).to_hex()));
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
    fn a_session_is_valid_for_its_key_only() {
        let signer = Signer::new();
        let id = format!("abc.{}", signer.sign("abc", Some("k1")).to_hex());
        assert_eq!(signer.verified(&id, Some("k1")), Some("abc"));
        for key in [Some("k2"), None] {
            assert_eq!(signer.verified(&id, key), None);
        }
        assert_eq!(signer.verified("abc", Some("k1")), None);
    }
}
