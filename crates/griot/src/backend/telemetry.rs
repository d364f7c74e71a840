//! What a back end keeps about the rollout of the graph: beside the memories and without a revision, so that
//! counting changes no answer.

use crate::model::{Result, Timestamp};
use crate::rollout::{Credited, Ledger, Measures, ModeChange, Standing};

pub trait Telemetry {
    /// The mode now, whoever set it. Read before every recall, so it is one small read.
    fn standing(&self) -> Result<Standing>;

    /// Everything that is kept, with the windows of this width (milliseconds). Feedback is counted in the window
    /// in which it was given.
    fn ledger(&self, width: i64) -> Result<Ledger>;

    /// Adds to what was counted, in one transaction. What several processes add is summed up.
    fn record(&self, measures: &Measures) -> Result<()>;

    fn set_mode(&self, change: &ModeChange) -> Result<()>;

    /// Keeps feedback. Feedback on the same result of the same answer replaces what was said before.
    fn keep_feedback(&self, credited: &[Credited], good: bool, at: Timestamp) -> Result<()>;
}
