//! How probable is it that a candidate bears on the question?
//!
//! Two functions: whether anything here answers the question, small trees over figures of its best
//! candidates, which can tell a rare word of a large store from one of a small store; and if so, whether this
//! candidate does, a logistic function of its distance to the best. Their product is the score of a
//! result. Scores never contradict the order: a later result has none higher than an earlier one.
//!
//! A question without vectors, and one whose best candidate has all of its words, a rare one among them, is
//! judged by words alone: agreement of vectors says little there.

use super::trees::{Trees, Wrong, number};

/// What is known of a question and its best candidates; each in about 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Situation {
    /// Share of the question's words that no memory contains.
    pub unknown: f32,
    /// Whether the question has capitalised words.
    pub capitals: bool,
    /// Words of the question, 1 for 12 and more.
    pub terms: f32,
    /// Logarithm of the number of words in the store (`Question::words`), 1 for a hundred million.
    pub words: f32,
    /// Whether there are vectors.
    pub vectors: bool,
    /// Mean of the candidates' cosines, for [`Confidence::scores`]; 0 below five candidates.
    pub mean_cosine: f32,
}

/// A candidate as far as its score needs it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measured {
    /// Of [`super::ranking::Ranking::order`].
    pub order: f32,
    pub coverage: f32,
    pub possible: f32,
    pub rarity: f32,
    pub cosine: f32,
    pub names: f32,
    pub named: f32,
    pub time: f32,
}

named! {
    /// The figures of a question.
    Figure {
        First = "first_coverage",
        Best = "best_coverage",
        Unknown = "unknown",
        Rarity = "rarity",
        Rare = "rare",
        Possible = "possible",
        Cosine = "cosine",
        BestCosine = "best_cosine",
        Lead = "lead",
        Terms = "terms",
        Words = "store_words",
        Names = "names",
        Named = "named",
        Time = "time",
        Margin = "margin",
    }
}

named! {
    /// The figures of a candidate.
    Own {
        Behind = "behind",
        Place = "place",
        Coverage = "own_coverage",
        Possible = "own_possible",
        Cosine = "own_cosine",
        Rarity = "own_rarity",
    }
}

const FIGURES: usize = Figure::ALL.len();
const OWN: usize = Own::ALL.len();

/// Weights of a logistic function, and its constant.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Logistic {
    weights: [f32; OWN],
    constant: f32,
}

fn sigmoid(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

impl Logistic {
    fn of(&self, figures: &[f32; OWN]) -> f32 {
        let sum: f32 = self.weights.iter().zip(figures).map(|(weight, figure)| weight * figure).sum();
        sigmoid(sum + self.constant)
    }
}

/// The fitted functions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Confidence {
    answerable: Trees,
    by_words: Trees,
    evidence: Logistic,
}

/// Coverage from which all words count as present.
const ALL_WORDS: f32 = 0.999;
/// Rarity from which a word counts as rare.
const RARE: f32 = 0.6;
/// Candidates, best first, among which the best figures are sought.
const AMONG: usize = 10;

impl Confidence {
    /// Reads `answerable tree` or `words tree` with the nodes of the tree, or `evidence FIGURE WEIGHT`; the
    /// figure `constant` is the constant of the function.
    pub(super) fn read_line<'a>(
        &mut self,
        words: &[&str],
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<(), Wrong> {
        let here = |why: String| (None, why);
        match *words {
            ["answerable", "tree"] => self.answerable.read(lines, figure),
            ["words", "tree"] => self.by_words.read(lines, figure),
            ["evidence", "constant", constant] => {
                self.evidence.constant = number(constant).map_err(here)?;
                Ok(())
            }
            ["evidence", figure, weight] => {
                let own = Own::parse(figure).ok_or_else(|| here(format!("there is no figure `{figure}`")))?;
                self.evidence.weights[own as usize] = number(weight).map_err(here)?;
                Ok(())
            }
            _ => Err(here(format!("`{}` is no part of a ranking", words.join(" ")))),
        }
    }

    /// How probable it is that one of the candidates answers the question, and their scores in their order,
    /// best first.
    pub fn scores(&self, situation: &Situation, candidates: &[Measured]) -> (f32, Vec<f32>) {
        let Some(first) = candidates.first() else { return (0.0, Vec::new()) };
        let figures = figures(situation, candidates);
        let says_all = first.coverage >= ALL_WORDS && first.rarity >= RARE;
        let of = |trees: &Trees| {
            let mut sum = [0.0];
            trees.add_to(&mut sum, &[figures]);
            sigmoid(sum[0])
        };
        let answerable = match situation.vectors {
            false => of(&self.by_words),
            true if says_all => of(&self.answerable).max(of(&self.by_words)),
            true => of(&self.answerable),
        };
        let mut least = 1.0f32;
        let mut score = |(place, own): (usize, &Measured)| {
            least = least.min(answerable * self.evidence.of(&own_figures(first, own, place)));
            least
        };
        (answerable, candidates.iter().enumerate().map(&mut score).collect())
    }
}

/// The position of a figure among the inputs of the trees.
fn figure(name: &str) -> Result<usize, String> {
    Figure::parse(name).map(|figure| figure as usize).ok_or_else(|| format!("there is no figure `{name}`"))
}

fn figures(situation: &Situation, candidates: &[Measured]) -> [f32; FIGURES] {
    let first = candidates.first().copied().unwrap_or_default();
    let best = |of: fn(&Measured) -> f32| candidates.iter().take(AMONG).map(of).fold(0.0, f32::max);
    let tenth = candidates.get(AMONG).map_or(first.order, |c| c.order);
    let mut figures = [0.0; FIGURES];
    let mut set = |figure: Figure, value: f32| figures[figure as usize] = value;
    set(Figure::First, first.coverage);
    set(Figure::Best, best(|c| c.coverage));
    set(Figure::Unknown, situation.unknown);
    set(Figure::Rarity, first.rarity);
    set(Figure::Rare, rare(candidates));
    set(Figure::Possible, best(|c| c.possible));
    set(Figure::Cosine, first.cosine);
    set(Figure::BestCosine, best(|c| c.cosine));
    set(Figure::Lead, best(|c| c.cosine) - situation.mean_cosine);
    set(Figure::Terms, situation.terms);
    set(Figure::Words, situation.words);
    set(Figure::Names, best(|c| c.names));
    set(Figure::Named, if situation.capitals { best(|c| c.named) } else { 1.0 });
    set(Figure::Time, best(|c| c.time));
    set(Figure::Margin, (first.order - tenth).clamp(0.0, MARGIN) / MARGIN);
    figures
}

/// The mean rarity of the three candidates with the rarest words.
fn rare(candidates: &[Measured]) -> f32 {
    let mut all: Vec<f32> = candidates.iter().take(AMONG).map(|c| c.rarity).collect();
    all.sort_unstable_by(|a, b| b.total_cmp(a));
    all.truncate(3);
    all.iter().sum::<f32>() / all.len().max(1) as f32
}

/// The lead of the best candidate over the eleventh that counts as 1.
const MARGIN: f32 = 4.0;

fn own_figures(first: &Measured, own: &Measured, place: usize) -> [f32; OWN] {
    let mut figures = [0.0; OWN];
    let mut set = |figure: Own, value: f32| figures[figure as usize] = value;
    set(Own::Behind, first.order - own.order);
    set(Own::Place, (1.0 + place as f32).ln());
    set(Own::Coverage, own.coverage);
    set(Own::Possible, own.possible);
    set(Own::Cosine, own.cosine);
    set(Own::Rarity, own.rarity);
    figures
}
