//! What does a question cost in a workspace of a set: milliseconds and resident memory?
//!
//! The workspace is opened and asked by a process of its own, so that nothing of the harness (the set, the
//! other pools, the memory of taking in) is counted.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use griot::model::{Error, Result};
use griot::recall::Effort;
use serde::{Deserialize, Serialize};

use crate::process::{self, Resident};
use crate::run::percentile;
use crate::workspace::Workspace;

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

/// Asks the workspace in `directory` and takes the time.
pub fn ask(directory: &Path, questions: &[String], effort: Effort) -> Result<Cost> {
    let workspace = Workspace::open(directory)?;
    for question in questions.iter().take(WARM_UP) {
        workspace.ask_with(question, LIMIT, effort, true)?;
    }
    let mut milliseconds = Vec::with_capacity(questions.len());
    for question in questions {
        let start = Instant::now();
        workspace.ask_with(question, LIMIT, effort, true)?;
        milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
    }
    milliseconds.sort_by(f64::total_cmp);
    Ok(Cost {
        effort: effort.name().to_owned(),
        questions: questions.len(),
        median_ms: percentile(&milliseconds, 0.5),
        p95_ms: percentile(&milliseconds, 0.95),
        resident: process::resident(),
    })
}

/// As [`ask`], by this very program: `griot-eval cost DIRECTORY --effort EFFORT`, questions as JSON on its
/// standard input.
pub fn ask_in_child(program: &Path, directory: &Path, questions: &[String], effort: Effort) -> Result<Cost> {
    let cannot = |why: String| Error::unavailable("measure a question in a process of its own", why);
    let mut child = Command::new(program)
        .arg("cost")
        .arg(directory)
        .args(["--effort", effort.name()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| cannot(e.to_string()))?;
    let text = serde_json::to_vec(questions).map_err(|e| cannot(e.to_string()))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(&text).map_err(|e| cannot(e.to_string()))?;
    }
    let output = child.wait_with_output().map_err(|e| cannot(e.to_string()))?;
    if !output.status.success() {
        return Err(cannot(format!("it ended with {}", output.status)));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| cannot(e.to_string()))
}
