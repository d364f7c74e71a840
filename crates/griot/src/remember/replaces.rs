//! Which memories a new one may replace: earlier statements of the same property of the same thing.
//!
//! Offers only, at most [`MOST`], most likely first; the caller judges. A memory that is outdated already, or
//! lies in another scope, is not offered, nor is one that a caller refused for this text. An offer is sure
//! where the new text names the old value and takes it back ("15, not 16").

use crate::backend::{Batch, Filter, Read, Wanted, WordQuery};
use crate::embed::dequantise;
use crate::graph::distinct;
use crate::model::{Memory, Node, OfferKind, Result};
use crate::text::{self, Act, Statement, TieText, Ties};

use super::UpdateCandidate;
use super::offers::Refused;
use super::prepare::Prepared;

/// The most offers.
pub const MOST: usize = 3;
/// Memories that are compared with the new one, by meaning and by words.
const COMPARED: usize = 40;

/// The memories that the new one may replace. What is its cause or effect, it does not replace: `linked`.
pub fn offers(
    read: &dyn Read,
    new: &Memory,
    prepared: &Prepared,
    filter: &Filter,
    linked: &[Node],
    refused: &Refused,
) -> Result<Vec<UpdateCandidate>> {
    let terms: Vec<String> = text::content_terms(&new.text);
    let words = [WordQuery { terms: terms.clone(), limit: COMPARED, ..WordQuery::default() }];
    let vectors: Vec<(&[f32], usize)> =
        prepared.vector.iter().map(|(vector, _)| (vector.as_slice(), COMPARED)).collect();
    let found = read.search_one(&Batch { words: &words, vectors: &vectors, ..Batch::within(filter) })?;
    let hits = found.words.first();
    let by_words = hits.iter().flat_map(|hits| hits.memories.iter().map(|hit| hit.node));
    let mut nodes: Vec<Node> =
        by_words.chain(found.vectors.iter().flatten().map(|(node, _)| *node)).collect();
    nodes.retain(|node| *node != new.node && !linked.contains(node));
    let nodes = distinct(nodes);
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let rows = read.fetch(&Wanted { nodes: &nodes, vectors: &nodes, ..Wanted::default() })?;
    let may_replace = |old: &&Memory| {
        old.occurred_at <= new.occurred_at && !old.is_timeless() && !refused.has(OfferKind::Replacement, old)
    };
    let known: Vec<&Memory> = rows.memories.iter().filter(may_replace).collect();
    let vector = |node: Node| {
        rows.vectors.iter().find(|(other, _)| *other == node).map(|(_, vector)| dequantise(vector))
    };
    let mut texts = vec![TieText {
        text: &new.text,
        speaker: new.speaker.as_deref(),
        vector: prepared.vector.as_ref().map(|(vector, _)| vector.to_vec()),
    }];
    texts.extend(known.iter().map(|old| TieText {
        text: &old.text,
        speaker: old.speaker.as_deref(),
        vector: vector(old.node),
    }));
    let terms: Vec<u64> = terms.iter().map(|term| text::term_key(term)).collect();
    let weight = |stem: u64| {
        let at = terms.iter().position(|term| *term == stem)?;
        hits?.idf.get(at).copied()
    };
    let ties = Ties::between(&texts, &weight);
    let own = ties.statement(0, new.occurred_at);
    let mut offers: Vec<(f32, &Memory)> = known
        .iter()
        .enumerate()
        .map(|(at, old)| {
            let before = ties.statement(at + 1, old.occurred_at);
            (ties.get(0, at + 1) * readiness(&own, &before), *old)
        })
        .filter(|(likely, _)| *likely >= LEAST)
        .collect();
    offers.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.occurred_at.cmp(&a.1.occurred_at)));
    offers.truncate(MOST);
    let offer = |(likely, old): (f32, &Memory)| UpdateCandidate {
        id: old.id,
        handle: old.handle.clone(),
        text: old.text.clone(),
        kind: old.kind.clone(),
        occurred_at: old.occurred_at,
        probability: likely,
        noted: likely >= SURE
            && (own.has(Act::Correction) || own.has(Act::Change))
            && text::takes_back(&new.text, &old.text),
        reason: reason(&own).to_string(),
        offer: None,
    };
    Ok(offers.into_iter().map(offer).collect())
}

/// From here on an offer is noted at once if the new text names the old value and takes it back.
const SURE: f32 = 0.6;
/// Less likely ones are not offered.
const LEAST: f32 = 0.03;

/// How ready the new statement is to replace, and the old one to be replaced, as a factor.
fn readiness(new: &Statement, old: &Statement) -> f32 {
    let doubt = new.count(Act::WhatIf) + new.count(Act::Hearsay) + 0.5 * old.count(Act::Hearsay);
    1.0 / (1.0 + 0.5 * doubt)
}

/// Why a memory may replace another one, as far as its own text says.
pub fn reason_of(new: &Memory) -> &'static str {
    let text = TieText { text: &new.text, speaker: new.speaker.as_deref(), vector: None };
    reason(&Ties::between(&[text], &|_| None).statement(0, new.occurred_at))
}

fn reason(new: &Statement) -> &'static str {
    match () {
        () if new.has(Act::Correction) => "it corrects what seems to be said there",
        () if new.has(Act::Cancel) => "it seems to take back what is said there",
        () if new.has(Act::Change) => "it seems to change what is said there",
        () => "both seem to state one property of one thing",
    }
}
