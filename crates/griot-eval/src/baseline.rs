//! What do plain methods reach on the same questions? The numbers every gain is measured against.
//!
//! Words, vectors, both, and both with the surroundings of a unit. None shares code with the
//! engine, except that vectors come from the embedder that is measured.
//!
//! Words: Okapi BM25 as Lucene has it (k1 1.2, b 0.75, idf that is never negative) over the whole text of a
//! unit, header included, with English stop words and the Snowball stemmer of the language that most texts
//! are in; Chinese and Japanese are cut into pairs of characters. Vectors: exact cosine over the
//! same texts. Both: reciprocal rank fusion (Cormack et al. 2009).

use std::collections::{BTreeMap, HashMap};

use griot::embed::Embedder;
use griot::model::Result;
use rust_stemmers::{Algorithm, Stemmer};
use whatlang::Lang;

use crate::dataset::{Set, Unit};
use crate::page::Way;
use crate::score::Rankings;

/// Lists are fused to this depth, with this constant below each rank: the usual values.
const FUSED: usize = 100;
const RANK_CONSTANT: f64 = 60.0;
/// Units before and after that belong to the surroundings.
const NEIGHBOURS: usize = 1;

/// Saturation of a repeated word and weight of a text's length: the field's usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Lucene's English stop words. A longer list with pronouns and question words is worth 0.04 on dialogues and
/// costs as much on long messages; this one is what published BM25 figures use.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
];

/// Cuts text into the terms that are counted.
struct Terms {
    stemmer: Stemmer,
}

impl Terms {
    /// With the stemmer of the language that most of the texts are in.
    fn of_texts(texts: &[&str]) -> Self {
        /// Texts whose language is looked at.
        const READ: usize = 500;
        let mut counts: BTreeMap<&str, (usize, Lang)> = BTreeMap::new();
        for text in texts.iter().step_by(texts.len().div_ceil(READ).max(1)) {
            if let Some(language) = whatlang::detect_lang(text) {
                counts.entry(language.code()).or_insert((0, language)).0 += 1;
            }
        }
        let most = counts.into_values().max_by_key(|(count, _)| *count);
        Self {
            stemmer: Stemmer::create(most.map_or(Algorithm::English, |(_, language)| algorithm(language))),
        }
    }

    fn of(&self, text: &str) -> Vec<String> {
        // Runs of letters, digits and underscores: a dotted or hyphenated name is found by each of its parts.
        let lower = text.to_lowercase();
        let words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let mut terms = Vec::new();
        for word in words.filter(|word| !word.is_empty() && STOP_WORDS.binary_search(word).is_err()) {
            if word.chars().any(is_ideograph) {
                terms.extend(pairs(word));
            } else {
                terms.push(self.stemmer.stem(word).into_owned());
            }
        }
        terms
    }
}

/// Kana and Han.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Each two neighbouring characters; a single character alone.
fn pairs(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < 2 {
        vec![word.to_owned()]
    } else {
        letters.windows(2).map(String::from_iter).collect()
    }
}

/// The stemmer of a language; the English one where there is none.
fn algorithm(language: Lang) -> Algorithm {
    match language {
        Lang::Deu => Algorithm::German,
        Lang::Spa => Algorithm::Spanish,
        Lang::Fra => Algorithm::French,
        Lang::Ita => Algorithm::Italian,
        Lang::Por => Algorithm::Portuguese,
        Lang::Nld => Algorithm::Dutch,
        Lang::Rus => Algorithm::Russian,
        Lang::Swe => Algorithm::Swedish,
        _ => Algorithm::English,
    }
}

/// A searchable list of texts.
pub struct Bm25 {
    terms: Terms,
    /// Term → (number of the text, how often it occurs there).
    postings: HashMap<String, Vec<(u32, u32)>>,
    lengths: Vec<u32>,
    average_length: f64,
}

impl Bm25 {
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let texts: Vec<&str> = texts.into_iter().collect();
        let terms = Terms::of_texts(&texts);
        let mut postings: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (number, text) in (0u32..).zip(texts) {
            let words = terms.of(text);
            lengths.push(words.len() as u32);
            for word in words {
                let list = postings.entry(word).or_default();
                match list.last_mut() {
                    Some((last, count)) if *last == number => *count += 1,
                    _ => list.push((number, 1)),
                }
            }
        }
        let total: u64 = lengths.iter().map(|&l| u64::from(l)).sum();
        let average_length = total as f64 / lengths.len().max(1) as f64;
        Self { terms, postings, lengths, average_length }
    }

    /// Numbers of the best texts with their scores, best first; ties by number. A text without any word of
    /// the question is not in the answer.
    pub fn search(&self, question: &str, limit: usize) -> Ranked {
        let mut scores = vec![0.0; self.lengths.len()];
        let texts = self.lengths.len() as f64;
        for word in self.terms.of(question) {
            let Some(list) = self.postings.get(&word) else {
                continue;
            };
            let containing = list.len() as f64;
            let idf = (1.0 + (texts - containing + 0.5) / (containing + 0.5)).ln();
            for &(number, count) in list {
                let count = f64::from(count);
                let length = f64::from(self.lengths[number as usize]) / self.average_length;
                scores[number as usize] += idf * count / (count + K1 * (1.0 - B + B * length));
            }
        }
        best((0u32..).zip(scores).filter(|&(_, s)| s > 0.0).collect(), limit)
    }
}

/// Texts by number, best first.
type Ranked = Vec<(u32, f64)>;

/// Plain word search on every question of a set.
pub fn by_words(set: &Set, limit: usize) -> Rankings {
    let mut rankings = Rankings::with_capacity(set.queries.len());
    for pool in set.pools() {
        let index = Bm25::new(pool.units.iter().map(|unit| unit.text.as_str()));
        for query in &pool.queries {
            rankings.insert(query.id.clone(), ids(&pool.units, index.search(&query.text, limit)));
        }
    }
    rankings
}

/// Every question of a set by the methods that need vectors, at most `limit` units each: cosine, fusion with
/// words, and fusion with words and neighbours.
pub fn by_vectors(set: &Set, embedder: &dyn Embedder, limit: usize) -> Result<Vec<(Way, Rankings)>> {
    let mut ways = [Way::Vectors, Way::Rrf, Way::RrfContext].map(|way| (way, Rankings::new()));
    for pool in set.pools() {
        let texts: Vec<String> = pool.units.iter().map(|unit| unit.text.clone()).collect();
        let views = [texts, with_neighbours(&pool.units)];
        let mut words = Vec::new();
        let mut meanings = Vec::new();
        for texts in &views {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            meanings.push(Vectors { rows: embedder.embed(&texts)? });
            words.push(Bm25::new(texts));
        }
        for query in &pool.queries {
            let vector = embedder.embed_question(&query.text)?;
            let near =
                |index: &Vectors, limit| vector.as_ref().map_or(Vec::new(), |v| index.search(v, limit));
            let fused = |views: usize| {
                let by_words = words[..views].iter().map(|index| index.search(&query.text, FUSED));
                let by_meaning = meanings[..views].iter().map(|index| near(index, FUSED));
                fuse(by_words.chain(by_meaning), limit)
            };
            for (way, rankings) in &mut ways {
                let found = match way {
                    Way::Vectors => near(&meanings[0], limit),
                    Way::Rrf => fused(1),
                    _ => fused(2),
                };
                rankings.insert(query.id.clone(), ids(&pool.units, found));
            }
        }
    }
    Ok(ways.into())
}

fn ids(units: &[&Unit], found: Ranked) -> Vec<String> {
    found.iter().map(|&(number, _)| units[number as usize].id.clone()).collect()
}

/// Each unit between those that stand beside it in the same session or document.
fn with_neighbours(units: &[&Unit]) -> Vec<String> {
    let text = |at: usize| {
        let (from, to) = (at.saturating_sub(NEIGHBOURS), (at + NEIGHBOURS + 1).min(units.len()));
        let same = units[from..to].iter().filter(|unit| unit.source == units[at].source);
        same.map(|unit| unit.text.as_str()).collect::<Vec<_>>().join("\n")
    };
    (0..units.len()).map(text).collect()
}

/// Vectors of length 1, compared one by one.
struct Vectors {
    rows: Vec<Option<Vec<f32>>>,
}

impl Vectors {
    fn search(&self, question: &[f32], limit: usize) -> Ranked {
        let cosine =
            |row: &Vec<f32>| row.iter().zip(question).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        let rows = (0u32..).zip(&self.rows).filter_map(|(at, row)| Some((at, row.as_ref().map(cosine)?)));
        best(rows.collect(), limit)
    }
}

/// Reciprocal rank fusion: a text gets `1 / (constant + rank)` from every list that has it.
fn fuse(lists: impl Iterator<Item = Ranked>, limit: usize) -> Ranked {
    let mut scores: HashMap<u32, f64> = HashMap::new();
    for list in lists {
        for (rank, (number, _)) in (1u32..).zip(list) {
            *scores.entry(number).or_default() += 1.0 / (RANK_CONSTANT + f64::from(rank));
        }
    }
    best(scores.into_iter().collect(), limit)
}

/// The best, ties by number.
fn best(mut ranked: Ranked, limit: usize) -> Ranked {
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(limit);
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stop_words_are_sorted_for_the_binary_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn terms_are_folded_stemmed_and_without_stop_words() {
        assert_eq!(
            Terms::of_texts(&[]).of("The Queues of job_runner failed, in v2.1"),
            ["queue", "job_runn", "fail", "v2", "1"]
        );
    }

    #[test]
    fn stemmers_follow_the_texts_and_ideographs_come_in_pairs() {
        let german = ["Die Häuser am Fluss wurden gestern verkauft.", "Wir haben die Wohnungen besichtigt."];
        let terms = Terms::of_texts(&german);
        assert_eq!(terms.of("Häuser"), terms.of("Hauses"));
        assert_eq!(terms.of("北京大学"), ["北京", "京大", "大学"]);
    }

    #[test]
    fn scores_are_those_of_the_formula() {
        // Three texts of 2, 2 and 4 terms: average 8/3. "queue" is in two of them.
        let index = Bm25::new(["queue broke", "cache warm", "queue queue mended monday"]);
        let found = index.search("the queue", 10);
        let idf = (1.0f64 + 1.5 / 2.5).ln();
        let score =
            |count: f64, length: f64| idf * count / (count + 1.2 * (0.25 + 0.75 * length / (8.0 / 3.0)));
        assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [2, 0]);
        assert!((found[0].1 - score(2.0, 4.0)).abs() < 1e-12);
        assert!((found[1].1 - score(1.0, 2.0)).abs() < 1e-12);
    }

    #[test]
    fn nothing_in_common_finds_nothing() {
        assert_eq!(Bm25::new(["one text"]).search("zebra", 5), []);
        assert_eq!(Bm25::new([]).search("zebra", 5), []);
        assert_eq!(Bm25::new([""]).search("", 5), []);
    }

    #[test]
    fn ties_break_by_number_and_a_short_list_is_a_prefix() {
        let index = Bm25::new(["red", "red", "red"]);
        let three = index.search("red", 3);
        assert_eq!(three.iter().map(|f| f.0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(index.search("red", 2), three[..2]);
    }

    #[test]
    fn fusion_adds_what_each_rank_is_worth() {
        let lists = [vec![(7, 9.0), (3, 8.0)], vec![(3, 0.5), (5, 0.4)]];
        let fused = fuse(lists.into_iter(), 10);
        assert_eq!(fused.iter().map(|f| f.0).collect::<Vec<_>>(), [3, 7, 5]);
        assert!((fused[0].1 - (1.0 / 62.0 + 1.0 / 61.0)).abs() < 1e-12);
        assert_eq!(fuse([vec![(2, 1.0)], vec![(1, 1.0)]].into_iter(), 1), [(1, 1.0 / 61.0)]);
    }

    #[test]
    fn vectors_are_ranked_by_cosine_and_the_missing_are_left_out() {
        let index =
            Vectors { rows: vec![Some(vec![0.0, 1.0]), None, Some(vec![0.6, 0.8]), Some(vec![1.0, 0.0])] };
        let found = index.search(&[1.0, 0.0], 2);
        assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [3, 2]);
    }

    #[test]
    fn surroundings_end_where_the_session_does() {
        let unit = |id: &str, source: &str| Unit {
            id: id.into(),
            text: id.into(),
            source: source.into(),
            ..Unit::default()
        };
        let units = [unit("a", "1"), unit("b", "1"), unit("c", "1"), unit("d", "2")];
        let units: Vec<&Unit> = units.iter().collect();
        assert_eq!(with_neighbours(&units), ["a\nb", "a\nb\nc", "b\nc", "d"]);
    }
}
