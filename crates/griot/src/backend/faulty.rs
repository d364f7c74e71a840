//! A store whose edges cannot be read when a test says so: how a failing graph is met.
//!
//! Public as `memory` is, for tests of what stands in front of the engine. Nothing else makes one.

use std::ops::Deref;
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::memory::MemoryBackend;
use super::{Arc, Backend, Commit, GraphHealth, NeighbourQuery, Read, Telemetry};
use crate::model::{ChangeSet, Erasure, ErasurePlan, Error, Node, Result, Revision, Timestamp};
use crate::rollout::{Credited, Ledger, Measures, ModeChange, Standing};

/// What fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    None,
    /// Walks over more than one kind of edge; names are still found.
    Walks,
    /// Every edge.
    Edges,
    /// The mode of the workspace.
    Standing,
    /// Writing measures.
    Measures,
}

pub struct Faulty(View);

struct View {
    store: MemoryBackend,
    switch: Switch,
}

/// The hand of the test on a store that an engine owns.
#[derive(Clone, Default)]
pub struct Switch(Shared<AtomicUsize>);

const FAULTS: [Fault; 5] = [Fault::None, Fault::Walks, Fault::Edges, Fault::Standing, Fault::Measures];

impl Switch {
    pub fn set(&self, fault: Fault) {
        self.0.store(fault as usize, Ordering::SeqCst);
    }

    fn fault(&self) -> Fault {
        let at = self.0.load(Ordering::SeqCst);
        FAULTS.into_iter().find(|fault| *fault as usize == at).unwrap_or(Fault::None)
    }
}

impl Faulty {
    pub fn new(switch: &Switch) -> Self {
        Self(View { store: MemoryBackend::new(), switch: switch.clone() })
    }

    fn view<T>(&self, act: impl FnOnce(&View) -> T) -> Result<T> {
        Ok(act(&self.0))
    }

    fn revision_of_view(&self) -> Revision {
        self.0.store.revision()
    }
}

impl View {
    fn neighbours(&self, frontier: &[Node], ask: &NeighbourQuery<'_>) -> Result<Vec<Vec<Arc>>> {
        let kinds = ask.fan_out.iter().filter(|most| **most > 0).count();
        let fault = self.switch.fault();
        let fails = fault == Fault::Edges || fault == Fault::Walks && kinds > 1;
        if fails { Err(broken("read edges")) } else { self.store.neighbours(frontier, ask) }
    }

    fn degrees(&self, nodes: &[Node], now: Option<Timestamp>) -> Result<Vec<u32>> {
        if self.switch.fault() == Fault::Edges {
            Err(broken("count edges"))
        } else {
            self.store.degrees(nodes, now)
        }
    }
}

fn broken(what: &str) -> Error {
    Error::unavailable(what, "the test broke it")
}

impl Deref for View {
    type Target = MemoryBackend;

    fn deref(&self) -> &Self::Target {
        &self.store
    }
}

answer_by_view!(Faulty);

impl Backend for Faulty {
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        self.0.store.write(plan)
    }

    fn refresh(&self) -> Result<Revision> {
        self.0.store.refresh()
    }

    fn rebuild(&self) -> Result<()> {
        self.0.store.rebuild()
    }

    fn integrity(&self) -> Result<Vec<String>> {
        self.0.store.integrity()
    }

    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>,
    ) -> Result<Option<Erasure>> {
        self.0.store.erase(plan)
    }

    fn scrub(&self, texts: Option<&[String]>) -> Result<u64> {
        self.0.store.scrub(texts)
    }

    fn finish_erasure(&self, erasure: &Erasure) -> Result<()> {
        self.0.store.finish_erasure(erasure)
    }

    fn erasures(&self) -> Result<Vec<Erasure>> {
        self.0.store.erasures()
    }

    fn unfinished_erasures(&self) -> Result<Vec<Erasure>> {
        self.0.store.unfinished_erasures()
    }

    fn telemetry(&self) -> &dyn Telemetry {
        self
    }

    fn graph_health(&self, now: Timestamp, entities: &[Node]) -> Result<GraphHealth> {
        self.0.store.graph_health(now, entities)
    }
}

impl Telemetry for Faulty {
    fn standing(&self) -> Result<Standing> {
        if self.0.switch.fault() == Fault::Standing {
            return Err(broken("read the mode"));
        }
        self.0.store.telemetry().standing()
    }

    fn ledger(&self, width: i64) -> Result<Ledger> {
        self.0.store.telemetry().ledger(width)
    }

    fn record(&self, measures: &Measures) -> Result<()> {
        if self.0.switch.fault() == Fault::Measures {
            return Err(broken("count"));
        }
        self.0.store.telemetry().record(measures)
    }

    fn set_mode(&self, change: &ModeChange) -> Result<()> {
        self.0.store.telemetry().set_mode(change)
    }

    fn keep_feedback(&self, credited: &[Credited], good: bool, at: Timestamp) -> Result<()> {
        self.0.store.telemetry().keep_feedback(credited, good, at)
    }
}
