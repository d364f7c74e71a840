//! Requests to one provider: repeated where that may help, within the budgets, and in the ledger before and
//! after.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use griot::engine::{ModelProvider, ModelSettings};
use griot::model::Timestamp;
use serde_json::Value;
use ureq::Agent;

use crate::chat::connection::{Connection, Service};
use crate::chat::gate::Permit;
use crate::chat::vendors::Request;
use crate::chat::{Failure, FailureKind, Tokens, exchange};
use crate::ledger::{End, Ledger, Planned, Run};

/// The most requests for one reply.
pub(crate) const TRIES: u32 = 4;
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

/// Where a request is counted.
pub(crate) struct Account<'a> {
    pub(crate) ledger: &'a Ledger,
    pub(crate) run: &'a Run,
    /// What for, in one word.
    pub(crate) purpose: &'a str,
    /// Rather too many than too few.
    pub(crate) estimate: Tokens,
    /// The most requests, at least one.
    pub(crate) tries: u32,
}

/// Settings of a client that asks for something other than chat: where it is, its key and its price are its
/// own, and all else, such as the budgets, is that of the language model. The service has its provider.
pub(crate) fn settings_beside(
    model: &ModelSettings,
    [name, url, key_env]: [&String; 3],
    key_file: &Path,
    price: f64,
) -> ModelSettings {
    ModelSettings {
        provider: ModelProvider::Off,
        name: name.clone(),
        url: url.clone(),
        key_env: key_env.clone(),
        key_file: key_file.to_path_buf(),
        input_price: price,
        output_price: 0.0,
        ..model.clone()
    }
}

#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) connection: Connection,
    pub(crate) settings: ModelSettings,
    agent: Agent,
    timing: Timing,
}

impl Client {
    /// Checks the settings and reads the key. Connects to nothing.
    pub(crate) fn new(settings: ModelSettings, service: Service, timing: Timing) -> Result<Self, Failure> {
        let connection = Connection::new(&settings, service)?;
        let agent = exchange::agent(&connection);
        Ok(Self { connection, settings, agent, timing })
    }

    /// The reply to a request, as `read` understands it. `tokens` finds what the provider counted.
    pub(crate) fn ask<T>(
        &self,
        mut account: Account<'_>,
        request: &Request,
        timeout: Duration,
        tokens: impl Fn(&Value) -> Option<Tokens>,
        read: impl Fn(&Value) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let deadline = Instant::now() + timeout;
        let mut tries = 0;
        loop {
            tries += 1;
            let failure = match self.once(&mut account, request, deadline, &tokens, &read) {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            let Some(asked) = failure.retry.filter(|_| tries < account.tries) else { return Err(failure) };
            let wait = self.wait(tries, asked);
            if wait >= deadline.saturating_duration_since(Instant::now()) {
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
        account: &mut Account<'_>,
        request: &Request,
        deadline: Instant,
        tokens: impl Fn(&Value) -> Option<Tokens>,
        read: impl Fn(&Value) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let service = self.connection.service;
        let permit = Permit::take(service, self.settings.concurrency, deadline).ok_or_else(|| {
            let why = format!("{} other requests run, the limit", self.settings.concurrency);
            Failure::new(FailureKind::Overloaded, why).hint("griot config set model.concurrency NUMBER")
        })?;
        let estimate = account.estimate;
        let planned = Planned {
            purpose: account.purpose,
            provider: service.name(),
            model: &self.connection.model,
            estimate,
            wait: deadline.saturating_duration_since(Instant::now()),
        };
        let entry = account.ledger.begin(&self.settings, account.run, planned)?;
        // The ledger may have been waited for.
        let left = deadline.saturating_duration_since(Instant::now());
        let sent = match left {
            Duration::ZERO => Err(exchange::timed_out(&self.connection)),
            _ => exchange::send(&self.agent, &self.connection, request, left),
        };
        drop(permit);
        let (tokens, outcome) = match sent {
            Err(failure) => (if failure.may_cost { estimate } else { Tokens::default() }, Err(failure)),
            Ok(body) => (tokens(&body).filter(is_possible).unwrap_or(estimate), read(&body)),
        };
        let end = match &outcome {
            Ok(_) => End::Done(tokens),
            Err(failure) => End::Failed(failure.kind.name(), tokens),
        };
        // If this fails, the estimate stays in the ledger, which is not less than what was used.
        let _ = account.ledger.end(&self.settings, account.run, entry, end);
        outcome
    }
}

/// Whether a request can have used so many tokens: no model reads or writes a hundred million at once.
fn is_possible(tokens: &Tokens) -> bool {
    const MOST: u64 = 100_000_000;
    tokens.input <= MOST && tokens.output <= MOST
}

pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map(|age| age.as_millis() as i64);
    Timestamp(since.unwrap_or_default())
}
