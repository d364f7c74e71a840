//! What every back end promises, said once and held against each of them.
//!
//! `promises`, `merges` and `rollout` are examples with names; `random` applies the same random ChangeSets to
//! the oracle and to SQLite and compares (`same`) the answer to every question of `Read`; `confined` looks at
//! such histories through one scope; `making` makes the things that both store.

#![allow(clippy::unwrap_used)]

mod confined;
mod making;
mod merges;
mod promises;
mod random;
mod rollout;
mod same;

pub(super) use making::*;
