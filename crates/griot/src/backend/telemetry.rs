//! Storage for the rollout of the graph. It has no revision of its own, so that counting never changes an
//! answer. By default nothing is stored, which leaves the graph in its default mode.

use crate::model::{Error, Node, Result, Timestamp};
use crate::rollout::{Credited, Ledger, Measures, Standing};

pub trait Telemetry {
    /// The current mode and who set it. Read before every recall, so it must be one small read.
    fn standing(&self) -> Result<Standing> {
        Ok(Standing::default())
    }

    /// Everything stored, with windows of this width (milliseconds). Feedback counts in the window in which
    /// it was given.
    fn ledger(&self, _width: i64) -> Result<Ledger> {
        Ok(Ledger::default())
    }

    /// Adds measures in one transaction. Measures of several processes add up.
    fn record(&self, _measures: &Measures) -> Result<()> {
        Ok(())
    }

    /// Sets the mode, if it still is as `before` says. False if another process set it meanwhile: then
    /// nothing is written.
    fn set_mode(&self, _after: &Standing, _before: &Standing) -> Result<bool> {
        Err(Error::unavailable("set the mode of the graph", "this store keeps none"))
    }

    /// Stores feedback. New feedback on the same result of the same answer replaces the old.
    fn keep_feedback(&self, _credited: &[Credited], _good: bool, _at: Timestamp) -> Result<()> {
        Err(Error::unavailable("keep feedback", "this store keeps none"))
    }

    /// The live edges of each entity that have not expired, for the graph's status page.
    fn edge_ends(&self, _now: Timestamp, entities: &[Node]) -> Result<Vec<EdgeEnds>> {
        Ok(vec![EdgeEnds::default(); entities.len()])
    }
}

/// Stores nothing.
pub struct NoTelemetry;

impl Telemetry for NoTelemetry {}

/// Number of edges of one entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EdgeEnds {
    /// Memories that mention it.
    pub mentions: u64,
    /// Other edges from it and to it.
    pub outbound: u64,
    pub inbound: u64,
}
