//! How fast and how large is a workspace of so many memories?
//!
//! For every size: build in batches, write on top of that, then ask from a new process, so that the resident
//! memory is that of asking and not of building. Every write is durable; the disk's own rate of durable 4 KB
//! appends in the same folder is printed beside the writes. What could not be measured is `None`, printed as
//! "not measured".

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use griot::model::{Error, Result};
use serde::Serialize;

use crate::ask::Asking;
use crate::generator::{GeneratedMemory, Generator};
use crate::output::{self, thousands};
use crate::peer::Installation;
use crate::process::{self, Resident, Times};
use crate::workspace::{self, Workspace};

const BATCH: usize = 1_000;
/// Batches timed on top of the finished workspace.
const EXTRA_BATCHES: usize = 5;
/// Single writes timed, at most as many as fit into the time.
const SINGLES: usize = 1_000;
const SINGLES_TIME: Duration = Duration::from_secs(5);
const APPENDS: usize = 200;
const WARM_UP: usize = 50;
const FRESH_PROCESSES: usize = 20;
const SEED: u64 = 1;

/// Measure speed and size on generated workspaces.
#[derive(Args)]
pub struct Options {
    /// Memories in the workspace; may be given several times.
    #[arg(long = "memories", default_values_t = [10_000, 100_000])]
    sizes: Vec<usize>,
    /// Timed recalls per size.
    #[arg(long, default_value_t = 1_000)]
    queries: usize,
    /// The binary `griot`, to measure recall by a process of its own.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Where the workspaces are made and removed again.
    #[arg(long)]
    directory: Option<PathBuf>,
    /// Keep the workspaces, and say where they are.
    #[arg(long)]
    keep: bool,
    #[arg(long)]
    json: bool,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let rows = self.sizes.iter().map(|&memories| measure(memories, self)).collect::<Result<Vec<_>>>()?;
        output::print(&if self.json { output::json(&rows)? } else { table(&rows) })?;
        Ok(true)
    }
}

/// What one size came to. Times in milliseconds, sizes in bytes.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
struct Row {
    memories: usize,
    recall_median_ms: f64,
    recall_p99_ms: f64,
    /// Median of recalls that are counted for the rollout, over that of recalls that are not.
    measures_ratio: f64,
    /// Results per recall, to see that the questions are answered at all.
    results_mean: f64,
    open_ms: f64,
    fresh_process_median_ms: Option<f64>,
    build_per_second: f64,
    /// Batches of 1,000 into the finished workspace.
    batch_per_second: f64,
    single_per_second: f64,
    disk_appends_per_second: f64,
    /// Of the process that asks.
    recall_resident: Option<Resident>,
    /// Highest of the process that builds, over all sizes so far.
    build_peak: Option<u64>,
    database_bytes_per_memory: f64,
    index_bytes_per_memory: f64,
}

fn measure(memories: usize, options: &Options) -> Result<Row> {
    let progress = |step: &str| eprintln!("{}: {step}", thousands(memories as u64));
    let folder = workspace::folder(options.directory.as_deref())?;
    let disk_appends_per_second = process::durable_appends_per_second(folder.path(), APPENDS)?;

    progress("building");
    let (workspace, generator, build_per_second) = build(folder.path(), memories)?;
    let per_memory = |bytes: u64| bytes as f64 / memories.max(1) as f64;
    let database_bytes_per_memory = per_memory(workspace.database_bytes()?);
    let index_bytes_per_memory = per_memory(workspace.index_bytes()?);

    progress("asking");
    drop(workspace);
    let mut questions = generator.queries(WARM_UP + options.queries);
    let asking = Asking {
        directory: folder.path().to_path_buf(),
        questions: questions.split_off(WARM_UP),
        warm_up: questions,
        effort: None,
        compare: true,
    };
    let asked = asking.in_child()?;
    let fresh = options
        .binary
        .as_deref()
        .map(|binary| fresh_processes(binary, folder.path(), &generator))
        .transpose()?;

    progress("writing more");
    let mut workspace = Workspace::open(folder.path())?;
    let extra = (memories..memories + EXTRA_BATCHES * BATCH).map(|index| generator.memory(index));
    let batch = batches(&mut workspace, extra)?;
    let single_per_second = singles(&mut workspace, &generator, memories + EXTRA_BATCHES * BATCH)?;

    let row = Row {
        memories,
        recall_median_ms: asked.median_ms,
        recall_p99_ms: asked.p99_ms,
        measures_ratio: asked.measures_ratio.unwrap_or_default(),
        results_mean: asked.results_mean,
        open_ms: asked.open_ms,
        fresh_process_median_ms: fresh,
        build_per_second,
        batch_per_second: batch,
        single_per_second,
        disk_appends_per_second,
        recall_resident: asked.resident,
        build_peak: process::resident().map(|resident| resident.peak),
        database_bytes_per_memory,
        index_bytes_per_memory,
    };
    if options.keep {
        progress(&format!("kept in {}", folder.keep().display()));
    }
    Ok(row)
}

/// A workspace of generated memories in `folder`, and how many a second were written.
pub fn build(folder: &Path, memories: usize) -> Result<(Workspace, Generator, f64)> {
    let generator = Generator::new(SEED, memories);
    let mut workspace = Workspace::open(folder)?;
    let per_second = batches(&mut workspace, generator.memories())?;
    Ok((workspace.finish()?, generator, per_second))
}

/// Writes all in batches and returns memories per second of writing; generating them does not count.
fn batches(workspace: &mut Workspace, memories: impl Iterator<Item = GeneratedMemory>) -> Result<f64> {
    let mut memories = memories.peekable();
    let (mut written, mut spent) = (0, Duration::ZERO);
    while memories.peek().is_some() {
        let batch: Vec<GeneratedMemory> = memories.by_ref().take(BATCH).collect();
        let start = Instant::now();
        workspace.remember(&batch)?;
        spent += start.elapsed();
        written += batch.len();
    }
    Ok(written as f64 / spent.as_secs_f64().max(1e-9))
}

/// One durable transaction each.
fn singles(workspace: &mut Workspace, generator: &Generator, from: usize) -> Result<f64> {
    let (mut written, mut spent) = (0, Duration::ZERO);
    while written < SINGLES && spent < SINGLES_TIME {
        let memory = generator.memory(from + written);
        let start = Instant::now();
        workspace.remember(std::slice::from_ref(&memory))?;
        spent += start.elapsed();
        written += 1;
    }
    Ok(written as f64 / spent.as_secs_f64().max(1e-9))
}

/// Median wall clock of `griot recall` from start to end, after one run that fills the page cache.
fn fresh_processes(binary: &Path, directory: &Path, generator: &Generator) -> Result<f64> {
    let griot = Installation::new(binary, directory, directory)?;
    let mut times = Times::default();
    for (number, question) in generator.queries(1 + FRESH_PROCESSES).iter().enumerate() {
        let start = Instant::now();
        let (_, code) = griot.finished(&["recall", question, "--json"])?;
        if number > 0 {
            times.add(start);
        }
        // 1 says that nothing was found, which is an answer.
        if !matches!(code, Some(0 | 1)) {
            return Err(Error::unavailable("recall by the binary", format!("it ended with {code:?}")));
        }
    }
    Ok(times.median())
}

fn number(value: f64) -> String {
    if value >= 1_000.0 { thousands(value.round() as u64) } else { format!("{value:.2}") }
}

fn megabytes(bytes: u64) -> String {
    number(bytes as f64 / (1 << 20) as f64)
}

/// One column a size.
fn table(rows: &[Row]) -> String {
    let mut text = format!("{:34}", "memories");
    for row in rows {
        let _ = write!(text, "{:>14}", thousands(row.memories as u64));
    }
    text.push('\n');
    type Cell = fn(&Row) -> Option<String>;
    let lines: [(&str, Cell); 15] = [
        ("recall, warm, median (ms)", |r| Some(number(r.recall_median_ms))),
        ("recall, warm, p99 (ms)", |r| Some(number(r.recall_p99_ms))),
        ("… with measures, over without", |r| Some(format!("{:.3}", r.measures_ratio))),
        ("results per recall", |r| Some(number(r.results_mean))),
        ("open (ms)", |r| Some(number(r.open_ms))),
        ("recall, fresh process (ms)", |r| r.fresh_process_median_ms.map(number)),
        ("build, batches of 1,000 (/s)", |r| Some(number(r.build_per_second))),
        ("further batches of 1,000 (/s)", |r| Some(number(r.batch_per_second))),
        ("single durable remembers (/s)", |r| Some(number(r.single_per_second))),
        ("the disk's durable appends (/s)", |r| Some(number(r.disk_appends_per_second))),
        ("resident after asking (MB)", |r| r.recall_resident.map(|m| megabytes(m.now))),
        ("resident while asking, peak (MB)", |r| r.recall_resident.map(|m| megabytes(m.peak))),
        ("resident while building, peak (MB)", |r| r.build_peak.map(megabytes)),
        ("database per memory (bytes)", |r| Some(number(r.database_bytes_per_memory))),
        ("index files per memory (bytes)", |r| Some(number(r.index_bytes_per_memory))),
    ];
    for (name, cell) in &lines {
        let _ = write!(text, "{name:34}");
        for row in rows {
            let _ = write!(text, "{:>14}", cell(row).as_deref().unwrap_or("not measured"));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_was_not_measured() {
        let row = Row {
            memories: 100_000,
            recall_median_ms: 1.234,
            measures_ratio: 1.0234,
            build_per_second: 5_678.4,
            recall_resident: Some(Resident { now: 50 << 20, peak: 60 << 20 }),
            ..Row::default()
        };
        let text = table(&[row.clone(), Row { memories: 1_000_000, ..row }]);
        let line = |start: &str| {
            let line = text.lines().find(|l| l.starts_with(start)).unwrap_or_default();
            line[start.len()..].split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("memories"), "100,000 1,000,000");
        assert_eq!(line("recall, warm, median (ms)"), "1.23 1.23");
        assert_eq!(line("… with measures, over without"), "1.023 1.023");
        assert_eq!(line("recall, fresh process (ms)"), "not measured not measured");
        assert_eq!(line("build, batches of 1,000 (/s)"), "5,678 5,678");
        assert_eq!(line("resident while asking, peak (MB)"), "60.00 60.00");
        assert_eq!(line("resident while building, peak (MB)"), "not measured not measured");
    }
}
