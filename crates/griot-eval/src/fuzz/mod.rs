//! Does any file make a reader panic, hang, or say what the engine refuses?
//!
//! Golden files are damaged and read, each on a thread with a stack of the usual size. All of it follows from
//! the seed: input 7 of a format is the same again without the six before it.

mod mutate;
mod samples;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use clap::Args;
use griot::model::{Error, ErrorKind, Result, Timestamp};
use griot::remember::{Draft, RememberSettings, prepare};
use griot_ingest::{Format, ReadOptions, Reading, read_bytes};

use crate::output;
use crate::random::{self, Random};
use samples::{Sample, Samples};

/// Of each part of the text that comes out; nothing that is read is so large.
const MOST_TEXT: usize = 100 * 1024 * 1024;
/// The default stack of a thread.
const STACK: usize = 2 * 1024 * 1024;
/// So many failures of a format are kept; more say the same.
const KEPT: usize = 20;
/// Holds the input at hand: what is left of a process that its input killed.
const AT_HAND: &str = "fuzz-at-hand";
/// What a reader says of a panic in a library that it caught.
const CAUGHT: &str = "the reader crashed";

/// Damage files of every format and read them; exit 1 for a panic, a hang, or what the engine would
/// refuse.
#[derive(Args)]
pub struct Options {
    /// For each format.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Only this one.
    #[arg(long)]
    format: Option<String>,
    /// Seconds; an input that takes longer is a hang.
    #[arg(long, default_value_t = 5)]
    limit: u64,
    /// What all damage follows from [default: the time].
    #[arg(long)]
    seed: Option<u64>,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let seed = self.seed.unwrap_or_else(random::clock_seed);
        output::print(&format!("seed {seed}\n"))?;
        let plan = Plan {
            time: Duration::from_secs(self.seconds),
            most: u64::MAX,
            limit: Duration::from_secs(self.limit),
            seed,
            folder: PathBuf::from("."),
        };
        let outcomes = run(self.format.as_deref(), &plan)?;
        output::print(&table(&outcomes))?;
        Ok(outcomes.iter().all(Outcome::holds))
    }
}

struct Plan {
    /// For each format: until so much time is over, or so many inputs were read.
    time: Duration,
    most: u64,
    /// An input that takes longer is a hang.
    limit: Duration,
    seed: u64,
    /// Where failing inputs are written.
    folder: PathBuf,
}

/// What became of an input. One that is read may still have problems.
#[derive(Clone, Copy)]
enum End {
    Read,
    Refused,
    /// Refused because a library gave up on it.
    Caught,
    Crashed,
    Hung,
    /// Read into what the engine would refuse.
    Unfit,
}

#[derive(Default)]
struct Outcome {
    format: &'static str,
    inputs: u64,
    /// By [`End`].
    ends: [u64; 6],
    slowest: Duration,
    elapsed: Duration,
    /// Inputs that were kept, and why.
    failures: BTreeMap<PathBuf, String>,
    /// Where panics came from, caught by a reader or not, and how many.
    panics: BTreeMap<String, u64>,
}

impl Outcome {
    fn count(&self, end: End) -> u64 {
        self.ends[end as usize]
    }

    fn holds(&self) -> bool {
        [End::Crashed, End::Hung, End::Unfit].map(|end| self.count(end)) == [0; 3]
    }
}

/// Damages and reads files of the wanted format, or of all, until the time is over.
fn run(wanted: Option<&str>, plan: &Plan) -> Result<Vec<Outcome>> {
    let all = samples::all()?;
    let formats: Vec<&Samples> =
        all.iter().filter(|samples| wanted.is_none_or(|name| name == samples.format)).collect();
    if formats.is_empty() {
        let known: Vec<&str> = all.iter().map(|samples| samples.format).collect();
        let what = format!("fuzz the format `{}`", wanted.unwrap_or_default());
        return Err(
            Error::invalid(what, "there is no such format").hint(format!("use one of {}", known.join(", ")))
        );
    }
    // A panic is counted and not printed.
    let printed = std::panic::take_hook();
    let panics = Arc::new(Mutex::new(BTreeMap::new()));
    let heard = Arc::clone(&panics);
    std::panic::set_hook(Box::new(move |panic| {
        if let (Ok(mut heard), Some(at)) = (heard.lock(), panic.location()) {
            *heard.entry(format!("{}:{}", short(at.file()), at.line())).or_insert(0) += 1;
        }
    }));
    let mut outcomes = Vec::new();
    for format in formats {
        let mut outcome = fuzz(format, &all, plan);
        if let Ok(outcome) = &mut outcome {
            outcome.panics = panics.lock().map(|mut panics| std::mem::take(&mut *panics)).unwrap_or_default();
            eprintln!("{}: {} inputs", outcome.format, outcome.inputs);
        }
        outcomes.push(outcome);
    }
    std::panic::set_hook(printed);
    outcomes.into_iter().collect()
}

/// `pdf-extract-0.12.1/src/lib.rs` of a longer path.
fn short(path: &str) -> &str {
    let third = path.rmatch_indices(['/', '\\']).nth(2);
    third.map_or(path, |(at, _)| &path[at + 1..])
}

fn bytes_of(samples: &Samples) -> impl Iterator<Item = &[u8]> {
    samples.files.iter().map(|file| file.bytes.as_slice())
}

fn fuzz(samples: &Samples, all: &[Samples], plan: &Plan) -> Result<Outcome> {
    let all: Vec<&[u8]> = all.iter().flat_map(bytes_of).collect();
    let own: Vec<&[u8]> = bytes_of(samples).collect();
    let at_hand = plan.folder.join(AT_HAND);
    let seed = plan.seed ^ Random::of(0, number_of(samples.format)).next();
    let mut outcome = Outcome { format: samples.format, ..Outcome::default() };
    let start = Instant::now();
    while outcome.inputs < plan.most && start.elapsed() < plan.time {
        let mut random = Random::of(seed, outcome.inputs);
        outcome.inputs += 1;
        let Sample { name, bytes } = &samples.files[random.below(samples.files.len())];
        let others = if random.chance(0.5) { &own } else { &all };
        let bytes = mutate::damaged(&mut random, bytes, others);
        // Half of them under their name, as files come, and half as what they were.
        let told = Format::parse(samples.format).filter(|_| random.chance(0.5));
        output::write(&at_hand, &bytes)?;
        let begin = Instant::now();
        let (end, why) = read(name.clone(), told, bytes.clone(), plan.limit);
        outcome.slowest = outcome.slowest.max(begin.elapsed());
        outcome.ends[end as usize] += 1;
        if !matches!(end, End::Read | End::Refused | End::Caught) && outcome.failures.len() < KEPT {
            let hash = blake3::hash(&bytes).to_hex();
            let path = plan.folder.join(format!("fuzz-{}-{}-{name}", samples.format, &hash[..16]));
            output::write(&path, &bytes)?;
            let forced = if told.is_some() { " (with the format said)" } else { "" };
            outcome.failures.insert(path, why + forced);
        }
    }
    outcome.elapsed = start.elapsed();
    let _ = std::fs::remove_file(&at_hand);
    Ok(outcome)
}

fn number_of(name: &str) -> u64 {
    name.bytes().fold(7, |number, byte| number * 31 + u64::from(byte))
}

/// Reads on a thread of its own; one that hangs is left behind.
fn read(name: String, format: Option<Format>, bytes: Vec<u8>, limit: Duration) -> (End, String) {
    let (said, end) = mpsc::sync_channel(1);
    // Without a thread it is a hang, and says so.
    let _ =
        std::thread::Builder::new().stack_size(STACK).spawn(move || said.send(end_of(&name, format, bytes)));
    end.recv_timeout(limit).unwrap_or_else(|_| (End::Hung, format!("took more than {} s", limit.as_secs())))
}

/// How it ended, and why if that is a failure.
fn end_of(name: &str, format: Option<Format>, bytes: Vec<u8>) -> (End, String) {
    let options = ReadOptions { format, ..ReadOptions::default() };
    let read = std::panic::catch_unwind(|| read_bytes(name, bytes, &options));
    let unfit_for = |why: String| (End::Unfit, format!("unfit: {why}"));
    match read {
        Ok(Ok(readings)) => readings.iter().find_map(unfit).map_or((End::Read, String::new()), unfit_for),
        Ok(Err(error)) if error.why.contains(CAUGHT) => (End::Caught, String::new()),
        Ok(Err(error)) if error.kind == ErrorKind::InvalidInput => (End::Refused, String::new()),
        Ok(Err(error)) => unfit_for(format!("an error of another kind: {error}")),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            (End::Crashed, format!("panicked: {said}"))
        }
    }
}

/// Why the engine would refuse what was read, and with it the whole source.
fn unfit(reading: &Reading) -> Option<String> {
    let size: usize = reading.drafts.iter().map(|draft| draft.text.len()).sum();
    if size > MOST_TEXT {
        return Some(format!("it became {size} bytes"));
    }
    let settings = RememberSettings::default();
    let refused = |draft: &Draft| prepare::check(draft.clone(), Timestamp(0), &settings).err();
    reading.drafts.iter().find_map(refused).map(|error| error.to_string())
}

/// What came out, as a table, and the failures below it.
fn table(outcomes: &[Outcome]) -> String {
    let mut out = format!(
        "{:<12} {:>9} {:>8} {:>6} {:>7} {:>8} {:>8} {:>6} {:>6}\n",
        "format", "inputs", "per s", "read", "caught", "slowest", "crashes", "hangs", "unfit"
    );
    for outcome in outcomes {
        out.push_str(&line(outcome));
    }
    for outcome in outcomes {
        for (at, count) in &outcome.panics {
            out.push_str(&format!("{}: {count} panics at {at}\n", outcome.format));
        }
    }
    for (path, why) in outcomes.iter().flat_map(|outcome| &outcome.failures).collect::<BTreeMap<_, _>>() {
        out.push_str(&format!("{}: {why}\n", path.display()));
    }
    out
}

fn line(outcome: &Outcome) -> String {
    let inputs = outcome.inputs as f64;
    format!(
        "{:<12} {:>9} {:>8.0} {:>6} {:>7} {:>6}ms {:>8} {:>6} {:>6}\n",
        outcome.format,
        outcome.inputs,
        inputs / outcome.elapsed.as_secs_f64().max(1e-9),
        format!("{:.0}%", 100.0 * outcome.count(End::Read) as f64 / inputs.max(1.0)),
        outcome.count(End::Caught),
        outcome.slowest.as_millis(),
        outcome.count(End::Crashed),
        outcome.count(End::Hung),
        outcome.count(End::Unfit)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_finds_nothing_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = Plan {
            time: Duration::MAX,
            most: 60,
            limit: Duration::from_secs(60),
            seed: 3,
            folder: folder.path().to_path_buf(),
        };
        let outcomes = run(Some("csv"), &plan).expect("it runs");
        assert!(
            outcomes
                .iter()
                .all(|outcome| outcome.holds() && outcome.inputs == 60 && outcome.count(End::Read) > 0)
        );
        assert_eq!(std::fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(0));
        assert!(run(Some("pcx"), &plan).is_err());
    }
}
