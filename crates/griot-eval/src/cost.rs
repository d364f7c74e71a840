//! What does a question cost in a workspace of a set: milliseconds and resident memory?
//!
//! The workspace is opened and asked by a process of its own, so that nothing of the harness (the set, the
//! other pools, the memory of taking in) is counted.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use griot::model::{Error, Result};
use griot::recall::Effort;
use serde::{Deserialize, Serialize};

use crate::output;
use crate::process::{self, Resident, Times};
use crate::workspace::Workspace;

/// Ask a workspace the questions on standard input, and print times and memory as JSON.
#[derive(Args)]
pub struct Options {
    directory: PathBuf,
    #[arg(long, value_parser = effort)]
    effort: Effort,
}

fn effort(name: &str) -> Result<Effort, String> {
    let known = || Effort::ALL.map(Effort::name).join(", ");
    Effort::parse(name).ok_or_else(|| format!("the efforts are {}", known()))
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let questions: Vec<String> = serde_json::from_reader(io::stdin().lock())
            .map_err(|why| Error::invalid("read the questions on standard input", why.to_string()))?;
        output::print(&output::json(&ask(&self.directory, &questions, self.effort)?)?)?;
        Ok(true)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cost {
    pub effort: String,
    pub questions: usize,
    pub median_ms: f64,
    pub p95_ms: f64,
    pub resident: Option<Resident>,
}

/// Units to ask for, as a caller does.
const LIMIT: usize = 10;
/// Asked before anything is timed, so that the index is in memory.
const WARM_UP: usize = 5;

fn ask(directory: &Path, questions: &[String], effort: Effort) -> Result<Cost> {
    let workspace = Workspace::open(directory)?;
    for question in questions.iter().take(WARM_UP) {
        workspace.ask_with(question, LIMIT, effort, true)?;
    }
    let mut times = Times::default();
    for question in questions {
        let start = Instant::now();
        workspace.ask_with(question, LIMIT, effort, true)?;
        times.add(start);
    }
    Ok(Cost {
        effort: effort.name().to_owned(),
        questions: questions.len(),
        median_ms: times.median(),
        p95_ms: times.percentile(0.95),
        resident: process::resident(),
    })
}

/// Asks the workspace in `directory` from a new process.
pub fn ask_in_child(directory: &Path, questions: &[String], effort: Effort) -> Result<Cost> {
    let arguments = [OsStr::new("cost"), directory.as_os_str(), "--effort".as_ref(), effort.name().as_ref()];
    process::in_child(&arguments, &questions)
}
