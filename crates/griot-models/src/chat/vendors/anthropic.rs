//! Messages of Anthropic. The form is that of a tool which the model has to call.

use griot::engine::ModelSettings;
use serde_json::{Value, json};

use super::{MAX_REPLY, Request, refused, strange, sum};
use crate::chat::connection::Connection;
use crate::chat::failure::Failure;
use crate::chat::{Content, Question, Tokens};

/// The version of the interface that this code was written for.
const VERSION: &str = "2023-06-01";

pub(super) fn request(connection: &Connection, settings: &ModelSettings, question: &Question<'_>) -> Request {
    let mut body = json!({
        "model": connection.model,
        "max_tokens": settings.max_output_tokens,
        "system": question.task,
        "messages": [{"role": "user", "content": question.content}],
    });
    if let Some(schema) = question.schema {
        body["tools"] = json!([{
            "name": question.form,
            "description": "Takes the reply.",
            "input_schema": schema,
        }]);
        body["tool_choice"] = json!({"type": "tool", "name": question.form});
    }
    let mut headers = vec![("anthropic-version", VERSION.to_string())];
    headers.extend(connection.key.iter().map(|key| ("x-api-key", key.reveal().to_string())));
    Request { url: connection.at(&["v1", "messages"]), headers, body, max_reply: MAX_REPLY }
}

pub(super) fn tokens(reply: &Value) -> Option<Tokens> {
    let usage = reply.get("usage")?;
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    Some(Tokens { input: sum(usage, &input)?, output: sum(usage, &["output_tokens"])?, flex: false })
}

pub(super) fn content(form: &str, reply: &Value) -> Result<Content, Failure> {
    let blocks = reply.get("content").and_then(Value::as_array).ok_or_else(|| strange("content"))?;
    let reason = reply.get("stop_reason").and_then(Value::as_str).unwrap_or_default();
    if reason == "refusal" {
        return Err(refused(None));
    }
    let called = blocks.iter().find(|block| block.get("name").and_then(Value::as_str) == Some(form));
    let text = match called.and_then(|block| block.get("input")) {
        Some(input) => input.to_string(),
        None => blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<String>(),
    };
    Ok(Content { text, truncated: reason == "max_tokens" })
}
