//! Messages, and the sessions that they belong to.

use griot::model::{Lines, Timestamp};
use griot::remember::Draft;
use serde_json::Value;

use crate::readers::input::Batch;
use crate::readers::record::{Record, conversation_name, messages};

/// A pause longer than this starts a new session, if messages do not name theirs. In milliseconds.
const SILENCE: i64 = 6 * Timestamp::HOUR;

/// A chat whose messages have lines: a message is added when the next one begins.
#[derive(Default)]
pub(crate) struct LineChat {
    chat: Chat,
    open: Option<(Draft, Lines)>,
}

impl LineChat {
    /// A message that begins on this line.
    pub(crate) fn begin(&mut self, number: u32, draft: Draft, batch: &mut Batch) {
        self.finish(batch);
        self.open = Some((draft, Lines { first: number, last: number }));
    }

    /// A further line of the message; `false` without one. Blank lines before it part paragraphs.
    pub(crate) fn go_on(&mut self, number: u32, line: &str) -> bool {
        let Some((draft, lines)) = &mut self.open else { return false };
        if !draft.text.is_empty() {
            draft.text.push_str(if number > lines.last.saturating_add(1) { "\n\n" } else { "\n" });
        }
        draft.text.push_str(line);
        lines.last = number;
        true
    }

    /// Adds the message that is open.
    pub(crate) fn finish(&mut self, batch: &mut Batch) {
        if let Some((draft, lines)) = self.open.take() {
            let draft = Draft { lines: Some(lines), ..draft };
            self.chat.add(draft, &format!("line {}", lines.first), None, batch);
        }
    }
}

/// Reads messages in their order.
#[derive(Default)]
pub(crate) struct Chat {
    /// Begins the names of sessions that messages do not name.
    prefix: String,
    /// The session of messages that name none.
    session: Option<String>,
    last: Option<Timestamp>,
}

impl Chat {
    /// Messages of a channel, which begins the name of each session.
    pub(crate) fn of_channel(name: &str) -> Self {
        Self { prefix: format!("#{name} "), session: Some(format!("#{name}")), last: None }
    }

    /// The session of a thread of the channel.
    pub(crate) fn thread(&self, begin: Timestamp) -> String {
        format!("{}thread of {}", self.prefix, minute(begin))
    }

    /// A message, or an object with a list `messages`. `label` names it in problems.
    pub(crate) fn read(&mut self, value: &Value, label: &str, line: Option<u32>, batch: &mut Batch) {
        if let Some(messages) = messages(value) {
            // Two conversations in one file are two sessions, named or not.
            let name = conversation_name(value).or_else(|| (label != "the file").then(|| label.to_string()));
            for (at, message) in messages.iter().enumerate() {
                let label = if label == "the file" {
                    format!("message {}", at + 1)
                } else {
                    format!("{label}, message {}", at + 1)
                };
                self.message(message, &label, line, name.as_deref(), batch);
            }
        } else {
            self.message(value, label, line, None, batch);
        }
    }

    fn message(
        &mut self,
        value: &Value,
        label: &str,
        line: Option<u32>,
        session: Option<&str>,
        batch: &mut Batch,
    ) {
        let Some(object) = value.as_object() else {
            return batch.problem(format!("{label} is not an object with `speaker` and `text`"));
        };
        let record = Record::new(object);
        match record.text() {
            Some(text) if text.trim().is_empty() => {}
            Some(text) => {
                let mut draft = record.draft(text, true, label, batch);
                draft.session = draft.session.or_else(|| session.map(str::to_string));
                self.add(draft, label, line, batch);
            }
            None if record.has_text_field() => {} // pictures, calls of tools
            None => batch.problem(format!("{label} has no `text`")),
        }
    }

    /// Adds a message to its session.
    pub(crate) fn add(&mut self, mut draft: Draft, label: &str, line: Option<u32>, batch: &mut Batch) {
        draft.lines = draft.lines.or(line.map(|line| Lines { first: line, last: line }));
        if draft.session.is_none() {
            if let Some(at) = draft.occurred_at {
                if self.last.is_none_or(|last| (at.0 - last.0).abs() > SILENCE) {
                    self.session = Some(self.prefix.clone() + &minute(at));
                }
                self.last = Some(at);
            }
            draft.session = self.session.clone();
        }
        batch.push(draft, label);
    }
}

fn minute(at: Timestamp) -> String {
    at.to_string().get(..16).unwrap_or_default().replace('T', " ")
}
