//! Compares the relevance of answers with and without the graph on questions with known answers.

use super::window::Tally;
use crate::model::{Node, Scope};

/// Number of results evaluated per question.
pub const DEPTH: usize = 10;

/// A labelled question.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedQuery {
    pub query: String,
    /// Handles or ids of the expected memories.
    pub relevant: Vec<String>,
    pub scope: Scope,
}

/// The quality of one result list.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Relevance {
    /// nDCG of the first ten results, 1 for the best order.
    pub ndcg: f64,
    /// Recall of the first ten results.
    pub recall: f64,
}

/// One question under both strategies.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedAnswer {
    pub query: String,
    pub baseline: Relevance,
    /// `None` if the graph failed.
    pub graph: Option<Relevance>,
}

/// The evaluation of a file of labelled questions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judgement {
    pub answers: Vec<JudgedAnswer>,
}

impl Judgement {
    /// Relevance of baseline and graph for the questions for which both were measured.
    fn both(&self) -> impl Iterator<Item = (Relevance, Relevance)> {
        self.answers.iter().filter_map(|answer| Some((answer.baseline, answer.graph?)))
    }

    /// Mean relevance of baseline and graph over the questions for which both were measured.
    pub fn means(&self) -> (Relevance, Relevance) {
        let (baseline, graph): (Vec<_>, Vec<_>) = self.both().unzip();
        (mean(&baseline), mean(&graph))
    }

    /// The counts of this evaluation. A failure of the graph counts as one in shadow.
    pub fn tally(&self) -> Tally {
        let failed = self.failed() as f64;
        let mut tally = Tally { shadow_executions: failed, shadow_errors: failed, ..Tally::default() };
        for (baseline, graph) in self.both() {
            tally.judged += 1.0;
            tally.judged_baseline_ndcg += baseline.ndcg;
            tally.judged_graph_ndcg += graph.ndcg;
        }
        tally
    }

    pub fn failed(&self) -> usize {
        self.answers.iter().filter(|answer| answer.graph.is_none()).count()
    }

    /// Number of questions on which the graph ranks better, and on which it ranks worse.
    pub fn better_and_worse(&self) -> (usize, usize) {
        let differs = |sign: f64| {
            self.both().filter(|(baseline, graph)| (graph.ndcg - baseline.ndcg) * sign > 1e-9).count()
        };
        (differs(1.0), differs(-1.0))
    }
}

fn mean(all: &[Relevance]) -> Relevance {
    let mean = |of: fn(&Relevance) -> f64| all.iter().map(of).sum::<f64>() / all.len().max(1) as f64;
    Relevance { ndcg: mean(|one| one.ndcg), recall: mean(|one| one.recall) }
}

/// Compares results with the expected memories, all of equal value.
pub fn relevance(results: &[Node], relevant: &[Node]) -> Relevance {
    let mut wanted = relevant.to_vec();
    wanted.sort();
    wanted.dedup();
    if wanted.is_empty() {
        return Relevance::default();
    }
    let discount = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let hits: Vec<usize> =
        (0..results.len().min(DEPTH)).filter(|rank| wanted.contains(&results[*rank])).collect();
    let best: f64 = (0..wanted.len().min(DEPTH)).map(discount).sum();
    Relevance {
        ndcg: hits.iter().map(|rank| discount(*rank)).sum::<f64>() / best,
        recall: hits.len() as f64 / wanted.len() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_is_1_for_the_best_order_and_less_for_any_other() {
        let nodes = |numbers: &[u32]| -> Vec<Node> { numbers.iter().map(|n| Node::memory(*n)).collect() };
        let of = |results: &[u32], relevant: &[u32]| relevance(&nodes(results), &nodes(relevant));
        assert_eq!(of(&[1, 2, 3], &[2, 1]), Relevance { ndcg: 1.0, recall: 1.0 });
        assert_eq!(of(&[4, 5], &[1]), Relevance::default());
        assert_eq!(of(&[], &[]), Relevance::default());
        // 1/log2(3) at rank 2.
        let second = of(&[9, 1], &[1]);
        assert!((second.ndcg - 0.630_929_753).abs() < 1e-6 && second.recall == 1.0, "{second:?}");
        let far: Vec<u32> = (10..20).chain([1]).collect();
        assert_eq!(of(&far, &[1]), Relevance::default(), "the eleventh does not count");
        assert_eq!(of(&[1, 9], &[1, 2]).recall, 0.5);
    }
}
