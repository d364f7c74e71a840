//! The workspace itself: `sources`, `config`, `export`, `import`, `workspace`, `reindex`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Args, Debug)]
pub struct Sources {
    #[command(subcommand)]
    pub action: Option<SourcesAction>,
}

#[derive(Subcommand, Debug)]
pub enum SourcesAction {
    /// List sources (what `griot sources` does)
    List,
    /// One source with its memories
    Show {
        /// `s4`, or the origin
        source: String,
    },
    /// Forget a source with what only it brought; `griot restore` brings it back
    Remove {
        /// `s4`, or the origin
        source: String,
    },
    /// Read a source again: a page from the web, a file from the disk
    Refresh {
        /// `s4`, or the origin
        source: String,
        /// Forget it if it is gone
        #[arg(long)]
        prune: bool,
        /// Also addresses of this machine and its networks
        #[arg(long)]
        allow_private: bool,
    },
    /// Give a source these tags; none takes them away
    Tag {
        /// `s4`, or the origin
        source: String,
        tags: Vec<String>,
    },
}

#[derive(Args, Debug)]
pub struct Reindex {
    /// Make every vector again, with the embedder in use
    #[arg(long)]
    pub embed: bool,
}

#[derive(Args, Debug)]
pub struct Config {
    /// What counts for this agent, or is written for it alone
    #[arg(long, global = true, value_name = "NAME")]
    pub agent: Option<String>,
    #[command(subcommand)]
    pub action: Option<ConfigAction>,
}

#[derive(Subcommand, Debug)]
pub enum ConfigAction {
    /// One value
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
    /// The files that settings are read from
    Path,
}

#[derive(Args, Debug)]
pub struct Export {
    /// The file to write; standard output without one
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Replace the file if it is there
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
pub struct Workspace {
    #[command(subcommand)]
    pub action: Option<WorkspaceAction>,
}

#[derive(Subcommand, Debug)]
pub enum WorkspaceAction {
    /// List workspaces (what `griot workspace` does)
    List,
    /// Make a workspace
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
    /// Where a workspace lies
    Path { name: Option<String> },
}

#[derive(Args, Debug)]
pub struct Demo {
    /// Keep the workspace and say where it is
    #[arg(long)]
    pub keep: bool,
}

#[derive(Args, Debug)]
pub struct Completions {
    pub shell: clap_complete::Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Page {
    Cli,
    Settings,
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
