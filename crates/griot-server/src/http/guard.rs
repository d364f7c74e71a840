//! Checks around every route: request id, host and origin, key, limits, logging.
//!
//! - DNS rebinding: a browser page that was redirected here by a changed DNS record sends a foreign `Host`
//!   or `Origin`.
//! - Without any key, only this machine may connect; once there was one, every request needs a key.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use uuid::Uuid;

use super::App;
use crate::access::Caller;
use crate::failure::{Failure, Kind, Outcome};
use crate::hints;

/// The route that takes forms with files.
pub const UPLOADS: &str = "/api/knowledge/ingest";

/// Whether the body is a form with files.
pub fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("multipart/form-data"))
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The failure of a response, for `around`, which renders it in the route's format.
#[derive(Clone)]
struct Reported(Failure);

/// A refusal; `around` writes its body, which contains the request id.
pub fn refuse(failure: Failure) -> Response {
    let status = StatusCode::from_u16(failure.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = status.into_response();
    response.extensions_mut().insert(Reported(failure));
    response
}

/// The caller, set by `around`.
pub fn caller(request: &Request) -> Outcome<Caller> {
    request.extensions().get::<Caller>().cloned().ok_or_else(|| {
        Failure::new(Kind::Unauthenticated, "answer", "the request has no key")
            .hint("send `Authorization: Bearer griot_…`")
    })
}

/// The request id, set by `around`.
#[derive(Clone)]
struct Id(String);

pub fn id(request: &Request) -> Option<String> {
    request.extensions().get::<Id>().map(|id| id.0.clone())
}

/// Whether a path needs no key: the files of the page ask for one themselves.
fn is_open(path: &str) -> bool {
    let is_file = matches!(path, "/" | "/knowledge") || path.starts_with("/assets/");
    is_file || matches!(path, "/healthz" | "/readyz" | "/openapi.json")
}

/// Middleware around every request.
pub async fn around(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request_id(request.headers());
    request.extensions_mut().insert(Id(id.clone()));
    let method = request.method().clone();
    let path = request.uri().path().to_string();
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_string();
    let open = is_open(&path);
    let is_preflight = method == axum::http::Method::OPTIONS;
    let named = one_host(&request);
    let entered = match (named, is_preflight) {
        (Err(failure), _) => Err(failure),
        (Ok(()), true) => Ok(None),
        (Ok(()), false) => enter(&app, request.headers(), open),
    };
    let key = entered.as_ref().ok().and_then(Option::as_ref).and_then(|caller| caller.key.clone());
    let asking = entered.as_ref().ok().cloned().flatten();
    // Large files take their time to be stored; their body has the limit.
    let is_upload = path == UPLOADS && is_form(request.headers());
    let streams = is_upload || path == "/mcp" || path == "/v1/events" || path == "/v1/export";
    let mut response = match entered {
        Err(failure) => refuse(failure),
        Ok(caller) => {
            if let Some(caller) = caller {
                request.extensions_mut().insert(caller);
            }
            let longest = Duration::from_millis(app.settings.request_timeout_ms);
            if streams {
                next.run(request).await
            } else {
                tokio::time::timeout(longest, next.run(request)).await.unwrap_or_else(|_| {
                    let why = format!("it took longer than {} ms", longest.as_millis());
                    refuse(
                        Failure::new(Kind::TimedOut, "answer in time", why)
                            .hint("the write may have succeeded; check before retrying"),
                    )
                })
            }
        }
    };
    if let Some(Reported(failure)) = response.extensions_mut().remove::<Reported>() {
        tracing::debug!(failure = failure.sentence(), "refused");
        let failure = hints::for_routes(app.service.conceal(asking.as_ref(), failure));
        response = rendered(response.status(), &failure, &path, &id);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let took = start.elapsed();
    let status = response.status().as_u16();
    app.metrics.answered(method.as_str(), &route, status, took);
    let millis = took.as_secs_f64() * 1000.0;
    tracing::info!(%method, path, status, ms = format!("{millis:.2}"), key, request_id = id, "request");
    response
}

/// A failure in the format of the route.
fn rendered(status: StatusCode, failure: &Failure, path: &str, id: &str) -> Response {
    let body = if path.starts_with("/api/sdk/") {
        super::envelope::refusal(path, failure, id)
    } else {
        serde_json::json!({ "error": failure.body(id) })
    };
    let mut response = (status, axum::Json(body)).into_response();
    if let Some(seconds) = failure.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if failure.kind == Kind::Unauthenticated {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// Refuses ambiguous hosts, because a proxy in between may have used the other one.
fn one_host(request: &Request) -> Outcome<()> {
    let wrong = |why: &str| Err(Failure::from(griot::model::Error::invalid("read the request", why)));
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (host, other) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next());
    if other.is_some() {
        return wrong("it has several `Host` headers");
    }
    match (request.uri().authority(), host) {
        (Some(named), Some(host)) if !named.as_str().eq_ignore_ascii_case(host) => {
            wrong("the URL and the `Host` header name different hosts")
        }
        _ => Ok(()),
    }
}

/// The client's request id if it is well-formed, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(&REQUEST_ID).and_then(|id| id.to_str().ok());
    let sound =
        |id: &&str| !id.is_empty() && id.len() <= 128 && id.bytes().all(|byte| byte.is_ascii_graphic());
    given.filter(sound).map_or_else(|| Uuid::now_v7().to_string(), str::to_string)
}

fn enter(app: &App, headers: &HeaderMap, open: bool) -> Outcome<Option<Caller>> {
    let keyless = app.loopback && app.keys.is_empty()?;
    check_host(app, headers, keyless)?;
    match presented(headers)? {
        Some(key) => Ok(Some(app.keys.caller(key, app.settings.rate)?)),
        None if keyless => Ok(Some(Caller::owner())),
        None if open => Ok(None),
        None => Err(Failure::new(Kind::Unauthenticated, "answer", "the request has no key")
            .hint("send `Authorization: Bearer griot_…`; create a key with `griot key create`")),
    }
}

fn presented(headers: &HeaderMap) -> Outcome<Option<&str>> {
    let unreadable = || Failure::new(Kind::Unauthenticated, "accept the key", "it is not ASCII");
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let text = value.to_str().map_err(|_| unreadable())?;
        return match text.split_once(' ') {
            Some((scheme, key)) if scheme.eq_ignore_ascii_case("bearer") => Ok(Some(key.trim())),
            _ => Err(Failure::new(Kind::Unauthenticated, "accept the key", "the scheme is not `Bearer`")
                .hint("send `Authorization: Bearer griot_…`")),
        };
    }
    headers.get(&API_KEY).map(|value| value.to_str().map_err(|_| unreadable())).transpose()
}

/// Names of this machine.
const LOCALHOST: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

fn check_host(app: &App, headers: &HeaderMap, keyless: bool) -> Outcome<()> {
    let forbidden = |what: &str, why: String| Err(Failure::new(Kind::Forbidden, what, why));
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let listed = |name: &str| app.settings.hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
    let known = |authority: &str| {
        let name = without_port(authority);
        LOCALHOST.iter().any(|own| own.eq_ignore_ascii_case(name)) || listed(name) || listed(authority)
    };
    // DNS rebinding needs a server without keys; a configured list of hosts is enforced in any case.
    if (keyless || !app.settings.hosts.is_empty()) && !known(host) {
        return forbidden("answer", format!("the host `{host}` is not one of this server's names"))
            .map_err(|failure| failure.hint("griot config set server.hosts NAME"));
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    if app.settings.cors_origins.iter().any(|known| known == origin) {
        return Ok(());
    }
    let own_page =
        origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host));
    if own_page {
        return Ok(());
    }
    forbidden("answer", format!("pages of `{origin}` may not access this server"))
        .map_err(|failure| failure.hint("griot config set server.cors_origins ORIGIN"))
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => authority,
    }
}

/// Requires JSON, so that a form on another site cannot write.
pub fn expect_json(headers: &HeaderMap) -> Outcome<()> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_json = |kind: &str| {
        let essence = kind.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("application/json") || essence.to_ascii_lowercase().ends_with("+json")
    };
    match kind {
        Some(kind) if is_json(kind) => Ok(()),
        Some(kind) => {
            Err(Failure::new(Kind::UnsupportedMediaType, "read the body", format!("`{kind}` is not JSON"))
                .hint("send `Content-Type: application/json`"))
        }
        None => Err(Failure::new(Kind::UnsupportedMediaType, "read the body", "it has no `Content-Type`")
            .hint("send `Content-Type: application/json`")),
    }
}

/// Reads the whole body within the size and time limits before the handler runs.
pub async fn in_time(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let longest = Duration::from_millis(app.settings.request_timeout_ms);
    let (parts, body) = request.into_parts();
    let whole = Request::from_parts(parts.clone(), body);
    match tokio::time::timeout(longest, bytes(&app, whole)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, axum::body::Body::from(bytes))).await,
        Ok(Err(failure)) => refuse(failure),
        Err(_) => refuse(too_slow(longest)),
    }
}

pub fn too_slow(longest: Duration) -> Failure {
    let why = format!("it took longer than {} ms", longest.as_millis());
    Failure::new(Kind::TimedOut, "read the body in time", why)
        .hint("griot config set server.request_timeout_ms NUMBER")
}

/// The length of the body, as the client says.
pub fn announced(request: &Request) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok())
}

/// `setting` is the one that sets the limit.
pub fn too_large(most: usize, setting: &str) -> Failure {
    Failure::new(Kind::TooLarge, "read the body", format!("it is larger than {most} bytes"))
        .hint(format!("griot config set {setting} NUMBER"))
}

/// The body, up to the size limit.
pub async fn bytes(app: &App, request: Request) -> Outcome<Bytes> {
    let most = app.settings.body_limit_bytes;
    let too_large = || too_large(most, "server.body_limit_bytes");
    if announced(&request).is_some_and(|length| length > most) {
        return Err(too_large());
    }
    match Limited::new(request.into_body(), most).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
        Err(error) => Err(griot::model::Error::invalid("read the body", error.to_string()).into()),
    }
}
