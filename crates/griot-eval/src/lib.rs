//! The measuring harness: how good and how fast is recall, on files anyone can get and on generated
//! workspaces?
//!
//! The harness reaches the engine only through what a user has, and only in [`workspace`]. Everything else
//! works without an engine: reading sets, scoring, plain methods to compare with, generated memories, the
//! suites of noise and of causes. Nothing of a data set is part of this crate: no name, no id, no answer.

pub mod ablation;
pub mod agents;
pub mod aliases;
pub mod baseline;
pub mod bench;
pub mod check;
pub mod cost;
pub mod dataset;
pub mod embedder;
pub mod erase;
pub mod forest;
pub mod fuzz;
pub mod generator;
pub mod hostile;
pub mod intents;
pub mod kills;
pub mod load;
pub mod noise;
pub mod overlap;
pub mod page;
pub mod peer;
mod phrases;
pub mod process;
pub mod quality;
pub mod random;
pub mod report;
pub mod run;
pub mod score;
pub mod train;
pub mod why;
pub mod workspace;
