//! The worker process: `griot read-worker BYTES`.
//!
//! One thread receives tasks from standard input and exits the process as soon as that closes, whatever is
//! being read: the parent is gone or wants no more. Another thread reads the files and answers on standard
//! output.

use std::io::{BufWriter, Write};
use std::process::{ExitCode, exit};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use griot::model::{Error, Result};
use url::Url;

use super::frame::{self, HELLO, Kind, Task};
use super::{memory, program};
use crate::in_process;
use crate::web::fetch::{Body, Validators};
use crate::web::page;

/// A worker without tasks exits after this long.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// Bytes. Tree walks recurse; the PDF reader has a thread of its own.
const STACK: usize = 64 * 1024 * 1024;
/// Address space beyond the requested memory: stacks, the program itself, and what the allocator reserves.
#[cfg(unix)]
const ADDRESS_SPACE_MARGIN: u64 = 1024 * 1024 * 1024;

/// Serves the process that started this one until that ends. `memory` is the argument after
/// [`READ_WORKER`](super::READ_WORKER).
pub fn serve_reader(memory: Option<&str>) -> ExitCode {
    program::become_reader();
    if let Some(bytes) = memory.and_then(|bytes| bytes.parse().ok()) {
        limit_memory(bytes);
    }
    let (sender, tasks) = channel();
    let reader =
        std::thread::Builder::new().name("griot-reader".into()).stack_size(STACK).spawn(move || work(&tasks));
    if reader.is_err() || frame::send(&mut std::io::stdout(), Kind::Hello, HELLO.as_bytes()).is_err() {
        return ExitCode::FAILURE;
    }
    let mut input = std::io::stdin().lock();
    loop {
        let task = frame::receive(&mut input);
        let Ok((Kind::Task, task)) = task else { exit(0) };
        let Ok((Kind::Bytes, bytes)) = frame::receive(&mut input) else { exit(0) };
        if sender.send((task, bytes)).is_err() {
            exit(1);
        }
    }
}

/// Limits this process to so many bytes, and disables core dumps, which would hold the file's content.
fn limit_memory(bytes: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let set = |resource, most: u64| {
            let now = getrlimit(resource);
            let most = now.maximum.map_or(most, |maximum| maximum.min(most));
            // If the system refuses, the allocator still counts.
            let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: now.maximum });
        };
        set(Resource::As, bytes.saturating_add(ADDRESS_SPACE_MARGIN));
        set(Resource::Core, 0);
    }
    memory::limit(bytes);
}

fn work(tasks: &Receiver<(Vec<u8>, Vec<u8>)>) {
    loop {
        match tasks.recv_timeout(IDLE_TIMEOUT) {
            Ok((task, bytes)) => {
                if answer(&task, bytes).is_err() {
                    exit(1);
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => exit(0),
        }
    }
}

fn answer(task: &[u8], bytes: Vec<u8>) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let outcome = match frame::parse::<Task>(task) {
        Ok(task) => perform(task, bytes, &mut out),
        Err(why) => Err(Error::invalid("read a file", why)),
    };
    match outcome {
        Ok(()) => frame::send_json(&mut out, Kind::Done, &memory::take_peak())?,
        Err(error) => frame::send_refused(&mut out, error, memory::take_peak())?,
    }
    out.flush()
}

fn perform(task: Task, bytes: Vec<u8>, out: &mut impl Write) -> Result<()> {
    let gone = |error: std::io::Error| Error::unavailable("answer", error.to_string());
    match task {
        Task::Read(file) => {
            let options = file.options();
            let reading = in_process::read(&file.input(&options), &options, bytes)?;
            frame::send_reading(out, reading).map_err(gone)
        }
        Task::Database { file, size } => {
            let options = file.options();
            in_process::read_database(&file.input(&options), &options, size, &mut |reading| {
                frame::send_reading(out, reading).map_err(gone)
            })
        }
        Task::Page { url, kind, charset } => {
            let wrong = |why: String| Error::invalid(format!("read `{url}`"), why);
            let address = Url::parse(&url).map_err(|error| wrong(error.to_string()))?;
            let body = Body { bytes, kind, charset, validators: Validators::default() };
            let page = page::read(&address, &body).map_err(wrong)?;
            frame::send_page(out, page).map_err(gone)
        }
    }
}
