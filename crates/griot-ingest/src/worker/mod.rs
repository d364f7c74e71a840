//! Where is a heavy file read? In a process of its own, so that no file takes the caller's process with it.
//!
//! The process is this very program, or the `griot` that is found beside it (`program`), started with the
//! argument `read-worker`. It is kept from file to file (`process`), and answers in frames (`frame`). What it
//! may use is bounded by the system and by its allocator (`memory`). `serve` is its side.
//!
//! - A file that ends the process, or takes too long, is refused with the reason; the next one gets a new
//!   process.
//! - What comes back is what reading here would have given, field by field.
//! - Where there is no such program, files are read here, within the bounds that each reader keeps by itself.

mod frame;
mod memory;
mod process;
mod program;
mod serve;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use griot::model::{Error, Result};

use crate::options::{ReadLimits, ReadOptions};
use crate::readers::input::{Input, Reading};
use crate::web::fetch::Body;
use crate::web::page::PageText;
use frame::{Answer, FileForm, Task};
use process::{Ended, Process};

pub use frame::READ_WORKER;
pub use memory::CountingAllocator;
pub use program::{ReadProgram, set_read_program};
pub use serve::serve_reader;

/// What the last process had in use for its file; set by whoever had it read.
static LAST_PEAK: AtomicU64 = AtomicU64::new(0);

/// The most memory that a process of its own had in use for the last file, or the limit that it reached; and
/// forgets it. `None`: nothing was read in one.
pub fn last_reader_peak() -> Option<u64> {
    Some(LAST_PEAK.swap(0, Ordering::Relaxed)).filter(|peak| *peak > 0)
}

/// Processes at once; further readers wait for one.
const MOST: usize = 4;
/// Processes that wait for the next file.
const IDLE: usize = 2;
/// One that took more is let go of, so that those that wait are small.
const LIGHT: u64 = 256 * 1024 * 1024;

/// Reads a file in the other process. `None`: there is none, and it is to be read here.
pub(crate) fn read(input: &Input, options: &ReadOptions, bytes: &[u8]) -> Option<Result<Reading>> {
    let mut read = None;
    let outcome =
        ask(input.name, options.limits, &Task::Read(FileForm::of(input, options)), bytes, &mut |answer| {
            if let Answer::Reading(mut reading) = answer {
                // What may be opened again is never another process's word.
                reading.source.from_disk &= input.is_file;
                read = Some(*reading);
            }
            Ok(())
        })?;
    Some(outcome.and_then(|()| read.ok_or_else(|| input.error("its reader gave no answer"))))
}

/// Reads a database where it is; `sink` takes its parts.
pub(crate) fn read_database(
    input: &Input,
    options: &ReadOptions,
    size: u64,
    sink: &mut dyn FnMut(Reading) -> Result<()>,
) -> Option<Result<()>> {
    let task = Task::Database { file: FileForm::of(input, options), size };
    ask(input.name, options.limits, &task, &[], &mut |answer| match answer {
        Answer::Reading(reading) => sink(*reading),
        Answer::Page(_) => Ok(()),
    })
}

/// What a fetched page says.
pub(crate) fn page(
    url: &str,
    body: &Body,
    limits: ReadLimits,
) -> Option<std::result::Result<PageText, String>> {
    let mut read = None;
    let task = Task::Page { url: url.to_string(), kind: body.kind.clone(), charset: body.charset.clone() };
    let outcome = ask(url, limits, &task, &body.bytes, &mut |answer| {
        if let Answer::Page(page) = answer {
            read = Some(*page);
        }
        Ok(())
    })?;
    let missing = || "its reader gave no answer".to_string();
    Some(outcome.map_err(|error| error.why).and_then(|()| read.ok_or_else(missing)))
}

fn ask(
    name: &str,
    limits: ReadLimits,
    task: &Task,
    bytes: &[u8],
    hear: &mut dyn FnMut(Answer) -> Result<()>,
) -> Option<Result<()>> {
    let program = match program::find() {
        Ok(found) => found?,
        Err(error) => return Some(Err(error)),
    };
    let turn = Turn::wait();
    loop {
        let (mut process, is_new) = match turn.take(limits.memory) {
            Some(process) => (process, false),
            None => match Process::start(&program, limits.memory) {
                Ok(process) => (process, true),
                Err(why) => {
                    let what = format!("read `{name}`");
                    return Some(Err(Error::unavailable(
                        what,
                        format!("no process could be started for it: {why}"),
                    )));
                }
            },
        };
        match process.ask(task, bytes, limits.time, hear) {
            Ok(outcome) => {
                LAST_PEAK.store(process.last(), Ordering::Relaxed);
                turn.give_back(process);
                return Some(outcome);
            }
            // It ended while it waited, and has seen nothing of this file.
            Err(Ended::Before) if !is_new => {}
            Err(Ended::Before) => {
                return Some(Err(Error::unavailable(
                    format!("read `{name}`"),
                    "the process for it ended at once",
                )));
            }
            Err(Ended::Over(why)) => {
                if why.contains("of memory") {
                    LAST_PEAK.store(limits.memory, Ordering::Relaxed);
                }
                let error = Error::invalid(format!("read `{name}`"), why);
                return Some(Err(
                    error.hint("ingest.reader_memory_bytes and ingest.reader_seconds allow more")
                ));
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

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to one process, given back when it is dropped.
struct Turn;

impl Turn {
    fn wait() -> Self {
        let waited = FREE.wait_while(pool(), |pool| pool.busy >= MOST);
        waited.unwrap_or_else(PoisonError::into_inner).busy += 1;
        Self
    }

    fn take(&self, memory: u64) -> Option<Process> {
        let idle = &mut pool().idle;
        let at = idle.iter().position(|process| process.memory() == memory)?;
        Some(idle.swap_remove(at))
    }

    fn give_back(&self, process: Process) {
        let mut pool = pool();
        if process.peak() <= LIGHT && pool.idle.len() < IDLE {
            pool.idle.push(process);
            return;
        }
        drop(pool);
        process.end();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        pool().busy -= 1;
        FREE.notify_one();
    }
}
