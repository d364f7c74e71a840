//! What does an erasure leave, and what does it cost? Memories of a generated workspace are erased by the command, a third of the
//! commands killed at random moments; then every file is searched for pieces that only erased texts had. After that some more
//! are erased inside this process, timed, beside a thread that reads all the while.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use griot::engine::{Access, Engine, Settings};
use griot::model::{ErasedKind, Error, Result};
use griot::recall::Query;
use griot_ingest::Lies;
use serde::Serialize;

use crate::load;
use crate::peer::Installation;
use crate::random::Random;
use crate::workspace::Workspace;

/// Pieces of a text that are looked for, in bytes.
const PIECE: usize = 12;
/// Every so manieth command is killed.
const KILLED: usize = 3;
/// The latest moment at which one is, in milliseconds.
const MOMENTS: usize = 400;

#[derive(Clone, Debug)]
pub struct Options {
    pub binary: PathBuf,
    pub memories: usize,
    pub erased: usize,
    /// Erasures that are timed.
    pub timed: usize,
    pub seed: u64,
    pub directory: Option<PathBuf>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Outcome {
    pub seed: u64,
    pub erased: usize,
    pub killed: usize,
    /// Files with a piece that only erased texts had.
    pub remnants: Vec<String>,
    /// What `doctor` found.
    pub unsound: Vec<String>,
    /// Of one erasure inside a process, in milliseconds.
    pub median_ms: f64,
    /// The longest that a recall took beside them.
    pub longest_recall_ms: f64,
}

impl Outcome {
    pub fn holds(&self) -> bool {
        self.remnants.is_empty() && self.unsound.is_empty()
    }

    pub fn table(&self) -> String {
        let mut text = format!("seed {}\nerased {}, of these {} killed\n", self.seed, self.erased, self.killed);
        let _ = writeln!(text, "one erasure {:.0} ms (median)", self.median_ms);
        let _ = writeln!(text, "longest recall beside them {:.0} ms", self.longest_recall_ms);
        for file in &self.remnants {
            let _ = writeln!(text, "left in {file}");
        }
        for problem in &self.unsound {
            let _ = writeln!(text, "doctor: {problem}");
        }
        text
    }
}

pub fn measure(options: &Options, progress: impl Fn(&str)) -> Result<Outcome> {
    let folder = load::folder(options.directory.as_ref())?;
    let database = Workspace::file(folder.path());
    let griot = Installation::new(&options.binary, database.clone(), folder.path().join("home"))?;
    drop(load::build(folder.path(), options.memories)?);
    let mut random = Random::of(options.seed, 0);
    let mut outcome = Outcome { seed: options.seed, ..Outcome::default() };
    let mut stored = texts(&database)?;
    for at in (1..stored.len()).rev() {
        stored.swap(at, random.below(at + 1));
    }
    let timed = stored.split_off(stored.len().saturating_sub(options.timed));
    let kept = stored.split_off(options.erased.min(stored.len()));
    for (turn, (id, _)) in stored.iter().enumerate() {
        if turn % KILLED == 0 {
            outcome.killed += 1;
            griot.killed(&["erase", "memory", id], Duration::from_millis(random.below(MOMENTS) as u64))?;
            // Ended before its rows were gone, it did not begin: it is asked again. Ended after, this finds nothing.
            let _ = griot.run(&["erase", "memory", id]);
        } else {
            griot.run(&["erase", "memory", id])?;
        }
        outcome.erased += 1;
        if (turn + 1) % 100 == 0 {
            progress(&format!("{} of {} erased", turn + 1, options.erased));
        }
    }
    griot.run(&["erase", "--resume"])?;
    time(&database, &timed, &mut outcome)?;
    let gone: Vec<&str> = stored.iter().chain(&timed).map(|(_, text)| text.as_str()).collect();
    let kept: Vec<&str> = kept.iter().map(|(_, text)| text.as_str()).collect();
    search(folder.path(), &only(&gone, &kept), &mut outcome.remnants)?;
    outcome.unsound = griot.doctor()?;
    Ok(outcome)
}

/// Id and text of every memory.
fn texts(database: &Path) -> Result<Vec<(String, String)>> {
    let engine = open(database)?;
    let mut found = Vec::new();
    let mut after = 0;
    loop {
        let page = engine.read()?.memories_after(after, 1000)?;
        let Some(last) = page.last() else { break };
        after = last.node.number();
        found.extend(page.into_iter().map(|memory| (memory.id.to_string(), memory.text)));
    }
    engine.close()?;
    Ok(found)
}

fn open(database: &Path) -> Result<Engine> {
    Engine::open(database, Access { create: false, read_only: false }, Settings::default())
}

fn time(database: &Path, timed: &[(String, String)], outcome: &mut Outcome) -> Result<()> {
    let engine = open(database)?;
    let lies = Lies { database: database.to_path_buf(), removed: Vec::new() };
    let ended = AtomicBool::new(false);
    let mut times = Vec::new();
    let longest = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut longest = Duration::ZERO;
            while !ended.load(Ordering::Relaxed) {
                let start = Instant::now();
                let _ = engine.recall(&Query::new("what was decided about the release?".to_string(), engine.now()));
                longest = longest.max(start.elapsed());
            }
            longest
        });
        let erased = timed.iter().try_for_each(|(id, _)| {
            let start = Instant::now();
            griot_ingest::erase(&engine, &lies, ErasedKind::Memory, id, "griot-eval", false)?;
            times.push(start.elapsed());
            outcome.erased += 1;
            Ok::<(), Error>(())
        });
        ended.store(true, Ordering::Relaxed);
        erased.map(|()| reader.join().unwrap_or_default())
    })?;
    engine.close()?;
    times.sort_unstable();
    outcome.median_ms = times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1000.0;
    outcome.longest_recall_ms = longest.as_secs_f64() * 1000.0;
    Ok(())
}

/// Pieces that only the first texts have.
fn only(gone: &[&str], kept: &[&str]) -> HashSet<Vec<u8>> {
    let pieces = |text: &&str| text.as_bytes().windows(PIECE).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let mut wanted: HashSet<Vec<u8>> = gone.iter().flat_map(pieces).collect();
    for text in kept {
        for piece in text.as_bytes().windows(PIECE) {
            wanted.remove(piece);
        }
    }
    wanted
}

fn search(folder: &Path, wanted: &HashSet<Vec<u8>>, found: &mut Vec<String>) -> Result<()> {
    let failed = |error: std::io::Error| Error::unavailable(format!("search {}", folder.display()), error.to_string());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            search(&path, wanted, found)?;
        } else if fs::read(&path).map_err(failed)?.windows(PIECE).any(|piece| wanted.contains(piece)) {
            found.push(path.display().to_string());
        }
    }
    Ok(())
}
