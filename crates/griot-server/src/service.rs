//! Where is a request answered, and may it be? The one place that knows workspaces, roles and scopes; HTTP
//! and MCP both go through it.
//!
//! - A workspace is opened at its first use and stays open: discovery and health cost no model and no index.
//! - A key reaches one workspace. If it is bound to a user, every verb sees that user's memories and
//!   nobody's, and changes only that user's (`Engine::confined_to`).
//! - What a request names as its scope narrows what the caller may see and never widens it.
//! - An agent's own settings count where the request names one, or the program that asks is one
//!   (`Engine::for_agent`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use griot::engine::{EdgeView, Engine};
use griot::model::{Result, Scope};
use griot_ingest::{FileOptions, Jobs, Lies};
use griot_wire::request::Place;

use crate::access::{Caller, Role};
use crate::failure::{Failure, Kind, Outcome};
use crate::jobs::bell::Bell;
use crate::jobs::watching::Watching;

/// The folder of workspaces, as the program that starts the server knows it.
pub trait Workspaces: Send + Sync {
    /// Opens a workspace; an error if there is none of this name.
    fn open(&self, name: &str) -> Result<Engine>;
    /// Where the database of a workspace lies; its jobs lie beside it.
    fn database(&self, name: &str) -> Result<PathBuf>;
    /// Databases of removed workspaces, which may be copies of this one.
    fn removed(&self, _name: &str) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }
    /// Names of the workspaces, sorted.
    fn names(&self) -> Result<Vec<String>>;
    /// The workspace of those who name none.
    fn active(&self) -> Result<String>;
    /// Folders of files that no caller from elsewhere is told of.
    fn folders(&self) -> Vec<PathBuf> {
        let names = self.names().unwrap_or_default();
        let databases = names.iter().filter_map(|name| self.database(name).ok());
        databases.filter_map(|database| database.parent().map(Path::to_path_buf)).collect()
    }
}

type Slot = Arc<Mutex<Option<Arc<Engine>>>>;

/// All workspaces behind one door.
pub struct Service {
    workspaces: Box<dyn Workspaces>,
    open: Mutex<BTreeMap<String, Slot>>,
    pub(crate) bell: Bell,
    /// What ends the threads in the background.
    endings: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
    watching: Mutex<Option<Watching>>,
    /// Set once the service ends: who waits for something else gives up.
    ending: Arc<AtomicBool>,
}

/// Who wants to know how far a call is; mostly nobody.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<dyn Fn(u64, u64) + Send + Sync>>);

impl Progress {
    pub fn new(hears: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hears)))
    }

    /// So many of so many are done.
    pub fn tell(&self, done: u64, all: u64) {
        if let Some(hears) = &self.0 {
            hears(done, all);
        }
    }
}

/// One request, let in: where it is answered and what it may see.
pub struct Call {
    /// The whole workspace.
    pub whole: Arc<Engine>,
    /// What the request may see of it.
    pub engine: Arc<Engine>,
    /// What was asked for: user and project.
    pub scope: Scope,
    /// The user to whom the caller is bound.
    pub bound: Option<String>,
    pub workspace: String,
    pub progress: Progress,
    caller: Caller,
    lies: Lies,
    bell: Bell,
    /// The service ends.
    pub(crate) ending: Arc<AtomicBool>,
}

impl Service {
    pub fn new(workspaces: Box<dyn Workspaces>) -> Self {
        Self {
            workspaces,
            open: Mutex::default(),
            bell: Bell::default(),
            endings: Mutex::default(),
            watching: Mutex::default(),
            ending: Arc::default(),
        }
    }

    /// Calls this when the service closes.
    pub(crate) fn on_close(&self, end: impl FnOnce() + Send + 'static) {
        lock(&self.endings).push(Box::new(end));
    }

    /// Watches files and folders for the workspace of those who name none, until [`Service::close`].
    pub fn watch(&self, options: FileOptions) -> Result<()> {
        let engine = self.engine(&self.active()?)?;
        *lock(&self.watching) = Some(Watching::start(engine, options)?);
        Ok(())
    }

    /// Lets a request in, or says why not.
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
        let bell = self.bell.clone();
        let lies = Lies { database: self.database(&workspace)?, removed: Vec::new() };
        let lies = if needed > Role::Read {
            Lies { removed: self.workspaces.removed(&workspace)?, ..lies }
        } else {
            lies
        };
        Ok(Call {
            whole,
            engine,
            scope,
            bound,
            workspace,
            progress,
            caller: caller.clone(),
            lies,
            bell,
            ending: Arc::clone(&self.ending),
        })
    }

    /// The workspace of a request, without opening it.
    pub fn place(&self, caller: &Caller, place: &Place, needed: Role) -> Outcome<String> {
        allowed(caller, needed, "do this")?;
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
        // Only those who want the same workspace wait while it is opened.
        let mut slot = lock(&slot);
        if let Some(engine) = &*slot {
            return Ok(Arc::clone(engine));
        }
        match self.workspaces.open(name) {
            Ok(engine) => Ok(Arc::clone(slot.insert(Arc::new(engine)))),
            Err(error) => {
                // Names that do not exist must not pile up.
                drop(slot);
                lock(&self.open).retain(|_, slot| slot.try_lock().map_or(true, |slot| slot.is_some()));
                Err(error)
            }
        }
    }

    /// Names of the workspaces that the caller may ask.
    pub fn names(&self, caller: &Caller) -> Result<Vec<String>> {
        match &caller.workspace {
            Some(own) => Ok(vec![own.clone()]),
            None => self.workspaces.names(),
        }
    }

    /// The failure as this caller may be told of it: the owner of the machine knows where the files are.
    pub fn told(&self, caller: Option<&Caller>, failure: Failure) -> Failure {
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

    /// The workspaces that can be opened at all: readiness.
    pub fn ready(&self) -> Result<()> {
        self.workspaces.names().map(drop)
    }

    /// Whoever waits for a web site or a job gives up; what they wait for goes on later.
    pub fn end_waiting(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    /// Ends the work on jobs and closes what is open; snapshots that are due are written.
    pub fn close(&self) {
        self.end_waiting();
        let endings = std::mem::take(&mut *lock(&self.endings));
        endings.into_iter().for_each(|end| end());
        let watching = lock(&self.watching).take();
        if let Some(watching) = watching {
            watching.end();
        }
        lock(&self.open).clear();
    }
}

/// Somebody asks for one user with a key of another.
pub fn bound_to(own: &str, asked: &str) -> Failure {
    let why = format!("the key is bound to the user `{own}`");
    Failure::new(Kind::Forbidden, format!("answer for the user `{asked}`"), why)
}

fn allowed(caller: &Caller, needed: Role, verb: &str) -> Outcome<()> {
    if caller.role >= needed {
        return Ok(());
    }
    let why = format!("the key has the role `{}`", caller.role.name());
    Err(Failure::new(Kind::Forbidden, verb, why).hint(format!("use a key with the role `{}`", needed.name())))
}

impl Call {
    /// For a part of a verb that takes more than the verb itself.
    pub fn needs(&self, role: Role, verb: &str) -> Outcome<()> {
        allowed(&self.caller, role, verb)
    }

    /// The jobs of the workspace.
    pub fn jobs(&self) -> Result<Jobs> {
        Jobs::beside(&self.lies.database)
    }

    /// Where the workspace lies, for who removes something from all of its files.
    pub fn lies(&self) -> &Lies {
        &self.lies
    }

    /// Nothing where there never was one.
    pub fn jobs_if_any(&self) -> Result<Option<Jobs>> {
        Jobs::find(&self.lies.database)
    }

    /// Somebody is to look for work.
    pub fn wake(&self) {
        self.bell.ring();
    }

    /// The caller has a key: it need not sit at this machine.
    pub fn is_remote(&self) -> bool {
        self.caller.key.is_some()
    }

    /// Who does something that is written down.
    pub fn speaker(&self) -> String {
        self.caller.key.as_ref().map_or_else(|| "user".to_string(), |key| format!("key {key}"))
    }

    /// For verbs about the workspace as a whole, which one of its users may not use.
    pub fn of_all(&self, verb: &str) -> Outcome<&Engine> {
        match &self.bound {
            None => Ok(&self.whole),
            Some(user) => {
                let why =
                    format!("it concerns the whole workspace, and the key is bound to the user `{user}`");
                Err(Failure::new(Kind::Forbidden, verb.to_string(), why))
            }
        }
    }

    /// A memory that a bound caller may hide or replace: one of its own, not one that everybody shares.
    pub fn own_memory(&self, what: &str, name: &str) -> Outcome<()> {
        let Some(user) = &self.bound else { return Ok(()) };
        let owner = self.engine.owner_of(name)?;
        if owner.as_ref() == Some(user) {
            return Ok(());
        }
        let why = format!("`{}` is shared, and the key is bound to the user `{user}`", name.trim());
        Err(Failure::new(Kind::Forbidden, what.to_string(), why))
    }

    /// Edges that a bound caller may remove.
    pub fn own_edges(&self, edges: &[EdgeView]) -> Outcome<()> {
        let Some(user) = &self.bound else { return Ok(()) };
        for view in edges {
            if !self.whole.is_edge_of(&view.edge, user)? {
                let kind = view.edge.kind.name();
                let why = format!("the edge `{kind}` is shared, and the key is bound to the user `{user}`");
                let failure = Failure::new(Kind::Forbidden, "unlink", why);
                return Err(if edges.len() > 1 {
                    failure.hint("name the `kind` of your own")
                } else {
                    failure
                });
            }
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
