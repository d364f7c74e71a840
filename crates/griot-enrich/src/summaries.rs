//! Summaries of entities that many memories describe.
//!
//! The descriptions of an entity are taken in the order in which they were stored, a fixed number at a time,
//! each time with the summary of those before. So the same descriptions always lead to the same requests, of
//! which the ledger keeps the replies: only what is new is sent.

use std::sync::atomic::{AtomicBool, Ordering};

use griot::Engine;
use griot::engine::Described;
use griot::model::{Memory, Result, Timestamp};
use griot_models::{Failure, FailureKind, Owner};
use serde_json::{Value, json};

use crate::reply::{get, line, object, plain};
use crate::shown::clean;
use crate::task::{Asking, Request, is_about_texts};

const TASK: &str = include_str!("summaries.md");
const VERSION: u32 = 1;
const PURPOSE: &str = "summaries";
/// Characters of a summary; the rest is cut. Eighty words, with room.
const LONGEST: usize = 800;
/// Characters of one description.
const DESCRIPTION: usize = 400;

/// What became of the summaries.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Summed {
    /// Entities whose summary is new or changed.
    pub(crate) changed: u64,
    /// Why it ended early.
    pub(crate) failure: Option<Failure>,
}

/// Summarises every entity with more descriptions than are shown.
pub(crate) fn summarise(asking: &Asking<'_>, lease: i64, stop: &AtomicBool) -> Result<Summed> {
    let engine = asking.engine;
    let at_once = at_once(engine);
    let owner = Owner::random();
    let mut summed = Summed::default();
    for described in engine.described(at_once - 1)? {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let numbers = [described.entity.node.number()];
        let (now, purpose) = (engine.now(), PURPOSE);
        let until = Timestamp(now.0.saturating_add(lease.saturating_mul(steps(&described, at_once) as i64)));
        if asking.ledger.lease(purpose, &numbers, owner, now, until)?.is_empty() {
            continue;
        }
        let done = one(asking, &described, at_once);
        // If this fails, the lease ends by itself.
        let _ = asking.ledger.give_back(purpose, &numbers, owner);
        match done {
            Ok(summary) => summed.changed += u64::from(engine.describe(&described, summary.as_deref())?),
            // Another entity may still be summarised; this one keeps what it has.
            Err(failure) if is_about_texts(failure.kind) => {}
            Err(failure) if failure.kind == FailureKind::Rejected && asking.is_answered() => {}
            Err(failure) => {
                summed.failure = Some(failure);
                break;
            }
        }
    }
    Ok(summed)
}

/// The longest requests of a run, each with how many of its kind there are. What was summarised before is
/// counted as one request: the replies before it are kept.
pub(crate) fn estimated(all: &[Described], at_once: usize) -> Vec<(Request, u64)> {
    let longest = |described: &Described| {
        let steps = steps(described, at_once) as u64;
        let said = described.said.chunks_exact(at_once).last()?;
        let count = if described.entity.description.is_empty() { steps } else { 1 };
        Some((request(described, said, Some(&"x".repeat(LONGEST / 2))), count))
    };
    all.iter().filter_map(longest).collect()
}

/// Descriptions in one request.
pub(crate) fn at_once(engine: &Engine) -> usize {
    engine.settings().enrich.description_fragments + 1
}

/// Requests for one entity. The descriptions behind the last full ones are shown as they are.
fn steps(described: &Described, at_once: usize) -> usize {
    described.said.len() / at_once
}

/// The summary of one entity; `None` if there is too little to summarise.
fn one(asking: &Asking<'_>, described: &Described, at_once: usize) -> Result<Option<String>, Failure> {
    let mut summary: Option<String> = None;
    let mut about: Vec<Memory> = Vec::new();
    for said in described.said.chunks_exact(at_once) {
        about.extend(said.iter().map(|(memory, _)| memory.clone()));
        let request = request(described, said, summary.as_deref());
        summary = Some(asking.ask(&request, &about, read)?);
    }
    Ok(summary)
}

fn request(described: &Described, said: &[(Memory, String)], summary: Option<&str>) -> Request {
    let entity = &described.entity;
    let shown = |(memory, text): &(Memory, String)| {
        let text = line(&clean(text), DESCRIPTION);
        json!({"when": memory.occurred_at.to_string(), "text": text})
    };
    let descriptions: Vec<Value> = said.iter().map(shown).collect();
    let mut content =
        json!({"name": clean(&entity.name), "type": entity.kind.name(), "descriptions": descriptions});
    if let Some(summary) = summary {
        content["summary"] = Value::from(summary);
    }
    Request {
        purpose: PURPOSE,
        version: VERSION,
        task: TASK.to_string(),
        content: content.to_string(),
        about: 1,
        form: "summary",
        schema: Some(object(&[("summary", plain("string"))])),
    }
}

/// Reads a reply: an object with a summary.
pub fn read(reply: &Value) -> Result<String, String> {
    let summary = get(reply, &["summary"]).and_then(Value::as_str).map(|text| line(text, LONGEST));
    summary.filter(|text| !text.is_empty()).ok_or_else(|| "it has no `summary`".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_a_text_of_one_line() {
        let read = |reply: Value| read(&reply);
        assert_eq!(read(json!({"summary": " A cache.\n\nSince 2024. "})), Ok("A cache. Since 2024.".into()));
        assert_eq!(read(json!({"summary": "x".repeat(5000)})).map(|text| text.len()), Ok(LONGEST));
        for reply in [json!({}), json!({"summary": ""}), json!({"summary": 7}), json!("prose"), json!([])] {
            assert!(read(reply.clone()).is_err(), "{reply}");
        }
    }
}
