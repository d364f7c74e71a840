//! How near does a text come to a question, word by word and passage by passage?
//!
//! The vector of a text is the mean of its words, in which the few that matter drown. Here each word of the question looks
//! for the nearest word of the text (late interaction, as in ColBERT, over static rows), and the question is compared with
//! each short run of words instead of the whole.

use std::cell::RefCell;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::normalise;
use super::static_model::{DIMENSIONS, Table};

/// Both in 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Closeness {
    /// Mean over the question's words of the cosine with the nearest word of the text, by how much a word means.
    pub words: f32,
    /// The best cosine of a run of words with the question.
    pub passage: f32,
}

/// Words of a run, and how far the next one starts.
const RUN: usize = 24;
const STRIDE: usize = 8;

/// A question that texts are compared with.
pub struct Comparison {
    table: &'static Table,
    /// Rows of its tokens, of length 1, and their weights: rows of words that mean little are short.
    tokens: Vec<([f32; DIMENSIONS], f32)>,
    vector: Vec<f32>,
    weight: f32,
    /// Cosines of each token that was met with each of the question's.
    met: RefCell<HashMap<u32, Box<[f32]>, FixedState>>,
}

impl Comparison {
    pub(super) fn new(table: &'static Table, question: &str) -> Option<Self> {
        let mut ids = Vec::new();
        table.pieces.for_each_token(question, &mut |token| ids.push(token));
        ids.sort_unstable();
        ids.dedup();
        let mut tokens = Vec::new();
        for token in ids.into_iter().filter(|token| *token != table.pieces.unknown) {
            let mut row = table.row(token);
            let weight = row.iter().map(|v| v * v).sum::<f32>().sqrt();
            if normalise(&mut row) {
                tokens.push((row, weight));
            }
        }
        let weight = tokens.iter().map(|(_, weight)| weight).sum::<f32>();
        let vector = table.embed(question)?;
        (weight > 0.0).then_some(Self { table, tokens, vector, weight, met: RefCell::default() })
    }

    pub fn with(&self, text: &str) -> Closeness {
        let mut ids: Vec<u32> = Vec::with_capacity(text.len() / 4);
        self.table.pieces.for_each_token(text, &mut |token| ids.push(token));
        ids.retain(|token| *token != self.table.pieces.unknown);
        let mut nearest = vec![0.0f32; self.tokens.len()];
        let mut met = self.met.borrow_mut();
        for &token in &ids {
            let cosines = met.entry(token).or_insert_with(|| {
                let mut row = self.table.row(token);
                normalise(&mut row);
                self.tokens.iter().map(|(own, _)| own.iter().zip(&row).map(|(a, b)| a * b).sum()).collect()
            });
            nearest.iter_mut().zip(cosines.iter()).for_each(|(best, cosine)| *best = best.max(*cosine));
        }
        let words = nearest.iter().zip(&self.tokens).map(|(cosine, (_, weight))| cosine * weight).sum::<f32>();
        let mut passage = 0.0f32;
        let mut start = 0;
        loop {
            let run = &ids[start..ids.len().min(start + RUN)];
            let mut sum = [0.0f32; DIMENSIONS];
            for &token in run {
                self.table.add_row(token, &mut sum);
            }
            if normalise(&mut sum) {
                passage = passage.max(sum.iter().zip(&self.vector).map(|(a, b)| a * b).sum());
            }
            if start + RUN >= ids.len() {
                break;
            }
            start += STRIDE;
        }
        Closeness { words: (words / self.weight).clamp(0.0, 1.0), passage: passage.clamp(0.0, 1.0) }
    }
}
