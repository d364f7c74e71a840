//! Which embedder is measured.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use griot::embed::{Embedder, StaticEmbedder};
use griot::model::{Error, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Choice {
    /// The static model in the binary.
    Builtin,
    /// A sentence encoder such as all-MiniLM-L6-v2 from --model-dir.
    Minilm,
}

/// The embedder of a run, as given on the command line.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
pub struct EmbedderOptions {
    #[arg(long, value_enum, default_value_t = Choice::Builtin)]
    embedder: Choice,
    /// The folder with config.json, the vocabulary and the weights.
    #[arg(long)]
    model_dir: Option<PathBuf>,
    /// What the model wants before a question. If nothing is given, its folder says it.
    #[arg(long, default_value = "")]
    query_prefix: String,
    /// What the model wants before a text. If nothing is given, its folder says it.
    #[arg(long, default_value = "")]
    passage_prefix: String,
}

/// The static model in the binary.
pub fn built_in() -> Arc<dyn Embedder> {
    Arc::new(StaticEmbedder)
}

impl EmbedderOptions {
    pub fn open(&self) -> Result<Arc<dyn Embedder>> {
        match (self.embedder, &self.model_dir) {
            (Choice::Builtin, _) => Ok(built_in()),
            (Choice::Minilm, None) => Err(Error::invalid("use the embedder minilm", "it needs a folder")
                .hint("griot-eval run --embedder minilm --model-dir DIR …")),
            (Choice::Minilm, Some(folder)) => self.sentence_encoder(folder),
        }
    }

    #[cfg(feature = "minilm")]
    fn sentence_encoder(&self, folder: &Path) -> Result<Arc<dyn Embedder>> {
        let prefixes =
            griot_models::Prefixes { query: self.query_prefix.clone(), passage: self.passage_prefix.clone() };
        Ok(Arc::new(griot_models::SentenceEncoder::open(folder, &prefixes)?))
    }

    #[cfg(not(feature = "minilm"))]
    fn sentence_encoder(&self, _: &Path) -> Result<Arc<dyn Embedder>> {
        Err(Error::unavailable("use the embedder minilm", "this griot-eval was built without it")
            .hint("cargo run --release -p griot-eval --features minilm -- …"))
    }
}
