//! A reranker at a server, behind the engine's trait `Reranker`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use griot::engine::{ModelSettings, RerankProvider, RerankerSettings};
use griot::model::Result;
use griot::recall::Reranker;

use crate::chat::connection::Service;
use crate::chat::vendors;
use crate::chat::{Failure, Tokens, sent, tokens_of};
use crate::client::{Account, Client, Timing, now, settings_beside};
use crate::ledger::{Ledger, Run};

/// What the requests are for, as the ledger lists them.
const PURPOSE: &str = "rerank";
/// The most requests for one answer: someone waits, and the answer has an order without it.
const TRIES: u32 = 2;

/// Asks a server how well texts answer a question. What is asked is written to the ledger of the workspace
/// first, within its budgets; each question is a run of its own.
#[derive(Debug)]
pub struct ServerReranker {
    /// An error where the key or the address cannot be used: every request fails with it, and the answer has
    /// the order that it has without a reranker.
    client: Result<Client, Failure>,
    settings: RerankerSettings,
    takes_private_texts: bool,
    database: PathBuf,
    /// Opened at the first request, so that a process that asks nothing writes nothing.
    ledger: OnceLock<Ledger>,
}

impl ServerReranker {
    /// Reads the key; connects to nothing. `None` if the settings select no service. `model` has the
    /// budgets, and whether private texts may be sent; the ledger is beside the database.
    pub fn new(settings: &RerankerSettings, model: &ModelSettings, database: &Path) -> Option<Self> {
        Self::with_timing(settings, model, database, Timing::default())
    }

    pub fn with_timing(
        settings: &RerankerSettings,
        model: &ModelSettings,
        database: &Path,
        timing: Timing,
    ) -> Option<Self> {
        if matches!(settings.provider, RerankProvider::Off | RerankProvider::Minilm) {
            return None;
        }
        let own = [&settings.name, &settings.url, &settings.key_env];
        let of_client = settings_beside(model, own, &settings.key_file, settings.price);
        Some(Self {
            client: Client::new(of_client, Service::Ranks(settings.provider), timing),
            settings: settings.clone(),
            takes_private_texts: model.private_texts,
            database: database.to_path_buf(),
            ledger: OnceLock::new(),
        })
    }

    fn ledger(&self) -> Result<&Ledger> {
        if let Some(ledger) = self.ledger.get() {
            return Ok(ledger);
        }
        let ledger = Ledger::for_database(&self.database)?;
        Ok(self.ledger.get_or_init(|| ledger))
    }
}

impl Reranker for ServerReranker {
    fn relevance(&self, question: &str, texts: &[String]) -> Result<Vec<f32>> {
        let failed = |failure: Failure| failure.error("rerank");
        let client = self.client.as_ref().map_err(|failure| failed(failure.clone()))?;
        let cut = |text: &str| sent(text, self.settings.text_tokens).unwrap_or_default();
        let (question, texts) = (cut(question), texts.iter().map(|text| cut(text)).collect::<Vec<_>>());
        let provider = self.settings.provider;
        let request = vendors::rerank(&client.connection, provider, &question, &texts);
        // The question is read again with each text.
        let input = texts.iter().map(|text| tokens_of(&question) + tokens_of(text)).sum();
        let account = Account {
            ledger: self.ledger()?,
            run: &Run::new(now()),
            purpose: PURPOSE,
            estimate: Tokens { input, output: 0, flex: false },
            tries: TRIES,
        };
        let asked = client.ask(
            account,
            &request,
            Duration::from_millis(self.settings.timeout_ms),
            vendors::rerank_tokens,
            |reply| vendors::relevance(provider, reply, texts.len()),
        );
        asked.map_err(failed)
    }

    fn takes_private_texts(&self) -> bool {
        self.takes_private_texts
    }
}
