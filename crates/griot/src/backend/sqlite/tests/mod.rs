//! Promises of the SQLite store that no other back end makes: files, processes, damage, bad input.

#![allow(clippy::unwrap_used)]

mod files;
mod numbers;
mod sharing;

use super::*;
