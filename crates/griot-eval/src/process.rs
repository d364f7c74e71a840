//! What does the machine itself give: time, resident memory of this process, and how often a second the disk
//! makes 4 KB durable?

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use griot::model::{Error, Result};
use serde::{Deserialize, Serialize};

/// Times of one kind of request, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Times(pub Vec<f64>);

impl Times {
    pub fn add(&mut self, since: Instant) {
        self.0.push(since.elapsed().as_secs_f64() * 1e3);
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The time within which `share` of the requests ended, by nearest rank; 0 for none.
    pub fn percentile(&mut self, share: f64) -> f64 {
        self.0.sort_by(f64::total_cmp);
        let rank = (share * self.0.len() as f64).ceil() as usize;
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    }

    pub fn median(&mut self) -> f64 {
        self.percentile(0.5)
    }
}

/// Times of two ways to do each of `items`, first and second in turn, so that what warms the caches and what
/// the machine does besides affects both. The first `warm_up` of them are not timed.
pub fn in_turn<T>(
    items: impl Iterator<Item = T>,
    warm_up: usize,
    act: impl Fn(usize, &T) -> Result<()>,
) -> Result<[Times; 2]> {
    let mut times = [Times::default(), Times::default()];
    for (number, item) in items.enumerate() {
        for way in [number % 2, 1 - number % 2] {
            let start = Instant::now();
            act(way, &item)?;
            if number >= warm_up {
                times[way].add(start);
            }
        }
    }
    Ok(times)
}

/// Bytes of this process in main memory, mapped files included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resident {
    pub now: u64,
    pub peak: u64,
}

/// `None` where the system does not say: everywhere but on Linux.
pub fn resident() -> Option<Resident> {
    parse_status(&fs::read_to_string("/proc/self/status").ok()?)
}

fn parse_status(status: &str) -> Option<Resident> {
    let kilobytes = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let number = line.strip_prefix(':')?.trim().strip_suffix("kB")?;
        number.trim().parse::<u64>().ok()
    };
    Some(Resident { now: kilobytes("VmRSS")? * 1024, peak: kilobytes("VmHWM")? * 1024 })
}

/// Appends of 4 KB, each made durable, per second in `directory`: the ceiling for single durable writes.
pub fn durable_appends_per_second(directory: &Path, appends: usize) -> Result<f64> {
    let path = directory.join("durable-appends.tmp");
    let cannot =
        |e: std::io::Error| Error::unavailable(format!("append to {}", path.display()), e.to_string());
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(cannot)?;
    let page = [0x5a; 4096];
    let start = Instant::now();
    for _ in 0..appends {
        file.write_all(&page).and_then(|()| file.sync_all()).map_err(cannot)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    drop(file);
    fs::remove_file(&path).map_err(cannot)?;
    Ok(appends as f64 / seconds.max(1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_read_in_kilobytes() {
        let status = "Name:\tgriot\nVmPeak:\t  9000 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n";
        assert_eq!(parse_status(status), Some(Resident { now: 1 << 20, peak: 2 << 20 }));
        assert_eq!(parse_status("VmRSS:\t12 kB\n"), None);
        assert_eq!(parse_status("VmHWM: x kB\nVmRSS: 1 kB\n"), None);
    }

    #[test]
    fn percentiles_take_the_nearest_rank() {
        let mut times = Times((1..=200).rev().map(f64::from).collect());
        assert_eq!((times.median(), times.percentile(0.99), times.mean()), (100.0, 198.0, 100.5));
        let mut one = Times(vec![1.0]);
        assert_eq!((one.percentile(0.99), Times::default().median()), (1.0, 0.0));
    }

    #[test]
    fn appends_are_counted_and_cleaned_up() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(durable_appends_per_second(folder.path(), 3).expect("a writable folder") > 0.0);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        assert!(durable_appends_per_second(&folder.path().join("none"), 1).is_err());
    }
}
