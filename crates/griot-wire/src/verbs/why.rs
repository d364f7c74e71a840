//! `why`: causes and consequences of a memory.

use griot::engine::WhyDirection;
use griot::model::Result;

use crate::Why as Answer;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{direction, read_time, share, usual, within};

requests! {
    /// Find the causes and consequences of a memory.
    Why above min_confidence as_of now {
        /// The memory or entity to start from.
        #[arg(value_name = "MEMORY")]
        name: String,
        /// `causes`, `consequences` or `both` (default).
        #[schemars(schema_with = "crate::request::forms::direction")]
        #[arg(long, value_parser = crate::request::directions(), default_value = "both",
            help = "Direction to follow")]
        direction [default]: Option<String>,
        /// Maximum number of steps, 1 to 10.
        #[schemars(range(min = 1, max = 10))]
        #[arg(long, default_value_t = 5)]
        depth [default = "usual::<5>"]: usize,
    }
}

impl Why {
    pub fn direction(&self) -> Result<WhyDirection> {
        self.direction.as_deref().map_or(Ok(WhyDirection::Both), direction)
    }
}

pub fn why(call: &Call, q: Why) -> Outcome<Answer> {
    within("the depth", q.depth, 1, 10)?;
    let least = q.min_confidence.map(|least| share("min_confidence", least)).transpose()?;
    let least = least.unwrap_or(call.engine.settings().graph.min_confidence);
    let now = q.now.as_deref().map(|text| read_time(text, call.engine.now())).transpose()?;
    Ok(Answer::from(&call.engine.why(&q.name, q.direction()?, q.depth, least, now)?))
}
