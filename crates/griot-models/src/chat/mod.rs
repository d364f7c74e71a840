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
use serde_json::Value;

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
    /// The form as JSON Schema: an object whose properties are all required. `None` asks for plain text, which
    /// is passed on as one JSON string.
    pub schema: Option<&'a Value>,
    /// The memories in `content`. With one of them, the kept reply is erased.
    pub memories: &'a [Mark],
}

impl Question<'_> {
    /// Tokens of the request, rather too many than too few: a token has three bytes or more in most
    /// languages.
    pub fn estimate(&self) -> u64 {
        /// Tokens of roles and names.
        const FRAME: u64 = 50;
        let bytes =
            self.task.len() + self.content.len() + self.schema.map_or(0, |schema| schema.to_string().len());
        bytes.div_ceil(3) as u64 + FRAME
    }
}

/// How much was sent and received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
}

/// The text or object of a reply.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Content {
    pub(crate) text: String,
    /// Cut at the largest number of tokens.
    pub(crate) truncated: bool,
}
