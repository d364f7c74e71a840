//! How often do the rules read the intent of a question right?
//!
//! The questions and the rules for their labels are in `data/intents.tsv`. Rules may be improved by the
//! mistakes of the half `tune`; the half `held` is only counted, so that it stays a measure.

use griot::model::{Error, Result};
use griot::text::{Intent, read_intent};

use crate::dataset;

const HALVES: [&str; 2] = ["tune", "held"];

/// A line of the set.
#[derive(Clone, PartialEq, Debug)]
struct Question {
    half: &'static str,
    language: &'static str,
    intent: Intent,
    /// Words of several intents meet in it.
    hard: bool,
    text: &'static str,
}

/// Questions of the half `held`: how many are read right, and how many there are.
pub fn measure_held() -> Result<(usize, usize)> {
    let mut held = questions()?;
    held.retain(|question| question.half == "held");
    let right = held.iter().filter(|question| read_intent(question.text).intent == question.intent);
    Ok((right.count(), held.len()))
}

fn questions() -> Result<Vec<Question>> {
    parse(include_str!("../data/intents.tsv"))
}

fn parse(text: &'static str) -> Result<Vec<Question>> {
    let rows = dataset::columns("data/intents.tsv", text)?;
    let questions = rows.into_iter().map(|row| {
        let why = "the columns are half (tune, held), language, intent, hard (0, 1) and question";
        question(row).ok_or_else(|| Error::invalid(format!("read {row:?} in data/intents.tsv"), why))
    });
    questions.collect()
}

fn question([half, language, intent, hard, text]: [&'static str; 5]) -> Option<Question> {
    Some(Question {
        half: HALVES.into_iter().find(|known| *known == half)?,
        language,
        intent: Intent::parse(intent)?,
        hard: ["0", "1"].iter().position(|known| *known == hard)? == 1,
        text,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;

    fn all() -> Vec<Question> {
        questions().expect("the data of this crate")
    }

    /// FNV-1a, 64 bits.
    fn hash(text: &str) -> u64 {
        text.bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    #[test]
    fn the_held_half_is_read_right() {
        let (right, asked) = measure_held().expect("the data of this crate");
        assert!(right * 100 >= asked * 93, "{right} of {asked}");
    }

    #[test]
    fn the_set_has_questions_of_every_kind() {
        let questions = all();
        let texts: HashSet<&str> = questions.iter().map(|question| question.text).collect();
        assert_eq!(texts.len(), questions.len());
        assert!(questions.len() >= 480);
        for intent in Intent::ALL {
            let name = intent.name();
            let of_intent = || questions.iter().filter(|question| question.intent == intent);
            assert!(of_intent().count() >= 120, "{name}");
            assert!(of_intent().filter(|question| question.hard).count() >= 25, "{name}");
            for language in ["english", "german", "french", "spanish", "chinese"] {
                assert!(
                    of_intent().filter(|question| question.language == language).count() >= 15,
                    "{language} {name}"
                );
            }
        }
    }

    #[test]
    fn the_halves_are_dealt_by_hash() {
        let questions = all();
        let mut strata: BTreeMap<(&str, usize), Vec<&Question>> = BTreeMap::new();
        for question in &questions {
            strata.entry((question.language, question.intent as usize)).or_default().push(question);
        }
        for stratum in strata.values_mut() {
            stratum.sort_by_key(|question| hash(question.text));
            for (at, question) in stratum.iter().enumerate() {
                assert_eq!(question.half, HALVES[at % 2], "{}", question.text);
            }
        }
    }

    #[test]
    fn a_bad_line_is_refused() {
        assert!(parse("tune\tenglish\twhy\t0\tWhy?").is_ok());
        for line in ["tune\tenglish\twhy\t0", "test\tenglish\twhy\t0\tWhy?", "tune\tenglish\twho\t0\tWho?"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
