//! Arguments of `connect` and `hook`.

use clap::{Args, Subcommand};

use crate::hosts::Host;

#[derive(Args, Debug)]
pub struct Connect {
    /// The program to connect
    #[arg(value_name = "HOST", required_unless_present = "list")]
    pub host: Option<Host>,
    /// List hosts: which are on this machine, which are connected
    #[arg(long, conflicts_with_all = [
        "host", "remove", "project", "no_hooks", "no_skill", "force", "yes", "dry_run",
    ])]
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
    /// Leave out the skill, a file with instructions for the model
    #[arg(long)]
    pub no_skill: bool,
    /// Replace an entry named `griot` that starts another program
    #[arg(long, conflicts_with = "remove")]
    pub force: bool,
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
    /// Store the session before the hook ends, instead of in the background
    #[arg(long, global = true)]
    pub wait: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Subcommand, Debug)]
pub enum HookEvent {
    /// Print standing rules, the last decisions and open ends of the folder that standard input names
    SessionStart,
    /// Print memories relevant to the prompt on standard input, as context for the agent
    Prompt,
    /// Store what was said since the last time, when the agent has answered
    Stop,
    /// Store what was said since the last time, before the host shortens the session
    PreCompact,
    /// Store what was said in the session that standard input names
    SessionEnd,
}

impl HookEvent {
    /// Whether the hook stores the session.
    pub const fn is_storing(self) -> bool {
        matches!(self, Self::Stop | Self::PreCompact | Self::SessionEnd)
    }
}
