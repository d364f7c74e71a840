//! `generateContent` of Google.

use griot::engine::ModelSettings;
use serde_json::{Value, json};

use super::{MAX_REPLY, Request, Texts, refused, strange, sum};
use crate::chat::connection::Connection;
use crate::chat::failure::Failure;
use crate::chat::{Content, Question, Tokens};

pub(super) fn request(connection: &Connection, settings: &ModelSettings, question: &Question<'_>) -> Request {
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": question.task}]},
        "contents": [{"role": "user", "parts": [{"text": question.content}]}],
        "generationConfig": {
            "maxOutputTokens": settings.max_output_tokens,
            "temperature": 0,
        },
    });
    if let Some(schema) = question.schema {
        body["generationConfig"]["responseMimeType"] = json!("application/json");
        body["generationConfig"]["responseSchema"] = without_closing(schema);
    }
    let (name, headers) = (name(connection), headers(connection));
    Request {
        url: connection.at(&["v1beta", "models", &format!("{name}:generateContent")]),
        headers,
        body,
        max_reply: MAX_REPLY,
    }
}

fn name(connection: &Connection) -> &str {
    connection.model.strip_prefix("models/").unwrap_or(&connection.model)
}

fn headers(connection: &Connection) -> Vec<(&'static str, String)> {
    connection.key.iter().map(|key| ("x-goog-api-key", key.reveal().to_string())).collect()
}

pub(super) fn embed(connection: &Connection, texts: &Texts<'_>) -> Request {
    let (name, headers) = (name(connection), headers(connection));
    let task = if texts.are_questions { "RETRIEVAL_QUERY" } else { "RETRIEVAL_DOCUMENT" };
    let one = |text: &String| {
        let mut one = json!({
            "model": format!("models/{name}"),
            "content": {"parts": [{"text": text}]},
            "taskType": task,
        });
        if texts.dimensions > 0 {
            one["outputDimensionality"] = json!(texts.dimensions);
        }
        one
    };
    let body = json!({"requests": texts.texts.iter().map(one).collect::<Vec<_>>()});
    let url = connection.at(&["v1beta", "models", &format!("{name}:batchEmbedContents")]);
    Request { url, headers, body, max_reply: texts.max_reply() }
}

pub(super) fn vectors(reply: &Value) -> Result<Vec<&Value>, Failure> {
    let vectors = reply.get("embeddings").and_then(Value::as_array).ok_or_else(|| strange("embeddings"))?;
    vectors.iter().map(|one| one.get("values").ok_or_else(|| strange("values"))).collect()
}

/// The schema in Google's dialect, which has no `additionalProperties` and refuses it.
fn without_closing(schema: &Value) -> Value {
    match schema {
        Value::Object(keys) => {
            let kept = keys.iter().filter(|(name, _)| *name != "additionalProperties");
            Value::Object(kept.map(|(name, value)| (name.clone(), without_closing(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(without_closing).collect()),
        other => other.clone(),
    }
}

pub(super) fn tokens(reply: &Value) -> Option<Tokens> {
    let usage = reply.get("usageMetadata")?;
    let output = sum(usage, &["candidatesTokenCount", "thoughtsTokenCount"]).unwrap_or(0);
    Some(Tokens { input: sum(usage, &["promptTokenCount"])?, output, flex: false })
}

pub(super) fn content(reply: &Value) -> Result<Content, Failure> {
    if let Some(reason) = reply.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        return Err(refused(Some(reason)));
    }
    let candidate = reply.pointer("/candidates/0").ok_or_else(|| strange("candidates"))?;
    let reason = candidate.get("finishReason").and_then(Value::as_str).unwrap_or_default();
    if matches!(reason, "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE") {
        return Err(refused(Some(reason)));
    }
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    let is_thought = |part: &&Value| part.get("thought") == Some(&Value::Bool(true));
    let texts = parts.into_iter().flatten().filter(|part| !is_thought(part));
    let text = texts.filter_map(|part| part.get("text")?.as_str()).collect::<String>();
    Ok(Content { text, truncated: reason == "MAX_TOKENS" })
}
