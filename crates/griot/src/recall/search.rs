//! The first search of a recall: every kind of candidate, and the rules of the scope, in one request.

use crate::backend::{Answers, Batch, Listing, Look, WordQuery};
use crate::model::{Interval, Node, Result, Timestamp};
use crate::text::{self, EventAnchor, Language, TimeRelation};

use super::candidates::{Pool, mentions_of};
use super::understand::{Named, Span};
use super::{Limits, Question, languages, rules};

/// Searches by words, vectors, names and times, and among the rules of the scope, in one request; then in the
/// neighbourhood of the best results. If the store holds texts in other languages, the question is asked in
/// these too, in a second request.
pub fn first_search(question: &mut Question<'_>, limits: &Limits) -> Result<(Pool, Vec<(Node, f32)>)> {
    let anchors = anchors(question.query.question());
    let translator = languages::translator(question);
    let probes = languages::probes(question, &translator);
    let (mut found, mut rules) = search(question, limits, &anchors, &probes)?;
    let answers = found.words.len().saturating_sub(probes.len());
    question.translations =
        languages::translated(question, &translator, &probes, &found.words.split_off(answers))?;
    if !question.translations.is_empty() {
        (found, rules) = search(question, limits, &anchors, &[])?;
    }
    question.nearest = Named::nearest(std::mem::take(&mut found.names));
    let hits = found.words.split_off((1 + question.translations.len()).min(found.words.len()));
    for ((anchor, words), hits) in anchors.into_iter().zip(hits) {
        let all = if words.terms.len() >= 64 { u64::MAX } else { (1 << words.terms.len()) - 1 };
        let Some(hit) = hits.memories.first().filter(|hit| hit.matched & all == all) else { continue };
        let at = found.nodes.iter().position(|node| *node == hit.node);
        if let Some(placement) = at.and_then(|at| found.placements.get(at).copied().flatten()) {
            let at = placement.occurred_at;
            let far = anchor.distance.unwrap_or(0..1);
            let [start, end] = [far.start, far.end].map(|far| Timestamp(at.0.saturating_add(far)));
            question.spans.push(Span { relation: anchor.relation, interval: Interval::new(start, end) });
        }
    }
    let rules = match rules {
        Some(found) => rules::measure(question, found)?,
        None => Vec::new(),
    };
    Ok((Pool::collect(question, found, limits)?, rules))
}

/// What is found in the scope of the question, and among its rules if they are wanted. By words: the question
/// in each language, the events, the probes.
fn search(
    question: &Question<'_>,
    limits: &Limits,
    anchors: &[(EventAnchor, WordQuery)],
    probes: &[(Language, WordQuery)],
) -> Result<(Answers, Option<Answers>)> {
    let mut words = question.word_queries(limits.words, limits.words / 2);
    words.extend(anchors.iter().map(|(_, words)| words.clone()));
    words.extend(probes.iter().map(|(_, words)| words.clone()));
    let vectors: Vec<(&[f32], usize)> = question.vectors().map(|vector| (vector, limits.vectors)).collect();
    let within = question.spans.iter().filter(|span| span.relation == TimeRelation::Within);
    let lists: Vec<Listing> = within.map(|span| Listing::Within(span.interval, limits.times)).collect();
    let fan_out = mentions_of(limits.mentions);
    let arcs = question.mentions(&fan_out);
    let names = question.names();
    let likes = question.likes();
    let look = Look {
        found: usize::MAX,
        years: !(question.spans.is_empty() && anchors.is_empty()),
        degrees: if question.edges { &question.entities } else { &[] },
        ..question.look(&likes)
    };
    let filter = &question.filter;
    let mut batches = vec![Batch {
        filter,
        words: &words,
        vectors: &vectors,
        names: &names,
        lists: &lists,
        arcs: &arcs,
        look,
    }];

    let rules_filter = rules::filter(question);
    let rules_words = question.word_queries(rules::MOST, rules::MOST / 2);
    let rules_lists = [Listing::Rules(rules::MOST)];
    let rules_fan_out = mentions_of(rules::MOST);
    let rules_arcs = question.mentions(&rules_fan_out);
    if let Some(filter) = &rules_filter {
        batches.push(Batch {
            filter,
            words: &rules_words,
            vectors: &[],
            names: &[],
            lists: &rules_lists,
            arcs: &rules_arcs,
            look,
        });
    }
    let mut answers = question.read.search(&batches)?.into_iter();
    Ok((answers.next().unwrap_or_default(), answers.next()))
}

/// Events used as time references ("before the release"), with the queries that find them.
fn anchors(text: &str) -> Vec<(EventAnchor, WordQuery)> {
    let query = |anchor: EventAnchor| {
        let terms = text::content_terms(text.get(anchor.bytes.clone()).unwrap_or_default());
        (!terms.is_empty()).then_some((anchor, WordQuery { terms, limit: 1, ..WordQuery::default() }))
    };
    text::event_anchors(text).into_iter().filter_map(query).collect()
}
