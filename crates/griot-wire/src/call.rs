//! An admitted request: which workspace answers it, what it may see and change, and who follows its progress.
//!
//! A server makes a [`Call`] from a key and a scope, the command line from the workspace that it has opened.
//! Each verb is a function of a call and a request, so that all surfaces answer alike.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use griot::engine::{EdgeView, Engine};
use griot::model::{Error, Result, Scope};
use griot_ingest::{Jobs, Lies};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Kind, Outcome};
use crate::request::{read_time, share, within};

/// What a key allows. Each role may do what those before it may.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Read,
    Write,
    Admin,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }

    pub fn parse(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name).ok_or_else(|| {
            Error::invalid(format!("use the role `{name}`"), "there is no such role")
                .hint("use read, write or admin")
        })
    }
}

/// The caller, as far as the server knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The only workspace that may be asked; `None` for the owner of this machine.
    pub workspace: Option<String>,
    pub role: Role,
    /// The only user whose memories may be seen and changed.
    pub user: Option<String>,
    /// Id of the key.
    pub key: Option<String>,
    /// The program that asks, by the name that it gives itself: whose settings count, and nothing else.
    pub agent: Option<String>,
}

impl Caller {
    /// The owner of this machine, who could open the files directly.
    pub fn owner() -> Self {
        Self { workspace: None, role: Role::Admin, user: None, key: None, agent: None }
    }

    /// Refuses callers with a lower role.
    pub fn needs(&self, role: Role, verb: &str) -> Outcome<()> {
        if self.role >= role {
            return Ok(());
        }
        let why = format!("the key has the role `{}`", self.role.name());
        Err(Failure::new(Kind::Forbidden, verb, why)
            .hint(format!("use a key with the role `{}`", role.name())))
    }
}

/// The failure of a caller that is bound to another user.
pub fn bound_to(own: &str, asked: &str) -> Failure {
    let why = format!("the key is bound to the user `{own}`");
    Failure::new(Kind::Forbidden, format!("answer for the user `{asked}`"), why)
}

/// Receives the progress of a call; usually absent.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<dyn Fn(u64, u64) + Send + Sync>>);

impl Progress {
    pub fn new(hears: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hears)))
    }

    /// Reports the number of finished items out of the total.
    pub fn report(&self, done: u64, all: u64) {
        if let Some(hears) = &self.0 {
            hears(done, all);
        }
    }
}

/// Tokens of an answer for a language model that asks for no number: about a page.
pub const TOKENS: usize = 1200;

/// An admitted request.
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
    /// The most tokens of an answer that is text for a language model.
    pub tokens: usize,
    pub caller: Caller,
    /// The paths of the workspace, for erasure from all of its files.
    pub lies: Lies,
    /// Wakes the job worker; `None` if there is none.
    pub wake: Option<Arc<dyn Fn() + Send + Sync>>,
    /// Set when waiting requests must give up.
    pub ending: Arc<AtomicBool>,
}

impl Call {
    /// A call on the command line: the whole workspace, without the bounds that protect a server from its
    /// clients.
    pub fn of_owner(engine: Engine, scope: Scope, workspace: String, lies: Lies) -> Self {
        let whole = Arc::new(engine);
        Self {
            engine: Arc::clone(&whole),
            whole,
            scope,
            bound: None,
            workspace,
            progress: Progress::default(),
            tokens: TOKENS,
            caller: Caller::owner(),
            lies,
            wake: None,
            ending: Arc::default(),
        }
    }

    /// A whole number within the bounds of a server.
    pub fn bounded(&self, name: &str, value: usize, least: usize, most: usize) -> Result<()> {
        if self.is_served() { within(name, value, least, most).map(drop) } else { Ok(()) }
    }

    /// Whether a server answers the call, for a caller who waits.
    pub fn is_served(&self) -> bool {
        self.wake.is_some()
    }

    /// For a part of a verb that takes more than the verb itself.
    pub fn needs(&self, role: Role, verb: &str) -> Outcome<()> {
        self.caller.needs(role, verb)
    }

    /// The engine, which follows no edge of less confidence, and answers as of `now`; both default to what
    /// the settings and the clock say.
    pub fn asking(&self, min_confidence: Option<f32>, now: Option<&str>) -> Result<Engine> {
        let least = min_confidence.map(|least| share("min_confidence", least)).transpose()?;
        let now = now.map(|text| read_time(text, self.engine.now())).transpose()?;
        Ok(self.engine.asking(least, now))
    }

    /// Whether there is no memory to find.
    pub fn is_empty(&self) -> Result<bool> {
        self.engine.is_empty()
    }

    /// The jobs of the workspace.
    pub fn jobs(&self) -> Result<Jobs> {
        Jobs::for_database(&self.lies.database)
    }

    /// `None` if there never was one.
    pub fn jobs_if_any(&self) -> Result<Option<Jobs>> {
        Jobs::find(&self.lies.database)
    }

    /// Wakes the job worker.
    pub fn wake(&self) {
        if let Some(wake) = &self.wake {
            wake();
        }
    }

    /// The caller has a key, and may be on another machine.
    pub fn is_remote(&self) -> bool {
        self.caller.key.is_some()
    }

    /// The caller's name for records.
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
