//! The command line as data: what may be typed, and the words of `--help`. Most of it are the requests of
//! `griot_wire::verbs`; what is declared here is the command line's own. What it means is decided in `commands`.

mod crawl;
mod graph;
mod hosts;
mod keep;
mod recall;
mod rollout;
mod server;
mod store;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use griot_wire::request::Named;
use griot_wire::verbs::{entity, erase, health, link, timeline, walk, why};

pub use crawl::*;
pub use graph::*;
pub use hosts::*;
pub use keep::*;
pub use recall::*;
pub use rollout::*;
pub use server::*;
pub use store::*;

/// Graph memory for agents: remember, link, recall
///
/// Griot keeps what an agent or a person learns as a graph on this machine, and gives it back with the path
/// that led there. Nothing leaves the machine.
#[derive(Parser, Debug)]
#[command(name = "griot", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  griot demo
  griot remember \"We moved sessions to Redis because Postgres was too slow\" --kind decision
  griot ingest docs/
  griot recall \"why did we move to Redis?\" --explain

Exit codes: 0 fine (an empty answer is fine), 1 not found or a check failed, 2 failure.";

#[derive(clap::Args, Clone, Debug)]
pub struct Global {
    /// The workspace to use [default: the active one, else `default`]
    #[arg(long, short, global = true, value_name = "NAME", help_heading = "Global options")]
    pub workspace: Option<String>,
    /// A database file to use in place of a workspace
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        conflicts_with = "workspace",
        help_heading = "Global options"
    )]
    pub db: Option<PathBuf>,
    /// Print JSON; errors too, on standard error
    #[arg(long, global = true, help_heading = "Global options")]
    pub json: bool,
    /// Change a setting for this command, such as `recall.limit=20`
    #[arg(long, global = true, value_name = "KEY=VALUE", help_heading = "Global options")]
    pub set: Vec<String>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Store a text with its links in time, entities, causes and likeness
    Remember(RememberArgs),
    /// Ask the memory a question
    Recall(RecallArgs),
    /// Connect two memories or entities
    Link(LinkArgs),
    /// Remove connections between two memories or entities
    Unlink(link::Unlink),
    /// Hide a memory, an entity or a source; `restore` brings it back, `erase` removes for good
    Forget(Names),
    /// Bring back what was forgotten
    Restore(Names),
    /// Remove a memory, a source, an entity or a user's memories for good, from every file
    Erase(EraseArgs),
    /// Receipts of what was erased
    Erasures(erase::Erasures),
    /// Print one memory in full
    Show(Named),
    /// What led to a memory, and what followed from it
    Why(why::Why),
    /// What is connected with a memory or an entity
    Related(walk::Related),
    /// The shortest path between two memories or entities
    Path(walk::Path),
    /// All that is known about an entity
    Entity(entity::Entity),
    /// What is held to be true, and when it was
    Facts(FactsArgs),
    /// The best connected entities
    Hubs(Hubs),
    /// Make one entity of two, or part them again
    Merge(MergeArgs),
    /// Entities that were merged, and those that may be one
    Merges(MergesArgs),
    /// Memories in order of time
    Timeline(Within<timeline::Timeline>),
    /// Memories that say something alike
    Similar(walk::Similar),
    /// Walk the graph from a question
    Traverse(Within<walk::Traverse>),
    /// Join what is alike, for workspaces with few links
    BuildGraphs(health::BuildGraphs),
    /// List memories that could be let go; nothing is deleted
    Gc(Gc),
    /// Read files and folders into memories
    Ingest(Ingest),
    /// Keep the workspace at what files and folders hold while they change
    Watch(Watch),
    /// Read a page or a site into memories
    Crawl(CrawlArgs),
    /// How far a crawl is
    CrawlStatus(CrawlStatus),
    /// Crawls and other long work: list, pause, go on
    Jobs(JobsArgs),
    /// Where memories came from
    Sources(Sources),
    /// What is in the workspace
    Status,
    /// How far the graph is switched on, and whether it can be trusted
    Rollout(Rollout),
    /// Say whether an answer was good
    Feedback(Feedback),
    /// Look for contradictions among causes
    Verify(VerifyArgs),
    /// Build the indexes again
    Reindex(Reindex),
    /// Check that the workspace is sound
    Doctor(Doctor),
    /// Settings with the origin of each value
    Config(Config),
    /// Write the whole workspace as JSON Lines
    Export(Export),
    /// Read an export into the workspace
    Import(Import),
    /// Copy a workspace into one file, also while it is used
    Backup(Backup),
    /// Make a workspace of a backup
    RestoreBackup(RestoreBackup),
    /// List, make, choose and remove workspaces
    Workspace(Workspace),
    /// Give an agent's program Griot as its memory, or take it away again
    Connect(Connect),
    /// What hosts call by themselves: recall for a prompt, store a session
    Hook(Hook),
    /// Answer programs over HTTP, and agents at /mcp
    Serve(Serve),
    /// Answer an agent over MCP on standard input and output
    Mcp(Mcp),
    /// Make, list and revoke the keys of the server
    Key(Key),
    /// See what Griot does, in a workspace that is thrown away
    Demo(Demo),
    /// Print a script that completes commands in your shell
    Completions(Completions),
    /// Print a reference page
    #[command(hide = true)]
    Reference(Reference),
}
