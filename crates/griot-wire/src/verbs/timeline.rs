//! `timeline`: memories in chronological order.

use griot::model::Error;

use super::MOST;
use crate::Timeline as Answer;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{between, usual};

requests! {
    /// List memories in chronological order.
    #[schemars(transform = crate::request::forms::timeline)]
    #[command(after_help = "\
Examples:
  griot timeline a1b2c3 --before 3 --after 3
  griot timeline --since 2024-03-01 --until 2024-03-31")]
    Timeline as_of now {
        /// The memory to centre on; without one, the latest memories.
        #[arg(value_name = "MEMORY", conflicts_with_all = ["since", "until"])]
        anchor [default]: Option<String>,
        /// Number of memories before it.
        #[schemars(range(min = 0, max = 1000))]
        #[arg(long, default_value_t = 5)]
        before [default = "usual::<5>"]: usize,
        /// Number of memories after it; without a centre, the number in total.
        #[schemars(range(min = 0, max = 1000))]
        #[arg(long, default_value_t = 5)]
        after [default = "usual::<5>"]: usize,
        /// Only events at or after this time.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        since [default]: Option<String>,
        /// Only events up to the end of this time.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        until [default]: Option<String>,
    }
}

impl Timeline {
    /// The latest memories.
    pub fn latest(count: usize) -> Self {
        Self {
            anchor: None,
            before: 0,
            after: count,
            since: None,
            until: None,
            now: None,
            user: None,
            project: None,
            scope: None,
        }
    }
}

/// Number of memories in the period, beyond the limit as well.
pub fn count(call: &Call, q: &Timeline) -> Outcome<usize> {
    let engine = call.asking(None, q.now.as_deref())?;
    let interval = between(q.since.as_deref(), q.until.as_deref(), engine.now())?;
    Ok(engine.timeline_count(interval, &call.scope)?)
}

pub fn timeline(call: &Call, q: Timeline) -> Outcome<Answer> {
    call.bounded("before", q.before, 0, MOST)?;
    call.bounded("after", q.after, 0, MOST)?;
    if q.anchor.is_some() && (q.since.is_some() || q.until.is_some()) {
        return Err(Error::invalid("show a timeline", "`anchor` excludes `since` and `until`").into());
    }
    let engine = call.asking(None, q.now.as_deref())?;
    let interval = between(q.since.as_deref(), q.until.as_deref(), engine.now())?;
    Ok(Answer::from(&engine.timeline(q.anchor.as_deref(), q.before, q.after, interval, &call.scope)?))
}
