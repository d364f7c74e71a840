//! Multi-hop retrieval: a second search for what the best matches leave open.
//!
//! "Who was the first president of the association that published this journal?" The first search finds the
//! passage about the journal, which names the association; the passage about its presidents shares few words
//! with the question. So each of the best matches starts a second search for the words of the question that
//! it lacks and the entities that it mentions. (Like the second hop of IRCoT and Baleen, with entities of the
//! graph instead of a model.)

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::backend::{Arc, WordHit, WordHits, WordQuery};
use crate::graph::Hop;
use crate::model::{EdgeKind, Node, Result};
use crate::text;

use super::Question;
use super::answer::Reach;
use super::candidates::{Pool, share, sharpness};
use super::signals::SignalName;

/// Matches that start a second search. nDCG@10 over seven sets was .697 with one, .699 with two, .700 with
/// three (docs/design/recall-experiments.md); each costs a search.
const ASKING: usize = 2;
/// The most names taken from a match, by the weight of the mention.
const NAMES: usize = 24;
/// Results of a second search that are scored, and the most of them that become new candidates.
const FOUND: usize = 250;
const BROUGHT: usize = 20;
/// Results that the search describes with its answer; others are described once they become candidates.
pub const LOOKED_AT: usize = 3 * BROUGHT;
/// The most words of the question in a second search; the rest of the 64 terms are names.
const OPEN: usize = 40;
/// Edges on the way: to the name and from it.
const HOPS: usize = 2;

/// The matches that started a second search, best first, with their mentions.
#[derive(Default)]
pub struct Bridges(Vec<(Node, Vec<Arc>)>);

/// Second searches that have not run yet.
#[derive(Default)]
pub struct Bridge {
    /// For each match its score, and its query if it has one.
    asking: Vec<(Node, f32, Option<OpenQuestion>)>,
    brought_up: Vec<Vec<Arc>>,
}

/// Builds the second searches of the first seeds; `arcs_of` returns the arcs of a seed.
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
    /// The queries, one for each second search.
    pub fn words(&self) -> Vec<WordQuery> {
        self.asking.iter().filter_map(|(.., open)| Some(open.as_ref()?.words.clone())).collect()
    }

    /// Sets the signals `bridge…` and adds the results of the second searches.
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

/// The second search of one match.
struct OpenQuestion {
    /// First the words of the question that the match lacks, then those of names.
    words: WordQuery,
    /// Bits of the terms that come from the question.
    open: u64,
    /// Bits of the terms of each name.
    names: Vec<u64>,
}

impl OpenQuestion {
    /// `None` if the match mentions no usable name.
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
            let words = text::content_terms(name);
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
            words: WordQuery { terms, limit: FOUND, ..WordQuery::default() },
            open,
            names,
        })
    }

    /// IDF-weighted share of the open words in a hit that contains a whole name, else 0.
    fn answered(&self, hit: &WordHit, idf: &[f32]) -> f32 {
        let weight = |terms: u64| -> f32 {
            idf.iter().enumerate().filter(|(at, _)| terms >> at & 1 == 1).map(|(_, idf)| *idf).sum()
        };
        let named = self.names.iter().any(|name| hit.matched & name == *name);
        if named { share(weight(hit.matched & self.open), weight(self.open)) } else { 0.0 }
    }
}

impl Bridges {
    /// The path from a match through an entity that it mentions to a memory that mentions the same entity.
    /// `own` are the arcs of that memory. Empty if there is none.
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

/// The mentions with the highest weight among the arcs of a memory.
fn mentions(arcs: &[Arc]) -> Vec<Arc> {
    let mentions = arcs.iter().filter(|arc| arc.kind == EdgeKind::Mentions && arc.forward);
    mentions.take(NAMES).copied().collect()
}
