//! How each interface writes a question, and where its reply has what counts.
//!
//! Each asks for a form by JSON Schema, in the interface's own way: never by a mode that only promises JSON,
//! which models fill with other keys.

mod anthropic;
mod gemini;
mod ollama;
mod openai;
mod rerank;

use griot::engine::{ModelProvider, ModelSettings};
use serde_json::Value;
use url::Url;

use super::connection::Connection;
use super::failure::{FITTING, Failure, FailureKind, short};
use super::{Content, Question, Tokens};

pub(crate) use rerank::{relevance, rerank, rerank_tokens};

/// An HTTP request.
pub(crate) struct Request {
    pub(crate) url: Url,
    /// The header of the key, and its value; others.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
    /// Bytes of the largest reply that is read.
    pub(crate) max_reply: u64,
}

/// Largest reply to a question: more than the tokens of any setting that makes sense for a reply of JSON.
const MAX_REPLY: u64 = 1024 * 1024;

pub(crate) fn request(connection: &Connection, settings: &ModelSettings, question: &Question<'_>) -> Request {
    let write = match settings.provider {
        ModelProvider::Anthropic => anthropic::request,
        ModelProvider::Gemini => gemini::request,
        ModelProvider::Ollama => ollama::request,
        ModelProvider::Openai | ModelProvider::Azure | ModelProvider::Off => openai::request,
    };
    write(connection, settings, question)
}

/// The header of the key, as most interfaces have it.
fn bearer(connection: &Connection) -> Vec<(&'static str, String)> {
    connection.key.iter().map(|key| ("authorization", format!("Bearer {}", key.reveal()))).collect()
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

/// Texts whose vectors are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts<'a> {
    pub(crate) texts: &'a [String],
    /// They are questions, not what is searched.
    pub(crate) are_questions: bool,
    /// 0 for what the model gives.
    pub(crate) dimensions: usize,
}

impl Texts<'_> {
    /// Bytes of the largest reply that is read: a number has up to 24 characters, and no known model gives
    /// half as many as this on its own.
    fn max_reply(&self) -> u64 {
        const DIMENSIONS: usize = 8192;
        const CHARACTERS: usize = 25;
        let vector = self.dimensions.max(DIMENSIONS) * CHARACTERS;
        MAX_REPLY.saturating_add((self.texts.len() * vector) as u64)
    }
}

pub(crate) fn embed(provider: ModelProvider, connection: &Connection, texts: &Texts<'_>) -> Request {
    let write = match provider {
        ModelProvider::Gemini => gemini::embed,
        ModelProvider::Ollama => ollama::embed,
        ModelProvider::Openai | ModelProvider::Azure | ModelProvider::Anthropic | ModelProvider::Off => {
            openai::embed
        }
    };
    write(connection, texts)
}

/// What the provider counted for vectors; `None` where it does not say.
pub(crate) fn embed_tokens(provider: ModelProvider, reply: &Value) -> Option<Tokens> {
    let input = match provider {
        ModelProvider::Gemini => sum(reply.get("usageMetadata")?, &["promptTokenCount"]),
        ModelProvider::Ollama => sum(reply, &["prompt_eval_count"]),
        ModelProvider::Openai | ModelProvider::Azure | ModelProvider::Anthropic | ModelProvider::Off => {
            let usage = reply.get("usage")?;
            sum(usage, &["prompt_tokens"]).or_else(|| sum(usage, &["total_tokens"]))
        }
    };
    input.map(|input| Tokens { input, output: 0, flex: false })
}

/// The numbers of each vector, in the order of the texts; unchecked.
pub(crate) fn vectors(provider: ModelProvider, reply: &Value) -> Result<Vec<&Value>, Failure> {
    match provider {
        ModelProvider::Gemini => gemini::vectors(reply),
        ModelProvider::Ollama => ollama::vectors(reply),
        ModelProvider::Openai | ModelProvider::Azure | ModelProvider::Anthropic | ModelProvider::Off => {
            openai::vectors(reply)
        }
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
    Failure::new(FailureKind::Unreadable, format!("its reply has no `{missing}`")).hint(FITTING)
}
