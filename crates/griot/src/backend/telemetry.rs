//! What the rollout of the graph keeps beside the memories, with no revision of its own, so that counting
//! changes no answer. A back end without it leaves the graph in its default mode.

use crate::model::{Error, Node, Result, Timestamp};
use crate::rollout::{Credited, Feedback, Ledger, Measures, ModeChange, Standing};

pub trait Telemetry {
    /// The mode now, whoever set it. Asked before every recall, so it is one small read.
    fn standing(&self) -> Result<Standing>;
    /// Everything that was counted in windows of this width (milliseconds).
    fn ledger(&self, width: i64) -> Result<Ledger>;
    /// Adds to what was counted, in one transaction. What several processes add is added up.
    fn record(&self, measures: &Measures) -> Result<()>;
    /// Lets `decide` look at the ledger under the writer's lock, and keeps the change that it wants, if any.
    fn set_mode(
        &self,
        width: i64,
        decide: &mut dyn FnMut(&Ledger) -> Result<Option<ModeChange>>,
    ) -> Result<Option<ModeChange>>;
    /// Keeps feedback, and says what each piece of it counts for. Feedback on the same result of the same
    /// answer replaces what was said before.
    fn credit(&self, feedback: &Feedback) -> Result<Vec<Credited>>;
    /// What the graph's status needs beside the counts; looks at every edge. Ends in the order of `entities`.
    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth>;
}

/// Nothing is counted.
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

    fn set_mode(
        &self,
        _: i64,
        _: &mut dyn FnMut(&Ledger) -> Result<Option<ModeChange>>,
    ) -> Result<Option<ModeChange>> {
        Err(Error::unavailable("set the mode of the graph", "this store keeps none"))
    }

    fn credit(&self, _: &Feedback) -> Result<Vec<Credited>> {
        Err(Error::unavailable("take feedback", "this store keeps none"))
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
