//! YAML, read as the JSON of the same value: the same records, the same lines `key.path[0]: value`.
//!
//! Aliases are expanded within a limit for the whole file; tags are ignored. Values stay as they are written,
//! so that `010` stays `010` and `no` stays `no`.

use std::collections::HashMap;

use griot::model::Result;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use crate::readers::json;
use crate::readers::reader::{Batch, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "yaml",
    mime: "application/yaml",
    summary: "records, or lines of the form `key.path: value`",
    own_extensions: &["yaml", "yml"],
    read: |_| Read::Tree(read),
    ..Reader::BASE
};

/// As deep as JSON may be.
const DEPTH: usize = 127;
/// Values in a file, including those that aliases repeat.
const VALUES: usize = 1_000_000;
/// Bytes that aliases may repeat.
const REPEATED: usize = 64 * 1024 * 1024;

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    let documents = parse(text).map_err(|why| batch.error(why))?;
    if let [document] = documents.as_slice() {
        json::read_value(document, batch);
        return Ok(());
    }
    for (at, document) in documents.iter().enumerate() {
        json::element(document, &format!("document {}", at + 1), None, batch);
    }
    Ok(())
}

enum Open {
    List(Vec<Value>),
    /// With the key whose value comes next.
    Map(Map<String, Value>, Option<String>),
}

#[derive(Default)]
struct Builder {
    documents: Vec<Value>,
    open: Vec<(Open, usize)>,
    anchors: HashMap<usize, (Value, usize, usize)>,
    count: usize,
    repeated: usize,
}

fn parse(text: &str) -> std::result::Result<Vec<Value>, String> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = error.marker();
            format!("line {}, column {} is not YAML: {}", at.line(), at.col() + 1, error.info())
        })?;
        builder.event(event).map_err(|why| format!("line {} {why}", span.start.line()))?;
    }
    Ok(builder.documents)
}

impl Builder {
    fn event(&mut self, event: Event) -> std::result::Result<(), String> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                self.add(scalar(&text, style == ScalarStyle::Plain), anchor)
            }
            Event::Alias(anchor) => {
                let Some((value, values, bytes)) = self.anchors.get(&anchor).cloned() else { return Ok(()) };
                self.count += values;
                self.repeated += bytes;
                if self.repeated > REPEATED {
                    return Err(format!("repeats more than {REPEATED} bytes by aliases"));
                }
                self.add(value, 0)
            }
            Event::SequenceStart(anchor, _) => self.begin(Open::List(Vec::new()), anchor),
            Event::MappingStart(anchor, _) => self.begin(Open::Map(Map::new(), None), anchor),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some((Open::List(list), anchor)) => self.add(Value::Array(list), anchor),
                Some((Open::Map(map, _), anchor)) => self.add(Value::Object(map), anchor),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

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
        // Nested aliases may be deeper than the text.
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

/// Integers become numbers, for fields that need one; all other scalars stay as they are written.
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
