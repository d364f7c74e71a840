//! YAML as the JSON that it says: the same records, the same lines `key.path[0]: value`.
//!
//! What an alias stands for is copied as often as it is named, within a limit on the whole; a tag is passed
//! over. Values stay as they are written, so that `010` and `no` are not taken for something else.

use std::collections::HashMap;

use griot::model::Result;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use crate::readers::input::{Batch, Input};
use crate::readers::json;

/// As deep as JSON may be.
const DEPTH: usize = 127;
/// Values in a file, with those that aliases repeat.
const VALUES: usize = 1_000_000;
/// Bytes that aliases may repeat.
const REPEATED: usize = 64 * 1024 * 1024;

pub(crate) fn read(input: &Input, text: &str, batch: &mut Batch) -> Result<()> {
    let documents = parse(text).map_err(|why| input.error(why))?;
    if let [document] = documents.as_slice() {
        json::read_value(input, document, batch);
        return Ok(());
    }
    for (at, document) in documents.iter().enumerate() {
        json::element(input, document, &format!("document {}", at + 1), None, batch);
    }
    Ok(())
}

enum Open {
    List(Vec<Value>),
    /// With the key that waits for its value.
    Map(Map<String, Value>, Option<String>),
}

#[derive(Default)]
struct Reader {
    documents: Vec<Value>,
    open: Vec<(Open, usize)>,
    anchors: HashMap<usize, (Value, usize, usize)>,
    count: usize,
    repeated: usize,
}

/// The documents of a stream.
fn parse(text: &str) -> std::result::Result<Vec<Value>, String> {
    let mut reader = Reader::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = error.marker();
            format!("line {}, column {} is not YAML: {}", at.line(), at.col() + 1, error.info())
        })?;
        let at = || format!("line {}", span.start.line());
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let value = scalar(&text, style == ScalarStyle::Plain);
                reader.add(value, anchor).map_err(|why| format!("{} {why}", at()))?;
            }
            Event::Alias(anchor) => {
                let Some((value, values, bytes)) = reader.anchors.get(&anchor).cloned() else { continue };
                reader.count += values;
                reader.repeated += bytes;
                if reader.repeated > REPEATED {
                    return Err(format!("{} repeats more than {REPEATED} bytes by aliases", at()));
                }
                reader.add(value, 0).map_err(|why| format!("{} {why}", at()))?;
            }
            Event::SequenceStart(anchor, _) => {
                reader.begin(Open::List(Vec::new()), anchor).map_err(|why| format!("{} {why}", at()))?;
            }
            Event::MappingStart(anchor, _) => {
                reader.begin(Open::Map(Map::new(), None), anchor).map_err(|why| format!("{} {why}", at()))?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((open, anchor)) = reader.open.pop() {
                    let value = match open {
                        Open::List(list) => Value::Array(list),
                        Open::Map(map, _) => Value::Object(map),
                    };
                    reader.add(value, anchor).map_err(|why| format!("{} {why}", at()))?;
                }
            }
            _ => {}
        }
    }
    Ok(reader.documents)
}

impl Reader {
    fn begin(&mut self, open: Open, anchor: usize) -> std::result::Result<(), String> {
        if self.open.len() >= DEPTH {
            return Err(format!("is nested more than {DEPTH} levels deep"));
        }
        self.open.push((open, anchor));
        Ok(())
    }

    fn add(&mut self, value: Value, anchor: usize) -> std::result::Result<(), String> {
        self.count += 1;
        if self.count > VALUES {
            return Err(format!("is past the limit of {VALUES} values"));
        }
        if anchor > 0 {
            let (values, bytes, depth) = size(&value);
            if self.open.len() + depth > DEPTH {
                return Err(format!("is nested more than {DEPTH} levels deep"));
            }
            self.repeated += bytes;
            if self.repeated > REPEATED {
                return Err(format!("repeats more than {REPEATED} bytes by anchors"));
            }
            self.anchors.insert(anchor, (value.clone(), values, bytes));
        }
        match self.open.last_mut() {
            None => self.documents.push(value),
            Some((Open::List(list), _)) => list.push(value),
            Some((Open::Map(map, key), _)) => match key.take() {
                None => *key = Some(as_key(value)),
                Some(key) => {
                    map.insert(key, value);
                }
            },
        }
        // An alias inside of what an alias repeats may lie deeper than what was read.
        if self.open.is_empty() && self.documents.last().is_some_and(|document| size(document).2 > DEPTH) {
            return Err(format!("is nested more than {DEPTH} levels deep"));
        }
        Ok(())
    }
}

/// Values, bytes and levels.
fn size(value: &Value) -> (usize, usize, usize) {
    let join = |(values, bytes, depth): (usize, usize, usize), (v, b, d): (usize, usize, usize)| {
        (values + v, bytes + b, depth.max(d))
    };
    match value {
        Value::Array(list) => {
            let (values, bytes, depth) = list.iter().map(size).fold((1, 32, 0), join);
            (values, bytes, depth + 1)
        }
        Value::Object(map) => {
            let parts = map.iter().map(|(key, value)| join((0, key.len() + 64, 0), size(value)));
            let (values, bytes, depth) = parts.fold((1, 32, 0), join);
            (values, bytes, depth + 1)
        }
        Value::String(text) => (1, text.len() + 32, 0),
        _ => (1, 32, 0),
    }
}

/// A whole number is one for the fields that want it; everything else is told as it is written.
fn scalar(text: &str, plain: bool) -> Value {
    if plain && matches!(text, "" | "~" | "null" | "Null" | "NULL") {
        return Value::Null;
    }
    match text.parse::<i64>() {
        Ok(number) if plain && number.to_string() == text => number.into(),
        _ => Value::String(text.to_string()),
    }
}

fn as_key(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => "null".to_string(),
        value => value.to_string(),
    }
}
