//! Ollama's own interface: the one of OpenAI that it also offers takes no context length, and cuts what does
//! not fit into the default one.

use griot::engine::ModelSettings;
use serde_json::{Value, json};

use super::{MAX_REPLY, Request, Texts, bearer, strange, sum};
use crate::chat::connection::Connection;
use crate::chat::failure::Failure;
use crate::chat::{Content, Question, Tokens};

pub(super) fn request(connection: &Connection, settings: &ModelSettings, question: &Question<'_>) -> Request {
    let mut body = json!({
        "model": connection.model,
        "messages": [
            {"role": "system", "content": question.task},
            {"role": "user", "content": question.content},
        ],
        "stream": false,
        // Thoughts would use up the reply's tokens.
        "think": false,
        "options": {
            "num_ctx": settings.num_ctx,
            "num_predict": settings.max_output_tokens,
            "temperature": 0,
        },
    });
    if let Some(schema) = question.schema {
        body["format"] = schema.clone();
    }
    let headers = bearer(connection);
    Request { url: connection.at(&["api", "chat"]), headers, body, max_reply: MAX_REPLY }
}

pub(super) fn embed(connection: &Connection, texts: &Texts<'_>) -> Request {
    let mut body = json!({"model": connection.model, "input": texts.texts, "truncate": true});
    if texts.dimensions > 0 {
        body["dimensions"] = json!(texts.dimensions);
    }
    let (url, headers) = (connection.at(&["api", "embed"]), bearer(connection));
    Request { url, headers, body, max_reply: texts.max_reply() }
}

pub(super) fn vectors(reply: &Value) -> Result<Vec<&Value>, Failure> {
    let vectors = reply.get("embeddings").and_then(Value::as_array).ok_or_else(|| strange("embeddings"))?;
    Ok(vectors.iter().collect())
}

pub(super) fn tokens(reply: &Value) -> Option<Tokens> {
    // Without the first one, the prompt was in Ollama's own cache.
    let output = sum(reply, &["eval_count"])?;
    Some(Tokens { input: sum(reply, &["prompt_eval_count"]).unwrap_or(0), output, flex: false })
}

pub(super) fn content(reply: &Value) -> Result<Content, Failure> {
    let text = reply.pointer("/message/content").and_then(Value::as_str).ok_or_else(|| strange("message"))?;
    let reason = reply.get("done_reason").and_then(Value::as_str);
    Ok(Content { text: text.to_string(), truncated: reason == Some("length") })
}
