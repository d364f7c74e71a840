//! Arguments of `connect` and `hook`.

use clap::{Args, Subcommand};

use crate::hosts::Host;

#[derive(Args, Debug)]
pub struct Connect {
    /// The program to connect
    #[arg(value_name = "HOST", required_unless_present = "list")]
    pub host: Option<Host>,
    /// List hosts: which are on this machine, which are connected
    #[arg(long, conflicts_with_all = ["host", "remove", "project", "no_hooks", "yes", "dry_run"])]
    pub list: bool,
    /// Undo it: restore the files, but keep later changes by others
    #[arg(long)]
    pub remove: bool,
    /// Write the file of the project in this folder instead of the user's
    #[arg(long)]
    pub project: bool,
    /// Leave out the hooks (Claude Code)
    #[arg(long)]
    pub no_hooks: bool,
    /// Write without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Show what would be written, and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
}

#[derive(Args, Debug)]
pub struct Hook {
    #[command(subcommand)]
    pub event: HookEvent,
}

#[derive(Clone, Copy, PartialEq, Eq, Subcommand, Debug)]
pub enum HookEvent {
    /// Print the standing rules of the folder that standard input names, as context for the agent
    SessionStart,
    /// Print memories relevant to the prompt on standard input, as context for the agent
    Prompt,
    /// Store what was said in the session that standard input names
    SessionEnd,
}
