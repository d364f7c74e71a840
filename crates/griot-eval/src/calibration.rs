//! Is the score of a result the probability that it holds evidence, and what does a floor cost?
//!
//! Each pool of a set becomes a workspace, and is asked its own questions and questions of sets of the other
//! kind, which have no evidence there. The bins are of equal mass over the first ten results of every
//! question, without the floor. The curve asks the set's own questions again with each floor.

use std::collections::HashSet;
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

/// Results of a question that are counted.
const LIMIT: usize = 10;
const BINS: usize = 10;
/// Around the settings `recall.floor` and `hooks.floor`.
const FLOORS: [f32; 6] = [0.03, 0.05, 0.09, 0.15, 0.2, 0.3];

/// Compare the scores of results with the share that is evidence, and print what each floor shows and loses.
#[derive(Args)]
pub struct Options {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Questions of each set at most.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    /// Questions of sets of the other kind for each set at most.
    #[arg(long, default_value_t = 90)]
    foreign: usize,
    #[arg(long, default_value_t = 7)]
    seed: u64,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let (sets, embedder) = (dataset::read_all(&self.sets)?, self.embedder.open()?);
        let mut errors = Vec::new();
        for set in &sets {
            let measured = self.measure(set, &sets, &embedder)?;
            let bins = bins(measured.judged);
            errors.push(error(&bins));
            let questions = format!("{} own questions, {} foreign", measured.own, measured.foreign);
            let text = format!("{} ({questions})\n{}\n{}\n", set.name, table(&bins), curve(&measured.floors));
            output::print(&text)?;
        }
        if errors.len() > 1 {
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            output::print(&format!("mean of the sets: calibration error {mean:.3}\n"))?;
        }
        Ok(true)
    }

    fn measure(&self, set: &Set, sets: &[Set], embedder: &Arc<dyn Embedder>) -> Result<Measured> {
        let mut random = Random::new(self.seed);
        let own = random.some(set.queries.iter().filter(|query| query.is_answerable()), self.questions);
        let foreign = random.some(set.strangers(sets), self.foreign);
        let asked: HashSet<&str> = own.iter().map(|query| query.id.as_str()).collect();
        let pools = set.pools();
        let mut measured = Measured { own: own.len(), foreign: foreign.len(), ..Measured::default() };
        for (number, pool) in pools.iter().enumerate() {
            let mut workspace = Workspace::temporary(embedder)?;
            workspace.ingest(&pool.units)?;
            let workspace = workspace.finish()?;
            for query in pool.queries.iter().filter(|query| asked.contains(query.id.as_str())) {
                let all = scored(&workspace, &query.text, None, &query.gold)?;
                let before = recall(&all, query);
                for (floor, shown) in FLOORS.into_iter().zip(&mut measured.floors) {
                    let with = scored(&workspace, &query.text, Some(floor), &query.gold)?;
                    shown.count(&with, before - recall(&with, query));
                }
                measured.judged.extend(all);
            }
            // Each pool gets its share of the strangers.
            for query in foreign.iter().skip(number).step_by(pools.len()) {
                measured.judged.extend(scored(&workspace, &query.text, None, &[])?);
            }
        }
        Ok(measured)
    }
}

/// The score of a result, and whether it is evidence.
type Judged = (f64, bool);

#[derive(Default)]
struct Measured {
    own: usize,
    foreign: usize,
    judged: Vec<Judged>,
    floors: [Shown; FLOORS.len()],
}

/// The first results, without a floor or with one.
fn scored(workspace: &Workspace, question: &str, least: Option<f32>, gold: &[String]) -> Result<Vec<Judged>> {
    let query =
        griot::recall::Query { limit: LIMIT, floor: least.is_some(), least, ..workspace.query(question) };
    let answer = workspace.recall(&query)?;
    let is_gold = |unit: &str| gold.iter().any(|id| id == unit);
    let judged = answer
        .results
        .iter()
        .map(|result| (f64::from(result.score), workspace.unit(result.memory.id).is_some_and(is_gold)));
    Ok(judged.collect())
}

fn recall(judged: &[Judged], query: &Query) -> f64 {
    judged.iter().filter(|(_, is_evidence)| *is_evidence).count() as f64 / query.gold.len().max(1) as f64
}

/// What a floor shows of a set's own questions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Shown {
    questions: usize,
    answered: usize,
    results: usize,
    evidence: usize,
    /// Sum over the questions of recall at 10 without the floor less that with it.
    lost: f64,
}

impl Shown {
    fn count(&mut self, judged: &[Judged], lost: f64) {
        self.questions += 1;
        self.answered += usize::from(!judged.is_empty());
        self.results += judged.len();
        self.evidence += judged.iter().filter(|(_, is_evidence)| *is_evidence).count();
        self.lost += lost;
    }
}

#[derive(Clone, PartialEq, Debug)]
struct Bin {
    results: usize,
    mean: f64,
    evidence: f64,
}

/// Bins of equal mass, the lowest scores first; where the mass has a rest, the first ones have one more.
fn bins(mut judged: Vec<Judged>) -> Vec<Bin> {
    judged.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (share, rest) = (judged.len() / BINS, judged.len() % BINS);
    let mut bins = Vec::new();
    let mut after = judged.as_slice();
    for number in 0..BINS {
        let (bin, others) = after.split_at(share + usize::from(number < rest));
        after = others;
        if !bin.is_empty() {
            let size = bin.len() as f64;
            bins.push(Bin {
                results: bin.len(),
                mean: bin.iter().map(|(score, _)| score).sum::<f64>() / size,
                evidence: bin.iter().filter(|(_, is_evidence)| *is_evidence).count() as f64 / size,
            });
        }
    }
    bins
}

/// The expected calibration error: how far score and share are apart in the bin of a result.
fn error(bins: &[Bin]) -> f64 {
    let results: usize = bins.iter().map(|bin| bin.results).sum();
    let apart = |bin: &Bin| (bin.mean - bin.evidence).abs() * bin.results as f64;
    bins.iter().map(apart).sum::<f64>() / results.max(1) as f64
}

fn table(bins: &[Bin]) -> String {
    let mut text = format!("{:>8}{:>10}{:>10}\n", "results", "score", "evidence");
    for bin in bins {
        text += &format!("{:>8}{:>10.3}{:>10.3}\n", bin.results, bin.mean, bin.evidence);
    }
    text + &format!("calibration error {:.3}\n", error(bins))
}

fn curve(floors: &[Shown]) -> String {
    let mut text = format!("{:>8}{:>10}{:>10}{:>10}\n", "floor", "answered", "evidence", "R@10 lost");
    for (floor, shown) in FLOORS.iter().zip(floors) {
        let questions = shown.questions.max(1) as f64;
        text += &format!(
            "{floor:>8.2}{:>10.3}{:>10.3}{:>10.3}\n",
            shown.answered as f64 / questions,
            shown.evidence as f64 / shown.results.max(1) as f64,
            shown.lost / questions
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_have_equal_mass_and_rise() {
        let judged = (0..23).rev().map(|at| (f64::from(at) / 100.0, at >= 20)).collect();
        let bins = bins(judged);
        assert_eq!(bins.iter().map(|bin| bin.results).collect::<Vec<_>>(), [3, 3, 3, 2, 2, 2, 2, 2, 2, 2]);
        assert!((bins[0].mean - 0.01).abs() < 1e-12 && (bins[9].mean - 0.215).abs() < 1e-12, "{bins:?}");
        assert_eq!(bins.iter().map(|bin| bin.evidence).collect::<Vec<_>>()[7..], [0.0, 0.5, 1.0]);
        assert_eq!(super::bins(vec![(0.5, true)]), [Bin { results: 1, mean: 0.5, evidence: 1.0 }]);
    }

    #[test]
    fn the_error_weighs_bins_by_their_results() {
        let bin = |results, mean, evidence| Bin { results, mean, evidence };
        let error = error(&[bin(1, 0.9, 0.0), bin(3, 0.2, 0.3)]);
        assert!((error - 0.3).abs() < 1e-12, "{error}");
        assert_eq!(super::error(&[]), 0.0);
    }

    #[test]
    fn a_floor_shows_less_and_loses_what_it_hides() {
        let mut shown = Shown::default();
        shown.count(&[(0.4, true), (0.1, false)], 0.5);
        shown.count(&[], 0.0);
        let text = curve(&[shown]);
        assert_eq!(
            text.lines().last().map(|line| line.split_whitespace().collect::<Vec<_>>()),
            Some(vec!["0.03", "0.500", "0.500", "0.250"])
        );
    }
}
