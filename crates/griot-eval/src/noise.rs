//! Does a memory come back among unrelated ones, and does recall stay silent when nothing fits?
//!
//! Fifty facts are spread among 30, 120 and 500 unrelated notes of the same daily life; each is asked for in
//! other words than its own. Fifty nonsense or off-topic questions go to every workspace and should find
//! nothing. All texts are written for this suite and are in `data/`.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::{Result, Timestamp};
use serde::Deserialize;

use crate::baseline::Bm25;
use crate::dataset::{self, Unit};
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::workspace::Workspace;

/// Unrelated memories beside the facts.
const SIZES: [usize; 3] = [30, 120, 500];
/// Facts that must be among the first 10 at every size.
const FACTS_WANTED: usize = 48;
/// Off-topic questions that must find nothing at every size.
const SILENT_WANTED: usize = 45;
const WITHIN: usize = 10;

/// 2026-01-05T08:00:00Z; each further note comes half an hour later.
const START: i64 = 1_767_600_000_000;
const PACE: i64 = Timestamp::HOUR / 2;

/// Hide facts between unrelated memories, and ask what no memory can answer.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let embedder = self.embedder.open()?;
        let suite = Suite::load()?;
        let mut all_hold = true;
        for size in SIZES {
            let outcome = suite.measure(size, &embedder)?;
            all_hold &= outcome.holds();
            output::print(&line(&outcome, &suite.plain(size)?))?;
        }
        Ok(all_hold)
    }
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Fact {
    pub fact: String,
    pub question: String,
}

/// The texts of the suite.
#[derive(Clone, PartialEq, Debug)]
pub struct Suite {
    pub facts: Vec<Fact>,
    pub unrelated: Vec<&'static str>,
    pub off_topic: Vec<&'static str>,
}

/// What one size came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    pub unrelated: usize,
    /// Facts among the first 10, and as the very first.
    pub found: usize,
    pub first: usize,
    /// Questions whose fact was not found.
    pub missed: Vec<String>,
    /// Off-topic questions with an answer.
    pub answered: Vec<String>,
    pub off_topic: usize,
}

impl Outcome {
    pub fn holds(&self) -> bool {
        self.found >= FACTS_WANTED && self.off_topic - self.answered.len() >= SILENT_WANTED
    }
}

impl Suite {
    pub fn load() -> Result<Self> {
        let facts = include_str!("../data/noise_facts.jsonl");
        Ok(Self {
            facts: dataset::parse_lines(Path::new("noise_facts.jsonl"), facts)?,
            unrelated: include_str!("../data/noise_memories.txt").lines().collect(),
            off_topic: include_str!("../data/noise_off_topic.txt").lines().collect(),
        })
    }

    /// The facts spread evenly between the first `unrelated` notes. The unit of fact `i` has the id `fact/i`.
    pub fn units(&self, unrelated: usize) -> Vec<Unit> {
        let notes = &self.unrelated[..unrelated.min(self.unrelated.len())];
        let facts = self.facts.len();
        let total = facts + notes.len();
        let (mut fact, mut note) = (0, 0);
        (0..total)
            .map(|at| {
                // Fact k goes to position k·total/facts, so the first comes first and none crowd at the end.
                let (id, text) = if fact < facts && at >= fact * total / facts {
                    fact += 1;
                    (format!("fact/{}", fact - 1), self.facts[fact - 1].fact.as_str())
                } else {
                    note += 1;
                    (format!("note/{}", note - 1), notes[note - 1])
                };
                Unit {
                    id,
                    text: text.into(),
                    kind: "note".into(),
                    source: "diary".into(),
                    occurred_at: Some(Timestamp(START + PACE * at as i64)),
                    ..Unit::default()
                }
            })
            .collect()
    }

    /// Runs one size in a workspace of its own.
    pub fn measure(&self, unrelated: usize, embedder: &Arc<dyn Embedder>) -> Result<Outcome> {
        let mut workspace = Workspace::temporary(embedder)?;
        let units = self.units(unrelated);
        workspace.ingest(&units.iter().collect::<Vec<_>>())?;
        self.ask(unrelated, |question| workspace.ranking(question, WITHIN))
    }

    /// The same by plain BM25, which has no floor.
    pub fn plain(&self, unrelated: usize) -> Result<Outcome> {
        let units = self.units(unrelated);
        let index = Bm25::new(units.iter().map(|unit| unit.text.as_str()));
        let ids = |found: Vec<(u32, f64)>| found.iter().map(|f| units[f.0 as usize].id.clone()).collect();
        self.ask(unrelated, |question| Ok(ids(index.search(question, WITHIN))))
    }

    fn ask(&self, unrelated: usize, recall: impl Fn(&str) -> Result<Vec<String>>) -> Result<Outcome> {
        let mut outcome = Outcome { unrelated, off_topic: self.off_topic.len(), ..Outcome::default() };
        for (number, fact) in self.facts.iter().enumerate() {
            let wanted = format!("fact/{number}");
            match recall(&fact.question)?.iter().take(WITHIN).position(|id| *id == wanted) {
                Some(rank) => {
                    outcome.found += 1;
                    outcome.first += usize::from(rank == 0);
                }
                None => outcome.missed.push(fact.question.clone()),
            }
        }
        for question in &self.off_topic {
            if !recall(question)?.is_empty() {
                outcome.answered.push((*question).to_owned());
            }
        }
        Ok(outcome)
    }
}

/// One size beside plain word search, with the questions that went wrong.
fn line(outcome: &Outcome, plain: &Outcome) -> String {
    let facts = outcome.found + outcome.missed.len();
    let silent = |of: &Outcome| of.off_topic - of.answered.len();
    let mut text = format!(
        "{:>4} unrelated: {} of {facts} facts in the first 10 (wanted {}; BM25 {}), {} first (BM25 {}); \
         silent for {} of {} off-topic questions (wanted {}; BM25 {})\n",
        outcome.unrelated,
        outcome.found,
        FACTS_WANTED,
        plain.found,
        outcome.first,
        plain.first,
        silent(outcome),
        outcome.off_topic,
        SILENT_WANTED,
        silent(plain)
    );
    for (what, questions) in [("missed", &outcome.missed), ("answered", &outcome.answered)] {
        text.extend(questions.iter().map(|question| format!("     {what}: {question}\n")));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn suite() -> Suite {
        Suite::load().expect("the data of this crate")
    }

    #[test]
    fn there_are_fifty_facts_and_questions_and_enough_notes() {
        let suite = suite();
        assert_eq!((suite.facts.len(), suite.unrelated.len(), suite.off_topic.len()), (50, 500, 50));
        let mut texts = HashSet::new();
        let facts = suite.facts.iter().flat_map(|f| [f.fact.as_str(), f.question.as_str()]);
        for text in facts.chain(suite.unrelated.iter().copied()).chain(suite.off_topic.iter().copied()) {
            assert!(!text.trim().is_empty() && texts.insert(text), "{text:?} is empty or there twice");
        }
    }

    #[test]
    fn facts_are_spread_between_the_notes() {
        let suite = suite();
        for size in SIZES {
            let units = suite.units(size);
            assert_eq!(units.len(), size + 50);
            let ids: HashSet<&str> = units.iter().map(|u| u.id.as_str()).collect();
            assert_eq!(ids.len(), units.len());
            let facts: Vec<usize> = (0..units.len()).filter(|&i| units[i].id.starts_with("fact/")).collect();
            assert_eq!(facts[0], 0);
            let gaps: Vec<usize> = facts.windows(2).map(|w| w[1] - w[0]).collect();
            assert!(gaps.iter().max() <= Some(&(gaps.iter().min().unwrap_or(&0) + 1)), "{gaps:?}");
            assert!(units.is_sorted_by_key(|u| u.occurred_at));
        }
    }

    /// Fair: words alone find nearly every fact. Hard enough: they do not find all of them first.
    #[test]
    fn plain_search_finds_most_facts_and_is_not_silent() {
        let outcome = suite().plain(500).expect("nothing can fail");
        assert!(outcome.found >= 45, "{:#?}", outcome.missed);
        assert!(outcome.first < 50);
        assert!(outcome.answered.len() > 5, "silence takes more than words");
    }

    #[test]
    fn counts_and_bars() {
        let suite = suite();
        let number = |question: &str| suite.facts.iter().position(|fact| fact.question == question);
        let all = |question: &str| Ok(number(question).map(|at| format!("fact/{at}")).into_iter().collect());
        let silent = suite.ask(30, |_| Ok(Vec::new())).expect("nothing can fail");
        assert_eq!((silent.found, silent.answered.len(), silent.holds()), (0, 0, false));
        let perfect = suite.ask(30, all).expect("nothing can fail");
        assert_eq!((perfect.found, perfect.first, perfect.holds()), (50, 50, true));
    }
}
