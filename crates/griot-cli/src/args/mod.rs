//! The command line as data: what may be typed, and the words of `--help`. Most of it are the requests of
//! `griot_wire::verbs`; here is what only the command line has. What it means is decided in `commands`.

mod crawl;
mod graph;
mod hosts;
mod keep;
mod recall;
mod rollout;
mod server;
mod store;

use std::path::PathBuf;

use clap::Parser;

pub use crawl::*;
pub use graph::*;
pub use hosts::*;
pub use keep::*;
pub use recall::*;
pub use rollout::*;
pub use server::*;
pub use store::*;

use crate::commands::Command;

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
