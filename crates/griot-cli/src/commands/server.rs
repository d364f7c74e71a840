//! `griot serve`, `griot mcp` and `griot key`, and the service that other programs hold in their process: the
//! only file that uses `griot-server`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use griot::engine::{Engine, LogFormat};
use griot::model::{Error, ErrorKind, Result};
use griot_ingest::FileOptions;
use griot_server::access::{Caller, KeyAccess, KeyRecord, Keys, Role};
use griot_server::http::App;
use griot_server::http::listen::{self, Server};
use griot_server::jobs::reading;
use griot_server::jobs::worker::{self, Reach};
use griot_server::mcp;
use griot_server::service::{Service, Workspaces};
use serde_json::{Value, json};

use crate::args::{Global, Key, KeyAction, Mcp, Page, Serve};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

/// How long a server may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(5);

/// The workspaces of this home, or the one file of `--db`.
struct ServedWorkspaces {
    session: Session,
    /// The workspace of requests that name none.
    active: String,
    /// `--db`: this file is the only workspace.
    only: bool,
}

impl Workspaces for ServedWorkspaces {
    fn open(&self, name: &str) -> Result<Engine> {
        if self.only {
            if name == self.active {
                return self.session.open(Use::Write);
            }
            return Err(Error::not_found(
                format!("open the workspace `{name}`"),
                "the server has one database only",
            ));
        }
        let target = self.session.home()?.workspace(name)?;
        self.session.open_target(&target, Use::Write)
    }

    fn database(&self, name: &str) -> Result<PathBuf> {
        if self.only {
            Ok(self.session.target()?.database)
        } else {
            Ok(self.session.home()?.workspace(name)?.database)
        }
    }

    fn removed(&self, name: &str) -> Result<Vec<PathBuf>> {
        if self.only { Ok(Vec::new()) } else { self.session.home()?.removed(name) }
    }

    fn names(&self) -> Result<Vec<String>> {
        if self.only { Ok(vec![self.active.clone()]) } else { self.session.home()?.workspaces() }
    }

    fn active(&self) -> Result<String> {
        Ok(self.active.clone())
    }

    fn folders(&self) -> Vec<PathBuf> {
        let home = self.session.home().ok().map(|home| home.root().to_path_buf());
        let database =
            self.session.target().ok().and_then(|target| target.database.parent().map(Path::to_path_buf));
        home.into_iter().chain(database).collect()
    }
}

impl ServedWorkspaces {
    fn new(session: &Session) -> Result<Self> {
        let target = session.target()?;
        let only = target.workspace.is_none();
        let active = target.workspace.unwrap_or_else(|| "default".to_string());
        Ok(Self { session: session.clone(), active, only })
    }
}

pub fn serve(session: &Session, args: &Serve) -> Result<Exit> {
    let settings = session.settings(&session.target()?)?.into_settings();
    let listen = args.listen.clone().unwrap_or_else(|| settings.server.listen.clone());
    if args.check {
        return check(session, &listen);
    }
    log(settings.server.log);
    let workspaces = ServedWorkspaces::new(session)?;
    warn_if_read_only(&workspaces)?;
    let service = Arc::new(Service::new(Box::new(workspaces)));
    worker::start(&service, Reach::Every)?;
    reading::start(&service)?;
    if !args.watch.is_empty() {
        service.watch(FileOptions { paths: args.watch.clone(), ..FileOptions::default() })?;
    }
    let keys = Keys::at(session.home()?.keys_file());
    let mut tools = settings.mcp.clone();
    tools.compatibility |= args.compatibility;
    let runtime = started(tokio::runtime::Builder::new_multi_thread(), "start the server")?;
    runtime.block_on(async {
        let make = |loopback| App::new(service, keys, settings.server.clone(), tools, loopback);
        let server = listen::bind(&listen, make).await?;
        // Before the address is printed, so that a program that reads it can stop the server at once.
        let end = end()?;
        announce(session, &server)?;
        server.run(end).await
    })?;
    Ok(Exit::Fine)
}

/// Whether the server is ready; the supervisors of containers know no codes but 0 and 1.
fn check(session: &Session, listen: &str) -> Result<Exit> {
    let (ready, text) = match listen::check(listen, PATIENCE) {
        Ok(address) => (true, format!("the server at {address} is ready")),
        Err(error) if error.kind == ErrorKind::Unavailable => (false, error.to_string()),
        Err(error) => return Err(error),
    };
    session.out.answer(&json!({ "ready": ready }), |_, _| text)?;
    Ok(Exit::fine_if(ready))
}

fn started(mut runtime: tokio::runtime::Builder, what: &str) -> Result<tokio::runtime::Runtime> {
    runtime.enable_all().build().map_err(|error| Error::unavailable(what, error.to_string()))
}

/// Reports each workspace that cannot be written.
fn warn_if_read_only(workspaces: &ServedWorkspaces) -> Result<()> {
    for name in workspaces.names()? {
        let is_read_only = |file: PathBuf| file.is_file() && griot::backend::sqlite::refuses_writing(&file);
        if workspaces.database(&name).is_ok_and(is_read_only) {
            eprintln!(
                "griot: the workspace `{name}` is read-only: questions are answered, nothing is stored"
            );
        }
    }
    Ok(())
}

/// Prints the address, for which programs wait.
fn announce(session: &Session, server: &Server) -> Result<()> {
    let address = format!("http://{}", server.address());
    let keyless = server.keyless()?;
    session.out.answer(&json!({ "listening": address, "keyless": keyless }), |_, _| {
        let access = if keyless {
            "there are no keys: only this machine is answered (griot key create makes one)"
        } else {
            "every request needs a key"
        };
        format!("griot listens on {address}\n{access}")
    })
}

/// Completes on Ctrl-C or SIGTERM.
fn end() -> Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .map_err(|error| Error::unavailable("listen for signals", error.to_string()))?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        {
            // Without a handler the process ends at once.
            let _ = tokio::signal::ctrl_c().await;
        }
    })
}

fn log(format: LogFormat) {
    use tracing_subscriber::filter::LevelFilter;
    let base = || tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(LevelFilter::INFO);
    // Fails if a logger exists already, which then logs.
    let _ = match format {
        LogFormat::Off => return,
        LogFormat::Json => base().json().flatten_event(true).with_target(false).try_init(),
        LogFormat::Text => base().with_target(false).with_ansi(false).try_init(),
    };
}

pub fn mcp(session: Session, args: &Mcp) -> Result<Exit> {
    let settings = session.settings(&session.target()?)?.into_settings();
    let service = of_one_agent(&session)?;
    let caller = Caller { user: args.user.clone(), ..Caller::owner() };
    // One thread for the protocol; the engine has its own.
    let runtime = started(tokio::runtime::Builder::new_current_thread(), "serve MCP on stdio")?;
    let mut tools = settings.mcp;
    tools.compatibility |= args.compatibility;
    runtime.block_on(mcp::stdio::serve(service, caller, &tools))?;
    Ok(Exit::Fine)
}

/// The workspaces of the session, whose jobs run only in the active one.
fn of_one_agent(session: &Session) -> Result<Arc<Service>> {
    let service = Arc::new(Service::new(Box::new(ServedWorkspaces::new(session)?)));
    worker::start(&service, Reach::Active)?;
    reading::start(&service)?;
    Ok(service)
}

/// A program that holds the engine in its own process.
#[derive(Default)]
pub struct Program {
    /// As `--db`.
    pub db: Option<PathBuf>,
    /// As `--workspace`.
    pub workspace: Option<String>,
    /// The executable that reads heavy files; without one they are read in this process.
    pub reader: Option<PathBuf>,
}

/// The service of `griot mcp` without its protocol. The workspace is open when it returns.
pub fn service(program: Program) -> Result<Arc<Service>> {
    if let Some(reader) = program.reader {
        griot_ingest::set_read_program(griot_ingest::ReadProgram::At(reader));
    }
    let (db, workspace) = (program.db, program.workspace);
    let session = Session::new(Global { workspace, db, ..Global::default() });
    let workspaces = ServedWorkspaces::new(&session)?;
    let active = workspaces.active.clone();
    let service = of_one_agent(&session)?;
    service.engine(&active).inspect_err(|_| service.close())?;
    Ok(service)
}

pub fn key(session: &Session, args: Key) -> Result<Exit> {
    let keys = Keys::at(session.home()?.keys_file());
    match args.action {
        KeyAction::Create { role, user, name, rate } => {
            let target = session.target()?;
            let Some(workspace) = target.workspace.clone() else {
                return Err(Error::invalid("make a key", "a key belongs to a workspace, not to a file")
                    .hint("griot key create --workspace NAME"));
            };
            // Creates the default workspace, and suggests a similar name if there is no such workspace.
            session.open_target(&target, Use::Write)?.close()?;
            let (key, record) =
                keys.create(KeyAccess { workspace, role: Role::parse(&role)?, user, name, rate })?;
            let mut answer = shown(&record);
            answer["key"] = Value::String(key.clone());
            session.out.answer(&answer, |_, _| {
                format!(
                    "{key}\n{} for the workspace {}; this is the only time it is shown",
                    record.id, record.access.workspace
                )
            })?;
        }
        KeyAction::List(limit) => {
            let list = limit.cut(keys.list()?, "key", "keys");
            let answer: Vec<Value> = list.iter().map(shown).collect();
            let is_closed = keys.is_locked_without_keys()?;
            session.out.answer(&answer, |page, _| match is_closed {
                false => table(page, &list),
                true => "No keys, and there were some: a server answers nobody.\n\
                         griot key create makes one; griot key open answers this machine without one."
                    .to_string(),
            })?;
        }
        KeyAction::Open => {
            keys.open()?;
            session.out.answer(&json!({ "open": true }), |_, _| {
                "this machine is answered without a key; restart a server that runs".to_string()
            })?;
        }
        KeyAction::Revoke { key } => {
            let record = keys.revoke(&key)?;
            session.out.answer(&shown(&record), |_, _| format!("{} is refused from now on", record.id))?;
        }
    }
    Ok(Exit::Fine)
}

fn table(page: render::Page, keys: &[KeyRecord]) -> String {
    if keys.is_empty() {
        return "No keys. Create one with griot key create.".to_string();
    }
    let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_string());
    let header = ["id", "workspace", "role", "user", "name", "per minute", "state"];
    render::table(page, header, &[5], keys, |key| {
        let KeyAccess { workspace, role, user, name, rate } = &key.access;
        let rate = or_dash(&rate.map(|rate| rate.to_string()));
        let state = key.revoked_at.as_ref().map_or_else(|| "live".to_string(), |at| format!("revoked {at}"));
        let (id, role) = (key.id.clone(), role.name().to_string());
        [id, workspace.clone(), role, or_dash(user), or_dash(name), rate, state]
    })
}

/// The reference pages that describe the server.
pub fn reference(page: Page) -> String {
    match page {
        Page::Http => griot_server::http::openapi::page(),
        Page::Openapi => griot_server::http::openapi::text(),
        _ => griot_wire::schema::text(&griot_server::verbs()),
    }
}

/// A key without its hash.
fn shown(record: &KeyRecord) -> Value {
    let mut shown = json!(record);
    shown.as_object_mut().and_then(|key| key.shift_remove("hash"));
    shown
}
