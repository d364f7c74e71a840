//! Arguments of commands on a whole workspace: `sources`, `config`, `export`, `workspace` and others.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use griot_wire::verbs;

use super::Limit;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Sources {
    #[command(subcommand)]
    pub action: Option<SourcesAction>,
    #[command(flatten)]
    pub list: SourcesList,
}

#[derive(Args, Debug)]
pub struct SourcesList {
    /// Only sources of this kind: memory (remembered), manual (ingested) or crawl (pages)
    #[arg(long, value_name = "KIND")]
    pub source: Option<String>,
    /// Only sources with memories of this agent
    #[arg(long)]
    pub agent: Option<String>,
    #[command(flatten)]
    pub limit: Limit,
}

#[derive(Subcommand, Debug)]
pub enum SourcesAction {
    /// List sources (what `griot sources` does)
    List(SourcesList),
    /// Show a source with its memories
    Show {
        #[command(flatten)]
        one: OneSource,
        #[command(flatten)]
        limit: Limit,
    },
    /// Forget a source and everything only it supports; `griot restore` undoes this
    Remove {
        #[command(flatten)]
        one: OneSource,
        /// Forget only the memories of this agent, and the source if it has no others
        #[arg(long)]
        agent: Option<String>,
    },
    /// Read a source again: a page from the web, a file from the disk
    Refresh {
        /// `s4`, or the origin [default: every page and file of the agent]
        #[arg(required_unless_present = "agent")]
        source: Option<String>,
        /// Only sources that this agent has memories from, with its settings
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
        /// Forget the source if it no longer exists
        #[arg(long)]
        prune: bool,
        /// Allow addresses of this machine and its networks
        #[arg(long)]
        allow_private: bool,
    },
    /// Replace the tags of a source, without tags remove them; its memories get new ones, too
    Tag {
        #[command(flatten)]
        one: OneSource,
        tags: Vec<String>,
    },
}

#[derive(Args, Debug)]
pub struct OneSource {
    /// `s4`, or the origin
    pub source: String,
}

#[derive(Args, Debug)]
pub struct Config {
    /// Show or write the settings of this agent
    #[arg(long, global = true, value_name = "NAME")]
    pub agent: Option<String>,
    #[command(subcommand)]
    pub action: Option<ConfigAction>,
}

#[derive(Subcommand, Debug)]
pub enum ConfigAction {
    /// Print one value
    Get {
        /// Such as `recall.limit`
        key: String,
    },
    /// Write a value into griot.toml
    Set {
        /// Such as `recall.limit`
        key: String,
        value: String,
        /// Into the file for all workspaces
        #[arg(long)]
        global: bool,
    },
    /// Remove a value from griot.toml, so that the default counts again
    Unset {
        /// Such as `recall.limit`
        key: String,
        /// From the file for all workspaces
        #[arg(long)]
        global: bool,
    },
    /// Print the paths of the settings files
    Path,
}

#[derive(Args, Debug)]
pub struct Export {
    /// The file to write; standard output without one
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct Import {
    /// The file to read; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Workspace {
    #[command(subcommand)]
    pub action: Option<WorkspaceAction>,
    #[command(flatten)]
    pub limit: Limit,
}

#[derive(Subcommand, Debug)]
pub enum WorkspaceAction {
    /// List workspaces (what `griot workspace` does)
    List(Limit),
    /// Create a workspace
    Create {
        name: String,
        /// Use it from now on
        #[arg(long, short)]
        r#use: bool,
    },
    /// Use this workspace from now on
    Use { name: String },
    /// Move a workspace into the trash folder
    Remove { name: String },
    /// Permanently delete removed workspaces
    EmptyTrash {
        /// Only workspaces of this name
        name: Option<String>,
    },
    /// Print the path of a workspace's database
    Path { name: Option<String> },
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot erase memory a1b2c3 --dry-run
  griot erase source docs/plan.md
  griot erase entity \"Ada Lovelace\"
  griot erase user ada
  griot erase --resume            # finish after a process was killed

Afterwards no file of the workspace contains the text: rows, evidence, vectors, index, jobs, copies.
It cannot be undone; `griot forget` hides instead. Backups and exports elsewhere are not changed, and
a file or page that still contains the text is stored again when it is read again.")]
pub struct EraseArgs {
    /// memory, source, entity or user
    #[arg(value_name = "WHAT", required_unless_present = "resume",
        value_parser = ["memory", "source", "entity", "user"])]
    pub kind: Option<String>,
    /// Handle or id of a memory, `s4` or the origin of a source, id or name of an entity, name of a user
    #[arg(value_name = "NAME", required_unless_present = "resume")]
    pub name: Option<String>,
    /// Report what would be removed; change nothing
    #[arg(long, conflicts_with = "resume")]
    pub dry_run: bool,
    /// Finish an interrupted erasure
    #[arg(long, conflicts_with_all = ["kind", "name"])]
    pub resume: bool,
}

#[derive(Args, Debug)]
pub struct ErasuresArgs {
    #[command(flatten)]
    pub request: verbs::erase::Erasures,
    #[command(flatten)]
    pub limit: Limit,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot backup shop.griot
  griot restore-backup shop.griot --workspace shop

The file is a complete database with the settings of the workspace. A backup can be made at any
time, also during writes.")]
pub struct Backup {
    /// The file to write
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct RestoreBackup {
    /// A file that `griot backup` wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Move an existing workspace into the trash folder
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct Demo {
    /// Keep the workspace and print its path
    #[arg(long)]
    pub keep: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Nushell,
    Powershell,
    Zsh,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot completions --install
  griot completions zsh > ~/.zfunc/_griot")]
pub struct Completions {
    /// The shell [default: the one that calls]
    pub shell: Option<Shell>,
    /// Write the script where the shell looks for it, and say where
    #[arg(long)]
    pub install: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot man | man -l -
  griot man --install
  griot man --install --dir /usr/local/share/man/man1")]
pub struct Man {
    /// The page of this command [default: of griot]
    #[arg(value_name = "COMMAND", conflicts_with = "install")]
    pub command: Option<String>,
    /// Write the pages of all commands into a folder
    #[arg(long)]
    pub install: bool,
    /// The folder [default: ~/.local/share/man/man1]
    #[arg(long, value_name = "PATH", requires = "install")]
    pub dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Page {
    Cli,
    Settings,
    Formats,
    Json,
    Http,
    /// The OpenAPI document, for the types of the SDKs.
    Openapi,
    Schema,
}

#[derive(Args, Debug)]
pub struct Reference {
    pub page: Page,
}
