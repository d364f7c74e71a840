//! JSON values to memories: texts as they are, everything else as lines `key.path[0]: value`.

use std::fmt::Write;

use griot::model::{Error, Lines, Result};
use griot::text::chunk_plain;
use serde_json::Value;
use serde_json::error::Category;

use crate::readers::chat::Chat;
use crate::readers::input::{Batch, Input};
use crate::readers::record::{self, Record};

/// A whole JSON file.
pub(crate) fn read(input: &Input, text: &str, as_chat: bool, batch: &mut Batch) -> Result<()> {
    let value: Value = serde_json::from_str(text).map_err(|error| input.error(parse_error(&error, true)))?;
    if as_chat {
        let mut chat = Chat::new(input);
        match &value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    chat.read(item, &format!("message {}", at + 1), None, batch);
                }
            }
            value => chat.read(value, "the file", None, batch),
        }
        return Ok(());
    }
    read_value(input, &value, batch);
    Ok(())
}

/// A value that a whole file says: a list is one of memories.
pub(crate) fn read_value(input: &Input, value: &Value, batch: &mut Batch) {
    let Value::Array(items) = value else { return element(input, value, "the file", None, batch) };
    // Numbers and the like say nothing alone: neighbours are told together.
    let mut scalars = String::new();
    for (at, item) in items.iter().enumerate() {
        if matches!(item, Value::Number(_) | Value::Bool(_) | Value::Null) {
            render(item, &mut format!("[{at}]"), &mut scalars);
            continue;
        }
        passages(input, &std::mem::take(&mut scalars), "the file", None, batch);
        element(input, item, &format!("element {}", at + 1), None, batch);
    }
    passages(input, &scalars, "the file", None, batch);
}

/// One object of a list or one line.
pub(crate) fn element(input: &Input, value: &Value, place: &str, line: Option<u32>, batch: &mut Batch) {
    let record = value.as_object().map(Record::new);
    let draft = match (&record, value) {
        (Some(record), _) => record.text().map(|text| record.draft(input, text, false, place, batch)),
        (None, Value::String(text)) => {
            let mut draft = input.draft(text.clone(), "passage");
            draft.occurred_at = input.time();
            Some(draft)
        }
        _ => None,
    };
    match draft {
        Some(mut draft) => {
            draft.lines = line.map(|line| Lines { first: line, last: line });
            batch.push(input, draft, place);
        }
        None => {
            let mut text = String::new();
            render_whole(value, &mut text);
            passages(input, &text, place, line, batch);
        }
    }
}

pub(crate) fn passages(input: &Input, text: &str, place: &str, line: Option<u32>, batch: &mut Batch) {
    for chunk in chunk_plain(text) {
        let mut draft = input.draft(chunk.text, "passage");
        draft.occurred_at = input.time();
        draft.lines = line.map(|line| Lines { first: line, last: line });
        batch.push(input, draft, place);
    }
}

/// An empty line between the parts of the outermost object that have parts themselves, so that it is cut
/// there.
fn render_whole(value: &Value, out: &mut String) {
    let Value::Object(object) = value else { return render(value, &mut String::new(), out) };
    for (key, part) in object {
        if matches!(part, Value::Object(_) | Value::Array(_)) && !out.is_empty() {
            out.push('\n');
        }
        render(part, &mut key.clone(), out);
    }
}

/// One line for each scalar that says something. `path` comes back as it was.
fn render(value: &Value, path: &mut String, out: &mut String) {
    let length = path.len();
    match value {
        Value::Null => {}
        Value::String(text) if text.trim().is_empty() => {}
        Value::String(text) if path.is_empty() => out.extend([text, "\n"]),
        Value::String(text) => out.extend([path.as_str(), ": ", text, "\n"]),
        Value::Number(_) | Value::Bool(_) => {
            let separator = if path.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "{path}{separator}{value}");
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let _ = write!(path, "[{at}]");
                render(item, path, out);
                path.truncate(length);
            }
        }
        Value::Object(object) => {
            for (key, part) in object {
                if length > 0 {
                    path.push('.');
                }
                path.push_str(key);
                render(part, path, out);
                path.truncate(length);
            }
        }
    }
}

/// `line 3, column 7 is not JSON: expected value`; without the place for a single line.
pub(crate) fn parse_error(error: &serde_json::Error, with_place: bool) -> String {
    let whole = error.to_string();
    let why = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(why, _)| why);
    let why = match (error.classify(), why) {
        (_, "recursion limit exceeded") => "it is nested more than 127 levels deep".to_string(),
        (Category::Eof, why) => format!("it ends too early ({})", why.replacen("EOF ", "", 1)),
        (_, why) => why.to_string(),
    };
    match with_place {
        true if error.column() == 0 => format!("line {} is not JSON: {why}", error.line()),
        true => format!("line {}, column {} is not JSON: {why}", error.line(), error.column()),
        false => format!("is not JSON: {why} at column {}", error.column()),
    }
}

/// A line of JSON Lines.
pub(crate) fn parse_line(input: &Input, number: u32, line: &str) -> Result<Value, Error> {
    serde_json::from_str(line)
        .map_err(|error| input.error(format!("line {number} {}", parse_error(&error, false))))
}

/// A list of messages, or a message, or neither: for the caller to say what is missing.
pub(crate) fn conversation(value: &Value) -> Option<(&Vec<Value>, Option<String>)> {
    record::messages(value).map(|messages| (messages, record::conversation_name(value)))
}
