//! Does any file that was made to do harm take more than its share, or the process that asked for it?
//!
//! Files of every format are made (`files`), each to be as dear as it can be: packed to burst, nested without
//! end, repeated a million times, never closed. Each is read as an upload is, heavy ones in a process of
//! their own, and has to be read or refused with a reason.

mod files;
mod pdf;

use std::time::{Duration, Instant};

use clap::Args;
use griot::model::{ErrorKind, Result};
use griot_ingest::{ReadLimits, ReadOptions, last_reader_peak, read_bytes};

use crate::{output, process};
use files::FILES;

/// Read files that were made to do harm, as uploads are read: each is read or refused, with its time and
/// memory.
#[derive(Args)]
pub struct Options {
    /// Megabytes that a file means to become.
    #[arg(long, default_value_t = 40)]
    megabytes: usize,
    /// Only files whose names contain this, such as `pdf`.
    #[arg(long)]
    only: Option<String>,
    /// Memory for one file, in megabytes.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Seconds for one file.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let limits = ReadLimits { memory: self.memory << 20, time: Duration::from_secs(self.seconds) };
        let only = self.only.as_deref().unwrap_or_default();
        let mut all_fair = true;
        for file in FILES.iter().filter(|file| file.name.contains(only)) {
            let (is_fair, line) = read(file.name, (file.make)(self.megabytes << 20), limits);
            output::print(&line)?;
            all_fair &= is_fair;
        }
        if let Some(resident) = process::resident() {
            output::print(&format!("this process: {} MB at most\n", resident.peak >> 20))?;
        }
        Ok(all_fair)
    }
}

/// Whether it was read, or refused for what it is and not for a trouble of ours; and a line of the report.
fn read(name: &str, bytes: Vec<u8>, limits: ReadLimits) -> (bool, String) {
    let size = bytes.len();
    let options = ReadOptions { limits, max_bytes: u64::MAX, ..ReadOptions::default() };
    last_reader_peak();
    let begin = Instant::now();
    let read = read_bytes(name, bytes, &options);
    let seconds = begin.elapsed().as_secs_f64();
    let is_fair = read
        .as_ref()
        .err()
        .is_none_or(|error| error.kind == ErrorKind::InvalidInput && !error.why.is_empty());
    // Of the process that read it, where there was one and it reported.
    let peak = last_reader_peak()
        .map_or_else(|| "-".to_string(), |peak| format!("{} MB", peak.div_ceil(1024 * 1024)));
    let end = match read {
        Ok(readings) => {
            let count: usize = readings.iter().map(|reading| reading.drafts.len()).sum();
            format!("read: {count} memories")
        }
        Err(error) => format!("refused: {:.110}", error.why),
    };
    (is_fair, format!("{name:<24} {size:>9} B {seconds:>8.2} s {peak:>8}  {end}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_hostile_files_are_read_or_refused_within_the_bounds_of_their_readers() {
        // Without a process of their own: what the readers bound by themselves has to do.
        griot_ingest::set_read_program(griot_ingest::ReadProgram::Here);
        let read = |file: &files::HostileFile| read(file.name, (file.make)(32 * 1024), ReadLimits::default());
        let unfair = FILES.iter().map(read).filter(|(is_fair, _)| !is_fair);
        assert_eq!(unfair.map(|(_, line)| line).collect::<Vec<_>>(), [""; 0]);
    }
}
