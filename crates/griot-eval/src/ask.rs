//! What does a question cost: milliseconds and resident memory?
//!
//! The workspace is opened and asked by a process of its own, so that nothing of the harness (the set, the
//! other pools, the memory of building) is counted.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Args;
use griot::model::{Error, Result};
use griot::recall::{Effort, Query};
use serde::{Deserialize, Serialize};

use crate::output;
use crate::process::{self, Resident, Times};
use crate::workspace::{Workspace, uncounted};

/// Results of one recall: what the command line asks for by default.
pub const LIMIT: usize = 10;

/// Ask a workspace as the JSON on standard input says, and print times and memory as JSON.
#[derive(Args)]
pub struct Options {}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let asking: Asking = serde_json::from_reader(io::stdin().lock())
            .map_err(|why| Error::invalid("read what to ask on standard input", why.to_string()))?;
        output::print(&output::json(&asking.ask()?)?)?;
        Ok(true)
    }
}

/// An effort by its name on the command line.
pub fn effort(name: &str) -> Result<Effort, String> {
    let known = || Effort::ALL.map(Effort::name).join(", ");
    Effort::parse(name).ok_or_else(|| format!("the efforts are {}", known()))
}

/// What a process of its own asks.
#[derive(Serialize, Deserialize)]
pub struct Asking {
    pub directory: PathBuf,
    /// Not timed: they bring index and caches into memory.
    pub warm_up: Vec<String>,
    pub questions: Vec<String>,
    /// By name; the floor is off then.
    pub effort: Option<String>,
    /// Also compare with an engine that counts nothing for the rollout.
    pub compare: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Asked {
    pub questions: usize,
    pub open_ms: f64,
    pub median_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub results_mean: f64,
    pub resident: Option<Resident>,
    /// Median of recalls that are counted for the rollout, over that of recalls that are not.
    pub measures_ratio: Option<f64>,
}

impl Asking {
    /// Asks in a process of its own, which has nothing of the harness in its memory.
    pub fn in_child(&self) -> Result<Asked> {
        let run = || -> io::Result<Asked> {
            let mut command = Command::new(std::env::current_exe()?);
            let mut child = command.arg("ask").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            if let Some(mut stdin) = child.stdin.take() {
                stdin.write_all(&serde_json::to_vec(self)?)?;
            }
            let output = child.wait_with_output()?;
            if !output.status.success() {
                return Err(io::Error::other(format!("it ended with {}", output.status)));
            }
            Ok(serde_json::from_slice(&output.stdout)?)
        };
        run().map_err(|why| Error::unavailable("measure recall in a process of its own", why.to_string()))
    }

    fn query(&self, workspace: &Workspace, question: &str) -> Query {
        let effort = self.effort.as_deref().and_then(Effort::parse);
        Query { limit: LIMIT, floor: effort.is_none(), effort, ..workspace.query(question) }
    }

    fn ask(&self) -> Result<Asked> {
        let start = Instant::now();
        let workspace = Workspace::open(&self.directory)?;
        let open_ms = start.elapsed().as_secs_f64() * 1e3;
        for question in &self.warm_up {
            workspace.recall(&self.query(&workspace, question))?;
        }
        let mut times = Times::default();
        let mut results = 0;
        for question in &self.questions {
            let start = Instant::now();
            let found = workspace.recall(&self.query(&workspace, question))?.results.len();
            times.add(start);
            results += found;
        }
        let resident = process::resident();
        Ok(Asked {
            questions: self.questions.len(),
            open_ms,
            median_ms: times.median(),
            p95_ms: times.percentile(0.95),
            p99_ms: times.percentile(0.99),
            results_mean: results as f64 / times.count().max(1) as f64,
            resident,
            measures_ratio: if self.compare { Some(self.measures_ratio(&workspace)?) } else { None },
        })
    }

    /// What counting costs: each question is asked by an engine that counts and by one that does not.
    fn measures_ratio(&self, counted: &Workspace) -> Result<f64> {
        let without = Workspace::with(&self.directory, uncounted(), &crate::embedder::built_in())?;
        let questions = self.warm_up.iter().chain(&self.questions);
        let [mut with, mut without] = process::in_turn(questions, self.warm_up.len(), |way, question| {
            let workspace = if way == 0 { counted } else { &without };
            workspace.recall(&self.query(workspace, question)).map(drop)
        })?;
        Ok(with.median() / without.median().max(1e-9))
    }
}
