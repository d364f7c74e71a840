//! Lets a language model decide which entities are one: spelling and the vectors of names propose, it
//! decides.
//!
//! A merge is logged with the model as its author and can be undone. A pair that the model holds to be two is
//! not asked about again; where it is not sure, a person finds the pair among the suggestions, and the model
//! is asked again only on request.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use griot::Engine;
use griot::engine::MergeQuestion;
use griot::model::{Entity, Error, Memory, Merge, Result};
use griot::text::{content_words, window};
use griot_models::{Failure, LanguageModel, Run, Spent};
use serde_json::{Value, json};

use crate::reply::{confidence, get, index, line, list_of, listed, object, plain};
use crate::run::priced;
use crate::shown::{Shown, clean};
use crate::task::{Asking, Request, is_about_texts};

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
const SURE: f32 = 0.8;
/// Characters of a reason; the rest is cut.
const REASON: usize = 300;

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

/// About what asking about pairs would send. Replies that cannot be used lead to more.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MergeEstimate {
    pub pairs: u64,
    pub calls: u64,
    pub input: u64,
    pub output: u64,
    /// In the currency of the prices; `None` without a price.
    pub cost: Option<f64>,
}

/// A decision about the pair at this position.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    pub pair: usize,
    /// `None`: not sure.
    pub are_one: Option<bool>,
    pub reason: String,
}

/// Which pairs to ask about.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairs {
    /// At most so many, the likeliest first.
    pub most: Option<usize>,
    /// Also those about which a model was not sure.
    pub again: bool,
}

/// Asks about pairs of entities, and merges those that are one.
pub fn judge_merges(
    engine: &Engine,
    database: &Path,
    asked: Pairs,
    progress: &dyn Fn(u64, u64),
    stop: &AtomicBool,
) -> Result<Judged> {
    let settings = &engine.settings().model;
    let model = LanguageModel::new(settings).map_err(Error::from)?;
    let run = Run::new(engine.now());
    let asking = Asking::new(engine, database, &model, &run)?;
    let mut questions = engine.merge_questions(FOR_A_NAME, asked.again)?;
    let all = questions.len();
    questions.truncate(asked.most.unwrap_or(usize::MAX));
    let mut judged = Judged::default();
    let mut batches: Vec<&[MergeQuestion]> = questions.chunks(BATCH).rev().collect();
    while let Some(batch) = batches.pop()
        && !stop.load(Ordering::Relaxed)
    {
        match ask(&asking, batch) {
            Ok(decisions) => {
                for decision in decisions {
                    settle(engine, &mut judged, &batch[decision.pair], &decision)?;
                }
            }
            Err(failure) if is_about_texts(failure.kind) => {
                // A single pair is left: someone may ask again with another model.
                if batch.len() > 1 {
                    let (first, second) = batch.split_at(batch.len() / 2);
                    batches.extend([second, first]);
                }
            }
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

/// What asking about these pairs would send, at most. Asks no model.
pub fn estimate_merges(engine: &Engine, asked: Pairs) -> Result<MergeEstimate> {
    let settings = &engine.settings().model;
    let shown = Shown::new(engine, settings)?;
    let mut questions = engine.merge_questions(FOR_A_NAME, asked.again)?;
    questions.truncate(asked.most.unwrap_or(usize::MAX));
    let mut estimate = MergeEstimate { pairs: questions.len() as u64, ..MergeEstimate::default() };
    for batch in questions.chunks(BATCH) {
        let (request, _) = request(&shown, batch)?;
        estimate.calls += 1;
        estimate.input += request.question(&[]).estimate();
        estimate.output += settings.max_output_tokens as u64;
    }
    estimate.cost = priced(settings, estimate.input, estimate.output);
    Ok(estimate)
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
    let (request, about) = request(&asking.shown, batch)?;
    asking.ask(&request, &about, |reply| read(reply, batch.len()))
}

/// The request about these pairs, and the memories that it quotes.
fn request(sent: &Shown<'_>, batch: &[MergeQuestion]) -> Result<(Request, Vec<Memory>)> {
    let mut about: Vec<Memory> = Vec::new();
    let mut pairs = Vec::with_capacity(batch.len());
    for (at, question) in batch.iter().enumerate() {
        let mut shown = |entity: &Entity| shown(sent, entity, &mut about);
        pairs.push(json!({"number": at + 1, "a": shown(&question.kept)?, "b": shown(&question.merged)?}));
    }
    let request = Request {
        purpose: PURPOSE,
        version: VERSION,
        task: TASK.to_string(),
        content: json!({ "pairs": pairs }).to_string(),
        about: batch.len(),
        form: "decisions",
        schema: Some(schema()),
    };
    Ok((request, about))
}

/// The entity as the model gets it; adds the memories that are quoted. What is merged is one for every user,
/// so that no text of a user may decide about it, even where such texts may be sent.
fn shown(sent: &Shown<'_>, entity: &Entity, about: &mut Vec<Memory>) -> Result<Value> {
    let names = content_words(&entity.name);
    let mut said = Vec::new();
    for memory in sent.engine.shared_mentions(entity.node, TEXTS)? {
        let passage = sent.passage(&memory);
        let text = passage["text"].as_str().unwrap_or_default();
        said.push(json!({"text": window(text, &names, TEXT), "when": passage["when"]}));
        about.push(memory);
    }
    Ok(json!({"name": clean(&entity.name), "type": entity.kind.name(), "said": said}))
}

/// Reads a reply about `pairs` numbered from 1. Of two decisions about one pair the first counts; what cannot
/// be read is left out.
pub fn read(reply: &Value, pairs: usize) -> Result<Vec<Decision>, String> {
    let list = listed(reply, "decisions").ok_or("it has no `decisions`")?;
    let mut decisions: Vec<Decision> = Vec::new();
    for decision in list.iter().filter_map(|entry| decision(entry, pairs)) {
        if !decisions.iter().any(|known| known.pair == decision.pair) {
            decisions.push(decision);
        }
    }
    match decisions.is_empty() && !list.is_empty() {
        true => Err("no entry of its list is a decision".to_string()),
        false => Ok(decisions),
    }
}

fn decision(entry: &Value, pairs: usize) -> Option<Decision> {
    let pair = index(entry.get("number")?)?.checked_sub(1).filter(|pair| *pair < pairs)?;
    let same = entry.get("same")?.as_bool()?;
    let is_sure = entry.get("confidence").and_then(confidence).is_some_and(|one| one >= SURE);
    let reason = get(entry, &["reason"]).and_then(Value::as_str).map(|reason| line(reason, REASON));
    let reason = reason.filter(|reason| !reason.is_empty());
    Some(Decision {
        pair,
        are_one: is_sure.then_some(same),
        reason: reason.unwrap_or_else(|| "without a reason".to_string()),
    })
}

fn schema() -> Value {
    let decision = object(&[
        ("number", plain("integer")),
        ("same", plain("boolean")),
        ("confidence", plain("number")),
        ("reason", plain("string")),
    ]);
    object(&[("decisions", list_of(decision))])
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
