//! Recorded replies of language models about the units of a set.

use std::collections::HashMap;
use std::path::Path;

use griot::model::{Error, Result, Said};
use griot_enrich::extraction::{self, Extracted};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::dataset::{at_line, parse_lines};

/// One line: a reply as it came, or names and triples without types.
#[derive(Deserialize)]
struct Line {
    id: String,
    reply: Option<String>,
    gleaning: Option<String>,
    #[serde(default)]
    entities: Vec<String>,
    #[serde(default)]
    triples: Vec<Vec<String>>,
}

/// What the replies say, by unit.
pub fn read(path: &Path) -> Result<HashMap<String, Vec<Said>>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::unavailable(format!("read {}", path.display()), error.to_string()))?;
    let mut all = HashMap::new();
    for (at, line) in parse_lines::<Line>(path, &text)?.into_iter().enumerate() {
        let failed = |why: String| at_line(path, at + 1, why);
        let mut said = one(&line).map_err(failed)?;
        if let Some(more) = line.gleaning.filter(|more| !more.is_empty()) {
            said.add(extraction::read(&Value::String(more), 1).map_err(failed)?);
        }
        all.insert(line.id, said.passages.concat());
    }
    Ok(all)
}

fn one(line: &Line) -> std::result::Result<Extracted, String> {
    match &line.reply {
        Some(reply) => extraction::read(&Value::String(reply.clone()), 1),
        None => {
            let entities: Vec<Value> = line.entities.iter().map(|name| json!({"name": name})).collect();
            let relation = |triple: &Vec<String>| match triple.as_slice() {
                [source, kind, target] => Some(json!({"source": source, "type": kind, "target": target})),
                _ => None,
            };
            let relations: Vec<Value> = line.triples.iter().filter_map(relation).collect();
            extraction::read(&json!({"entities": entities, "relations": relations}), 1)
        }
    }
}
