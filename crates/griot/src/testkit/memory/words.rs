//! BM25 by definition: every query tokenises and scores every memory.

use std::collections::BTreeMap;

use super::{State, Stored, admits};
use crate::backend::{Filter, Place, WordHit, WordHits, WordQuery};
use crate::text::for_each_term;

const K1: f32 = 1.2;
const B: f32 = 0.75;

impl Stored {
    fn header(&self) -> String {
        let mut parts = vec![self.title.as_str()];
        parts.extend(self.memory.heading.iter().map(String::as_str));
        parts.extend(self.memory.speaker.as_deref());
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }
}

pub(super) fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for_each_term(text, &mut |term| terms.push(term.to_owned()));
    terms
}

/// Number of occurrences, capped at 255 as in the index.
fn occurrences(terms: &[String], term: &str) -> u32 {
    terms.iter().filter(|other| *other == term).count().min(255) as u32
}

fn idf(documents: usize, having: usize) -> f32 {
    if having == 0 {
        return 0.0;
    }
    (1.0 + (documents as f64 - having as f64 + 0.5) / (having as f64 + 0.5)).ln() as f32
}

fn average(total: usize, documents: usize) -> f32 {
    if total == 0 || documents == 0 { 1.0 } else { (total as f64 / documents as f64) as f32 }
}

fn bm25(idf: f32, tf: u32, length: usize, average: f32) -> f32 {
    if tf == 0 {
        return 0.0;
    }
    let tf = tf as f32;
    idf * (tf * (K1 + 1.0) / (tf + (K1 * (1.0 - B) + K1 * B / average * length as f32)))
}

struct Cut<'a> {
    stored: &'a Stored,
    body: Vec<String>,
    header: Vec<String>,
}

pub(super) fn search(state: &State, query: &WordQuery, filter: &Filter) -> WordHits {
    // Deleted memories count too, so that the weight of a word does not depend on what is hidden.
    let documents: Vec<Cut<'_>> = state
        .memories
        .values()
        .map(|stored| Cut { stored, body: terms(&stored.memory.text), header: terms(&stored.header()) })
        .collect();
    let count = documents.len();
    let body_terms: usize = documents.iter().map(|document| document.body.len()).sum();
    let header_terms: usize = documents.iter().map(|document| document.header.len()).sum();
    let having = |term: &String| {
        documents
            .iter()
            .filter(|document| document.body.contains(term) || document.header.contains(term))
            .count()
    };
    let counts = query.counts(|term| query.terms.get(term).is_some_and(|term| having(term) > 0));
    let of_term = |(term, counted): (&String, &f32)| counted * idf(count, having(term));
    let idfs: Vec<f32> = query.terms.iter().zip(&counts).map(of_term).collect();

    let mut memories = Vec::new();
    for document in documents.iter().filter(|document| state.shows(filter, &document.stored.memory)) {
        let mut hit =
            WordHit { node: document.stored.memory.node, body: 0.0, full: 0.0, header: 0.0, matched: 0 };
        let (body_length, header_length) = (document.body.len(), document.header.len());
        for (position, (term, &idf)) in query.terms.iter().zip(&idfs).enumerate() {
            let body = occurrences(&document.body, term);
            let header = occurrences(&document.header, term);
            if body + header == 0 {
                continue;
            }
            hit.matched |= 1 << position;
            hit.full += bm25(
                idf,
                body + header,
                body_length + header_length,
                average(body_terms + header_terms, count),
            );
            hit.body += bm25(idf, body, body_length, average(body_terms, count));
            hit.header += bm25(idf, header, header_length, average(header_terms, count));
        }
        if hit.matched != 0 {
            memories.push(hit);
        }
    }
    memories.sort_by(|a, b| b.full.total_cmp(&a.full).then(a.node.cmp(&b.node)));
    memories.truncate(query.limit);

    let mut members: BTreeMap<Place, Vec<&Cut<'_>>> = BTreeMap::new();
    for document in &documents {
        members.entry(document.stored.place).or_default().push(document);
    }
    let in_place = |members: &[&Cut<'_>], term: &String| -> u32 {
        members.iter().map(|member| occurrences(&member.body, term)).sum()
    };
    let mut places = Vec::new();
    for (&place, own) in &members {
        if !own.iter().any(|member| admits(filter, &member.stored.memory)) {
            continue;
        }
        let length: usize = own.iter().map(|member| member.body.len()).sum();
        let mut score = 0.0;
        for (term, counted) in query.terms.iter().zip(&counts) {
            let having = members.values().filter(|other| in_place(other, term) > 0).count();
            score += bm25(
                counted * idf(members.len(), having),
                in_place(own, term),
                length,
                average(body_terms, members.len()),
            );
        }
        if score > 0.0 {
            places.push((place, score));
        }
    }
    places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    places.truncate(query.places);
    WordHits { memories, places, idf: idfs }
}
