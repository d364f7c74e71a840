//! Chats: messages as JSON Lines, as a JSON array, or as lines.

use std::io::BufRead;

use griot::model::Result;
use serde_json::{Deserializer, Value};

use crate::readers::head::{Head, JSON_LINES, MARKDOWN, looks_like_json};
use crate::readers::lines;
use crate::readers::messages::Chat;
use crate::readers::reader::{Batch, Fit, Full, Read, Reader};
use crate::readers::{json, record, transcript};

/// Number of messages that detection examines.
const FIRST: usize = 50;

pub(crate) const READER: Reader = Reader {
    name: "chat",
    mime: "application/jsonl",
    summary: "messages, cut into sessions: JSON Lines, a JSON array, lines `[time] Speaker: text`, or \
              Markdown with `**Speaker** (time): text`; always so with the endings `.chat.jsonl`, \
              `.chat.json`, `.chat.txt` and `.chat.md`",
    detect,
    is_chat: true,
    read: |head| {
        if !looks_like_json(head.text) {
            return Read::TextStream(transcript::read);
        }
        let is_lines = json::is_lines(head.text) || head.is_named(JSON_LINES);
        if head.text.starts_with('{') && is_lines { Read::Stream(read_lines) } else { Read::Json(read) }
    },
    ..Reader::BASE
};

fn detect(head: &Head) -> Option<Fit> {
    if head.stem.ends_with(".chat") && (!head.is_unnamed() || head.is_named(MARKDOWN)) {
        return Some(Fit::Name);
    }
    if head.is_open_text() && transcript::is_certain(head.text) {
        return Some(Fit::Lines);
    }
    let are_lines = head.is_named(JSON_LINES) || (head.is_json() && json::is_lines(head.text));
    let are_messages = match are_lines {
        true => first_lines_are_messages(head.text),
        false => head.is_json() && is_array_of_messages(head.text),
    };
    are_messages.then_some(Fit::Fields)
}

fn fits(value: &Value) -> bool {
    record::is_message(value) || record::is_conversation(value)
}

/// The last line may be cut off.
fn first_lines_are_messages(text: &str) -> bool {
    let mut values = json::first_values(text).take(FIRST).peekable();
    values.peek().is_some() && values.all(|value| fits(&value))
}

fn is_array_of_messages(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix('[').or_else(|| after_key(text, "\"messages\"")) else {
        return false;
    };
    let mut count = 0;
    while count < FIRST {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        let mut values = Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) if fits(&value) => count += 1,
            Some(Ok(_)) => return false,
            _ => break, // the end of the array, or of the head
        }
        rest = &rest[values.byte_offset()..];
    }
    count > 0
}

/// What follows the first `"key": [`.
fn after_key<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let rest = &text[text.find(key)? + key.len()..];
    rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('[')
}

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    let mut chat = Chat::default();
    match &json::parse(batch.input, text)? {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                chat.read(item, &format!("message {}", at + 1), None, batch);
            }
        }
        value => chat.read(value, "the file", None, batch),
    }
    Ok(())
}

fn read_lines(stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    lines::check_head(batch.input, stream)?;
    let mut chat = Chat::default();
    lines::read_values(stream, batch, full, &mut |number, value, batch| {
        chat.read(value, &format!("line {number}"), Some(number), batch);
    })
}
