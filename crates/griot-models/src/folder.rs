//! Which model is in a folder?
//!
//! A folder as sentence-transformers writes it: `config.json` (shape), `model.safetensors` (weights),
//! `vocab.txt` or `tokenizer.json` (vocabulary), and if they are there `1_Pooling/config.json`,
//! `sentence_bert_config.json` and `tokenizer_config.json`. What this crate would compute wrongly is refused
//! here with a reason: another architecture, another activation, a cased vocabulary, tensors of the wrong
//! shape.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use griot::embed::WordPiece;
use griot::model::{Error, Result};
use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The parts of `config.json` that say how to compute.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Shape {
    model_type: String,
    hidden_act: String,
    #[serde(default = "absolute")]
    position_embedding_type: String,
    pub(crate) hidden_size: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) layer_norm_eps: f64,
    pub(crate) vocab_size: usize,
}

fn absolute() -> String {
    "absolute".into()
}

/// How the vectors of the tokens become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pooling {
    Mean,
    /// The vector of the first token, `[CLS]`.
    First,
}

pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) shape: Shape,
    pub(crate) pooling: Pooling,
    /// Tokens of a text at most, `[CLS]` and `[SEP]` included.
    pub(crate) max_tokens: usize,
    pub(crate) weights: Weights,
}

impl Folder {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let opened = Self::read(path);
        opened.map_err(|why| {
            Error::unavailable(format!("load the embedder from `{}`", path.display()), why).hint(
                "give a folder with config.json, vocab.txt and model.safetensors of a BERT sentence encoder",
            )
        })
    }

    fn read(path: &Path) -> Result<Self, String> {
        if !path.is_dir() {
            return Err("there is no such folder".into());
        }
        let shape: Shape = required(path, "config.json")?;
        let refuse = |what: &str, is: &str, wanted: &str| {
            Err(format!("its {what} is `{is}`, and only `{wanted}` is known"))
        };
        if shape.model_type != "bert" {
            return refuse("model_type", &shape.model_type, "bert");
        }
        if shape.hidden_act != "gelu" {
            return refuse("hidden_act", &shape.hidden_act, "gelu");
        }
        if shape.position_embedding_type != "absolute" {
            return refuse("position_embedding_type", &shape.position_embedding_type, "absolute");
        }
        let heads = shape.num_attention_heads;
        if heads == 0 || shape.hidden_size == 0 || !shape.hidden_size.is_multiple_of(heads) {
            return Err(format!("{heads} heads do not divide its width {}", shape.hidden_size));
        }
        if optional::<Value>(path, "tokenizer_config.json")?
            .is_some_and(|file| file["do_lower_case"] == false)
        {
            return Err("its vocabulary tells upper from lower case, and only uncased ones are known".into());
        }
        let pooling: Value = optional(path, "1_Pooling/config.json")?.unwrap_or_default();
        let pools_by = |mode: &str| pooling[format!("pooling_mode_{mode}")] == true;
        let pooling = match (pools_by("cls_token"), pools_by("mean_tokens")) {
            _ if pools_by("max_tokens") || pools_by("mean_sqrt_len_tokens") => {
                return Err("it pools in another way than by the mean or the first token".into());
            }
            (true, true) => return Err("it pools in two ways at once".into()),
            (true, false) => Pooling::First,
            (false, _) => Pooling::Mean,
        };
        let length: Value = optional(path, "sentence_bert_config.json")?.unwrap_or_default();
        let asked = length["max_seq_length"].as_u64().and_then(|length| usize::try_from(length).ok());
        let max_tokens = asked.unwrap_or(256).min(shape.max_position_embeddings);
        if max_tokens < 3 {
            return Err(format!("a text may have {max_tokens} tokens, which leaves no room for one"));
        }
        let weights = Weights::map(&path.join("model.safetensors"))?;
        Ok(Self { path: path.to_path_buf(), shape, pooling, max_tokens, weights })
    }

    /// The tokeniser, and the tokens that begin and end a text.
    pub(crate) fn vocabulary(&self) -> Result<(WordPiece<Box<str>>, [u32; 2])> {
        let read = || -> Result<_, String> {
            let lines = match fs::read_to_string(self.path.join("vocab.txt")) {
                Ok(lines) => lines,
                Err(_) => {
                    let file: Value = required(&self.path, "tokenizer.json")
                        .map_err(|why| format!("there is no vocab.txt, and {why}"))?;
                    let vocabulary = file["model"]["vocab"].as_object().into_iter().flatten();
                    let mut pieces: Vec<(Option<u64>, &str)> =
                        vocabulary.map(|(piece, number)| (number.as_u64(), piece.as_str())).collect();
                    pieces.sort();
                    if (0..).zip(&pieces).any(|(at, (number, _))| Some(at) != *number) {
                        return Err("the vocabulary of tokenizer.json has gaps".into());
                    }
                    pieces.into_iter().flat_map(|(_, piece)| [piece, "\n"]).collect()
                }
            };
            let count = lines.lines().count();
            if count > self.shape.vocab_size {
                return Err(format!(
                    "its vocabulary has {count} entries, its weights {}",
                    self.shape.vocab_size
                ));
            }
            let pieces = WordPiece::new(&lines);
            match ["[CLS]", "[SEP]", "[UNK]"].map(|entry| pieces.token(entry)) {
                [Some(first), Some(last), Some(_)] => Ok((pieces, [first, last])),
                _ => Err("its vocabulary lacks [CLS], [SEP] or [UNK]".into()),
            }
        };
        read().map_err(|why| {
            Error::unavailable(format!("load the embedder from `{}`", self.path.display()), why)
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn required<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T, String> {
    optional(folder, name)?.ok_or_else(|| format!("it holds no {name}"))
}

/// `None` if the file is not there.
fn optional<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Option<T>, String> {
    match fs::read(folder.join(name)) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|e| format!("{name} cannot be read: {e}"))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(format!("{name} cannot be read: {e}")),
    }
}

/// The tensors, used where they are in the mapped file: a process that embeds one question reads the layers
/// and the rows of its words, not the other half of the file.
pub(crate) struct Weights {
    map: Mmap,
    /// Sorted by name.
    tensors: Vec<(String, Tensor)>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tensor {
    shape: Vec<usize>,
    values: Values,
}

#[derive(Clone, PartialEq, Debug)]
enum Values {
    /// Bytes of the map, aligned.
    Mapped(std::ops::Range<usize>),
    /// Converted from half precision, or moved because the file does not align them.
    Own(Vec<f32>),
}

impl Values {
    fn own<const N: usize>(bytes: &[u8], value: impl Fn([u8; N]) -> f32) -> Self {
        Self::Own(bytes.as_chunks().0.iter().map(|bytes| value(*bytes)).collect())
    }
}

impl Weights {
    fn map(path: &Path) -> Result<Self, String> {
        let cannot = |why: String| format!("model.safetensors cannot be read: {why}");
        let file = File::open(path).map_err(|e| cannot(e.to_string()))?;
        // SAFETY: a model folder is not written to while it is in use. Shortening the file under a running
        // process stops that process, as with any mapped library; the store is not touched by it.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| cannot(e.to_string()))?;
        let start = map.as_ptr() as usize;
        let parsed = SafeTensors::deserialize(&map).map_err(|e| cannot(e.to_string()))?;
        let mut tensors = Vec::new();
        for (name, view) in parsed.tensors() {
            let bytes = view.data();
            let values = match view.dtype() {
                Dtype::F32 if bytemuck::try_cast_slice::<u8, f32>(bytes).is_ok() => {
                    let from = bytes.as_ptr() as usize - start;
                    Values::Mapped(from..from + bytes.len())
                }
                Dtype::F32 => Values::own(bytes, f32::from_le_bytes),
                Dtype::BF16 => {
                    Values::own(bytes, |pair| f32::from_bits(u32::from(u16::from_le_bytes(pair)) << 16))
                }
                Dtype::F16 => Values::own(bytes, |pair| of_half(u16::from_le_bytes(pair))),
                // Numbers of positions and the like, which are known without the file.
                _ => continue,
            };
            let name = name.strip_prefix("bert.").unwrap_or(&name).to_string();
            tensors.push((name, Tensor { shape: view.shape().to_vec(), values }));
        }
        tensors.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Self { map, tensors })
    }

    /// Where a tensor of this shape is.
    pub(crate) fn find(&self, name: &str, shape: &[usize]) -> Result<usize, String> {
        let Ok(at) = self.tensors.binary_search_by(|(known, _)| known.as_str().cmp(name)) else {
            return Err(format!("model.safetensors has no floats called `{name}`"));
        };
        let found = &self.tensors[at].1.shape;
        if found == shape {
            Ok(at)
        } else {
            Err(format!("`{name}` has the shape {found:?} instead of {shape:?}"))
        }
    }

    /// The values of what [`Weights::find`] found.
    pub(crate) fn values(&self, at: usize) -> &[f32] {
        match &self.tensors[at].1.values {
            Values::Mapped(range) => bytemuck::cast_slice(&self.map[range.clone()]),
            Values::Own(values) => values,
        }
    }

    /// Distinguishes two models without reading all of either: the first kilobyte of every tensor, with name
    /// and shape. Training changes every tensor.
    pub(crate) fn fingerprint(&self) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        for (at, (name, tensor)) in self.tensors.iter().enumerate() {
            hasher.update(format!("{name} {:?} ", tensor.shape).as_bytes());
            let values = self.values(at);
            hasher.update(bytemuck::cast_slice(&values[..values.len().min(256)]));
        }
        hasher
    }
}

/// A float of half precision (IEEE 754 binary16).
fn of_half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_read() {
        let cases =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x0001, 5.960_464_5e-8), (0x7bff, 65504.0), (0x8000, -0.0)];
        for (bits, value) in cases {
            assert_eq!(of_half(bits), value);
        }
        assert!(of_half(0x7e00).is_nan());
    }
}
