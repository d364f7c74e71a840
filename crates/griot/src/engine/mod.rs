//! The shell that owns a back end, a clock and an embedder, with everything that front ends call.
//!
//! Each method takes its inputs from clock and embedder, passes them to the pure functions (`remember`,
//! `recall`, `graph`), and passes their decisions to the back end. Unless a method says otherwise, an error
//! means that the store is unchanged.

mod answer;
mod arrival;
#[cfg(test)]
mod bench;
mod build;
mod care;
mod drawn;
mod erase;
mod exchange;
mod explore;
mod kept;
mod layout;
mod link;
mod list;
mod merge;
mod offers;
mod picture;
mod pictured;
mod reading;
mod recall;
mod recorder;
mod relations;
mod rollout;
#[cfg(test)]
mod rollout_tests;
mod summaries;
mod vectors;
mod warnings;
#[cfg(test)]
mod warnings_tests;
mod writing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::backend::sqlite::{Options, SqliteBackend};
use crate::backend::{Confined, Read, Store};
use crate::embed::{Embedder, StaticEmbedder};
use crate::model::{Memory, Result, Scope, Timestamp};
use crate::recall::{LatestProgress, Reranker, Rules, latest_progress, preferences, rules_of_scope};
use crate::store::Indexed;

pub use crate::backend::sqlite::QUARANTINE;
pub use crate::backend::{Cell, Counts, EdgeEnds, RemovedRow};
pub use crate::graph::WhyDirection;
pub use crate::remember::edges::LinkRequest;
pub use crate::remember::facts::FactDraft;
pub use crate::remember::forget::Forgotten;
pub use crate::remember::import::{EdgeRecord, FactRecord, Imported, MergeRecord, Record};
pub use crate::remember::naming::SimilarName;
pub use crate::settings::{
    CrawlMode, CrawlSettings, EmbedderModel, EmbedderSettings, EnrichSettings, GraphSettings, HooksSettings,
    IngestSettings, LogFormat, LogSettings, McpSettings, ModelProvider, ModelSettings, RecallSettings,
    RememberSettings, ReplyForm, RerankProvider, RerankerSettings, RolloutSettings, RoutingMode,
    RoutingSettings, SecretPolicy, ServerSettings, Settings, StoreSettings,
};
pub use answer::*;
pub use arrival::Arrival;
pub use erase::{Beside, Carried, RidBeside};
pub use explore::edge_number;
pub use layout::{Layout, LayoutState};
pub use list::ListRequest;
pub use pictured::{
    DrawnCommunity, DrawnEdge, DrawnKind, DrawnNode, DrawnSource, DrawnType, Picture, PictureRequest,
};
pub use reading::{Note, Session};
pub use relations::{RelationQuery, Relations, SourceGraph};
pub use summaries::Described;
pub use vectors::{Opener, VectorsToMake};

use layout::Layouts;
use recall::ChosenRanking;
use recorder::Recorder;
use rollout::GateCache;
use vectors::Embedders;

/// An open workspace. A clone is another handle on it.
#[derive(Clone)]
pub struct Engine {
    /// The first field, because it must be dropped first.
    recorder: Arc<Recorder>,
    /// Before the store, which its thread may hold.
    layouts: Arc<Layouts>,
    backend: Arc<dyn Store>,
    /// The store behind the view of one scope, for decisions that need all rows and show none of them.
    whole: Arc<dyn Store>,
    embedders: Arc<Embedders>,
    reranker: Option<Arc<dyn Reranker>>,
    /// Read at the first recall, so that a process that only stores does not pay for it.
    ranking: Arc<OnceLock<ChosenRanking>>,
    clock: Clock,
    settings: Arc<Settings>,
    /// Settings of agents that have their own, by name.
    agents: Arc<BTreeMap<String, Arc<Settings>>>,
    /// The agent whose settings these are.
    agent: Option<Arc<str>>,
    gate: Arc<GateCache>,
    /// The visible part of the workspace; the default is all of it.
    scope: Scope,
    /// The database file; `None` for a store without one.
    path: Option<PathBuf>,
    /// Writes are refused, because the file or its folder cannot be written.
    read_only: bool,
    /// The copy that was made before the database was migrated to the present format.
    copy: Option<PathBuf>,
}

/// The source of `now`; tests and replays bring their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// How a workspace is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Create the workspace if it does not exist.
    pub create: bool,
    pub read_only: bool,
}

impl Engine {
    /// Opens a database file with the built-in embedder and the system's clock.
    pub fn open(path: &Path, access: Access, settings: Settings) -> Result<Self> {
        let options = Options {
            create: access.create,
            read_only: access.read_only,
            busy_timeout_ms: settings.store.busy_timeout_ms,
            sync_full: settings.store.durable,
            ..Options::default()
        };
        let backend = SqliteBackend::open(path, options)?;
        let copy = backend.copy_made().map(Path::to_path_buf);
        let read_only = backend.is_read_only();
        let clock: Clock = Arc::new(|| Timestamp(jiff::Timestamp::now().as_millisecond()));
        let store = Box::new(Indexed::new(backend)?);
        let mut engine = Self::new(store, Arc::new(StaticEmbedder), clock, settings)?;
        engine.path = Some(path.to_path_buf());
        engine.copy = copy;
        engine.read_only = read_only;
        Ok(engine)
    }

    pub fn new(
        backend: Box<dyn Store>,
        embedder: Arc<dyn Embedder>,
        clock: Clock,
        settings: Settings,
    ) -> Result<Self> {
        let backend: Arc<dyn Store> = Arc::from(backend);
        let recorder = Arc::new(Recorder::new(Arc::clone(&backend), settings.rollout.metrics));
        let (ranking, gate, settings) = (Arc::default(), Arc::default(), Arc::new(settings));
        Ok(Self {
            recorder,
            layouts: Arc::new(Layouts::new()),
            whole: Arc::clone(&backend),
            backend,
            embedders: Arc::new(Embedders::new(embedder, None)),
            reranker: None,
            ranking,
            clock,
            settings,
            agents: Arc::default(),
            agent: None,
            gate,
            scope: Scope::default(),
            path: None,
            read_only: false,
            copy: None,
        })
    }

    /// Whether writes are refused, because the file or its folder cannot be written.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    pub fn with_embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.ranking = Arc::default();
        self.embedders = Arc::new(Embedders::new(embedder, Some(self.embedders.opener())));
        self
    }

    /// Opens the embedder of the stored vectors while it is another than the engine's own, by its name.
    /// Without this, only the built-in one can be opened.
    pub fn with_opener(mut self, opener: Opener) -> Self {
        let selected = Arc::clone(&self.embedders.selected);
        self.embedders = Arc::new(Embedders::new(selected, Some(opener)));
        self
    }

    /// Lets a reranker look at the best candidates of each recall.
    pub fn with_reranker(mut self, reranker: Arc<dyn Reranker>) -> Self {
        self.reranker = Some(reranker);
        self
    }

    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Gives agents their own settings, by name.
    pub fn with_agents(mut self, agents: BTreeMap<String, Settings>) -> Self {
        self.agents =
            Arc::new(agents.into_iter().map(|(name, settings)| (name, Arc::new(settings))).collect());
        self
    }

    /// The same workspace with the settings of an agent; `None` if it has no own settings.
    pub fn for_agent(&self, name: &str) -> Option<Self> {
        let settings = Arc::clone(self.agents.get(name)?);
        Some(Self { settings, agent: Some(name.into()), ..self.clone() })
    }

    /// The agent whose own settings this engine has.
    pub fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// The same workspace, where no edge of less confidence is followed and what is asked holds at `now`;
    /// what is not given is as before.
    pub fn asking(&self, min_confidence: Option<f32>, now: Option<Timestamp>) -> Self {
        let mut engine = self.clone();
        if let Some(least) = min_confidence {
            Arc::make_mut(&mut engine.settings).graph.min_confidence = least;
        }
        if let Some(now) = now {
            engine.clock = Arc::new(move || now);
        }
        engine
    }

    /// A view of the same workspace that is confined to a scope: every verb finds, walks and changes only
    /// what is inside. Store, embedder, ranking and settings are shared, so that this costs next to nothing.
    pub fn confined_to(&self, scope: Scope) -> Self {
        if scope == Scope::default() {
            return self.clone();
        }
        let backend = Arc::new(Confined::new(Arc::clone(&self.backend), scope.clone()));
        // The path and the size of the file are hidden from a view of a part of it.
        Self { backend, scope, path: None, copy: None, ..self.clone() }
    }

    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    pub fn embedder_name(&self) -> &str {
        self.embedders.selected.name()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The store as this engine sees it, for requests that no verb answers.
    pub fn read(&self) -> Result<&dyn Read> {
        self.backend.refresh()?;
        Ok(self.backend.as_ref())
    }

    /// The standing rules of a scope, most important first, within their budget.
    pub fn rules(&self, scope: &Scope) -> Result<Rules> {
        self.backend.refresh()?;
        rules_of_scope(self.backend.as_ref(), scope, self.now(), self.settings.recall.rules_budget)
    }

    /// At most so many standing preferences and rules of a scope about the work that a prompt orders:
    /// "install lodash" gets "We use pnpm here, not npm".
    pub fn preferences(&self, prompt: &str, scope: &Scope, most: usize) -> Result<Vec<Memory>> {
        self.backend.refresh()?;
        preferences(self.backend.as_ref(), prompt, scope, self.now(), most)
    }

    /// What was decided last and what is still open in a scope, at most `most` of each, and at most
    /// `preferred` preferences.
    pub fn latest_progress(&self, scope: &Scope, most: usize, preferred: usize) -> Result<LatestProgress> {
        self.backend.refresh()?;
        latest_progress(self.backend.as_ref(), scope, self.now(), most, preferred)
    }

    /// Closes the workspace: writes the counts, and the snapshot that lets the next process open
    /// quickly.
    pub fn close(self) -> Result<()> {
        drop(self);
        Ok(())
    }
}
