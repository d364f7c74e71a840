//! One process that reads, as its parent holds it: started, asked, watched while it is at work, and ended.

use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use griot::model::{Error, Result};

use super::frame::{self, Answer, HELLO, Kind, PartForm, READ_WORKER, Task};
use crate::readers::input::Reading;

/// How long the first word may take: the system may be busy.
const BEGIN: Duration = Duration::from_secs(20);
/// How long a process that closed its pipes may take to end.
const END: Duration = Duration::from_secs(2);
/// Of what it says of its end.
const SAID: usize = 4096;

/// The program that reads heavy files.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
}

/// Why there is no answer.
pub(super) enum Ended {
    /// It had ended before it was asked.
    Before,
    /// Reading this file ended it; why.
    Over(String),
    /// Whoever takes the answer wants no more of it.
    Stopped(Error),
}

pub(super) struct Process {
    shared: Arc<Shared>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    memory: u64,
    peak: u64,
    last: u64,
}

struct Shared {
    child: Mutex<Child>,
    watch: Mutex<Watch>,
    changed: Condvar,
    /// The end of what it wrote to standard error.
    said: Mutex<Vec<u8>>,
}

#[derive(Default)]
struct Watch {
    until: Option<Instant>,
    /// The time was over, and the process was ended for it.
    is_late: bool,
    is_over: bool,
}

impl Process {
    pub(super) fn start(program: &Program, memory: u64) -> std::result::Result<Self, String> {
        let mut command = Command::new(&program.path);
        command.arg(READ_WORKER).arg(memory.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What ends the command line with Ctrl-C lets it finish the file at hand.
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
            return Err("it has no pipes".to_string());
        };
        let shared = Arc::new(Shared {
            child: Mutex::new(child),
            watch: Mutex::new(Watch::default()),
            changed: Condvar::new(),
            said: Mutex::new(Vec::new()),
        });
        let mut process = Self { shared, input, output: BufReader::new(output), memory, peak: 0, last: 0 };
        let (watched, heard) = (Arc::clone(&process.shared), Arc::clone(&process.shared));
        let started = std::thread::Builder::new()
            .name("griot-watch-reader".into())
            .spawn(move || watched.watch())
            .and_then(|_| {
                std::thread::Builder::new().name("griot-hear-reader".into()).spawn(move || heard.hear(errors))
            });
        let said = match started {
            Ok(_) => process.hello(),
            Err(error) => Err(error.to_string()),
        };
        match said {
            Ok(()) => Ok(process),
            Err(why) => {
                process.end();
                Err(why)
            }
        }
    }

    fn hello(&mut self) -> std::result::Result<(), String> {
        self.shared.set_time(Some(BEGIN));
        let said = frame::receive(&mut self.output);
        self.shared.set_time(None);
        match said {
            Ok((Kind::Hello, word)) if word == HELLO.as_bytes() => Ok(()),
            Ok((Kind::Hello, _)) => Err("it is of another version".to_string()),
            _ => Err("it does not read files for others".to_string()),
        }
    }

    pub(super) const fn memory(&self) -> u64 {
        self.memory
    }

    fn has_used(&mut self, bytes: u64) {
        self.last = bytes;
        self.peak = self.peak.max(bytes);
    }

    /// The same for the last file.
    pub(super) const fn last(&self) -> u64 {
        self.last
    }

    /// The most memory that it had in use for one file.
    pub(super) const fn peak(&self) -> u64 {
        self.peak
    }

    /// Has a file read. `hear` takes what comes; the time that it takes for itself does not count.
    pub(super) fn ask(
        &mut self,
        task: &Task,
        bytes: &[u8],
        time: Duration,
        hear: &mut dyn FnMut(Answer) -> Result<()>,
    ) -> std::result::Result<Result<()>, Ended> {
        if self.shared.has_ended() {
            return Err(Ended::Before);
        }
        self.shared.set_time(Some(time));
        let sent = frame::send_task(&mut self.input, task, bytes);
        if let Err(error) = sent {
            return Err(self.ended(time, &error));
        }
        let begin = Instant::now();
        let mut paused = Duration::ZERO;
        let mut part = PartForm::default();
        loop {
            let (kind, content) = match frame::receive(&mut self.output) {
                Ok(frame) => frame,
                Err(error) => return Err(self.ended(time, &error)),
            };
            let answer = match kind {
                Kind::Drafts => part.add(&content).map(|()| None),
                Kind::Reading => std::mem::take(&mut part)
                    .finish(&content)
                    .map(|read: Reading| Some(Answer::Reading(Box::new(read)))),
                Kind::Page => frame::page(&content).map(|page| Some(Answer::Page(Box::new(page)))),
                Kind::Done => {
                    self.shared.set_time(None);
                    self.has_used(frame::number(&content));
                    return Ok(Ok(()));
                }
                Kind::Refused => {
                    self.shared.set_time(None);
                    let (error, peak) =
                        frame::error(&content).unwrap_or_else(|why| (Error::invalid("read a file", why), 0));
                    self.has_used(peak);
                    return Ok(Err(error));
                }
                Kind::Hello | Kind::Task | Kind::Bytes => Err("it says something else".to_string()),
            };
            match answer {
                Ok(None) => {}
                Ok(Some(answer)) => {
                    self.shared.set_time(None);
                    let rest = Instant::now();
                    let outcome = hear(answer);
                    paused += rest.elapsed();
                    if let Err(error) = outcome {
                        let _ = self.kill();
                        return Err(Ended::Stopped(error));
                    }
                    let spent = begin.elapsed().saturating_sub(paused);
                    self.shared.set_time(Some(time.saturating_sub(spent)));
                }
                Err(why) => {
                    let _ = self.kill();
                    return Err(Ended::Over(format!(
                        "its reader gave an answer that cannot be understood: {why}"
                    )));
                }
            }
        }
    }

    /// Why the pipes broke.
    fn ended(&mut self, time: Duration, error: &std::io::Error) -> Ended {
        self.shared.set_time(None);
        let own = self.own_end();
        let status = self.kill();
        if lock(&self.shared.watch).is_late {
            return Ended::Over(format!("it was not read within {} seconds", time.as_secs()));
        }
        if own.is_none() {
            return Ended::Over(format!(
                "the process that read it gave no answer that can be understood: {error}"
            ));
        }
        let said = String::from_utf8_lossy(&lock(&self.shared.said)).into_owned();
        match status {
            // It goes by itself when it has waited for long.
            Ok(status) if status.success() => Ended::Before,
            Ok(status) => Ended::Over(reason(status, &said, self.memory)),
            Err(_) => Ended::Over(format!("the process that read it ended: {error}")),
        }
    }

    /// How it ended by itself: between closing its pipes and its end there is a moment.
    fn own_end(&self) -> Option<ExitStatus> {
        let until = Instant::now() + END;
        loop {
            match lock(&self.shared.child).try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => {}
                _ => return None,
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it in any case; answers how it ended, if it had ended before.
    fn kill(&self) -> std::io::Result<ExitStatus> {
        let mut child = lock(&self.shared.child);
        let _ = child.kill();
        child.wait()
    }

    pub(super) fn end(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.kill();
        lock(&self.shared.watch).is_over = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn set_time(&self, time: Option<Duration>) {
        lock(&self.watch).until = time.and_then(|time| Instant::now().checked_add(time));
        self.changed.notify_all();
    }

    fn has_ended(&self) -> bool {
        !matches!(lock(&self.child).try_wait(), Ok(None))
    }

    /// Ends the process when its time is over.
    fn watch(&self) {
        let mut watch = lock(&self.watch);
        while !watch.is_over {
            let left = watch.until.map(|until| until.saturating_duration_since(Instant::now()));
            watch = match left {
                None => self.changed.wait(watch).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => {
                    watch.is_late = true;
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

    /// Keeps the end of what it says of its own end.
    fn hear(&self, mut errors: impl Read) {
        let mut piece = [0; 1024];
        while let Ok(count @ 1..) = errors.read(&mut piece) {
            let mut said = lock(&self.said);
            said.extend(&piece[..count]);
            let over = said.len().saturating_sub(SAID);
            said.drain(..over);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a person can make of how a process ended.
fn reason(status: ExitStatus, said: &str, memory: u64) -> String {
    let megabytes = memory / (1024 * 1024);
    if said.contains("memory allocation of") || said.contains("out of memory") {
        return format!("reading it takes more than {megabytes} MB of memory");
    }
    if said.contains("overflowed its stack") {
        return "it is nested deeper than its reader can follow".to_string();
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        match status.signal() {
            Some(9) => {
                return "the system ended the process that read it, as it does where memory runs out"
                    .to_string();
            }
            Some(signal) => return format!("the process that read it ended with the signal {signal}"),
            None => {}
        }
    }
    format!("the process that read it ended with {status}")
}
