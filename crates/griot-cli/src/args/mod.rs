//! Arguments and the text of `--help`. Most are the requests of `griot_wire::verbs`; here are those that only
//! the command line has.

mod crawl;
mod graph;
mod hosts;
mod keep;
mod limit;
mod recall;
mod rollout;
mod server;
mod store;

use std::path::PathBuf;

pub use crawl::*;
pub use graph::*;
pub use hosts::*;
pub use keep::*;
pub use limit::Limit;
pub use recall::*;
pub use rollout::*;
pub use server::*;
pub use store::*;

#[derive(clap::Args, Clone, Default, Debug)]
pub struct Global {
    /// The workspace to use [default: the active one, else `default`]
    #[arg(long, short, global = true, value_name = "NAME", help_heading = "Global options")]
    pub workspace: Option<String>,
    /// A database file to use instead of a workspace
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
    /// Colours of the output
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        help = "When to use colours: auto, always or never",
        help_heading = "Global options"
    )]
    pub color: clap::ColorChoice,
    /// Print only the answer and errors: no progress, notes or warnings
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    pub quiet: bool,
    /// Print on standard error which workspace and settings are used, and the time taken
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub verbose: bool,
}
