//! An embedding model at a server, behind the engine's trait `Embedder`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use griot::embed::{Embedder, normalise};
use griot::engine::{EmbedderSettings, ModelProvider, ModelSettings};
use griot::model::{Error, Result};
use serde_json::Value;

use crate::chat::connection::{Service, address};
use crate::chat::vendors::{self, Texts};
use crate::chat::{Failure, FailureKind, Tokens, sent, tokens_of};
use crate::client::{Account, Client, TRIES, Timing, now, settings_beside};
use crate::ledger::{KeptEmbedder, Ledger, Run};

/// What the requests are for, as the ledger lists them.
const PURPOSE: &str = "embed";

/// Asks a server for vectors. What is asked is written to the ledger of the workspace first, within its
/// budgets; each batch of texts and each question is a run of its own.
#[derive(Debug)]
pub struct ServerEmbedder {
    /// An error where the key or the address cannot be used: every request fails with it, and what needs no
    /// vector works.
    client: Result<Client, Failure>,
    settings: EmbedderSettings,
    name: String,
    database: PathBuf,
    /// Opened at the first request, so that a process that embeds nothing writes nothing.
    ledger: OnceLock<Ledger>,
    /// What the first reply had, if the settings ask for no number.
    dimensions: OnceLock<usize>,
    takes_private_texts: bool,
    /// The settings select another one.
    is_former: bool,
}

impl ServerEmbedder {
    /// Reads the key; connects to nothing. An error without a provider or a name. `model` has the budgets,
    /// and whether private texts may be sent; the ledger is beside the database.
    pub fn new(settings: &EmbedderSettings, model: &ModelSettings, database: &Path) -> Result<Self> {
        Self::with_timing(settings, model, database, Timing::default())
    }

    pub fn with_timing(
        settings: &EmbedderSettings,
        model: &ModelSettings,
        database: &Path,
        timing: Timing,
    ) -> Result<Self> {
        let own = [&settings.name, &settings.url, &settings.key_env];
        let of_client = settings_beside(model, own, &settings.key_file, settings.price);
        let client = Client::new(of_client, Service::Vectors(settings.provider), timing);
        let model_name = settings.name.trim();
        let has_name = !matches!(settings.provider, ModelProvider::Off | ModelProvider::Anthropic)
            && !model_name.is_empty();
        let client = match client {
            Err(failure) if !has_name => return Err(failure.error("use the embedder `api`")),
            client => client,
        };
        let name = name_of(settings.provider, model_name, settings);
        Ok(Self {
            client,
            settings: settings.clone(),
            name,
            database: database.to_path_buf(),
            ledger: OnceLock::new(),
            dimensions: OnceLock::new(),
            takes_private_texts: model.private_texts,
            is_former: false,
        })
    }

    /// The embedder that made the vectors with this name, although the settings name another one; `None` if
    /// it was none at a server. It is asked where it was, and an error says that this is not known. It gets
    /// the key of the settings only if they name its provider and address, and otherwise the usual one of a
    /// provider at its own address.
    pub fn former(
        name: &str,
        settings: &EmbedderSettings,
        model: &ModelSettings,
        database: &Path,
    ) -> Result<Option<Self>> {
        let Some(named) = Named::parse(name) else { return Ok(None) };
        let kept = Ledger::find(database)?.map(|ledger| ledger.embedder(name)).transpose()?.flatten();
        let Some(kept) = kept else {
            let why = "the ledger beside the database does not say where its server is";
            return Err(Error::unavailable(format!("open the embedder `{name}`"), why)
                .hint("select it again (embedder.provider, embedder.name, embedder.url)"));
        };
        let at = |provider, url: &str| address(Service::Vectors(provider), url).ok();
        let is_same = settings.provider == named.provider
            && at(settings.provider, &settings.url)
                .is_some_and(|own| at(named.provider, &kept.url) == Some(own));
        let mut of_former = EmbedderSettings {
            provider: named.provider,
            name: named.model,
            dimensions: named.dimensions,
            passage_prefix: named.passage_prefix,
            url: kept.url,
            query_prefix: kept.query_prefix,
            price: kept.price,
            text_tokens: kept.text_tokens,
            ..settings.clone()
        };
        if !is_same {
            (of_former.key_env, of_former.key_file) = (String::new(), PathBuf::new());
        }
        let embedder = Self::new(&of_former, model, database)?;
        Ok(Some(Self { is_former: true, ..embedder }))
    }

    fn ledger(&self, client: &Client) -> Result<&Ledger> {
        if let Some(ledger) = self.ledger.get() {
            return Ok(ledger);
        }
        let ledger = Ledger::for_database(&self.database)?;
        let kept = KeptEmbedder {
            url: client.connection.base.to_string(),
            query_prefix: self.settings.query_prefix.clone(),
            price: self.settings.price,
            text_tokens: self.settings.text_tokens,
        };
        ledger.keep_embedder(&self.name, &kept)?;
        Ok(self.ledger.get_or_init(|| ledger))
    }

    /// The error of a request for vectors.
    fn failed(&self, mut failure: Failure) -> Error {
        if self.is_former {
            let has_key = self.client.as_ref().is_ok_and(|client| client.connection.key.is_some());
            if failure.kind == FailureKind::WrongKey && !has_key {
                failure = failure.hint("set its provider and its address, then it gets the key");
            }
            let hint = failure.hint.take().map(|hint| format!("{hint}, or ")).unwrap_or_default();
            failure =
                failure.hint(format!("{hint}griot reindex --embed, which asks only the selected model"));
        }
        failure.error(&format!("make vectors with `{}`", self.name))
    }

    fn sent(&self, text: &str, prefix: &str) -> Option<String> {
        Some(format!("{prefix}{}", sent(text, self.settings.text_tokens)?))
    }

    /// One request.
    fn ask(&self, texts: &[String], are_questions: bool, timeout_ms: u64) -> Result<Vec<Option<Vec<f32>>>> {
        let client = self.client.as_ref().map_err(|failure| self.failed(failure.clone()))?;
        let provider = self.settings.provider;
        let texts = Texts { texts, are_questions, dimensions: self.settings.dimensions };
        let request = vendors::embed(provider, &client.connection, &texts);
        let estimate =
            Tokens { input: texts.texts.iter().map(|text| tokens_of(text)).sum(), output: 0, flex: false };
        let mut run = Run::new(now());
        // Someone waits for the answer to a question, which is good without a vector, too.
        let tries = if are_questions { 2 } else { TRIES };
        let account =
            Account { ledger: self.ledger(client)?, run: &mut run, purpose: PURPOSE, estimate, tries };
        let asked = client.ask(
            account,
            &request,
            Duration::from_millis(timeout_ms),
            |reply| vendors::embed_tokens(provider, reply),
            |reply| self.read(&vendors::vectors(provider, reply)?, texts.texts.len()),
        );
        asked.map_err(|failure| {
            let failure = match failure.kind {
                FailureKind::TimedOut if are_questions => {
                    failure.hint("griot config set embedder.question_timeout_ms MILLISECONDS")
                }
                _ => failure,
            };
            self.failed(failure)
        })
    }

    /// Checks the vectors of a reply and makes them length 1; one of length 0 is none.
    fn read(&self, vectors: &[&Value], expected: usize) -> Result<Vec<Option<Vec<f32>>>, Failure> {
        let wrong = |why: String| {
            Failure::new(FailureKind::Unreadable, why)
                .hint("griot config set embedder.name NAME, of a model that makes vectors")
        };
        if vectors.len() != expected {
            let hint = "griot config set embedder.batch 1, if the server takes one text at a time";
            return Err(wrong(format!("it gave {} vectors for {expected} texts", vectors.len())).hint(hint));
        }
        let mut read = Vec::with_capacity(vectors.len());
        let mut dimensions = self.dimensions.get().copied();
        for vector in vectors {
            let numbers = vector.as_array().ok_or_else(|| wrong("a vector is no list of numbers".into()))?;
            let number = |number: &Value| number.as_f64().filter(|number| number.is_finite());
            let numbers: Option<Vec<f64>> = numbers.iter().map(number).collect();
            let numbers = numbers.ok_or_else(|| wrong("a vector holds what is no number".into()))?;
            self.check_dimensions(numbers.len(), dimensions)?;
            dimensions = Some(numbers.len());
            // Squares of large numbers would not fit.
            let largest = numbers.iter().fold(0.0f64, |largest, number| largest.max(number.abs()));
            let scale = if largest > 0.0 { largest } else { 1.0 };
            let mut vector: Vec<f32> = numbers.into_iter().map(|number| (number / scale) as f32).collect();
            read.push(normalise(&mut vector).then_some(vector));
        }
        if let Some(dimensions) = dimensions {
            self.dimensions.get_or_init(|| dimensions);
        }
        Ok(read)
    }

    /// An error for a vector of another length than the settings ask for, or than those before had.
    fn check_dimensions(&self, found: usize, before: Option<usize>) -> Result<(), Failure> {
        let asked = Some(self.settings.dimensions).filter(|asked| *asked > 0);
        let expected = asked.or(before).unwrap_or(found);
        if found > 0 && found == expected {
            return Ok(());
        }
        let why = match asked {
            _ if found == 0 => "a vector is empty".to_string(),
            Some(asked) => {
                format!("its vectors have {found} dimensions, and `embedder.dimensions` is {asked}")
            }
            None => format!("its vectors have {found} dimensions, and those before had {expected}"),
        };
        let hint = match asked {
            Some(_) => "griot config set embedder.dimensions 0, for what the model gives",
            None => "do several models answer at embedder.url?",
        };
        Err(Failure::new(FailureKind::Unreadable, why).hint(hint))
    }
}

impl Embedder for ServerEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        let prefix = &self.settings.passage_prefix;
        let sent: Vec<(usize, String)> =
            texts.iter().enumerate().filter_map(|(at, text)| Some((at, self.sent(text, prefix)?))).collect();
        let mut vectors = vec![None; texts.len()];
        for batch in sent.chunks(self.batch()) {
            let (places, batch): (Vec<usize>, Vec<String>) = batch.iter().cloned().unzip();
            for (place, vector) in
                places.into_iter().zip(self.ask(&batch, false, self.settings.timeout_ms)?)
            {
                vectors[place] = vector;
            }
        }
        Ok(vectors)
    }

    fn embed_question(&self, question: &str) -> Result<Option<Vec<f32>>> {
        let Some(sent) = self.sent(question, &self.settings.query_prefix) else { return Ok(None) };
        Ok(self.ask(&[sent], true, self.settings.question_timeout_ms)?.pop().flatten())
    }

    fn batch(&self) -> usize {
        self.settings.batch.max(1)
    }

    fn takes_private_texts(&self) -> bool {
        self.takes_private_texts
    }
}

/// What the name of an embedder says: `openai/text-embedding-3-small (512) "passage: "`, where the last two
/// are left out if they are not set. Vectors depend on all of it; on the prefix of questions they do not.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Named {
    provider: ModelProvider,
    model: String,
    dimensions: usize,
    passage_prefix: String,
}

fn name_of(provider: ModelProvider, model: &str, settings: &EmbedderSettings) -> String {
    let mut name = format!("{}/{model}", provider.name());
    if settings.dimensions > 0 {
        name.push_str(&format!(" ({})", settings.dimensions));
    }
    if !settings.passage_prefix.is_empty() {
        name.push_str(&format!(" {}", Value::from(settings.passage_prefix.as_str())));
    }
    name
}

impl Named {
    fn parse(name: &str) -> Option<Self> {
        let (provider, rest) = name.split_once('/')?;
        let provider = ModelProvider::parse(provider).filter(|provider| *provider != ModelProvider::Off)?;
        let (rest, passage_prefix) = match rest.split_once(" \"") {
            Some((front, back)) => (front, serde_json::from_str(&format!("\"{back}")).ok()?),
            None => (rest, String::new()),
        };
        let number = |rest: &str| rest.strip_suffix(')')?.rsplit_once(" (")?.1.parse().ok();
        let dimensions = number(rest).unwrap_or(0);
        let model = match dimensions {
            0 => rest,
            _ => rest.rsplit_once(" (")?.0,
        };
        Some(Self { provider, model: model.to_string(), dimensions, passage_prefix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_the_vectors_depend_on() {
        for (model, dimensions, prefix, expected) in [
            ("text-embedding-3-small", 0, "", "openai/text-embedding-3-small"),
            ("text-embedding-3-small", 512, "", "openai/text-embedding-3-small (512)"),
            ("a/b@1 (x)", 0, "passage: \"\n", "openai/a/b@1 (x) \"passage: \\\"\\n\""),
            ("a:b", 8, "p", "openai/a:b (8) \"p\""),
        ] {
            let settings = EmbedderSettings {
                dimensions,
                passage_prefix: prefix.to_string(),
                ..EmbedderSettings::default()
            };
            let name = name_of(ModelProvider::Openai, model, &settings);
            assert_eq!(name, expected);
            let named = Named::parse(&name);
            let (provider, model) = (ModelProvider::Openai, model.to_string());
            let passage_prefix = prefix.to_string();
            assert_eq!(named, Some(Named { provider, model, dimensions, passage_prefix }));
        }
        for other in ["static-256", "all-minilm-l6-v2", "off/x", "nowhere/x"] {
            assert_eq!(Named::parse(other), None, "{other}");
        }
    }
}
