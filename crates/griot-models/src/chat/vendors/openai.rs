//! Chat completions, as OpenAI, Azure and many servers offer them.

use griot::engine::{ModelProvider, ModelSettings};
use serde_json::{Value, json};

use super::{MAX_REPLY, Request, Texts, bearer, refused, strange, sum};
use crate::chat::connection::Connection;
use crate::chat::failure::{FITTING, Failure, FailureKind};
use crate::chat::{Content, Question, Tokens};

pub(super) fn request(connection: &Connection, settings: &ModelSettings, question: &Question<'_>) -> Request {
    let mut body = json!({
        "model": connection.model,
        "messages": [
            {"role": "system", "content": question.task},
            {"role": "user", "content": question.content},
        ],
    });
    if let Some(schema) = question.schema {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {"name": question.form, "strict": true, "schema": schema},
        });
    }
    let is_azure = connection.service.model() == Some(ModelProvider::Azure);
    if is_azure || connection.is_at("api.openai.com") {
        // Their newer models know neither `max_tokens` nor a temperature.
        body["max_completion_tokens"] = json!(settings.max_output_tokens);
    } else {
        body["max_tokens"] = json!(settings.max_output_tokens);
        body["temperature"] = json!(0);
    }
    if settings.flex && question.can_wait {
        body["service_tier"] = json!("flex");
    }
    if connection.is_at("openrouter.ai") {
        // Otherwise it may choose a server that ignores the schema.
        body["provider"] = json!({"require_parameters": true});
    }
    let headers = headers(connection);
    Request { url: connection.at(&["chat", "completions"]), headers, body, max_reply: MAX_REPLY }
}

fn headers(connection: &Connection) -> Vec<(&'static str, String)> {
    if connection.service.model() != Some(ModelProvider::Azure) {
        return bearer(connection);
    }
    connection.key.iter().map(|key| ("api-key", key.reveal().to_string())).collect()
}

pub(super) fn embed(connection: &Connection, texts: &Texts<'_>) -> Request {
    let mut body = json!({"model": connection.model, "input": texts.texts});
    if texts.dimensions > 0 {
        body["dimensions"] = json!(texts.dimensions);
    }
    let (url, headers) = (connection.at(&["embeddings"]), headers(connection));
    Request { url, headers, body, max_reply: texts.max_reply() }
}

pub(super) fn vectors(reply: &Value) -> Result<Vec<&Value>, Failure> {
    let data = reply.get("data").and_then(Value::as_array).ok_or_else(|| strange("data"))?;
    let mut placed = Vec::with_capacity(data.len());
    for (position, one) in data.iter().enumerate() {
        // Some servers name no index, and keep the order.
        let index = one.get("index").map_or(Some(position as u64), Value::as_u64);
        let vector = one.get("embedding").ok_or_else(|| strange("embedding"))?;
        placed.push((index.ok_or_else(|| strange("index"))?, vector));
    }
    placed.sort_by_key(|(index, _)| *index);
    if placed.iter().enumerate().any(|(position, (index, _))| *index != position as u64) {
        let why = "its vectors do not have one index for each text";
        return Err(Failure::new(FailureKind::Unreadable, why).hint(FITTING));
    }
    Ok(placed.into_iter().map(|(_, vector)| vector).collect())
}

pub(super) fn tokens(reply: &Value) -> Option<Tokens> {
    let usage = reply.get("usage")?;
    // The tier that answered, which may be another one than was asked for.
    let flex = reply.get("service_tier").is_some_and(|tier| tier == "flex");
    let (input, output) = (sum(usage, &["prompt_tokens"])?, sum(usage, &["completion_tokens"])?);
    Some(Tokens { input, output, flex })
}

pub(super) fn content(reply: &Value) -> Result<Content, Failure> {
    let choice = reply.pointer("/choices/0").ok_or_else(|| strange("choices"))?;
    let message = choice.get("message").ok_or_else(|| strange("message"))?;
    let reason = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    let refusal = message.get("refusal").and_then(Value::as_str);
    if refusal.is_some() || reason == "content_filter" {
        return Err(refused(refusal));
    }
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str()).collect::<String>()
        }
        _ => String::new(),
    };
    Ok(Content { text, truncated: reason == "length" })
}
