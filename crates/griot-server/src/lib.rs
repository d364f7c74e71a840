//! Programs and agents reach Griot: HTTP and MCP over one shared service.
//!
//! - `service`: where a request is answered and whether it may be: workspaces, roles, scopes
//! - `access`: API keys
//! - `limits`: concurrency limits
//! - `http`: routes, limits, the loop that listens
//! - `mcp`: tools, resources, prompts
//! - `jobs`: what clients may do with jobs, and who works on them
//!
//! What each verb answers is in `griot_wire::verbs`, from whose table routes and tools are made.
//!
//! The engine is synchronous and does the work on threads of its own; everything async stays in this crate.
//! Nothing here knows SQL or makes up JSON of its own where `griot-wire` has an object.

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
