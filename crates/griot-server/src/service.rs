//! Authorizes requests and opens the workspaces that they ask. HTTP and MCP both go through it; nothing else
//! knows workspaces, roles and scopes.
//!
//! - A workspace is opened at its first use and stays open: discovery and health load no model and no index.
//! - A key reaches one workspace. A key that is bound to a user sees that user's memories and shared ones,
//!   and changes only that user's (`Engine::confined_to`).
//! - The scope of a request narrows what its caller may see and never widens it.
//! - Settings of an agent apply if the request or the client names that agent (`Engine::for_agent`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use griot::engine::Engine;
use griot::model::{Result, Scope};
use griot_ingest::{FileOptions, Lies};
use griot_wire::call::{TOKENS, bound_to};
use griot_wire::request::Place;

use crate::access::{Caller, Role};
use crate::failure::{Failure, Kind, Outcome};
use crate::jobs::Signal;
use crate::jobs::watching::Watching;

pub use griot_wire::call::{Call, Progress};

/// The folder of workspaces, provided by the program that starts the server.
pub trait Workspaces: Send + Sync {
    /// Opens a workspace; an error if there is none of this name.
    fn open(&self, name: &str) -> Result<Engine>;
    /// Path of the database of a workspace; its jobs are beside it.
    fn database(&self, name: &str) -> Result<PathBuf>;
    /// Databases of removed workspaces, which may be copies of this one.
    fn removed(&self, _name: &str) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }
    /// Names of the workspaces, sorted.
    fn names(&self) -> Result<Vec<String>>;
    /// The default workspace.
    fn active(&self) -> Result<String>;
    /// Folders whose paths are hidden from remote callers.
    fn folders(&self) -> Vec<PathBuf> {
        let names = self.names().unwrap_or_default();
        let databases = names.iter().filter_map(|name| self.database(name).ok());
        databases.filter_map(|database| database.parent().map(Path::to_path_buf)).collect()
    }
}

/// How long the end of the service waits for entries of the log of recalls.
const LOGGED: Duration = Duration::from_secs(2);

type Slot = Arc<Mutex<Option<Arc<Engine>>>>;

pub struct Service {
    workspaces: Box<dyn Workspaces>,
    open: Mutex<BTreeMap<String, Slot>>,
    pub(crate) signal: Signal,
    /// Callbacks that end background threads.
    endings: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
    watching: Mutex<Option<Watching>>,
    /// Set when the service ends, so that requests stop waiting.
    ending: Arc<AtomicBool>,
}

impl Service {
    pub fn new(workspaces: Box<dyn Workspaces>) -> Self {
        Self {
            workspaces,
            open: Mutex::default(),
            signal: Signal::default(),
            endings: Mutex::default(),
            watching: Mutex::default(),
            ending: Arc::default(),
        }
    }

    /// Registers a callback for [`Service::close`].
    pub(crate) fn on_close(&self, end: impl FnOnce() + Send + 'static) {
        lock(&self.endings).push(Box::new(end));
    }

    /// Watches files and folders for the active workspace, until [`Service::close`].
    pub fn watch(&self, options: FileOptions) -> Result<()> {
        let engine = self.engine(&self.active()?)?;
        *lock(&self.watching) = Some(Watching::start(engine, options)?);
        Ok(())
    }

    /// Authorizes a request.
    pub fn enter(&self, caller: &Caller, place: &Place, needed: Role) -> Outcome<Call> {
        let workspace = self.place(caller, place, needed)?;
        let user = match (&caller.user, &place.user) {
            (Some(own), Some(asked)) if own != asked => {
                return Err(bound_to(own, asked));
            }
            (own, asked) => own.clone().or_else(|| asked.clone()),
        };
        let whole = self.engine(&workspace)?;
        let own = place.agent.as_deref().or(caller.agent.as_deref()).and_then(|agent| whole.for_agent(agent));
        let whole = own.map_or(whole, Arc::new);
        let scope = Scope { user, project: place.project.clone() };
        let engine = if scope == Scope::default() {
            Arc::clone(&whole)
        } else {
            Arc::new(whole.confined_to(scope.clone()))
        };
        let (bound, progress) = (caller.user.clone(), Progress::default());
        let signal = self.signal.clone();
        let wake: Arc<dyn Fn() + Send + Sync> = Arc::new(move || signal.notify());
        let removed = if needed > Role::Read { self.workspaces.removed(&workspace)? } else { Vec::new() };
        let lies = Lies { database: self.database(&workspace)?, removed };
        Ok(Call {
            whole,
            engine,
            scope,
            bound,
            workspace,
            progress,
            tokens: TOKENS,
            caller: Caller { agent: place.agent.clone().or_else(|| caller.agent.clone()), ..caller.clone() },
            lies,
            wake: Some(wake),
            ending: Arc::clone(&self.ending),
        })
    }

    /// The workspace of a request, without opening it.
    pub fn place(&self, caller: &Caller, place: &Place, needed: Role) -> Outcome<String> {
        caller.needs(needed, "do this")?;
        match (&caller.workspace, &place.workspace) {
            // The same answer whether or not the other one exists.
            (Some(own), Some(asked)) if own != asked => {
                let why = format!("the key belongs to the workspace `{own}`");
                Err(Failure::new(Kind::Forbidden, format!("answer for the workspace `{asked}`"), why))
            }
            (Some(own), _) => Ok(own.clone()),
            (None, Some(asked)) => Ok(asked.clone()),
            (None, None) => Ok(self.workspaces.active()?),
        }
    }

    pub fn engine(&self, name: &str) -> Result<Arc<Engine>> {
        let slot = Arc::clone(lock(&self.open).entry(name.to_string()).or_default());
        // Only requests for the same workspace wait while it is opened.
        let mut slot = lock(&slot);
        if let Some(engine) = &*slot {
            return Ok(Arc::clone(engine));
        }
        match self.workspaces.open(name) {
            Ok(engine) => Ok(Arc::clone(slot.insert(Arc::new(engine)))),
            Err(error) => {
                // Entries of names that do not exist must not accumulate.
                drop(slot);
                lock(&self.open).retain(|_, slot| slot.try_lock().map_or(true, |slot| slot.is_some()));
                Err(error)
            }
        }
    }

    /// The workspaces that are open, with their databases.
    pub(crate) fn opened(&self) -> Vec<(Arc<Engine>, PathBuf)> {
        let slots: Vec<(String, Slot)> =
            lock(&self.open).iter().map(|(name, slot)| (name.clone(), Arc::clone(slot))).collect();
        let engine = |slot: &Slot| slot.try_lock().ok().and_then(|slot| slot.clone());
        let opened = slots.iter().filter_map(|(name, slot)| Some((engine(slot)?, self.database(name).ok()?)));
        opened.collect()
    }

    /// Names of the workspaces that the caller may use.
    pub fn names(&self, caller: &Caller) -> Result<Vec<String>> {
        match &caller.workspace {
            Some(own) => Ok(vec![own.clone()]),
            None => self.workspaces.names(),
        }
    }

    /// The failure as this caller may see it: only the owner of the machine sees paths.
    pub fn conceal(&self, caller: Option<&Caller>, failure: Failure) -> Failure {
        match caller {
            Some(caller) if caller.key.is_none() => failure,
            _ => failure.conceal(&self.workspaces.folders()),
        }
    }

    pub(crate) fn all_names(&self) -> Result<Vec<String>> {
        self.workspaces.names()
    }

    pub(crate) fn active(&self) -> Result<String> {
        self.workspaces.active()
    }

    pub(crate) fn database(&self, name: &str) -> Result<PathBuf> {
        self.workspaces.database(name)
    }

    /// Readiness: the workspaces can be listed.
    pub fn ready(&self) -> Result<()> {
        self.workspaces.names().map(drop)
    }

    /// Ends waits for web sites and jobs; the work itself resumes later.
    pub fn end_waiting(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    /// Ends background work and closes the workspaces; writes snapshots that are due.
    pub fn close(&self) {
        self.end_waiting();
        let endings = std::mem::take(&mut *lock(&self.endings));
        endings.into_iter().for_each(|end| end());
        let watching = lock(&self.watching).take();
        if let Some(watching) = watching {
            watching.end();
        }
        lock(&self.open).clear();
        griot_ingest::recalls::flush(LOGGED);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
