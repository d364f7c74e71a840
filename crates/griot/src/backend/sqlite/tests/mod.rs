//! Guarantees specific to the SQLite store: files, processes, damage, bad input.

#![allow(clippy::unwrap_used)]

mod damage;
mod files;
mod format_4;
mod keys;
mod numbers;
mod sharing;

use super::*;
