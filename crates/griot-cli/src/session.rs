//! What a command works with: its workspace, settings, engine, output and clock.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use griot::engine::{Access, Engine, RoutingMode, Settings};
use griot::model::{Error, Result, Timestamp};
use griot::private;
use griot_ingest::Lies;
use griot_wire::call::Call;
use griot_wire::failure::Outcome;
use griot_wire::request::{Place, Request};
use griot_wire::settings::Layers;
use serde::Serialize;

use crate::args::Global;
use crate::embedder;
use crate::files;
use crate::home::{DEFAULT_WORKSPACE, Home, Target};
use crate::output::Output;
use crate::render::Page;
use crate::repository::Checkout;
use crate::reranker;

#[derive(Clone)]
pub struct Session {
    pub out: Output,
    global: Global,
    /// Warnings that were printed; settings are read more than once.
    warned: Arc<Mutex<BTreeSet<String>>>,
    /// The folder of an empty database, read instead of a workspace that does not exist.
    nowhere: Arc<OnceLock<tempfile::TempDir>>,
    nothing_seen: Arc<AtomicBool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Read,
    Write,
}

impl Session {
    pub fn new(global: Global) -> Self {
        if global.quiet {
            crate::output::be_quiet();
        }
        Self {
            out: Output::new(global.json),
            global,
            warned: Arc::default(),
            nowhere: Arc::default(),
            nothing_seen: Arc::default(),
        }
    }

    /// The same with one more assignment of a setting, which precedes all others.
    pub fn with_setting(&self, assignment: String) -> Self {
        let mut session = self.clone();
        session.global.set.push(assignment);
        session
    }

    /// Whether the last call read an empty workspace.
    pub fn saw_nothing(&self) -> bool {
        self.nothing_seen.load(Ordering::Relaxed)
    }

    /// Says on standard error what is done, for `--verbose`.
    pub fn explain(&self, what: impl FnOnce() -> String) {
        if self.global.verbose {
            crate::output::note(&what());
        }
    }

    /// The arguments that start another process on the same workspace with the same settings.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let mut add = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        if let Some(name) = &self.global.workspace {
            add("--workspace", name.into());
        }
        if let Some(path) = &self.global.db {
            add("--db", path.into());
        }
        for assignment in &self.global.set {
            add("--set", assignment.into());
        }
        arguments
    }

    /// The workspace and the database that the command line names.
    pub fn named(&self) -> (Option<&str>, Option<&Path>) {
        (self.global.workspace.as_deref(), self.global.db.as_deref())
    }

    pub fn home(&self) -> Result<Home> {
        Home::find()
    }

    /// The workspace to use. If none is named, the settings `routing.*` may choose it by the working folder.
    pub fn target(&self) -> Result<Target> {
        self.target_for(std::env::current_dir().ok().as_deref())
    }

    /// The same for another folder, such as the one that an agent works in.
    pub fn target_for(&self, folder: Option<&Path>) -> Result<Target> {
        let home = self.home()?;
        let (workspace, db) = self.named();
        if let Some(named) = home.named(db, workspace)? {
            return Ok(named);
        }
        let active = home.workspace(&home.active()?)?;
        // Wrong settings are reported when they are read next.
        let Ok(settings) = self.general_settings() else { return Ok(active) };
        let routing = &settings.routing;
        let remote = match routing.mode {
            RoutingMode::Off => None,
            RoutingMode::Auto => {
                folder.and_then(Checkout::around).map(|checkout| checkout.remote.unwrap_or_default())
            }
        };
        match griot_wire::routing::workspace(routing, remote.as_deref()) {
            Some(name) => Ok(Target { routed: true, ..home.workspace(name)? }),
            None => Ok(active),
        }
    }

    /// Settings without those of a workspace: the file for all workspaces, the environment, flags.
    pub fn general_settings(&self) -> Result<Settings> {
        let files = vec![self.home()?.settings_file()];
        let nowhere = Target { database: PathBuf::new(), settings: files, workspace: None, routed: false };
        Ok(self.settings(&nowhere)?.into_settings())
    }

    /// Settings from all files, the environment and flags, for this target.
    pub fn settings(&self, target: &Target) -> Result<Layers> {
        let mut layers = Layers::default();
        for path in &target.settings {
            if let Some(text) = files::read(path)? {
                layers.file(path, &text)?;
            }
        }
        let readable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        layers.environment(std::env::vars_os().filter_map(readable))?;
        for assignment in &self.global.set {
            layers.flag(assignment)?;
        }
        layers.warnings().iter().for_each(|warning| self.warn(warning));
        Ok(layers)
    }

    /// Prints a warning on standard error, once.
    pub fn warn(&self, warning: &str) {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.insert(warning.to_string()) {
            crate::output::note(&format!("warning: {warning}"));
        }
    }

    /// The settings of an agent.
    pub fn settings_of(&self, target: &Target, agent: &str) -> Result<Settings> {
        let layers = self.settings(target)?;
        Ok(layers.agents()?.remove(agent).unwrap_or_else(|| layers.into_settings()))
    }

    /// Opens the workspace. Creates the default workspace, and on writing the file of `--db`, if it does not
    /// exist.
    pub fn open(&self, use_: Use) -> Result<Engine> {
        self.open_target(&self.target()?, use_)
    }

    /// A call on the workspace, with the settings of the agent that the request names.
    pub fn call(&self, use_: Use, place: &Place) -> Result<Call> {
        let target = self.target()?;
        let engine = self.open_target(&target, use_)?;
        let engine = place.agent.as_deref().and_then(|agent| engine.for_agent(agent)).unwrap_or(engine);
        let workspace = target.workspace.clone().unwrap_or_default();
        let lies = match use_ {
            Use::Read => Lies { database: target.database, removed: Vec::new() },
            Use::Write => self.lies(&target)?,
        };
        let mut call = Call::of_owner(engine, place.scope(), workspace, lies);
        call.caller.agent.clone_from(&place.agent);
        if use_ == Use::Read {
            self.nothing_seen.store(call.is_empty()?, Ordering::Relaxed);
        }
        Ok(call)
    }

    pub fn ask<Q: Request, A: Serialize>(
        &self,
        use_: Use,
        request: Q,
        verb: fn(&Call, Q) -> Outcome<A>,
        text: impl FnOnce(Page, &A) -> String,
    ) -> Result<A> {
        let call = self.call(use_, &request.place()?)?;
        let answer = verb(&call, request)?;
        self.out.answer(&answer, text)?;
        Ok(answer)
    }

    /// As [`Session::open`], for another target.
    pub fn open_target(&self, target: &Target, use_: Use) -> Result<Engine> {
        let layers = self.settings(target)?;
        let (agents, settings) = (layers.agents()?, layers.into_settings());
        let named = target.workspace.as_deref();
        self.explain(|| {
            let read: Vec<String> = target
                .settings
                .iter()
                .filter(|path| path.exists())
                .map(|path| path.display().to_string())
                .collect();
            let read = if read.is_empty() { "none".to_string() } else { read.join(", ") };
            format!("database {}; settings files {read}", target.database.display())
        });
        if !target.database.exists() {
            match named {
                Some(name) if name == DEFAULT_WORKSPACE || target.routed => match use_ {
                    Use::Read => return self.nothing(settings),
                    Use::Write => make_folder(&target.database)?,
                },
                Some(name) if !target.database.parent().is_some_and(Path::is_dir) => {
                    return Err(self.home()?.missing(name, "open"));
                }
                None if use_ == Use::Read => {
                    let what = format!("open `{}`", target.database.display());
                    return Err(Error::not_found(what, "there is no such file")
                        .hint("griot remember TEXT --db PATH makes it"));
                }
                Some(_) | None => {}
            }
        }
        let engine = open(&target.database, settings)?.with_agents(agents);
        if let Some(copy) = engine.copy_made() {
            crate::output::note(&format!(
                "the database was brought to the present format; as it was it lies in {}",
                copy.display()
            ));
        }
        if !engine.unfinished_erasures()?.is_empty() {
            // While another process reads the previous state, this fails and the next process tries again;
            // `griot erase --resume` reports why.
            let _ = griot_ingest::finish_erasures(&engine, &self.lies(target)?);
        }
        Ok(engine)
    }

    /// A workspace without memories: reading one that does not exist yet creates no files of it.
    fn nothing(&self, settings: Settings) -> Result<Engine> {
        let folder = tempfile::tempdir()
            .map_err(|error| Error::unavailable("make a temporary folder", error.to_string()))?;
        let folder = self.nowhere.get_or_init(|| folder);
        open(&folder.path().join("griot.db"), settings)
    }

    /// The files of a workspace, from all of which an erasure removes.
    pub fn lies(&self, target: &Target) -> Result<Lies> {
        let removed = match &target.workspace {
            Some(name) => self.home()?.removed(name)?,
            None => Vec::new(),
        };
        Ok(Lies { database: target.database.clone(), removed })
    }
}

pub fn open(database: &Path, settings: Settings) -> Result<Engine> {
    // First, so that a wrong choice leaves no empty database behind.
    let embedder = embedder::open(&settings, database)?;
    let reranker = reranker::open(&settings, database)?;
    let former = embedder::Former::new(&settings, database);
    let engine = Engine::open(database, Access { create: true, read_only: false }, settings)?
        .with_opener(Arc::new(move |name: &str| former.open(name)));
    let engine = match embedder {
        Some(embedder) => engine.with_embedder(embedder),
        None => engine,
    };
    Ok(match reranker {
        Some(reranker) => engine.with_reranker(reranker),
        None => engine,
    })
}

fn make_folder(database: &Path) -> Result<()> {
    let Some(folder) = database.parent() else { return Ok(()) };
    private::folder(folder).map_err(|error| {
        Error::unavailable(format!("create the folder `{}`", folder.display()), error.to_string())
            .hint("set GRIOT_HOME to a folder that can be written")
    })
}

pub fn clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map(|age| age.as_millis() as i64);
    Timestamp(since.unwrap_or_default())
}
