//! Cross-encoders: a transformer that reads a question and a text together and says how well they fit.

use std::time::{Duration, Instant};

use griot::engine::RerankerSettings;
use griot::model::{Error, Result};
use griot::recall::Reranker;

use super::bert::{Bert, Head, Text};
use super::folder::Folder;
use super::groups::in_groups;
use super::tokeniser::Tokeniser;
use crate::chat::beginning;

/// The text is cut before the question, to no less than this part of what both may have.
const TEXTS_PART: usize = 4;

/// A reranker such as ms-marco-MiniLM-L-6-v2, from a folder as transformers writes it.
pub struct CrossEncoder {
    bert: Bert,
    head: Head,
    tokeniser: Tokeniser,
    /// Marks between question and text: RoBERTa has two.
    between: usize,
    /// The text is of the second kind that BERT distinguishes.
    has_kinds: bool,
    /// Tokens of question and text at most, without marks.
    room: usize,
    settings: RerankerSettings,
}

impl CrossEncoder {
    /// Opens the folder and checks everything that is needed. The weights are mapped, not read.
    pub fn open(settings: &RerankerSettings) -> Result<Self> {
        Self::read(settings).map_err(|why| {
            let what = format!("load the reranker from `{}`", settings.path.display());
            Error::unavailable(what, why).hint(
                "give a folder with config.json, tokenizer.json (or vocab.txt) and model.safetensors (or \
                 model.onnx) of a BERT cross-encoder with one label",
            )
        })
    }

    fn read(settings: &RerankerSettings) -> Result<Self, String> {
        let folder = Folder::open(&settings.path)?;
        let tokeniser = folder.tokeniser(&mut blake3::Hasher::new())?;
        let file = folder.file("tokenizer_config.json")?;
        let (between, mut has_kinds) = match tokeniser {
            Tokeniser::Words { .. } => (1, true),
            Tokeniser::Unigram(_) => (2, false),
        };
        // Some models of words were trained without kinds, and name what they take instead.
        if let Some(inputs) = file["model_input_names"].as_array() {
            has_kinds &= inputs.iter().any(|name| name == "token_type_ids");
        }
        if has_kinds && folder.shape.type_vocab_size < 2 {
            return Err("its tokeniser distinguishes two kinds of text, its weights one".into());
        }
        let asked = file["model_max_length"].as_u64().and_then(|length| usize::try_from(length).ok());
        let most = folder.shape.positions().min(asked.unwrap_or(usize::MAX));
        let room = most.saturating_sub(2 + between);
        if room < TEXTS_PART {
            return Err(format!("question and text may have {most} tokens, which is no room for both"));
        }
        let bert = Bert::new(folder.weights, &folder.shape)?;
        let head = bert.head(&folder.shape)?;
        Ok(Self { bert, head, tokeniser, between, has_kinds, room, settings: settings.clone() })
    }

    /// The first tokens of a text, as many as the model could take of it alone.
    fn tokens(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        self.tokeniser.for_each_token(beginning(text, self.settings.text_tokens), &mut |token| {
            if tokens.len() < self.room {
                tokens.push(token);
            }
        });
        tokens
    }

    fn pair(&self, question: &[u32], text: &[u32]) -> Text {
        let least = text.len().min(self.room / TEXTS_PART);
        let question = &question[..question.len().min(self.room - least)];
        let text = &text[..text.len().min(self.room - question.len())];
        let [first, last] = self.tokeniser.ends();
        let mut tokens = [&[first], question].concat();
        tokens.extend(std::iter::repeat_n(last, self.between));
        let before = tokens.len();
        tokens.extend(text.iter().chain([&last]));
        Text { first: if self.has_kinds { before } else { tokens.len() }, tokens }
    }
}

impl Reranker for CrossEncoder {
    /// The model's own numbers: their sigmoid has the same order, until single precision makes those of good
    /// texts equal.
    fn relevance(&self, question: &str, texts: &[String]) -> Result<Vec<f32>> {
        let end = Instant::now() + Duration::from_millis(self.settings.timeout_ms);
        let question = self.tokens(question);
        let pairs: Vec<Text> = texts.iter().map(|text| self.pair(&question, &self.tokens(text))).collect();
        let found = in_groups(&pairs, Some(end), |group| self.bert.classify(&self.head, group));
        let found: Option<Vec<f32>> = found.into_iter().collect();
        let found = found.ok_or_else(|| {
            Error::unavailable("rerank", "the model in `reranker.path` was not done in time").hint(
                "griot config set reranker.timeout_ms MILLISECONDS, or reranker.candidates NUMBER, smaller \
                 than now",
            )
        })?;
        if found.iter().all(|number| number.is_finite()) {
            Ok(found)
        } else {
            Err(Error::unavailable("rerank", "the weights in `reranker.path` give no numbers")
                .hint("griot config set reranker.path FOLDER, of a whole model"))
        }
    }

    /// They do not leave the process.
    fn takes_private_texts(&self) -> bool {
        true
    }
}
