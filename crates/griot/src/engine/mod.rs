//! The shell that owns a back end, a clock and an embedder; everything that front ends call.
//!
//! Few methods, much behind them: each takes its inputs from clock and embedder, hands them to the pure parts
//! (`remember`, `recall`, `graph`), and passes what those decided to the back end. Unless a method says
//! otherwise, an error means that the store is as it was.

mod answer;
mod arrival;
mod build;
mod care;
mod erase;
#[cfg(test)]
mod erase_tests;
mod exchange;
mod explore;
mod layers;
mod link;
mod merge;
mod naming;
mod recorder;
mod rollout;
#[cfg(test)]
mod rollout_tests;
mod stated;
mod warnings;
#[cfg(test)]
mod warnings_tests;
mod writing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::backend::sqlite::{Options, SqliteBackend};
use crate::backend::{Backend, Confined, Read};
use crate::embed::{Embedder, StaticEmbedder};
use crate::model::{Error, ErrorKind, Result, Scope, Timestamp};
use crate::recall::{self, Context, Forest, Query, Ranker, Recall};
use crate::rollout::Strategy;

pub use crate::settings::{
    CrawlSettings, EmbedderModel, EmbedderSettings, GraphSettings, HooksSettings, IngestSettings, LogFormat,
    McpSettings, RecallSettings, RememberSettings, RolloutSettings, RoutingMode, RoutingSettings,
    SecretPolicy, ServerSettings, Settings, StoreSettings,
};
pub use answer::*;
pub use arrival::Arrival;
pub use erase::{Beside, Carried, RidBeside};
pub use explore::edge_number;

use recorder::Recorder;
use rollout::GateCache;

/// A workspace, open.
pub struct Engine {
    /// First, because it is closed first.
    recorder: Arc<Recorder>,
    backend: Arc<dyn Backend + Send + Sync>,
    embedder: Arc<dyn Embedder>,
    ranker: Arc<Ranker>,
    /// Read at the first recall: a process that only stores never pays for it.
    trees: Arc<OnceLock<RankingTrees>>,
    clock: Clock,
    settings: Arc<Settings>,
    /// Settings of the agents that have some of their own, by name.
    agents: Arc<BTreeMap<String, Arc<Settings>>>,
    gate: Arc<GateCache>,
    /// What this engine sees of the workspace; the default is all of it.
    scope: Scope,
    /// The database file; `None` for a store that is not one.
    path: Option<PathBuf>,
    /// The copy that was made before the database was brought to the present format.
    copy: Option<PathBuf>,
}

/// Where `now` comes from; tests and replays bring their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// How a workspace is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Make the workspace if it is not there.
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
        let clock: Clock = Arc::new(|| Timestamp(jiff::Timestamp::now().as_millisecond()));
        let mut engine = Self::new(Box::new(backend), Arc::new(StaticEmbedder), clock, settings)?;
        engine.path = Some(path.to_path_buf());
        engine.copy = copy;
        Ok(engine)
    }

    pub fn new(
        backend: Box<dyn Backend + Send + Sync>,
        embedder: Arc<dyn Embedder>,
        clock: Clock,
        settings: Settings,
    ) -> Result<Self> {
        let ranker = Arc::new(Ranker::built_in()?.clone());
        let backend: Arc<dyn Backend + Send + Sync> = Arc::from(backend);
        let recorder = Arc::new(Recorder::new(Arc::clone(&backend), settings.rollout.clone()));
        let (trees, gate, settings) = (Arc::default(), Arc::default(), Arc::new(settings));
        Ok(Self {
            recorder,
            backend,
            embedder,
            ranker,
            trees,
            clock,
            settings,
            agents: Arc::default(),
            gate,
            scope: Scope::default(),
            path: None,
            copy: None,
        })
    }

    /// Questions are answered and every write is refused: the file or its folder cannot be written.
    pub fn is_read_only(&self) -> bool {
        self.backend.is_read_only()
    }

    pub fn with_embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.trees = Arc::default();
        self.embedder = embedder;
        self
    }

    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Gives agents settings of their own: all that count for one, by its name.
    pub fn with_agents(mut self, agents: BTreeMap<String, Settings>) -> Self {
        self.agents =
            Arc::new(agents.into_iter().map(|(name, settings)| (name, Arc::new(settings))).collect());
        self
    }

    /// The same workspace with the settings of an agent; `None` if it has none of its own.
    pub fn for_agent(&self, name: &str) -> Option<Self> {
        let settings = Arc::clone(self.agents.get(name)?);
        Some(Self { settings, ..self.shared() })
    }

    /// The same workspace, where no edge of less confidence is followed and what is asked holds at `now`;
    /// what is not given is as before.
    pub fn asking(&self, min_confidence: Option<f32>, now: Option<Timestamp>) -> Self {
        let mut engine = self.shared();
        if let Some(least) = min_confidence {
            Arc::make_mut(&mut engine.settings).graph.min_confidence = least;
        }
        if let Some(now) = now {
            engine.clock = Arc::new(move || now);
        }
        engine
    }

    /// Another handle on the same workspace.
    fn shared(&self) -> Self {
        Self {
            recorder: Arc::clone(&self.recorder),
            backend: Arc::clone(&self.backend),
            embedder: Arc::clone(&self.embedder),
            ranker: Arc::clone(&self.ranker),
            trees: Arc::clone(&self.trees),
            clock: Arc::clone(&self.clock),
            settings: Arc::clone(&self.settings),
            agents: Arc::clone(&self.agents),
            gate: Arc::clone(&self.gate),
            scope: self.scope.clone(),
            path: self.path.clone(),
            copy: self.copy.clone(),
        }
    }

    /// The same workspace as somebody sees it who may see this scope only: every verb finds, walks and
    /// changes what is inside and nothing else. Store, embedder, ranking and settings are shared, so that
    /// this costs next to nothing.
    pub fn confined_to(&self, scope: Scope) -> Self {
        if scope == Scope::default() {
            return self.shared();
        }
        let backend = Arc::new(Confined::new(Arc::clone(&self.backend), scope.clone()));
        // Where the file lies, and how large it is, concerns nobody who sees only a part of it.
        Self { backend, scope, path: None, copy: None, ..self.shared() }
    }

    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    pub fn embedder_name(&self) -> &str {
        self.embedder.name()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The store as this engine sees it, for what no verb answers.
    pub fn read(&self) -> Result<&dyn Read> {
        self.backend.refresh()?;
        Ok(self.backend.as_ref())
    }

    /// The standing rules of a scope, most important first, within their budget.
    pub fn rules(&self, scope: &Scope) -> Result<recall::Rules> {
        self.backend.refresh()?;
        recall::rules_of_scope(self.backend.as_ref(), scope, self.now(), self.settings.recall.rules_budget)
    }

    /// What an answer needs besides the store, once for all strategies.
    fn asked(&self, query: &Query) -> Result<Asked<'_>> {
        self.backend.refresh()?;
        if query.text.trim().is_empty() {
            return Err(Error::invalid("recall", "the question is empty")
                .hint("griot recall \"what did we decide?\""));
        }
        if query.limit == 0 {
            return Err(Error::invalid("recall", "the limit is 0, so nothing can be returned"));
        }
        let trees = self.trees.get_or_init(|| RankingTrees::of(self.embedder.as_ref(), &self.settings));
        let mut missing: Vec<String> = trees.missing.iter().cloned().collect();
        let vector = if self.has_vectors()? {
            match self.embedder.embed(&[recall::subject(query).as_str()]) {
                Ok(mut vectors) => vectors.pop().flatten(),
                Err(error) => {
                    missing.push(format!("vectors were not used: {error}"));
                    None
                }
            }
        } else {
            if self.backend.next_numbers()?.memory > 1 {
                missing.push(
                    "vectors were not used: no memory has one (`griot reindex --embed` makes them)"
                        .to_string(),
                );
            }
            None
        };
        Ok(Asked { vector, missing, forest: trees.forest.as_ref() })
    }

    /// The answer by one strategy, whatever the workspace's mode.
    fn answer(&self, query: &Query, asked: &Asked<'_>, strategy: Strategy) -> Result<Recall> {
        let context = Context {
            vector: asked.vector.as_deref(),
            settings: &self.settings,
            ranker: &self.ranker,
            forest: asked.forest,
            missing: asked.missing.clone(),
            strategy,
        };
        recall::recall(self.backend.as_ref(), query, &context)
    }

    /// False before the first vector; an error if another model made them.
    fn has_vectors(&self) -> Result<bool> {
        match self.backend.vector_model()? {
            None => Ok(false),
            Some((model, _)) if model == self.embedder.name() => Ok(true),
            Some((model, _)) => Err(Error::new(
                ErrorKind::Unavailable,
                "compare vectors",
                format!(
                    "the store's were made by `{model}`, the embedder in use is `{}`",
                    self.embedder.name()
                ),
            )
            .hint("griot reindex --embed")),
        }
    }

    /// Ends the use of the workspace; what was counted, and what lets the next process open quickly, is
    /// written.
    pub fn close(self) -> Result<()> {
        drop(self);
        Ok(())
    }
}

/// A question's vector, and what could not be had.
struct Asked<'a> {
    vector: Option<Vec<f32>>,
    missing: Vec<String>,
    forest: Option<&'a Forest>,
}

/// The ranking trees that the settings name, or those of the embedder.
struct RankingTrees {
    /// `None` leaves the order to the weighted sum.
    forest: Option<Forest>,
    /// What could not be used, and why.
    missing: Option<String>,
}

impl RankingTrees {
    fn of(embedder: &dyn Embedder, settings: &Settings) -> Self {
        let mut missing = None;
        let path = &settings.recall.ranker;
        if !path.is_empty() {
            let read = std::fs::read_to_string(path).map_err(|error| {
                Error::unavailable(format!("read the ranking trees in {path}"), error.to_string())
            });
            match read.and_then(|text| Forest::parse(&text)) {
                Ok(forest) => return Self { forest: Some(forest), missing },
                Err(error) => {
                    missing = Some(format!("the built-in ranking trees were used instead: {error}"))
                }
            }
        }
        match embedder.ranking_trees().map_or_else(Forest::built_in, Forest::parse) {
            Ok(forest) => Self { forest: Some(forest), missing },
            Err(error) => {
                let missing = Some(format!("results are ranked by the weighted sum alone: {error}"));
                Self { forest: None, missing }
            }
        }
    }
}
