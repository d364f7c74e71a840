//! Selects results from the ranked candidates: no near duplicates, within the limit or the budget.

use crate::model::{Memory, Result};
use crate::text;

use super::candidates::{Candidate, Found};
use super::signals::SignalName;
use super::{Query, Rejected, Rejection};

/// Estimates the tokens of a text: four characters each in alphabets, one each for ideographs.
pub fn tokens(text: &str) -> usize {
    let (mut letters, mut signs) = (0usize, 0usize);
    for c in text.chars() {
        if u32::from(c) >= 0x2E80 { signs += 1 } else { letters += 1 }
    }
    letters.div_ceil(4) + signs
}

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

/// Processes the candidates in ranked order. A selection depends only on earlier ones, so a smaller limit
/// gives a prefix of a larger one. Two results that share at least `redundancy` of their words count as
/// duplicates; above 1 only equal texts do.
pub fn pack(
    ranked: Vec<Candidate>,
    query: &Query,
    redundancy: f32,
    fetch: &mut dyn FnMut(&[Candidate]) -> Result<Vec<Memory>>,
) -> Result<Packing> {
    /// The most rejected candidates that are listed.
    const LISTED: usize = 50;
    let limit = query.limit;
    let mut packing = Packing::default();
    let mut words: Vec<Vec<u64>> = Vec::new();
    let mut ranked = ranked.into_iter().peekable();
    while ranked.peek().is_some() {
        let full = packing.packed.len() >= limit;
        if full && (!query.rejected || packing.rejected.len() >= LISTED) {
            break;
        }
        // Read rows a page at a time; most answers need one page.
        let page: Vec<Candidate> = ranked.by_ref().take(limit.clamp(10, 200)).collect();
        let mut memories = fetch(&page)?.into_iter().peekable();
        for candidate in page {
            let Some(memory) = memories.next_if(|m| m.node == candidate.node) else { continue };
            let reason = if packing.packed.len() >= limit {
                Some(Rejection::Limit)
            } else {
                let set = text::word_set(&memory.text);
                // Short texts share most of their words by chance, so they count as duplicates only if they
                // are equal.
                let repeats = packing.packed.iter().any(|known| known.memory.text == memory.text)
                    || set.len() >= 5 && words.iter().any(|known| text::overlap(known, &set) >= redundancy);
                let cost = tokens(&memory.text);
                let too_long = query.budget.is_some_and(|budget| packing.tokens + cost > budget);
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
                Some(reason) if query.rejected && packing.rejected.len() < LISTED => {
                    packing.rejected.push(Rejected { memory, score: candidate.score, reason });
                }
                Some(_) => {}
            }
        }
    }
    Ok(packing)
}

/// Derives the reason for inclusion from the signal that found the candidate.
pub fn why_included(candidate: &Candidate) -> super::WhyIncluded {
    use super::WhyIncluded as Why;
    let direct = candidate.values[SignalName::Coverage as usize] > 0.0;
    match candidate.found {
        Found::Graph => Why::GraphExpansion,
        Found::Place if !direct => Why::Place,
        Found::Time if !direct => Why::Time,
        // A name may match in another spelling.
        _ if !direct && candidate.values[SignalName::Entities as usize] == 0.0 => Why::SimilarMeaning,
        _ => Why::DirectMatch,
    }
}
