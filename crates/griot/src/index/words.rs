//! The memories of each term, and BM25 over them.
//!
//! ```text
//! hashes    u64  h0 < h1 < h2 …          one per term, ascending (binary search)
//! offsets   u64  0    3    4  …          start of each term's postings; one more than terms
//! memories  u32  4 9 12 │ 9 │ …          ascending within a term
//! tf_body   u8   1 0  2 │ 1 │ …          occurrences in the text, at most 255
//! tf_header u8   0 1  0 │ 0 │ …          occurrences in the header
//! ```
//!
//! A term is identified by its hash alone. The tail is a list of postings per term, also ascending. Texts
//! never change, so postings are only added, and removed when a memory is erased; hidden memories still count
//! in all statistics.
//!
//! A search walks the lists term by term and adds up one score per memory in a dense array. Blocks of 64
//! scores that were touched are marked, searched for the best, and cleared. Scores by text and header and the
//! matched terms are looked up for the best only.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::sync::Mutex;

use bytemuck::{NoUninit, Pod, Zeroable};

use super::best::{Best, descending};
use super::columns::Columns;
use super::hash::hash_bytes;
use super::map::{Section, Sections};
use super::places::Places;
use super::snapshot::Writer;
use super::{Tokenizer, Totals, Visible};
use crate::model::{Node, WordHit, WordHits, WordQuery};

const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Number of scores per touch mark.
const BLOCK: usize = 64;

/// Passes keys through, since they are hashes already.
#[derive(Default)]
struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_bytes(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// One term of a memory, six bytes.
#[derive(Clone, Copy, Pod, Zeroable, PartialEq, Eq)]
#[repr(C)]
struct Posting {
    low: u16,
    high: u16,
    body: u8,
    header: u8,
}

impl Posting {
    fn new(memory: u32, body: u8, header: u8) -> Self {
        Self { low: memory as u16, high: (memory >> 16) as u16, body, header }
    }

    #[inline]
    fn memory(self) -> u32 {
        u32::from(self.low) | u32::from(self.high) << 16
    }
}

/// All postings.
#[derive(Default)]
pub(super) struct Words {
    hashes: Section<u64>,
    offsets: Section<u64>,
    memories: Section<u32>,
    tf_body: Section<u8>,
    tf_header: Section<u8>,
    /// Index in `tail` of a term's hash.
    slots: HashMap<u64, u32, BuildHasherDefault<Ready>>,
    tail: Vec<(u64, Vec<Posting>)>,
    /// Number of postings of erased memories in the base, by term. Such a posting has no occurrences; all
    /// others have some.
    lost: HashMap<u64, u32, BuildHasherDefault<Ready>>,
    /// Buffer for the terms of a text: hash, and whether it is in the header.
    cut: Vec<(u64, bool)>,
    scratch: Mutex<Vec<Scratch>>,
}

/// Arrays that are reused by searches; all zero in between.
#[derive(Default)]
struct Scratch {
    scores: Vec<f32>,
    touched: Vec<u8>,
    place_tf: Vec<u32>,
    /// Some member that has a term: it is usually visible, and so is its session.
    place_member: Vec<u32>,
    place_scores: Vec<f32>,
    /// Places that have the current term.
    places_of_term: Vec<u32>,
    /// Places that have any term.
    places: Vec<u32>,
}

/// The postings of one term.
#[derive(Clone, Copy, Default)]
struct List<'a> {
    memories: &'a [u32],
    body: &'a [u8],
    header: &'a [u8],
    tail: &'a [Posting],
    /// Postings of erased memories among the first three lists.
    lost: u32,
}

impl List<'_> {
    fn len(&self) -> usize {
        (self.memories.len() + self.tail.len()).saturating_sub(self.lost as usize)
    }

    /// Whether the mapped part can be written unchanged.
    fn is_base(&self) -> bool {
        self.tail.is_empty() && self.lost == 0
    }

    /// Occurrences of a memory in text and header; `from` is a lower bound of its position in the mapped
    /// part.
    fn find(&self, memory: u32, from: &mut usize) -> Option<(u8, u8)> {
        // Galloping search: the requested memories ascend.
        let mut step = 1;
        while self.memories.get(*from + step).is_some_and(|next| *next <= memory) {
            *from += step;
            step *= 2;
        }
        let end = (*from + step).min(self.memories.len());
        let found = self.memories.get(*from..end).and_then(|rest| rest.binary_search(&memory).ok());
        if let Some(at) = found {
            let (body, header) = (*self.body.get(*from + at)?, *self.header.get(*from + at)?);
            if body > 0 || header > 0 {
                return Some((body, header));
            }
        }
        let at = self.tail.binary_search_by_key(&memory, |posting| posting.memory()).ok()?;
        self.tail.get(at).map(|posting| (posting.body, posting.header))
    }
}

/// The part of BM25 that depends on lengths: `k1·(1 − b + b·length/average)` as two numbers.
#[derive(Clone, Copy)]
struct Norm {
    constant: f32,
    per_term: f32,
}

impl Norm {
    fn new(total: u64, documents: u64) -> Self {
        let average =
            if total == 0 || documents == 0 { 1.0 } else { (total as f64 / documents as f64) as f32 };
        Self { constant: K1 * (1.0 - B), per_term: K1 * B / average }
    }

    #[inline(always)]
    fn score(self, idf: f32, tf: u32, length: f32) -> f32 {
        let tf = tf as f32;
        idf * (tf * (K1 + 1.0) / (tf + (self.constant + self.per_term * length)))
    }
}

/// `ln(1 + (N − df + 0.5) / (df + 0.5))`; 0 for a term that no document has.
fn idf(documents: u64, having: u64) -> f32 {
    if having == 0 {
        return 0.0;
    }
    let having = having as f64;
    (1.0 + ((documents as f64 - having).max(0.0) + 0.5) / (having + 0.5)).ln() as f32
}

impl Words {
    pub(super) const SECTIONS: usize = 5;

    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        let words = Self {
            hashes: sections.next()?,
            offsets: sections.next()?,
            memories: sections.next()?,
            tf_body: sections.next()?,
            tf_header: sections.next()?,
            ..Self::default()
        };
        let fits = words.offsets.len() == words.hashes.len() + 1
            && words.memories.len() == words.tf_body.len()
            && words.memories.len() == words.tf_header.len();
        fits.then_some(words)
    }

    pub(super) fn write(&self, writer: &mut Writer) -> io::Result<()> {
        let mut later: Vec<(u64, u32)> =
            (0..).zip(&self.tail).map(|(slot, (hash, _))| (*hash, slot)).collect();
        later.sort_unstable();
        // For each term of either part: its hash, its index in the base, its index in the tail.
        let mut terms: Vec<(u64, u32, u32)> = Vec::with_capacity(self.hashes.len() + later.len());
        let mut later = later.into_iter().peekable();
        for (at, &hash) in (0..).zip(self.hashes.all()) {
            while let Some((new, slot)) = later.next_if(|(new, _)| *new < hash) {
                terms.push((new, u32::MAX, slot));
            }
            let slot = later.next_if(|(new, _)| *new == hash).map_or(u32::MAX, |(_, slot)| slot);
            terms.push((hash, at, slot));
        }
        terms.extend(later.map(|(hash, slot)| (hash, u32::MAX, slot)));
        // Drop terms that only erased texts had.
        terms.retain(|(_, base, tail)| self.list_at(*base as usize, *tail as usize).len() > 0);

        let list = |&(_, base, tail): &(u64, u32, u32)| self.list_at(base as usize, tail as usize);
        writer.values(terms.iter().map(|(hash, _, _)| *hash))?;
        writer.offsets(terms.iter().map(|term| list(term).len()))?;
        write_lists(writer, terms.iter().map(list), |list| list.memories, Posting::memory)?;
        write_lists(writer, terms.iter().map(list), |list| list.body, |posting| posting.body)?;
        write_lists(writer, terms.iter().map(list), |list| list.header, |posting| posting.header)
    }

    /// Adds a new memory; returns the number of terms in its text, and in text and header.
    pub(super) fn add(&mut self, memory: u32, text: &str, header: &str, tokenizer: Tokenizer) -> (u32, u32) {
        let mut cut = std::mem::take(&mut self.cut);
        cut.clear();
        tokenizer(text, &mut |term| cut.push((hash_bytes(term.as_bytes()), false)));
        let body_length = cut.len() as u32;
        tokenizer(header, &mut |term| cut.push((hash_bytes(term.as_bytes()), true)));
        let full_length = cut.len() as u32;
        cut.sort_unstable();
        for same in cut.chunk_by(|a, b| a.0 == b.0) {
            let in_header = same.iter().filter(|(_, header)| *header).count();
            let body = (same.len() - in_header).min(255) as u8;
            self.push(same[0].0, Posting::new(memory, body, in_header.min(255) as u8));
        }
        self.cut = cut;
        (body_length, full_length)
    }

    fn push(&mut self, hash: u64, posting: Posting) {
        let next = self.tail.len() as u32;
        let slot = *self.slots.entry(hash).or_insert(next);
        if slot == next {
            self.tail.push((hash, Vec::new()));
        }
        let postings = &mut self.tail[slot as usize].1;
        if postings.len() == postings.capacity() {
            // Long lists grow by a quarter, so that a bulk load does not hold twice the memory it needs.
            postings.reserve_exact((postings.len() / 4).max(2));
        }
        let memory = posting.memory();
        if postings.last().is_none_or(|last| last.memory() < memory) {
            postings.push(posting);
        } else if let Err(at) = postings.binary_search_by_key(&memory, |posting| posting.memory()) {
            postings.insert(at, posting);
        }
    }

    fn lost_of(&self, base: usize) -> u32 {
        if self.lost.is_empty() {
            return 0;
        }
        self.hashes.get(base).and_then(|hash| self.lost.get(&hash)).copied().unwrap_or(0)
    }

    /// Removes memories from all lists. Reads every posting, since the terms of a memory are not stored.
    pub(super) fn erase(&mut self, gone: &BTreeSet<u32>) {
        let (Some(&first), Some(&last)) = (gone.first(), gone.last()) else { return };
        let is_gone = |memory: u32| (first..=last).contains(&memory) && gone.contains(&memory);
        let found: Vec<usize> = self
            .memories
            .all()
            .iter()
            .enumerate()
            .filter(|(_, memory)| is_gone(**memory))
            .map(|(at, _)| at)
            .collect();
        let Self { offsets, hashes, tf_body, tf_header, lost, .. } = self;
        for at in found {
            let (Some(body), Some(header)) = (tf_body.get_mut(at), tf_header.get_mut(at)) else { continue };
            if *body == 0 && *header == 0 {
                continue;
            }
            (*body, *header) = (0, 0);
            let term = offsets.partition_point(|offset| offset <= at as u64).saturating_sub(1);
            if let Some(hash) = hashes.get(term) {
                *lost.entry(hash).or_default() += 1;
            }
        }
        for (_, postings) in &mut self.tail {
            postings.retain(|posting| !is_gone(posting.memory()));
        }
    }

    fn list_at(&self, base: usize, tail: usize) -> List<'_> {
        let range = match (self.offsets.get(base), self.offsets.get(base.saturating_add(1))) {
            (Some(start), Some(end)) if base < self.hashes.len() => start as usize..end as usize,
            _ => 0..0,
        };
        List {
            memories: self.memories.range(range.clone()).unwrap_or(&[]),
            body: self.tf_body.range(range.clone()).unwrap_or(&[]),
            header: self.tf_header.range(range).unwrap_or(&[]),
            tail: self.tail.get(tail).map_or(&[], |(_, postings)| postings),
            lost: self.lost_of(base),
        }
    }

    fn list(&self, term: &str) -> List<'_> {
        let hash = hash_bytes(term.as_bytes());
        let at = self.hashes.partition_point(|other| other < hash);
        let base = if self.hashes.get(at) == Some(hash) { at } else { usize::MAX };
        let tail = self.slots.get(&hash).map_or(usize::MAX, |slot| *slot as usize);
        self.list_at(base, tail)
    }

    pub(super) fn search(
        &self,
        columns: &Columns,
        places: &Places,
        totals: &Totals,
        query: &WordQuery,
        visible: &Visible<'_>,
    ) -> WordHits {
        let WordQuery { terms, limit, places: most_places, .. } = query;
        let lists: Vec<List<'_>> = terms.iter().map(|term| self.list(term)).collect();
        let counts = query.counts(|term| lists.get(term).is_some_and(|list| list.len() > 0));
        let of_list = |(list, count): (&List<'_>, &f32)| count * idf(totals.memories, list.len() as u64);
        let idfs: Vec<f32> = lists.iter().zip(&counts).map(of_list).collect();
        let mut hits = WordHits { memories: Vec::new(), places: Vec::new(), idf: idfs };
        if *limit == 0 || lists.iter().all(|list| list.len() == 0) {
            return hits;
        }
        let mut scratch = self.scratch.lock().map(|mut pool| pool.pop()).ok().flatten().unwrap_or_default();
        scratch.fit(columns.rows(), places.end());

        let full = Norm::new(totals.full_terms, totals.memories);
        let of_place = Norm::new(totals.placed_terms, totals.places);
        for ((list, idf), count) in lists.iter().zip(&hits.idf).zip(&counts) {
            if *most_places == 0 {
                scratch.walk::<false>(list, *idf, full, columns);
            } else {
                scratch.walk::<true>(list, *idf, full, columns);
                scratch.score_places(places, totals.places, of_place, *count);
            }
        }
        let best = scratch.best_memories(*limit, |memory| columns.admits(visible, memory));
        hits.places = scratch.best_places(*most_places, |place, member| {
            columns.admits(visible, member) || places.sees(place, columns, visible)
        });
        if let Ok(mut pool) = self.scratch.lock() {
            pool.push(scratch);
        }
        hits.memories = details(&best, &lists, &hits.idf, columns, totals);
        hits
    }
}

/// Writes one section of the postings: what `base` takes from the mapped part and `of` from the rest.
fn write_lists<'a, T: NoUninit>(
    writer: &mut Writer,
    lists: impl Iterator<Item = List<'a>>,
    base: impl Fn(&List<'a>) -> &'a [T],
    of: impl Fn(Posting) -> T,
) -> io::Result<()> {
    let mut merged = Vec::new();
    writer.begin()?;
    for list in lists {
        if list.is_base() {
            writer.put(base(&list))?;
        } else {
            merged.clear();
            list.merged(|posting| merged.push(of(posting)));
            writer.put(&merged)?;
        }
    }
    writer.end()
}

impl List<'_> {
    /// Both parts in the order of memories.
    fn merged(&self, mut sink: impl FnMut(Posting)) {
        let mut tail = self.tail.iter().peekable();
        for ((memory, body), header) in self.memories.iter().zip(self.body).zip(self.header) {
            while let Some(earlier) = tail.next_if(|posting| posting.memory() < *memory) {
                sink(*earlier);
            }
            if *body > 0 || *header > 0 {
                sink(Posting::new(*memory, *body, *header));
            }
        }
        tail.for_each(|posting| sink(*posting));
    }
}

impl Scratch {
    fn fit(&mut self, rows: usize, places: usize) {
        let blocks = rows.div_ceil(BLOCK);
        if self.touched.len() < blocks {
            self.scores.resize(blocks * BLOCK, 0.0);
            self.touched.resize(blocks, 0);
        }
        if self.place_tf.len() < places {
            self.place_tf.resize(places, 0);
            self.place_member.resize(places, 0);
            self.place_scores.resize(places, 0.0);
        }
    }

    /// Adds one term to the score of each memory that has it, and sums up its occurrences per session if
    /// `PLACES`.
    fn walk<const PLACES: bool>(&mut self, list: &List<'_>, idf: f32, norm: Norm, columns: &Columns) {
        let Self { scores, touched, place_tf, place_member, places_of_term, .. } = self;
        let (scores, touched) = (&mut scores[..], &mut touched[..]);
        let mut add = |at: usize, tf: u32, length: u32| {
            if let (Some(score), Some(touched)) = (scores.get_mut(at), touched.get_mut(at / BLOCK)) {
                *score += norm.score(idf, tf, length as f32);
                *touched = 1;
            }
        };
        let mut add_to_place = |place: u32, occurrences: u32, member: usize| {
            if !PLACES || place == 0 || occurrences == 0 {
                return;
            }
            if let Some(tf) = place_tf.get_mut(place as usize) {
                if *tf == 0 {
                    places_of_term.push(place);
                    place_member[place as usize] = member as u32;
                }
                *tf = tf.saturating_add(occurrences);
            }
        };
        // Neighbours in a list are often in the same session: sum up runs before touching the array.
        let mut place = 0;
        let mut occurrences = 0;
        let mut member = 0;
        let lengths = columns.full_length.parts().0;
        let place_of = columns.place.parts().0;
        let base = list.memories.iter().zip(list.body).zip(list.header);
        for ((&memory, &body), &header) in base {
            let at = memory as usize;
            let (Some(&length), Some(&own)) = (lengths.get(at), place_of.get(at)) else {
                continue;
            };
            add(at, u32::from(body) + u32::from(header), length);
            if own != place {
                add_to_place(place, occurrences, member);
                (place, occurrences) = (own, 0);
            }
            if body > 0 {
                occurrences += u32::from(body);
                member = at;
            }
        }
        for posting in list.tail {
            let at = posting.memory() as usize;
            let own = columns.place.get(at);
            add(at, u32::from(posting.body) + u32::from(posting.header), columns.full_length.get(at));
            if own != place {
                add_to_place(place, occurrences, member);
                (place, occurrences) = (own, 0);
            }
            if posting.body > 0 {
                occurrences += u32::from(posting.body);
                member = at;
            }
        }
        add_to_place(place, occurrences, member);
    }

    /// Adds the occurrences of one term to each session's score.
    fn score_places(&mut self, places: &Places, all: u64, norm: Norm, count: f32) {
        let idf = count * idf(all, self.places_of_term.len() as u64);
        for place in self.places_of_term.drain(..) {
            let at = place as usize;
            let tf = std::mem::take(&mut self.place_tf[at]);
            let score = &mut self.place_scores[at];
            if *score == 0.0 {
                self.places.push(place);
            }
            *score += norm.score(idf, tf, places.length(place) as f32);
        }
    }

    /// The best memories by score; clears the scores.
    fn best_memories(&mut self, limit: usize, admits: impl Fn(u32) -> bool) -> Vec<(f32, u32)> {
        let mut best = Best::new(limit);
        for (block, touched) in self.touched.iter_mut().enumerate() {
            if std::mem::take(touched) == 0 {
                continue;
            }
            let first = block * BLOCK;
            let Some(scores) = self.scores.get_mut(first..first + BLOCK) else {
                continue;
            };
            // Numbers ascend, so a score equal to the worst of the best comes too late.
            let bound = best.bound();
            if scores.iter().fold(false, |any, score| any | (*score > bound)) {
                for (memory, &score) in (first as u32..).zip(scores.iter()) {
                    if score > best.bound() && admits(memory) {
                        best.push(score, memory);
                    }
                }
            }
            scores.fill(0.0);
        }
        best.finish()
    }

    /// The best sessions by score; clears the scores. Visibility costs more than the score: it is checked
    /// from the best on, until there are enough.
    fn best_places(&mut self, limit: usize, sees: impl Fn(u32, u32) -> bool) -> Vec<(u32, f32)> {
        // Scores are positive, so their bits have the same order.
        let heap: BinaryHeap<(u32, Reverse<u32>)> = self
            .places
            .drain(..)
            .map(|place| (std::mem::take(&mut self.place_scores[place as usize]).to_bits(), Reverse(place)))
            .collect();
        descending(heap)
            .map(|(score, place)| (place.0, f32::from_bits(score)))
            .filter(|(place, _)| sees(*place, self.place_member[*place as usize]))
            .take(limit)
            .collect()
    }
}

/// Computes, for the best memories, the scores of text and header and the matched terms.
fn details(
    best: &[(f32, u32)],
    lists: &[List<'_>],
    idfs: &[f32],
    columns: &Columns,
    totals: &Totals,
) -> Vec<WordHit> {
    let body_norm = Norm::new(totals.body_terms, totals.memories);
    let header_norm = Norm::new(totals.full_terms.saturating_sub(totals.body_terms), totals.memories);
    let mut order: Vec<u32> = (0..best.len() as u32).collect();
    order.sort_unstable_by_key(|at| best[*at as usize].1);
    let mut hits: Vec<WordHit> = best
        .iter()
        .map(|(score, memory)| WordHit {
            node: Node::memory(*memory),
            body: 0.0,
            full: *score,
            header: 0.0,
            matched: 0,
        })
        .collect();
    for (term, (list, &idf)) in lists.iter().zip(idfs).enumerate() {
        let mut from = 0;
        for &at in &order {
            let hit = &mut hits[at as usize];
            let memory = hit.node.number();
            let Some((body, header)) = list.find(memory, &mut from) else {
                continue;
            };
            let body_length = columns.body_length.get(memory as usize);
            let header_length = columns.full_length.get(memory as usize).saturating_sub(body_length);
            if body > 0 {
                hit.body += body_norm.score(idf, u32::from(body), body_length as f32);
            }
            if header > 0 {
                hit.header += header_norm.score(idf, u32::from(header), header_length as f32);
            }
            if term < 64 {
                hit.matched |= 1 << term;
            }
        }
    }
    hits
}
