//! An answer of a language model from the results of a recall: what is sent, how the reply is read, and which
//! of its statements are supported.
//!
//! Pure functions of the wire objects. What a model says is untrusted: it becomes text with citations, and
//! nothing else.

mod check;
mod pack;

pub use check::{Claim, checked, read};
pub use pack::{Packed, pack};

use serde_json::{Value, json};

use crate::{Recall, Time};

/// What the model has to do.
pub const TASK: &str = include_str!("task.md");
/// Version of the task and of the form of request and reply.
pub const VERSION: u32 = 1;
/// Name of the form of the reply.
pub const FORM: &str = "answer";

objects! {
    /// The answer of a language model to a question, from memories.
    Answered {
        /// The question as it was asked.
        query: String,
        /// The statements as one text with their citations; `null` if there are none.
        text: Option<String>,
        /// What the model says, sentence by sentence.
        statements: Vec<Statement>,
        /// Whether there are statements and each of them cites a memory that was sent.
        supported: bool,
        /// The cited memories, in the order of their first citation.
        cited: Vec<Cited>,
        /// What was found and not sent, and why.
        withheld: Vec<Withheld>,
        /// Why there are no statements, although the model did not fail.
        abstained: Option<String>,
        /// Whether the reply was cut at `model.max_output_tokens`: statements may be missing.
        truncated: bool,
        /// Why the model gave no answer; `null` if it gave one. The memories are in `recall` nevertheless.
        failure: Option<ModelFailure>,
        /// The model, and what the answer took.
        model: ModelUse,
        /// What was found, as `recall` answers.
        recall: Recall,
    }

    /// One sentence of a language model.
    Statement {
        /// The sentence, without its citations.
        text: String,
        /// Handles of the memories that it cites, all of which were sent.
        citations: Vec<String>,
        /// What it cites besides, which was not sent: invented.
        invented: Vec<String>,
        /// Whether it cites a memory that was sent. Whether that memory says the same is for a reader to
        /// judge.
        supported: bool,
    }

    /// A cited memory.
    Cited {
        /// Short name, such as `#a1b2c3`.
        handle: String,
        /// Stable id.
        id: String,
        /// When it happened or was said.
        occurred_at: Time,
        /// Where a person finds it; `null` if stored by a call.
        cite: Option<String>,
        /// `own` or `web`; `null` if its source is not known.
        trust: Option<String>,
        /// Why the text needs care: `secret`, `instructions`.
        flags: Vec<String>,
    }

    /// Something that was found and not sent.
    Withheld {
        /// Short name of the memory.
        handle: String,
        /// Its stable id.
        id: String,
        /// `private` (it belongs to a user, and `model.private_texts` is off), `secret` (it was sent with its
        /// secrets masked) or `budget` (`model.context_tokens` was used up).
        reason: String,
    }

    /// Why a language model gave no answer.
    ModelFailure {
        /// `wrong_key`, `unknown_model`, `not_an_interface`, `rejected`, `refused`, `truncated`,
        /// `unreadable`, `too_large`, `overloaded`, `unreachable`, `timed_out`, `over_budget` or `ledger`.
        kind: String,
        /// Why, in words.
        why: String,
        /// What helps, for the owner of the machine.
        hint: Option<String>,
    }

    /// What was asked of a language model, and what it took.
    ModelUse {
        /// The interface, such as `openai`.
        provider: String,
        /// The model.
        name: String,
        /// Whether a reply that was kept from an earlier time answered.
        kept: bool,
        /// Requests that were sent.
        calls: u64,
        /// Tokens that were sent.
        input_tokens: u64,
        /// Tokens that were received.
        output_tokens: u64,
        /// In the currency of the prices; `null` if no price is set.
        cost: Option<f64>,
    }

    /// Requests to language models and their cost.
    Usage {
        /// One row for each day, purpose and model, latest day first.
        rows: Vec<UsageRow>,
        /// The sum of the rows.
        total: UsageTotal,
        /// What is left today.
        today: UsageToday,
    }

    /// The requests of one day for one purpose to one model.
    UsageRow from (row: griot_models::Usage) {
        /// Start of the day, in UTC.
        day: Time,
        /// What for, such as `answer`.
        purpose: String,
        /// The interface, such as `openai`.
        provider: String,
        /// The model.
        model: String,
        /// Requests that were sent.
        calls: u64,
        /// Those without a reply that could be used.
        failed: u64,
        /// Those whose end is unknown: they run, or their process was killed. Their numbers are estimates.
        unfinished: u64,
        /// Questions that a kept reply answered; not among `calls`.
        kept: u64,
        /// Tokens that were sent.
        input_tokens: u64,
        /// Tokens that were received.
        output_tokens: u64,
        /// In the currency of the prices; `null` where no price was set.
        cost: Option<f64> = row.cost,
    }

    /// The sum of several rows.
    #[derive(Default)]
    UsageTotal {
        /// Requests that were sent.
        calls: u64,
        /// Questions that a kept reply answered.
        kept: u64,
        /// Tokens that were sent.
        input_tokens: u64,
        /// Tokens that were received.
        output_tokens: u64,
        /// In the currency of the prices; `null` where no price was set.
        cost: Option<f64>,
    }

    /// What the budgets of a day leave. `null` where there is no limit.
    UsageToday {
        /// Requests.
        calls_left: Option<u64>,
        /// Tokens.
        tokens_left: Option<u64>,
        /// Money, in the currency of the prices.
        cost_left: Option<f64>,
    }
}

impl Answered {
    /// Takes from the recall where cited memories are found, which may be relative to a folder.
    pub fn cite_as_found(&mut self) {
        for cited in &mut self.cited {
            let result = self.recall.results.iter().find(|result| result.id == cited.id);
            cited.cite = result.and_then(|result| result.cite.clone()).or(cited.cite.take());
        }
    }
}

/// The form of a reply.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["statements"],
        "properties": {
            "statements": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["text", "citations"],
                    "properties": {
                        "text": {"type": "string"},
                        "citations": {"type": "array", "items": {"type": "string"}},
                    },
                },
            },
        },
    })
}

/// The statements as one text. What has no support says so.
pub fn text_of(statements: &[Statement]) -> Option<String> {
    let shown = |statement: &Statement| match statement.citations.as_slice() {
        [] => format!("{} [unsupported]", statement.text),
        citations => format!("{} [{}]", statement.text, citations.join(", ")),
    };
    (!statements.is_empty()).then(|| statements.iter().map(shown).collect::<Vec<_>>().join(" "))
}
