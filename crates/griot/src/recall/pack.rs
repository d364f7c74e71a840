//! Which of the ranked candidates make the answer: relevant ones, no two saying the same, within the limit or
//! the budget.

use crate::model::{Memory, Result};
use crate::text;

use super::candidates::{Candidate, Found};
use super::signals::SignalName;
use super::{Rejected, Rejection};

/// Tokens of a text: about four characters each in alphabets, one each for ideographs.
pub fn tokens(text: &str) -> usize {
    let (mut letters, mut signs) = (0usize, 0usize);
    for c in text.chars() {
        if u32::from(c) >= 0x2E80 { signs += 1 } else { letters += 1 }
    }
    letters.div_ceil(4) + signs
}

/// How much a candidate has to do with the question by itself, 0..=1: what the floor is held against.
///
/// Unlike a score it does not depend on how good the best candidate is: shares of the best are 1 for the best
/// of nothing.
pub fn relevance(candidate: &Candidate) -> f32 {
    let coverage = candidate.values[SignalName::Coverage as usize];
    let cosine = candidate.cosine.unwrap_or(0.0).max(0.0);
    let names = candidate.values[SignalName::Entities as usize];
    // A day that is named and met is as good as a name, for what has anything else to do with the question.
    let time = if coverage > 0.0 { candidate.values[SignalName::Time as usize].max(0.0) } else { 0.0 };
    (0.5 * coverage + 0.5 * cosine + 0.15 * names + 0.1 * time).min(1.0)
}

/// A place in the answer.
pub struct Packed {
    pub candidate: Candidate,
    pub memory: Memory,
}

#[derive(Default)]
pub struct Packing {
    pub packed: Vec<Packed>,
    pub rejected: Vec<Rejected>,
    pub tokens: usize,
}

pub struct Terms {
    pub limit: usize,
    pub budget: Option<usize>,
    /// Share of common words from which two results say the same; above 1 never.
    pub redundancy: f32,
    /// List what is left out.
    pub rejected: bool,
}

/// Goes through the candidates from the best on. What is taken depends only on what was taken before it, so a
/// smaller limit gives the beginning of a larger one.
pub fn pack(
    ranked: Vec<Candidate>,
    terms: &Terms,
    fetch: &mut dyn FnMut(&[Candidate]) -> Result<Vec<Memory>>,
) -> Result<Packing> {
    /// Rejected candidates that are listed, at most.
    const LISTED: usize = 50;
    let mut packing = Packing::default();
    let mut words: Vec<Vec<u64>> = Vec::new();
    let mut ranked = ranked.into_iter().peekable();
    while ranked.peek().is_some() {
        let full = packing.packed.len() >= terms.limit;
        if full && (!terms.rejected || packing.rejected.len() >= LISTED) {
            break;
        }
        // Rows are read a page at a time: most answers need one.
        let page: Vec<Candidate> = ranked.by_ref().take(terms.limit.clamp(10, 200)).collect();
        let mut memories = fetch(&page)?.into_iter().peekable();
        for candidate in page {
            let Some(memory) = memories.next_if(|m| m.node == candidate.node) else { continue };
            let reason = if packing.packed.len() >= terms.limit {
                Some(Rejection::Limit)
            } else {
                let set = text::word_set(&memory.text);
                // Short texts share most of their words by chance, so they repeat each other only if they are
                // equal.
                let repeats = packing.packed.iter().any(|known| known.memory.text == memory.text)
                    || set.len() >= 5
                        && words.iter().any(|known| text::overlap(known, &set) >= terms.redundancy);
                let cost = tokens(&memory.text);
                let too_long = terms.budget.is_some_and(|budget| packing.tokens + cost > budget);
                if repeats {
                    Some(Rejection::Redundant)
                } else if too_long {
                    Some(Rejection::Budget)
                } else {
                    words.push(set);
                    packing.tokens += cost;
                    None
                }
            };
            match reason {
                None => packing.packed.push(Packed { candidate, memory }),
                Some(reason) if terms.rejected && packing.rejected.len() < LISTED => {
                    packing.rejected.push(Rejected { memory, score: candidate.score, reason });
                }
                Some(_) => {}
            }
        }
    }
    Ok(packing)
}

/// Why a candidate is in the answer, by what brought it.
pub fn why_included(candidate: &Candidate) -> super::WhyIncluded {
    use super::WhyIncluded as Why;
    let direct = candidate.values[SignalName::Coverage as usize] > 0.0;
    match candidate.found {
        Found::Graph => Why::GraphExpansion,
        Found::Place if !direct => Why::Place,
        Found::Time if !direct => Why::Time,
        // A name may match under another spelling.
        _ if !direct && candidate.values[SignalName::Entities as usize] == 0.0 => Why::SimilarMeaning,
        _ => Why::DirectMatch,
    }
}
