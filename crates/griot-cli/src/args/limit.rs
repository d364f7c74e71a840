//! How much of a list is printed.

use clap::Args;
use griot::model::Result;

use crate::output::note;

#[derive(Args, Clone, Copy, Default, Debug)]
pub struct Limit {
    /// Maximum number of results [default: all]
    #[arg(long, short = 'n', value_name = "COUNT")]
    pub limit: Option<usize>,
}

impl Limit {
    /// The beginning of a list. What is left out is counted on standard error, so that a program that reads
    /// the list learns of it, too.
    pub fn cut<T>(self, mut list: Vec<T>, one: &str, many: &str) -> Vec<T> {
        let all = list.len();
        if let Some(limit) = self.limit {
            list.truncate(limit);
            self.say_rest(all, one, many);
        }
        list
    }

    /// The same for a list that was cut already; `all` counts, if the list is as long as the limit.
    pub fn of(
        limit: usize,
        shown: usize,
        (one, many): (&str, &str),
        all: impl FnOnce() -> Result<usize>,
    ) -> Result<()> {
        if shown >= limit {
            Self { limit: Some(limit) }.say_rest(all()?, one, many);
        }
        Ok(())
    }

    /// Says how many of `all` are beyond the limit.
    fn say_rest(self, all: usize, one: &str, many: &str) {
        let rest = self.limit.map_or(0, |limit| all.saturating_sub(limit));
        if rest > 0 {
            note(&format!("{rest} more {}; --limit {all} lists all", if rest == 1 { one } else { many }));
        }
    }
}
