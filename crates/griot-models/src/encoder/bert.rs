//! The forward pass of BERT: from tokens to one vector per token, or through the head of a classifier to one
//! number per text.
//!
//! Several texts are computed at once as one list of rows, without padding: only attention knows where a text
//! begins and ends. The position of weights in the file is looked up once, when the model is opened, so that
//! a forward pass cannot fail.

use griot::model::SimdLevel;

use super::folder::Shape;
use super::lanes::{Norm, add_and_normalise, add_bias, gelu, multiply, softmax};
use super::weights::Weights;

/// The tokens of a text, or of two texts one after another.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Text {
    pub(crate) tokens: Vec<u32>,
    /// Tokens of BERT's first kind of text; those behind them are of the second.
    pub(crate) first: usize,
}

/// What a classifier of one label makes a number with: the vector of the first token goes through both.
pub(crate) struct Head {
    dense: Linear,
    out: Linear,
}

/// A linear map: weights by output, and bias.
#[derive(Clone, Copy)]
struct Linear {
    weight: usize,
    bias: usize,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attention: Linear,
    attention_norm: Linear,
    widen: Linear,
    narrow: Linear,
    output_norm: Linear,
}

pub(crate) struct Bert {
    weights: Weights,
    words: usize,
    positions: usize,
    /// The position of a text's first token.
    first_position: usize,
    /// The kinds of text that BERT distinguishes.
    types: usize,
    norm: Linear,
    layers: Vec<Layer>,
    width: usize,
    wide: usize,
    heads: usize,
    epsilon: f32,
    level: SimdLevel,
}

impl Linear {
    /// The map with this name, `shape` that of its weights.
    fn find(weights: &Weights, name: &str, shape: &[usize]) -> Result<Self, String> {
        Ok(Self {
            weight: weights.find(&format!("{name}.weight"), shape)?,
            bias: weights.find(&format!("{name}.bias"), &shape[..1])?,
        })
    }
}

impl Bert {
    /// Finds every tensor; an error names the one that is missing or has another shape.
    pub(crate) fn new(weights: Weights, shape: &Shape) -> Result<Self, String> {
        let (width, wide) = (shape.hidden_size, shape.intermediate_size);
        let linear = |name: &str, shape: &[usize]| Linear::find(&weights, name, shape);
        let layer = |number: usize| -> Result<Layer, String> {
            let part = |name: &str| format!("encoder.layer.{number}.{name}");
            Ok(Layer {
                query: linear(&part("attention.self.query"), &[width, width])?,
                key: linear(&part("attention.self.key"), &[width, width])?,
                value: linear(&part("attention.self.value"), &[width, width])?,
                attention: linear(&part("attention.output.dense"), &[width, width])?,
                attention_norm: linear(&part("attention.output.LayerNorm"), &[width])?,
                widen: linear(&part("intermediate.dense"), &[wide, width])?,
                narrow: linear(&part("output.dense"), &[width, wide])?,
                output_norm: linear(&part("output.LayerNorm"), &[width])?,
            })
        };
        let layers = (0..shape.num_hidden_layers).map(layer).collect::<Result<_, String>>()?;
        let norm = linear("embeddings.LayerNorm", &[width])?;
        let rows_of = |part: &str, rows| (format!("embeddings.{part}_embeddings.weight"), [rows, width]);
        let (name, size) = rows_of("word", shape.vocab_size);
        let words = weights.find(&name, &size)?;
        let (name, size) = rows_of("position", shape.max_position_embeddings);
        let positions = weights.find(&name, &size)?;
        let (name, size) = rows_of("token_type", shape.type_vocab_size);
        let types = weights.find(&name, &size)?;
        Ok(Self {
            words,
            positions,
            first_position: shape.first_position(),
            types,
            norm,
            layers,
            width,
            wide,
            heads: shape.num_attention_heads,
            epsilon: shape.layer_norm_eps as f32,
            level: SimdLevel::here(),
            weights,
        })
    }

    /// The head of a classifier of one label, as BERT or as RoBERTa has it. An error says why there is none.
    pub(crate) fn head(&self, shape: &Shape) -> Result<Head, String> {
        let [dense, out] = match shape.is_bert() {
            true => ["pooler.dense", "classifier"],
            false => ["classifier.dense", "classifier.out_proj"],
        };
        match self.weights.shape(&format!("{out}.weight")) {
            None => Err(format!("it is no cross-encoder: its weights have no `{out}.weight`")),
            Some(&[labels, _]) if labels != 1 => {
                Err(format!("it has {labels} labels, and a reranker has one"))
            }
            Some(_) => Ok(Head {
                dense: Linear::find(&self.weights, dense, &[self.width, self.width])?,
                out: Linear::find(&self.weights, out, &[1, self.width])?,
            }),
        }
    }

    /// The number that the head gives each text.
    pub(crate) fn classify(&self, head: &Head, texts: &[&Text]) -> Vec<f32> {
        let width = self.width;
        let rows = self.forward(texts);
        let mut firsts = Vec::with_capacity(texts.len() * width);
        let mut start = 0;
        for text in texts {
            firsts.extend_from_slice(&rows[start..start + width]);
            start += text.tokens.len() * width;
        }
        let mut pooled = vec![0.0; firsts.len()];
        self.apply(head.dense, &firsts, &mut pooled);
        pooled.iter_mut().for_each(|value| *value = value.tanh());
        let mut numbers = vec![0.0; texts.len()];
        self.apply(head.out, &pooled, &mut numbers);
        numbers
    }

    /// One row of `width` values per token, text after text. Every token is in the vocabulary and no text is
    /// longer than the model's positions.
    pub(crate) fn forward(&self, texts: &[&Text]) -> Vec<f32> {
        let width = self.width;
        let count: usize = texts.iter().map(|text| text.tokens.len()).sum();
        let mut rows = self.embeddings(texts);
        let mut heads = vec![0.0; count * width];
        let mut added = vec![0.0; count * width];
        let mut wide = vec![0.0; count * self.wide];
        let mut attention = Attention { size: width / self.heads, ..Attention::default() };
        let [mut query, mut key, mut value] = std::array::from_fn(|_| vec![0.0; count * width]);
        for layer in &self.layers {
            self.apply(layer.query, &rows, &mut query);
            self.apply(layer.key, &rows, &mut key);
            self.apply(layer.value, &rows, &mut value);
            let mut start = 0;
            for text in texts {
                let range = start * width..(start + text.tokens.len()) * width;
                let parts = [&query[range.clone()], &key[range.clone()], &value[range.clone()]];
                for head in 0..self.heads {
                    attention.attend(self.level, parts, width, head, &mut heads[range.clone()]);
                }
                start += text.tokens.len();
            }
            self.apply(layer.attention, &heads, &mut added);
            add_and_normalise(self.level, &mut rows, &added, self.norm(layer.attention_norm));
            self.apply(layer.widen, &rows, &mut wide);
            gelu(self.level, &mut wide);
            self.apply(layer.narrow, &wide, &mut added);
            add_and_normalise(self.level, &mut rows, &added, self.norm(layer.output_norm));
        }
        rows
    }

    fn embeddings(&self, texts: &[&Text]) -> Vec<f32> {
        let width = self.width;
        let row = |table, row| &self.weights.values(table)[row * width..][..width];
        let mut rows = Vec::new();
        let mut added = Vec::new();
        for text in texts {
            for (at, token) in text.tokens.iter().enumerate() {
                rows.extend(self.weights.row(self.words, *token as usize, width));
                let position = row(self.positions, self.first_position + at);
                let of_type = row(self.types, usize::from(at >= text.first));
                added.extend(position.iter().zip(of_type).map(|(position, of_type)| position + of_type));
            }
        }
        add_and_normalise(self.level, &mut rows, &added, self.norm(self.norm));
        rows
    }

    fn apply(&self, map: Linear, rows: &[f32], out: &mut [f32]) {
        let (weight, bias) = (self.weights.values(map.weight), self.weights.values(map.bias));
        multiply(self.level, rows, weight, weight.len() / bias.len(), out);
        add_bias(self.level, out, bias);
    }

    fn norm(&self, at: Linear) -> Norm<'_> {
        Norm {
            gain: self.weights.values(at.weight),
            bias: self.weights.values(at.bias),
            epsilon: self.epsilon,
        }
    }
}

/// Room for the attention of one head over one text, used again and again.
#[derive(Default)]
struct Attention {
    /// Values of one head.
    size: usize,
    query: Vec<f32>,
    key: Vec<f32>,
    /// By dimension, padded: what the shares are multiplied with.
    value: Vec<f32>,
    shares: Vec<f32>,
    out: Vec<f32>,
}

/// Rows of shares are padded to whole registers; the padding is zero and adds nothing.
const PAD: usize = 16;

impl Attention {
    /// `out[token] = Σ value[other] · share of other`, where shares are the softmax of `query[token] ·
    /// key[other] / √size`; all of them rows of `width` values, of which the head has its part.
    fn attend(&mut self, level: SimdLevel, parts: [&[f32]; 3], width: usize, head: usize, out: &mut [f32]) {
        let [query, key, value] = parts;
        let (size, count) = (self.size, query.len() / width);
        let padded = count.next_multiple_of(PAD);
        let own = head * size..(head + 1) * size;
        self.query.clear();
        self.key.clear();
        for (query, key) in query.chunks_exact(width).zip(key.chunks_exact(width)) {
            self.query.extend_from_slice(&query[own.clone()]);
            self.key.extend_from_slice(&key[own.clone()]);
        }
        self.key.resize(padded * size, 0.0);
        self.value.clear();
        self.value.resize(size * padded, 0.0);
        for (token, value) in value.chunks_exact(width).enumerate() {
            for (dimension, value) in value[own.clone()].iter().enumerate() {
                self.value[dimension * padded + token] = *value;
            }
        }
        self.shares.resize(count * padded, 0.0);
        multiply(level, &self.query, &self.key, size, &mut self.shares);
        softmax(level, &mut self.shares, padded, count, 1.0 / (size as f32).sqrt());
        self.out.resize(count * size, 0.0);
        multiply(level, &self.shares, &self.value, padded, &mut self.out);
        for (row, values) in out.chunks_exact_mut(width).zip(self.out.chunks_exact(size)) {
            row[own.clone()].copy_from_slice(values);
        }
    }
}
