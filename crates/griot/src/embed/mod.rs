//! Turns a text into a vector; the cosine of two vectors is the similarity of their texts.
//!
//! The default embedder is in the binary: [`StaticEmbedder`] needs no download and no server. Each stored
//! vector carries the name of its model, and vectors of two models are never compared (invariant 9: the
//! engine refuses and names the command that embeds again).

mod static_model;
mod wordpiece;

use crate::model::{Result, StoredVector};

pub use static_model::StaticEmbedder;
pub use wordpiece::WordPiece;

/// Makes vectors: [`StaticEmbedder`], and the embedders of crates that run or call larger models.
pub trait Embedder: Send + Sync {
    /// Name and version: embedders with the same name make the same vectors.
    fn name(&self) -> &str;

    /// One vector of length 1 per text, in order; `None` for a text without any known token.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>>;

    /// The vector of a question, for models that distinguish questions from texts.
    fn embed_question(&self, question: &str) -> Result<Option<Vec<f32>>> {
        Ok(self.embed(&[question])?.pop().flatten())
    }

    /// How many texts to pass at once. What they give is stored before the next ones are passed.
    fn batch(&self) -> usize {
        1000
    }

    /// Whether texts that belong to a user may be passed. Without their vectors they are found by words.
    fn takes_private_texts(&self) -> bool {
        true
    }
}

/// What a model reads of a memory: its headings and its text.
///
/// A passage "Limits" means little without "Vector index" above it. The speaker's name is left out, because
/// it would make all turns of one person similar.
pub fn embedded(heading: &[String], text: &str) -> String {
    if heading.is_empty() { text.to_string() } else { format!("{}\n{text}", heading.join(" ")) }
}

/// The int8 form of a vector of length 1: the largest component becomes ±127.
pub fn quantise(model: &str, vector: &[f32]) -> StoredVector {
    let largest = vector.iter().fold(0.0f32, |m, v| m.max(v.abs()));
    let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    let values = vector.iter().map(|v| (v / scale).round() as i8).collect();
    StoredVector { model: model.to_string(), scale, values }
}

/// The vector of an entity's name, always by [`StaticEmbedder`].
pub fn name_vector(name: &str) -> Option<StoredVector> {
    let vector = StaticEmbedder.embed(&[name]).ok()?.pop()??;
    Some(quantise(StaticEmbedder::NAME, &vector))
}

/// The f32 form of a stored vector, made length 1 again.
pub fn dequantise(vector: &StoredVector) -> Vec<f32> {
    let mut values: Vec<f32> = vector.values.iter().map(|&v| f32::from(v) * vector.scale).collect();
    normalise(&mut values);
    values
}

/// Cosine of two vectors of length 1 in their int8 form: integer sums can be vectorised.
pub fn cosine(a: &StoredVector, b: &StoredVector) -> f32 {
    let sum: i32 = a.values.iter().zip(&b.values).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum();
    sum as f32 * a.scale * b.scale
}

/// Scales to length 1; false for a vector of length 0.
pub fn normalise(vector: &mut [f32]) -> bool {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length <= f32::EPSILON || !length.is_finite() {
        return false;
    }
    vector.iter_mut().for_each(|v| *v /= length);
    true
}
