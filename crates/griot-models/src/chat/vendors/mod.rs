//! How each interface writes a question, and where its reply has what counts.
//!
//! Each asks for a form by JSON Schema, in the interface's own way: never by a mode that only promises JSON,
//! which models fill with other keys.

mod anthropic;
mod gemini;
mod ollama;
mod openai;

use griot::engine::{ModelProvider, ModelSettings};
use serde_json::Value;
use url::Url;

use super::connection::Connection;
use super::failure::{Failure, FailureKind, short};
use super::{Content, Question, Tokens};

/// An HTTP request.
pub(crate) struct Request {
    pub(crate) url: Url,
    /// The header of the key, and its value; others.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
}

pub(crate) fn request(connection: &Connection, settings: &ModelSettings, question: &Question<'_>) -> Request {
    let write = match connection.provider {
        ModelProvider::Anthropic => anthropic::request,
        ModelProvider::Gemini => gemini::request,
        ModelProvider::Ollama => ollama::request,
        ModelProvider::Openai | ModelProvider::Azure | ModelProvider::Off => openai::request,
    };
    write(connection, settings, question)
}

/// What the provider counted; `None` where it does not say.
pub(crate) fn tokens(provider: ModelProvider, reply: &Value) -> Option<Tokens> {
    let tokens = match provider {
        ModelProvider::Anthropic => anthropic::tokens,
        ModelProvider::Gemini => gemini::tokens,
        ModelProvider::Ollama => ollama::tokens,
        ModelProvider::Openai | ModelProvider::Azure | ModelProvider::Off => openai::tokens,
    };
    tokens(reply)
}

pub(crate) fn content(provider: ModelProvider, form: &str, reply: &Value) -> Result<Content, Failure> {
    match provider {
        ModelProvider::Anthropic => anthropic::content(form, reply),
        ModelProvider::Gemini => gemini::content(reply),
        ModelProvider::Ollama => ollama::content(reply),
        ModelProvider::Openai | ModelProvider::Azure | ModelProvider::Off => openai::content(reply),
    }
}

/// The sum of these counters; `None` if there is none of them.
fn sum(usage: &Value, names: &[&str]) -> Option<u64> {
    let counts = names.iter().filter_map(|name| usage.get(name)?.as_u64());
    counts.fold(None, |sum, count| Some(sum.unwrap_or(0u64).saturating_add(count)))
}

fn refused(why: Option<&str>) -> Failure {
    let why = why.map(str::trim).filter(|why| !why.is_empty());
    let why = why.map_or_else(
        || "the model declined to answer".to_string(),
        |why| format!("the model declined to answer: {}", short(why)),
    );
    Failure::new(FailureKind::Refused, why).hint("ask something else; the same question is declined again")
}

/// A reply without the parts that every reply of this interface has.
fn strange(missing: &str) -> Failure {
    Failure::new(FailureKind::Unreadable, format!("its reply has no `{missing}`"))
        .hint("griot config: do `model.provider` and `model.url` fit together?")
}
