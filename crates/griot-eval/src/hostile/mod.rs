//! Does any file that was made to do harm take more than its share, or the process that asked for it?
//!
//! Files of every format are made (`files`), each to be as dear as it can be: packed to burst, nested without
//! end, repeated a million times, never closed. Each is read as an upload is, heavy ones in a process of
//! their own, and has to be read or refused with a reason.

mod files;
mod pdf;

use std::time::{Duration, Instant};

use griot::model::{ErrorKind, Result};
use griot_ingest::{ReadLimits, ReadOptions, last_reader_peak, read_bytes};

pub use files::{FILES, HostileFile};

pub struct Options {
    /// Bytes that a file means to become, more or less.
    pub bytes: usize,
    /// Only files whose names contain this.
    pub only: Option<String>,
    pub limits: ReadLimits,
}

/// What became of one file.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub name: &'static str,
    pub bytes: usize,
    /// Memories that it became, or why it was refused.
    pub end: std::result::Result<usize, String>,
    /// The refusal is about the file, and no trouble of ours.
    pub is_fair: bool,
    pub elapsed: Duration,
    /// Of the process that read it, where there was one and it told.
    pub peak: Option<u64>,
}

/// Makes and reads one file after another.
pub fn run(options: &Options, mut tell: impl FnMut(&Outcome)) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for file in
        FILES.iter().filter(|file| options.only.as_deref().is_none_or(|only| file.name.contains(only)))
    {
        let bytes = (file.make)(options.bytes);
        let outcome = read(file.name, bytes, options.limits);
        tell(&outcome);
        outcomes.push(outcome);
    }
    outcomes
}

fn read(name: &'static str, bytes: Vec<u8>, limits: ReadLimits) -> Outcome {
    let size = bytes.len();
    let options = ReadOptions { limits, max_bytes: u64::MAX, ..ReadOptions::default() };
    last_reader_peak();
    let begin = Instant::now();
    let read = read_bytes(name, bytes, &options);
    let elapsed = begin.elapsed();
    let is_fair = read
        .as_ref()
        .err()
        .is_none_or(|error| error.kind == ErrorKind::InvalidInput && !error.why.is_empty());
    let end = read
        .map(|readings| readings.iter().map(|reading| reading.drafts.len()).sum())
        .map_err(|error| error.why.chars().take(110).collect());
    Outcome { name, bytes: size, end, is_fair, elapsed, peak: last_reader_peak() }
}

/// One line of the report.
pub fn line(outcome: &Outcome) -> String {
    let megabytes = |bytes: u64| bytes.div_ceil(1024 * 1024);
    let peak = outcome.peak.map_or_else(|| "-".to_string(), |peak| format!("{} MB", megabytes(peak)));
    let end = match &outcome.end {
        Ok(count) => format!("read: {count} memories"),
        Err(why) => format!("refused: {why}"),
    };
    format!(
        "{:<24} {:>9} B {:>8.2} s {:>8}  {end}\n",
        outcome.name,
        outcome.bytes,
        outcome.elapsed.as_secs_f64(),
        peak
    )
}

/// The most memory that this process ever had, where the system says so.
pub fn own_peak() -> Result<Option<u64>> {
    let said = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = said.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    Ok(kilobytes.map(|kilobytes| kilobytes * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_hostile_files_are_read_or_refused_within_the_bounds_of_their_readers() {
        // Without a process of their own: what the readers bound by themselves has to do.
        griot_ingest::set_read_program(griot_ingest::ReadProgram::Here);
        let options = Options { bytes: 32 * 1024, only: None, limits: ReadLimits::default() };
        let outcomes = run(&options, |_| ());
        assert_eq!(outcomes.len(), FILES.len());
        let unfair: Vec<String> = outcomes.iter().filter(|outcome| !outcome.is_fair).map(line).collect();
        assert_eq!(unfair, [""; 0]);
    }
}
