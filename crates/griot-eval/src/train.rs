//! Which weights of the signals rank best?
//!
//! Every question of the given sets is asked once; the signals of its candidates are kept. A linear score
//! over them is then fitted by gradient descent on pairs (evidence above other), each pair weighted by how
//! much swapping the two would change nDCG@10 (LambdaRank, Burges 2010). All sets count alike, however many
//! questions they have. What is printed is measured on questions that the weights have not seen: folds over
//! pools (conversations), and over questions where a set is one pool; and, to see what carries over, with a
//! whole set left out.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::Result;
use griot::recall::{Effort, Forest, Genre, Ranker, RecallResult, SIGNALS, Scale, SignalName, Tree};

use crate::dataset::{self, Set};
use crate::embedder::EmbedderOptions;
use crate::forest::{self, Group, Growth};
use crate::output;
use crate::random::Random;
use crate::score::Measures;
use crate::workspace::Workspace;

/// Learn the ranker's weights from sets, and say what they reach on questions they have not seen.
#[derive(Args)]
pub struct Options {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Where the weights go: the engine's `data/ranker.tsv`.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Questions of one set at most.
    #[arg(long, default_value_t = 500)]
    questions: usize,
    #[arg(long, default_value_t = 13)]
    seed: u64,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let (questions, seed, embedder) = (self.questions, self.seed, &self.embedder.open()?);
        let asking = Asking { questions, seed, embedder, efforts: &[Effort::Normal], graph: true };
        let training = Training::collect(&dataset::read_all(&self.sets)?, asking)?;
        let text = file_of(&training.run(Ranker::built_in()?));
        match &self.out {
            Some(path) => output::write(path, text)?,
            None => output::print(&text)?,
        }
        Ok(true)
    }
}

/// Grow the ranking trees, print what they reach on questions that they have not seen, and write the tree
/// file.
#[derive(Args)]
pub struct GrowOptions {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Where the trees go: the engine's `data/forest.txt`. Without it they are only validated.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Questions of one set at most.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    #[arg(long, default_value_t = 13)]
    seed: u64,
    /// Validate with every set left out, too.
    #[arg(long)]
    left_out: bool,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl GrowOptions {
    pub fn perform(&self) -> Result<bool> {
        let (questions, seed, embedder) = (self.questions, self.seed, &self.embedder.open()?);
        let asking = Asking { questions, seed, embedder, efforts: &Effort::ALL, graph: true };
        let training = Training::collect(&dataset::read_all(&self.sets)?, asking)?;
        let may_ask = signals_without(&[]);
        let grown = training.validate(Ranker::built_in()?, Growth::DEFAULT, &may_ask, self.left_out);
        output::print(&grown.print())?;
        if let Some(path) = &self.out {
            let trees = training.grow(Growth::DEFAULT, &may_ask, &|_| true);
            output::write(path, Forest::print(&trees, training.scale(&trees)))?;
        }
        Ok(true)
    }
}

/// Candidates kept per question, best first by the weights in use.
const CANDIDATES: usize = 300;
const FOLDS: usize = 4;
const EPOCHS: usize = 200;
/// Step of the descent (Adam).
const STEP: f32 = 0.02;
/// Pull towards zero, so that signals that bring nothing weigh nothing.
const DECAY: f32 = 2e-4;

/// Signals that may speak against a memory. A match never does: a negative weight on one of two measures that
/// move together would fit as well and explain nothing.
const MAY_LOWER: [SignalName; 4] =
    [SignalName::Asks, SignalName::Length, SignalName::Answers, SignalName::Machine];

/// Measured after the sum has chosen, so the sum cannot use them; or the same for every candidate of a genre.
const NOT_OF_THE_SUM: [SignalName; 5] =
    [SignalName::Complement, SignalName::Echo, SignalName::Open, SignalName::Said, SignalName::Start];

/// Weights by genre and signal: [`Genre::Said`] first.
type Weights = [f32; 2 * SIGNALS];

/// The candidates of one question at one effort.
#[derive(Clone)]
pub struct Example {
    set: usize,
    effort: Effort,
    fold: usize,
    values: Vec<[f32; SIGNALS]>,
    /// The scores of the answer, in whose order the candidates stand but for the causes that follow their
    /// effects.
    answered: Vec<f32>,
    genres: Vec<Genre>,
    gold: Vec<bool>,
    /// Evidence in all, found or not.
    evidence: usize,
    /// What it shares with other questions of its set: the pool, or where a set is one pool, the source of
    /// its first evidence.
    cluster: usize,
}

pub struct Training {
    sets: Vec<String>,
    efforts: Vec<Effort>,
    examples: Vec<Example>,
}

/// Which questions are asked, and how.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// Of each set at most, about.
    pub questions: usize,
    pub seed: u64,
    pub embedder: &'a Arc<dyn Embedder>,
    /// Every question is asked once at each.
    pub efforts: &'a [Effort],
    /// With the graph or without. Which questions are asked does not depend on that.
    pub graph: bool,
}

impl Training {
    pub fn collect(sets: &[Set], asking: Asking<'_>) -> Result<Self> {
        let mut training = Self { sets: Vec::new(), efforts: asking.efforts.to_vec(), examples: Vec::new() };
        for (number, set) in sets.iter().enumerate() {
            eprintln!("{}: {} units, {} questions", set.name, set.units.len(), set.queries.len());
            training.sets.push(set.name.clone());
            training.ask(number, set, asking)?;
        }
        Ok(training)
    }

    fn ask(&mut self, number: usize, set: &Set, asking: Asking<'_>) -> Result<()> {
        let pools = set.pools();
        let mut sources: HashMap<&str, usize> = HashMap::new();
        let mut random = Random::new(asking.seed);
        let answerable = set.queries.iter().filter(|q| q.is_answerable()).count();
        let share = (asking.questions as f64 / answerable as f64).min(1.0);
        for (position, pool) in pools.iter().enumerate() {
            let mut workspace = Workspace::temporary(asking.embedder)?;
            workspace.ingest(&pool.units)?;
            let source_of: HashMap<&str, &str> =
                pool.units.iter().map(|unit| (unit.id.as_str(), unit.source.as_str())).collect();
            for query in pool.queries.iter().filter(|q| q.is_answerable()) {
                let kept = random.chance(share);
                let fold = if pools.len() > 1 { position % FOLDS } else { random.below(FOLDS) };
                if !kept {
                    continue;
                }
                let source = query.gold.first().and_then(|gold| source_of.get(gold.as_str())).copied();
                let known = sources.len();
                let article = *sources.entry(source.unwrap_or(&query.id)).or_insert(known);
                for &effort in asking.efforts {
                    let answer = workspace.ask_with(&query.text, CANDIDATES, effort, asking.graph)?;
                    let mut example = Example {
                        set: number,
                        effort,
                        fold,
                        values: Vec::new(),
                        answered: Vec::new(),
                        genres: Vec::new(),
                        gold: Vec::new(),
                        evidence: query.gold.len(),
                        cluster: if pools.len() > 1 { position } else { article },
                    };
                    for result in &answer.results {
                        let unit = workspace.unit(result.memory.id);
                        example.add(result, unit.is_some_and(|unit| query.gold.iter().any(|g| g == unit)));
                    }
                    self.examples.push(example);
                }
            }
        }
        Ok(())
    }

    /// The questions at one effort.
    pub fn at(&self, effort: Effort) -> Self {
        let examples = self.examples.iter().filter(|e| e.effort == effort).cloned().collect();
        Self { sets: self.sets.clone(), efforts: vec![effort], examples }
    }

    /// nDCG@10 per set under weights, over the examples that `wanted` picks.
    fn measure(&self, weights: &Weights, wanted: &dyn Fn(&Example) -> bool) -> Vec<f64> {
        self.measure_by(&|example| example.scores(weights), wanted)
    }

    /// Weights fitted to the examples that `wanted` picks, from `start` on.
    fn fit(&self, start: &Weights, wanted: &dyn Fn(&Example) -> bool) -> Weights {
        let chosen: Vec<&Example> = self.examples.iter().filter(|e| wanted(e)).collect();
        let mut counts = vec![0usize; self.sets.len()];
        chosen.iter().for_each(|e| counts[e.set] += 1);
        let mut weights = *start;
        let (mut first, mut second) = ([0.0f32; 2 * SIGNALS], [0.0f32; 2 * SIGNALS]);
        for epoch in 1..=EPOCHS {
            let mut gradient = [0.0f32; 2 * SIGNALS];
            for example in &chosen {
                example.add_gradient(&weights, 1.0 / counts[example.set] as f32, &mut gradient);
            }
            for at in 0..2 * SIGNALS {
                let g = gradient[at] + DECAY * weights[at];
                first[at] = 0.9 * first[at] + 0.1 * g;
                second[at] = 0.999 * second[at] + 0.001 * g * g;
                let unbiased = first[at] / (1.0 - 0.9f32.powi(epoch as i32));
                let spread = (second[at] / (1.0 - 0.999f32.powi(epoch as i32))).sqrt() + 1e-8;
                weights[at] -= STEP * unbiased / spread;
                let signal = SignalName::ALL[at % SIGNALS];
                if NOT_OF_THE_SUM.contains(&signal) {
                    weights[at] = 0.0;
                } else if !MAY_LOWER.contains(&signal) {
                    weights[at] = weights[at].max(0.0);
                }
            }
        }
        weights
    }

    /// Prints what the weights in use, cross-validated weights and left-out sets reach; returns weights
    /// fitted to everything.
    pub fn run(&self, ranker: &Ranker) -> Weights {
        let mut start = [0.0; 2 * SIGNALS];
        for (genre, half) in [Genre::Said, Genre::Written].into_iter().zip(start.chunks_exact_mut(SIGNALS)) {
            SignalName::ALL
                .iter()
                .zip(half)
                .for_each(|(signal, weight)| *weight = ranker.weight(genre, *signal));
        }
        let before = self.measure(&start, &|_| true);
        let mut unseen = vec![(0.0, 0.0); self.sets.len()];
        for fold in 0..FOLDS {
            let weights = self.fit(&start, &|e| e.fold != fold);
            let count =
                |set: usize| self.examples.iter().filter(|e| e.set == set && e.fold == fold).count() as f64;
            for (set, value) in self.measure(&weights, &|e| e.fold == fold).into_iter().enumerate() {
                if value.is_finite() {
                    unseen[set].0 += value * count(set);
                    unseen[set].1 += count(set);
                }
            }
        }
        let weights = self.fit(&start, &|_| true);
        let after = self.measure(&weights, &|_| true);
        println!("{:20} {:>8} {:>10} {:>10} {:>10}", "nDCG@10", "in use", "unseen", "left out", "fitted");
        let mut sums = [0.0; 4];
        for (set, name) in self.sets.iter().enumerate() {
            let left_out = self.measure(&self.fit(&start, &|e| e.set != set), &|e| e.set == set)[set];
            let row = [before[set], unseen[set].0 / unseen[set].1, left_out, after[set]];
            println!("{name:20} {:>8.3} {:>10.3} {:>10.3} {:>10.3}", row[0], row[1], row[2], row[3]);
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value / self.sets.len() as f64);
        }
        println!(
            "{:20} {:>8.3} {:>10.3} {:>10.3} {:>10.3}",
            "macro average", sums[0], sums[1], sums[2], sums[3]
        );
        weights
    }
}

/// What trees reach on questions that they have not seen.
pub struct Grown {
    pub sets: Vec<String>,
    /// nDCG@10 by set at each effort: the weighted sum in use, trees by cross-validation, and with the whole
    /// set left out.
    pub efforts: Vec<(Effort, Vec<[f64; 3]>)>,
    /// Of each question at each effort, in the order of collection, by cross-validation.
    pub unseen: Vec<Unseen>,
}

/// A question that the trees which ranked it had not seen.
#[derive(Clone, Copy)]
pub struct Unseen {
    pub set: usize,
    pub effort: Effort,
    pub measures: Measures,
}

impl Training {
    /// Grows trees for every fold, and for every set left out if asked.
    pub fn validate(
        &self,
        ranker: &Ranker,
        growth: Growth,
        may_ask: &[bool; SIGNALS],
        left_out: bool,
    ) -> Grown {
        let mut unseen = vec![Measures::default(); self.examples.len()];
        let folds: Vec<(usize, bool)> = (0..FOLDS)
            .map(|fold| (fold, false))
            .chain((0..self.sets.len()).filter(|_| left_out).map(|set| (set, true)))
            .collect();
        let is_in = |example: &Example, (part, is_set): (usize, bool)| {
            if is_set { example.set == part } else { example.fold == part }
        };
        let forests = in_parallel(&folds, &|part| {
            unscaled(&self.grow(growth, may_ask, &|example| !is_in(example, part)))
        });
        let mut away = vec![vec![f64::NAN; self.sets.len()]; self.efforts.len()];
        for (part, forest) in folds.iter().zip(&forests) {
            let by = |example: &Example| forest.sums(&example.values);
            if part.1 {
                for (effort, away) in self.efforts.iter().zip(&mut away) {
                    away[part.0] = self.measure_by(&by, &|e| e.effort == *effort && is_in(e, *part))[part.0];
                }
                continue;
            }
            for (example, own) in self.examples.iter().zip(&mut unseen).filter(|(e, _)| is_in(e, *part)) {
                *own = example.measures(&by(example));
            }
        }
        let unseen = self.examples.iter().zip(unseen);
        let unseen = unseen.map(|(e, measures)| Unseen { set: e.set, effort: e.effort, measures }).collect();
        let mut grown = Grown { sets: self.sets.clone(), efforts: Vec::new(), unseen };
        for (effort, away) in self.efforts.iter().zip(away) {
            let in_use =
                self.measure_by(&|example| example.sums(ranker), &|example| example.effort == *effort);
            let row = |set: usize| [in_use[set], grown.mean(set, *effort).ndcg_at_10(), away[set]];
            grown.efforts.push((*effort, (0..self.sets.len()).map(row).collect()));
        }
        grown
    }

    /// Set and cluster of each question, in the order of collection: questions of one cluster stand or fall
    /// together.
    pub fn clusters(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.examples.iter().map(|example| (example.set, example.cluster))
    }

    /// nDCG@10 of each question as the engine answered it, in the order of collection.
    pub fn as_answered(&self) -> Vec<f64> {
        let order = |example: &Example| (0..example.gold.len()).map(|at| -(at as f32)).collect::<Vec<f32>>();
        self.examples.iter().map(|example| example.ndcg(&order(example))).collect()
    }

    /// nDCG@10 of each question as the engine scored it, before causes were put behind their effects.
    pub fn as_scored(&self) -> Vec<f64> {
        self.examples.iter().map(|example| example.ndcg(&example.answered)).collect()
    }

    /// nDCG@10 of each question under the weighted sum alone, in the order of collection.
    pub fn by_sum(&self, ranker: &Ranker) -> Vec<f64> {
        self.examples.iter().map(|example| example.ndcg(&example.sums(ranker))).collect()
    }

    /// Trees for the examples that `wanted` picks; all sets count alike.
    pub fn grow(
        &self,
        growth: Growth,
        may_ask: &[bool; SIGNALS],
        wanted: &dyn Fn(&Example) -> bool,
    ) -> Vec<Tree> {
        let chosen: Vec<&Example> = self.examples.iter().filter(|e| wanted(e)).collect();
        let mut counts = vec![0usize; self.sets.len()];
        chosen.iter().for_each(|e| counts[e.set] += 1);
        let groups: Vec<Group<'_>> = chosen
            .iter()
            .map(|e| Group {
                values: &e.values,
                gold: &e.gold,
                evidence: e.evidence,
                weight: chosen.len() as f32 / (counts[e.set] * self.sets.len()) as f32,
            })
            .collect();
        // A question counts once per effort, and so do its candidates.
        let growth = Growth { leaf_size: growth.leaf_size * self.efforts.len(), ..growth };
        forest::grow(&groups, growth, may_ask, SEED)
    }

    /// The lowest and the highest sum of the trees over all candidates.
    pub fn scale(&self, trees: &[Tree]) -> Scale {
        let forest = unscaled(trees);
        let sums = self.examples.iter().flat_map(|example| forest.sums(&example.values));
        let (least, most) =
            sums.fold((f32::MAX, f32::MIN), |(least, most), sum| (least.min(sum), most.max(sum)));
        Scale { least, most }
    }

    fn measure_by(
        &self,
        scores: &dyn Fn(&Example) -> Vec<f32>,
        wanted: &dyn Fn(&Example) -> bool,
    ) -> Vec<f64> {
        let mut sums = vec![(0.0, 0usize); self.sets.len()];
        for example in self.examples.iter().filter(|e| wanted(e)) {
            let entry = &mut sums[example.set];
            entry.0 += example.ndcg(&scores(example));
            entry.1 += 1;
        }
        sums.into_iter().map(|(sum, count)| if count == 0 { f64::NAN } else { sum / count as f64 }).collect()
    }
}

const SEED: u64 = 1;

/// For order alone a scale does not matter.
fn unscaled(trees: &[Tree]) -> Forest {
    Forest::new(trees, Scale { least: 0.0, most: 1.0 })
}

/// Which signals trees may ask when some are left out.
pub fn signals_without(signals: &[SignalName]) -> [bool; SIGNALS] {
    // What every candidate has tells none from another.
    std::array::from_fn(|at| {
        let signal = SignalName::ALL[at];
        signal != SignalName::Start && !signals.contains(&signal)
    })
}

/// Maps on two threads, in order.
fn in_parallel<T: Copy + Sync, U: Send>(items: &[T], map: &(dyn Fn(T) -> U + Sync)) -> Vec<U> {
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| items.iter().skip(1).step_by(2).map(|item| map(*item)).collect::<Vec<U>>());
        let even: Vec<U> = items.iter().step_by(2).map(|item| map(*item)).collect();
        let mut odd = match odd.join() {
            Ok(odd) => odd.into_iter(),
            Err(panic) => std::panic::resume_unwind(panic),
        };
        even.into_iter().flat_map(|item| [Some(item), odd.next()]).flatten().collect()
    })
}

impl Grown {
    /// Of the questions of a set, by cross-validation.
    pub fn mean(&self, set: usize, effort: Effort) -> Measures {
        let own = self.unseen.iter().filter(|of| of.set == set && of.effort == effort);
        Measures::mean(own.map(|of| of.measures).collect::<Vec<_>>().into_iter())
    }

    /// At each effort nDCG@10 three ways, and the other measures of unseen questions.
    pub fn print(&self) -> String {
        let mut text = String::new();
        for (effort, rows) in &self.efforts {
            let rows: Vec<[f64; 9]> = (0..)
                .zip(rows)
                .map(|(set, row)| {
                    let unseen = self.mean(set, *effort);
                    std::array::from_fn(|at| if at < 3 { row[at] } else { unseen.0[at - 3] })
                })
                .collect();
            let mean = |at: usize| rows.iter().map(|row| row[at]).sum::<f64>() / rows.len().max(1) as f64;
            let mean: [f64; 9] = std::array::from_fn(mean);
            let head = format!("{} effort", effort.name());
            text.push_str(&format!("{head:20} {:>10} {:>10} {:>10} |", "sum in use", "unseen", "left out"));
            Measures::NAMES.iter().for_each(|name| text.push_str(&format!(" {name:>8}")));
            for (name, row) in
                self.sets.iter().map(String::as_str).zip(&rows).chain([("macro average", &mean)])
            {
                let cell =
                    |value: &f64| if value.is_finite() { format!("{value:.3}") } else { "-".to_string() };
                text.push_str(&format!("\n{name:20}"));
                row[..3].iter().for_each(|value| text.push_str(&format!(" {:>10}", cell(value))));
                text.push_str(" |");
                row[3..].iter().for_each(|value| text.push_str(&format!(" {:>8}", cell(value))));
            }
            text.push_str("\n\n");
        }
        text
    }
}

/// Candidates from the best score on, ties as they came.
fn order(scores: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    order
}

/// Where the weights of a genre begin.
fn half(genre: Genre) -> usize {
    match genre {
        Genre::Said => 0,
        Genre::Written => SIGNALS,
    }
}

impl Example {
    fn add(&mut self, result: &RecallResult, is_gold: bool) {
        let mut values = [0.0; SIGNALS];
        for signal in &result.signals {
            if let Some(at) = SignalName::ALL.iter().position(|s| s.name() == signal.name) {
                values[at] = signal.value;
            }
        }
        self.values.push(values);
        self.answered.push(result.score);
        self.genres.push(if result.memory.speaker.is_some() { Genre::Said } else { Genre::Written });
        self.gold.push(is_gold);
    }

    fn scores(&self, weights: &Weights) -> Vec<f32> {
        let score = |(values, genre): (&[f32; SIGNALS], &Genre)| {
            values.iter().zip(&weights[half(*genre)..]).map(|(v, w)| v * w).sum()
        };
        self.values.iter().zip(&self.genres).map(score).collect()
    }

    /// The weighted sums in use.
    fn sums(&self, ranker: &Ranker) -> Vec<f32> {
        self.values.iter().zip(&self.genres).map(|(values, genre)| ranker.score(*genre, values)).collect()
    }

    fn measures(&self, scores: &[f32]) -> Measures {
        let hits: Vec<bool> = order(scores).into_iter().map(|at| self.gold[at]).collect();
        Measures::of_hits(&hits, self.evidence)
    }

    fn ndcg(&self, scores: &[f32]) -> f64 {
        self.measures(scores).ndcg_at_10()
    }

    /// Adds the gradient of the loss, a sum over pairs of `ln(1 + e^(other − evidence)) · |ΔnDCG@10|`.
    fn add_gradient(&self, weights: &Weights, share: f32, gradient: &mut Weights) {
        if !self.gold.contains(&true) {
            return;
        }
        let scores = self.scores(weights);
        let order = order(&scores);
        let mut rank = vec![0usize; order.len()];
        order.iter().enumerate().for_each(|(at, &candidate)| rank[candidate] = at);
        // Soft beyond the cut, so that evidence at rank 40 still pulls.
        let gain = |rank: usize| 1.0 / ((rank + 2) as f32).log2();
        let ideal: f32 = (0..self.evidence.min(10)).map(gain).sum();
        for (evidence, _) in self.gold.iter().enumerate().filter(|(_, gold)| **gold) {
            for (other, _) in self.gold.iter().enumerate().filter(|(_, gold)| !**gold) {
                let swap = (gain(rank[evidence]) - gain(rank[other])).abs() / ideal;
                let pull = share * swap / (1.0 + (scores[evidence] - scores[other]).exp());
                if pull < 1e-9 {
                    continue;
                }
                let (above, below) = (half(self.genres[evidence]), half(self.genres[other]));
                for at in 0..SIGNALS {
                    gradient[above + at] -= pull * self.values[evidence][at];
                    gradient[below + at] += pull * self.values[other][at];
                }
            }
        }
    }
}

/// The weights file; each genre is brought to a sum of positive weights of 10.
fn file_of(weights: &Weights) -> String {
    let mut text = String::from(
        "# Weights of the signals that make a score: name, where said (conversations), where written.\n\
         # `griot-eval train` learns them.\n",
    );
    let (said, written) = weights.split_at(SIGNALS);
    let scale = |half: &[f32]| 10.0 / half.iter().filter(|w| **w > 0.0).sum::<f32>().max(1e-6);
    let scales = (scale(said), scale(written));
    for (at, signal) in SignalName::ALL.iter().enumerate() {
        text.push_str(&format!(
            "{}\t{:.3}\t{:.3}\n",
            signal.name(),
            said[at] * scales.0,
            written[at] * scales.1
        ));
    }
    text
}
