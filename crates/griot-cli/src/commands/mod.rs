//! The commands. Most run a verb of `griot_wire::verbs` and print its answer; longer ones have files of
//! their own.

mod backup;
mod config;
mod connect;
mod crawl;
mod demo;
mod edit;
mod erase;
mod export;
mod facts;
mod forget;
mod health;
mod ingest;
mod jobs;
mod kinds;
mod merge;
pub mod overview;
mod reference;
mod remember;
mod rollout;
mod server;
mod shell;
mod sources;
mod watch;
mod workspace;

pub use server::{Program, service};

use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use griot::model::{ErrorKind, Result};
use griot_wire::call::Call;
use griot_wire::request::{Bare, Named, Request, source_here};
use griot_wire::verbs::memory::{self, Shown};
use griot_wire::verbs::recall::Recall;
use griot_wire::verbs::{self, entity, link, timeline, walk, why};

use crate::args::{
    Backup, Completions, Config, ConflictsArgs, Connect, CrawlArgs, CrawlStatus, Demo, Doctor, EditArgs,
    EraseArgs, ErasuresArgs, Export, FactsArgs, Feedback, GcArgs, Global, Hook, Hubs, Import, Ingest,
    JobsArgs, Key, Limit, LinkArgs, ListArgs, Man, Mcp, MergeArgs, MergesArgs, Names, NotesArgs, OffersArgs,
    PathArgs, RecallArgs, RecallsArgs, Reference, RememberArgs, RestoreBackup, Rollout, Serve, Sources,
    TimelineArgs, TraverseArgs, Unquoted, VerifyArgs, Watch, WhyArgs, Workspace,
};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

/// Graph memory for agents: remember, link, recall
///
/// Griot stores what agents and people learn as a graph on this machine, and returns it with the path that
/// led to it. Nothing leaves the machine, unless you set a language model and ask it.
#[derive(Parser, Debug)]
#[command(name = "griot", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  griot demo
  griot remember \"We moved sessions to Redis because Postgres was too slow\" --kind decision
  griot ingest docs/
  griot recall \"why did we move to Redis?\" --explain

Exit codes: 0 fine (an empty answer is fine), 1 not found or a check failed, 2 failure.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Store a text and connect it by time, entities, causes and similarity
    #[command(aliases = ["add", "note"])]
    Remember(RememberArgs),
    /// Ask the memory a question
    #[command(aliases = ["ask", "find", "query", "search"])]
    Recall(RecallArgs),
    /// List memories, those stored last first
    #[command(aliases = ["ls"])]
    List(ListArgs),
    /// Store a new version of a memory; the old one is kept
    Edit(EditArgs),
    /// Connect two memories or entities
    Link(LinkArgs),
    /// Remove edges between two memories or entities
    Unlink(link::Unlink),
    /// Hide a memory, an entity or a source; `restore` brings it back, `erase` removes for good
    #[command(aliases = ["delete", "rm"])]
    Forget(Names),
    /// Restore forgotten memories, entities or sources
    Restore(Names),
    /// Remove a memory, a source, an entity or a user's memories for good, from every file
    Erase(EraseArgs),
    /// List receipts of erasures
    Erasures(ErasuresArgs),
    /// Print one memory in full
    Show(Named),
    /// Find the causes and consequences of a memory
    Why(WhyArgs),
    /// Find nodes connected to a memory or an entity
    Related(Unquoted<walk::Related>),
    /// Find the shortest path between two memories or entities
    Path(PathArgs),
    /// Show everything known about an entity
    Entity(Unquoted<entity::Entity>),
    /// List facts and when they were valid
    Facts(FactsArgs),
    /// List facts that contradict each other
    Conflicts(ConflictsArgs),
    /// List the best connected entities
    Hubs(Hubs),
    /// Merge two entities into one, or undo a merge
    Merge(MergeArgs),
    /// List merges and suggested merges
    Merges(MergesArgs),
    /// List what `remember` offered to link, and refuse it
    Offers(OffersArgs),
    /// List what a language model noted of a memory, or undo the latest
    Notes(NotesArgs),
    /// List memories in chronological order
    #[command(aliases = ["log"])]
    Timeline(TimelineArgs),
    /// Find similar memories
    Similar(walk::Similar),
    /// Walk the graph from a question
    Traverse(TraverseArgs),
    /// Connect similar memories, for workspaces with few edges
    BuildGraphs(verbs::health::BuildGraphs),
    /// List memories that could be removed; nothing is deleted
    Gc(GcArgs),
    /// Read files and folders into memories
    Ingest(Ingest),
    /// Watch files and folders and keep the workspace up to date with them
    Watch(Watch),
    /// Read a page or a site into memories
    Crawl(CrawlArgs),
    /// Show the progress of a crawl
    CrawlStatus(CrawlStatus),
    /// List, pause and resume crawls and other jobs
    Jobs(JobsArgs),
    /// List the sources of memories
    Sources(Sources),
    /// Show the contents of the workspace
    #[command(aliases = ["info", "stats"])]
    Status,
    /// Let the language model read new memories
    Enrich(verbs::enrich::Enrich),
    /// List what agents asked, if recalls are logged
    Recalls(RecallsArgs),
    /// Show what language models were asked and what it cost
    Usage(verbs::answer::UsageQuery),
    /// Show and set the rollout of the graph
    Rollout(Rollout),
    /// Rate an answer
    Feedback(Feedback),
    /// Check causal edges for contradictions
    Verify(VerifyArgs),
    /// Rebuild the indexes
    Reindex(verbs::health::Reindex),
    /// Check the workspace for damage, and repair it
    Doctor(Doctor),
    /// Show settings with their origins, and change them
    Config(Config),
    /// Write the whole workspace as JSON Lines
    Export(Export),
    /// Read an export into the workspace
    Import(Import),
    /// Copy a workspace into one file, also while it is used
    Backup(Backup),
    /// Create a workspace from a backup
    RestoreBackup(RestoreBackup),
    /// List, create, choose and remove workspaces
    Workspace(Workspace),
    /// Connect Griot to an agent's host program, or disconnect it
    Connect(Connect),
    /// Hooks for hosts: recall for a prompt, store a session
    Hook(Hook),
    /// Serve HTTP, and MCP at /mcp
    Serve(Serve),
    /// Serve MCP on standard input and output
    Mcp(Mcp),
    /// Create, list and revoke keys of the server
    Key(Key),
    /// Show what Griot does, in a temporary workspace
    Demo(Demo),
    /// Print or install a script that completes commands in your shell
    Completions(Completions),
    /// Print or install manual pages
    Man(Man),
    /// Print a reference page
    #[command(hide = true)]
    Reference(Reference),
}

/// The command line of this process.
pub fn parsed() -> std::result::Result<Cli, clap::Error> {
    let command = overview::grouped(Cli::command()).color(crate::output::colour_of_clap());
    Cli::from_arg_matches(&command.try_get_matches()?)
}

pub fn run(cli: Cli) -> Result<Exit> {
    let mut global = cli.global;
    if matches!(cli.command, Some(Command::Hook(_))) {
        // A host shows its user what a hook prints, or logs it as an error: it says why it failed if that is
        // asked for, and nothing else.
        global.quiet = !global.verbose;
        global.verbose = false;
    }
    let session = Session::new(global);
    let Some(command) = cli.command else { return fine(session.out.text(&overview::short())) };
    let most = if matches!(command, Command::Hook(_)) { LOGGED_BY_A_HOOK } else { LOGGED };
    let begun = std::time::Instant::now();
    let looks = looks(&command);
    let mut exit = execute(&session, command);
    if looks && session.saw_nothing() {
        exit =
            exit.map_err(|error| if error.kind == ErrorKind::NotFound { error.hint(EMPTY) } else { error });
        if exit.is_ok() && !session.out.is_json() {
            crate::output::note(&format!("hint: {EMPTY}"));
        }
    }
    session.explain(|| format!("took {} ms", begun.elapsed().as_millis()));
    griot_ingest::recalls::flush(most);
    exit
}

/// How long the end of a command waits until its recall is in the log; a host waits for its hooks.
const LOGGED: Duration = Duration::from_secs(2);
const LOGGED_BY_A_HOOK: Duration = Duration::from_millis(50);

/// Commands that look into the workspace: in an empty one, they say how to fill it.
fn looks(command: &Command) -> bool {
    matches!(
        command,
        Command::Recall(_)
            | Command::List(_)
            | Command::Show(_)
            | Command::Notes(_)
            | Command::Why(_)
            | Command::Entity(_)
            | Command::Timeline(_)
            | Command::Path(_)
            | Command::Related(_)
            | Command::Similar(_)
            | Command::Traverse(_)
            | Command::Facts(_)
            | Command::Conflicts(_)
            | Command::Hubs(_)
            | Command::Sources(_)
            | Command::Status
    )
}

const EMPTY: &str = "the workspace is empty: fill it with griot remember \"…\" or griot ingest PATH";

fn execute(session: &Session, command: Command) -> Result<Exit> {
    match command {
        Command::Remember(args) => remember::run(session, args),
        Command::Recall(args) => recall(session, args),
        Command::Traverse(args) => traverse(session, args),
        Command::Link(args) => {
            let label = args.sub_type.or(args.request.label);
            let q = link::Link { label, ..args.request };
            fine(session.ask(Use::Write, q, link::link, render::linked))
        }
        Command::Unlink(q) => {
            let unlinked = session.ask(Use::Write, q, link::unlink, render::unlinked)?;
            Ok(Exit::fine_if(!unlinked.removed.is_empty()))
        }
        Command::Forget(args) => forget::forget(session, &args),
        Command::Restore(args) => forget::restore(session, &args),
        Command::Erase(args) => erase::erase(session, args),
        Command::Erasures(args) => erase::erasures(session, args),
        // An entity may be called like an edge, and is then shown by `griot entity`.
        Command::Show(q) => {
            let call = session.call(Use::Read, &q.place()?)?;
            let shown = memory::shown(&call, q)?;
            let replaced = match &shown {
                Shown::Memory(memory) => memory::replaced_by(&call, memory)?,
                Shown::Edge(_) => Vec::new(),
            };
            fine(session.out.answer(&shown, |page, shown| match shown {
                Shown::Memory(memory) => render::memory(page, memory, &replaced),
                Shown::Edge(edge) => render::edge_in_full(page, edge),
            }))
        }
        Command::Why(args) => why(session, args.request.0, args.format.language()),
        Command::Related(Unquoted(q)) => fine(session.ask(Use::Read, q, walk::related, |page, found| {
            render::related(page, found, "nothing is connected with it")
        })),
        Command::Similar(q) => {
            fine(session.ask(Use::Read, q, walk::similar, |page, found| render::similar(page, found)))
        }
        Command::Path(PathArgs { request: q, format }) => {
            let most = q.max_hops;
            let text = |page, path: &_| match format.language() {
                Some(language) => render::path_diagram(path, language),
                None => render::path(page, path, most),
            };
            let path = session.ask(Use::Read, q, walk::path, text)?;
            Ok(Exit::fine_if(path.found))
        }
        Command::Entity(Unquoted(q)) => fine(session.ask(Use::Read, q, entity::entity, render::entity)),
        Command::Hubs(args) => hubs(session, args),
        Command::Facts(args) => facts::run(session, args),
        Command::Conflicts(args) => facts::conflicting(session, args),
        Command::Merge(args) => merge::merge(session, args),
        Command::Merges(args) => merge::merges(session, args),
        Command::Offers(args) => offers(session, args),
        Command::Notes(NotesArgs { request, undo }) => {
            fine(match undo {
                true => session
                    .ask(Use::Write, request, verbs::notes::undo, |page, list| render::notes(page, list)),
                false => session
                    .ask(Use::Read, request, verbs::notes::notes, |page, list| render::notes(page, list)),
            })
        }
        Command::Timeline(args) => timeline(session, args),
        Command::List(args) => list(session, args),
        Command::Edit(args) => edit::run(session, args),
        Command::BuildGraphs(q) => health::build_graphs(session, q),
        Command::Gc(args) => health::gc(session, args),
        Command::Ingest(args) => ingest::run(session, args),
        Command::Watch(args) => watch::run(session, args),
        Command::Crawl(args) => crawl::run(session, args),
        Command::CrawlStatus(args) => crawl::status(session, &args),
        Command::Jobs(args) => jobs::run(session, args),
        Command::Sources(args) => sources::run(session, args),
        Command::Status => health::status(session),
        Command::Recalls(args) => recalls(session, args),
        Command::Usage(q) => fine(session.ask(Use::Read, q, verbs::answer::usage, render::usage)),
        Command::Enrich(q) => health::enrich(session, q),
        Command::Rollout(args) => rollout::rollout(session, args),
        Command::Feedback(args) => rollout::feedback(session, args),
        Command::Verify(args) => health::verify(session, args),
        Command::Reindex(q) => health::reindex(session, q),
        Command::Doctor(args) => health::doctor(session, &args),
        Command::Config(args) => config::run(session, args),
        Command::Export(args) => export::export(session, &args),
        Command::Import(args) => export::import(session, &args),
        Command::Backup(args) => backup::backup(session, &args),
        Command::RestoreBackup(args) => backup::restore(session, &args),
        Command::Workspace(args) => workspace::run(session, args),
        Command::Connect(args) => connect::run(session, &args),
        Command::Hook(args) => Ok(crate::hooks::run(session.clone(), &args)),
        Command::Serve(args) => server::serve(session, &args),
        Command::Mcp(args) => server::mcp(session.clone(), &args),
        Command::Key(args) => server::key(session, args),
        Command::Demo(args) => demo::run(session, &args),
        Command::Completions(args) => shell::completions(session, &args),
        Command::Man(args) => shell::man(session, &args),
        Command::Reference(args) => reference::run(session, &args),
    }
}

const MEMORIES: (&str, &str) = ("memory", "memories");
/// A limit that no list reaches.
const ALL: usize = usize::MAX >> 4;

/// The exit of a command whose answer was printed.
fn fine<A>(answered: Result<A>) -> Result<Exit> {
    answered.map(|_| Exit::Fine)
}

fn traverse(session: &Session, args: TraverseArgs) -> Result<Exit> {
    let q = args.within.0.request();
    let found = walk::traverse(&session.call(Use::Read, &q.place()?)?, q)?;
    let found = args.limit.cut(found, "node", "nodes");
    fine(session.out.answer(&found, |page, found| render::related(page, found, "nothing was reached")))
}

fn hubs(session: &Session, args: Hubs) -> Result<Exit> {
    let call = session.call(Use::Read, &Bare::NOTHING.place()?)?;
    let (kind, layer) = (args.kind.as_deref(), &args.layer);
    let hubs = entity::hubs(&call, kind, layer, args.limit)?;
    session.out.answer(&hubs, |page, hubs| render::hubs(page, hubs))?;
    let all = || Ok(entity::hub_count(&call, kind, layer)?);
    fine(Limit::of(args.limit, hubs.len(), ("entity", "entities"), all))
}

fn timeline(session: &Session, args: TimelineArgs) -> Result<Exit> {
    let mut q = args.within.request();
    if let Some(limit) = args.limit {
        (q.before, q.after) = (0, limit);
    }
    let call = session.call(Use::Read, &q.place()?)?;
    let found = timeline::timeline(&call, q.clone())?;
    session.out.answer(&found, render::timeline)?;
    if q.anchor.is_some() {
        return Ok(Exit::Fine);
    }
    let all = || Ok(timeline::count(&call, &q)?);
    fine(Limit::of(q.before + q.after, found.after.len(), MEMORIES, all))
}

/// Sources as the working folder names them.
fn named_here(call: &Call, names: &mut [String]) -> Result<()> {
    for name in names {
        *name = source_here(&call.engine, name)?;
    }
    Ok(())
}

fn list(session: &Session, args: ListArgs) -> Result<Exit> {
    let mut q = args.within.request();
    let call = session.call(Use::Read, &q.place()?)?;
    named_here(&call, &mut q.sources)?;
    let found = verbs::list::list(&call, q.clone())?;
    session.out.answer(&found, |page, found| render::list(page, found))?;
    fine(Limit::of(q.limit, found.len(), MEMORIES, || Ok(verbs::list::count(&call, &q)?)))
}

fn offers(session: &Session, args: OffersArgs) -> Result<Exit> {
    match (args.take.as_slice(), args.refuse.as_slice(), args.restore.as_slice()) {
        ([], [], []) => {
            let q = args.request;
            let call = session.call(Use::Read, &q.place()?)?;
            let found = verbs::offers::offers(&call, q.clone())?;
            session.out.answer(&found, |page, found| render::offers(page, found, q.all))?;
            let (limit, every) = (q.limit, verbs::offers::Offers { limit: ALL, ..q });
            let all = || Ok(verbs::offers::offers(&call, every)?.len());
            fine(Limit::of(limit, found.len(), ("offer", "offers"), all))
        }
        ([], [], _) => forget::restore(session, &Names { names: args.restore }),
        ([], ..) => forget::forget(session, &Names { names: args.refuse }),
        (ids, ..) => {
            let call = session.call(Use::Write, &Bare::NOTHING.place()?)?;
            let taken = ids.iter().map(|id| verbs::offers::take(&call, id));
            let taken = taken.collect::<std::result::Result<Vec<_>, _>>()?;
            let text = |page, taken: &Vec<_>| {
                let lines: Vec<String> = taken.iter().map(|one| render::linked(page, one)).collect();
                lines.join("\n")
            };
            fine(session.out.answer(&taken, text))
        }
    }
}

fn recalls(session: &Session, args: RecallsArgs) -> Result<Exit> {
    let q = args.within.request();
    if args.compare {
        let (user, project, scope) = (q.user, q.project, q.scope);
        let q = verbs::recalls::CompareRecalls { agent: q.agent, limit: q.limit, user, project, scope };
        return fine(session.ask(Use::Read, q, verbs::recalls::compare, render::compared));
    }
    fine(session.ask(Use::Read, q, verbs::recalls::recalls, render::recalls))
}

fn recall(session: &Session, args: RecallArgs) -> Result<Exit> {
    let mut q = args.within.0.request();
    let call = session.call(Use::Read, &q.place()?)?;
    named_here(&call, &mut q.sources)?;
    if args.answer {
        let mut answered = verbs::answer::answer(&call, q)?;
        if !session.out.is_json() {
            answered.recall = read_here(&answered.recall);
            answered.cite_as_found();
        }
        session.out.answer(&answered, render::answered)?;
        return Ok(Exit::fine_if(answered.failure.is_none()));
    }
    let found = verbs::recall::recall(&call, q)?;
    if args.context {
        return fine(session.out.text(&verbs::recall::block(&call, &found)?));
    }
    fine(
        session
            .out
            .answer(&found.recall, |page, answer| render::recall(page, &read_here(answer), args.explain)),
    )
}

/// The answer with the files of this folder cited as a person in it names them.
fn read_here(answer: &griot_wire::Recall) -> griot_wire::Recall {
    let answer = answer.clone();
    match std::env::current_dir() {
        Ok(folder) => answer.within(&folder),
        Err(_) => answer,
    }
}

/// What led to something. A question in words names neither a memory nor an entity: `recall` answers it.
fn why(session: &Session, q: why::Why, diagram: Option<render::Language>) -> Result<Exit> {
    let (name, direction) = (q.name.clone(), q.direction()?);
    let text = |page, why: &_| match diagram {
        Some(language) => render::why_diagram(why, language),
        None => render::why(page, why, direction),
    };
    let answered = session.ask(Use::Read, q, why::why, text);
    match answered {
        Err(error)
            if error.kind == ErrorKind::NotFound
                && name.trim().contains(char::is_whitespace)
                && !session.saw_nothing()
                && !session.out.is_json() =>
        {
            crate::output::note(&format!("note: {}; griot recall answers the question", error.why));
            let query = if name.to_lowercase().starts_with("why ") { name } else { format!("why {name}") };
            let q = Recall { intent: Some("why".to_string()), ..Recall::new(query) };
            let recalled = session.ask(Use::Read, q, verbs::recall::recall, |page, found| {
                render::recall(page, &read_here(&found.recall), false)
            });
            fine(recalled)
        }
        answered => fine(answered),
    }
}
