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
    let may_replace = |old: &Memory| {
        let is_other = old.node != new.node && !linked.contains(&old.node);
        is_other && old.occurred_at <= new.occurred_at && !refused.has(OfferKind::Replacement, old)
    };
    let (own, near) = near(read, new, prepared, filter, may_replace)?;
    let mut offers: Vec<(f32, &Memory)> = near
        .iter()
        .map(|one| (one.tie * readiness(&own, &one.statement), &one.memory))
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
        probability: probability(likely),
        noted: likely >= SURE
            && (own.has(Act::Correction) || own.has(Act::Change))
            && text::takes_back(&new.text, &old.text),
        reason: reason(&own).to_string(),
        offer: None,
    };
    Ok(offers.into_iter().map(offer).collect())
}

/// Whether a memory states since another value of what `known` states, so that who states it again says
/// something new.
pub fn is_replaced(read: &dyn Read, known: &Memory, again: &Prepared, filter: &Filter) -> Result<bool> {
    let is_later = |other: &Memory| {
        other.node != known.node && other.text != known.text && other.occurred_at > known.occurred_at
    };
    let (own, near) = near(read, known, again, filter, is_later)?;
    let is_sure = |one: &&Tied| one.tie * readiness(&one.statement, &own) >= SURE;
    Ok(near.iter().filter(is_sure).any(|one| differ_in_end(known, &one.memory)))
}

/// Whether two texts begin alike and end in other words: "the code is 1111", "the code is 2222".
fn differ_in_end(one: &Memory, other: &Memory) -> bool {
    let is_shared = |word: &&str| other.text.split_whitespace().any(|known| known == *word);
    let shared: Vec<&str> = one.text.split_whitespace().filter(is_shared).collect();
    let texts = [one, other].map(|memory| TieText {
        text: &memory.text,
        speaker: memory.speaker.as_deref(),
        vector: None,
    });
    !Ties::between(&texts, &|_| None).alike(&shared.join(" "), &|_, _| true).is_empty()
}

/// A memory that may state the same property of the same thing.
struct Tied {
    memory: Memory,
    /// How likely it does.
    tie: f32,
    statement: Statement,
}

/// What a memory states, and those near to it by words or meaning that `is_meant` takes. `prepared` has its
/// text.
fn near(
    read: &dyn Read,
    of: &Memory,
    prepared: &Prepared,
    filter: &Filter,
    is_meant: impl Fn(&Memory) -> bool,
) -> Result<(Statement, Vec<Tied>)> {
    let terms: Vec<String> = text::content_terms(&of.text);
    let words = [WordQuery { terms: terms.clone(), limit: COMPARED, ..WordQuery::default() }];
    let vectors: Vec<(&[f32], usize)> =
        prepared.vector.iter().map(|(vector, _)| (vector.as_slice(), COMPARED)).collect();
    let found = read.search_one(&Batch { words: &words, vectors: &vectors, ..Batch::within(filter) })?;
    let hits = found.words.first();
    let by_words = hits.iter().flat_map(|hits| hits.memories.iter().map(|hit| hit.node));
    let nodes = distinct(
        by_words.chain(found.vectors.iter().flatten().map(|(node, _)| *node)).collect::<Vec<Node>>(),
    );
    let rows = read.fetch(&Wanted { nodes: &nodes, vectors: &nodes, ..Wanted::default() })?;
    let vector = |node: Node| {
        rows.vectors.iter().find(|(other, _)| *other == node).map(|(_, vector)| dequantise(vector))
    };
    let known: Vec<Memory> =
        rows.memories.into_iter().filter(|memory| !memory.is_timeless() && is_meant(memory)).collect();
    let mut texts = vec![TieText {
        text: &of.text,
        speaker: of.speaker.as_deref(),
        vector: prepared.vector.as_ref().map(|(vector, _)| vector.to_vec()),
    }];
    texts.extend(known.iter().map(|other| TieText {
        text: &other.text,
        speaker: other.speaker.as_deref(),
        vector: vector(other.node),
    }));
    let terms: Vec<u64> = terms.iter().map(|term| text::term_key(term)).collect();
    let weight = |stem: u64| {
        let at = terms.iter().position(|term| *term == stem)?;
        hits?.idf.get(at).copied()
    };
    let ties = Ties::between(&texts, &weight);
    let read: Vec<(f32, Statement)> = (1..=known.len())
        .zip(&known)
        .map(|(at, other)| (ties.get(0, at), ties.statement(at, other.occurred_at)))
        .collect();
    let own = ties.statement(0, of.occurred_at);
    drop(ties);
    let tied = |(memory, (tie, statement))| Tied { memory, tie, statement };
    Ok((own, known.into_iter().zip(read).map(tied).collect()))
}

/// The share of right offers among those that are as likely by their words: what is said of one thing seldom
/// replaces what was said of it before. From 2,600 offers of eighteen worlds and twelve days, each of five
/// kinds of text counting alike. Those with a likelihood of 0.9 were right in a fifth of the cases in days,
/// and in four fifths in worlds about knowledge that changes.
fn probability(likely: f32) -> f32 {
    const STEEPNESS: f32 = 0.52;
    const START: f32 = -2.37;
    let odds = likely.clamp(1e-4, 1.0 - 1e-4);
    let sum = STEEPNESS * (odds / (1.0 - odds)).ln() + START;
    1.0 / (1.0 + (-sum).exp())
}

/// From here on an offer is noted at once if the new text names the old value and takes it back.
const SURE: f32 = 0.6;
/// Less likely ones are not offered.
const LEAST: f32 = 0.05;

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
