//! The test kit on the stores of the engine.

#![allow(clippy::unwrap_used)]

mod conformance;
mod requests;
