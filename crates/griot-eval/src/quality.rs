//! How good is recall on each set, beside plain methods on the same questions?
//!
//! Everything the report says is measured here, in one run: plain methods and every effort with one embedder
//! or two, and the cost of a question (with the built-in embedder). [`crate::page`] makes the document of it.
//! What each part of recall gives is measured by `tools/train`, which can fit the ranking without it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use griot::embed::Embedder;
use griot::model::Result;
use griot::recall::{Effort, Query};

use crate::ask::{Asked, Asking};
use crate::baseline;
use crate::dataset::{self, Set};
use crate::embedder::{EmbedderOptions, built_in};
use crate::page::{Quality, Row, SetCost, SetQuality, Way};
use crate::process::Times;
use crate::score::{Rankings, Scores};
use crate::workspace::Workspace;
use crate::{output, page};

/// Units ranked for a question: what the measures look at, and room for units that come twice.
const LIMIT: usize = 50;
/// Questions that are timed in a process of their own, and asked before without being timed.
const TIMED: usize = 200;
const WARM_UP: usize = 5;

/// Measure everything that docs/quality.md says, and write it: plain methods, every effort, time and memory.
#[derive(Args)]
pub struct Options {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Where the Markdown goes.
    #[arg(long)]
    out: PathBuf,
    /// Where the same figures go as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let mut embedders = vec![built_in()];
        embedders.extend(Some(self.embedder.open()?).filter(|other| other.name() != embedders[0].name()));
        let start = Instant::now();
        let progress = |step: &str| eprintln!("{:6.0} s  {step}", start.elapsed().as_secs_f64());
        let sets = dataset::read_all(&self.sets)?;
        let quality = Quality {
            embedders: embedders.iter().map(|embedder| embedder.name().to_owned()).collect(),
            sets: sets.iter().map(|set| one(set, &embedders, &progress)).collect::<Result<_>>()?,
        };
        output::write(&self.out, page::of(&quality, &page::machine())?)?;
        if let Some(path) = &self.json {
            output::write(path, output::json(&quality)?)?;
        }
        Ok(true)
    }
}

fn one(set: &Set, embedders: &[Arc<dyn Embedder>], progress: &dyn Fn(&str)) -> Result<SetQuality> {
    progress(&format!("{}: {} units, {} questions", set.name, set.units.len(), set.queries.len()));
    let row = |method, embedder, rankings: &Rankings, median_ms| Row {
        method,
        embedder,
        scores: Scores::of(&set.queries, rankings),
        median_ms,
    };
    let mut rows = vec![row(Way::Bm25, None, &baseline::by_words(set, LIMIT), None)];
    let mut cost = None;
    for (number, embedder) in embedders.iter().enumerate() {
        progress(&format!("{}: plain methods with {}", set.name, embedder.name()));
        for (way, rankings) in baseline::by_vectors(set, embedder.as_ref(), LIMIT)? {
            rows.push(row(way, Some(number), &rankings, None));
        }
        progress(&format!("{}: Griot with {}", set.name, embedder.name()));
        let (by_effort, measured) = recalled(set, embedder, number == 0)?;
        cost = cost.or(measured);
        for (effort, (rankings, median_ms)) in Effort::ALL.into_iter().zip(by_effort) {
            rows.push(row(Way::of(effort), Some(number), &rankings, Some(median_ms)));
        }
    }
    Ok(SetQuality {
        set: set.name.clone(),
        units: set.units.len(),
        questions: rows[0].headline().map_or(0, |group| group.questions),
        pools: set.pools().len(),
        is_chat: set.is_chat(),
        rows,
        cost,
    })
}

/// Rankings and median milliseconds of a question, in the order of [`Effort::ALL`].
pub type ByEffort = [(Rankings, f64); 3];

/// Asks everything at every effort; `with_cost` also measures what a question costs in the largest pool.
pub fn recalled(
    set: &Set,
    embedder: &Arc<dyn Embedder>,
    with_cost: bool,
) -> Result<(ByEffort, Option<SetCost>)> {
    let mut by_effort: [(Rankings, Times); 3] = Default::default();
    let mut cost = None;
    let pools = set.pools();
    let largest = (0..pools.len()).rev().max_by_key(|at| pools[*at].units.len());
    for (at, pool) in pools.iter().enumerate() {
        let mut workspace = Workspace::temporary(embedder)?;
        workspace.ingest(&pool.units)?;
        let workspace = workspace.finish()?;
        for (effort, (rankings, times)) in Effort::ALL.into_iter().zip(&mut by_effort) {
            for query in &pool.queries {
                let start = Instant::now();
                let asked = Query {
                    limit: LIMIT,
                    floor: false,
                    effort: Some(effort),
                    ..workspace.query(&query.text)
                };
                let answer = workspace.recall(&asked)?;
                times.add(start);
                rankings.insert(query.id.clone(), workspace.ranked(&answer));
            }
        }
        if with_cost && largest == Some(at) {
            let questions: Vec<String> =
                pool.queries.iter().take(TIMED).map(|query| query.text.clone()).collect();
            let ask = |effort: Effort| {
                let asking = Asking {
                    directory: workspace.directory().to_path_buf(),
                    warm_up: questions.iter().take(WARM_UP).cloned().collect(),
                    questions: questions.clone(),
                    effort: Some(effort.name().to_owned()),
                    compare: false,
                };
                asking.in_child()
            };
            let efforts = Effort::ALL.into_iter().map(ask).collect::<Result<Vec<Asked>>>()?;
            cost = Some(SetCost { units: pool.units.len(), efforts });
        }
    }
    Ok((by_effort.map(|(rankings, mut times)| (rankings, times.median())), cost))
}
