//! Shared test tools for Griot and for third-party back ends; no product depends on it.
//!
//! [`conformance::check`] tests all guarantees of a back end and compares its answers with those of
//! [`MemoryBackend`], a reference implementation with plain loops over ordered maps. [`Watched`] wraps a
//! store, counts its requests and fails on demand.
//!
//! The code is in the engine behind its feature `testkit`, because the engine's own tests use it.

pub use griot::backend::memory::MemoryBackend;
pub use griot::backend::watched::{Fault, Switch, Watched};

/// The conformance suite for back ends.
pub mod conformance {
    pub use griot::backend::conformance::{assert_same_answers, check, check_telemetry};
}
