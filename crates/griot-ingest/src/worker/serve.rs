//! The worker process: `griot read-worker BYTES`.
//!
//! One thread receives tasks from standard input and exits the process as soon as that closes, whatever is
//! being read: the parent is gone or wants no more. Another thread reads the files and answers on standard
//! output.

use std::io::{BufWriter, Write};
use std::process::{ExitCode, exit};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use griot::model::{Error, Result};

use super::frame::{self, HELLO, Reply, Task};
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
    let hello = Reply::Hello(HELLO.to_string());
    if reader.is_err() || frame::send(&mut std::io::stdout(), &hello).is_err() {
        return ExitCode::FAILURE;
    }
    let mut input = std::io::stdin().lock();
    loop {
        let Ok(task) = frame::receive(&mut input) else { exit(0) };
        // Files may be as long as the settings allow.
        let Ok(bytes) = frame::receive_bytes(&mut input, u64::MAX) else { exit(0) };
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

fn work(tasks: &Receiver<(Task, Vec<u8>)>) {
    // Ends when it was idle for long, or when the receiving thread has ended.
    while let Ok((task, bytes)) = tasks.recv_timeout(IDLE_TIMEOUT) {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let error = perform(task, bytes, &mut out).err();
        let done = Reply::Done { error, peak: memory::take_peak() };
        if frame::send(&mut out, &done).is_err() {
            exit(1);
        }
    }
    exit(0);
}

fn perform(task: Task, bytes: Vec<u8>, out: &mut impl Write) -> Result<()> {
    let gone = |error: std::io::Error| Error::unavailable("answer", error.to_string());
    match task {
        Task::File(file) => {
            let reading = in_process::read(&file.input(), &file.options, bytes)?;
            frame::send_reading(out, reading).map_err(gone)
        }
        Task::Database { file, size } => {
            in_process::read_database(&file.input(), &file.options, size, &mut |reading| {
                frame::send_reading(out, reading).map_err(gone)
            })
        }
        Task::Page { url, kind, charset } => {
            let body = Body { bytes, kind, charset, validators: Validators::default() };
            let page = page::read(&url, &body).map_err(|why| Error::invalid(format!("read `{url}`"), why))?;
            frame::send(out, &Reply::Page(Box::new(page))).map_err(gone)
        }
    }
}
