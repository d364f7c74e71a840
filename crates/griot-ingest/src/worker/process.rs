//! A worker as seen by its parent: starts it, sends tasks, enforces the time limit, ends it.

use std::io::{BufReader, Error as IoError, ErrorKind, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use griot::model::{Error, Result};
use griot::remember::Draft;

use super::frame::{self, HELLO, READ_WORKER, Reply, Task};
use crate::readers::input::Reading;
use crate::web::page::PageText;

/// Time limit for the first frame; the system may be busy.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// Time limit for exiting after the pipes were closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes of standard error to keep.
const STDERR_TAIL: usize = 4096;

pub(super) enum Answer {
    Reading(Reading),
    Page(PageText),
}

/// Why there is no answer.
pub(super) enum Ended {
    /// It had exited before it was asked.
    Before,
    /// Reading this file ended it; why.
    Over(String),
    /// The receiver of the answer returned an error.
    Stopped(Error),
}

pub(super) struct Process {
    shared: Arc<Shared>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Its limit in bytes.
    pub(super) memory: u64,
    /// Peak memory over all files in bytes.
    pub(super) peak: u64,
    /// Peak memory of the last file in bytes.
    pub(super) last_peak: u64,
}

struct Shared {
    child: Mutex<Child>,
    watch: Mutex<Watch>,
    changed: Condvar,
    /// The last bytes that it wrote to standard error.
    stderr: Mutex<Vec<u8>>,
}

#[derive(Default)]
struct Watch {
    until: Option<Instant>,
    /// The time ran out, so the process was killed.
    timed_out: bool,
    is_done: bool,
}

impl Process {
    pub(super) fn start(program: &Path, memory: u64) -> std::result::Result<Self, String> {
        let mut command = Command::new(program);
        command.arg(READ_WORKER).arg(memory.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C in the terminal must not reach the worker: the parent finishes the current file first.
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0).arg0("griot");
        }
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            let _ = child.kill();
            return Err("its pipes are missing".to_string());
        };
        let shared = Arc::new(Shared {
            child: Mutex::new(child),
            watch: Mutex::new(Watch::default()),
            changed: Condvar::new(),
            stderr: Mutex::new(Vec::new()),
        });
        let mut process =
            Self { shared, input, output: BufReader::new(output), memory, peak: 0, last_peak: 0 };
        let (watched, drained) = (Arc::clone(&process.shared), Arc::clone(&process.shared));
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(name.into()).spawn(work).map_err(|error| error.to_string())
        };
        spawn("griot-watch-reader", Box::new(move || watched.watch()))?;
        spawn("griot-reader-stderr", Box::new(move || drained.drain_stderr(errors)))?;
        process.hello().map(|()| process)
    }

    fn hello(&mut self) -> std::result::Result<(), String> {
        self.shared.set_deadline(Some(START_TIMEOUT));
        let said = frame::receive_hello(&mut self.output);
        self.shared.set_deadline(None);
        match said {
            Ok(Reply::Hello(version)) if version == HELLO => Ok(()),
            Ok(Reply::Hello(_)) => Err("it is another version".to_string()),
            _ => Err("it does not serve as a reader".to_string()),
        }
    }

    /// Sends a task. `on_answer` receives the parts of the answer; the time that it takes does not count.
    pub(super) fn ask(
        &mut self,
        task: &Task,
        bytes: &[u8],
        time: Duration,
        on_answer: &mut dyn FnMut(Answer) -> Result<()>,
    ) -> std::result::Result<Result<()>, Ended> {
        if self.shared.has_ended() {
            return Err(Ended::Before);
        }
        self.shared.set_deadline(Some(time));
        let sent = frame::send(&mut self.input, task);
        if let Err(error) = sent.and_then(|()| frame::send_bytes(&mut self.input, bytes)) {
            return Err(self.ended(time, &error));
        }
        let (begin, mut paused) = (Instant::now(), Duration::ZERO);
        let mut drafts = Vec::new();
        loop {
            let reply = frame::receive(&mut self.output).map_err(|error| self.ended(time, &error))?;
            let answer = match reply {
                Reply::Drafts(batch) => {
                    // Documents never create rules, whatever a reader returns.
                    drafts.extend(batch.into_iter().map(|draft| Draft { tier: None, ..draft }));
                    continue;
                }
                Reply::Reading(source, problems) => {
                    Answer::Reading(Reading { source, drafts: std::mem::take(&mut drafts), problems })
                }
                Reply::Page(page) => Answer::Page(*page),
                Reply::Done { error, peak } => {
                    self.shared.set_deadline(None);
                    self.last_peak = peak;
                    self.peak = self.peak.max(peak);
                    return Ok(error.map_or(Ok(()), Err));
                }
                Reply::Hello(_) => {
                    return Err(self.ended(time, &IoError::new(ErrorKind::InvalidData, "unexpected message")));
                }
            };
            self.shared.set_deadline(None);
            let rest = Instant::now();
            if let Err(error) = on_answer(answer) {
                let _ = self.kill();
                return Err(Ended::Stopped(error));
            }
            paused += rest.elapsed();
            let spent = begin.elapsed().saturating_sub(paused);
            self.shared.set_deadline(Some(time.saturating_sub(spent)));
        }
    }

    /// Finds out why the pipes broke.
    fn ended(&self, time: Duration, error: &IoError) -> Ended {
        self.shared.set_deadline(None);
        let exited = error.kind() != ErrorKind::InvalidData && self.has_exited();
        let status = self.kill();
        if lock(&self.shared.watch).timed_out {
            return Ended::Over(format!("it was not read within {} seconds", time.as_secs()));
        }
        if !exited {
            return Ended::Over(format!("the reader's answer is malformed: {error}"));
        }
        let said = String::from_utf8_lossy(&lock(&self.shared.stderr)).into_owned();
        match status {
            // It exits by itself after a long idle time.
            Ok(status) if status.success() => Ended::Before,
            Ok(status) => Ended::Over(reason(status, &said, self.memory)),
            Err(_) => Ended::Over(format!("the reader process ended: {error}")),
        }
    }

    /// Whether the process exits by itself, which takes a moment after its pipes close.
    fn has_exited(&self) -> bool {
        let until = Instant::now() + EXIT_TIMEOUT;
        while !self.shared.has_ended() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// Kills it if necessary; returns its exit status.
    fn kill(&self) -> std::io::Result<ExitStatus> {
        let mut child = lock(&self.shared.child);
        let _ = child.kill();
        child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.kill();
        lock(&self.shared.watch).is_done = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn set_deadline(&self, time: Option<Duration>) {
        lock(&self.watch).until = time.and_then(|time| Instant::now().checked_add(time));
        self.changed.notify_all();
    }

    fn has_ended(&self) -> bool {
        !matches!(lock(&self.child).try_wait(), Ok(None))
    }

    /// Kills the process when its time runs out.
    fn watch(&self) {
        let mut watch = lock(&self.watch);
        while !watch.is_done {
            let left = watch.until.map(|until| until.saturating_duration_since(Instant::now()));
            watch = match left {
                None => self.changed.wait(watch).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => {
                    watch.timed_out = true;
                    drop(watch);
                    let _ = lock(&self.child).kill();
                    return;
                }
                Some(left) => {
                    self.changed.wait_timeout(watch, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Keeps the last bytes of standard error.
    fn drain_stderr(&self, mut errors: impl Read) {
        let mut piece = [0; 1024];
        while let Ok(count @ 1..) = errors.read(&mut piece) {
            let mut said = lock(&self.stderr);
            said.extend(&piece[..count]);
            let over = said.len().saturating_sub(STDERR_TAIL);
            said.drain(..over);
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reason(status: ExitStatus, said: &str, memory: u64) -> String {
    let megabytes = memory / (1024 * 1024);
    if said.contains("memory allocation of") || said.contains("out of memory") {
        return format!("reading it takes more than {megabytes} MB of memory");
    }
    if said.contains("overflowed its stack") {
        return "it is nested too deeply".to_string();
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        match status.signal() {
            Some(9) => {
                return "the system killed the reader process, probably because memory ran out".to_string();
            }
            Some(signal) => return format!("the reader process ended with signal {signal}"),
            None => {}
        }
    }
    format!("the reader process ended with {status}")
}
