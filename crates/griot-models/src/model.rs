//! A model that can be asked: repeated requests, budgets, and replies that are kept.

use std::thread;
use std::time::{Duration, Instant};

use griot::engine::{ModelProvider, ModelSettings};
use serde_json::Value;
use ureq::Agent;

use crate::chat::connection::Connection;
use crate::chat::gate::Permit;
use crate::chat::{Failure, FailureKind, Question, Tokens, exchange, loose, vendors};
use crate::ledger::{End, Kept, Ledger, Planned, QuestionHash, Run};

/// Requests for one reply.
const TRIES: u32 = 4;
/// The first wait between two of them; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// How waits pass. Tests pass them faster.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub sleep: fn(Duration),
    /// A random share of each wait, 0 to 1, so that clients that were rejected together do not come back
    /// together.
    pub jitter: fn() -> f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self { sleep: thread::sleep, jitter: fastrand::f64 }
    }
}

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
    connection: Connection,
    settings: ModelSettings,
    agent: Agent,
    timing: Timing,
}

impl LanguageModel {
    /// Checks the settings and reads the key. Connects to nothing.
    pub fn new(settings: &ModelSettings) -> Result<Self, Failure> {
        Self::with_timing(settings, Timing::default())
    }

    pub fn with_timing(settings: &ModelSettings, timing: Timing) -> Result<Self, Failure> {
        let connection = Connection::new(settings)?;
        let agent = exchange::agent(&connection);
        Ok(Self { connection, settings: settings.clone(), agent, timing })
    }

    pub fn provider(&self) -> ModelProvider {
        self.connection.provider
    }

    pub fn name(&self) -> &str {
        &self.connection.model
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
        let address = self.connection.base.as_str();
        let hash = QuestionHash::of(question, &self.settings, self.connection.provider, address);
        if self.settings.cache
            && let Some(Kept { reply, truncated }) = ledger.kept(hash)?
            && let Ok(value) = read(&reply)
        {
            ledger.count_kept(&self.settings, question.purpose, self.name(), run.now)?;
            return Ok(Reply { value, truncated, kept: true });
        }
        let deadline = Instant::now() + Duration::from_millis(self.settings.timeout_ms);
        let mut tries = 0;
        loop {
            tries += 1;
            let failure = match self.once(ledger, run, question, &read, deadline) {
                Ok((value, reply, truncated)) => {
                    if self.settings.cache {
                        // If this fails, the same question is paid again; this reply is good nevertheless.
                        let kept = Kept { reply, truncated };
                        let _ = ledger.keep(hash, &kept, question.memories, run.now, still);
                    }
                    return Ok(Reply { value, truncated, kept: false });
                }
                Err(failure) => failure,
            };
            let Some(asked) = failure.retry.filter(|_| tries < TRIES) else { return Err(failure) };
            let wait = self.wait(tries, asked);
            if Instant::now() + wait >= deadline {
                let seconds = asked.as_secs();
                let why = match seconds {
                    0 => failure.why,
                    _ => format!("{}; it asks to wait {seconds} s", failure.why),
                };
                return Err(Failure { why, ..failure });
            }
            (self.timing.sleep)(wait);
        }
    }

    /// At least what the server asks for, and half to all of a time that doubles.
    fn wait(&self, tries: u32, asked: Duration) -> Duration {
        let usual = FIRST_WAIT * 2u32.pow(tries.saturating_sub(1).min(6));
        let share = 0.5 + (self.timing.jitter)().clamp(0.0, 1.0) / 2.0;
        asked.saturating_add(usual.mul_f64(share))
    }

    /// One request, in the ledger before and after.
    fn once<T>(
        &self,
        ledger: &Ledger,
        run: &Run,
        question: &Question<'_>,
        read: impl Fn(&Value) -> Result<T, String>,
        deadline: Instant,
    ) -> Result<(T, Value, bool), Failure> {
        let provider = self.connection.provider;
        let permit = Permit::take(self.settings.concurrency, deadline).ok_or_else(|| {
            let why = format!("{} other requests run, the limit", self.settings.concurrency);
            Failure::new(FailureKind::TimedOut, why).hint("griot config set model.concurrency NUMBER")
        })?;
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(exchange::timed_out(&self.connection));
        }
        let estimate = Tokens { input: question.estimate(), output: self.settings.max_output_tokens as u64 };
        let planned = Planned { purpose: question.purpose, model: self.name(), estimate };
        let entry = ledger.begin(&self.settings, run, planned)?;
        let request = vendors::request(&self.connection, &self.settings, question);
        let sent = exchange::send(&self.agent, &self.connection, &request, left);
        drop(permit);
        let (tokens, outcome) = match sent {
            Err(failure) => (if failure.may_cost { estimate } else { Tokens::default() }, Err(failure)),
            Ok(body) => {
                let tokens = vendors::tokens(provider, &body).unwrap_or(estimate);
                (tokens, vendors::content(provider, question.form, &body))
            }
        };
        let outcome = outcome.and_then(|content| {
            let found = match question.schema {
                Some(_) => loose::object(&content.text, read),
                None => loose::text(&content.text, read),
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
        let end = match &outcome {
            Ok(_) => End::Done(tokens),
            Err(failure) => End::Failed(failure.kind.name(), tokens),
        };
        // If this fails, the estimate stays in the ledger, which is not less than what was used.
        let _ = ledger.end(&self.settings, run, entry, end);
        outcome
    }
}
