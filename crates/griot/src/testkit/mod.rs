//! What tests share, for `griot-testkit`: a reference store, a store that counts and fails, and the suite
//! that every back end must pass.

pub mod conformance;
pub mod memory;
pub mod watched;
