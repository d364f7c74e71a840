//! `/api/knowledge/ingest`: text as JSON, or files as a multipart form.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use griot::model::{Error, ErrorKind};
use griot_wire::request::{Bare, Request as _, typed};
use griot_wire::verbs::ingest::{self, Ingest};
use serde_json::{Map, Value, json};

use super::{App, guard, input};
use crate::access::{Caller, Role};
use crate::failure::{Failure, Kind, Outcome};
use crate::limits::Work;

pub async fn upload(app: &Arc<App>, caller: Caller, request: Request) -> Outcome<Response> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("multipart/form-data")) {
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
    let (parts, body) = request.into_parts();
    let bytes = guard::bytes(app, Request::from_parts(parts.clone(), body)).await?;
    let request = Request::from_parts(parts, axum::body::Body::from(bytes));
    let form = Multipart::from_request(request, &()).await.map_err(|error| wrong(error.body_text()))?;
    let Form { files, tags, scope } = fields(form).await?;
    if files.is_empty() {
        return Err(wrong("it has neither a file nor a `text`".to_string()));
    }
    let place = typed::<Bare>(scope)?.place()?;
    let act = move |app: &App| {
        let call = app.service.enter(&caller, &place, Role::Write)?;
        let mut all = griot_wire::Ingested::empty();
        for (name, bytes) in files {
            let before = all.clone();
            match ingest::ingest_bytes(&call, &name, &bytes, None, tags.clone(), None, all) {
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

async fn fields(mut form: Multipart) -> Outcome<Form> {
    let mut read = Form::default();
    while let Some(field) = form.next_field().await.map_err(|error| wrong(error.body_text()))? {
        let name = field.name().unwrap_or_default().to_string();
        let file = field.file_name().map(str::to_string);
        let bytes = field.bytes().await.map_err(|error| wrong(error.body_text()))?;
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
                    .hint("send files, `text`, `tags`, `user`, `project`"));
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
