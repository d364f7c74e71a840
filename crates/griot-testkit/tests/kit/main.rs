//! Applies the test kit to the engine's stores.

#![allow(clippy::unwrap_used)]

mod conformance;
mod requests;
