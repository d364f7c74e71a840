//! Lets a language model decide which entities are one: spelling and the vectors of names propose, it decides.
//!
//! A merge is logged with the model as its author and can be undone. A pair that the model holds to be two is
//! not asked about again; where it is not sure, a person finds the pair among the suggestions.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use griot::Engine;
use griot::engine::MergeQuestion;
use griot::model::{Entity, Error, Memory, Merge, Result};
use griot::text::{content_words, window};
use griot_models::{Failure, FailureKind, LanguageModel, Run, Spent};
use serde_json::{Value, json};

use crate::run::{Asking, Reply};

const TASK: &str = include_str!("merges.md");
const VERSION: u32 = 1;
const PURPOSE: &str = "merges";
/// Questions for the sake of one name.
const FOR_A_NAME: usize = 3;
/// Pairs in one request.
const BATCH: usize = 20;
/// Texts about one entity, and characters of each.
const TEXTS: usize = 2;
const TEXT: usize = 240;
/// Confidence from which a decision counts: what is merged is read as one by everyone.
const SURE: f64 = 0.8;

/// What became of the pairs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judged {
    /// Pairs that were asked about.
    pub pairs: u64,
    pub merged: Vec<Merge>,
    /// Pairs that are two things.
    pub different: u64,
    /// Pairs that a person should look at.
    pub unsure: u64,
    /// Pairs that are left: a limit, a failure, or a reply without them.
    pub left: u64,
    pub spent: Spent,
    /// Why it ended early.
    pub failure: Option<Failure>,
}

/// A decision about the pair at this position.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    pub pair: usize,
    /// `None`: not sure.
    pub are_one: Option<bool>,
    pub reason: String,
}

/// Asks about at most `most` pairs, the likeliest first.
pub fn judge_merges(
    engine: &Engine,
    database: &Path,
    most: Option<usize>,
    progress: &dyn Fn(u64, u64),
    stop: &AtomicBool,
) -> Result<Judged> {
    let settings = &engine.settings().model;
    let model = LanguageModel::new(settings).map_err(Error::from)?;
    let run = Run::new(engine.now());
    let asking = Asking::new(engine, database, &model, &run)?;
    let mut questions = engine.merge_questions(FOR_A_NAME)?;
    let all = questions.len();
    questions.truncate(most.unwrap_or(usize::MAX));
    let mut judged = Judged::default();
    for batch in questions.chunks(BATCH) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match ask(&asking, batch) {
            Ok(decisions) => {
                for decision in decisions {
                    settle(engine, &mut judged, &batch[decision.pair], &decision)?;
                }
            }
            // About this batch alone.
            Err(failure) if matches!(failure.kind, FailureKind::Refused | FailureKind::Unreadable) => {}
            Err(failure) => {
                judged.failure = Some(failure);
                break;
            }
        }
        progress(judged.pairs, questions.len() as u64);
    }
    judged.left = (all as u64).saturating_sub(judged.pairs);
    judged.spent = run.spent();
    Ok(judged)
}

fn settle(engine: &Engine, judged: &mut Judged, question: &MergeQuestion, decision: &Decision) -> Result<()> {
    judged.pairs += 1;
    let merge = engine.settle_merge(question, decision.are_one, &decision.reason)?;
    match decision.are_one {
        Some(true) => judged.merged.extend(merge),
        Some(false) => judged.different += 1,
        None => judged.unsure += 1,
    }
    Ok(())
}

fn ask(asking: &Asking<'_>, batch: &[MergeQuestion]) -> Result<Vec<Decision>, Failure> {
    let mut about: Vec<Memory> = Vec::new();
    let mut pairs = Vec::with_capacity(batch.len());
    for (at, question) in batch.iter().enumerate() {
        let mut shown = |entity: &Entity| shown(asking, entity, &mut about);
        pairs.push(json!({"number": at + 1, "a": shown(&question.kept)?, "b": shown(&question.merged)?}));
    }
    let content = json!({ "pairs": pairs }).to_string();
    let schema = schema();
    let reply = Reply {
        purpose: PURPOSE,
        version: VERSION,
        task: TASK,
        content: &content,
        about: batch.len(),
        form: "decisions",
        schema: Some(&schema),
    };
    asking.ask(&reply, &about, |reply| read(reply, batch.len()))
}

/// The entity as the model gets it; adds the memories that are quoted.
fn shown(asking: &Asking<'_>, entity: &Entity, about: &mut Vec<Memory>) -> Result<Value, Failure> {
    let view = asking.engine.entity_at(entity.node, 1, TEXTS)?;
    let names = content_words(&entity.name);
    let mut said = Vec::new();
    for memory in view.iter().flat_map(|view| &view.mentions).filter(|memory| asking.shown.admits(memory)) {
        let passage = asking.shown.passage(memory);
        let text = passage["text"].as_str().unwrap_or_default();
        said.push(json!({"text": window(text, &names, TEXT), "when": passage["when"]}));
        about.push(memory.clone());
    }
    Ok(json!({"name": entity.name, "type": entity.kind.name(), "said": said}))
}

/// Reads a reply about `pairs` numbered from 1. Of two decisions about one pair the first counts; what cannot
/// be read is left out.
pub fn read(reply: &Value, pairs: usize) -> Result<Vec<Decision>, String> {
    let list = reply.get("decisions").and_then(Value::as_array).ok_or("it has no `decisions`")?;
    let mut decisions: Vec<Decision> = Vec::new();
    for entry in list {
        let number = entry.get("number").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let Some(pair) = number.and_then(|number| number.checked_sub(1)).filter(|pair| *pair < pairs) else {
            continue;
        };
        let Some(same) = entry.get("same").and_then(Value::as_bool) else { continue };
        let confidence = entry.get("confidence").and_then(Value::as_f64).unwrap_or(0.0);
        if decisions.iter().any(|known| known.pair == pair) {
            continue;
        }
        let reason = entry.get("reason").and_then(Value::as_str).unwrap_or_default();
        let reason: String =
            reason.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect();
        decisions.push(Decision {
            pair,
            are_one: (SURE..=1.0).contains(&confidence).then_some(same),
            reason: if reason.is_empty() { "without a reason".to_string() } else { reason },
        });
    }
    Ok(decisions)
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"decisions": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "number": {"type": "integer"},
                "same": {"type": "boolean"},
                "confidence": {"type": "number"},
                "reason": {"type": "string"},
            },
            "required": ["number", "same", "confidence", "reason"],
            "additionalProperties": false,
        }}},
        "required": ["decisions"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sure_decisions_about_pairs_that_were_asked_count() {
        let reply = json!({"decisions": [
            {"number": 2, "same": true, "confidence": 0.9, "reason": " one\n thing "},
            {"number": 2, "same": false, "confidence": 1.0, "reason": "again"},
            {"number": 1, "same": true, "confidence": 0.5, "reason": ""},
            {"number": 3, "same": true, "confidence": 7, "reason": "too sure"},
            {"number": 0, "same": true, "confidence": 1.0}, {"number": 9, "same": true, "confidence": 1.0},
            {"number": "1"}, 7, {"number": 4, "same": "yes", "confidence": 1.0},
        ]});
        let found = read(&reply, 4).expect("it reads");
        let shown: Vec<(usize, Option<bool>, &str)> =
            found.iter().map(|one| (one.pair, one.are_one, one.reason.as_str())).collect();
        assert_eq!(
            shown,
            [(1, Some(true), "one thing"), (0, None, "without a reason"), (2, None, "too sure")]
        );
        assert!(read(&json!({"answer": []}), 1).is_err());
    }
}
