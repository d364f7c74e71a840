//! What tests of Griot, and of a back end of your own, share; no product depends on it.
//!
//! [`conformance::check`] holds a back end to everything that stores promise, and compares its answers with
//! those of [`MemoryBackend`], the oracle, which keeps the same promises with plain loops over ordered maps.
//! [`Watched`] wraps a store, counts its requests and fails where a test wants it.
//!
//! The code lies in the engine behind its feature `testkit`, since tests inside the engine use it, too.

pub use griot::backend::memory::MemoryBackend;
pub use griot::backend::watched::{Fault, Switch, Watched};

/// The promises of a back end.
pub mod conformance {
    pub use griot::backend::conformance::{assert_same_answers, check, check_telemetry};
}
