//! Answers requests: finds the route, reads the request, runs its verb on the thread pool, or streams.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{RawPathParams, RawQuery, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use griot::model::ErrorKind;
use griot_wire::picture;
use griot_wire::request::{Bare, Request, typed};
use griot_wire::verbs;
use griot_wire::verbs::graph::{Asked, Graph};
use serde_json::{Map, Value};

use super::routes::{Answer, Does, Route, routes, takes_body};
use super::{App, envelope, events, guard, input, metrics, openapi, page, upload};
use crate::access::{Caller, Role};
use crate::failure::{Failure, Kind, Outcome};
use crate::limits::{Permit, Work};
use crate::service::Call;

pub fn router(app: &Arc<App>) -> Router {
    let mut router = page::routes(Router::new());
    for route in routes() {
        let Ok(method) = MethodFilter::try_from(route.method.clone()) else { continue };
        let path = route.path;
        let route = Arc::new(route);
        let handler = on(
            method,
            move |State(app): State<Arc<App>>,
                  path: RawPathParams,
                  RawQuery(query): RawQuery,
                  request: HttpRequest| {
                let route = Arc::clone(&route);
                async move {
                    let answered =
                        answer(&app, &route, &path, query.as_deref().unwrap_or_default(), request).await;
                    answered.unwrap_or_else(guard::refuse)
                }
            },
        );
        router = router.route(path, handler);
    }
    router
        .fallback(|| async {
            guard::refuse(
                Failure::new(Kind::NoRoute, "answer", "there is no such route")
                    .hint("GET /openapi.json lists them"),
            )
        })
        .method_not_allowed_fallback(|| async {
            guard::refuse(Failure::new(
                Kind::MethodNotAllowed,
                "answer",
                "the route does not know this method",
            ))
        })
        .with_state(Arc::clone(app))
}

async fn answer(
    app: &Arc<App>,
    route: &Route,
    path: &RawPathParams,
    query: &str,
    request: HttpRequest,
) -> Outcome<Response> {
    let verb = match &route.kind {
        Does::Health => return Ok("ok\n".into_response()),
        Does::Ready => {
            app.run(Work::Reads, |app| Ok(app.service.ready()?)).await?;
            return Ok("ready\n".into_response());
        }
        Does::Metrics => return Ok(typed_bytes(metrics::CONTENT_TYPE, app.metrics.text().into())),
        Does::OpenApi => return Ok(typed_bytes("application/json", openapi::text().into())),
        Does::Verb(verb) => Some(verb),
        Does::Events | Does::Export | Does::Graph | Does::Upload => None,
    };
    let caller = guard::caller(&request)?;
    let empty = match *request.method() {
        Method::DELETE => input::Empty::Refused,
        _ => input::Empty::Skipped,
    };
    let mut object = input::query(query, &route.parameters, empty)?;
    let takes_body = takes_body(request.method());
    if takes_body && !object.is_empty() {
        return Err(unreadable("parameters belong into the body".to_string()));
    }
    for (name, value) in path {
        object.insert(name.to_string(), Value::String(value.to_string()));
    }
    let Some(verb) = verb else { return other(app, route, caller, object, request).await };
    let id = guard::id(&request);
    if takes_body {
        guard::expect_json(request.headers())?;
        let bytes = guard::bytes(app, request).await?;
        for (name, value) in input::body(&bytes)? {
            if object.insert(name.clone(), value).is_some() {
                return Err(unreadable(format!("`{name}` stands in the address already")));
            }
        }
    }
    let work = Work::of(verb.role > Role::Read, verb.waits, &object);
    let _share = app.limits.waiter(work, caller.key.as_deref())?;
    let (asked, role) = (verb.read(object)?, verb.role);
    let act = move |app: &App| {
        let call = app.service.enter(&caller, &asked.place, role)?;
        Ok(asked.answer(&call)?.into_bytes())
    };
    let bytes = app.run(work, act).await?;
    Ok(match route.answer {
        Answer::Enveloped(_) => envelope::envelope(route.path, &bytes, id.as_deref()),
        _ => typed_bytes("application/json", bytes),
    })
}

/// Answers what is no JSON.
async fn other(
    app: &Arc<App>,
    route: &Route,
    caller: Caller,
    object: Map<String, Value>,
    request: HttpRequest,
) -> Outcome<Response> {
    match route.kind {
        Does::Upload => upload::upload(app, caller, request).await,
        Does::Events => {
            let last = request.headers().get("last-event-id").and_then(|id| id.to_str().ok());
            events::stream(app, caller, typed(object)?, last.map(str::to_string)).await
        }
        Does::Graph => graph(app, caller, typed(object)?, request.headers()).await,
        _ => {
            let place = typed::<Bare>(object)?.place()?;
            let key = caller.key.clone();
            let call = app
                .run(Work::Reads, move |app| {
                    let call = app.service.enter(&caller, &place, Role::Admin)?;
                    call.of_all("export the workspace")?;
                    Ok(call)
                })
                .await?;
            let share = app.limits.export(key.as_deref())?;
            export(call, share, Duration::from_millis(app.settings.request_timeout_ms))
        }
    }
}

async fn graph(app: &Arc<App>, caller: Caller, q: Graph, headers: &HeaderMap) -> Outcome<Response> {
    let place = q.place()?;
    let known = headers.clone();
    let act = move |app: &App| {
        let call = app.service.enter(&caller, &place, Role::Read)?;
        let asked = Asked::new(&call, q)?;
        let tag = HeaderValue::from_str(&asked.tag).map_err(|error| {
            griot::model::Error::new(ErrorKind::Bug, "name the answer", error.to_string())
        })?;
        let bytes = if page::has(&known, &tag) { None } else { Some(asked.answer()?) };
        Ok((tag, bytes))
    };
    let (tag, bytes) = app.run(Work::Reads, act).await?;
    let mut response = match bytes {
        Some(bytes) => typed_bytes(picture::CONTENT_TYPE, bytes),
        None => StatusCode::NOT_MODIFIED.into_response(),
    };
    response.headers_mut().insert(header::ETAG, tag);
    // The next caller may have another key.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}

fn unreadable(why: String) -> Failure {
    griot::model::Error::invalid("read the request", why).into()
}

/// Streams the export in pieces, as fast as the client takes them; gives up when it takes none for `longest`.
/// Runs on a thread of its own, not one of the pool.
fn export(call: Call, share: Permit, longest: Duration) -> Outcome<Response> {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, std::io::Error>>(8);
    let pieces = Pieces { sender: sender.clone(), runtime: tokio::runtime::Handle::current(), longest };
    let work = move || {
        let _share = share;
        let sink = std::io::BufWriter::with_capacity(1 << 16, pieces);
        if let Err(failure) = verbs::health::export(&call, sink) {
            // An import notices that the last record is missing.
            tracing::warn!(failure = failure.sentence(), "an export ended early");
            let _ = sender.try_send(Err(std::io::Error::other("the export ended early")));
        }
    };
    std::thread::Builder::new()
        .name("griot-export".into())
        .spawn(work)
        .map_err(|error| griot::model::Error::unavailable("export the workspace", error.to_string()))?;
    let stream = futures_util::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|piece| (piece, receiver))
    });
    // Compression asks once more after the end.
    let stream = futures_util::StreamExt::fuse(stream);
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(stream)).into_response())
}

struct Pieces {
    sender: tokio::sync::mpsc::Sender<Result<Bytes, std::io::Error>>,
    runtime: tokio::runtime::Handle,
    /// How long a piece may wait until it is taken.
    longest: Duration,
}

impl std::io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let piece = Ok(Bytes::copy_from_slice(bytes));
        let sent = self
            .runtime
            .block_on(async { tokio::time::timeout(self.longest, self.sender.send(piece)).await });
        match sent {
            Ok(Ok(())) => Ok(bytes.len()),
            Ok(Err(_)) => Err(std::io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(std::io::Error::new(std::io::ErrorKind::TimedOut, "the client takes nothing")),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub fn typed_bytes(kind: &'static str, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn an_export_that_is_not_taken_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("it starts");
        let (sender, _receiver) = tokio::sync::mpsc::channel(1);
        let mut pieces =
            Pieces { sender, runtime: runtime.handle().clone(), longest: Duration::from_millis(20) };
        let end = std::thread::spawn(move || {
            pieces.write_all(b"taken into the queue").expect("there is room");
            pieces.write_all(b"this is not taken").map_err(|error| error.kind())
        });
        // The clock of the runtime goes while something waits on it.
        runtime.block_on(async {
            while !end.is_finished() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        assert_eq!(end.join().expect("it ends"), Err(std::io::ErrorKind::TimedOut));
    }
}
