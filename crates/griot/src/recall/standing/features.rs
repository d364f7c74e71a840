//! What says, of each candidate, whether it answers a question about a property, and the weights of that.
//!
//! Pure: from relevance, times, statements and bonds of the best candidates. But for questions that name the
//! present ("now") or a time given by the caller, a candidate without a bond keeps its relevance alone, so
//! that a store without change keeps its order. Relevance is measured on its own scale: the best candidate
//! against the middle one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::model::Timestamp;
use crate::text::{Act, Statement};

named! {
    /// A row of the weights.
    Reading {
        /// What holds, by the form of the question; and by a word such as "now".
        Present = "present",
        Now = "now",
        /// What held at a time that the question names; and at one that the caller gives.
        Past = "past",
        Then = "then",
        Before = "before",
        Change = "change",
        History = "history",
        Reason = "reason",
        Verdict = "verdict",
    }

    /// A feature of a candidate, about 0..=1.
    Feature {
        /// Factor of relevance, not a feature.
        Sharpness = "sharpness",
        /// How far below the best it bears on the question.
        Relevance = "relevance",
        /// The relevance that comes to it over bonds.
        Near = "near",
        /// It holds the kind of value that is asked for.
        Value = "value",
        /// How much of what is relevant is later.
        Later = "later",
        /// The strongest later statement of the same property, and the strongest earlier one.
        Replaced = "replaced",
        Replaces = "replaces",
        /// Later than the time that is asked about, while a bond leads to an earlier one; and in any case.
        Late = "late",
        Beyond = "beyond",
        /// It said until when it holds, and that is past.
        Over = "over",
        Change = "change",
        Plan = "plan",
        WhatIf = "whatif",
        Hearsay = "hearsay",
        Cancel = "cancel",
        Cause = "cause",
    }
}

/// The features of one candidate, or their weights.
type Row = [f32; Feature::ALL.len()];

static WEIGHTS: LazyLock<BTreeMap<Reading, Row>> = LazyLock::new(|| {
    let mut weights: BTreeMap<Reading, Row> = BTreeMap::new();
    for line in include_str!("../../../data/standing.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[asked, feature, weight] = columns.as_slice() else { continue };
        let (Some(feature), Ok(weight)) = (Feature::parse(feature), weight.parse::<f32>()) else { continue };
        for kind in Reading::ALL.into_iter().filter(|kind| asked == "*" || kind.name() == asked) {
            weights.entry(kind).or_insert([0.0; Feature::ALL.len()])[feature as usize] = weight;
        }
    }
    weights
});

/// A candidate as the features see it.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Log odds that it bears on the question.
    pub relevance: f32,
    pub at: Timestamp,
    pub statement: Statement,
    /// Share of the asked kinds of values that it holds.
    pub value: f32,
}

impl Measured {
    /// How much it counts as a statement of fact.
    pub fn solidity(&self) -> f32 {
        let doubt = self.statement.count(Act::WhatIf) + self.statement.count(Act::Hearsay);
        1.0 / (1.0 + doubt + 0.5 * self.statement.count(Act::Plan))
    }
}

/// Least distance in log odds between the best candidate and the middle one that counts as one.
const LEAST_SPREAD: f32 = 0.5;
/// The same below [`FEW`] candidates, none of which need be unlike the others: the median of 165 questions
/// to seven worlds of 32 to 60 memories.
const USUAL_SPREAD: f32 = 6.5;
/// Candidates below which a store is small.
pub const FEW: usize = 12;
/// The share of relevance that passes over a bond.
const PASSED_ON: f32 = 0.7;

/// The scale of relevance of one question: 0 for the best candidate, -1 for the middle one.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    best: f32,
    unit: f32,
}

impl Scale {
    pub fn new(mut relevance: Vec<f32>) -> Self {
        relevance.sort_unstable_by(f32::total_cmp);
        let best = relevance.last().copied().unwrap_or_default();
        let middle = relevance.get(relevance.len() / 2).copied().unwrap_or_default();
        let least = if relevance.len() < FEW { USUAL_SPREAD } else { LEAST_SPREAD };
        Self { best, unit: (best - middle).max(least) }
    }

    /// A relevance on the scale: 0 and less.
    pub fn below(self, relevance: f32) -> f32 {
        (relevance - self.best) / self.unit
    }
}

/// How well each candidate answers what is asked of a property at a time; only differences count. `bond` is
/// how likely two candidates state one property at two times.
pub fn answers(
    reading: Reading,
    at: Option<Timestamp>,
    scale: Scale,
    candidates: &[Measured],
    bond: &dyn Fn(usize, usize) -> f32,
    asked_at: Timestamp,
) -> Vec<f32> {
    let Some(weights) = WEIGHTS.get(&reading) else { return vec![0.0; candidates.len()] };
    let rows = features(weights[Feature::Sharpness as usize], at, scale, candidates, bond, asked_at);
    rows.iter().map(|row| row.iter().zip(weights).map(|(value, weight)| value * weight).sum()).collect()
}

fn features(
    sharpness: f32,
    past: Option<Timestamp>,
    scale: Scale,
    candidates: &[Measured],
    bond: &dyn Fn(usize, usize) -> f32,
    asked_at: Timestamp,
) -> Vec<Row> {
    let count = candidates.len();
    let relevance: Vec<f32> = candidates.iter().map(|one| sharpness * scale.below(one.relevance)).collect();
    let own: Vec<f32> = relevance.iter().map(|below| below.exp()).collect();
    let is_late = |a: usize| past.is_some_and(|past| candidates[a].at > past);
    let mut bonds = vec![0.0; count * count];
    for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
        let bond = bond(a, b);
        (bonds[a * count + b], bonds[b * count + a]) = (bond, bond);
    }
    let bonds_of = |a: usize| &bonds[a * count..(a + 1) * count];
    let strongest = |a: usize| own.iter().zip(bonds_of(a)).map(|(own, bond)| own * bond).fold(0.0, f32::max);
    let near: Vec<f32> = (0..count).map(strongest).collect();
    let mass: Vec<f32> = (0..count)
        .map(|a| match is_late(a) {
            true => 0.0,
            false => own[a].max(PASSED_ON * near[a]) * candidates[a].solidity(),
        })
        .collect();
    let all = mass.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    let mut rows = vec![[0.0; Feature::ALL.len()]; count];
    for (a, one) in candidates.iter().enumerate() {
        let (mut later, mut replaced, mut replaces) = (0.0f32, 0.0f32, 0.0f32);
        let bonds = bonds_of(a);
        for (b, other) in candidates.iter().enumerate() {
            let strength = own[b] * bonds[b] * other.solidity();
            if other.at > one.at {
                later += mass[b];
                replaced = if is_late(b) { replaced } else { replaced.max(strength) };
            } else if other.at < one.at {
                replaces = replaces.max(strength);
            }
        }
        let row = &mut rows[a];
        let mut set = |feature: Feature, value: f32| row[feature as usize] = value;
        set(Feature::Relevance, relevance[a] / 2.0);
        set(Feature::Near, near[a]);
        set(Feature::Value, one.value);
        set(Feature::Later, later / all);
        set(Feature::Replaced, replaced.sqrt());
        set(Feature::Replaces, replaces.sqrt());
        if is_late(a) {
            set(Feature::Late, replaces.sqrt());
            set(Feature::Beyond, 1.0);
        }
        if one.statement.until.is_some_and(|until| until <= past.unwrap_or(asked_at)) {
            set(Feature::Over, near[a].sqrt());
        }
        for (feature, act) in [
            (Feature::Change, Act::Change),
            (Feature::Plan, Act::Plan),
            (Feature::WhatIf, Act::WhatIf),
            (Feature::Hearsay, Act::Hearsay),
            (Feature::Cancel, Act::Cancel),
        ] {
            set(feature, one.statement.count(act) * near[a]);
        }
        // A match that says why needs no bond.
        set(Feature::Cause, one.statement.count(Act::Cause) * near[a].max(own[a]));
    }
    rows
}
