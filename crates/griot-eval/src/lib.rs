//! The measuring harness: how good and how fast is recall, on files anyone can get and on generated
//! workspaces?
//!
//! The harness reaches the engine only through what a user has, and only in [`workspace`]. Everything else
//! works without an engine: reading sets, scoring, plain methods to compare with, generated memories, the
//! suites of noise and of causes. Nothing of a data set is part of this crate: no name, no id, no answer.

pub mod ask;
pub mod baseline;
pub mod bench;
pub mod check;
mod dataset;
mod embedder;
pub mod erase;
pub mod features;
pub mod fuzz;
mod generator;
pub mod hostile;
mod intents;
pub mod load;
pub mod noise;
mod output;
mod page;
mod peer;
mod process;
pub mod quality;
mod random;
pub mod rankings;
pub mod read;
pub mod run;
mod score;
mod why;
mod workspace;
