//! Selects results from the ranked candidates: no near duplicates, within the limit or the budget.

use crate::model::{Memory, Result, Source, SourceType};
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
    /// Memories of other sources with the same or nearly the same text.
    pub also_in: Vec<Memory>,
    document: Document,
    words: Vec<u64>,
}

/// Share of the shorter passage by which two forms of one document repeat each other. They are cut at
/// other lines.
const FORMS: f32 = 0.6;
/// Distinct words from which on containing a passage is no chance.
const PASSAGE: usize = 20;

/// The document that a memory is a passage of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// Its title, and its name without folder and ending; empty if it is none.
    names: Vec<String>,
    /// The ending of its name, such as `html`.
    ending: Option<String>,
}

impl Document {
    pub fn of(source: Option<&Source>) -> Self {
        let Some(source) = source.filter(|one| matches!(one.kind, SourceType::File | SourceType::Page))
        else {
            return Self::default();
        };
        let path = source.given_name().split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, ending) = name.rsplit_once('.').map_or((name, None), |(stem, end)| (stem, Some(end)));
        let names = source.title.iter().map(|title| title.trim()).chain([stem]);
        Self {
            names: names.filter(|name| !name.is_empty()).map(str::to_lowercase).collect(),
            ending: ending.map(str::to_lowercase),
        }
    }

    /// Whether both may be forms of one text, such as a page and its source. Documents of one format that
    /// have a name in common, such as each folder's README, are not.
    fn is_like(&self, other: &Self) -> bool {
        self.ending != other.ending && self.names.iter().any(|name| other.names.contains(name))
    }
}

impl Packed {
    /// Whether it says all that a later one says.
    fn tells(&self, memory: &Memory, document: &Document, words: &[u64], redundancy: f32) -> bool {
        if self.memory.text == memory.text {
            return true;
        }
        let (shorter, longer) =
            (self.words.len().min(words.len()) as f32, self.words.len().max(words.len()) as f32);
        let of_longer = text::overlap(&self.words, words);
        let of_shorter = of_longer * longer / shorter.max(1.0);
        // Short texts share most of their words by chance, so they count as duplicates only if they are
        // equal.
        let is_short = words.len() < 5;
        let is_form = self.document.is_like(document) && of_shorter >= FORMS;
        let holds = words.len() <= self.words.len()
            && words.len() >= PASSAGE
            && !self.document.names.is_empty()
            && !document.names.is_empty()
            && of_shorter >= redundancy;
        !is_short && (of_longer >= redundancy || self.memory.source != memory.source && (is_form || holds))
    }
}

#[derive(Default)]
pub struct Packing {
    pub packed: Vec<Packed>,
    pub rejected: Vec<Rejected>,
    pub tokens: usize,
}

/// Reads the memories of these candidates, each with the document it is from.
pub type Fetch<'a> = dyn FnMut(&[Candidate]) -> Result<Vec<(Memory, Document)>> + 'a;

/// Processes the candidates in ranked order. A selection depends only on earlier ones, so a smaller limit
/// gives a prefix of a larger one. Two results that share at least `redundancy` of their words count as
/// duplicates; above 1 only equal texts do. A passage of another document counts as one, too, if an earlier
/// result contains it, or most of it where both documents have one name or title and two formats.
pub fn pack(
    ranked: Vec<Candidate>,
    query: &Query,
    redundancy: f32,
    fetch: &mut Fetch<'_>,
) -> Result<Packing> {
    /// The most rejected candidates that are listed.
    const LISTED: usize = 50;
    let limit = query.limit;
    let mut packing = Packing::default();
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
            let Some((memory, document)) = memories.next_if(|(memory, _)| memory.node == candidate.node)
            else {
                continue;
            };
            let words = text::word_set(&memory.text);
            let cost = tokens(&memory.text);
            let mut packed = packing.packed.iter_mut();
            let told = packed.find(|known| known.tells(&memory, &document, &words, redundancy));
            let reason = if let Some(known) = told {
                let of_same = |one: &Memory| one.source == memory.source;
                if !of_same(&known.memory) && !known.also_in.iter().any(of_same) {
                    known.also_in.push(memory.clone());
                }
                Some(Rejection::Redundant)
            } else if packing.packed.len() >= limit {
                Some(Rejection::Limit)
            } else if query.budget.is_some_and(|budget| packing.tokens + cost > budget) {
                Some(Rejection::Budget)
            } else {
                packing.tokens += cost;
                None
            };
            match reason {
                None => {
                    packing.packed.push(Packed { candidate, memory, also_in: Vec::new(), document, words })
                }
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
