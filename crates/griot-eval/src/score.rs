//! How good is a ranking?
//!
//! Recall at 5, 10 and 20, nDCG at 10 with binary gains, reciprocal rank of the first hit, and whether all
//! gold units are among the first 10. A unit listed twice counts at its first rank; a question without a
//! ranking scores 0 everywhere. Means agree with the reference scorer to the last bit, as both sum from left
//! to right in doubles; intervals come from a generator of our own and agree only statistically.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::dataset::Query;
use crate::random::Random;

/// The measures of one question, or their means, in the order of [`Measures::NAMES`].
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Measures(pub [f64; 6]);

impl Measures {
    pub const NAMES: [&'static str; 6] = ["R@5", "R@10", "R@20", "nDCG@10", "MRR", "All@10"];

    /// `ranked` best first.
    pub fn of<'a>(ranked: impl IntoIterator<Item = &'a str>, gold: &[String]) -> Self {
        let gold: HashSet<&str> = gold.iter().map(String::as_str).collect();
        if gold.is_empty() {
            return Self::default();
        }
        let mut seen = HashSet::new();
        let hits: Vec<bool> =
            ranked.into_iter().filter(|id| seen.insert(*id)).map(|id| gold.contains(id)).collect();
        let evidence = gold.len();
        let recall = |k: usize| hits.iter().take(k).filter(|&&hit| hit).count() as f64 / evidence as f64;
        let discount = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
        // From 0.0 on: the sum of nothing is -0.0, which prints as such.
        let gain =
            (0..hits.len().min(10)).filter(|&rank| hits[rank]).map(discount).fold(0.0, |sum, one| sum + one);
        let ideal: f64 = (0..evidence.min(10)).map(discount).sum();
        let first = hits.iter().position(|&hit| hit);
        Self([
            recall(5),
            recall(10),
            recall(20),
            gain / ideal,
            first.map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0)),
            f64::from(recall(10) == 1.0),
        ])
    }

    /// The mean of each; zeros for none.
    pub fn mean(rows: impl ExactSizeIterator<Item = Self>) -> Self {
        let count = rows.len().max(1) as f64;
        let sum = rows.fold([0.0; 6], |sum: [f64; 6], row| std::array::from_fn(|at| sum[at] + row.0[at]));
        Self(sum.map(|cell| cell / count))
    }

    pub fn recall_at_10(&self) -> f64 {
        self.0[1]
    }

    pub fn ndcg_at_10(&self) -> f64 {
        self.0[3]
    }
}

/// Questions of one category, or all of them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Group {
    pub name: String,
    pub questions: usize,
    pub mean: Measures,
    /// Half the width of the 95 % bootstrap interval over questions.
    pub half_width: Measures,
}

/// Unit ids by question, best first.
pub type Rankings = HashMap<String, Vec<String>>;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Scores {
    /// Questions the run says nothing about; they score 0.
    pub missing: usize,
    /// `ALL` first, then categories as they appear.
    pub groups: Vec<Group>,
}

pub const ALL: &str = "ALL";
/// The headline where a set has adversarial questions: their "evidence" misleads, so finding it is no merit.
pub const NOT_ADVERSARIAL: &str = "ALL but adversarial";

const RESAMPLES: usize = 1000;
const SEED: u64 = 13;

impl Scores {
    pub fn of(queries: &[Query], rankings: &Rankings) -> Self {
        let mut groups: Vec<(&str, Vec<Measures>)> = Vec::new();
        let mut missing = 0;
        for query in queries {
            let ranked = rankings.get(&query.id);
            missing += usize::from(ranked.is_none());
            let ranked = ranked.map_or(&[][..], Vec::as_slice);
            let measures = Measures::of(ranked.iter().map(String::as_str), &query.gold);
            let sober = query.is_answerable().then_some(NOT_ADVERSARIAL);
            for name in [Some(ALL), Some(query.category.as_str()), sober].into_iter().flatten() {
                match groups.iter_mut().find(|(group, _)| *group == name) {
                    Some((_, rows)) => rows.push(measures),
                    None => groups.push((name, vec![measures])),
                }
            }
        }
        // Without adversarial questions the second headline repeats the first.
        groups.retain(|(name, rows)| *name != NOT_ADVERSARIAL || rows.len() < queries.len());
        let mut random = Random::new(SEED);
        let groups = groups
            .into_iter()
            .map(|(name, rows)| Group {
                name: name.to_owned(),
                questions: rows.len(),
                mean: Measures::mean(rows.iter().copied()),
                half_width: half_width(&rows, &mut random),
            })
            .collect();
        Self { missing, groups }
    }

    /// All questions, or all but the adversarial ones where there are any. `None` for a set without
    /// questions.
    pub fn headline(&self) -> Option<&Group> {
        let named = |name| self.groups.iter().find(|group| group.name == name);
        named(NOT_ADVERSARIAL).or_else(|| named(ALL))
    }

    /// Means over the questions of the headline; zeros for a set without questions.
    pub fn headline_mean(&self) -> Measures {
        self.headline().map_or_else(Measures::default, |group| group.mean)
    }

    /// Measures by category, as the reference scorer prints them.
    pub fn table(&self) -> String {
        let mut text = format!("missing queries: {}\n{:28}{:>6}", self.missing, "group", "n");
        for name in Measures::NAMES {
            text += &format!("{name:>16}");
        }
        text.push('\n');
        for group in &self.groups {
            text += &format!("{:28}{:>6}", group.name, group.questions);
            for (mean, half) in group.mean.0.iter().zip(group.half_width.0) {
                text += &format!("{:>16}", format!("{mean:.3} ±{half:.3}"));
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
impl Group {
    /// A group with the same figure everywhere.
    pub fn flat(name: &str, questions: usize, value: f64) -> Self {
        Self { name: name.into(), questions, mean: Measures([value; 6]), half_width: Measures([0.0125; 6]) }
    }
}

fn half_width(rows: &[Measures], random: &mut Random) -> Measures {
    let mut means = vec![Measures::default(); RESAMPLES];
    for resample in &mut means {
        for _ in 0..rows.len() {
            let row = &rows[random.below(rows.len())];
            for (cell, value) in resample.0.iter_mut().zip(row.0) {
                *cell += value;
            }
        }
    }
    let mut width = Measures::default();
    for (column, cell) in width.0.iter_mut().enumerate() {
        let mut sorted: Vec<f64> = means.iter().map(|m| m.0[column] / rows.len() as f64).collect();
        sorted.sort_by(f64::total_cmp);
        // The 26th and the 975th of 1,000, as the reference takes them.
        let low = sorted[RESAMPLES * 25 / 1000];
        let high = sorted[RESAMPLES * 975 / 1000 - 1];
        *cell = (high - low) / 2.0;
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn measures(ranked: &str, gold: &str) -> [f64; 6] {
        Measures::of(ranked.split_whitespace(), &ids(gold)).0
    }

    #[test]
    fn measures_are_those_of_the_formulas() {
        let all = "a b c d e f g h i j k l";
        // Hits at ranks 1, 6, 11 and 21: gains 1 and 1/log2(7) against four ideal ones.
        let cuts = "a 2 3 4 5 b 7 8 9 10 c 12 13 14 15 16 17 18 19 20 d";
        let cuts_ndcg = (1.0 + 0.356_207_187_1) / (1.0 + 0.630_929_753_6 + 0.5 + 0.430_676_558_1);
        // 1/log2(3) + 1/log2(5) = 0.630930 + 0.430677; the ideal of two is 1 + 0.630930.
        let two = 1.061_606_311_6 / 1.630_929_753_6;
        for (ranked, gold, expected) in [
            ("a b x y", "a b", [1.0; 6]),
            ("x y z", "a", [0.0; 6]),
            ("", "a", [0.0; 6]),
            ("x a y b", "a b", [1.0, 1.0, 1.0, two, 0.5, 1.0]),
            (cuts, "a b c d", [0.25, 0.5, 0.75, cuts_ndcg, 1.0, 0.0]),
            // More than ten gold units have an ideal of ten.
            (all, all, [5.0 / 12.0, 10.0 / 12.0, 1.0, 1.0, 1.0, 0.0]),
            // A unit counts once.
            ("x x x a", "a a", measures("x a", "a")),
        ] {
            for (found, wanted) in measures(ranked, gold).iter().zip(expected) {
                assert!((found - wanted).abs() < 1e-9, "{ranked} for {gold}: {found}, not {wanted}");
            }
        }
    }

    fn query(id: &str, gold: &str, category: &str) -> Query {
        Query { id: id.into(), gold: ids(gold), category: category.into(), ..Query::default() }
    }

    #[test]
    fn groups_are_means_over_their_questions() {
        let queries = [query("1", "a", "what"), query("2", "b", "adversarial"), query("3", "c", "what")];
        let rankings = HashMap::from([("1".to_owned(), ids("a")), ("2".to_owned(), ids("x b"))]);
        let scores = Scores::of(&queries, &rankings);
        assert_eq!(scores.missing, 1);
        let names: Vec<_> = scores.groups.iter().map(|g| (g.name.as_str(), g.questions)).collect();
        assert_eq!(names, [(ALL, 3), ("what", 2), (NOT_ADVERSARIAL, 2), ("adversarial", 1)]);
        let mrr: Vec<f64> = scores.groups.iter().map(|g| g.mean.0[4]).collect();
        assert_eq!(mrr, [0.5, 0.5, 0.5, 0.5]);
        assert_eq!(scores.headline().map(|g| g.questions), Some(2));
    }

    #[test]
    fn one_headline_without_adversarial_questions() {
        let scores = Scores::of(&[query("1", "a", "what")], &HashMap::new());
        assert_eq!(scores.groups.len(), 2);
        assert_eq!(scores.headline().map(|g| g.name.as_str()), Some(ALL));
        assert!(Scores::of(&[], &HashMap::new()).headline().is_none());
    }

    #[test]
    fn the_interval_of_a_fair_coin_is_as_wide_as_theory_says() {
        let queries: Vec<Query> = (0..400).map(|i| query(&i.to_string(), "a", "coin")).collect();
        let rankings = (0..400).map(|i| (i.to_string(), ids(if i % 2 == 0 { "a" } else { "x" }))).collect();
        let scores = Scores::of(&queries, &rankings);
        // 1.96 · sqrt(0.25 / 400) = 0.049
        let half = scores.groups[0].half_width.0[0];
        assert!((0.042..0.056).contains(&half), "{half}");
        assert_eq!(scores, Scores::of(&queries, &rankings), "the seed is fixed");
    }

    #[test]
    fn scores_are_printed_as_the_reference_does() {
        let all = Scores { missing: 2, groups: vec![Group::flat("ALL", 755, 0.5)] };
        let names = Measures::NAMES.map(|name| format!("{name:>16}")).concat();
        let expected = format!(
            "missing queries: 2\ngroup                            n{names}\n\
             ALL                            755{}\n",
            "    0.500 ±0.013".repeat(6)
        );
        assert_eq!(all.table(), expected);
    }
}
