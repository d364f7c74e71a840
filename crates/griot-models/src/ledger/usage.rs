//! What was asked and what it cost, by day, purpose and model.

use griot::model::{Result, Timestamp};

use super::{Ledger, cannot, day_of};

/// The requests of one day for one purpose to one model.
#[derive(Clone, PartialEq, Debug)]
pub struct Usage {
    /// Start of the day, in UTC.
    pub day: Timestamp,
    pub purpose: String,
    pub provider: String,
    pub model: String,
    /// Requests that were sent.
    pub calls: u64,
    /// Those without a reply that could be used.
    pub failed: u64,
    /// Those whose end is not known: they run, or their process was killed. Their numbers are estimates.
    pub unfinished: u64,
    /// Questions that a kept reply answered; not among `calls`.
    pub kept: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In the currency of the prices; `None` where no price was set.
    pub cost: Option<f64>,
}

impl Ledger {
    /// The latest day first, from the day of `since` on.
    pub fn usage(&self, since: Timestamp) -> Result<Vec<Usage>> {
        let sql = "SELECT day, purpose, provider, model, total(state <> 'kept'), total(state = 'failed'),
                     total(state = 'begun'), total(state = 'kept'), total(input), total(output),
                     CASE WHEN count(cost) > 0 THEN total(cost) END
                   FROM call WHERE day >= ?1 GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4";
        let read = |row: &rusqlite::Row<'_>| {
            let count = |column| row.get::<_, f64>(column).map(|count| count as u64);
            Ok(Usage {
                day: Timestamp(row.get::<_, i64>(0)?.saturating_mul(Timestamp::DAY)),
                purpose: row.get(1)?,
                provider: row.get(2)?,
                model: row.get(3)?,
                calls: count(4)?,
                failed: count(5)?,
                unfinished: count(6)?,
                kept: count(7)?,
                input_tokens: count(8)?,
                output_tokens: count(9)?,
                cost: row.get::<_, Option<f64>>(10)?.map(|cost| cost / 1_000_000.0),
            })
        };
        let connection = self.connection();
        let rows = connection.prepare(sql).and_then(|mut statement| {
            statement.query_map([day_of(since)], read)?.collect::<rusqlite::Result<Vec<_>>>()
        });
        rows.map_err(|error| cannot("read the ledger of language models", &error))
    }
}
