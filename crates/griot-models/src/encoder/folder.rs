//! Which model is in a folder?
//!
//! A folder as transformers writes it: `config.json` (shape), `model.safetensors` or `model.onnx` (weights),
//! `vocab.txt` or `tokenizer.json` (vocabulary), and if it is there `tokenizer_config.json`. For a sentence
//! encoder, sentence-transformers adds `modules.json` (its parts), `1_Pooling/config.json`,
//! `sentence_bert_config.json` and `config_sentence_transformers.json` (what it wants before texts). What
//! this crate would compute wrongly is refused here with a reason: another architecture, another activation,
//! a cased vocabulary, tensors of the wrong shape.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::files::{optional, required};
use super::tokeniser::Tokeniser;
use super::weights::Weights;

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
    #[serde(default = "two")]
    pub(crate) type_vocab_size: usize,
    pub(crate) layer_norm_eps: f64,
    pub(crate) vocab_size: usize,
    #[serde(default)]
    pad_token_id: Option<usize>,
}

fn absolute() -> String {
    "absolute".into()
}

fn two() -> usize {
    2
}

impl Shape {
    /// Otherwise it is RoBERTa, under one of its names.
    pub(crate) fn is_bert(&self) -> bool {
        self.model_type == "bert"
    }

    /// The position of a text's first token: RoBERTa counts from behind the number of its padding.
    pub(crate) fn first_position(&self) -> usize {
        if self.is_bert() { 0 } else { self.pad_token_id.unwrap_or(1).saturating_add(1) }
    }

    /// Tokens that have a position.
    pub(crate) fn positions(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_position())
    }
}

/// How the vectors of the tokens become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pooling {
    Mean,
    /// The vector of the first token, `[CLS]`.
    First,
}

/// What a model wants before a text, depending on what the text is for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefixes {
    pub query: String,
    pub passage: String,
}

/// A model, whatever it is for.
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) shape: Shape,
    pub(crate) weights: Weights,
}

/// What a sentence encoder has besides.
pub(crate) struct Sentences {
    pub(crate) folder: Folder,
    pub(crate) pooling: Pooling,
    /// Tokens of a text at most, `[CLS]` and `[SEP]` included.
    pub(crate) max_tokens: usize,
    pub(crate) prefixes: Prefixes,
}

/// A row of `modules.json`.
#[derive(Deserialize)]
struct Module {
    path: String,
    #[serde(rename = "type")]
    class: String,
}

impl Folder {
    /// The error is a reason.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        if !path.is_dir() {
            return Err("there is no such folder".into());
        }
        let shape: Shape = required(path, "config.json")?;
        let refuse = |what: &str, is: &str, known: &str| {
            Err(format!("its {what} is `{is}`, and only {known} is known"))
        };
        if !["bert", "roberta", "xlm-roberta"].contains(&shape.model_type.as_str()) {
            return refuse("model_type", &shape.model_type, "`bert`, `roberta` or `xlm-roberta`");
        }
        if shape.hidden_act != "gelu" {
            return refuse("hidden_act", &shape.hidden_act, "`gelu`");
        }
        if shape.position_embedding_type != "absolute" {
            return refuse("position_embedding_type", &shape.position_embedding_type, "`absolute`");
        }
        if shape.intermediate_size == 0 || shape.type_vocab_size == 0 {
            return Err("its config.json gives something the size 0".into());
        }
        let heads = shape.num_attention_heads;
        if heads == 0 || shape.hidden_size == 0 || !shape.hidden_size.is_multiple_of(heads) {
            return Err(format!("{heads} heads do not divide its width {}", shape.hidden_size));
        }
        let weights = Weights::open(path)?;
        Ok(Self { path: path.to_path_buf(), shape, weights })
    }

    /// Adds to `fingerprint` what tokens depend on.
    pub(crate) fn tokeniser(&self, fingerprint: &mut blake3::Hasher) -> Result<Tokeniser, String> {
        Tokeniser::read(&self.path, self.shape.vocab_size, fingerprint)
    }

    /// A file of JSON; null if it is not there.
    pub(crate) fn file(&self, name: &str) -> Result<Value, String> {
        Ok(optional(&self.path, name)?.unwrap_or_default())
    }
}

impl Sentences {
    /// The error is a reason.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let (mut inner, mut pooled) = (path.to_path_buf(), path.join("1_Pooling"));
        for Module { path: own, class } in optional::<Vec<Module>>(path, "modules.json")?.unwrap_or_default()
        {
            match class.rsplit('.').next() {
                Some("Transformer") => inner = path.join(own),
                Some("Pooling") => pooled = path.join(own),
                Some("Normalize") => {}
                _ => return Err(format!("it has the module `{class}`, which is not known")),
            }
        }
        let folder = Folder::open(&inner)?;
        let length = folder.file("sentence_bert_config.json")?;
        let asked = length["max_seq_length"].as_u64().and_then(|length| usize::try_from(length).ok());
        let max_tokens = asked.unwrap_or(256).min(folder.shape.positions());
        if max_tokens < 3 {
            return Err(format!("a text may have {max_tokens} tokens, which leaves no room for one"));
        }
        let pooling = pooling(&optional(&pooled, "config.json")?.unwrap_or_default())?;
        let prefixes = prompts(&optional(path, "config_sentence_transformers.json")?.unwrap_or_default());
        Ok(Self { folder, pooling, max_tokens, prefixes })
    }

    /// The tokeniser, and the hash of what vectors depend on.
    pub(crate) fn tokeniser(&self) -> Result<(Tokeniser, blake3::Hash), String> {
        let mut hasher = self.folder.weights.fingerprint();
        hasher.update(format!("{:?} {}", self.pooling, self.max_tokens).as_bytes());
        let tokeniser = self.folder.tokeniser(&mut hasher)?;
        Ok((tokeniser, hasher.finalize()))
    }
}

fn pooling(file: &Value) -> Result<Pooling, String> {
    if file["include_prompt"] == false {
        return Err("it leaves what is before a text out of the mean, which is not known".into());
    }
    let flags = file.as_object().into_iter().flatten();
    let modes: Vec<&str> = flags
        .filter_map(|(name, value)| match value {
            Value::Bool(true) => name.strip_prefix("pooling_mode_"),
            Value::String(mode) if name == "pooling_mode" => Some(mode.as_str()),
            _ => None,
        })
        .collect();
    match modes[..] {
        [] | ["mean_tokens" | "mean"] => Ok(Pooling::Mean),
        ["cls_token" | "cls"] => Ok(Pooling::First),
        [_] => Err("it pools in another way than by the mean or the first token".into()),
        _ => Err("it pools in several ways at once".into()),
    }
}

/// What sentence-transformers puts before questions and documents.
fn prompts(file: &Value) -> Prefixes {
    let usual = file["default_prompt_name"].as_str();
    let of = |names: &[&str]| {
        let names = names.iter().copied().chain(usual);
        let mut prompts = names.filter_map(|name| file["prompts"][name].as_str());
        prompts.next().unwrap_or_default().to_string()
    };
    Prefixes { query: of(&["query"]), passage: of(&["document", "passage", "corpus"]) }
}
