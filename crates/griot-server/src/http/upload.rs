//! `/api/knowledge/ingest`: text as JSON, or files as a multipart form.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use griot::model::{Error, ErrorKind};
use griot_wire::request::{Bare, Place, Request as _, typed};
use griot_wire::verbs::ingest::{self, Document, KnowledgeDocument, KnowledgeIngested};
use griot_wire::{IngestFailure, Ingested};
use serde_json::{Map, Value, json};

use super::{App, guard, input};
use crate::access::{Caller, Role};
use crate::failure::{Failure, Kind, Outcome};
use crate::limits::Work;

/// An object with one name. The server takes others, too.
const METADATA: &str = r#"^\{"[a-z]{1,20}": ?"[A-Za-z0-9 .,-]{0,100}"\}$"#;

pub async fn upload(app: &Arc<App>, caller: Caller, request: Request) -> Outcome<Response> {
    if guard::is_form(request.headers()) {
        return upload_form(app, caller, request).await;
    }
    guard::expect_json(request.headers())?;
    let object = input::body(&guard::bytes(app, request).await?)?;
    let work = Work::of(true, false, &object);
    let _share = app.limits.waiter(work, caller.key.as_deref())?;
    let q: KnowledgeDocument = typed(object)?;
    let act = move |app: &App| {
        let call = app.service.enter(&caller, &q.place()?, Role::Write)?;
        ingest::knowledge_ingest(&call, q)
    };
    answered(app.run(work, act).await?)
}

/// What was stored. If nothing could be read, with the failure and its status.
fn answered(done: KnowledgeIngested) -> Outcome<Response> {
    let Err(failure) = ingest::read_something(&done.tally) else { return Ok(Json(done).into_response()) };
    let mut body = json!(done);
    body["error"] = failure.body("");
    let status = StatusCode::from_u16(failure.kind.status()).unwrap_or(StatusCode::BAD_REQUEST);
    Ok((status, Json(body)).into_response())
}

async fn upload_form(app: &Arc<App>, caller: Caller, request: Request) -> Outcome<Response> {
    let most = app.settings.upload_limit_bytes;
    let too_large = || guard::too_large(most, "server.upload_limit_bytes");
    let announced = guard::announced(&request);
    if announced.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    // Held until the files are stored.
    let is_large = announced.is_none_or(|length| length > app.settings.body_limit_bytes);
    let share = if is_large { Some(app.limits.upload().await?) } else { None };
    let mut request = request;
    DefaultBodyLimit::max(most).apply(&mut request);
    let form = Multipart::from_request(request, &()).await.map_err(|error| wrong(error.body_text()))?;
    let longest = Duration::from_millis(app.settings.request_timeout_ms);
    let read = tokio::time::timeout(longest, fields(form)).await;
    let Form { files, tags, metadata, agent, scope } =
        read.map_err(|_| guard::too_slow(longest))?.map_err(|error| match error {
            Unread::TooLarge => too_large(),
            Unread::Wrong(failure) => failure,
        })?;
    if files.is_empty() {
        return Err(wrong("it has neither a file nor a `text`".to_string()));
    }
    // The settings of the agent count.
    let place = Place { agent: agent.clone(), ..typed::<Bare>(scope)?.place()? };
    let act = move |app: &App| {
        let (_share, since) = (share, Instant::now());
        let call = app.service.enter(&caller, &place, Role::Write)?;
        let mut all = Ingested::empty();
        for (name, bytes) in files {
            let before = all.clone();
            let document = Document {
                name: name.clone(),
                bytes: bytes.into(),
                tags: tags.clone(),
                metadata: metadata.clone(),
                agent: agent.clone(),
                ..Document::default()
            };
            match ingest::ingest_bytes(&call, document, all) {
                Ok(more) => all = more,
                // Report an unreadable file and continue with the others.
                Err(failure) if failure.kind == Kind::Engine(ErrorKind::InvalidInput) => {
                    all = before;
                    let (code, message) = (failure.kind.name().to_string(), failure.sentence());
                    all.failed.push(IngestFailure { path: name, code, message, partly: false });
                }
                Err(failure) => return Err(failure),
            }
        }
        KnowledgeIngested::new(&call, all, since)
    };
    answered(app.run(Work::Writes, act).await?)
}

#[derive(Default)]
struct Form {
    files: Vec<(String, Bytes)>,
    tags: Vec<String>,
    metadata: BTreeMap<String, String>,
    agent: Option<String>,
    scope: Map<String, Value>,
}

/// Why a form was not read.
enum Unread {
    TooLarge,
    Wrong(Failure),
}

impl From<MultipartError> for Unread {
    fn from(error: MultipartError) -> Self {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge,
            _ => Self::Wrong(wrong(error.body_text())),
        }
    }
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Self {
        Self::Wrong(failure)
    }
}

async fn fields(mut form: Multipart) -> Result<Form, Unread> {
    let mut read = Form::default();
    while let Some(field) = form.next_field().await? {
        let name = field.name().unwrap_or_default().to_string();
        let file = field.file_name().map(str::to_string);
        let bytes = field.bytes().await?;
        let text = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec()).map_err(|_| wrong(format!("the field `{name}` is not UTF-8")))
        };
        match (name.as_str(), file) {
            (_, Some(file)) => read.files.push((file, bytes)),
            ("text" | "content", None) => read.files.push(("text".to_string(), bytes)),
            ("tags", None) => {
                let tags = text(&bytes)?;
                let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty());
                read.tags.extend(tags.map(str::to_string));
            }
            ("metadata", None) => {
                let object = serde_json::from_slice(&bytes).map_err(|error| {
                    wrong(format!("the field `metadata` is no object of strings: {error}"))
                        .hint(r#"{"author": "Ada"}"#)
                })?;
                if !read.metadata.is_empty() {
                    return Err(wrong("the field `metadata` is given twice".to_string()).into());
                }
                read.metadata = object;
            }
            ("agent", None) => {
                let agent = text(&bytes)?.trim().to_string();
                if agent.is_empty() || agent.chars().count() > 240 {
                    let why = "the field `agent` is empty or longer than 240 characters";
                    return Err(wrong(why.to_string()).into());
                }
                read.agent = Some(agent);
            }
            ("user" | "project", None) => {
                let value = Value::String(text(&bytes)?);
                read.scope.insert(name.clone(), value);
            }
            (part, None) if input::SCOPE.contains(&part) => {
                let value = Value::String(text(&bytes)?);
                let scope = read.scope.entry("scope").or_insert_with(|| json!({}));
                scope[part] = value;
            }
            _ => {
                return Err(wrong(format!("unknown field `{name}`"))
                    .hint("send files, `text`, `tags`, `metadata`, `agent`, `user`, `project`, `tenantId`")
                    .into());
            }
        }
    }
    Ok(read)
}

fn wrong(why: String) -> Failure {
    Error::invalid("read the upload", why).into()
}

/// The request body of `upload`, for the OpenAPI document.
pub fn upload_body(document: &Value) -> Value {
    let name = input::scope_name();
    json!({
        "required": true,
        "content": {
            "application/json": {"schema": document},
            "multipart/form-data": {"schema": {
                "type": "object",
                "description": "At least a file or a `text`.",
                "properties": {
                    "file": {"type": "string", "format": "binary"},
                    "text": {"type": "string"},
                    "content": {"type": "string", "description": "The same as `text`."},
                    "tags": {"type": "string", "description": "Separated by commas."},
                    "metadata": {
                        "type": "string",
                        "description": "What to note of each source: an object of strings as JSON.",
                        "pattern": METADATA,
                    },
                    "agent": name,
                    "user": name,
                    "project": name,
                    "tenantId": {
                        "type": "string",
                        "description": "The workspace.",
                        "pattern": name["pattern"],
                    },
                },
                "additionalProperties": false,
            }},
        },
    })
}
