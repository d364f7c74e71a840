//! `/api/knowledge/ingest`: text as JSON, or files as a multipart form.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use griot::model::{Error, ErrorKind};
use griot_wire::request::{Bare, Request as _, typed};
use griot_wire::verbs::ingest::{self, Ingest};
use serde_json::{Map, Value, json};

use super::{App, guard, input};
use crate::access::{Caller, Role};
use crate::failure::{Failure, Kind, Outcome};
use crate::limits::Work;

pub const PATH: &str = "/api/knowledge/ingest";

/// Whether the body is a form with files.
pub fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("multipart/form-data"))
}

pub async fn upload(app: &Arc<App>, caller: Caller, request: Request) -> Outcome<Response> {
    if is_form(request.headers()) {
        return upload_form(app, caller, request).await;
    }
    guard::expect_json(request.headers())?;
    let object = input::body(&guard::bytes(app, request).await?)?;
    let work = Work::of(true, &object);
    let _share = app.limits.waiter(work, caller.key.as_deref())?;
    let q: Ingest = typed(object)?;
    let act = move |app: &App| {
        let call = app.service.enter(&caller, &q.place()?, Role::Write)?;
        ingest::ingest(&call, q)
    };
    Ok(Json(app.run(work, act).await?).into_response())
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
    let Form { files, tags, scope } =
        read.map_err(|_| guard::too_slow(longest))?.map_err(|error| match error {
            Unread::TooLarge => too_large(),
            Unread::Wrong(failure) => failure,
        })?;
    if files.is_empty() {
        return Err(wrong("it has neither a file nor a `text`".to_string()));
    }
    let place = typed::<Bare>(scope)?.place()?;
    let act = move |app: &App| {
        let _share = share;
        let call = app.service.enter(&caller, &place, Role::Write)?;
        let mut all = griot_wire::Ingested::empty();
        for (name, bytes) in files {
            let before = all.clone();
            match ingest::ingest_bytes(&call, &name, bytes.into(), None, tags.clone(), None, all) {
                Ok(more) => all = more,
                // Report an unreadable file and continue with the others.
                Err(failure) if failure.kind == Kind::Engine(ErrorKind::InvalidInput) => {
                    all = before;
                    let (code, message) = (failure.kind.name().to_string(), failure.sentence());
                    all.failed.push(griot_wire::IngestFailure { path: name, code, message });
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(all)
    };
    Ok(Json(app.run(Work::Writes, act).await?).into_response())
}

#[derive(Default)]
struct Form {
    files: Vec<(String, Bytes)>,
    tags: Vec<String>,
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
            ("text", None) => read.files.push(("text".to_string(), bytes)),
            ("tags", None) => {
                let tags = text(&bytes)?;
                let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty());
                read.tags.extend(tags.map(str::to_string));
            }
            ("user" | "project", None) => {
                let value = Value::String(text(&bytes)?);
                read.scope.insert(name.clone(), value);
            }
            _ => {
                return Err(wrong(format!("unknown field `{name}`"))
                    .hint("send files, `text`, `tags`, `user`, `project`")
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
pub fn upload_body() -> Value {
    let name = input::scope_name();
    json!({
        "required": true,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Ingest"}},
            "multipart/form-data": {"schema": {
                "type": "object",
                "description": "At least a file or a `text`.",
                "properties": {
                    "file": {"type": "string", "format": "binary"},
                    "text": {"type": "string"},
                    "tags": {"type": "string", "description": "Separated by commas."},
                    "user": name,
                    "project": name,
                },
                "additionalProperties": false,
            }},
        },
    })
}
