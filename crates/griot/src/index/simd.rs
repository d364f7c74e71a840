//! Distances between vectors with the widest available instructions. All implementations return the same
//! bits.
//!
//! Sign bits are stored in blocks of eight rows, word by word, so that one register holds the same word of
//! eight rows and a sum never crosses lanes:
//!
//! ```text
//! word 0 of rows 0 … 7 │ word 1 of rows 0 … 7 │ … │ last word of rows 0 … 7 ║ next eight rows
//! ```
//!
//! Floats are summed in 64 lanes in a fixed order and never fused, so that wider registers change nothing.

use crate::model::SimdLevel;
use crate::on_every_level;

/// Rows in a block.
pub(super) const ROWS: usize = 8;

/// Called with a row of the scanned blocks and its distance; returns the new bound.
pub(super) type Hit<'a> = &'a mut dyn FnMut(usize, u32) -> u32;

/// Reports every row whose Hamming distance to the query is at most the bound. `query` has as many words as a
/// row.
pub(super) fn scan(blocks: &[u64], query: &[u64], bound: u32, hit: Hit<'_>) {
    scan_at(SimdLevel::here(), blocks, query, bound, hit);
}

fn scan_at(level: SimdLevel, blocks: &[u64], query: &[u64], bound: u32, hit: Hit<'_>) {
    if query.is_empty() {
        return;
    }
    match level {
        // SAFETY: `SimdLevel::here` (or the test that passes a level) found the features.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => unsafe { x86::scan_avx2(blocks, query, bound, hit) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { x86::scan_avx512(blocks, query, bound, hit) },
        _ => portable(blocks, query, bound, hit),
    }
}

fn portable(blocks: &[u64], query: &[u64], mut bound: u32, hit: Hit<'_>) {
    for (block, words) in blocks.chunks_exact(ROWS * query.len()).enumerate() {
        let mut sums = [0u32; ROWS];
        for (words, asked) in words.chunks_exact(ROWS).zip(query) {
            for (sum, word) in sums.iter_mut().zip(words) {
                *sum += (word ^ asked).count_ones();
            }
        }
        for (row, sum) in sums.into_iter().enumerate() {
            if sum <= bound {
                bound = hit(block * ROWS + row, sum);
            }
        }
    }
}

on_every_level! {
    /// The sum of products; exact, so equal on all paths.
    pub(super) fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
        // A loop instead of iterator adaptors: where a build does not inline these, they are compiled without
        // the wide registers of the caller.
        let mut sum = 0i32;
        for at in 0..a.len().min(b.len()) {
            sum = sum.wrapping_add(i32::from(i16::from(a[at]) * i16::from(b[at])));
        }
        sum
    }
}

on_every_level! {
    /// The sum of products in 64 lanes, since additions of one register wait for each other; the same bits on
    /// all paths.
    pub(super) fn dot_f32(a: &[f32], b: &[i8]) -> f32 {
        const LANES: usize = 64;
        let mut sums = [0f32; LANES];
        let (a_rows, a_rest) = a.as_chunks::<LANES>();
        let (b_rows, b_rest) = b.as_chunks::<LANES>();
        for (a, b) in a_rows.iter().zip(b_rows) {
            for lane in 0..LANES {
                sums[lane] += a[lane] * f32::from(b[lane]);
            }
        }
        for (sum, (a, b)) in sums.iter_mut().zip(a_rest.iter().zip(b_rest)) {
            *sum += a * f32::from(*b);
        }
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                sums[lane] += sums[lane + width];
            }
            width /= 2;
        }
        sums[0]
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Hit, ROWS};

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
    pub(super) fn scan_avx512(blocks: &[u64], query: &[u64], bound: u32, hit: Hit<'_>) {
        // The usual sizes keep the query in registers.
        match query.len() {
            4 => scan_avx512_of::<4>(blocks, query, bound, hit),
            6 => scan_avx512_of::<6>(blocks, query, bound, hit),
            8 => scan_avx512_of::<8>(blocks, query, bound, hit),
            12 => scan_avx512_of::<12>(blocks, query, bound, hit),
            16 => scan_avx512_of::<16>(blocks, query, bound, hit),
            _ => scan_avx512_of::<0>(blocks, query, bound, hit),
        }
    }

    /// `WORDS` is the length of the query, or 0 if it is known only at run time.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
    fn scan_avx512_of<const WORDS: usize>(blocks: &[u64], query: &[u64], mut bound: u32, hit: Hit<'_>) {
        let known: [__m512i; WORDS] =
            std::array::from_fn(|at| _mm512_set1_epi64(query.get(at).map_or(0, |word| *word as i64)));
        let length = if WORDS > 0 { WORDS } else { query.len() };
        let mut limit = _mm512_set1_epi64(i64::from(bound));
        for (block, words) in blocks.chunks_exact(ROWS * length).enumerate() {
            let mut sum = _mm512_setzero_si512();
            let mut add = |words: &[u64; ROWS], asked: __m512i| {
                // SAFETY: `words` is 64 bytes; the load needs no alignment.
                let words = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_xor_si512(words, asked)));
            };
            let words = words.as_chunks::<ROWS>().0;
            if WORDS > 0 {
                words.iter().zip(&known).for_each(|(words, asked)| add(words, *asked));
            } else {
                words
                    .iter()
                    .zip(query)
                    .for_each(|(words, asked)| add(words, _mm512_set1_epi64(*asked as i64)));
            }
            let mut near = _mm512_cmple_epu64_mask(sum, limit);
            if near == 0 {
                continue;
            }
            let mut sums = [0u64; ROWS];
            // SAFETY: `sums` is 64 bytes; the store needs no alignment.
            unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), sum) };
            while near != 0 {
                let row = near.trailing_zeros() as usize;
                near &= near - 1;
                let distance = sums[row] as u32;
                if distance <= bound {
                    bound = hit(block * ROWS + row, distance);
                }
            }
            limit = _mm512_set1_epi64(i64::from(bound));
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn scan_avx2(blocks: &[u64], query: &[u64], mut bound: u32, hit: Hit<'_>) {
        let nibbles = _mm256_set1_epi8(0x0f);
        #[rustfmt::skip]
        let counts = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let ones = |words: __m256i| {
            let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(words, nibbles));
            let high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(words, 4), nibbles));
            _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
        };
        for (block, words) in blocks.chunks_exact(ROWS * query.len()).enumerate() {
            let mut sums = [_mm256_setzero_si256(); 2];
            for (words, asked) in words.as_chunks::<ROWS>().0.iter().zip(query) {
                let asked = _mm256_set1_epi64x(*asked as i64);
                for (half, sum) in words.as_chunks::<4>().0.iter().zip(&mut sums) {
                    // SAFETY: `half` is 32 bytes; the load needs no alignment.
                    let half = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
                    *sum = _mm256_add_epi64(*sum, ones(_mm256_xor_si256(half, asked)));
                }
            }
            let limit = _mm256_set1_epi64x(i64::from(bound));
            for (half, sum) in sums.into_iter().enumerate() {
                let far = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(sum, limit)));
                if far == 0b1111 {
                    continue;
                }
                let mut rows = [0u64; 4];
                // SAFETY: `rows` is 32 bytes; the store needs no alignment.
                unsafe { _mm256_storeu_si256(rows.as_mut_ptr().cast(), sum) };
                for (row, distance) in rows.into_iter().enumerate() {
                    if distance as u32 <= bound {
                        bound = hit(block * ROWS + half * 4 + row, distance as u32);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> impl Iterator<Item = SimdLevel> {
        [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512]
            .into_iter()
            .filter(|level| *level <= SimdLevel::here())
    }

    #[test]
    fn every_path_finds_the_same_rows() {
        let mut random = fastrand::Rng::with_seed(7);
        for words in [1, 2, 3, 4, 6, 12, 16] {
            let blocks: Vec<u64> = (0..ROWS * words * 20).map(|_| random.u64(..)).collect();
            let query: Vec<u64> = (0..words).map(|_| random.u64(..)).collect();
            let found = |level| {
                let mut found = Vec::new();
                // A bound that falls with every hit shows that all implementations apply it at once.
                let mut bound = words as u32 * 36;
                scan_at(level, &blocks, &query, bound, &mut |row, distance| {
                    found.push((row, distance));
                    bound -= 1;
                    bound
                });
                found
            };
            let expected = found(SimdLevel::Portable);
            assert!(!expected.is_empty());
            for level in levels() {
                assert_eq!(found(level), expected, "{level:?}");
            }
        }
    }

    #[test]
    fn every_path_gives_the_same_products() {
        let mut random = fastrand::Rng::with_seed(8);
        for dimensions in [1, 15, 16, 17, 100, 256, 384] {
            let a: Vec<i8> = (0..dimensions).map(|_| random.i8(..)).collect();
            let b: Vec<i8> = (0..dimensions).map(|_| random.i8(..)).collect();
            let f: Vec<f32> = (0..dimensions).map(|_| random.f32() - 0.5).collect();
            for level in levels() {
                assert_eq!(dot_i8(level, &a, &b), dot_i8(SimdLevel::Portable, &a, &b));
                assert_eq!(dot_f32(level, &f, &b).to_bits(), dot_f32(SimdLevel::Portable, &f, &b).to_bits());
            }
        }
        assert_eq!(dot_i8(SimdLevel::here(), &[-128; 512], &[-128; 512]), 512 * 128 * 128);
    }
}
