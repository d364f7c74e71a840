//! Reads heavy files in a worker process, so that no file can crash the caller.
//!
//! The worker is this program, or a `griot` found beside it (`program`), started with the argument
//! `read-worker`. It is reused from file to file (`process`) and answers in frames (`frame`). The system
//! and its allocator bound its memory (`memory`). `serve` runs inside the worker.
//!
//! - A file that crashes the worker or takes too long is refused with the reason; the next one gets a new
//!   worker.
//! - The result equals that of reading in this process, field by field.
//! - If there is no such program, files are read in this process, within the bounds that each reader keeps
//!   itself.

mod frame;
mod memory;
mod process;
mod program;
mod serve;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use griot::model::{Error, Result};
use url::Url;

use crate::options::{ReadLimits, ReadOptions};
use crate::readers::input::{Input, Reading};
use crate::web::fetch::Body;
use crate::web::page::PageText;
use frame::{FileTask, Task};
use process::{Answer, Ended, Process, lock};

pub use frame::READ_WORKER;
pub use memory::CountingAllocator;
pub use program::{ReadProgram, set_read_program};
pub use serve::serve_reader;

/// Peak memory of the last file read in a worker, in bytes.
static LAST_PEAK: AtomicU64 = AtomicU64::new(0);

/// Takes the peak memory use of a worker for the last file in bytes, or the limit if it hit that. `None` if
/// no file was read in a worker since the last call.
pub fn last_reader_peak() -> Option<u64> {
    Some(LAST_PEAK.swap(0, Ordering::Relaxed)).filter(|peak| *peak > 0)
}

/// Workers at once; further files wait for one.
const MAX_WORKERS: usize = 4;
/// Idle workers to keep.
const MAX_IDLE: usize = 2;
/// A worker whose peak exceeded this many bytes is not kept, so that idle ones stay small.
const MAX_IDLE_PEAK: u64 = 256 * 1024 * 1024;
const NOTHING: &str = "the reader returned nothing";

/// Reads a file in a worker. `None` if there is no worker program, so the file must be read in this
/// process.
pub(crate) fn read(input: &Input, options: &ReadOptions, bytes: &[u8]) -> Option<Result<Reading>> {
    let mut read = None;
    let task = Task::File(FileTask::new(input, options));
    let outcome = ask(input.name, options.limits, &task, bytes, &mut |answer| {
        if let Answer::Reading(mut reading) = answer {
            // A worker cannot turn a text into a file that may be opened again.
            reading.source.from_disk &= input.is_file;
            read = Some(reading);
        }
        Ok(())
    })?;
    Some(outcome.and_then(|()| read.ok_or_else(|| input.error(NOTHING))))
}

/// Reads a database at its path; `sink` receives its parts.
pub(crate) fn read_database(
    input: &Input,
    options: &ReadOptions,
    size: u64,
    sink: &mut dyn FnMut(Reading) -> Result<()>,
) -> Option<Result<()>> {
    let task = Task::Database { file: FileTask::new(input, options), size };
    ask(input.name, options.limits, &task, &[], &mut |answer| match answer {
        Answer::Reading(reading) => sink(reading),
        Answer::Page(_) => Ok(()),
    })
}

pub(crate) fn page(
    url: &Url,
    body: &Body,
    limits: ReadLimits,
) -> Option<std::result::Result<PageText, String>> {
    let mut read = None;
    let task = Task::Page { url: url.clone(), kind: body.kind.clone(), charset: body.charset.clone() };
    let outcome = ask(url.as_str(), limits, &task, &body.bytes, &mut |answer| {
        if let Answer::Page(page) = answer {
            read = Some(page);
        }
        Ok(())
    })?;
    Some(outcome.map_err(|error| error.why).and_then(|()| read.ok_or_else(|| NOTHING.to_string())))
}

fn ask(
    name: &str,
    limits: ReadLimits,
    task: &Task,
    bytes: &[u8],
    on_answer: &mut dyn FnMut(Answer) -> Result<()>,
) -> Option<Result<()>> {
    let program = match program::find() {
        Ok(found) => found?,
        Err(error) => return Some(Err(error)),
    };
    let unavailable = |why: String| Some(Err(Error::unavailable(format!("read `{name}`"), why)));
    let slot = Slot::wait();
    loop {
        let idle = slot.take(limits.memory);
        let is_new = idle.is_none();
        let mut process = match idle.map_or_else(|| Process::start(&program, limits.memory), Ok) {
            Ok(process) => process,
            Err(why) => return unavailable(format!("cannot start a reader process: {why}")),
        };
        match process.ask(task, bytes, limits.time, on_answer) {
            Ok(outcome) => {
                LAST_PEAK.store(process.last_peak, Ordering::Relaxed);
                slot.give_back(process);
                return Some(outcome);
            }
            // The worker exited while it was idle, before it saw this file.
            Err(Ended::Before) if !is_new => {}
            Err(Ended::Before) => return unavailable("the reader process exited at once".to_string()),
            Err(Ended::Over(why)) => {
                if why.contains("of memory") {
                    LAST_PEAK.store(limits.memory, Ordering::Relaxed);
                }
                let error = Error::invalid(format!("read `{name}`"), why);
                return Some(Err(error.hint("raise ingest.reader_memory_bytes or ingest.reader_seconds")));
            }
            Err(Ended::Stopped(error)) => return Some(Err(error)),
        }
    }
}

struct Pool {
    idle: Vec<Process>,
    busy: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), busy: 0 });
static FREE: Condvar = Condvar::new();

/// The right to one worker; returned on drop.
struct Slot;

impl Slot {
    fn wait() -> Self {
        let waited = FREE.wait_while(lock(&POOL), |pool| pool.busy >= MAX_WORKERS);
        waited.unwrap_or_else(PoisonError::into_inner).busy += 1;
        Self
    }

    fn take(&self, memory: u64) -> Option<Process> {
        let idle = &mut lock(&POOL).idle;
        let at = idle.iter().position(|process| process.memory == memory)?;
        Some(idle.swap_remove(at))
    }

    fn give_back(&self, process: Process) {
        let mut pool = lock(&POOL);
        if process.peak <= MAX_IDLE_PEAK && pool.idle.len() < MAX_IDLE {
            pool.idle.push(process);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&POOL).busy -= 1;
        FREE.notify_one();
    }
}
