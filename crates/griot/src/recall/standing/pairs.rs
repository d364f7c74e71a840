//! What ties two candidates: how likely both state one property at two times, and what their texts say of
//! each other.
//!
//! Pure: from texts, times and what is read of them. A bond is symmetric, and between 0 and 1.

use std::cell::OnceCell;

use crate::model::Memory;
use crate::text::{self, Act, Alike, Left, Ties};

use super::features::Measured;
use super::title::Title;

/// Bond from which two memories state one property, if the later one says that something changes; measured in
/// docs/design/recall-experiments.md.
pub const ONE_PROPERTY: f32 = 0.4;
/// A tie below this is none.
const LEAST_TIE: f32 = 0.2;
/// Statements of one property are at least this far apart in time, unless the later one says that it changes
/// or corrects something: what is said in one breath goes together.
const APART: u64 = 20 * 3_600_000;
/// And if it says so, at least this far: texts without a time of their own have that of their storing.
const APART_IF_SAID: u64 = 600_000;
/// Characters from which a text speaks of so much that a tie says less.
const LONG: f32 = 300.0;
/// How likely a memory that leaves what an earlier one has speaks of the same property.
const LEFT: f32 = 0.7;

/// Two candidates by their indices, the higher one first.
type Pair = (usize, usize);

fn pair(a: usize, b: usize) -> Pair {
    (a.max(b), a.min(b))
}

/// The pairs of the candidates of one question.
pub struct Pairs {
    count: usize,
    /// How likely two candidates state one property at two times; a square table.
    bonds: Vec<f32>,
    alike: Vec<Alike>,
    /// The later one leaves what the earlier one has.
    left: Vec<Pair>,
    /// They say the same of two things, one of which the question names, or a document is about.
    of_two: Vec<Pair>,
    /// Undated passages of editions of one document.
    editions: Vec<Pair>,
}

impl Pairs {
    /// `said` is what is compared of each memory.
    pub fn of(
        ties: &Ties<'_>,
        memories: &[Memory],
        said: &[&str],
        measured: &[Measured],
        titles: &[Option<Title>],
    ) -> Self {
        let count = memories.len();
        let mut pairs = Self {
            count,
            bonds: vec![0.0; count * count],
            alike: Vec::new(),
            left: Vec::new(),
            of_two: Vec::new(),
            editions: Vec::new(),
        };
        // A document that states no day was written when its file was, or before: a later memory may state
        // something else. What was said to change may do so even if the file is younger, unless the document
        // has it already; not another document, such as the notes of old releases.
        let may_change_passage = |passage: usize, other: usize| {
            let is_later = memories[passage].occurred_at.0 + APART as i64 <= memories[other].occurred_at.0;
            let says_so = !memories[other].is_timeless() && measured[other].statement.changes();
            is_later || says_so && !text::has_change(said[passage], said[other])
        };
        let are_editions = |a: usize, b: usize| {
            titles[a].as_ref().zip(titles[b].as_ref()).is_some_and(|(a, b)| a.is_other_edition_of(b))
        };
        let brief = |at: usize| (LONG / said[at].len().max(1) as f32).min(1.0);
        let leaves = |at: usize| {
            let may_leave = memories[at].is_dated() && measured[at].statement.changes();
            if may_leave { ties.left(at) } else { None }
        };
        let leaves: Vec<Option<Left>> = (0..count).map(leaves).collect();
        for a in 0..count {
            for b in 0..a {
                // Times rule out many pairs.
                let passage = match (memories[a].is_dated(), memories[b].is_dated()) {
                    (true, true) if may_replace(&memories[a], &memories[b], &measured[a], &measured[b]) => {
                        None
                    }
                    (false, true) => Some((a, b)),
                    (true, false) => Some((b, a)),
                    (false, false) if are_editions(a, b) => {
                        pairs.editions.push((a, b));
                        None
                    }
                    _ => continue,
                };
                let tie = ((ties.get(a, b) - LEAST_TIE) / (1.0 - LEAST_TIE)).max(0.0);
                if passage.is_some_and(|(passage, by)| tie == 0.0 || !may_change_passage(passage, by)) {
                    continue;
                }
                let bond = tie * brief(a) * brief(b);
                let is_first = memories[a].occurred_at < memories[b].occurred_at;
                let (old, new) = if is_first { (a, b) } else { (b, a) };
                let is_left = |left: &Left| left.is_in(&|term| ties.says(old, term));
                if memories[old].is_dated() && leaves[new].as_ref().is_some_and(is_left) {
                    pairs.left.push((a, b));
                    pairs.bind(a, b, bond.max(LEFT));
                } else if bond > 0.0 {
                    pairs.bind(a, b, bond);
                }
            }
        }
        pairs
    }

    /// Finds among the bound pairs those that begin alike and differ in their ends, and those that say the
    /// same of two things. `terms` are those of the question.
    pub fn compare(
        &mut self,
        ties: &Ties<'_>,
        question: &str,
        terms: &[String],
        memories: &[Memory],
        titles: &[Option<Title>],
    ) {
        self.alike = ties.alike(question, &|a, b| self.bond(a, b) > 0.0);
        let asked: Vec<u64> = terms.iter().map(|term| text::term_key(term)).collect();
        // A weaker bond decides no standing.
        let decides = |a: usize, b: usize| self.bond(a, b) >= ONE_PROPERTY || self.are_alike(a, b);
        let all = (0..self.count).flat_map(|a| (0..a).map(move |b| (a, b)));
        let bound = all.filter(|(a, b)| decides(*a, *b) && !self.is_left(*a, *b));
        let keys: Vec<OnceCell<Vec<u64>>> = memories.iter().map(|_| OnceCell::new()).collect();
        let terms_of = |at: usize| {
            let terms =
                || text::content_terms(&memories[at].text).iter().map(|term| text::term_key(term)).collect();
            keys[at].get_or_init(terms)
        };
        // Documents of which neither mentions what the other one is about.
        let are_apart = |a: usize, b: usize| {
            let Some((one, other)) = titles[a].as_ref().zip(titles[b].as_ref()) else { return false };
            memories[a].source != memories[b].source
                && !one.meets(other, terms_of(b))
                && !other.meets(one, terms_of(a))
        };
        let are_two = |a: usize, b: usize| {
            // What repeats a text changes nothing.
            memories[a].text == memories[b].text
                || ties.contrast(a, b, &asked)
                || ties.are_rows_of_two(a, b)
                || are_apart(a, b)
        };
        self.of_two = bound.filter(|(a, b)| are_two(*a, *b)).collect();
    }

    pub fn bind(&mut self, a: usize, b: usize, bond: f32) {
        self.bonds[a * self.count + b] = bond;
        self.bonds[b * self.count + a] = bond;
    }

    pub fn bond(&self, a: usize, b: usize) -> f32 {
        self.bonds[a * self.count + b]
    }

    /// The bond that decides the standing of one of them. What is said of another thing says nothing of it,
    /// nor does another edition.
    pub fn bond_of_one(&self, a: usize, b: usize) -> f32 {
        let says_nothing = self.of_two.contains(&pair(a, b)) || self.are_editions(a, b);
        if says_nothing { 0.0 } else { self.bond(a, b) }
    }

    /// Whether they are undated passages of two editions of one document.
    pub fn are_editions(&self, a: usize, b: usize) -> bool {
        self.editions.contains(&pair(a, b))
    }

    /// The passages with another edition among the candidates.
    pub fn editions(&self) -> impl Iterator<Item = usize> {
        self.editions.iter().flat_map(|(a, b)| [*a, *b])
    }

    /// The pairs that begin alike and differ in their ends.
    pub fn alike(&self) -> impl Iterator<Item = Pair> {
        self.alike.iter().map(|alike| alike.pair)
    }

    pub fn are_alike(&self, a: usize, b: usize) -> bool {
        self.alike.iter().any(|alike| alike.pair == pair(a, b))
    }

    /// Whether they say the same of the same but for a value.
    pub fn differ_in_value(&self, a: usize, b: usize) -> bool {
        self.alike.iter().any(|alike| alike.pair == pair(a, b) && alike.in_value)
    }

    /// Whether the later one leaves what the earlier one has.
    pub fn is_left(&self, a: usize, b: usize) -> bool {
        self.left.contains(&pair(a, b))
    }
}

/// Whether one of two memories may state later what the other stated: both happened at a time, not in one
/// breath.
fn may_replace(a: &Memory, b: &Memory, read_a: &Measured, read_b: &Measured) -> bool {
    if a.occurred_at == b.occurred_at {
        return false;
    }
    let later = if a.occurred_at > b.occurred_at { read_a } else { read_b };
    let says_so = later.statement.has(Act::Correction) || later.statement.has(Act::Change);
    let one_talk = a.session.is_some() && a.session == b.session;
    let apart = a.occurred_at.0.abs_diff(b.occurred_at.0);
    apart >= APART || says_so && !one_talk && apart >= APART_IF_SAID
}
