//! Promises of the SQLite store that no other back end makes: files, processes, damage, bad input.

#![allow(clippy::unwrap_used)]

mod damage;
mod files;
mod format_4;
mod keys;
mod numbers;
mod sharing;

use super::*;
