//! Types that searches and the index share: queries, hits, and an edge seen from one of its ends.

use super::{CATALOGUE, EdgeKind, Node, Provenance, SourceId, Timestamp};

/// Decides which edges are believed; others are neither followed nor counted towards a cap. The default
/// believes all.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Belief {
    /// The least confidence, faded to the filter's `now`.
    pub least: f32,
    /// The rate at which confidence fades, per day, indexed by `Family as usize`.
    pub decay: [f64; 4],
}

impl Belief {
    pub fn holds(
        &self,
        kind: EdgeKind,
        confidence: f32,
        touched_at: Timestamp,
        now: Option<Timestamp>,
    ) -> bool {
        let worth = |now| kind.faded(confidence, touched_at, now, self.decay[kind.family() as usize]);
        self.least <= 0.0 || now.map_or(confidence, worth) >= self.least
    }
}

/// A search by words. Terms come from `text::query_terms`, already folded and stemmed.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct WordQuery {
    /// Distinct, at most 64, so that a memory's matches fit a `u64`.
    pub terms: Vec<String>,
    pub parts: Vec<Part>,
    /// The most memories to return.
    pub limit: usize,
    /// The most sessions; 0 saves the work of scoring them.
    pub places: usize,
}

/// Positions of two terms of a query: `postgr` and the whole that it is a part of, `postgresql`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub term: usize,
    pub whole: usize,
}

impl WordQuery {
    /// What each term counts, by whether any memory has it. A name is one word of the question, however many
    /// parts it has: they count half a word together, unless no memory has the whole.
    pub fn counts(&self, held: impl Fn(usize) -> bool) -> Vec<f32> {
        let mut counts = vec![1.0; self.terms.len()];
        for part in self.parts.iter().filter(|part| held(part.whole)) {
            let siblings = self.parts.iter().filter(|other| other.whole == part.whole).count();
            if let Some(count) = counts.get_mut(part.term) {
                *count = 0.5 / siblings as f32;
            }
        }
        counts
    }
}

/// A memory that shares a term with the query. Scores are BM25 (k1 1.2, b 0.75) with the document frequencies
/// of the whole workspace (scope changes what is seen, not what a word is worth).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WordHit {
    pub node: Node,
    /// Over the bare text.
    pub body: f32,
    /// Over the text with its header: title, headings, speaker.
    pub full: f32,
    /// Over the header alone.
    pub header: f32,
    /// Bit `i` is set if term `i` of the query is in text or header.
    pub matched: u64,
}

/// A (source, session) pair, numbered by the store from 1: the surroundings in which a memory is scored.
pub type Place = u32;

/// How many kinds of edge there are: the length of a list with a number for each.
pub const CATALOGUE_SIZE: usize = CATALOGUE.len();

#[derive(Clone, PartialEq, Debug, Default)]
pub struct WordHits {
    /// The best by `full`, best first.
    pub memories: Vec<WordHit>,
    /// BM25 of whole sessions as if each were one text (bodies only), best first.
    pub places: Vec<(Place, f32)>,
    /// `ln(1 + (N − df + 0.5) / (df + 0.5))` per term of the query, times what it counts; 0 for a term that
    /// no memory has.
    pub idf: Vec<f32>,
}

/// Attributes of a memory that need no row.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Placement {
    pub node: Node,
    pub place: Place,
    pub source: SourceId,
    pub ordinal: u32,
    pub occurred_at: Timestamp,
    /// The entity that speaks.
    pub speaker: Option<Node>,
    /// Terms in the bare text.
    pub length: u32,
    /// Terms in the document that it is a passage of; 0 for other memories.
    pub document_length: u64,
    /// The text asks and says nothing.
    pub asks: bool,
    pub superseded: bool,
    /// Earliest and latest year named in the text (1000..=2100), 0 if none; `years` has all of them.
    pub first_year: i16,
    pub last_year: i16,
}

/// One step from a node: an edge seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arc {
    /// The node at the other end.
    pub to: Node,
    /// The edge's number; 0 for one that is derived when read: backbone and proximity, which passages of
    /// documents do not have, since they happened at no time, and narrative.
    pub edge: u32,
    pub kind: EdgeKind,
    /// The number of the edge's label (`Read::label`); for derived temporal edges the sub-type's.
    pub label: u32,
    /// The edge runs from the asked node to `to`. Symmetric edges are forward from both ends.
    pub forward: bool,
    pub weight: f32,
    /// As stored; the reader lets it fade.
    pub confidence: f32,
    pub touched_at: Timestamp,
    pub provenance: Provenance,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Out,
    In,
    Both,
}

/// Whether a text asks, and says next to nothing beside: "Me too! Is Ada still coming?"
pub fn only_asks(text: &str) -> bool {
    /// Words that say next to nothing.
    const FEW: usize = 3;
    /// The Arabic question mark is among them.
    const MARKS: [char; 3] = ['?', '\u{ff1f}', '\u{61f}'];
    const ENDS: [char; 6] = ['.', '!', '…', '?', '\u{ff1f}', '\u{61f}'];
    let text = text.trim_end();
    let said = text.split_inclusive(ENDS).filter(|part| !part.ends_with(MARKS));
    text.ends_with(MARKS) && said.map(|part| part.split_whitespace().count()).sum::<usize>() <= FEW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_only_asks_is_known() {
        for text in ["Where do we meet?", "Me too! Is Ada still coming?", "Who? And when?", "在哪里？"] {
            assert!(only_asks(text), "{text}");
        }
        for text in ["", "We meet in the school.", "I moved to Bonn last week. And you?", "Who? Ada."] {
            assert!(!only_asks(text), "{text}");
        }
    }
}
