//! Programs and agents reach Griot: HTTP and MCP over one shared service.
//!
//! - `service`: where a request is answered and whether it may be: workspaces, roles, scopes
//! - `access`: API keys
//! - `verbs`: what each verb answers; both surfaces call the same functions
//! - `limits`: concurrency limits
//! - `http`: routes, limits, the loop that listens
//! - `mcp`: tools, resources, prompts
//! - `jobs`: what clients may do with jobs, and who works on them
//! - `told`: jobs and what comes in, in the words of `griot-wire`
//! - `failure`: one table from kinds of failure to statuses and codes
//!
//! The engine is synchronous and does the work on threads of its own; everything async stays in this crate.
//! Nothing here knows SQL or makes up JSON of its own where `griot-wire` has an object.

pub mod access;
pub mod failure;
pub mod http;
pub mod jobs;
mod limits;
pub mod mcp;
pub mod service;
pub mod told;
pub mod verbs;
