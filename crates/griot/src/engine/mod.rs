//! The shell that owns a back end, a clock and an embedder; everything that front ends call.

mod answer;

use std::path::Path;

use crate::model::{EdgeKind, EntityType, Error, Family, Interval, Memory, Result, Scope, SourceId, Timestamp};
use crate::graph::Warning;
use crate::recall::{Hop, Query, Recall};
use crate::remember::{Draft, IngestTally, Remembered, SourceDraft};

pub use answer::*;
pub use crate::settings::{GraphSettings, IngestSettings, RecallSettings, RememberSettings, Settings, StoreSettings};

pub struct Engine {}

/// How a workspace is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Make the workspace if it is not there.
    pub create: bool,
    pub read_only: bool,
}

fn later<T>() -> Result<T> {
    Err(Error::new(crate::model::ErrorKind::Bug, "do this", "not connected"))
}

#[expect(unused_variables)]
impl Engine {
    pub fn open(path: &Path, access: Access, settings: Settings) -> Result<Self> { later() }
    pub fn now(&self) -> Timestamp { Timestamp(0) }
    pub fn settings(&self) -> &Settings { unreachable!() }

    pub fn remember(&self, draft: Draft) -> Result<Remembered> { later() }
    /// All drafts in one transaction; without candidates.
    pub fn remember_all(&self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<Vec<Remembered>> { later() }
    /// Makes the source hold exactly these drafts: unchanged ones stay, others are added, those gone are forgotten.
    /// `None` if the content hash is the known one.
    pub fn ingest(&self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<Option<IngestTally>> { later() }
    pub fn source_is_current(&self, source: &SourceDraft) -> Result<bool> { later() }

    pub fn link(&self, request: &LinkRequest) -> Result<Linked> { later() }
    pub fn unlink(&self, source: &str, target: &str, kind: Option<EdgeKind>, label: Option<&str>) -> Result<Vec<EdgeView>> { later() }
    pub fn verify(&self) -> Result<Vec<Warning>> { later() }
    pub fn recall(&self, query: &Query) -> Result<Recall> { later() }

    pub fn show(&self, name: &str) -> Result<Memory> { later() }
    pub fn why(&self, name: &str, direction: WhyDirection, depth: usize, min_confidence: f32) -> Result<Why> { later() }
    pub fn related(&self, name: &str, depth: usize, families: &[Family], limit: usize) -> Result<Vec<Related>> { later() }
    /// `None` if no path of at most `max_hops` joins them.
    pub fn path(&self, from: &str, to: &str, max_hops: usize) -> Result<Option<Vec<Hop>>> { later() }
    pub fn entity(&self, name: &str, hops: usize, limit: usize) -> Result<EntityView> { later() }
    pub fn hubs(&self, query: HubQuery) -> Result<Vec<Hub>> { later() }
    pub fn add_fact(&self, draft: &FactDraft) -> Result<FactView> { later() }
    pub fn facts(&self, entity: Option<&str>, as_of: Option<Timestamp>) -> Result<Vec<FactView>> { later() }
    /// Around a memory, or the latest ones inside an interval and scope.
    pub fn timeline(&self, anchor: Option<&str>, before: usize, after: usize, interval: Option<Interval>, scope: &Scope) -> Result<Timeline> { later() }
    pub fn similar(&self, name: &str, limit: usize) -> Result<Vec<Related>> { later() }
    pub fn traverse(&self, query: &Query, width: usize, budget: usize, depth: usize) -> Result<Vec<Related>> { later() }
    pub fn build_graphs(&self, semantic_threshold: f32, progress: &mut dyn FnMut(u64, u64)) -> Result<BuiltGraphs> { later() }

    /// `name`: a memory, an entity or a source (`s12`).
    pub fn forget(&self, name: &str) -> Result<Forgotten> { later() }
    pub fn restore(&self, name: &str) -> Result<Forgotten> { later() }
    pub fn gc(&self, threshold: f32, limit: usize) -> Result<Vec<GcCandidate>> { later() }
    /// Counts as three accesses, so that `gc` stops listing it.
    pub fn keep(&self, name: &str) -> Result<Memory> { later() }
    pub fn sources(&self) -> Result<Vec<SourceView>> { later() }
    pub fn source(&self, id: SourceId) -> Result<(SourceView, Vec<Memory>)> { later() }
    pub fn set_source_tags(&self, id: SourceId, tags: Vec<String>) -> Result<SourceView> { later() }
    pub fn status(&self) -> Result<Status> { later() }
    pub fn doctor(&self) -> Result<Health> { later() }
    /// Rebuilds the indexes; with `embed`, makes every vector again with the embedder in use.
    pub fn reindex(&self, embed: bool, progress: &mut dyn FnMut(u64, u64)) -> Result<()> { later() }
    pub fn export(&self, sink: &mut dyn FnMut(Record) -> Result<()>) -> Result<()> { later() }
    /// All records in one transaction: an error leaves the store as it was.
    pub fn import(&self, records: &mut dyn Iterator<Item = Result<Record>>) -> Result<Imported> { later() }
    pub fn entities_named(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<crate::model::Entity>> { later() }
    /// Writes what is pending for the next process to open quickly.
    pub fn close(self) -> Result<()> { later() }
}
