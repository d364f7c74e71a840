//! In which other languages may the store hold the answer?
//!
//! What a store holds is seen from everyday words in its index. A question is asked in each of these
//! languages too, word by word, and a memory is measured by whichever of the questions fits it best. What a
//! translated word matches counts as if the word itself had been found, so that nothing else has to know of
//! languages.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::backend::{WordHit, WordHits, WordQuery};
use crate::embed::{Embedder, StaticEmbedder};
use crate::model::{Node, Result};
use crate::text::{Language, Translation, Translator};

use super::{Question, subject};

/// A question in another language.
pub struct Translated {
    pub question: Translation,
    /// Its text and vector, if it is English and the store has vectors of the built-in embedder, which hardly
    /// knows another language. Other embedders may know several.
    pub embedded: Option<(String, Vec<f32>)>,
}

impl Translated {
    pub fn word_query(&self, limit: usize, places: usize) -> WordQuery {
        WordQuery { terms: self.question.terms.clone(), parts: Vec::new(), limit, places }
    }
}

pub fn translator<'q>(question: &'q Question<'_>) -> Translator<'q> {
    let understood = &question.understood;
    Translator::new(question.query.question(), understood.language, &understood.terms, understood.naming)
}

/// For each other language a query that finds out whether the store holds it.
pub fn probes(question: &Question<'_>, translator: &Translator<'_>) -> Vec<(Language, WordQuery)> {
    let limit = fewest(question.context.head.memories);
    let query = |terms: &[String]| WordQuery { terms: terms.to_vec(), limit, ..WordQuery::default() };
    translator.others().map(|(language, terms)| (language, query(terms))).collect()
}

/// The memories in a language from which a store holds it: among many a few are quotations.
fn fewest(memories: u64) -> usize {
    const ONE_AMONG: u64 = 100;
    (1 + memories / ONE_AMONG).min(100) as usize
}

/// Whether enough of the best matches are in the language. One of its words may be a name, several make a
/// sentence; Chinese words are in no other text.
fn is_held(language: Language, hits: &WordHits, fewest: usize) -> bool {
    let several = if language == Language::Chinese { 1 } else { 3 };
    hits.memories.iter().filter(|hit| hit.matched.count_ones() >= several).count() >= fewest
}

/// The question in the languages that the answers to the probes show.
pub fn translated(
    question: &Question<'_>,
    translator: &Translator<'_>,
    probes: &[(Language, WordQuery)],
    answers: &[WordHits],
) -> Result<Vec<Translated>> {
    let has_vectors = question.context.vector.is_some()
        && question.context.head.model.as_ref().is_some_and(|(name, _)| name == StaticEmbedder::NAME);
    let mut found = Vec::new();
    for ((language, query), hits) in probes.iter().zip(answers) {
        if !is_held(*language, hits, query.limit) {
            continue;
        }
        let Some(translation) = translator.translation(*language) else { continue };
        let is_embedded = has_vectors && *language == Language::English;
        let text = is_embedded.then(|| translator.text(&subject(question.query), *language)).flatten();
        let embedded = match text {
            Some(text) => StaticEmbedder.embed_question(&text)?.map(|vector| (text, vector)),
            None => None,
        };
        found.push(Translated { question: translation, embedded });
    }
    Ok(found)
}

/// Adds what a translated question found: each memory and session keeps its best score. A translated word
/// counts what the word itself does, however many words or pairs of characters it is in the other language.
pub fn merge(own: &mut WordHits, found: WordHits, translates: &[u64]) {
    // A word of the question that no memory has is as rare as its rarest translation.
    for (at, own) in own.idf.iter_mut().enumerate().filter(|(_, own)| **own <= 0.0) {
        let translations = found.idf.iter().zip(translates).filter(|(_, bits)| **bits >> at & 1 == 1);
        *own = translations.map(|(idf, _)| *idf).fold(0.0, f32::max);
    }
    let original = |matched: u64| {
        let bits = (0..).zip(translates).filter(|(at, _)| matched >> at & 1 == 1);
        bits.fold(0, |all, (_, bits)| all | bits)
    };
    let weight = |idf: &[f32], bits: u64| -> f32 {
        idf.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, idf)| idf).sum()
    };
    let idf = own.idf.clone();
    let worth = |matched: u64| {
        let found = weight(&found.idf, matched);
        if found > 0.0 { (weight(&idf, original(matched)) / found).min(1.0) } else { 0.0 }
    };
    let known = own.memories.iter().enumerate().map(|(at, hit)| (hit.node, at));
    let known: HashMap<Node, usize, FixedState> = known.collect();
    for hit in &found.memories {
        let worth = worth(hit.matched);
        let hit = WordHit {
            node: hit.node,
            body: worth * hit.body,
            full: worth * hit.full,
            header: worth * hit.header,
            matched: original(hit.matched),
        };
        match known.get(&hit.node).and_then(|at| own.memories.get_mut(*at)) {
            Some(own) => {
                own.body = own.body.max(hit.body);
                own.full = own.full.max(hit.full);
                own.header = own.header.max(hit.header);
                own.matched |= hit.matched;
            }
            None => own.memories.push(hit),
        }
    }
    for (place, score) in &found.places {
        let score = worth(u64::MAX) * score;
        match own.places.iter_mut().find(|(known, _)| known == place) {
            Some((_, known)) => *known = known.max(score),
            None => own.places.push((*place, score)),
        }
    }
    own.places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
}
