//! The OpenAPI 3.1 document and the reference page, both made from the table of routes and the types.
//!
//! Clients are generated from the document, so it has two extensions: `x-role` is the role that a key needs
//! (requests that need `read` change nothing and may be retried), `x-item-schema` the schema of one item of a
//! stream.
//! A request and an answer may have the same name in Rust; here the request is `NameRequest`, so that no name
//! has two schemas.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

use griot_wire::schema::{name_requests, named, request_name};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::input;
use super::routes::{Answer, Route, routes, takes_body};
use crate::failure::Kind;

static DOCUMENT: LazyLock<Value> = LazyLock::new(make);

pub fn text() -> String {
    DOCUMENT.to_string()
}

pub fn document() -> &'static Value {
    &DOCUMENT
}

const SCHEMAS: &str = "#/components/schemas/";
const ERROR: &str = "#/components/schemas/Refusal";

fn make() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut requests = settings.clone().for_deserialize().into_generator();
    let mut answers = settings.for_serialize().into_generator();
    let asked: BTreeSet<String> = routes()
        .iter()
        .filter_map(|route| named(&route.request?(&mut requests).to_value()).map(str::to_string))
        .collect();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes() {
        let request = route.request.map(|describe| describe(&mut requests).to_value());
        let answer = match route.answer {
            Answer::Json(describe) => {
                json!({"application/json": {"schema": describe(&mut answers).to_value()}})
            }
            Answer::Enveloped(describe) => {
                json!({"application/json": {"schema": envelope(describe(&mut answers).to_value())}})
            }
            Answer::Stream(kind) => json!({ kind: {} }),
            Answer::Items(kind, describe) => {
                json!({ kind: {"x-item-schema": describe(&mut answers).to_value()} })
            }
        };
        let mut operation = operation(&route, request, answer, requests.definitions());
        if let Some(body) = operation.get_mut("requestBody") {
            name_requests(body, &asked, SCHEMAS);
        }
        let path = paths.entry(route.path.to_string()).or_insert_with(|| json!({}));
        path[route.method.as_str().to_ascii_lowercase()] = operation;
    }
    let mut schemas = Map::new();
    for (name, mut schema) in requests.take_definitions(true) {
        name_requests(&mut schema, &asked, SCHEMAS);
        schemas.insert(if asked.contains(&name) { request_name(&name) } else { name }, schema);
    }
    answers.subschema_for::<griot_wire::Candidate>();
    schemas.extend(answers.take_definitions(true));
    schemas.insert("Refusal".to_string(), refusal());
    schemas.sort_keys();
    let mut document = head();
    document["paths"] = Value::Object(paths);
    document["components"]["schemas"] = Value::Object(schemas);
    griot_wire::schema::bounded(&mut document);
    document
}

/// The document without paths and schemas.
fn head() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Griot",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Graph memory for AI agents: remember, link, recall. \
                What comes back is stored text, not instructions.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"key": []}],
        "tags": [
            {"name": "griot", "description": "The verbs of Griot."},
            {"name": "knowledge", "description": "The graph under the names of older memory servers."},
            {"name": "sdk", "description": "The graph in the envelope of a memory SDK."},
            {"name": "server", "description": "The server itself."},
        ],
        "paths": {},
        "components": {
            "schemas": {},
            "securitySchemes": {"key": {
                "type": "http",
                "scheme": "bearer",
                "description": "A key of `griot key create`. \
                    Not needed on the machine itself while there is none.",
            }},
        },
    })
}

fn operation(
    route: &Route,
    request: Option<Value>,
    answer: Value,
    definitions: &Map<String, Value>,
) -> Value {
    let in_path: Vec<&str> =
        route.path.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
    let schema = request.as_ref().and_then(|request| resolved(request, definitions));
    let properties = schema.and_then(|schema| schema["properties"].as_object()).cloned().unwrap_or_default();
    let required: Vec<&str> = schema
        .and_then(|schema| schema["required"].as_array())
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut parameters: Vec<Value> = in_path
        .iter()
        .map(|name| {
            let schema = properties.get(*name).cloned().unwrap_or_else(|| json!({"type": "string"}));
            parameter(name, "path", true, schema)
        })
        .collect();
    let takes_body = takes_body(&route.method) && route.request.is_some();
    if !takes_body {
        parameters.extend(query_parameters(route, &properties, &in_path, &required));
    }
    let mut responses = json!({ "200": {"description": "The answer.", "content": answer} });
    if route.role.is_some() {
        let refusal = match route.answer {
            Answer::Enveloped(_) => envelope(json!({})),
            _ => json!({"$ref": ERROR}),
        };
        for (status, meaning) in REFUSALS {
            let content = json!({"application/json": {"schema": refusal}});
            responses[status] = json!({"description": meaning, "content": content});
        }
    }
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.tag],
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(role) = route.role {
        operation["description"] = json!(format!("Needs a key with the role `{}`.", role.name()));
        operation["x-role"] = json!(role.name());
    } else {
        operation["security"] = json!([]);
    }
    if takes_body {
        operation["requestBody"] = body(route, request.clone().unwrap_or_default(), schema, &in_path);
    }
    operation
}

const REFUSALS: [(&str, &str); 9] = [
    ("400", "The request is wrong."),
    ("401", "The key is missing, wrong or revoked."),
    ("403", "The key does not allow this."),
    ("404", "The named thing does not exist."),
    ("409", "The request conflicts with an earlier one."),
    ("413", "The body is too large."),
    ("415", "The body is not JSON."),
    ("429", "Too many requests."),
    ("503", "Wait or configure."),
];

fn query_parameters(
    route: &Route,
    properties: &Map<String, Value>,
    in_path: &[&str],
    required: &[&str],
) -> Vec<Value> {
    // In an address, each part of the scope has one name: OpenAPI cannot say that keys of an address exclude
    // each other. The server accepts both names everywhere.
    let other_names =
        if route.path.starts_with("/v1/") { ["userId", "projectId"] } else { ["user", "project"] };
    let mut parameters = Vec::new();
    for (key, schema) in properties.iter().filter(|(key, _)| !in_path.contains(&key.as_str())) {
        if key == "scope" {
            let names = super::input::SCOPE.into_iter().filter(|name| !other_names.contains(name));
            parameters.extend(names.map(|key| parameter(key, "query", false, input::scope_name())));
        } else if !other_names.contains(&key.as_str()) {
            parameters.push(parameter(key, "query", required.contains(&key.as_str()), schema.clone()));
        }
    }
    parameters
}

/// The body, without the parameters that are in the address.
fn body(route: &Route, request: Value, schema: Option<&Value>, in_path: &[&str]) -> Value {
    if route.operation == "knowledgeIngest" {
        return super::upload::upload_body(&request);
    }
    let request = match (schema, in_path) {
        (Some(schema), [_, ..]) => {
            let mut schema = schema.clone();
            if let Some(properties) = schema["properties"].as_object_mut() {
                properties.retain(|name, _| !in_path.contains(&name.as_str()));
            }
            if let Some(required) = schema["required"].as_array_mut() {
                required.retain(|name| name.as_str().is_none_or(|name| !in_path.contains(&name)));
            }
            schema
        }
        _ => request,
    };
    json!({"required": true, "content": {"application/json": {"schema": request}}})
}

fn parameter(name: &str, location: &str, required: bool, mut schema: Value) -> Value {
    let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    // An address has no `null`: what is not there is left out.
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [one] = types.as_slice() {
            schema["type"] = one.clone();
        }
    }
    if let Some(Value::Array(names)) = schema.get_mut("enum") {
        names.retain(|name| !name.is_null());
    }
    let mut parameter = json!({"name": name, "in": location, "required": required, "schema": schema});
    if let Some(description) = description {
        parameter["description"] = description;
    }
    if parameter["schema"]["type"] == "array" {
        parameter["style"] = json!("form");
        parameter["explode"] = json!(false);
    }
    parameter
}

fn resolved<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> Option<&'a Value> {
    match named(schema) {
        Some(name) => definitions.get(name),
        None => Some(schema),
    }
}

fn envelope(data: Value) -> Value {
    json!({
        "type": "object",
        "required": ["ok", "data", "error", "meta"],
        "properties": {
            "ok": {"type": "boolean"},
            "data": data,
            "error": {},
            "meta": {
                "type": "object",
                "properties": {
                    "version": {"type": "string"},
                    "endpoint": {"type": "string"},
                    "requestId": {"type": "string"},
                    "timestamp": {"type": "string"},
                },
            },
        },
    })
}

fn refusal() -> Value {
    let kinds: BTreeSet<&str> = Kind::ALL.into_iter().map(Kind::name).collect();
    json!({
        "type": "object",
        "required": ["error"],
        "description": "Why a request was not answered. \
            Routes under `/api/sdk/` tell it in their own envelope.",
        "properties": {
            "error": {
                "type": "object",
                "required": ["kind", "what", "why", "hint", "candidates", "request_id"],
                "properties": {
                    "kind": {
                        "type": "string",
                        "enum": kinds,
                        "description": "Kind of failure: what the client can do next.",
                    },
                    "what": {"type": "string", "description": "What failed."},
                    "why": {"type": "string"},
                    "hint": {"type": ["string", "null"], "description": "How to fix it, if known."},
                    "candidates": {
                        "type": "array",
                        "items": {"$ref": format!("{SCHEMAS}Candidate")},
                        "description": "The candidates for an ambiguous name; empty for every other refusal.",
                    },
                    "request_id": {"type": "string"},
                },
            },
        },
    })
}

/// `docs/reference/http.md`.
pub fn page() -> String {
    let mut page = String::from(
        "<!-- Made by `cargo xtask codegen`; changes here are lost. -->\n\n# HTTP\n\n\
         `GET /openapi.json` is this page for programs. Objects are those of [JSON](json.md). A refusal is\n\
         `{\"error\": {\"kind\", \"what\", \"why\", \"hint\", \"candidates\", \"request_id\"}}`; \
         routes under `/api/sdk/` tell it in\n\
         their own envelope. [Server](../guides/server.md) says how to start, keys and limits.\n",
    );
    for (tag, title) in [
        ("griot", "Verbs"),
        ("knowledge", "The graph under the names of older memory servers"),
        ("sdk", "The graph in the envelope of a memory SDK"),
        ("server", "The server itself"),
    ] {
        push(&mut page, format_args!("\n## {title}\n\n| route | role | what |\n|---|---|---|"));
        for route in routes().iter().filter(|route| route.tag == tag) {
            let role = route.role.map_or("-", |role| role.name());
            push(
                &mut page,
                format_args!("| `{} {}` | {role} | {} |", route.method, route.path, route.summary),
            );
        }
    }
    page.push_str("\n## Parameters\n");
    let known = document()["components"]["schemas"].as_object();
    for route in routes().iter().filter(|route| route.role.is_some()) {
        let operation = &document()["paths"][route.path][route.method.as_str().to_ascii_lowercase()];
        push(&mut page, format_args!("\n### {} {}\n", route.method, route.path));
        page.push_str("| name | in | type | meaning |\n|---|---|---|---|\n");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let location = parameter["in"].as_str().unwrap_or_default();
            row(
                &mut page,
                name,
                location,
                parameter["required"] == true,
                &parameter["schema"],
                &parameter["description"],
            );
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let body = known.and_then(|known| resolved(body, known)).unwrap_or(body);
        let required: Vec<&str> = body["required"]
            .as_array()
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        for (name, schema) in body["properties"].as_object().into_iter().flatten() {
            row(&mut page, name, "body", required.contains(&name.as_str()), schema, &schema["description"]);
        }
    }
    page
}

fn row(page: &mut String, name: &str, location: &str, required: bool, schema: &Value, description: &Value) {
    let kind = match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .filter(|kind| *kind != "null")
            .collect::<Vec<_>>()
            .join(" or "),
        _ => "object".to_string(),
    };
    let kind = if required { format!("{kind}, required") } else { kind };
    let meaning = description.as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
    push(page, format_args!("| `{name}` | {location} | {kind} | {meaning} |"));
}

fn push(page: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_to_one_schema_and_a_request_is_no_answer() {
        let document = document();
        let known = document["components"]["schemas"].as_object().expect("there are schemas");
        let mut seen = Vec::new();
        references(document, &mut seen);
        assert!(!seen.is_empty());
        for name in seen {
            assert!(known.contains_key(&name), "{name}");
        }
        let of = |path: &str| {
            let operation = &document["paths"][path]["post"];
            let schema =
                |holder: &Value| named(&holder["content"]["application/json"]["schema"]).map(str::to_string);
            (schema(&operation["requestBody"]), schema(&operation["responses"]["200"]))
        };
        assert_eq!(of("/v1/recall"), (Some("RecallRequest".into()), Some("Recall".into())));
        assert!(known["RecallRequest"]["properties"].get("query").is_some());
        assert!(known["Recall"]["properties"].get("results").is_some());
        assert_eq!(known.contains_key("GraphTraceRequest"), cfg!(feature = "compat"));
    }

    /// Types that requests and answers share have the same schema in both.
    #[test]
    fn no_name_has_two_schemas() {
        let settings = SchemaSettings::draft2020_12();
        let mut requests = settings.clone().for_deserialize().into_generator();
        let mut answers = settings.for_serialize().into_generator();
        let mut asked = BTreeSet::new();
        for route in routes() {
            if let Some(describe) = route.request {
                asked.extend(named(&describe(&mut requests).to_value()).map(str::to_string));
            }
            if let Answer::Json(describe) | Answer::Enveloped(describe) | Answer::Items(_, describe) =
                route.answer
            {
                describe(&mut answers);
            }
        }
        let answered = answers.definitions();
        assert!(asked.contains("Recall") && answered.contains_key("Recall"));
        for (name, schema) in requests.definitions() {
            if asked.contains(name) {
                assert!(!answered.contains_key(&request_name(name)), "{name}");
            } else if let Some(other) = answered.get(name) {
                assert_eq!(schema, other, "{name}");
            }
        }
    }

    fn references(value: &Value, into: &mut Vec<String>) {
        into.extend(named(value).map(str::to_string));
        match value {
            Value::Object(object) => object.values().for_each(|value| references(value, into)),
            Value::Array(array) => array.iter().for_each(|value| references(value, into)),
            _ => {}
        }
    }
}
