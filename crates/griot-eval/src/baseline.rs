//! What does plain word search reach on the same questions? The number every gain is measured against.
//!
//! Okapi BM25 as Lucene has it (k1 1.2, b 0.75, idf that is never negative) over the whole text of a unit, header
//! included, with stop words and the English Snowball stemmer. It shares no code with the engine on purpose: a change
//! there must not move the yardstick.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

/// Saturation of a repeated word and weight of a text's length: the field's usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Lucene's English stop words. A longer list with pronouns and question words is worth 0.04 on dialogues and costs as
/// much on long messages; this one is what published BM25 figures use.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// Cuts text into the terms that are counted.
struct Terms {
    stemmer: Stemmer,
}

impl Terms {
    fn new() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English) }
    }

    fn of(&self, text: &str) -> Vec<String> {
        // Runs of letters, digits and underscores: a dotted or hyphenated name is found by each of its parts.
        text.to_lowercase()
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty() && STOP_WORDS.binary_search(word).is_err())
            .map(|word| self.stemmer.stem(word).into_owned())
            .collect()
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
        let terms = Terms::new();
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

    /// Numbers of the best texts with their scores, best first; ties by number. A text without any word of the
    /// question is not in the answer.
    pub fn search(&self, question: &str, limit: usize) -> Vec<(u32, f64)> {
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
        let mut ranked: Vec<(u32, f64)> = (0u32..).zip(scores).filter(|&(_, s)| s > 0.0).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(limit);
        ranked
    }
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
            Terms::new().of("The Queues of job_runner failed, in v2.1"),
            ["queue", "job_runn", "fail", "v2", "1"]
        );
    }

    #[test]
    fn scores_are_those_of_the_formula() {
        // Three texts of 2, 2 and 4 terms: average 8/3. "queue" is in two of them.
        let index = Bm25::new(["queue broke", "cache warm", "queue queue mended monday"]);
        let found = index.search("the queue", 10);
        let idf = (1.0f64 + 1.5 / 2.5).ln();
        let score = |count: f64, length: f64| idf * count / (count + 1.2 * (0.25 + 0.75 * length / (8.0 / 3.0)));
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
}
