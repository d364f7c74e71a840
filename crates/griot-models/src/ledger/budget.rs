//! What a run and a day may use.

use std::sync::{Mutex, MutexGuard, PoisonError};

use griot::engine::ModelSettings;
use griot::model::Timestamp;
use rusqlite::Transaction;

use super::signed;
use crate::chat::{Failure, FailureKind, Tokens};

/// One command, or one call of a verb, whose threads share a budget.
#[derive(Debug)]
pub struct Run {
    /// When it began: the day that its requests count for.
    pub now: Timestamp,
    spent: Mutex<Spent>,
}

/// What a run has asked so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Requests that were sent.
    pub calls: u64,
    /// Tokens.
    pub input: u64,
    /// Tokens.
    pub output: u64,
    /// Millionths of the currency; `None` if no price is set.
    pub cost: Option<i64>,
}

impl Run {
    pub fn new(now: Timestamp) -> Self {
        Self { now, spent: Mutex::default() }
    }

    pub fn spent(&self) -> Spent {
        *self.of_all()
    }

    fn of_all(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request with an estimate, unless that would exceed the budget of the run.
    pub(super) fn take(
        &self,
        settings: &ModelSettings,
        estimate: Tokens,
        cost: Option<i64>,
    ) -> Result<(), Failure> {
        let mut spent = self.of_all();
        let used = Used {
            calls: spent.calls,
            tokens: spent.input.saturating_add(spent.output),
            cost: spent.cost.unwrap_or(0),
        };
        let limits = Limits {
            calls: ("run_calls", settings.run_calls),
            tokens: ("run_tokens", settings.run_tokens),
            cost: ("run_cost", settings.run_cost),
        };
        if let Some((name, why)) = limits.over(used, estimate, cost) {
            let why = format!("the budget of this run does not suffice: {why}");
            let hint = format!("griot config set model.{name} NUMBER; 0 means no limit");
            return Err(Failure::new(FailureKind::OverBudget, why).hint(hint));
        }
        spent.calls += 1;
        spent.input = spent.input.saturating_add(estimate.input);
        spent.output = spent.output.saturating_add(estimate.output);
        spent.cost = cost.map(|cost| spent.cost.unwrap_or(0).saturating_add(cost)).or(spent.cost);
        Ok(())
    }

    /// Takes back a request that was not sent after all.
    pub(super) fn give_back(&self, estimate: Tokens, cost: Option<i64>) {
        self.correct(estimate, cost, Tokens::default(), Some(0));
        let mut spent = self.of_all();
        spent.calls = spent.calls.saturating_sub(1);
    }

    /// Replaces an estimate by what was used.
    pub(super) fn correct(
        &self,
        estimate: Tokens,
        cost_estimate: Option<i64>,
        used: Tokens,
        cost: Option<i64>,
    ) {
        let mut spent = self.of_all();
        spent.input = spent.input.saturating_sub(estimate.input).saturating_add(used.input);
        spent.output = spent.output.saturating_sub(estimate.output).saturating_add(used.output);
        let change = cost.unwrap_or(0).saturating_sub(cost_estimate.unwrap_or(0));
        spent.cost = spent.cost.map(|cost| cost.saturating_add(change));
    }
}

/// What was used before.
struct Used {
    calls: u64,
    tokens: u64,
    cost: i64,
}

/// Budgets with the names of their settings; 0 means no limit.
struct Limits {
    calls: (&'static str, u64),
    tokens: (&'static str, u64),
    cost: (&'static str, f64),
}

impl Limits {
    /// The budget that one more request would exceed, and how.
    fn over(&self, used: Used, estimate: Tokens, cost: Option<i64>) -> Option<(&'static str, String)> {
        let (name, most) = self.calls;
        if most > 0 && used.calls >= most {
            return Some((name, format!("{} of {most} requests are used", used.calls)));
        }
        let (name, most) = self.tokens;
        let more = estimate.input.saturating_add(estimate.output);
        if most > 0 && used.tokens.saturating_add(more) > most {
            let why = format!("{} of {most} tokens are used, and this takes up to {more}", used.tokens);
            return Some((name, why));
        }
        let (name, most) = self.cost;
        let (cost, used) = (money(cost.unwrap_or(0)), money(used.cost));
        if most > 0.0 && used + cost > most {
            return Some((name, format!("{used:.4} of {most} are spent, and this costs up to {cost:.4}")));
        }
        None
    }
}

/// The budget of the day that one more request would exceed.
pub(super) fn over_day(
    transaction: &Transaction<'_>,
    settings: &ModelSettings,
    day: i64,
    estimate: Tokens,
    cost: Option<i64>,
) -> rusqlite::Result<Option<Failure>> {
    let limits = Limits {
        calls: ("day_calls", settings.day_calls),
        tokens: ("day_tokens", settings.day_tokens),
        cost: ("day_cost", settings.day_cost),
    };
    let sql = "SELECT count(*), total(input) + total(output), total(cost) FROM call
               WHERE day = ?1 AND state <> 'kept'";
    let used = transaction.query_row(sql, [day], |row| {
        let (calls, tokens, cost): (i64, f64, f64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Used { calls: u64::try_from(calls).unwrap_or(0), tokens: tokens as u64, cost: cost as i64 })
    })?;
    // As the columns hold them.
    let estimate = Tokens {
        flex: false,
        input: signed(estimate.input).unsigned_abs(),
        output: signed(estimate.output).unsigned_abs(),
    };
    Ok(limits.over(used, estimate, cost).map(|(name, why)| {
        Failure::new(FailureKind::OverBudget, format!("the budget of this day (UTC) does not suffice: {why}"))
            .hint(format!("griot usage; griot config set model.{name} NUMBER; 0 means no limit"))
    }))
}

/// Of millionths.
fn money(cost: i64) -> f64 {
    cost as f64 / 1_000_000.0
}
