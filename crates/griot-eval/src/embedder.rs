//! Which embedder is measured. A transformer takes minutes for a large set and a report asks for the same
//! texts several times, so its vectors are kept in memory for the run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
    /// The folder with config.json, vocab.txt and model.safetensors.
    #[arg(long)]
    model_dir: Option<PathBuf>,
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
            (Choice::Minilm, Some(folder)) => Ok(Arc::new(Kept::new(sentence_encoder(folder)?))),
        }
    }
}

#[cfg(feature = "minilm")]
fn sentence_encoder(folder: &Path) -> Result<Box<dyn Embedder>> {
    Ok(Box::new(griot_models::SentenceEncoder::open(folder)?))
}

#[cfg(not(feature = "minilm"))]
fn sentence_encoder(_: &Path) -> Result<Box<dyn Embedder>> {
    Err(Error::unavailable("use the embedder minilm", "this griot-eval was built without it")
        .hint("cargo run --release -p griot-eval --features minilm -- …"))
}

/// An embedder that asks its inner one only for texts that are new.
struct Kept {
    inner: Box<dyn Embedder>,
    known: Mutex<HashMap<String, Option<Vec<f32>>>>,
}

impl Kept {
    fn new(inner: Box<dyn Embedder>) -> Self {
        Self { inner, known: Mutex::default() }
    }
}

impl Embedder for Kept {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn ranking_trees(&self) -> Option<&'static str> {
        self.inner.ranking_trees()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        // What a panic left behind is still a map of right vectors.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fresh: Vec<&str> = texts.iter().copied().filter(|text| !known.contains_key(*text)).collect();
        fresh.sort_unstable();
        fresh.dedup();
        let vectors = self.inner.embed(&fresh)?;
        known.extend(fresh.into_iter().map(str::to_owned).zip(vectors));
        Ok(texts.iter().map(|text| known.get(*text).cloned().flatten()).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use griot::embed::StaticEmbedder;

    use super::*;

    /// Counts the texts that it is asked for.
    struct Counting(Arc<AtomicUsize>);

    impl Embedder for Counting {
        fn name(&self) -> &str {
            StaticEmbedder.name()
        }

        fn dimensions(&self) -> usize {
            StaticEmbedder.dimensions()
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            StaticEmbedder.embed(texts)
        }
    }

    #[test]
    fn vectors_are_made_once() {
        let count = Arc::new(AtomicUsize::new(0));
        let kept = Kept::new(Box::new(Counting(Arc::clone(&count))));
        let texts = ["red kettle", "", "blue door", "red kettle"];
        let expected = StaticEmbedder.embed(&texts).expect("it never fails");
        for _ in 0..2 {
            assert_eq!(kept.embed(&texts).expect("made"), expected);
            assert_eq!(count.load(Ordering::Relaxed), 3, "each text once");
        }
    }
}
