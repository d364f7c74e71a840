//! Orders the candidates: weighted sum of the signals, trees for the best, relevance floor.

use crate::model::Result;
use crate::text;

use super::candidates::Candidate;
use super::forest::Forest;
use super::pack::relevance;
use super::signals::{Ranker, SignalName, Values};
use super::{Context, Question, Run};

pub fn score(candidates: &mut [Candidate], ranker: &Ranker) {
    for candidate in candidates {
        candidate.score = ranker.score(candidate.genre(), &candidate.values);
    }
}

/// Blends the two scores: trees if there are many candidates, the weighted sum if there are few. The trees
/// were trained to pick one candidate out of a hundred and are unreliable on two or three.
pub struct Order<'a> {
    ranker: &'a Ranker,
    forest: Option<&'a Forest>,
    /// The weight of the trees in the score.
    trees: f32,
}

/// From this many candidates on the trees alone decide. The smallest training worlds have about 50 memories.
const MANY: usize = 40;

impl Order<'_> {
    pub fn rank(&self, candidates: &mut [Candidate]) {
        if self.trees < 1.0 {
            score(candidates, self.ranker);
        }
        let Some(forest) = self.forest else { return };
        let values: Vec<Values> = candidates.iter().map(|c| c.values).collect();
        for (candidate, by_trees) in candidates.iter_mut().zip(forest.scores(&values)) {
            candidate.score = self.blend(by_trees, candidate.score);
        }
    }

    fn blend(&self, trees: f32, sum: f32) -> f32 {
        if self.trees < 1.0 { self.trees * trees + (1.0 - self.trees) * sum } else { trees }
    }

    /// The contribution of each signal to the score.
    pub fn shares(&self, candidate: &Candidate) -> Values {
        let sum = self.ranker.shares(candidate.genre(), &candidate.values);
        let Some(forest) = self.forest else { return sum };
        let trees = forest.shares(&candidate.values);
        std::array::from_fn(|at| self.blend(trees[at], sum[at]))
    }
}

/// Drops all but the best candidates, compares these with the top ones, and orders them.
pub fn order<'a>(run: &mut Run<'a>) -> Result<Order<'a>> {
    run.scored = run.pool.candidates.len();
    run.pool.keep_best(run.limits.ranked);
    run.pool.compare_with_best(&run.question)?;
    let Context { ranker, forest, .. } = *run.question.context;
    let share_of_trees = (run.pool.candidates.len() as f32 / MANY as f32).min(1.0);
    let order = Order { ranker, forest, trees: forest.map_or(0.0, |_| share_of_trees) };
    order.rank(&mut run.pool.candidates);
    Ok(order)
}

/// Splits the ordered candidates into relevant ones and those below the floor.
pub fn floor(run: &mut Run<'_>) -> (Vec<Candidate>, Vec<Candidate>) {
    let mut ranked = std::mem::take(&mut run.pool.candidates);
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    part(ranked, &run.question)
}

/// The reason for an empty answer; `None` if there are results or there was no candidate.
pub fn abstained(run: &Run<'_>, ranked: &[Candidate], below: &[Candidate]) -> Option<String> {
    (ranked.is_empty() && run.scored > 0).then(|| {
        let nearest = below.iter().map(relevance).fold(0.0, f32::max);
        let floor = run.question.context.settings.recall.floor;
        format!(
            "nothing relevant: the nearest of {} candidates reaches {nearest:.2} of {floor:.2}",
            run.scored
        )
    })
}

fn part(ranked: Vec<Candidate>, question: &Question<'_>) -> (Vec<Candidate>, Vec<Candidate>) {
    let understood = &question.understood;
    let least = question.context.settings.recall.floor;
    if !question.query.floor {
        return (ranked, Vec::new());
    }
    // "Why did it not start on the 20th?" asks for more than a time, even if no other word is left.
    if understood.only_time && understood.intent.intent != text::Intent::Why {
        return ranked.into_iter().partition(|c| c.values[SignalName::Time as usize] >= 1.0);
    }
    let best = ranked.iter().map(relevance).fold(0.0, f32::max);
    if best < least {
        return (Vec::new(), ranked);
    }
    // A candidate found by the graph, its session or its time need not match by its words.
    ranked.into_iter().partition(|c| {
        relevance(c) >= least * 0.5
            || c.values[SignalName::Graph as usize] > 0.0
            || c.values[SignalName::BridgeOpen as usize] > 0.0
            || c.values[SignalName::Place as usize] > 0.5
            || c.values[SignalName::Time as usize] >= 1.0
    })
}
