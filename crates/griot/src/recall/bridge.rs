//! What does a second question find: the one that the best matches leave open?
//!
//! "Who was the first president of the association that published this journal?" The passage about the
//! journal is found and names the association; the one about its presidents shares few words with the
//! question. So each of the best matches asks on: with the words of the question that it does not have and
//! the names that it brings up. (Second hop of IRCoT and Baleen, with the graph's names in place of a model.)

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::backend::{Arc, WordHit, WordHits, WordQuery};
use crate::graph::Hop;
use crate::model::{EdgeKind, Node, Result};
use crate::text;

use super::answer::Reach;
use super::candidates::{Pool, share, sharpness};
use super::run::Question;
use super::signals::SignalName;

/// Matches that ask on: nDCG@10 over seven sets was .697 with one, .699 with two, .700 with three
/// (docs/design/recall-experiments.md); each costs a search.
const ASKING: usize = 2;
/// Names that a match brings up, at most; the heaviest mentions.
const NAMES: usize = 24;
/// Memories that are looked at, and those that become candidates if they are none yet.
const FOUND: usize = 250;
const BROUGHT: usize = 20;
/// Memories of an answer that are described with it; the others are described if they become candidates.
pub const LOOKED_AT: usize = 3 * BROUGHT;
/// Words of the question that may be open; the rest of the 64 is for names.
const OPEN: usize = 40;
/// Over edges: to the name and from it.
const HOPS: usize = 2;

/// The matches that asked on, best first, with the names they brought up.
#[derive(Default)]
pub struct Bridges(Vec<(Node, Vec<Arc>)>);

/// Second questions that are still to be asked.
#[derive(Default)]
pub struct Bridge {
    /// For each match that asks on its score, and its question if it has one.
    asking: Vec<(Node, f32, Option<OpenQuestion>)>,
    brought_up: Vec<Vec<Arc>>,
}

/// What the first of the walk's seeds ask on with; `arcs_of` gives the arcs of a seed.
pub fn prepare<'r>(
    question: &Question<'_>,
    pool: &Pool,
    seeds: &[(Node, f32)],
    arcs_of: &dyn Fn(Node) -> &'r [Arc],
    reach: Reach,
) -> Result<Bridge> {
    if reach.hops < HOPS || seeds.is_empty() {
        return Ok(Bridge::default());
    }
    let best = &seeds[..seeds.len().min(ASKING)];
    let names_of = |&(node, _): &(Node, f32)| -> Vec<Arc> {
        let mut arcs = mentions(arcs_of(node));
        arcs.retain(|arc| !question.entities.contains(&arc.to));
        arcs
    };
    let brought_up: Vec<Vec<Arc>> = best.iter().map(names_of).collect();
    let entities: Vec<Node> = brought_up.iter().flatten().map(|arc| arc.to).collect();
    let names: HashMap<Node, String, FixedState> = match entities.is_empty() {
        true => HashMap::default(),
        false => {
            question.read.entities(&entities)?.into_iter().map(|entity| (entity.node, entity.name)).collect()
        }
    };
    let open = |(&(node, score), arcs): (&(Node, f32), &Vec<Arc>)| {
        let own = arcs.iter().filter_map(|arc| names.get(&arc.to).map(String::as_str));
        (node, score, OpenQuestion::new(pool, question, node, own))
    };
    Ok(Bridge { asking: best.iter().zip(&brought_up).map(open).collect(), brought_up })
}

impl Bridge {
    /// What is searched for, one search for each question.
    pub fn words(&self) -> Vec<WordQuery> {
        self.asking.iter().filter_map(|(.., open)| Some(open.as_ref()?.words.clone())).collect()
    }

    /// Sets the signals `bridge…` and adds what the second questions found.
    pub fn cross(
        self,
        question: &Question<'_>,
        pool: &mut Pool,
        answers: Vec<WordHits>,
        reach: Reach,
    ) -> Result<Bridges> {
        let Some(&(_, top, _)) = self.asking.first() else { return Ok(Bridges::default()) };
        let mut found: HashMap<Node, [f32; 3], FixedState> = HashMap::default();
        let mut fresh = Vec::new();
        let asked =
            self.asking.iter().filter_map(|(node, score, open)| Some((*node, *score, open.as_ref()?)));
        for ((node, score, asked), answer) in asked.zip(&answers) {
            let hits = || answer.memories.iter().filter(|hit| hit.node != node);
            let most_full = hits().map(|hit| hit.full).fold(0.0, f32::max);
            let most_header = hits().map(|hit| hit.header).fold(0.0, f32::max);
            let trust = sharpness(score, top) / sharpness(top, top);
            for hit in hits() {
                let own = [
                    share(hit.full, most_full),
                    share(hit.header, most_header),
                    asked.answered(hit, &answer.idf),
                ];
                let known = found.entry(hit.node).or_default();
                known.iter_mut().zip(own).for_each(|(known, own)| *known = known.max(own * trust));
            }
            fresh.extend(hits().map(|hit| hit.node).filter(|node| pool.get(*node).is_none()).take(BROUGHT));
        }
        fresh.truncate(reach.memories);
        pool.extend(question, fresh)?;
        for candidate in &mut pool.candidates {
            if let Some(own) = found.get(&candidate.node) {
                let signals = [SignalName::Bridge, SignalName::BridgeHeader, SignalName::BridgeOpen];
                signals
                    .into_iter()
                    .zip(own)
                    .for_each(|(signal, value)| candidate.values[signal as usize] = *value);
            }
        }
        Ok(Bridges(self.asking.into_iter().map(|(node, ..)| node).zip(self.brought_up).collect()))
    }
}

/// What a match asks on with.
struct OpenQuestion {
    /// First the words of the question that it lacks, then those of names.
    words: WordQuery,
    /// The open ones among the terms.
    open: u64,
    /// The terms of each name.
    names: Vec<u64>,
}

impl OpenQuestion {
    /// `None` if the match brings up no name.
    fn new<'a>(
        pool: &Pool,
        question: &Question<'_>,
        node: Node,
        brought_up: impl Iterator<Item = &'a str>,
    ) -> Option<Self> {
        let terms_asked = &question.understood.terms;
        let had = pool.get(node).map_or(0, |candidate| pool.matched(candidate));
        let asked = terms_asked.iter().take(OPEN).enumerate();
        let mut terms: Vec<String> =
            asked.filter(|(at, _)| had >> at & 1 == 0).map(|(_, term)| term.clone()).collect();
        let open = (1u64 << terms.len()) - 1;
        let mut names = Vec::new();
        for name in brought_up {
            let words = text::query_terms(name).into_iter().filter(|term| !term.stop);
            let words: Vec<String> = words.map(|term| term.text).collect();
            let fresh = words.iter().filter(|word| !terms.contains(word)).count();
            if words.iter().all(|word| terms_asked.contains(word)) || terms.len() + fresh > 64 {
                continue;
            }
            let mut bits = 0u64;
            for word in words {
                let at = terms.iter().position(|term| *term == word).unwrap_or_else(|| {
                    terms.push(word);
                    terms.len() - 1
                });
                bits |= 1 << at;
            }
            names.push(bits);
        }
        (!names.is_empty()).then_some(Self {
            words: WordQuery { terms, limit: FOUND, places: 0 },
            open,
            names,
        })
    }

    /// The share of the open words that stand with a whole name, by how rare they are.
    fn answered(&self, hit: &WordHit, idf: &[f32]) -> f32 {
        let weight = |terms: u64| -> f32 {
            idf.iter().enumerate().filter(|(at, _)| terms >> at & 1 == 1).map(|(_, idf)| *idf).sum()
        };
        let named = self.names.iter().any(|name| hit.matched & name == *name);
        if named { share(weight(hit.matched & self.open), weight(self.open)) } else { 0.0 }
    }
}

impl Bridges {
    /// The way from a match over a name that it brings up to a memory that mentions it, whose own mentions
    /// these are; empty if there is none.
    pub fn way(&self, memory: Node, own: &[Arc]) -> Vec<Hop> {
        let own = mentions(own);
        for (from, arcs) in &self.0 {
            for arc in arcs {
                if let Some(last) = own.iter().find(|own| own.to == arc.to && *from != memory) {
                    return vec![Hop { from: *from, arc: *arc }, Hop { from: memory, arc: *last }.flipped()];
                }
            }
        }
        Vec::new()
    }
}

/// The heaviest mentions among the arcs of a memory.
fn mentions(arcs: &[Arc]) -> Vec<Arc> {
    let mentions = arcs.iter().filter(|arc| arc.kind == EdgeKind::Mentions && arc.forward);
    mentions.take(NAMES).copied().collect()
}
