//! What is each part of recall worth?
//!
//! A part is taken away and the ranking trees are grown again without it, because trees that expect a signal
//! and do not get it show what a broken engine loses, not what the part is worth. Both are cross-validated:
//! every question is ranked by trees that have not seen it. The two results of a question are compared with
//! each other, and the interval of their mean difference comes from a bootstrap over clusters: conversations
//! where a set has several pools, else the articles that the first evidence stands in. Questions of one
//! cluster are drawn together.

use std::collections::BTreeMap;
use std::sync::Arc;

use griot::embed::Embedder;
use griot::model::{Error, Result};
use griot::recall::{Effort, Ranker, SIGNALS, SignalName};
use serde::Serialize;

use crate::dataset::Set;
use crate::forest::Growth;
use crate::random::Random;
use crate::score::Measures;
use crate::train::{self, Asking, Training};

/// Something that recall could do without.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Part {
    /// The walk, what it brings in, and the causes it follows.
    Graph,
    Time,
    /// Causes right behind their effects in the answer to a why-question.
    Causal,
    Entity,
    Neighbours,
    /// Trees in place of a weighted sum.
    Learned,
}

impl Part {
    pub const ALL: [Self; 6] =
        [Self::Graph, Self::Time, Self::Causal, Self::Entity, Self::Neighbours, Self::Learned];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Time => "time",
            Self::Causal => "causal",
            Self::Entity => "entity",
            Self::Neighbours => "neighbours",
            Self::Learned => "learned ranker",
        }
    }

    /// Signals that trees may not ask without this part.
    pub const fn signals(self) -> &'static [SignalName] {
        use SignalName::*;
        match self {
            Self::Graph => &[Graph, GraphFirst, GraphNames, Bridge, BridgeHeader, BridgeOpen],
            Self::Time => &[Time, Years, YearSpan],
            Self::Causal => &[],
            Self::Entity => &[Entities, Speaker],
            Self::Neighbours => &[Before, After, Around, BeforeMeaning, AfterMeaning, Answers],
            Self::Learned => &[],
        }
    }
}

/// A mean with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Difference {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Difference {
    /// The interval has no 0 in it.
    pub fn is_sure(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// What nDCG@10 loses without a part: by set, and the mean of the sets.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Worth {
    pub part: Part,
    pub sets: Vec<Difference>,
    pub mean: Difference,
}

/// How the trees of one set were validated.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Validated {
    pub set: String,
    pub questions: usize,
    /// What the bootstrap draws: conversations or articles.
    pub clusters: usize,
    /// nDCG@10 of these questions: as the engine answered them, of the weighted sum in use, of
    /// cross-validated trees, and of trees grown without this set; the last is absent where there is no other
    /// set.
    pub shipped: f64,
    pub sum: f64,
    pub unseen: f64,
    pub left_out: Option<f64>,
    /// By cross-validated trees at each effort: nDCG@10, R@20 and All@10, in the order of [`Effort::ALL`].
    pub efforts: [[f64; 3]; 3],
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ablation {
    pub sets: Vec<Validated>,
    pub parts: Vec<Worth>,
}

impl Ablation {
    /// Asks at most `most` questions of each set at every effort, and once more without the graph; grows
    /// trees for every part.
    pub fn measure(
        sets: &[Set],
        most: usize,
        embedder: &Arc<dyn Embedder>,
        growth: Growth,
        progress: &dyn Fn(&str),
    ) -> Result<Self> {
        const SEED: u64 = 13;
        let ranker = Ranker::built_in()?;
        progress("asking for the trees, with the graph");
        let asking = Asking { questions: most, seed: SEED, embedder, efforts: &Effort::ALL, graph: true };
        let at_every_effort = Training::collect(sets, asking)?;
        progress("growing trees, and once more for every set left out");
        let everything = train::signals_without(&[]);
        let whole = at_every_effort.validate(ranker, growth, &everything, sets.len() > 1);
        // What a part is worth is asked at one effort: trees for three take three times as long to grow.
        let training = at_every_effort.at(Effort::Normal);
        drop(at_every_effort);
        let clusters: Vec<(usize, usize)> = training.clusters().collect();
        let shipped = training.as_answered();
        let unseen = |training: &Training, may_ask: &[bool; SIGNALS]| -> Vec<f64> {
            let grown = training.validate(ranker, growth, may_ask, false);
            grown.unseen.iter().map(|unseen| unseen.measures.ndcg_at_10()).collect()
        };
        let unseen_whole = unseen(&training, &everything);
        let mut parts = Vec::with_capacity(Part::ALL.len());
        for part in Part::ALL {
            progress(&format!("growing trees without: {}", part.name()));
            let may_ask = train::signals_without(part.signals());
            let without = match part {
                Part::Causal => training.as_scored(),
                Part::Learned => training.by_sum(ranker),
                Part::Graph => {
                    let asking = Asking { efforts: &[Effort::Normal], graph: false, ..asking };
                    unseen(&Training::collect(sets, asking)?, &may_ask)
                }
                _ => unseen(&training, &may_ask),
            };
            if without.len() != unseen_whole.len() {
                let why = format!("{} questions against {}", without.len(), unseen_whole.len());
                return Err(Error::new(griot::model::ErrorKind::Bug, "compare question by question", why));
            }
            // Causes are put in their places behind the trees, by the engine itself.
            let with = if part == Part::Causal { &shipped } else { &unseen_whole };
            let losses = with.iter().zip(&without).map(|(with, without)| with - without);
            let losses: Vec<(usize, usize, f64)> =
                clusters.iter().zip(losses).map(|(&(set, cluster), loss)| (set, cluster, loss)).collect();
            let (of_sets, mean) = paired(&losses, sets.len());
            parts.push(Worth { part, sets: of_sets, mean });
        }
        let normal = whole.efforts.iter().find(|(effort, _)| *effort == Effort::Normal);
        let rows = normal.map_or(&[][..], |(_, rows)| rows);
        let sets = whole.sets.iter().zip(rows).enumerate().map(|(at, (name, &[sum, unseen, left_out]))| {
            let mut own: Vec<usize> =
                clusters.iter().filter(|(set, _)| *set == at).map(|(_, cluster)| *cluster).collect();
            let questions = own.len();
            own.sort_unstable();
            own.dedup();
            let answered: f64 =
                clusters.iter().zip(&shipped).filter(|((set, _), _)| *set == at).map(|(_, v)| v).sum();
            Validated {
                set: name.clone(),
                questions,
                clusters: own.len(),
                shipped: answered / questions.max(1) as f64,
                sum,
                unseen,
                left_out: left_out.is_finite().then_some(left_out),
                efforts: Effort::ALL.map(|effort| {
                    let Measures([_, _, twenty, ndcg, _, all]) = whole.mean(at, effort);
                    [ndcg, twenty, all]
                }),
            }
        });
        Ok(Self { sets: sets.collect(), parts })
    }
}

const RESAMPLES: usize = 2000;
const SEED: u64 = 17;

/// Mean and interval of each set's differences, and of the mean of the sets. Rows are set, cluster and
/// difference.
pub fn paired(rows: &[(usize, usize, f64)], sets: usize) -> (Vec<Difference>, Difference) {
    // By set: sum and number of the differences of each cluster.
    let mut clusters: Vec<BTreeMap<usize, (f64, f64)>> = vec![BTreeMap::new(); sets];
    for &(set, cluster, difference) in rows {
        let (sum, count) = clusters[set].entry(cluster).or_default();
        *sum += difference;
        *count += 1.0;
    }
    let clusters: Vec<Vec<(f64, f64)>> =
        clusters.into_iter().map(|set| set.into_values().collect()).collect();
    let mean = |drawn: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (sum, count) = drawn.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    let mut random = Random::new(SEED);
    let mut of_means = vec![0.0; RESAMPLES];
    let mut found = Vec::with_capacity(sets);
    for set in &clusters {
        let draw = |random: &mut Random| mean(&mut (0..set.len()).map(|_| &set[random.below(set.len())]));
        let drawn: Vec<f64> = (0..RESAMPLES).map(|_| draw(&mut random)).collect();
        of_means.iter_mut().zip(&drawn).for_each(|(all, own)| *all += own / sets as f64);
        found.push(between(mean(&mut set.iter()), drawn));
    }
    let all = found.iter().map(|set| set.mean).sum::<f64>() / sets.max(1) as f64;
    (found, between(all, of_means))
}

/// The middle 95 % of what was drawn.
fn between(mean: f64, mut drawn: Vec<f64>) -> Difference {
    drawn.sort_by(f64::total_cmp);
    Difference { mean, low: drawn[RESAMPLES * 25 / 1000], high: drawn[RESAMPLES * 975 / 1000 - 1] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_gain_is_sure_and_a_tossed_coin_is_not() {
        let gain: Vec<_> = (0..100).map(|at| (0, at, 0.1)).collect();
        let (sets, mean) = paired(&gain, 1);
        assert!(
            sets[0].is_sure() && (sets[0].low - 0.1).abs() < 1e-9 && (mean.high - 0.1).abs() < 1e-9,
            "{sets:?}"
        );
        let coin: Vec<_> = (0..100).map(|at| (0, at, if at % 2 == 0 { 0.1 } else { -0.1 })).collect();
        assert!(!paired(&coin, 1).0[0].is_sure());
    }

    #[test]
    fn questions_of_one_cluster_are_not_independent() {
        let by_question: Vec<_> = (0..100).map(|at| (0, at, if at < 50 { 0.3 } else { -0.2 })).collect();
        let by_cluster: Vec<_> = by_question.iter().map(|&(set, at, loss)| (set, at / 25, loss)).collect();
        let width = |rows: &[(usize, usize, f64)]| {
            let of = paired(rows, 1).0[0];
            of.high - of.low
        };
        // 1.96 · 2 · 0.25 / 10 = 0.098 for independent ones; four clusters are far less sure.
        assert!((0.08..0.12).contains(&width(&by_question)), "{}", width(&by_question));
        assert!(width(&by_cluster) > 0.3, "{}", width(&by_cluster));
    }

    #[test]
    fn sets_count_alike_however_many_questions_they_have() {
        let small = [(0, 0, 1.0)];
        let large = (0..99).map(|at| (1, at, 0.0));
        let rows: Vec<_> = small.into_iter().chain(large).collect();
        assert!((paired(&rows, 2).1.mean - 0.5).abs() < 1e-12);
    }
}
