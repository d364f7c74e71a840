//! Long texts of which one part answers.

use griot::engine::Engine;
use griot::model::SourceType;
use griot::recall::{Query, RecallResult};
use griot::remember::{Draft, SourceDraft};

use crate::support::{ask, opened, remember};

const QUESTION: &str = "How do I hide a commit that only reformats code?";
const ANSWER: &str = "An option hides commits which just change the formatting of the source code.";
/// Another text with words of the question.
const OTHER: &str = "The clerk only reformats old lists.";
const FILLING: [&str; 4] = [
    "The report is written once a day and kept for a month in the archive of the office.",
    "Visitors ring at the gate, sign the book and get a badge for the day of their stay.",
    "The harbour office opens at eight and closes at noon, except on market days in summer.",
    "Each boat has a number, a berth and an owner who pays the fee at the end of a season.",
];

fn part(result: &RecallResult) -> f32 {
    result.signals.iter().find(|signal| signal.name == "part").map_or(0.0, |signal| signal.value)
}

fn found(engine: &Engine, question: &str) -> Vec<RecallResult> {
    engine.recall(&Query { floor: false, ..ask(question) }).unwrap().results
}

#[test]
fn the_part_of_a_long_text_that_answers_counts() {
    let (_folder, engine) = opened();
    let source = SourceDraft::new(SourceType::File, "manual.md");
    let passage = |text: &str| Draft { kind: Some("passage".into()), ..Draft::new(text) };
    let filling = FILLING.join(" ");
    let around = |text: &str| passage(&format!("{filling} {text} {filling}"));
    let drafts = vec![around(OTHER), around(ANSWER)];
    engine.remember_all(&source, drafts).unwrap();
    let results = found(&engine, QUESTION);
    let parts: Vec<f32> = results.iter().map(part).collect();
    assert!(results[0].memory.text.contains(ANSWER), "{parts:?}");
    assert!(parts[0] > parts[1], "{parts:?}");

    let timed = found(&engine, "How was a commit hidden in May 2026?");
    assert!(!timed.is_empty() && timed.iter().all(|result| part(result) == 0.0));
}

#[test]
fn a_short_text_is_no_part() {
    let (_folder, engine) = opened();
    remember(&engine, ANSWER);
    remember(&engine, OTHER);
    let results = found(&engine, QUESTION);
    assert!(results.len() == 2 && results.iter().all(|result| part(result) == 0.0));
}
