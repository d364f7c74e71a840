//! In which order do candidates answer a question?
//!
//! A candidate's inputs are its signals and their ranks among the candidates. A weighted sum that only adds,
//! and small trees that never lower a candidate for a higher signal, make one number of them. Whatever the
//! number, [`Confidence`] says how probable it is that the candidate bears on the question. `tools/train`
//! fits all of it; `data/ranking.txt` holds it as text.

use std::sync::OnceLock;

use super::confidence::Confidence;
use super::signals::{SIGNALS, SignalName, Values};
use super::trees::{Trees, Wrong, number};
use crate::model::{Error, ErrorKind, Result};

/// Signals, then their ranks.
const INPUTS: usize = 2 * SIGNALS;

type Inputs = [f32; INPUTS];

/// The learned order and its probabilities.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking {
    /// Weights of the sum that chooses among all that was found, before candidates are compared with the
    /// best. They add up to 1.
    first: Values,
    /// Weights of the sum over all inputs; none is negative.
    sum: Inputs,
    trees: Trees,
    pub confidence: Confidence,
}

/// First line of the file. A new version may use other signals.
const HEAD: &str = "griot ranking 1";

static BUILT_IN: &str = include_str!("../../data/ranking.txt");

impl Ranking {
    /// The ranking compiled into the binary, for the built-in embedder.
    pub fn built_in() -> Result<&'static Self> {
        static RANKING: OnceLock<Result<Ranking>> = OnceLock::new();
        RANKING.get_or_init(|| Self::parse(BUILT_IN)).as_ref().map_err(Clone::clone)
    }

    /// Parses a head, then lines in any order: `first SIGNAL WEIGHT`, `sum INPUT WEIGHT` (an input is a
    /// signal or `rank.SIGNAL`), `tree` and the nodes of one ([`Trees::read`]), and the lines of
    /// [`Confidence`]. `#` starts a comment.
    pub fn parse(text: &str) -> Result<Self> {
        let refuse = |line: usize, why: String| {
            Error::new(ErrorKind::InvalidInput, "read the ranking", format!("line {line}: {why}"))
        };
        let lines = text.lines().enumerate();
        let lines = lines.map(|(at, line)| (at + 1, line.split('#').next().unwrap_or_default().trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty());
        match lines.next() {
            Some((_, HEAD)) => {}
            Some((at, other)) => return Err(refuse(at, format!("`{other}` is not `{HEAD}`"))),
            None => return Err(refuse(1, "the file is empty".to_string())),
        }
        let mut ranking = Self {
            first: [0.0; SIGNALS],
            sum: [0.0; INPUTS],
            trees: Trees::default(),
            confidence: Confidence::default(),
        };
        while let Some((at, line)) = lines.next() {
            ranking.read_line(line, &mut lines).map_err(|(inner, why)| refuse(inner.unwrap_or(at), why))?;
        }
        Ok(ranking)
    }

    fn read_line<'a>(
        &mut self,
        line: &str,
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
    ) -> std::result::Result<(), Wrong> {
        let here = |why: String| (None, why);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["tree"] => self.trees.read(lines, parse_input)?,
            ["first", signal, weight] => {
                let signal = SignalName::parse(signal)
                    .ok_or_else(|| here(format!("there is no signal `{signal}`")))?;
                self.first[signal as usize] = positive(weight).map_err(here)?;
            }
            ["sum", input, weight] => {
                self.sum[parse_input(input).map_err(here)?] = positive(weight).map_err(here)?;
            }
            words => self.confidence.read_line(words, lines)?,
        }
        Ok(())
    }

    /// The first score of a candidate, 0..=1.
    pub fn first(&self, values: &Values) -> f32 {
        self.first.iter().zip(values).map(|(weight, value)| weight * value).sum()
    }

    /// Numbers that order candidates, one each; only differences within one question mean something.
    pub fn order(&self, candidates: &[Values]) -> Vec<f32> {
        let inputs = inputs(candidates);
        let mut sums: Vec<f32> = inputs.iter().map(|inputs| dot(&self.sum, inputs)).collect();
        self.trees.add_to(&mut sums, &inputs);
        sums
    }

    /// A score divided among the signals, as the first sum is divided.
    pub fn shares(&self, values: &Values, score: f32) -> Values {
        let whole = self.first(values);
        if whole <= 0.0 {
            // Nothing that was measured speaks for it: the graph or a chain put it there.
            let mut shares = [0.0; SIGNALS];
            shares[SignalName::Graph as usize] = score;
            return shares;
        }
        std::array::from_fn(|at| self.first[at] * values[at] / whole * score)
    }
}

fn dot(weights: &Inputs, inputs: &Inputs) -> f32 {
    weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum()
}

/// Each signal and its rank: `HALF / (HALF + n)` where `n` candidates have more of it; 0 without the signal.
fn inputs(candidates: &[Values]) -> Vec<Inputs> {
    /// The rank that counts half.
    const HALF: f32 = 10.0;
    let mut all = vec![[0.0; INPUTS]; candidates.len()];
    let mut column: Vec<(f32, usize)> = Vec::with_capacity(candidates.len());
    for signal in 0..SIGNALS {
        column.clear();
        column.extend(candidates.iter().enumerate().map(|(at, values)| (values[signal], at)));
        column.retain(|(value, at)| {
            all[*at][signal] = *value;
            *value > 0.0
        });
        column.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (mut more, mut last) = (0, f32::INFINITY);
        for (position, &(value, at)) in column.iter().enumerate() {
            if value < last {
                (more, last) = (position, value);
            }
            all[at][SIGNALS + signal] = HALF / (HALF + more as f32);
        }
    }
    all
}

/// The position of `words` or `rank.words` among the inputs.
fn parse_input(name: &str) -> std::result::Result<usize, String> {
    let (offset, signal) = name.strip_prefix("rank.").map_or((0, name), |signal| (SIGNALS, signal));
    let signal = SignalName::parse(signal).ok_or_else(|| format!("there is no signal `{signal}`"))?;
    Ok(offset + signal as usize)
}

fn positive(text: &str) -> std::result::Result<f32, String> {
    number(text).and_then(|weight| {
        if weight < 0.0 { Err(format!("a weight is not negative, as `{text}` is")) } else { Ok(weight) }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::confidence::{Measured, Situation};
    use super::*;

    const SMALL: &str = "griot ranking 1\nfirst words 0.75\nfirst meaning 0.25\nsum words 2\n\
        sum rank.meaning 1\ntree\nwords < 0.5\n  -0.5\n  rank.graph < 0.9\n    0.5\n    1 # best\n";

    fn values(of: &[(SignalName, f32)]) -> Values {
        let mut values = [0.0; SIGNALS];
        of.iter().for_each(|(signal, value)| values[*signal as usize] = *value);
        values
    }

    #[test]
    fn sum_and_trees_add_up() {
        let ranking = Ranking::parse(SMALL).unwrap();
        let words = values(&[(SignalName::Words, 1.0)]);
        let meaning = values(&[(SignalName::Meaning, 0.8), (SignalName::Graph, 0.1)]);
        let both = values(&[(SignalName::Words, 0.5), (SignalName::Meaning, 0.4), (SignalName::Graph, 0.2)]);
        let second = 10.0 / 11.0;
        assert_eq!(ranking.order(&[words, meaning, both]), [2.5, 0.5, 1.0 + second + 1.0]);
        assert_eq!((ranking.first(&words), ranking.first(&both)), (0.75, 0.475));
        let shares = ranking.shares(&both, 0.95);
        assert!((shares.iter().sum::<f32>() - 0.95).abs() < 1e-6);
        assert!((shares[SignalName::Words as usize] - 0.75).abs() < 1e-6);
    }

    #[test]
    fn equal_values_have_equal_ranks() {
        let candidates = [0.5, 1.0, 1.0, 0.0, 0.5].map(|value| values(&[(SignalName::Words, value)]));
        let ranks: Vec<f32> = inputs(&candidates).iter().map(|inputs| inputs[SIGNALS]).collect();
        assert_eq!(ranks, [10.0 / 12.0, 1.0, 1.0, 0.0, 10.0 / 12.0]);
    }

    /// More of a signal never lowers a candidate in the ranking that is shipped.
    #[test]
    fn a_signal_never_speaks_against_a_memory() {
        let ranking = Ranking::built_in().unwrap();
        let value = |seed: usize, at: usize| ((at * 7 + seed * 13) as f32 * 0.37).fract();
        let others: Vec<Values> = (0..20).map(|seed| std::array::from_fn(|at| value(seed, at))).collect();
        for signal in 0..SIGNALS {
            for seed in 0..20 {
                let mut candidates = others.clone();
                let before = ranking.order(&candidates)[seed];
                candidates[seed][signal] += 0.1;
                let after = ranking.order(&candidates)[seed];
                assert!(after >= before - 1e-4, "{}: {before} {after}", SignalName::ALL[signal].name());
            }
        }
    }

    #[test]
    fn a_broken_file_is_refused_by_line() {
        for (text, why) in [
            ("", "empty"),
            ("griot ranking 9\n", "line 1"),
            ("griot ranking 1\nsum wrods 1", "line 2: there is no signal `wrods`"),
            ("griot ranking 1\nsum words x", "`x` is not a number"),
            ("griot ranking 1\nsum words -1", "not negative"),
            ("griot ranking 1\nsum words", "line 2"),
            ("griot ranking 1\ntree\nwords < 0.5\n0.1", "ends in the middle"),
            ("griot ranking 1\ntree\nwords < NaN\n0\n0", "not a number"),
            (&format!("griot ranking 1\ntree\n{}", "words < 1\n".repeat(10_000)), "deeper than"),
        ] {
            assert!(Ranking::parse(text).unwrap_err().why.contains(why), "{text:.40}");
        }
    }

    fn measured(order: f32, coverage: f32, cosine: f32) -> Measured {
        Measured {
            order,
            coverage,
            cosine,
            possible: coverage / 2.0,
            rarity: coverage,
            ..Measured::default()
        }
    }

    #[test]
    fn scores_are_probabilities_that_never_rise() {
        let confidence = &Ranking::built_in().expect("the built-in ranking").confidence;
        let candidates =
            [(3.0, 0.4, 0.3), (2.9, 1.0, 0.9), (1.0, 0.1, 0.1)].map(|(o, c, v)| measured(o, c, v));
        let situation = Situation { terms: 0.5, words: 0.4, vectors: true, ..Situation::default() };
        let (answerable, scores) = confidence.scores(&situation, &candidates);
        assert!(scores.iter().all(|score| *score <= answerable), "{scores:?}");
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        assert_eq!(confidence.scores(&situation, &[]), (0.0, Vec::new()));
    }

    #[test]
    fn a_match_scores_higher_than_a_stranger() {
        let confidence = &Ranking::built_in().expect("the built-in ranking").confidence;
        let situation = |unknown| Situation {
            unknown,
            capitals: false,
            terms: 0.4,
            words: 0.5,
            vectors: true,
            mean_cosine: 0.1,
        };
        let first = |unknown, of| confidence.scores(&situation(unknown), &[of]).1[0];
        assert!(first(0.0, measured(3.0, 1.0, 0.8)) > 4.0 * first(0.9, measured(1.0, 0.1, 0.1)));
    }
}
