//! How likely two memories speak of one property of one thing: of where the team meets, of what a loaf costs.
//!
//! Pure: from the words, vectors and values of a few texts, those that a question brought up. Rare words in
//! common count most, then meaning compared with the meaning of the other texts, then values of one kind.
//! A tie is symmetric and between 0 and 1; a text has no tie with itself.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use rust_stemmers::{Algorithm, Stemmer};

use super::fold::fold_into;
use super::language::{Language, language};
use super::query::content_words;
use super::values::{Values, values};

/// Weights of a logistic regression on pairs of statements from written stories, some of one property.
const BIAS: f32 = -5.0;
const SHARED: f32 = 1.6;
const SHARED_ROOT: f32 = 1.3;
const MEANING: f32 = 2.4;
const SAME_VALUE: f32 = 0.75;
/// Sum of word weights from which more in common says no more.
const MOST_SHARED: f32 = 12.0;
/// With fewer texts than this, what they share says little about what is common.
const FEW: usize = 30;
/// Weight of a word that is only a part of the other ("Schlüssel", "Kellerschlüssel").
const PART: f32 = 0.8;
/// Shortest part of a compound and shortest compound, in bytes.
const SHORTEST_PART: usize = 5;
const SHORTEST_COMPOUND: usize = 8;

/// A text to compare with others.
pub struct TieText<'a> {
    pub text: &'a str,
    pub speaker: Option<&'a str>,
    /// The vector of the text, of length 1.
    pub vector: Option<Vec<f32>>,
}

/// What says that two texts speak of one property.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct TieSigns {
    /// Summed weights of common words.
    shared: f32,
    /// Cosine after the mean of all texts is taken away.
    meaning: f32,
    /// Both hold a clock time, a day, money, a date or a code.
    same_value: bool,
}

impl TieSigns {
    fn tie(self) -> f32 {
        let x = BIAS
            + SHARED * self.shared.min(MOST_SHARED) / 6.0
            + SHARED_ROOT * self.shared.max(0.0).sqrt()
            + MEANING * self.meaning
            + if self.same_value { SAME_VALUE } else { 0.0 };
        1.0 / (1.0 + (-x).exp())
    }
}

/// Ties between all pairs of some texts.
pub struct Ties {
    count: usize,
    ties: Vec<f32>,
    values: Vec<Values>,
}

impl Ties {
    /// `weight` is the weight of a word in the whole store, for words where it is known; among texts that a
    /// question brought up, the words of the question look common.
    pub fn between(texts: &[TieText<'_>], weight: &dyn Fn(&str) -> Option<f32>) -> Self {
        let count = texts.len();
        let values: Vec<Values> = texts.iter().map(|one| values(one.text)).collect();
        let shared = shared_words(texts, weight);
        let vectors = centred(texts);
        let mut ties = vec![0.0; count * count];
        for a in 0..count {
            for b in 0..a {
                let signs = TieSigns {
                    shared: shared[a * count + b],
                    meaning: dot(&vectors[a], &vectors[b]),
                    same_value: values[a].share_narrow(values[b]),
                };
                let tie = signs.tie();
                ties[a * count + b] = tie;
                ties[b * count + a] = tie;
            }
        }
        Self { count, ties, values }
    }

    pub fn get(&self, a: usize, b: usize) -> f32 {
        self.ties.get(a * self.count + b).copied().unwrap_or_default()
    }

    pub fn values(&self, at: usize) -> Values {
        self.values.get(at).copied().unwrap_or_default()
    }
}

/// The vectors without what all texts have in common, of length 1; empty for a text without a vector.
fn centred(texts: &[TieText<'_>]) -> Vec<Vec<f32>> {
    let with: Vec<&Vec<f32>> = texts.iter().filter_map(|one| one.vector.as_ref()).collect();
    let Some(dimensions) = with.first().map(|vector| vector.len()) else {
        return vec![Vec::new(); texts.len()];
    };
    let mut mean = vec![0.0f32; dimensions];
    for vector in &with {
        mean.iter_mut().zip(vector.iter()).for_each(|(sum, value)| *sum += value);
    }
    // What few texts have in common may be the very property.
    let known = with.len().max(FEW) as f32;
    mean.iter_mut().for_each(|sum| *sum /= known);
    let centre = |vector: &Vec<f32>| {
        let mut own: Vec<f32> = vector.iter().zip(&mean).map(|(value, mean)| value - mean).collect();
        let length = own.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length <= f32::EPSILON {
            own.clear();
        }
        own.iter_mut().for_each(|value| *value /= length);
        own
    };
    texts.iter().map(|one| one.vector.as_ref().map(centre).unwrap_or_default()).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// For each pair the summed weights of their common words, as a square table.
fn shared_words(texts: &[TieText<'_>], weight: &dyn Fn(&str) -> Option<f32>) -> Vec<f32> {
    let count = texts.len();
    let mut ids: HashMap<String, usize, FixedState> = HashMap::default();
    let mut holders: Vec<Vec<usize>> = Vec::new();
    let mut stems: Vec<String> = Vec::new();
    for (at, one) in texts.iter().enumerate() {
        for stem in stemmed(one) {
            let id = *ids.entry(stem.clone()).or_insert_with(|| {
                holders.push(Vec::new());
                stems.push(stem);
                holders.len() - 1
            });
            if holders[id].last() != Some(&at) {
                holders[id].push(at);
            }
        }
    }
    let idf = |id: usize| {
        let (n, df) = (count.max(FEW) as f32, holders[id].len() as f32);
        let own = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
        weight(&stems[id]).map_or(own, |known| own.max(known))
    };
    let mut shared = vec![0.0; count * count];
    let mut add = |a: usize, b: usize, value: f32| {
        if a != b {
            shared[a * count + b] += value;
            shared[b * count + a] += value;
        }
    };
    for (id, own) in holders.iter().enumerate() {
        let idf = idf(id);
        for (first, a) in own.iter().enumerate() {
            own[first + 1..].iter().for_each(|b| add(*a, *b, idf));
        }
        for part in parts(&stems[id]) {
            let Some(other) = ids.get(part).filter(|other| **other != id) else { continue };
            for a in own {
                holders[*other].iter().filter(|b| !own.contains(b)).for_each(|b| add(*a, *b, PART * idf));
            }
        }
    }
    shared
}

/// The beginnings and ends of a long word that could be words.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let is_long = word.len() >= SHORTEST_COMPOUND && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let cuts = if is_long { SHORTEST_PART..word.len() } else { 0..0 };
    cuts.flat_map(move |cut| [word.get(..cut), word.get(word.len() - cut..)]).flatten()
}

/// The content words of a text, folded and stemmed by its language, and its speaker.
fn stemmed(one: &TieText<'_>) -> Vec<String> {
    let stemmer = stemmer(language(one.text));
    let mut stems: Vec<String> = content_words(one.text)
        .into_iter()
        .filter(|word| word.len() > 1 || word.bytes().all(|byte| byte.is_ascii_digit()))
        .map(|word| fold(&stemmer.stem(&word)))
        .collect();
    stems.extend(one.speaker.map(fold));
    stems.sort_unstable();
    stems.dedup();
    stems
}

pub(super) fn fold(word: &str) -> String {
    let mut folded = String::new();
    fold_into(word, &mut folded);
    folded
}

pub(super) fn stemmer(language: Language) -> Stemmer {
    Stemmer::create(match language {
        Language::German => Algorithm::German,
        Language::French => Algorithm::French,
        Language::Spanish => Algorithm::Spanish,
        _ => Algorithm::English,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_one_property_are_tied() {
        let texts = [
            "The archive is kept in the cellar.",
            "Wednesday there is soup.",
            "The archive moved from the cellar to the attic.",
            "The bell rings at nine.",
            "Der Schlüssel liegt beim Pförtner.",
            "Kellerschlüssel: ab heute bei Ayla.",
        ];
        let texts = texts.map(|text| TieText { text, speaker: None, vector: None });
        let ties = Ties::between(&texts, &|_| None);
        assert!(ties.get(0, 2) > 0.3 && ties.get(0, 2) == ties.get(2, 0), "{}", ties.get(0, 2));
        assert!(ties.get(0, 1) < 0.05 && ties.get(0, 0) == 0.0);
        assert!(ties.get(4, 5) > ties.get(3, 5), "a compound contains its parts");
        // What is rare in the whole store counts more than it seems among these texts.
        let known = Ties::between(&texts, &|stem| (stem == "archiv").then_some(8.0));
        assert!(known.get(0, 2) > ties.get(0, 2));
    }
}
