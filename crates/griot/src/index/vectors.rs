//! Vectors: one bit per dimension to find candidates, eight bits per dimension to compare them.
//!
//! ```text
//! bits     u64  blocks of eight rows, see `simd`     bit = value > 0
//! values   i8   dimensions per row
//! scales   f32  one per row                          value × scale; the vector has length 1
//! ```
//!
//! Rows are dense by number of memory (or of entity, see `names`), zero where one has no vector. The base
//! holds the rows of the snapshot, or none if it had no vector; the tail continues with its own blocks.
//!
//! A search scans the bits of all memories for the best 1,000 (or four times the limit) visible ones, ties by
//! number, and compares those by their stored values. `griot-eval` publishes the loss against an exact
//! comparison (invariant 10).

use std::io;
use std::thread;

use super::VectorQuery;
use super::best::better_first;
use super::columns::{Column, Columns, VECTOR};
use super::map::{Section, Sections};
use super::simd::{self, ROWS};
use super::snapshot::Writer;
use crate::model::{SimdLevel, most_differing_signs, signs};

/// Rows that are compared by value for each that is wanted: sign bits order only roughly.
pub(super) const COMPARED: usize = 4;
/// From this many rows a scan is split between two threads.
const SPLIT: usize = 200_000;
/// Number of blocks that stay in the cache while a batch of queries passes over them.
const CACHED_BLOCKS: usize = 1024;
/// No embedder has more; a file with more is damaged.
const MAX_DIMENSIONS: u64 = 1 << 16;

/// Whether a search may find a row.
pub(super) type Sees<'a> = dyn Fn(u32) -> bool + Sync + 'a;

#[derive(Default)]
pub(super) struct Vectors {
    dimensions: usize,
    base_rows: usize,
    base_bits: Section<u64>,
    tail_bits: Vec<u64>,
    values: Column<i8>,
    scales: Column<f32>,
}

/// The blocks of base or tail, or some of them.
#[derive(Clone, Copy)]
struct Part<'a> {
    blocks: &'a [u64],
    /// The number of the first row.
    first: usize,
    /// One past the last row of base or tail; the rest of its last block is padding.
    end: usize,
}

impl Vectors {
    pub(super) const SECTIONS: usize = 3;

    pub(super) fn new(dimensions: usize) -> Self {
        Self { dimensions, ..Self::default() }
    }

    pub(super) fn open(sections: &mut Sections, dimensions: u64, rows: usize) -> Option<Self> {
        let base_bits: Section<u64> = sections.next()?;
        let values: Section<i8> = sections.next()?;
        let scales: Section<f32> = sections.next()?;
        if dimensions > MAX_DIMENSIONS {
            return None;
        }
        let mut vectors = Self::new(dimensions as usize);
        vectors.base_rows = scales.len();
        let fits = (vectors.base_rows == 0 || vectors.base_rows == rows)
            && values.len() == vectors.base_rows.checked_mul(vectors.dimensions)?
            && base_bits.len() == vectors.base_rows.div_ceil(ROWS).checked_mul(vectors.block())?;
        vectors.base_bits = base_bits;
        vectors.values = Column::new(values);
        vectors.scales = Column::new(scales);
        fits.then_some(vectors)
    }

    /// Writes `rows` rows, or nothing if no memory has a vector.
    pub(super) fn write(&self, writer: &mut Writer, rows: usize, count: u64) -> io::Result<()> {
        let rows = if count == 0 { 0 } else { rows };
        writer.begin()?;
        let mut block = vec![0; self.block()];
        for first in (0..rows).step_by(ROWS) {
            block.fill(0);
            for row in first..rows.min(first + ROWS) {
                for word in 0..self.words() {
                    block[word * ROWS + row - first] = self.word(row, word);
                }
            }
            writer.put(&block)?;
        }
        writer.end()?;
        let none = vec![0i8; self.dimensions];
        writer.begin()?;
        for row in 0..rows {
            writer.put(self.values.slice(row * self.dimensions, self.dimensions).unwrap_or(&none))?;
        }
        writer.end()?;
        writer.values((0..rows).map(|row| self.scales.get(row)))
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn words(&self) -> usize {
        self.dimensions.div_ceil(64)
    }

    /// Words of a block of eight rows.
    fn block(&self) -> usize {
        self.words() * ROWS
    }

    pub(super) fn rows(&self) -> usize {
        self.scales.len()
    }

    /// The position of a word of a row in the bits of its part.
    fn bit_index(&self, row: usize, word: usize) -> usize {
        row / ROWS * self.block() + word * ROWS + row % ROWS
    }

    fn word(&self, row: usize, word: usize) -> u64 {
        let found = if row < self.base_rows {
            self.base_bits.get(self.bit_index(row, word))
        } else {
            self.tail_bits.get(self.bit_index(row - self.base_rows, word)).copied()
        };
        found.unwrap_or(0)
    }

    /// Sets the vector of a memory; `values` must have the right length.
    pub(super) fn set(&mut self, memory: u32, values: &[i8], scale: f32) {
        let row = memory as usize;
        self.scales.set(row, scale);
        self.values.grow((row + 1) * self.dimensions);
        if let Some(own) = self.values.slice_mut(row * self.dimensions, self.dimensions) {
            own.copy_from_slice(values);
        }
        let in_tail = self.rows() - self.base_rows;
        let needed = in_tail.div_ceil(ROWS) * self.block();
        if self.tail_bits.len() < needed {
            self.tail_bits.resize(needed, 0);
        }
        for (word, bits) in signs(values).into_iter().enumerate() {
            let slot = if row < self.base_rows {
                let at = self.bit_index(row, word);
                self.base_bits.get_mut(at)
            } else {
                let at = self.bit_index(row - self.base_rows, word);
                self.tail_bits.get_mut(at)
            };
            if let Some(slot) = slot {
                *slot = bits;
            }
        }
    }

    /// The stored values and scale of a row, whether or not its memory has a vector.
    pub(super) fn get(&self, memory: u32) -> Option<(&[i8], f32)> {
        let row = memory as usize;
        let values = self.values.slice(row.checked_mul(self.dimensions)?, self.dimensions)?;
        (row < self.rows() && self.dimensions > 0).then(|| (values, self.scales.get(row)))
    }

    /// The cosine of a memory with a vector of length 1; `None` if the memory has no vector.
    pub(super) fn cosine(
        &self,
        level: SimdLevel,
        vector: &[f32],
        memory: u32,
        columns: &Columns,
    ) -> Option<f32> {
        if columns.has(memory, VECTOR) { self.dot(level, vector, memory) } else { None }
    }

    /// The cosine of a row with a vector of length 1; `None` for one of another length.
    fn dot(&self, level: SimdLevel, vector: &[f32], row: u32) -> Option<f32> {
        let (values, scale) = self.get(row).filter(|_| vector.len() == self.dimensions)?;
        Some(simd::dot_f32(level, vector, values) * scale)
    }

    /// The `limit` nearest of the rows that `sees` accepts, best first; with `within` of these only. As many
    /// as `compared`, the best by sign bits, are compared by value.
    pub(super) fn nearest(
        &self,
        vector: &[f32],
        limit: usize,
        compared: usize,
        within: Option<&[u32]>,
        sees: &Sees<'_>,
    ) -> Vec<(u32, f32)> {
        let is_empty = self.dimensions == 0 || self.rows() == 0;
        if limit == 0 || is_empty || vector.len() != self.dimensions {
            return Vec::new();
        }
        let query = signs(&vector.iter().map(|value| i8::from(*value > 0.0)).collect::<Vec<i8>>());
        let level = SimdLevel::here();
        let mut found: Vec<(f32, u32)> = self
            .candidates(&query, compared, within, sees)
            .into_iter()
            .filter_map(|row| Some((self.dot(level, vector, row)?, row)))
            .collect();
        if limit < found.len() {
            found.select_nth_unstable_by(limit, better_first);
            found.truncate(limit);
        }
        found.sort_unstable_by(better_first);
        found.into_iter().map(|(cosine, row)| (row, cosine)).collect()
    }

    /// The `want` rows that are seen with the smallest Hamming distance, ties by number, in the order of
    /// numbers.
    fn candidates(&self, query: &[u64], want: usize, within: Option<&[u32]>, sees: &Sees<'_>) -> Vec<u32> {
        let mut sieve = Sieve::new(want, self.words() * 64);
        match within {
            Some(within) if within.len() < self.rows() / 16 => {
                for &memory in within.iter().filter(|memory| (**memory as usize) < self.rows()) {
                    let words = query.iter().enumerate();
                    let distance =
                        words.map(|(at, word)| (self.word(memory as usize, at) ^ word).count_ones()).sum();
                    if sieve.takes(distance) && sees(memory) {
                        sieve.push(distance, memory);
                    }
                }
            }
            _ => {
                let parts = self.parts();
                let scan = |parts: &[Part<'_>]| {
                    let mut sieve = Sieve::new(want, self.words() * 64);
                    for part in parts {
                        simd::scan(part.blocks, query, sieve.bound, &mut |row, distance| {
                            let memory = (part.first + row) as u32;
                            if part.first + row < part.end && sees(memory) {
                                sieve.push(distance, memory);
                            }
                            sieve.bound
                        });
                    }
                    sieve
                };
                if self.rows() >= SPLIT && has_two_threads() {
                    let (left, right) = halves(&parts, self.block());
                    sieve = thread::scope(|scope| {
                        let other = scope.spawn(|| scan(&right));
                        let mut sieve = scan(&left);
                        match other.join() {
                            Ok(other) => sieve.kept.extend(other.kept),
                            Err(panic) => std::panic::resume_unwind(panic),
                        }
                        sieve
                    });
                } else {
                    sieve = scan(&parts);
                }
            }
        }
        sieve.finish()
    }

    fn parts(&self) -> [Part<'_>; 2] {
        [
            Part { blocks: self.base_bits.all(), first: 0, end: self.base_rows },
            Part { blocks: &self.tail_bits, first: self.base_rows, end: self.rows() },
        ]
    }

    pub(super) fn alike(
        &self,
        asked: &[VectorQuery<'_>],
        min_cosine: f32,
        limit: usize,
        columns: &Columns,
    ) -> Vec<Vec<(u32, f32)>> {
        let mut found: Vec<Nearest> = vec![Nearest::new(min_cosine, limit, self.dimensions); asked.len()];
        if limit > 0 && self.dimensions > 0 && !asked.is_empty() {
            let half = asked.len().div_ceil(2);
            if asked.len() * self.rows() >= 20 * SPLIT && asked.len() > 1 && has_two_threads() {
                let (left, right) = asked.split_at(half);
                let (found_left, found_right) = found.split_at_mut(half);
                thread::scope(|scope| {
                    scope.spawn(|| self.pass(right, found_right, columns));
                    self.pass(left, found_left, columns);
                });
            } else {
                self.pass(asked, &mut found, columns);
            }
        }
        let finish =
            |found: Nearest| found.kept.into_iter().map(|(cosine, memory)| (memory, cosine)).collect();
        found.into_iter().map(finish).collect()
    }

    /// Passes over all rows once with all vectors, one cacheful at a time.
    fn pass(&self, asked: &[VectorQuery<'_>], found: &mut [Nearest], columns: &Columns) {
        let level = SimdLevel::here();
        let bits: Vec<Vec<u64>> = asked.iter().map(|asked| signs(asked.values)).collect();
        for part in self.parts() {
            for (chunk, blocks) in part.blocks.chunks(CACHED_BLOCKS * self.block()).enumerate() {
                let first = part.first + chunk * CACHED_BLOCKS * ROWS;
                for ((asked, bits), found) in asked.iter().zip(&bits).zip(&mut *found) {
                    if asked.values.len() != self.dimensions {
                        continue;
                    }
                    simd::scan(blocks, bits, found.bound, &mut |row, _| {
                        let memory = (first + row) as u32;
                        if first + row < part.end
                            && columns.has(memory, VECTOR)
                            && let Some((own, own_scale)) = self.get(memory)
                        {
                            let cosine =
                                simd::dot_i8(level, asked.values, own) as f32 * (asked.scale * own_scale);
                            if found.takes(cosine) && columns.admits(&asked.visible, memory) {
                                found.push(cosine, memory, self.dimensions);
                            }
                        }
                        found.bound
                    });
                }
            }
        }
    }
}

/// The nearest rows of one vector so far, best first. Rows come in the order of their numbers, so that the
/// first of equal ones stays. Once there are enough, the bound falls with the last of them, so that few rows
/// are compared by value.
#[derive(Clone)]
struct Nearest {
    limit: usize,
    least: f32,
    /// Most differing signs of a row that may be near enough.
    bound: u32,
    kept: Vec<(f32, u32)>,
}

impl Nearest {
    fn new(least: f32, limit: usize, dimensions: usize) -> Self {
        Self { limit, least, bound: most_differing_signs(least, dimensions), kept: Vec::new() }
    }

    fn takes(&self, cosine: f32) -> bool {
        if self.kept.len() < self.limit { cosine >= self.least } else { cosine > self.least }
    }

    fn push(&mut self, cosine: f32, memory: u32, dimensions: usize) {
        let new = (cosine, memory);
        self.kept.insert(self.kept.partition_point(|kept| better_first(kept, &new).is_lt()), new);
        self.kept.truncate(self.limit);
        if let Some((last, _)) = self.kept.get(self.limit - 1) {
            self.least = *last;
            self.bound = most_differing_signs(*last, dimensions);
        }
    }
}

fn has_two_threads() -> bool {
    thread::available_parallelism().is_ok_and(|threads| threads.get() > 1)
}

/// Splits parts into two lists of about the same number of blocks.
fn halves<'a>(parts: &[Part<'a>], block: usize) -> (Vec<Part<'a>>, Vec<Part<'a>>) {
    let blocks: usize = parts.iter().map(|part| part.blocks.len() / block).sum();
    let mut left_over = blocks / 2;
    let mut halves = (Vec::new(), Vec::new());
    for part in parts {
        let (left, right) = part.blocks.split_at((left_over * block).min(part.blocks.len()));
        let taken = left.len() / block;
        left_over -= taken;
        halves.0.push(Part { blocks: left, ..*part });
        halves.1.push(Part { blocks: right, first: part.first + taken * ROWS, end: part.end });
    }
    halves
}

/// Keeps the rows with the smallest distances. The bound falls as enough nearer ones are found, so that one
/// comparison rejects most rows of a scan; rows at the bound stay, so that ties are decided by number at the
/// end.
struct Sieve {
    want: usize,
    bound: u32,
    /// Number of kept rows by distance.
    histogram: Vec<u32>,
    /// Number of kept rows within the bound.
    inside: usize,
    kept: Vec<(u32, u32)>,
}

impl Sieve {
    fn new(want: usize, farthest: usize) -> Self {
        Self { want, bound: farthest as u32, histogram: vec![0; farthest + 1], inside: 0, kept: Vec::new() }
    }

    fn takes(&self, distance: u32) -> bool {
        distance <= self.bound
    }

    fn push(&mut self, distance: u32, memory: u32) {
        self.kept.push((distance, memory));
        self.histogram[distance as usize] += 1;
        self.inside += 1;
        while self.inside - self.histogram[self.bound as usize] as usize >= self.want {
            self.inside -= self.histogram[self.bound as usize] as usize;
            self.bound -= 1;
        }
        if self.kept.len() > 4 * self.want && self.kept.len() > 2 * self.inside {
            self.kept.retain(|(distance, _)| *distance <= self.bound);
        }
    }

    fn finish(mut self) -> Vec<u32> {
        if self.kept.len() > self.want {
            self.kept.select_nth_unstable(self.want - 1);
            self.kept.truncate(self.want);
        }
        let mut memories: Vec<u32> = self.kept.into_iter().map(|(_, memory)| memory).collect();
        memories.sort_unstable();
        memories
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Visible;
    use crate::model::Document;

    fn filled(rows: u32) -> (Vectors, Columns, fastrand::Rng) {
        let mut random = fastrand::Rng::with_seed(3);
        let mut vectors = Vectors::new(96);
        let mut columns = Columns::default();
        for memory in 1..rows {
            let values: Vec<i8> = (0..96).map(|_| random.i8(..)).collect();
            let document = Document { memory, deleted: memory % 7 == 0, ..Document::default() };
            columns.put(memory as usize, &document);
            columns.set_flag(memory, VECTOR, memory % 5 != 0);
            vectors.set(memory, &values, 0.01);
        }
        (vectors, columns, random)
    }

    #[test]
    fn candidates_are_the_nearest_by_distance_then_number() {
        let (vectors, columns, mut random) = filled(3000);
        let within: Vec<u32> = (1..3000).filter(|memory| memory % 40 == 3).collect();
        for within in [None, Some(&within[..])] {
            let visible = Visible { within, ..Visible::default() };
            for want in [1, 10, 300, 5000] {
                let query = [random.u64(..), random.u64(..) >> 32];
                let mut expected: Vec<(u32, u32)> = (1..3000)
                    .filter(|memory| memory % 5 != 0 && columns.admits(&visible, *memory))
                    .map(|memory| {
                        let row = memory as usize;
                        let distance =
                            (0..2).map(|at| (vectors.word(row, at) ^ query[at]).count_ones()).sum();
                        (distance, memory)
                    })
                    .collect();
                expected.sort_unstable();
                expected.truncate(want);
                let mut expected: Vec<u32> = expected.into_iter().map(|(_, memory)| memory).collect();
                expected.sort_unstable();
                let sees = |memory| columns.has(memory, VECTOR) && columns.admits(&visible, memory);
                assert_eq!(vectors.candidates(&query, want, within, &sees), expected);
            }
        }
    }

    #[test]
    fn two_threads_find_what_one_finds() {
        let (vectors, _, _) = filled(1003);
        let parts = vectors.parts();
        let (left, right) = halves(&parts, vectors.block());
        let rows = |parts: &[Part<'_>]| -> Vec<usize> {
            parts.iter().flat_map(|part| (part.first..).take(part.blocks.len() / vectors.words())).collect()
        };
        assert_eq!([rows(&left), rows(&right)].concat(), rows(&parts));
        assert!(rows(&left).len().abs_diff(rows(&right).len()) <= ROWS);
    }
}
