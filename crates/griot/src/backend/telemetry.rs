//! What the rollout of the graph keeps beside the memories, with no revision of its own, so that counting
//! changes no answer. A back end without it leaves the graph in its default mode.

use crate::model::{Error, Node, Result, Timestamp};
use crate::rollout::{Credited, Ledger, Measures, ModeChange, Standing};

pub trait Telemetry {
    /// The mode now, whoever set it. Read before every recall, so it is one small read.
    fn standing(&self) -> Result<Standing>;

    /// Everything that is kept, with the windows of this width (milliseconds). Feedback is counted in the
    /// window in which it was given.
    fn ledger(&self, width: i64) -> Result<Ledger>;

    /// Adds to what was counted, in one transaction. What several processes add is summed up.
    fn record(&self, measures: &Measures) -> Result<()>;

    /// Sets the mode, if it still is as `before` says. False if another process set it meanwhile: then nothing
    /// is written.
    fn set_mode(&self, change: &ModeChange, before: &Standing) -> Result<bool>;

    /// Keeps feedback. Feedback on the same result of the same answer replaces what was said before.
    fn keep_feedback(&self, credited: &[Credited], good: bool, at: Timestamp) -> Result<()>;

    /// What the graph's status needs beside the counts; looks at every edge. Ends in the order of `entities`.
    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth>;
}

/// Counts nothing.
pub struct NoTelemetry;

impl Telemetry for NoTelemetry {
    fn standing(&self) -> Result<Standing> {
        Ok(Standing::default())
    }

    fn ledger(&self, _: i64) -> Result<Ledger> {
        Ok(Ledger::default())
    }

    fn record(&self, _: &Measures) -> Result<()> {
        Ok(())
    }

    fn set_mode(&self, _: &ModeChange, _: &Standing) -> Result<bool> {
        Err(Error::unavailable("set the mode of the graph", "this store keeps none"))
    }

    fn keep_feedback(&self, _: &[Credited], _: bool, _: Timestamp) -> Result<()> {
        Err(Error::unavailable("keep feedback", "this store keeps none"))
    }

    fn graph_health(&self, _: Timestamp, entities: &[Node]) -> Result<GraphHealth> {
        let ends = vec![EdgeEnds::default(); entities.len()];
        Ok(GraphHealth { ends, ..GraphHealth::default() })
    }
}

/// How the graph is, for a status page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphHealth {
    /// Edges whose time is over.
    pub expired_edges: u64,
    /// Live entities without an edge.
    pub orphan_entities: u64,
    pub ends: Vec<EdgeEnds>,
}

/// Edges at one entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EdgeEnds {
    /// Memories that mention it.
    pub mentions: u64,
    /// Other edges from it and to it.
    pub outbound: u64,
    pub inbound: u64,
}
