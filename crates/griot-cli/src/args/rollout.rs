//! Arguments of `rollout` and `feedback`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Subcommand};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot rollout
  griot rollout set shadow
  griot rollout judge questions.jsonl
  griot rollout plan")]
pub struct Rollout {
    #[command(subcommand)]
    pub action: Option<RolloutAction>,
}

#[derive(Subcommand, Debug)]
pub enum RolloutAction {
    /// Show mode, gate, alarms and counts (what `griot rollout` does)
    Status,
    /// Set the rollout mode of the graph
    Set {
        #[arg(value_parser = modes())]
        mode: String,
        /// Even if the quality gate is not open; discards the evidence so far
        #[arg(long)]
        force: bool,
    },
    /// Compare the answers to judged questions with and without the graph
    Judge {
        /// One object a line: {"query": "why did we move?", "relevant": ["#a1b2c3"]}; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Show what the next stage still requires
    Plan,
}

fn modes() -> PossibleValuesParser {
    let modes = [
        ("off", "The baseline answers; the graph is not run"),
        ("shadow", "The baseline answers; the graph runs for measurements only"),
        ("canary", "The graph answers requests for it (`recall --graph`) while the gate allows"),
        ("on", "The graph answers all requests that do not decline it"),
    ];
    modes.map(|(mode, help)| PossibleValue::new(mode).help(help)).into()
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot feedback q-3f2a90c1d4e5 --good
  griot feedback q-3f2a90c1d4e5 a1b2c3 --bad
  griot feedback a1b2c3 d4e5f6 --good")]
pub struct Feedback {
    /// Id of an answer (`recall --explain` or `--json` print it), handles of its results, or both
    #[arg(value_name = "ANSWER|MEMORY", required = true)]
    pub names: Vec<String>,
    /// It helped
    #[arg(long, required_unless_present = "bad")]
    pub good: bool,
    /// It did not
    #[arg(long, conflicts_with = "good")]
    pub bad: bool,
}
