//! Does a workspace from which something was erased answer as one that never held it? The rest is exported,
//! imported into a new workspace, and both are asked the same questions at the same time.

use griot::engine::Engine;
use griot::model::{Memory, Result};
use griot::recall::{Query, RecallResult};
use griot::rollout::Strategy;
use serde::Serialize;

use super::{Folders, open};
use crate::peer::Installation;
use crate::random::Random;
use crate::workspace::Workspace;

/// Words of a text that a question has.
const WORDS: usize = 6;
/// Scores closer than this are one score: sums of the same numbers in another order.
const SAME: f32 = 1e-5;
/// How many differing answers are shown.
const SHOWN: usize = 5;

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Answers {
    pub asked: usize,
    /// The same memories in the same order with the same scores.
    pub equal: usize,
    /// Equal but for which of several memories with one score comes first, or is the last that is shown.
    pub tied: usize,
    pub different: usize,
    /// The first questions whose answers differ, with how.
    pub examples: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agreement {
    Equal,
    Tied,
    Different,
}

/// One of these results: what identifies a memory in both workspaces, and its score.
type Scored = (String, f32);

pub fn compare(
    griot: &Installation,
    folders: &Folders<'_>,
    questions: usize,
    random: &mut Random,
) -> Result<Answers> {
    let file = folders.beside.join("rest.jsonl").to_string_lossy().into_owned();
    griot.run(&["export", &file])?;
    let folder = folders.beside.join("fresh");
    let fresh = Installation { database: Workspace::file(&folder), ..griot.clone() };
    fresh.run(&["import", &file])?;
    let (erased_from, imported) = (open(&griot.database)?, open(&fresh.database)?);
    let now = erased_from.now();
    let texts = super::memories(&erased_from)?;
    let mut answers = Answers::default();
    let questions = if texts.is_empty() { 0 } else { questions };
    for number in 0..questions {
        let question = question(&texts[random.below(texts.len())], number, random);
        let ask = |engine: &Engine| -> Result<Vec<Scored>> {
            let strategy = Some(if number % 2 == 0 { Strategy::HybridGraph } else { Strategy::Baseline });
            let found =
                engine.recall(&Query { floor: false, strategy, ..Query::new(question.as_str(), now) })?;
            Ok(found.results.iter().map(scored).collect())
        };
        let (own, other) = (ask(&erased_from)?, ask(&imported)?);
        answers.asked += 1;
        match agreement(&own, &other) {
            Agreement::Equal => answers.equal += 1,
            Agreement::Tied => answers.tied += 1,
            Agreement::Different => {
                answers.different += 1;
                if answers.examples.len() < SHOWN {
                    answers.examples.push(format!("{question:?}: {own:?} {other:?}"));
                }
            }
        }
    }
    erased_from.close()?;
    imported.close()?;
    Ok(answers)
}

fn scored(result: &RecallResult) -> Scored {
    (result.memory.id.to_string(), result.score)
}

/// Words in a row of a text that is still there; every third one asks for a reason, every third for a time.
fn question(memory: &Memory, number: usize, random: &mut Random) -> String {
    let words: Vec<&str> = memory.text.split_whitespace().collect();
    let first = random.below(words.len().saturating_sub(WORDS) + 1);
    let piece = words[first..words.len().min(first + WORDS)].join(" ");
    match number % 3 {
        0 => piece,
        1 => format!("why {piece}?"),
        _ => format!("when {piece}?"),
    }
}

fn agreement(own: &[Scored], other: &[Scored]) -> Agreement {
    let same = |a: f32, b: f32| (a - b).abs() <= SAME;
    if own.len() != other.len() || own.iter().zip(other).any(|(a, b)| !same(a.1, b.1)) {
        return Agreement::Different;
    }
    if own.iter().zip(other).all(|(a, b)| a.0 == b.0) {
        return Agreement::Equal;
    }
    // What is in one answer alone has the last score: others with the same one were cut off.
    let last = own.last().map_or(0.0, |last| last.1);
    let fits = |one: &Scored, answer: &[Scored]| match answer.iter().find(|(id, _)| *id == one.0) {
        Some((_, score)) => same(*score, one.1),
        None => same(one.1, last),
    };
    let is_tie = own.iter().all(|one| fits(one, other)) && other.iter().all(|one| fits(one, own));
    if is_tie { Agreement::Tied } else { Agreement::Different }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_memories_of_one_score_may_change_places() {
        let answer = |text: &str| -> Vec<Scored> {
            let parse = |one: &str| (one[..1].to_string(), one[1..].parse().expect("a score"));
            text.split_whitespace().map(parse).collect()
        };
        let check = |own: &str, other: &str, expected| {
            assert_eq!(agreement(&answer(own), &answer(other)), expected, "{own} and {other}");
        };
        check("a.9 b.8 c.8", "a.9 b.8 c.8", Agreement::Equal);
        check("a.9 b.8 c.8", "a.9 c.8 b.8", Agreement::Tied);
        check("a.9 b.8", "a.9 c.8", Agreement::Tied);
        check("a.9 b.8", "b.9 a.8", Agreement::Different);
        check("a.9 b.8", "c.9 b.8", Agreement::Different);
        check("a.9 b.8", "a.9 b.79", Agreement::Different);
        check("a.9 b.8", "a.9", Agreement::Different);
        check("", "", Agreement::Equal);
    }
}
