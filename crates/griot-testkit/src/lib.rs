//! Shared test tools for Griot and for third-party back ends; no product depends on it.
//!
//! [`conformance::check`] tests all guarantees of a back end: its rows, its change log, and the searches in
//! an index over them. It compares the answers with those of [`MemoryBackend`], a reference store with plain
//! loops over ordered maps. [`RowsInMemory`] is the smallest back end. [`Watched`] wraps a store, counts its
//! requests and fails on demand.
//!
//! The code is in the engine behind its feature `testkit`, because the engine's own tests use it.

pub use griot::testkit::memory::{MemoryBackend, RowsInMemory};
pub use griot::testkit::watched::{Fault, Switch, Watched};

/// The conformance suite for back ends.
pub mod conformance {
    pub use griot::testkit::conformance::{assert_same_answers, check, check_telemetry};
}
