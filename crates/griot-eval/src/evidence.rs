//! Into how many tokens does the whole evidence of a question fit?
//!
//! The engine packs the results of each question into a budget, counting tokens as it does for a caller, and
//! without the relevance floor. A question counts when all its evidence is packed.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::Result;

use crate::dataset::{self, Query, Set};
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::random::Random;
use crate::workspace::Workspace;

/// Tokens.
const BUDGETS: [usize; 5] = [250, 500, 1000, 2000, 4000];

/// Count the questions whose whole evidence is packed into a budget of tokens.
#[derive(Args)]
pub struct Options {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Questions of each set at most.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    #[arg(long, default_value_t = 7)]
    seed: u64,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let (sets, embedder) = (dataset::read_all(&self.sets)?, self.embedder.open()?);
        let mut text = format!("{:20}{:>6}{:>10}", "set", "n", "at least");
        text.extend(BUDGETS.iter().map(|budget| format!("{budget:>8}")));
        output::print(&(text + "\n"))?;
        for set in &sets {
            output::print(&self.measure(set, &embedder)?.line(&set.name))?;
        }
        Ok(true)
    }

    fn measure(&self, set: &Set, embedder: &Arc<dyn Embedder>) -> Result<Packed> {
        let answerable = set.queries.iter().filter(|query| query.is_answerable());
        let asked = Random::new(self.seed).some(answerable, self.questions);
        let mut packed = Packed::default();
        for pool in set.pools() {
            let mut workspace = Workspace::temporary(embedder)?;
            workspace.ingest(&pool.units)?;
            let workspace = workspace.finish()?;
            for query in asked.iter().filter(|query| query.pool == pool.name) {
                let whole: usize = pool
                    .units
                    .iter()
                    .filter(|unit| query.gold.contains(&unit.id))
                    .map(|unit| griot::recall::tokens(unit.body()))
                    .sum();
                let mut found = [false; BUDGETS.len()];
                for (budget, found) in BUDGETS.into_iter().zip(&mut found) {
                    let answer = workspace.recall(&griot::recall::Query {
                        budget: Some(budget),
                        floor: false,
                        ..workspace.query(&query.text)
                    })?;
                    *found = is_whole(query, &workspace.ranked(&answer));
                }
                packed.count(found, whole);
            }
        }
        Ok(packed)
    }
}

fn is_whole(query: &Query, packed: &[String]) -> bool {
    query.gold.iter().all(|gold| packed.contains(gold))
}

/// Questions of a set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Packed {
    questions: usize,
    /// Whose whole evidence is packed, by budget.
    whole: [usize; BUDGETS.len()],
    /// Sum of the tokens of the evidence itself: what a perfect ranking needs.
    tokens: usize,
}

impl Packed {
    fn count(&mut self, found: [bool; BUDGETS.len()], tokens: usize) {
        self.questions += 1;
        self.tokens += tokens;
        for (whole, found) in self.whole.iter_mut().zip(found) {
            *whole += usize::from(found);
        }
    }

    /// The mean tokens of the evidence itself, then the share of the questions by budget.
    fn line(&self, set: &str) -> String {
        let questions = self.questions.max(1) as f64;
        let mut text = format!("{set:20}{:>6}{:>10.0}", self.questions, self.tokens as f64 / questions);
        text.extend(self.whole.iter().map(|whole| format!("{:>8.3}", *whole as f64 / questions)));
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_whole_or_does_not_count() {
        let query = Query { gold: vec!["a".into(), "b".into()], ..Query::default() };
        let ids = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(is_whole(&query, &ids("b x a")));
        assert!(!is_whole(&query, &ids("b x")));
    }

    #[test]
    fn a_line_has_the_share_for_each_budget() {
        let mut packed = Packed::default();
        packed.count([false, false, true, true, true], 100);
        packed.count([false, true, false, true, true], 51);
        let line = packed.line("set");
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>(),
            ["set", "2", "76", "0.000", "0.500", "0.500", "1.000", "1.000"]
        );
    }
}
