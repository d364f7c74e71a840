//! HTTP and MCP over one shared service.
//!
//! - `service`: workspaces, roles, scopes
//! - `access`: API keys
//! - `limits`: concurrency limits
//! - `http`: routes, limits, the listening socket
//! - `mcp`: tools, resources, prompts
//! - `jobs`: the worker for jobs, watched folders
//!
//! Routes and tools are made from the table in `griot_wire::verbs`. The engine is synchronous; everything
//! async is in this crate. Nothing here knows SQL.

pub mod access;
/// The routes and tools of older memory servers; none where the feature is off.
mod compat {
    #[cfg(feature = "compat")]
    pub use griot_compat::{table, tools};

    #[cfg(not(feature = "compat"))]
    pub fn table() -> Vec<super::Verb> {
        Vec::new()
    }

    #[cfg(not(feature = "compat"))]
    pub fn tools(_is_local: bool) -> Vec<super::Verb> {
        Vec::new()
    }
}
mod hints;
pub mod http;
pub mod jobs;
mod limits;
pub mod mcp;
pub mod service;

pub use griot_wire::failure;

use griot_wire::verbs::Verb;

/// Every verb that is answered, tools and those of older memory servers among them.
pub fn verbs() -> Vec<Verb> {
    let mut all = griot_wire::verbs::table();
    all.extend(compat::table());
    all.extend(compat::tools(false));
    all
}
