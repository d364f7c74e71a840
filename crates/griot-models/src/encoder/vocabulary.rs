//! `tokenizer.json`, read once, whichever kind of tokeniser it describes.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

pub(crate) const FILE: &str = "tokenizer.json";

/// The parts of it that matter.
#[derive(Deserialize)]
pub(crate) struct File {
    #[serde(default)]
    pub(crate) normalizer: Value,
    #[serde(default)]
    pub(crate) pre_tokenizer: Value,
    #[serde(default)]
    pub(crate) added_tokens: Vec<Added>,
    pub(crate) model: Model,
}

#[derive(Deserialize)]
pub(crate) struct Added {
    pub(crate) id: u32,
    #[serde(default)]
    pub(crate) special: bool,
}

#[derive(Deserialize)]
pub(crate) struct Model {
    #[serde(rename = "type", default)]
    pub(crate) name: Option<String>,
    #[serde(default)]
    pub(crate) unk_id: Option<u32>,
    #[serde(default)]
    pub(crate) vocab: Vocabulary,
    #[serde(default)]
    pub(crate) byte_fallback: bool,
}

/// Pieces in the order of their tokens.
pub(crate) enum Vocabulary {
    /// Each with its token: an object in the file.
    Numbered(Vec<(u64, Box<str>)>),
    /// Each with the logarithm of its probability: a list in the file.
    Scored(Vec<(Box<str>, f64)>),
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self::Numbered(Vec::new())
    }
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Vocabulary;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pieces with their numbers or probabilities")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vocabulary, A::Error> {
        let mut pieces = Vec::new();
        while let Some((piece, number)) = map.next_entry()? {
            pieces.push((number, piece));
        }
        pieces.sort_unstable();
        Ok(Vocabulary::Numbered(pieces))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vocabulary, A::Error> {
        let mut pieces = Vec::new();
        while let Some(piece) = list.next_element()? {
            pieces.push(piece);
        }
        Ok(Vocabulary::Scored(pieces))
    }
}
