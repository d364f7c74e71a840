//! For tests: an engine with a clock in the hands of the test, over a store that fails on demand.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::{Clock, Engine, Settings};
use crate::backend::Store;
use crate::backend::sqlite::{Options, SqliteBackend};
use crate::embed::StaticEmbedder;
use crate::model::Timestamp;
use crate::remember::Draft;
use crate::store::Indexed;
use crate::testkit::memory::MemoryBackend;
use crate::testkit::watched::{Switch, Watched};

/// 2025-06-01T12:00:00Z.
pub(super) const NOW: i64 = 1_748_779_200_000;

pub(super) struct Bench {
    pub engine: Engine,
    pub switch: Switch,
    clock: Arc<AtomicI64>,
    /// Removed with the bench.
    pub _folder: Option<tempfile::TempDir>,
}

impl Bench {
    pub fn new() -> Self {
        Self::over(Box::new(MemoryBackend::new()), Settings::default())
    }

    pub fn on_disk(folder: &Path, settings: Settings) -> Self {
        let options = Options { create: true, sync_full: false, ..Options::default() };
        let rows = SqliteBackend::open(&folder.join("griot.db"), options).expect("it opens");
        Self::over(Box::new(Indexed::new(rows).expect("it opens")), settings)
    }

    fn over(store: Box<dyn Store>, settings: Settings) -> Self {
        let switch = Switch::default();
        let backend = Box::new(Watched::over(store, &switch));
        let clock = Arc::new(AtomicI64::new(NOW));
        let hands = Arc::clone(&clock);
        let clock_of_engine: Clock = Arc::new(move || Timestamp(hands.load(Ordering::SeqCst)));
        let engine =
            Engine::new(backend, Arc::new(StaticEmbedder), clock_of_engine, settings).expect("it opens");
        Self { engine, switch, clock, _folder: None }
    }

    /// Lets time pass.
    pub fn pass(&self, milliseconds: i64) {
        self.clock.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// Stores a text; returns its id.
    pub fn remember(&self, text: &str) -> String {
        self.engine.remember(Draft::new(text)).expect("it is stored").id.to_string()
    }
}
