//! A store for tests that counts requests and fails on demand.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc as Shared, Mutex};

use super::memory::locked;
use crate::backend::{Answers, Batch, Commit, Head, Read, Store, Telemetry};
use crate::model::{ChangeSet, Erasure, ErasurePlan, Error, Result, Revision};

/// The requests that fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fault {
    #[default]
    None,
    /// Walks over more than one kind of edge; looking up names still works.
    Walks,
    /// Reading any edges.
    Edges,
}

pub struct Watched(View);

struct View {
    store: Box<dyn Store>,
    switch: Switch,
}

/// The test's control over a store that an engine owns.
#[derive(Clone, Default)]
pub struct Switch(Shared<Watch>);

#[derive(Default)]
struct Watch {
    fault: Mutex<Fault>,
    requests: AtomicUsize,
}

impl Switch {
    pub fn set(&self, fault: Fault) {
        *locked(&self.0.fault) = fault;
    }

    fn fault(&self) -> Fault {
        *locked(&self.0.fault)
    }

    /// The number of requests (searches, rows, refreshes) since the last call. Telemetry does not count.
    pub fn take_requests(&self) -> usize {
        self.0.requests.swap(0, Ordering::SeqCst)
    }

    fn count(&self) {
        self.0.requests.fetch_add(1, Ordering::SeqCst);
    }
}

impl Watched {
    pub fn over(store: Box<dyn Store>, switch: &Switch) -> Self {
        Self(View { store, switch: switch.clone() })
    }

    fn view<T>(&self, act: impl FnOnce(&View) -> T) -> Result<T> {
        self.0.switch.count();
        Ok(act(&self.0))
    }

    fn revision_of_view(&self) -> Revision {
        self.0.store.revision()
    }
}

impl View {
    fn search(&self, batches: &[Batch<'_>]) -> Result<Vec<Answers>> {
        let fault = self.switch.fault();
        let is_walk = |fan_out: &[usize]| fan_out.iter().filter(|most| **most > 0).count() > 1;
        for batch in batches {
            let walks = batch.arcs.iter().any(|frontier| is_walk(frontier.fan_out));
            let edges = !batch.arcs.is_empty() || !batch.look.degrees.is_empty();
            if fault == Fault::Edges && edges || fault == Fault::Walks && walks {
                return Err(Error::unavailable("read edges", "the test broke it"));
            }
        }
        self.store.search(batches)
    }
}

impl Deref for View {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        self.store.as_ref()
    }
}

answer_by_view!(Watched);

impl Store for Watched {
    fn at_once(&self, act: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()> {
        act(self)
    }

    fn refresh(&self) -> Result<Head> {
        self.0.switch.count();
        self.0.store.refresh()
    }

    forward! { self, self.0.store =>
        write(plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit>;
        rebuild() -> Result<()>;
        integrity() -> Result<Vec<String>>;
        erase(plan: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>) -> Result<Option<Erasure>>;
        scrub(texts: Option<&[String]>) -> Result<u64>;
        finish_erasure(erasure: &Erasure) -> Result<()>;
        telemetry() -> &dyn Telemetry;
    }
}
