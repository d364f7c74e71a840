//! The candidates of questions with their signals, for `tools/train`, which grows the ranking trees.
//!
//! JSON Lines: a head with the names of the signals, then a line for each question at each effort. Candidates
//! are in the order of the answer; `gold` holds the positions of the evidence among them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::{Error, Result};
use griot::recall::{Effort, Query, RecallResult, SIGNALS, SignalName};
use serde::Serialize;
use serde_json::json;

use crate::ask;
use crate::dataset::{self, Pool, Set};
use crate::embedder::EmbedderOptions;
use crate::random::Random;
use crate::workspace::Workspace;

/// Candidates of a question, best first.
const CANDIDATES: usize = 300;

/// Write the candidates of every question with their signals, for `tools/train`.
#[derive(Args)]
pub struct Options {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    #[arg(long)]
    out: PathBuf,
    /// Questions of one set at most, about.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    /// Ask at this effort; may be given several times.
    #[arg(long = "effort", value_parser = ask::effort, default_values = Effort::ALL.map(Effort::name))]
    efforts: Vec<Effort>,
    /// Ask without the graph. The questions are the same.
    #[arg(long)]
    no_graph: bool,
    #[arg(long, default_value_t = 13)]
    seed: u64,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

/// The candidates of one question at one effort.
#[derive(Serialize)]
struct Line<'a> {
    set: &'a str,
    id: &'a str,
    pool: &'a str,
    /// What it shares with other questions of its set: the pool, or where a set is one pool, the source of
    /// its first evidence.
    cluster: &'a str,
    effort: &'static str,
    /// Evidence in all, found or not.
    evidence: usize,
    gold: Vec<usize>,
    scores: Vec<f32>,
    values: Vec<[f32; SIGNALS]>,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let (sets, embedder) = (dataset::read_all(&self.sets)?, self.embedder.open()?);
        let file = File::create(&self.out).map_err(|why| self.cannot(why))?;
        let mut out = BufWriter::new(file);
        let signals: Vec<&str> = SignalName::ALL.iter().map(|signal| signal.name()).collect();
        let head = json!({
            "griot_features": 1, "embedder": embedder.name(), "graph": !self.no_graph, "signals": signals,
        });
        self.write(&mut out, &head)?;
        for set in &sets {
            eprintln!("{}: {} units, {} questions", set.name, set.units.len(), set.queries.len());
            self.ask(set, &embedder, &mut out)?;
        }
        out.flush().map_err(|why| self.cannot(why))?;
        Ok(true)
    }

    fn cannot(&self, why: impl ToString) -> Error {
        Error::unavailable(format!("write {}", self.out.display()), why.to_string())
    }

    fn write(&self, out: &mut impl Write, line: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut *out, line).map_err(|why| self.cannot(why))?;
        out.write_all(b"\n").map_err(|why| self.cannot(why))
    }

    fn ask(&self, set: &Set, embedder: &Arc<dyn Embedder>, out: &mut impl Write) -> Result<()> {
        let pools = set.pools();
        let answerable = set.queries.iter().filter(|query| query.is_answerable()).count();
        let share = self.questions as f64 / answerable.max(1) as f64;
        let mut random = Random::new(self.seed);
        for pool in &pools {
            let mut workspace = Workspace::temporary(embedder)?;
            workspace.ingest(&pool.units)?;
            let clusters = clusters(pool, pools.len() > 1);
            for query in pool.queries.iter().filter(|query| query.is_answerable()) {
                if !random.chance(share) {
                    continue;
                }
                for &effort in &self.efforts {
                    let asked = Query {
                        limit: CANDIDATES,
                        floor: false,
                        graph: !self.no_graph,
                        effort: Some(effort),
                        ..workspace.query(&query.text)
                    };
                    let results = workspace.recall(&asked)?.results;
                    let is_gold = |result: &RecallResult| {
                        workspace
                            .unit(result.memory.id)
                            .is_some_and(|unit| query.gold.iter().any(|id| id == unit))
                    };
                    let line = Line {
                        set: &set.name,
                        id: &query.id,
                        pool: pool.name,
                        cluster: clusters.get(query.gold[0].as_str()).copied().unwrap_or(pool.name),
                        effort: effort.name(),
                        evidence: query.gold.len(),
                        gold: (0..results.len()).filter(|at| is_gold(&results[*at])).collect(),
                        scores: results.iter().map(|result| result.score).collect(),
                        values: results.iter().map(values).collect(),
                    };
                    self.write(out, &line)?;
                }
            }
        }
        Ok(())
    }
}

/// What questions share by the id of their first evidence; empty where they share the pool.
fn clusters<'a>(pool: &Pool<'a>, is_pool: bool) -> HashMap<&'a str, &'a str> {
    let units = pool.units.iter().filter(|_| !is_pool);
    units.map(|unit| (unit.id.as_str(), unit.source.as_str())).collect()
}

fn values(result: &RecallResult) -> [f32; SIGNALS] {
    let mut values = [0.0; SIGNALS];
    for signal in &result.signals {
        if let Some(at) = SignalName::ALL.iter().position(|known| known.name() == signal.name) {
            values[at] = signal.value;
        }
    }
    values
}
