//! An embedder without weights: words and their three-letter pieces, hashed into buckets.
//!
//! It knows spelling but no meaning. Used where vectors are wanted but no model fits: for languages missing
//! from the built-in vocabulary, and for tests that need a second model. Signed feature hashing after
//! Weinberger et al. 2009.

use super::{Embedder, normalise};
use crate::model::Result;
use crate::text;

#[derive(Clone, Debug)]
pub struct HashingEmbedder {
    dimensions: usize,
    name: String,
}

impl HashingEmbedder {
    /// `dimensions` is at least 16.
    pub fn new(dimensions: usize) -> Self {
        let dimensions = dimensions.max(16);
        Self { dimensions, name: format!("hashing-{dimensions}") }
    }

    fn add(&self, vector: &mut [f32], feature: &[u8], weight: f32) {
        // FNV-1a, 64 bits: the bucket comes from the low bits, the sign from the highest.
        let hash = feature
            .iter()
            .fold(0xcbf2_9ce4_8422_2325u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let sign = if hash >> 63 == 0 { weight } else { -weight };
        vector[(hash % self.dimensions as u64) as usize] += sign;
    }
}

impl Embedder for HashingEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        let embed = |text: &&str| {
            let mut vector = vec![0.0; self.dimensions];
            text::for_each_term(text, &mut |term| {
                if !text::is_stop_term(term) {
                    self.add(&mut vector, term.as_bytes(), 1.0);
                    term.as_bytes().windows(3).for_each(|piece| self.add(&mut vector, piece, 0.3));
                }
            });
            normalise(&mut vector).then_some(vector)
        };
        Ok(texts.iter().map(embed).collect())
    }
}
