//! JSON: records become memories with their text, everything else becomes lines `key.path[0]: value`.

use std::fmt::Write;

use griot::model::{Error, Lines, Result};
use griot::remember::Draft;
use griot::text::chunk_plain;
use serde_json::Value;
use serde_json::error::Category;

use crate::readers::head::JSON;
use crate::readers::input::{Batch, Input};
use crate::readers::reader::{Fit, Read, Reader};
use crate::readers::record::Record;

pub(crate) const READER: Reader = Reader {
    name: "json",
    mime: "application/json",
    summary: "one record, or a list of records",
    shared_extensions: JSON,
    detect: |head| (head.is_json() && !is_lines(head.text)).then_some(Fit::Syntax),
    is_crawled: false,
    read: |_| Read::Json(read),
    ..Reader::BASE
};

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    read_value(&parse(batch.input, text)?, batch);
    Ok(())
}

/// The value of a whole file.
pub(crate) fn parse(input: &Input, text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| input.error(parse_error(&error, true)))
}

/// Whether the first line is a whole object. A file of one object in one line counts: read as JSON it gives
/// the same.
pub(crate) fn is_lines(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.starts_with('{') && serde_json::from_str::<Value>(line).is_ok()
}

/// The values of the first lines, those that are whole.
pub(crate) fn first_values(text: &str) -> impl Iterator<Item = Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// A text field that is not blank.
pub(crate) fn field<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty() && !text.contains('\0'))
}

/// The items of a list, or a single value as a list of one.
pub(crate) fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        value => std::slice::from_ref(value),
    }
}

/// The value of a whole file: each item of a list is a memory.
pub(crate) fn read_value(value: &Value, batch: &mut Batch) {
    let Value::Array(items) = value else { return element(value, "the file", None, batch) };
    // Neighbouring scalars make one passage: alone they mean nothing.
    let mut scalars = String::new();
    for (at, item) in items.iter().enumerate() {
        if matches!(item, Value::Number(_) | Value::Bool(_) | Value::Null) {
            render(item, &mut format!("[{at}]"), &mut scalars);
            continue;
        }
        passages(&std::mem::take(&mut scalars), "the file", None, batch);
        element(item, &format!("element {}", at + 1), None, batch);
    }
    passages(&scalars, "the file", None, batch);
}

/// One item of a list, or one line. `label` names it in problems.
pub(crate) fn element(value: &Value, label: &str, line: Option<u32>, batch: &mut Batch) {
    let record = value.as_object().map(Record::new);
    let draft = match (&record, value) {
        (Some(record), _) => record.text().map(|text| record.draft(text, false, label, batch)),
        (None, Value::String(text)) => Some(batch.passage(text.as_str())),
        _ => None,
    };
    match draft {
        Some(mut draft) => {
            draft.lines = line.map(|line| Lines { first: line, last: line });
            batch.push(draft, label);
        }
        None => {
            let mut text = String::new();
            render_whole(value, &mut text);
            passages(&text, label, line, batch);
        }
    }
}

pub(crate) fn passages(text: &str, label: &str, line: Option<u32>, batch: &mut Batch) {
    let lines = line.map(|line| Lines { first: line, last: line });
    batch.push_chunks(chunk_plain(text), &Draft { lines, ..batch.passage("") }, label);
}

/// Puts an empty line before each part of the outermost object that has parts itself, so that passages are
/// cut there.
fn render_whole(value: &Value, out: &mut String) {
    let Value::Object(object) = value else { return render(value, &mut String::new(), out) };
    for (key, part) in object {
        if matches!(part, Value::Object(_) | Value::Array(_)) && !out.is_empty() {
            out.push('\n');
        }
        render(part, &mut key.clone(), out);
    }
}

/// One line for each scalar that is not empty. `path` is restored before it returns.
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

/// `line 3, column 7 is not JSON: expected value`; without the line number for a single line.
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

pub(crate) fn parse_line(input: &Input, number: u32, line: &str) -> Result<Value, Error> {
    serde_json::from_str(line)
        .map_err(|error| input.error(format!("line {number} {}", parse_error(&error, false))))
}
