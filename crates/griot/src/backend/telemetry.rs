//! Storage for the rollout of the graph. It has no revision of its own, so that counting never changes an
//! answer. A back end without it leaves the graph in its default mode.

use crate::model::{Error, Node, Result, Timestamp};
use crate::rollout::{Credited, Ledger, Measures, ModeChange, Standing};

pub trait Telemetry {
    /// The current mode and who set it. Read before every recall, so it must be one small read.
    fn standing(&self) -> Result<Standing>;

    /// Everything stored, with windows of this width (milliseconds). Feedback counts in the window in which
    /// it was given.
    fn ledger(&self, width: i64) -> Result<Ledger>;

    /// Adds measures in one transaction. Measures of several processes add up.
    fn record(&self, measures: &Measures) -> Result<()>;

    /// Sets the mode, if it still is as `before` says. False if another process set it meanwhile: then
    /// nothing is written.
    fn set_mode(&self, change: &ModeChange, before: &Standing) -> Result<bool>;

    /// Stores feedback. New feedback on the same result of the same answer replaces the old.
    fn keep_feedback(&self, credited: &[Credited], good: bool, at: Timestamp) -> Result<()>;

    /// Counts for the graph's status page; reads every edge. Degrees are in the order of `entities`.
    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth>;
}

/// Stores nothing.
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

/// Health of the graph, for a status page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphHealth {
    /// Edges that have expired.
    pub expired_edges: u64,
    /// Live entities without an edge.
    pub orphan_entities: u64,
    pub ends: Vec<EdgeEnds>,
}

/// Number of edges of one entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EdgeEnds {
    /// Memories that mention it.
    pub mentions: u64,
    /// Other edges from it and to it.
    pub outbound: u64,
    pub inbound: u64,
}
