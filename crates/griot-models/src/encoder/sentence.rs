//! Sentence encoders: a transformer whose token vectors are pooled into one vector per text.

use std::path::Path;

use griot::embed::{Embedder, normalise};
use griot::model::{Error, Result};

use super::bert::{Bert, Text};
use super::folder::{Pooling, Prefixes, Sentences};
use super::groups::in_groups;
use super::tokeniser::Tokeniser;

/// Fingerprints of models with a name of their own.
const KNOWN: &[(&str, &str)] = &[
    ("f03f86957b1c", "all-minilm-l6-v2"),
    // As the packages of langchain4j carry them: in ONNX, without the part behind the vectors.
    ("03f8a2d4b2cb", "bge-small-en-v1.5"),
    ("61cb7b0c548a", "e5-small-v2"),
];

/// An encoder such as all-MiniLM-L6-v2, from a folder as sentence-transformers writes it.
pub struct SentenceEncoder {
    name: String,
    bert: Bert,
    tokeniser: Tokeniser,
    prefixes: Prefixes,
    pooling: Pooling,
    max_tokens: usize,
    width: usize,
}

impl SentenceEncoder {
    /// Opens the folder and checks everything that is needed. The weights are mapped, not read. An empty
    /// prefix leaves it to the folder.
    pub fn open(path: &Path, prefixes: &Prefixes) -> Result<Self> {
        Self::read(path, prefixes).map_err(|why| {
            Error::unavailable(format!("load the embedder from `{}`", path.display()), why).hint(
                "give a folder with config.json, tokenizer.json (or vocab.txt) and model.safetensors (or \
                 model.onnx) of a BERT sentence encoder",
            )
        })
    }

    fn read(path: &Path, prefixes: &Prefixes) -> Result<Self, String> {
        let sentences = Sentences::open(path)?;
        let (tokeniser, fingerprint) = sentences.tokeniser()?;
        let Sentences { folder, pooling, max_tokens, prefixes: own } = sentences;
        let shape = folder.shape;
        let either = |asked: &String, own: String| if asked.is_empty() { own } else { asked.clone() };
        let prefixes = Prefixes {
            query: either(&prefixes.query, own.query),
            passage: either(&prefixes.passage, own.passage),
        };
        let fingerprint = &fingerprint.to_hex()[..12];
        let mut name = match KNOWN.iter().find(|(known, _)| *known == fingerprint) {
            Some((_, name)) => (*name).to_string(),
            None => format!("bert-{}x{}-{fingerprint}", shape.num_hidden_layers, shape.hidden_size),
        };
        // Stored vectors do not depend on what is before a question.
        if !prefixes.passage.is_empty() {
            name.push_str(&format!("-{}", &blake3::hash(prefixes.passage.as_bytes()).to_hex()[..6]));
        }
        let bert = Bert::new(folder.weights, &shape)?;
        let width = shape.hidden_size;
        Ok(Self { name, bert, tokeniser, prefixes, pooling, max_tokens, width })
    }

    /// The tokens of a text between `[CLS]` and `[SEP]`, cut to what the model takes; `None` if it knows none
    /// of them.
    fn tokens(&self, prefix: &str, text: &str) -> Option<Vec<u32>> {
        let mut known = false;
        let mut take = |text: &str| {
            let [first, last] = self.tokeniser.ends();
            let mut tokens = vec![first];
            known = false;
            self.tokeniser.for_each_token(text, &mut |token| {
                known |= self.tokeniser.is_known(token);
                if tokens.len() < self.max_tokens - 1 {
                    tokens.push(token);
                }
            });
            tokens.push(last);
            tokens
        };
        let mut tokens = Vec::new();
        if !prefix.is_empty() {
            tokens = take(&format!("{prefix}{text}"));
        }
        // The prefix has known words, but a text of none has no vector.
        let alone = take(text);
        known.then_some(if prefix.is_empty() { alone } else { tokens })
    }

    fn encode(&self, group: &[&Text]) -> Vec<Option<Vec<f32>>> {
        let rows = self.bert.forward(group);
        let mut rest = rows.as_slice();
        let mut pool = |text: &&Text| {
            let (rows, behind) = rest.split_at(text.tokens.len() * self.width);
            rest = behind;
            let mut vector = rows[..self.width].to_vec();
            if self.pooling == Pooling::Mean {
                for row in rows.chunks_exact(self.width).skip(1) {
                    vector.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                }
            }
            normalise(&mut vector).then_some(vector)
        };
        group.iter().map(&mut pool).collect()
    }
}

impl Embedder for SentenceEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    /// A second or two of work, after which it is shown and kept.
    fn batch(&self) -> usize {
        64
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        Ok(self.embed_as(&self.prefixes.passage, texts))
    }

    fn embed_question(&self, question: &str) -> Result<Option<Vec<f32>>> {
        Ok(self.embed_as(&self.prefixes.query, &[question]).pop().flatten())
    }
}

impl SentenceEncoder {
    fn embed_as(&self, prefix: &str, texts: &[&str]) -> Vec<Option<Vec<f32>>> {
        let tokens = texts.iter().enumerate().filter_map(|(at, text)| {
            let tokens = self.tokens(prefix, text)?;
            Some((at, Text { first: tokens.len(), tokens }))
        });
        let (places, known): (Vec<usize>, Vec<Text>) = tokens.unzip();
        let mut vectors = vec![None; texts.len()];
        for (at, vector) in places.into_iter().zip(in_groups(&known, None, |group| self.encode(group))) {
            vectors[at] = vector.flatten();
        }
        vectors
    }
}
