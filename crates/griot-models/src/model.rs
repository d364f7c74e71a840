//! A model that can be asked, and replies that are kept.

use std::time::Duration;

use griot::engine::{ModelProvider, ModelSettings};
use serde_json::Value;

use crate::chat::connection::Service;
use crate::chat::{Failure, FailureKind, Question, Tokens, loose, vendors};
use crate::client::{Account, Client, TRIES, Timing};
use crate::ledger::{Kept, Ledger, QuestionHash, Run};

/// The reply to a question.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply<T> {
    pub value: T,
    /// The model's tokens ended before its reply; this is what was complete.
    pub truncated: bool,
    /// It was kept from an earlier time.
    pub kept: bool,
}

/// The model that the settings name.
#[derive(Debug)]
pub struct LanguageModel {
    client: Client,
}

impl LanguageModel {
    /// Checks the settings and reads the key. Connects to nothing.
    pub fn new(settings: &ModelSettings) -> Result<Self, Failure> {
        Self::with_timing(settings, Timing::default())
    }

    pub fn with_timing(settings: &ModelSettings, timing: Timing) -> Result<Self, Failure> {
        Ok(Self { client: Client::new(settings.clone(), Service::Chat(settings.provider), timing)? })
    }

    pub fn provider(&self) -> ModelProvider {
        self.client.settings.provider
    }

    pub fn name(&self) -> &str {
        &self.client.connection.model
    }

    /// Asks, and reads the reply with `read`, which refuses other forms with a reason. `still` says whether
    /// every memory of the question is still there; otherwise its reply is not kept.
    pub fn ask<T>(
        &self,
        ledger: &Ledger,
        run: &Run,
        question: &Question<'_>,
        read: impl Fn(&Value) -> Result<T, String>,
        still: &dyn Fn() -> bool,
    ) -> Result<Reply<T>, Failure> {
        let Client { connection, settings, .. } = &self.client;
        let (provider, now) = (settings.provider, run.now);
        let hash = QuestionHash::of(question, settings, provider, connection.base.as_str());
        if settings.cache
            && let Some(Kept { reply, truncated }) = ledger.kept(hash)?
            && let Ok(value) = read(&reply)
        {
            ledger.count_kept(settings, question.purpose, self.name(), now)?;
            return Ok(Reply { value, truncated, kept: true });
        }
        let estimate =
            Tokens { input: question.estimate(), output: settings.max_output_tokens as u64, flex: false };
        let account = Account { ledger, run, purpose: question.purpose, estimate, tries: TRIES };
        let request = vendors::request(connection, settings, question);
        let timeout = Duration::from_millis(settings.timeout_ms);
        let tokens = |body: &Value| vendors::tokens(provider, body);
        let found = self.client.ask(account, &request, timeout, tokens, |body| {
            let content = vendors::content(provider, question.form, body)?;
            let found = match question.schema {
                Some(_) => loose::object(&content.text, &read),
                None => loose::text(&content.text, &read),
            };
            let (value, reply, is_cut) = found.map_err(|why| {
                if content.truncated {
                    let why = "the reply was cut before anything of it was complete";
                    Failure::new(FailureKind::Truncated, why)
                        .hint("griot config set model.max_output_tokens NUMBER, larger than now")
                } else {
                    Failure::new(FailureKind::Unreadable, format!("its reply cannot be used: {why}"))
                        .hint("griot config set model.name NAME, of a model with structured output")
                }
            })?;
            Ok((value, reply, is_cut || content.truncated))
        });
        let (value, reply, truncated) = found?;
        if settings.cache {
            // If this fails, the same question is paid again; this reply is good nevertheless.
            let kept = Kept { reply, truncated };
            let _ = ledger.keep(hash, &kept, question.memories, now, still);
        }
        Ok(Reply { value, truncated, kept: false })
    }
}
