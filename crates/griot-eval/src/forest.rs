//! Growing the ranking trees: gradient boosting on pairs of candidates (LambdaMART, Burges 2010).
//!
//! Each tree is fitted to how much every candidate should rise or fall, by pairs of evidence and other
//! candidates, each pair weighted by what swapping the two would change in nDCG. Trees grow leaf by leaf
//! where that helps most; values are cut into bins, so that a split is found by adding up. Everything follows
//! from the seed.

use griot::recall::{SIGNALS, SignalName, Tree};

use crate::random::Random;

#[derive(Clone, Copy, Debug)]
pub struct Growth {
    pub trees: usize,
    pub leaves: usize,
    /// How much of each tree's advice is taken.
    pub step: f32,
    /// Candidates in a leaf at least: fewer learn single articles by heart.
    pub leaf_size: usize,
    /// Questions on the way to a leaf at most: what a recall pays for.
    pub depth: usize,
}

impl Growth {
    /// Chosen by cross-validation over conversations and questions (docs/design/recall-experiments.md).
    pub const DEFAULT: Self = Self { trees: 200, leaves: 31, step: 0.05, leaf_size: 400, depth: 7 };
}

/// Share of the signals that a tree may ask, and of the questions that it is fitted to.
const SIGNAL_SHARE: f64 = 0.7;
const QUESTION_SHARE: f64 = 0.7;
const BINS: usize = 64;
/// Pairs are formed with the candidates that stand above this rank: what lies below both is not seen by
/// anyone.
const TOP: usize = 40;

/// The candidates of one question.
pub struct Group<'a> {
    pub values: &'a [[f32; SIGNALS]],
    pub gold: &'a [bool],
    /// Evidence in all, found or not.
    pub evidence: usize,
    /// What the question counts.
    pub weight: f32,
}

/// Grows trees for the groups; signals for which `may_ask` is false are never asked.
pub fn grow(groups: &[Group<'_>], growth: Growth, may_ask: &[bool; SIGNALS], seed: u64) -> Vec<Tree> {
    let table = Table::new(groups);
    let mut random = Random::new(seed);
    let mut scores = vec![0.0f32; table.rows];
    let mut trees = Vec::with_capacity(growth.trees);
    for _ in 0..growth.trees {
        let (pull, curve) = gradients(groups, &scores, &mut random);
        // Drawn for every signal that trees can use, so that trees without one differ from trees with it by
        // that alone.
        let mut drawn = |signal: usize| signal != SignalName::Start as usize && random.chance(SIGNAL_SHARE);
        let asked: Vec<usize> = (0..SIGNALS).filter(|signal| drawn(*signal) && may_ask[*signal]).collect();
        let tree = table.grow(&pull, &curve, &asked, growth);
        table.add(&tree, &mut scores);
        trees.push(table.named(&tree));
    }
    trees
}

/// First and second derivative of the loss for every candidate; zero for questions that this tree does not
/// see.
fn gradients(groups: &[Group<'_>], scores: &[f32], random: &mut Random) -> (Vec<f32>, Vec<f32>) {
    let (mut pull, mut curve) = (vec![0.0f32; scores.len()], vec![0.0f32; scores.len()]);
    let gain = |rank: usize| 1.0 / ((rank + 2) as f32).log2();
    let mut first = 0;
    for group in groups {
        let rows = first..first + group.gold.len();
        first = rows.end;
        if !random.chance(QUESTION_SHARE) || !group.gold.contains(&true) {
            continue;
        }
        let scores = &scores[rows.clone()];
        let (pull, curve) = (&mut pull[rows.clone()], &mut curve[rows]);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &candidate)| rank[candidate] = at);
        let ideal: f32 = (0..group.evidence.min(TOP)).map(gain).sum();
        let mut sum = 0.0;
        for evidence in (0..scores.len()).filter(|at| group.gold[*at]) {
            for other in (0..scores.len()).filter(|at| !group.gold[*at]) {
                if rank[evidence].min(rank[other]) >= TOP {
                    continue;
                }
                let difference = scores[evidence] - scores[other];
                let swap =
                    (gain(rank[evidence]) - gain(rank[other])).abs() / ideal / (0.01 + difference.abs());
                let doubt = 1.0 / (1.0 + difference.exp());
                let (push, bend) = (swap * doubt, swap * doubt * (1.0 - doubt));
                pull[evidence] += push;
                pull[other] -= push;
                curve[evidence] += bend;
                curve[other] += bend;
                sum += 2.0 * push;
            }
        }
        // A question with many pairs should not outweigh the others by their number.
        let factor = if sum > 0.0 { (1.0 + sum).log2() / sum } else { 0.0 } * group.weight;
        pull.iter_mut().chain(curve).for_each(|value| *value *= factor);
    }
    (pull, curve)
}

/// All candidates with their values cut into bins.
struct Table {
    rows: usize,
    /// Upper ends of the bins of each signal, ascending; a value belongs to the first bin whose end lies
    /// above it.
    ends: Vec<Vec<f32>>,
    /// Row by row: the bin of each signal.
    bins: Vec<u8>,
}

enum Binned {
    Leaf { value: f32 },
    Split { signal: usize, bin: u8, value: f32, below: Box<Binned>, above: Box<Binned> },
}

/// A leaf that may be split.
struct Open {
    rows: Vec<u32>,
    /// By asked signal and bin: sum of pulls, sum of curves, number of rows.
    sums: Vec<[f64; 3]>,
    total: [f64; 3],
    /// Gain, signal, bin.
    best: Option<(f64, usize, u8)>,
    /// Where it hangs: the way from the root, `true` for below.
    way: Vec<bool>,
}

impl Table {
    fn new(groups: &[Group<'_>]) -> Self {
        let rows: usize = groups.iter().map(|group| group.gold.len()).sum();
        let all = || groups.iter().flat_map(|group| group.values);
        let mut ends = Vec::with_capacity(SIGNALS);
        for signal in 0..SIGNALS {
            let mut values: Vec<f32> = all().map(|values| values[signal]).collect();
            values.sort_unstable_by(f32::total_cmp);
            let mut own: Vec<f32> =
                (1..BINS).map(|bin| values[(bin * rows / BINS).min(rows.saturating_sub(1))]).collect();
            // Many values are 0 or 1; the bounds between those and the rest matter.
            own.extend(values.iter().copied().find(|value| *value > 0.0));
            own.push(1.0);
            // Half-way to the next smaller value, so that no rounding moves a value across the bound.
            for end in &mut own {
                let smaller = values[..values.partition_point(|value| *value < *end)].last();
                *end = smaller.map_or(*end, |smaller| smaller + (*end - smaller) / 2.0);
            }
            own.sort_unstable_by(f32::total_cmp);
            own.dedup();
            own.truncate(255);
            ends.push(own);
        }
        let bins = all()
            .flat_map(|values| {
                let bin = |signal: usize| ends[signal].partition_point(|end| *end <= values[signal]) as u8;
                std::array::from_fn::<u8, SIGNALS, _>(bin)
            })
            .collect();
        Self { rows, ends, bins }
    }

    fn bin(&self, row: u32, signal: usize) -> u8 {
        self.bins[row as usize * SIGNALS + signal]
    }

    fn grow(&self, pull: &[f32], curve: &[f32], asked: &[usize], growth: Growth) -> Binned {
        let seen: Vec<u32> = (0..self.rows as u32).filter(|row| curve[*row as usize] > 0.0).collect();
        let mut root = Binned::Leaf { value: 0.0 };
        let mut open = vec![self.open(seen, Vec::new(), pull, curve, asked, growth)];
        root.set(&[], &|| Binned::Leaf { value: leaf_value(&open[0].total, growth) });
        for _ in 1..growth.leaves {
            let best = open.iter().enumerate().filter_map(|(at, leaf)| Some((leaf.best?.0, at)));
            let Some((_, at)) = best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))) else { break };
            let leaf = open.swap_remove(at);
            let Some((_, signal, bin)) = leaf.best else { break };
            let (below, above): (Vec<u32>, Vec<u32>) =
                leaf.rows.iter().partition(|row| self.bin(**row, signal) <= bin);
            let way = |side: bool| leaf.way.iter().copied().chain([side]).collect::<Vec<bool>>();
            // The sums of the larger side are those of both less the smaller's.
            let is_below_small = below.len() <= above.len();
            let (small, large) = if is_below_small { (below, above) } else { (above, below) };
            let small = self.open(small, way(is_below_small), pull, curve, asked, growth);
            let sums = leaf
                .sums
                .iter()
                .zip(&small.sums)
                .map(|(all, part)| std::array::from_fn(|i| all[i] - part[i]));
            let total = std::array::from_fn(|i| leaf.total[i] - small.total[i]);
            let mut large =
                Open { rows: large, sums: sums.collect(), total, best: None, way: way(!is_below_small) };
            large.best = best_split(&large, asked, growth);
            let value = |open: &Open| leaf_value(&open.total, growth);
            let (below, above) = if is_below_small { (&small, &large) } else { (&large, &small) };
            root.set(&leaf.way, &|| Binned::Split {
                signal,
                bin,
                value: leaf_value(&leaf.total, growth),
                below: Box::new(Binned::Leaf { value: value(below) }),
                above: Box::new(Binned::Leaf { value: value(above) }),
            });
            open.extend([small, large]);
        }
        root
    }

    fn open(
        &self,
        rows: Vec<u32>,
        way: Vec<bool>,
        pull: &[f32],
        curve: &[f32],
        asked: &[usize],
        growth: Growth,
    ) -> Open {
        let mut sums = vec![[0.0; 3]; asked.len() * 256];
        let mut total = [0.0; 3];
        for &row in &rows {
            let own = [f64::from(pull[row as usize]), f64::from(curve[row as usize]), 1.0];
            (0..3).for_each(|i| total[i] += own[i]);
            let bins = &self.bins[row as usize * SIGNALS..][..SIGNALS];
            for (at, signal) in asked.iter().enumerate() {
                let sum = &mut sums[at * 256 + usize::from(bins[*signal])];
                (0..3).for_each(|i| sum[i] += own[i]);
            }
        }
        let mut open = Open { rows, sums, total, best: None, way };
        open.best = best_split(&open, asked, growth);
        open
    }

    /// Adds the tree's values to the scores of all rows.
    fn add(&self, tree: &Binned, scores: &mut [f32]) {
        for (row, score) in scores.iter_mut().enumerate() {
            let mut at = tree;
            loop {
                match at {
                    Binned::Leaf { value } => {
                        *score += value;
                        break;
                    }
                    Binned::Split { signal, bin, below, above, .. } => {
                        at = if self.bin(row as u32, *signal) <= *bin { below } else { above };
                    }
                }
            }
        }
    }

    /// With signals by name and thresholds as values, rounded as they are printed.
    fn named(&self, tree: &Binned) -> Tree {
        match tree {
            Binned::Leaf { value } => Tree::Leaf(*value),
            Binned::Split { signal, bin, value, below, above } => Tree::Split {
                signal: SignalName::ALL[*signal],
                threshold: self.ends[*signal][usize::from(*bin)],
                value: *value,
                below: Box::new(self.named(below)),
                above: Box::new(self.named(above)),
            },
        }
    }
}

impl Binned {
    /// Replaces the node at the end of the way.
    fn set(&mut self, way: &[bool], node: &dyn Fn() -> Binned) {
        match (way.split_first(), self) {
            (Some((true, rest)), Binned::Split { below, .. }) => below.set(rest, node),
            (Some((false, rest)), Binned::Split { above, .. }) => above.set(rest, node),
            (_, here) => *here = node(),
        }
    }
}

fn leaf_value(total: &[f64; 3], growth: Growth) -> f32 {
    if total[1] > 1e-9 { (total[0] / total[1]) as f32 * growth.step } else { 0.0 }
}

/// The split that lowers the loss most, among those that leave enough rows on both sides.
fn best_split(open: &Open, asked: &[usize], growth: Growth) -> Option<(f64, usize, u8)> {
    const LEAST_GAIN: f64 = 1e-9;
    const LEAST_CURVE: f64 = 1e-3;
    let worth = |sum: &[f64; 3]| sum[0] * sum[0] / sum[1].max(1e-9);
    let whole = worth(&open.total);
    let mut best: Option<(f64, usize, u8)> = None;
    if open.way.len() >= growth.depth {
        return None;
    }
    for (at, &signal) in asked.iter().enumerate() {
        let mut below = [0.0; 3];
        for bin in 0..255u8 {
            let own = &open.sums[at * 256 + usize::from(bin)];
            if own[2] == 0.0 {
                continue;
            }
            (0..3).for_each(|i| below[i] += own[i]);
            let above: [f64; 3] = std::array::from_fn(|i| open.total[i] - below[i]);
            if (below[2] as usize) < growth.leaf_size || below[1] < LEAST_CURVE {
                continue;
            }
            if (above[2] as usize) < growth.leaf_size || above[1] < LEAST_CURVE {
                break;
            }
            let gain = worth(&below) + worth(&above) - whole;
            if gain > LEAST_GAIN && best.is_none_or(|(known, ..)| gain > known) {
                best = Some((gain, signal, bin));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use griot::recall::{Forest, Scale};

    use super::*;

    /// Evidence is where exactly one of two signals is high: no weighted sum can tell it from the rest.
    #[test]
    fn trees_learn_what_a_sum_cannot() {
        let mut random = Random::new(5);
        let questions: Vec<(Vec<[f32; SIGNALS]>, Vec<bool>)> = (0..200)
            .map(|_| {
                let values: Vec<[f32; SIGNALS]> = (0..40)
                    .map(|_| {
                        let mut values = [0.0; SIGNALS];
                        values[0] = random.unit() as f32;
                        values[1] = random.unit() as f32;
                        values
                    })
                    .collect();
                let gold = values.iter().map(|v| (v[0] > 0.6) != (v[1] > 0.6) && v[0] + v[1] > 0.9).collect();
                (values, gold)
            })
            .collect();
        let groups: Vec<Group<'_>> = questions
            .iter()
            .map(|(values, gold)| Group {
                values,
                gold,
                evidence: gold.iter().filter(|gold| **gold).count(),
                weight: 1.0,
            })
            .collect();
        let growth = Growth { trees: 60, leaves: 8, step: 0.2, leaf_size: 50, depth: 7 };
        let trees = grow(&groups, growth, &[true; SIGNALS], 1);
        let forest = Forest::new(&trees, Scale { least: -1.0, most: 1.0 });
        assert_eq!(grow(&groups, growth, &[true; SIGNALS], 1), trees, "the seed decides everything");
        let mut right = 0;
        for (values, gold) in &questions {
            let sums = forest.sums(values);
            let best = (0..values.len()).max_by(|a, b| sums[*a].total_cmp(&sums[*b]));
            right += usize::from(best.is_some_and(|best| gold[best]));
        }
        assert!(right >= 190, "{right} of 200");
    }
}
