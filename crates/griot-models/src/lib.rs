//! Larger models than the one in the binary, behind the engine's traits.
//!
//! [`SentenceEncoder`] runs a transformer from a local folder: better vectors for milliseconds a text instead
//! of microseconds. Nothing is downloaded and nothing leaves the machine. The engine does not know this
//! crate; front ends pull it in as a feature.

mod bert;
mod folder;
mod lanes;
mod sentence;

pub use sentence::SentenceEncoder;
