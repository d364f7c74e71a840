//! The embedder in the binary: a vector is the mean of its tokens' rows.
//!
//! 30,522 rows of 256 int8 values with a scale each (7.9 MB; `assets/static-256` documents how they were
//! made). A text of 60 words takes a few microseconds.

use std::sync::OnceLock;

use safetensors::{Dtype, SafeTensors};

use super::wordpiece::WordPiece;
use super::{Embedder, normalise};
use crate::model::{Error, ErrorKind, Result};
use crate::text::sentences;

static WEIGHTS: &[u8] = include_bytes!("../../assets/static-256/model.safetensors");
static VOCABULARY: &str = include_str!("../../assets/static-256/vocab.txt");

const DIMENSIONS: usize = 256;

#[derive(Clone, Copy, Default)]
pub struct StaticEmbedder;

struct Table {
    pieces: WordPiece,
    /// `[token × 256 + dimension]`
    rows: &'static [i8],
    scales: Vec<f32>,
}

impl StaticEmbedder {
    pub const NAME: &str = "static-256";

    /// How near the nearest one or two sentences of each text come to a question, as cosines.
    pub fn nearest_parts(question: &str, texts: &[&str]) -> Result<Vec<f32>> {
        let table = Self::table()?;
        let Some(asked) = table.embed(question) else { return Ok(vec![0.0; texts.len()]) };
        Ok(texts.iter().map(|text| table.nearest_part(&asked, text)).collect())
    }

    /// Built at first use, so that listing or linking memories does not pay for it.
    fn table() -> Result<&'static Table> {
        static TABLE: OnceLock<std::result::Result<Table, String>> = OnceLock::new();
        TABLE
            .get_or_init(Table::read)
            .as_ref()
            .map_err(|why| Error::new(ErrorKind::Bug, "read the built-in embedder's weights", why.clone()))
    }
}

impl Table {
    fn read() -> std::result::Result<Self, String> {
        let tensors = SafeTensors::deserialize(WEIGHTS).map_err(|e| e.to_string())?;
        let rows = tensors.tensor("embedding").map_err(|e| e.to_string())?;
        let scales = tensors.tensor("scale").map_err(|e| e.to_string())?;
        let fits = rows.dtype() == Dtype::I8
            && rows.shape().get(1) == Some(&DIMENSIONS)
            && scales.dtype() == Dtype::F32
            && scales.shape().first() == rows.shape().first();
        if !fits {
            return Err("its tensors have unexpected types or shapes".to_string());
        }
        Ok(Self {
            pieces: WordPiece::new(VOCABULARY),
            rows: bytemuck::cast_slice(rows.data()),
            scales: scales
                .data()
                .chunks_exact(4)
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect(),
        })
    }

    /// The sum of the rows of a text's tokens.
    fn sum(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0f32; DIMENSIONS];
        self.pieces.for_each_token(text, &mut |token| {
            // What all unknown words have in common says nothing, and the model's own code leaves it out.
            if token == self.pieces.unknown {
                return;
            }
            let start = token as usize * DIMENSIONS;
            let scale = self.scales[token as usize];
            for (s, &v) in sum.iter_mut().zip(&self.rows[start..start + DIMENSIONS]) {
                *s += f32::from(v) * scale;
            }
        });
        sum
    }

    fn embed(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = self.sum(text);
        normalise(&mut sum).then_some(sum)
    }

    /// The highest cosine of a vector of length 1 with one sentence of a text, or two in a row; not below 0.
    fn nearest_part(&self, asked: &[f32], text: &str) -> f32 {
        let sums: Vec<Vec<f32>> =
            sentences(text).into_iter().map(|sentence| self.sum(&text[sentence])).collect();
        let near = |length: f32, product: f32| if length > 0.0 { product / length.sqrt() } else { 0.0 };
        let mut nearest = 0.0f32;
        let mut before: Option<(&[f32], f32, f32)> = None;
        for sum in &sums {
            let (own, product) = (dot(sum, sum), dot(asked, sum));
            nearest = nearest.max(near(own, product));
            if let Some((other, length, with)) = before {
                nearest = nearest.max(near(own + length + 2.0 * dot(sum, other), product + with));
            }
            before = Some((sum, own, product));
        }
        nearest
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Embedder for StaticEmbedder {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        let table = Self::table()?;
        Ok(texts.iter().map(|text| table.embed(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::embed::{cosine, quantise};

    fn embed(text: &str) -> Option<Vec<f32>> {
        StaticEmbedder.embed(&[text]).unwrap().remove(0)
    }

    #[test]
    fn agrees_with_the_model_card() {
        let question = embed("why did we switch to PostgreSQL").unwrap();
        let expected = [-0.15686, -0.01316, -0.03752, 0.10972, -0.19066, 0.06812, 0.01964, -0.03033];
        for (got, expected) in question.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-4, "{got} is not {expected}");
        }
        let near = embed("The database was migrated because MySQL replication kept failing.").unwrap();
        let far = embed("Lunch is at noon.").unwrap();
        let [question, near, far] = [question, near, far].map(|v| quantise(StaticEmbedder::NAME, &v));
        assert!((cosine(&question, &near) - 0.365).abs() < 2e-3);
        assert!((cosine(&question, &far) + 0.003).abs() < 2e-3);
    }

    #[test]
    fn a_text_without_a_known_token_has_no_vector() {
        for text in ["", "  \n", "\u{0}\u{1}"] {
            assert_eq!(embed(text), None, "{text:?}");
        }
    }

    #[test]
    fn words_that_the_model_does_not_know_say_nothing() {
        assert_eq!(embed("Lunch 魑魅 is at noon 🦥"), embed("Lunch is at noon"));
    }

    #[test]
    fn a_part_is_nearer_than_the_whole() {
        let question = "Which port does the server use?";
        let (part, rest) = ("The server listens on port 8080.", "Lunch is at noon. Bring a chair and a hat.");
        let whole = format!("{rest} {part} {rest}");
        let near = StaticEmbedder::nearest_parts(question, &[&whole, part, rest, "", "魑魅"]).unwrap();
        let asked = embed(question).unwrap();
        let cosine = |text: &str| dot(&asked, &embed(text).unwrap());
        assert!(near[0] > cosine(&whole) + 0.1, "{near:?}");
        assert!((near[0] - near[1]).abs() < 1e-5 && (near[1] - cosine(part)).abs() < 1e-5, "{near:?}");
        assert!(near[2] < 0.5 * near[1], "{near:?}");
        assert_eq!(near[3..], [0.0, 0.0]);
        let pair = "It has a port. The server uses it.";
        let [two, one] = StaticEmbedder::nearest_parts(question, &[pair, "It has a port."]).unwrap()[..]
        else {
            panic!("two texts have two figures")
        };
        assert!(two > one && (two - cosine(pair)).abs() < 1e-5, "{two} {one}");
    }

    #[test]
    fn accents_and_case_do_not_matter() {
        assert_eq!(embed("Café Zürich"), embed("cafe zurich"));
    }
}
