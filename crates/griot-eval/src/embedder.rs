//! Which embedder is measured, and vectors that were made before.
//!
//! A transformer takes minutes for a large set and gives the same vectors every time, so they may be kept in
//! a folder: one file per model, records of a fixed size in the order in which texts came. A file that ends
//! within a record (the run was stopped) is used up to there.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    /// Keep the vectors of --embedder minilm in this folder, and use those that are there.
    #[arg(long)]
    vectors: Option<PathBuf>,
}

impl EmbedderOptions {
    pub fn open(&self) -> Result<Arc<dyn Embedder>> {
        match (self.embedder, &self.model_dir) {
            (Choice::Builtin, _) => Ok(Arc::new(StaticEmbedder)),
            (Choice::Minilm, None) => Err(Error::invalid("use the embedder minilm", "it needs a folder")
                .hint("griot-eval run --embedder minilm --model-dir DIR …")),
            (Choice::Minilm, Some(folder)) => {
                let inner = sentence_encoder(folder)?;
                Ok(Arc::new(Kept::open(inner, self.vectors.as_deref())?))
            }
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

type Key = [u8; 16];

/// An embedder that asks its inner one only for texts that are new, and says at the end how long that took.
pub struct Kept {
    inner: Box<dyn Embedder>,
    state: Mutex<State>,
}

struct State {
    known: HashMap<Key, Option<Vec<f32>>>,
    file: Option<(PathBuf, File)>,
    made: usize,
    spent: Duration,
}

impl Kept {
    /// Without a folder, vectors are kept in memory for this run.
    pub fn open(inner: Box<dyn Embedder>, folder: Option<&Path>) -> Result<Self> {
        let mut known = HashMap::new();
        let mut kept = None;
        if let Some(folder) = folder {
            let path = folder.join(format!("{}.vectors", inner.name()));
            let cannot = |e: std::io::Error| {
                Error::unavailable(format!("keep vectors in {}", path.display()), e.to_string())
            };
            std::fs::create_dir_all(folder).map_err(cannot)?;
            let mut options = OpenOptions::new();
            let mut file = options.read(true).append(true).create(true).open(&path).map_err(cannot)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(cannot)?;
            let size = record_size(inner.dimensions());
            for record in bytes.chunks_exact(size) {
                let (key, rest) = record.split_at(size_of::<Key>());
                let Ok(key) = key.try_into() else { continue };
                let values = rest[1..].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
                known.insert(key, (rest[0] == 1).then_some(values));
            }
            file.set_len((bytes.len() / size * size) as u64).map_err(cannot)?;
            kept = Some((path, file));
        }
        Ok(Self { inner, state: Mutex::new(State { known, file: kept, made: 0, spent: Duration::ZERO }) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a panic left behind is still a map of right vectors.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Key, whether there is a vector, and its values in little-endian.
fn record_size(dimensions: usize) -> usize {
    size_of::<Key>() + 1 + 4 * dimensions
}

fn key(text: &str) -> Key {
    let mut key = Key::default();
    key.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..size_of::<Key>()]);
    key
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
        let mut state = self.state();
        let keys: Vec<Key> = texts.iter().map(|text| key(text)).collect();
        let mut fresh: Vec<(Key, &str)> = keys.iter().copied().zip(texts.iter().copied()).collect();
        fresh.retain(|(key, _)| !state.known.contains_key(key));
        fresh.sort_unstable_by_key(|(key, _)| *key);
        fresh.dedup_by_key(|(key, _)| *key);
        // Some at a time, so that a run that is stopped keeps what it has.
        for part in fresh.chunks(1000) {
            let start = Instant::now();
            let texts: Vec<&str> = part.iter().map(|(_, text)| *text).collect();
            let vectors = self.inner.embed(&texts)?;
            state.spent += start.elapsed();
            state.made += part.len();
            let mut bytes = Vec::new();
            for ((key, _), vector) in part.iter().zip(vectors) {
                bytes.extend_from_slice(key);
                bytes.push(u8::from(vector.is_some()));
                let zeros = vec![0.0; self.inner.dimensions()];
                vector.as_ref().unwrap_or(&zeros).iter().for_each(|value| bytes.extend(value.to_le_bytes()));
                state.known.insert(*key, vector);
            }
            if let Some((path, file)) = &mut state.file {
                file.write_all(&bytes).map_err(|e| {
                    Error::unavailable(format!("keep vectors in {}", path.display()), e.to_string())
                })?;
            }
        }
        Ok(keys.iter().map(|key| state.known.get(key).cloned().flatten()).collect())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let state = self.state();
        if state.made > 0 {
            let seconds = state.spent.as_secs_f64();
            let rate = state.made as f64 / seconds.max(1e-9);
            eprintln!(
                "{}: {} texts embedded in {seconds:.1} s, {rate:.0} a second",
                self.inner.name(),
                state.made
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use griot::embed::HashingEmbedder;

    use super::*;

    /// Counts the texts that it is asked for.
    struct Counting(HashingEmbedder, Arc<AtomicUsize>);

    impl Embedder for Counting {
        fn name(&self) -> &str {
            self.0.name()
        }

        fn dimensions(&self) -> usize {
            self.0.dimensions()
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
            self.1.fetch_add(texts.len(), Ordering::Relaxed);
            self.0.embed(texts)
        }
    }

    #[test]
    fn vectors_are_made_once_and_survive_a_torn_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let count = Arc::new(AtomicUsize::new(0));
        let open = || {
            let inner = Counting(HashingEmbedder::new(32), Arc::clone(&count));
            Kept::open(Box::new(inner), Some(folder.path())).expect("a folder that can be written")
        };
        let texts = ["red kettle", "", "blue door", "red kettle"];
        let expected = HashingEmbedder::new(32).embed(&texts).expect("it never fails");
        assert_eq!(open().embed(&texts).expect("made"), expected);
        assert_eq!(count.load(Ordering::Relaxed), 3, "each text once");
        assert_eq!(open().embed(&texts).expect("read"), expected);
        assert_eq!(count.load(Ordering::Relaxed), 3, "nothing new");

        let path = folder.path().join("hashing-32.vectors");
        let length = std::fs::metadata(&path).expect("it is there").len();
        OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(length - 5)).expect("cut");
        assert_eq!(open().embed(&texts).expect("made again"), expected);
        assert_eq!(count.load(Ordering::Relaxed), 4, "the torn one");
        assert_eq!(open().embed(&texts).expect("read"), expected);
        assert_eq!(count.load(Ordering::Relaxed), 4);
    }
}
