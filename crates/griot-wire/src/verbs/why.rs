//! `why`: causes and consequences of a memory.

use griot::engine::WhyDirection;
use griot::model::{Error, Result};

use crate::Why as Answer;
use crate::call::Call;
use crate::draft::read_time;
use crate::failure::Outcome;
use crate::request::{share, within};

/// The directions of `why`, with their meanings.
pub(crate) const DIRECTIONS: [(&str, &str, WhyDirection); 3] = [
    ("causes", "Its causes", WhyDirection::Causes),
    ("consequences", "Its consequences", WhyDirection::Consequences),
    ("both", "", WhyDirection::Both),
];

requests! {
    /// Find the causes and consequences of a memory.
    Why above min_confidence as_of now {
        /// The memory or entity to start from.
        #[arg(value_name = "MEMORY")]
        name: String,
        /// `causes`, `consequences` or `both` (default).
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::direction")]
        #[arg(long, value_parser = crate::request::choices(&DIRECTIONS), default_value = "both",
            help = "Direction to follow")]
        direction: Option<String>,
        /// Maximum number of steps, 1 to 10.
        #[serde(default = "five")]
        #[schemars(range(min = 1, max = 10))]
        #[arg(long, default_value_t = five())]
        depth: usize,
    }
}

fn five() -> usize {
    5
}

impl Why {
    pub fn direction(&self) -> Result<WhyDirection> {
        let Some(name) = &self.direction else { return Ok(WhyDirection::Both) };
        let found = DIRECTIONS.iter().find(|(known, ..)| known == name).map(|(.., direction)| *direction);
        found.ok_or_else(|| {
            Error::invalid(format!("use the direction `{name}`"), "there is no such direction")
                .hint("use causes, consequences or both")
        })
    }
}

pub fn why(call: &Call, q: Why) -> Outcome<Answer> {
    within("the depth", q.depth, 1, 10)?;
    let least = q.min_confidence.map(|least| share("min_confidence", least)).transpose()?;
    let least = least.unwrap_or(call.engine.settings().graph.min_confidence);
    let now = q.now.as_deref().map(|text| read_time(text, call.engine.now())).transpose()?;
    Ok(Answer::from(&call.engine.why(&q.name, q.direction()?, q.depth, least, now)?))
}
