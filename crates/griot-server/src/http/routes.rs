//! Everything that is answered: one table. The router, the OpenAPI document and the reference page are made
//! from it, so that none can know a route that another does not.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{RawPathParams, RawQuery, Request as HttpRequest, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use griot_wire::request::{self as ask, Request};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::input::{self, Parameters};
use super::{App, envelope, events, guard, metrics, sdk, seeds, upload};
use crate::access::{Caller, Role};
use crate::failure::{Failure, Kind, Outcome};
use crate::limits::{Permit, Work};
use crate::service::{Call, Service};
use crate::{jobs, verbs};

type Describe = fn(&mut SchemaGenerator) -> Schema;
type Run = Arc<dyn Fn(&Service, &Caller, Map<String, Value>) -> Outcome<Vec<u8>> + Send + Sync>;

/// One route.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    /// The name in the OpenAPI document and in clients.
    pub operation: &'static str,
    pub summary: &'static str,
    pub tag: &'static str,
    /// What a key needs; `None` for what everybody may ask.
    pub role: Option<Role>,
    pub request: Option<Describe>,
    pub parameters: Parameters,
    pub answer: Answer,
    kind: Does,
}

/// What comes back.
#[derive(Clone, Copy)]
pub enum Answer {
    Json(Describe),
    /// The object is `data` inside the envelope of the memory SDK.
    Enveloped(Describe),
    Stream(&'static str),
    /// A stream of objects.
    Items(&'static str, Describe),
}

enum Does {
    /// Asks the service on a thread of its own.
    Verb {
        run: Run,
        writes: bool,
    },
    Events,
    Export,
    Upload,
    Health,
    Ready,
    Metrics,
    OpenApi,
}

/// A verb: its request and its answer are described by their types.
fn verb<Q, A>(
    (method, path, operation): (Method, &'static str, &'static str),
    summary: &'static str,
    role: Role,
    act: fn(&Call, Q) -> Outcome<A>,
) -> Route
where
    Q: Request + JsonSchema + 'static,
    A: Serialize + JsonSchema + 'static,
{
    let run: Run = Arc::new(move |service, caller, object| {
        let request: Q = input::typed(object)?;
        let call = service.enter(caller, &verbs::place(&request)?, role)?;
        json(&act(&call, request)?)
    });
    Route {
        method,
        path,
        operation,
        summary,
        tag: if path.starts_with("/v1/") { "griot" } else { "knowledge" },
        role: Some(role),
        request: Some(|generator| generator.subschema_for::<Q>()),
        parameters: input::parameters::<Q>(),
        answer: Answer::Json(|generator| generator.subschema_for::<A>()),
        kind: Does::Verb { run, writes: role > Role::Read },
    }
}

/// A route of the memory SDK: its answer stands in that envelope.
fn enveloped<Q, A>(
    place: (Method, &'static str, &'static str),
    summary: &'static str,
    role: Role,
    act: fn(&Call, Q) -> Outcome<A>,
) -> Route
where
    Q: Request + JsonSchema + 'static,
    A: Serialize + JsonSchema + 'static,
{
    let answer = Answer::Enveloped(|generator| generator.subschema_for::<A>());
    Route { answer, tag: "sdk", ..verb(place, summary, role, act) }
}

fn other(
    path: &'static str,
    operation: &'static str,
    summary: &'static str,
    answer: Answer,
    kind: Does,
) -> Route {
    let role = match kind {
        Does::Events => Some(Role::Read),
        Does::Export => Some(Role::Admin),
        Does::Upload => Some(Role::Write),
        _ => None,
    };
    Route {
        method: if matches!(kind, Does::Upload) { Method::POST } else { Method::GET },
        path,
        operation,
        summary,
        tag: if role.is_some() { "griot" } else { "server" },
        role,
        request: role.is_some().then_some(|generator| generator.subschema_for::<ask::Bare>()),
        parameters: if role.is_some() { input::parameters::<ask::Bare>() } else { Parameters::new() },
        answer,
        kind,
    }
}

fn json(answer: &impl Serialize) -> Outcome<Vec<u8>> {
    serde_json::to_vec(answer).map_err(|error| {
        Failure::new(Kind::Engine(griot::model::ErrorKind::Bug), "write the answer", error.to_string())
    })
}

/// The table.
pub fn routes() -> Vec<Route> {
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const PATCH: Method = Method::PATCH;
    const DELETE: Method = Method::DELETE;
    use Role::{Admin, Read, Write};
    vec![
        verb((POST, "/v1/remember", "remember"), "Store a text", Write, verbs::remember),
        verb((POST, "/v1/remember/batch", "rememberMany"), "Store many texts", Write, verbs::remember_batch),
        verb((POST, "/v1/recall", "recall"), "Ask a question", Read, verbs::recall),
        verb((POST, "/v1/context", "context"), "Ask a question, answered as Markdown", Read, verbs::context),
        verb((POST, "/v1/traverse", "traverse"), "Walk the graph from a question", Read, verbs::traverse),
        verb((POST, "/v1/link", "link"), "Connect two memories or entities", Write, verbs::link),
        verb((POST, "/v1/unlink", "unlink"), "Remove connections", Write, verbs::unlink),
        verb((POST, "/v1/forget", "forget"), "Hide a memory, an entity or a source", Write, verbs::forget),
        verb((POST, "/v1/restore", "restore"), "Bring back what was forgotten", Write, verbs::restore),
        verb(
            (DELETE, "/v1/memories/{name}", "eraseMemory"),
            "Remove a memory for good",
            Admin,
            verbs::erase_memory,
        ),
        verb(
            (DELETE, "/v1/sources/{name}", "eraseSource"),
            "Remove a source for good",
            Admin,
            verbs::erase_source,
        ),
        verb(
            (DELETE, "/v1/entities/{name}", "eraseEntity"),
            "Remove an entity for good",
            Admin,
            verbs::erase_entity,
        ),
        verb(
            (DELETE, "/v1/users/{name}", "eraseUser"),
            "Remove all that is a user's for good",
            Admin,
            verbs::erase_user,
        ),
        verb((GET, "/v1/erasures", "erasures"), "Receipts of what was erased", Admin, verbs::erasures),
        verb((POST, "/v1/why", "why"), "What led to a memory, and what followed from it", Read, verbs::why),
        verb(
            (POST, "/v1/related", "related"),
            "What is connected with a memory or an entity",
            Read,
            verbs::related,
        ),
        verb((POST, "/v1/similar", "similar"), "Memories that say something alike", Read, verbs::similar),
        verb((POST, "/v1/path", "path"), "The shortest path between two nodes", Read, verbs::path),
        verb((POST, "/v1/timeline", "timeline"), "Memories in order of time", Read, verbs::timeline),
        verb((GET, "/v1/memories/{name}", "show"), "One memory in full", Read, verbs::show),
        verb((GET, "/v1/edges/{name}", "edge"), "One edge with its evidence", Read, verbs::edge),
        verb(
            (GET, "/v1/entities", "entities"),
            "Entities by name, or the best connected",
            Read,
            verbs::entities,
        ),
        verb(
            (GET, "/v1/entities/{name}", "entity"),
            "All that is known about an entity",
            Read,
            verbs::entity,
        ),
        verb((GET, "/v1/facts", "facts"), "What is held to be true, and when", Read, verbs::facts),
        verb((POST, "/v1/facts", "addFact"), "Add a fact", Write, verbs::add_fact),
        verb((POST, "/v1/ingest", "ingest"), "Store a document", Write, verbs::ingest),
        verb((GET, "/v1/sources", "sources"), "Where memories came from", Read, verbs::sources),
        verb(
            (GET, "/v1/sources/{name}", "source"),
            "One source with its memories",
            Read,
            verbs::source_content,
        ),
        verb((PATCH, "/v1/sources/{name}", "tagSource"), "Give a source other tags", Write, jobs::tag_source),
        verb(
            (POST, "/v1/sources/{name}/refresh", "refreshSource"),
            "Read a source again",
            Write,
            jobs::refresh,
        ),
        verb((POST, "/v1/crawl", "crawl"), "Crawl a page or a site, as a job", Write, jobs::crawl),
        verb((GET, "/v1/jobs", "jobs"), "Jobs, the latest first", Read, jobs::jobs),
        verb((GET, "/v1/jobs/{name}", "job"), "How far a job is", Read, jobs::job),
        verb(
            (POST, "/v1/jobs/{name}/pause", "pauseJob"),
            "Stop a job; it can go on later",
            Write,
            jobs::pause,
        ),
        verb((POST, "/v1/jobs/{name}/resume", "resumeJob"), "Go on with a job", Write, jobs::resume),
        verb((POST, "/v1/jobs/{name}/cancel", "cancelJob"), "Stop a job for good", Write, jobs::cancel),
        verb(
            (POST, "/v1/jobs/{name}/retry", "retryJob"),
            "Go on, and try again what failed",
            Write,
            jobs::retry,
        ),
        verb((GET, "/v1/status", "status"), "What is in the workspace", Read, verbs::status),
        verb((POST, "/v1/feedback", "feedback"), "Say what an answer was worth", Write, verbs::feedback),
        verb((GET, "/v1/rollout", "rollout"), "How far the graph is switched on", Read, verbs::rollout),
        verb((PATCH, "/v1/rollout", "setRollout"), "Switch the graph on or off", Admin, verbs::set_rollout),
        verb((GET, "/v1/verify", "verify"), "Contradictions among causes", Read, verbs::verify),
        verb(
            (POST, "/v1/build-graphs", "buildGraphs"),
            "Join what is alike or consecutive",
            Write,
            verbs::build_graphs,
        ),
        verb(
            (GET, "/v1/warnings", "warnings"),
            "What the verifier noticed and is still so",
            Read,
            verbs::warnings,
        ),
        verb(
            (POST, "/v1/warnings/{name}/acknowledge", "acknowledgeWarning"),
            "Leave a warning as it is",
            Write,
            verbs::acknowledge,
        ),
        verb((GET, "/v1/doctor", "doctor"), "Check that the workspace is sound", Admin, verbs::doctor),
        verb((GET, "/v1/merges", "merges"), "Merges, and entities that may be one", Read, verbs::merges),
        verb((POST, "/v1/merges", "merge"), "Make one entity of two", Admin, verbs::merge),
        verb(
            (POST, "/v1/merges/suggest", "suggestMerges"),
            "Compare all names",
            Admin,
            verbs::suggest_merges,
        ),
        verb((POST, "/v1/merges/{name}/undo", "unmerge"), "Part what was merged", Admin, verbs::unmerge),
        verb(
            (POST, "/v1/merges/{name}/apply", "applyMerge"),
            "Follow a suggestion",
            Admin,
            verbs::apply_merge,
        ),
        verb(
            (POST, "/v1/merges/{name}/dismiss", "dismissMerge"),
            "Turn a suggestion down",
            Admin,
            verbs::dismiss_merge,
        ),
        other(
            "/v1/export",
            "export",
            "The workspace as JSON Lines",
            Answer::Stream("application/x-ndjson"),
            Does::Export,
        ),
        other(
            "/v1/events",
            "events",
            "Changes as they are committed",
            Answer::Items("text/event-stream", |generator| generator.subschema_for::<griot_wire::Changed>()),
            Does::Events,
        ),
        verb((GET, "/api/knowledge/graph/stats", "graphStats"), "Counts of the graph", Read, seeds::stats),
        verb((GET, "/api/knowledge/graph/entities", "graphEntities"), "Entities", Read, seeds::entities),
        verb(
            (GET, "/api/knowledge/graph/entity/{entityId}", "graphEntity"),
            "An entity",
            Read,
            seeds::entity,
        ),
        verb(
            (GET, "/api/knowledge/graph/entity/{entityId}/neighborhood", "graphNeighborhood"),
            "What is around an entity",
            Read,
            seeds::neighborhood,
        ),
        verb(
            (GET, "/api/knowledge/graph/relationships", "graphRelationships"),
            "Relationships between entities",
            Read,
            seeds::relationships,
        ),
        verb(
            (GET, "/api/knowledge/graph/subgraph", "graphSubgraph"),
            "Some entities and what joins them",
            Read,
            seeds::subgraph,
        ),
        verb((GET, "/api/knowledge/graph/sources", "graphSources"), "Sources", Read, seeds::sources),
        other(
            "/api/knowledge/ingest",
            "knowledgeIngest",
            "Store text or uploaded files",
            Answer::Json(|generator| generator.subschema_for::<griot_wire::Ingested>()),
            Does::Upload,
        ),
        verb(
            (POST, "/api/knowledge/crawl", "knowledgeCrawl"),
            "Crawl an address or a site",
            Write,
            jobs::knowledge_crawl,
        ),
        verb(
            (GET, "/api/knowledge/crawl/{crawlId}", "knowledgeCrawlStatus"),
            "How far a crawl is",
            Read,
            jobs::knowledge_crawl_status,
        ),
        verb(
            (GET, "/api/graph/explore", "graphExplore"),
            "A node with its edges and memories",
            Read,
            seeds::explore,
        ),
        enveloped(
            (GET, "/api/sdk/v1/graph/status", "sdkGraphStatus"),
            "State of the graph",
            Read,
            sdk::status,
        ),
        enveloped(
            (POST, "/api/sdk/v1/graph/status", "sdkGraphStatusPost"),
            "State of the graph",
            Read,
            sdk::status,
        ),
        enveloped(
            (GET, "/api/sdk/v1/graph/rollout", "sdkGraphRollout"),
            "State of the rollout",
            Read,
            sdk::rollout,
        ),
        enveloped(
            (POST, "/api/sdk/v1/graph/rollout", "sdkGraphRolloutPost"),
            "Set the mode",
            Admin,
            sdk::set_rollout,
        ),
        enveloped(
            (PATCH, "/api/sdk/v1/graph/rollout", "sdkGraphRolloutSet"),
            "Set the mode",
            Admin,
            sdk::set_rollout,
        ),
        enveloped(
            (POST, "/api/sdk/v1/graph/trace", "sdkGraphTrace"),
            "How an answer came about",
            Read,
            sdk::trace,
        ),
        other("/healthz", "health", "The process lives", Answer::Stream("text/plain"), Does::Health),
        other("/readyz", "ready", "Requests can be answered", Answer::Stream("text/plain"), Does::Ready),
        other(
            "/metrics",
            "metrics",
            "Measures for Prometheus",
            Answer::Stream(metrics::CONTENT_TYPE),
            Does::Metrics,
        ),
        other("/openapi.json", "openApi", "This document", Answer::Stream("application/json"), Does::OpenApi),
    ]
}

pub fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
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
                async move { answer(&app, &route, &path, query.as_deref().unwrap_or_default(), request).await }
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

/// What is read and what is removed is named by its address.
pub fn takes_body(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::DELETE)
}

async fn answer(
    app: &Arc<App>,
    route: &Route,
    path: &RawPathParams,
    query: &str,
    request: HttpRequest,
) -> Response {
    match try_answer(app, route, path, query, request).await {
        Ok(response) => response,
        Err(failure) => guard::refuse(failure),
    }
}

async fn try_answer(
    app: &Arc<App>,
    route: &Route,
    path: &RawPathParams,
    query: &str,
    request: HttpRequest,
) -> Outcome<Response> {
    match &route.kind {
        Does::Health => return Ok("ok\n".into_response()),
        Does::Ready => {
            app.run(Work::Reads, |app| Ok(app.service.ready()?)).await?;
            return Ok("ready\n".into_response());
        }
        Does::Metrics => {
            return Ok(([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], app.metrics.text()).into_response());
        }
        Does::OpenApi => return Ok(typed_bytes("application/json", app.openapi().into_bytes())),
        _ => {}
    }
    let caller = guard::caller(&request)?;
    let id = guard::id(&request);
    let mut object = match request.method() {
        &Method::GET | &Method::DELETE => input::query(query, &route.parameters)?,
        _ => input::query(query, &route.parameters).and_then(|query| {
            if query.is_empty() {
                Ok(query)
            } else {
                let error =
                    griot::model::Error::invalid("read the request", "parameters belong into the body");
                Err(Failure::from(error))
            }
        })?,
    };
    for (name, value) in path {
        object.insert(name.to_string(), Value::String(value.to_string()));
    }
    match &route.kind {
        Does::Verb { run, writes } => {
            if takes_body(request.method()) {
                guard::expect_json(request.headers())?;
                let bytes = guard::bytes(app, request).await?;
                for (name, value) in input::body(&bytes)? {
                    if object.insert(name.clone(), value).is_some() {
                        let why = format!("`{name}` stands in the address already");
                        return Err(griot::model::Error::invalid("read the request", why).into());
                    }
                }
            }
            let run = Arc::clone(run);
            let work = Work::of(*writes, &object);
            let _place = app.limits.waiter(work, caller.key.as_deref())?;
            let bytes = app.run(work, move |app| run(&app.service, &caller, object)).await?;
            Ok(match route.answer {
                Answer::Enveloped(_) => envelope::envelope(route.path, &bytes, id.as_deref()),
                _ => typed_bytes("application/json", bytes),
            })
        }
        Does::Upload => upload::upload(app, caller, request).await,
        Does::Events => {
            let last =
                request.headers().get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_string);
            events::stream(app, caller, input::typed(object)?, last).await
        }
        Does::Export => {
            let place = verbs::place(&input::typed::<ask::Bare>(object)?)?;
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
        Does::Health | Does::Ready | Does::Metrics | Does::OpenApi => {
            Ok(StatusCode::NOT_FOUND.into_response())
        }
    }
}

/// Streams the export in pieces: no more of it is in memory than the client has taken. A client that takes
/// none for `longest` is given up. Its thread is no one of those that requests share.
fn export(call: Call, share: Permit, longest: Duration) -> Outcome<Response> {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, std::io::Error>>(8);
    let pieces = Pieces { sender: sender.clone(), runtime: tokio::runtime::Handle::current(), longest };
    let work = move || {
        let _share = share;
        let sink = std::io::BufWriter::with_capacity(1 << 16, pieces);
        if let Err(failure) = verbs::export(&call, sink) {
            // The last record is missing, by which an import tells that it is incomplete.
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
            Err(_) => Err(std::io::Error::new(std::io::ErrorKind::TimedOut, "nobody takes it")),
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
    fn an_export_that_nobody_takes_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("it starts");
        let (sender, _receiver) = tokio::sync::mpsc::channel(1);
        let mut pieces =
            Pieces { sender, runtime: runtime.handle().clone(), longest: Duration::from_millis(20) };
        let end = std::thread::spawn(move || {
            pieces.write_all(b"taken into the queue").expect("there is room");
            pieces.write_all(b"nobody takes this").map_err(|error| error.kind())
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
