//! Arguments of `serve`, `mcp` and `key`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Limit;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot serve
  griot serve --listen 127.0.0.1:0
  griot key create --workspace acme --role write && griot serve --listen 0.0.0.0:4747

Without keys, only this machine can connect. Ctrl-C ends the server after requests in progress.")]
pub struct Serve {
    /// Address and port; port 0 takes a free one [default: server.listen]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// Serve the tools of older memory servers at /mcp, too [default: mcp.compatibility]
    #[arg(long)]
    pub compatibility: bool,
    /// Read a file or folder as it changes, as `griot watch` does; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub watch: Vec<PathBuf>,
    /// Start none: ask the server at this address whether it is ready, and exit with 1 if it is not
    #[arg(long, conflicts_with_all = ["compatibility", "watch"])]
    pub check: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Standard output carries the protocol, one message a line; everything else goes to standard error.")]
pub struct Mcp {
    /// Serve the tools of older memory servers, too [default: mcp.compatibility]
    #[arg(long)]
    pub compatibility: bool,
    /// See and change the memories of this user only
    #[arg(long)]
    pub user: Option<String>,
}

#[derive(Args, Debug)]
pub struct Key {
    #[command(subcommand)]
    pub action: KeyAction,
}

#[derive(Subcommand, Debug)]
pub enum KeyAction {
    /// Create a key for the workspace (`--workspace`) and print it; it is not stored and cannot be printed
    /// again
    Create {
        /// read, write or admin
        #[arg(long, default_value = "read")]
        role: String,
        /// Only for the memories of this user
        #[arg(long)]
        user: Option<String>,
        /// What it is for
        #[arg(long)]
        name: Option<String>,
        /// Requests per minute, 0 for no limit [default: server.rate]
        #[arg(long, value_name = "COUNT")]
        rate: Option<u32>,
    },
    /// List keys
    List(Limit),
    /// Revoke a key, on running servers too
    Revoke {
        /// Its id (`k3`) or name
        key: String,
    },
    /// Allow requests of this machine without a key again; fails while a key is active
    Open,
}
