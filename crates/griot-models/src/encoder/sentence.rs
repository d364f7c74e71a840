//! Sentence encoders: a transformer whose token vectors are pooled into one vector per text.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use griot::embed::{Embedder, normalise};
use griot::model::{Error, Result};

use super::bert::Bert;
use super::folder::{Folder, Pooling, Prefixes};
use super::tokeniser::Tokeniser;

/// Tokens computed at once: their rows stay in the second cache while the weights pass by.
const GROUP: usize = 256;

/// Threads for several texts. More would take the machine from the program that is waiting.
const THREADS: usize = 2;

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
        let folder = Folder::open(path)?;
        let (tokeniser, fingerprint) = folder.tokeniser()?;
        let (shape, pooling, max_tokens) = (folder.shape.clone(), folder.pooling, folder.max_tokens);
        let either = |asked: &String, own: &String| if asked.is_empty() { own } else { asked }.clone();
        let prefixes = Prefixes {
            query: either(&prefixes.query, &folder.prefixes.query),
            passage: either(&prefixes.passage, &folder.prefixes.passage),
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
        let bert = Bert::new(folder.weights, &shape)
            .map_err(|why| Error::unavailable(format!("load the embedder from `{}`", path.display()), why))?;
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

    fn encode(&self, group: &[&[u32]]) -> Vec<Option<Vec<f32>>> {
        let rows = self.bert.forward(group);
        let mut rest = rows.as_slice();
        let mut pool = |text: &&[u32]| {
            let (rows, behind) = rest.split_at(text.len() * self.width);
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
        let tokens: Vec<Option<Vec<u32>>> = texts.iter().map(|text| self.tokens(prefix, text)).collect();
        let known: Vec<(usize, &[u32])> =
            tokens.iter().enumerate().filter_map(|(at, tokens)| Some((at, tokens.as_deref()?))).collect();
        let mut groups: Vec<&[(usize, &[u32])]> = Vec::new();
        let mut start = 0;
        while start < known.len() {
            let mut size = 0;
            let fits = |(_, text): &&(usize, &[u32])| {
                size += text.len();
                size <= GROUP
            };
            let length = known[start..].iter().take_while(fits).count().max(1);
            groups.push(&known[start..start + length]);
            start += length;
        }

        // The next group goes to the thread that is free, which suits groups of different size.
        let next = AtomicUsize::new(0);
        let done: Vec<OnceLock<Vec<Option<Vec<f32>>>>> = groups.iter().map(|_| OnceLock::new()).collect();
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let (Some(group), Some(done)) = (groups.get(number), done.get(number)) else { break };
                let texts: Vec<&[u32]> = group.iter().map(|(_, text)| *text).collect();
                // Each number is drawn once, so this is empty.
                let _ = done.set(self.encode(&texts));
            }
        };
        thread::scope(|scope| {
            for _ in 1..THREADS.min(groups.len()) {
                scope.spawn(work);
            }
            work();
        });
        let mut vectors = vec![None; texts.len()];
        for (group, done) in groups.iter().zip(done) {
            for ((at, _), vector) in group.iter().zip(done.into_inner().unwrap_or_default()) {
                vectors[*at] = vector;
            }
        }
        vectors
    }
}
