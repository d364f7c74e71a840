//! The table of routes: the verbs, and what only a server answers. The router, the OpenAPI document and the
//! reference page are made from it.

use axum::http::Method;
use griot_wire::picture;
use griot_wire::request::Bare;
use griot_wire::verbs::graph::Graph;
use griot_wire::verbs::ingest::{KnowledgeDocument, KnowledgeIngested};
use griot_wire::verbs::{self, Verb};
use schemars::{Schema, SchemaGenerator};

use super::input::{self, Parameters};
use super::metrics;
use crate::access::Role;
use crate::compat;

type Describe = fn(&mut SchemaGenerator) -> Schema;

pub struct Route {
    pub method: Method,
    pub path: &'static str,
    /// The name in the OpenAPI document and in clients.
    pub operation: &'static str,
    pub summary: &'static str,
    pub tag: &'static str,
    /// The role that a key needs; `None` for public routes.
    pub role: Option<Role>,
    pub request: Option<Describe>,
    pub parameters: Parameters,
    pub answer: Answer,
    pub(super) kind: Does,
}

#[derive(Clone, Copy)]
pub enum Answer {
    Json(Describe),
    /// The object is `data` inside the envelope of the memory SDK.
    Enveloped(Describe),
    Stream(&'static str),
    /// A stream of objects.
    Items(&'static str, Describe),
}

pub(super) enum Does {
    /// Runs the verb on the thread pool.
    Verb(Verb),
    Events,
    Export,
    Upload,
    Graph,
    Health,
    Ready,
    Metrics,
    OpenApi,
}

/// The route of a verb; `None` for what is a tool only.
fn of_verb(verb: Verb) -> Option<Route> {
    let (method, path) = verb.route?;
    let is_enveloped = path.starts_with("/api/sdk/");
    let answer = verb.answer.part;
    Some(Route {
        method: Method::from_bytes(method.as_bytes()).ok()?,
        path,
        operation: verb.name,
        summary: verb.summary,
        tag: match path {
            _ if path.starts_with("/v1/") => "griot",
            _ if is_enveloped => "sdk",
            _ => "knowledge",
        },
        role: Some(verb.role),
        request: Some(verb.request.part),
        parameters: input::parameters(verb.request),
        answer: if is_enveloped { Answer::Enveloped(answer) } else { Answer::Json(answer) },
        kind: Does::Verb(verb),
    })
}

fn other(
    path: &'static str,
    operation: &'static str,
    summary: &'static str,
    answer: Answer,
    kind: Does,
) -> Route {
    let role = match kind {
        Does::Events | Does::Graph => Some(Role::Read),
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
        request: role.is_some().then_some(|generator| generator.subschema_for::<Bare>()),
        parameters: if role.is_some() { input::parameters(verbs::form::<Bare>()) } else { Parameters::new() },
        answer,
        kind,
    }
}

pub fn routes() -> Vec<Route> {
    let mut routes: Vec<Route> = verbs::table().into_iter().filter_map(of_verb).collect();
    routes.push(other(
        "/v1/export",
        "export",
        "Export the workspace as JSON Lines",
        Answer::Stream("application/x-ndjson"),
        Does::Export,
    ));
    routes.push(other(
        "/v1/events",
        "events",
        "Stream changes as they are committed",
        Answer::Items("text/event-stream", |generator| generator.subschema_for::<griot_wire::Changed>()),
        Does::Events,
    ));
    let graph = other(
        "/v1/graph",
        "graph",
        "Draw the graph, in binary",
        Answer::Stream(picture::CONTENT_TYPE),
        Does::Graph,
    );
    let request: Describe = |generator| generator.subschema_for::<Graph>();
    let parameters = input::parameters(verbs::form::<Graph>());
    routes.push(Route { request: Some(request), parameters, ..graph });
    for verb in compat::table() {
        if verb.name == "knowledgeCrawl" {
            let upload = other(
                super::guard::UPLOADS,
                "knowledgeIngest",
                "Store text or uploaded files",
                Answer::Json(|generator| generator.subschema_for::<KnowledgeIngested>()),
                Does::Upload,
            );
            let request: Describe = |generator| generator.subschema_for::<KnowledgeDocument>();
            routes.push(Route { request: Some(request), ..upload });
        }
        routes.extend(of_verb(verb));
    }
    for (path, operation, summary, kind, does) in [
        ("/healthz", "health", "Check that the process is alive", "text/plain", Does::Health),
        ("/readyz", "ready", "Check that requests can be answered", "text/plain", Does::Ready),
        ("/metrics", "metrics", "Metrics for Prometheus", metrics::CONTENT_TYPE, Does::Metrics),
        ("/openapi.json", "openApi", "This document", "application/json", Does::OpenApi),
    ] {
        routes.push(other(path, operation, summary, Answer::Stream(kind), does));
    }
    routes
}

/// Requests that read or remove something name it by their address.
pub fn takes_body(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::DELETE)
}
