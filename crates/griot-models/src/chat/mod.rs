//! One question to a language model, and its reply as JSON.
//!
//! - `connection`: where the model is, from the settings; `key`: its key, which nothing prints
//! - `vendors`: how each interface writes a question and a reply
//! - `exchange`: one HTTP request with bounds, and what its failure means
//! - `loose`: JSON in replies that surround or cut it
//! - `gate`: how many requests run at once

pub(crate) mod connection;
pub(crate) mod exchange;
mod failure;
pub(crate) mod gate;
mod key;
pub(crate) mod loose;
pub(crate) mod vendors;

pub use failure::{Failure, FailureKind};
pub use loose::object as json_in;

use griot::model::Mark;
use griot::text::masked;
use serde_json::Value;

/// Bytes of a token, rather too few than too many: it has three or more in most languages.
const TOKEN: usize = 3;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// What for, in one word, as the ledger lists it.
    pub purpose: &'static str,
    /// Version of the prompt. Replies to another version are not reused.
    pub version: u32,
    /// What the model has to do. Never contains stored text.
    pub task: &'a str,
    /// What it works on.
    pub content: &'a str,
    /// Name of the form of the reply, in lower case.
    pub form: &'static str,
    /// The form as JSON Schema: an object whose properties are all required. `None` asks for plain text,
    /// which is passed on as one JSON string.
    pub schema: Option<&'a Value>,
    /// No one waits for the reply, so that a slower and cheaper tier may give it.
    pub can_wait: bool,
    /// The memories in `content`. With one of them, the kept reply is erased.
    pub memories: &'a [Mark],
}

impl Question<'_> {
    /// Tokens of the request, rather too many than too few.
    pub fn estimate(&self) -> u64 {
        /// Tokens of roles and names.
        const FRAME: u64 = 50;
        let schema = self.schema.map(ToString::to_string).unwrap_or_default();
        [self.task, self.content, &schema].map(tokens_of).iter().sum::<u64>() + FRAME
    }
}

/// What is sent of a text: the beginning, without secrets; `None` if there is nothing to send.
pub(crate) fn sent(text: &str, tokens: usize) -> Option<String> {
    let clean = masked(text);
    let text = clean.as_deref().unwrap_or(text).trim();
    (!text.is_empty()).then(|| beginning(text, tokens).to_string())
}

/// So many tokens of a text, rather too few than too many.
pub(crate) fn beginning(text: &str, tokens: usize) -> &str {
    &text[..text.floor_char_boundary(tokens.saturating_mul(TOKEN))]
}

/// Tokens of a text, rather too many than too few.
pub fn tokens_of(text: &str) -> u64 {
    text.len().div_ceil(TOKEN) as u64
}

/// How much was sent and received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
    /// The tier `flex` answered.
    pub flex: bool,
}

/// The text or object of a reply.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Content {
    pub(crate) text: String,
    /// Cut at the largest number of tokens.
    pub(crate) truncated: bool,
}
