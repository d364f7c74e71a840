//! The engine's promises on real files, as a front end meets them: the invariants of ARCHITECTURE.md by
//! number, several processes, bad input, and the oracle.

#![allow(clippy::unwrap_used)]

mod backbone;
mod bad_input;
mod crash;
mod embedders;
mod erase;
mod exchange;
mod full_disk;
mod history;
mod invariants;
mod languages;
mod liveness;
mod long_texts;
mod merges;
mod odd_questions;
mod offers;
mod oracle;
mod preferences;
mod questions;
mod readings;
mod reranking;
mod rollout;
mod round_trip;
mod scope;
mod second_question;
mod several_processes;
mod sources;
mod standing;
mod support;
mod tiers;
mod vectors;
mod verifier;
