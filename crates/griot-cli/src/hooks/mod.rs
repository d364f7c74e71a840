//! Hooks: commands that hosts call while they run.
//!
//! A hook must never block its host or fail: whatever happens, it exits with code 0 in time, and prints
//! nothing but its answer. (Claude Code discards the prompt if a hook exits with 2.) With `--verbose` it
//! gives the reason of a failure in one line on standard error. The work runs in a thread, so that neither a
//! panic nor a slow disk breaks this; storing a session is handed to another process.

mod block;
mod compaction;
mod event;
mod prompt;
mod session_start;
mod store;

use std::ffi::OsStr;
use std::io::Write;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use griot::engine::HooksSettings;
use griot::model::Result;

use crate::args::{Hook, HookEvent};
use crate::failure::Exit;
use crate::session::Session;
use event::Event;

enum Message {
    /// Deadline for the whole hook, from the workspace's settings.
    Deadline(Duration),
    /// The text for standard output.
    Done(Result<String>),
}

pub fn run(session: Session, args: &Hook) -> Exit {
    let begin = Instant::now();
    // A panic would print many lines; it is reported below in one.
    std::panic::set_hook(Box::new(|_| {}));
    let (send, receive) = mpsc::channel();
    let (event, wait) = (args.event, args.wait);
    // The general settings; those of the workspace follow once the event names it.
    let settings =
        session.general_settings().map_or_else(|_| HooksSettings::default(), |settings| settings.hooks);
    let worker = std::thread::Builder::new().spawn(move || work(&session, event, wait, &send));
    // With `--wait` the caller decides how long to wait.
    let mut within = (!(wait && event.is_storing())).then(|| Duration::from_millis(settings.timeout_ms));
    if let Err(error) = worker {
        warn(&format!("cannot start a thread: {error}"));
        return Exit::Fine;
    }
    loop {
        let message = match within {
            Some(within) => receive.recv_timeout(within.saturating_sub(begin.elapsed())),
            None => receive.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match message {
            Ok(Message::Deadline(given)) => {
                within = within.map(|_| given);
                continue;
            }
            // A host that has closed its end lost interest; that is not an error.
            Ok(Message::Done(Ok(text))) => drop(std::io::stdout().write_all(text.as_bytes())),
            Ok(Message::Done(Err(error))) => warn(&error.to_string()),
            Err(RecvTimeoutError::Timeout) => {
                let spent = within.unwrap_or_default().as_millis();
                warn(&format!("nothing was ready within {spent} ms (hooks.timeout_ms)"));
            }
            Err(RecvTimeoutError::Disconnected) => warn("it crashed; please report this as a bug"),
        }
        return Exit::Fine;
    }
}

fn work(session: &Session, event: HookEvent, wait: bool, send: &Sender<Message>) {
    let within = |within| {
        // The receiver may have timed out by now.
        let _ = send.send(Message::Deadline(within));
    };
    let done = Event::read().and_then(|input| match event {
        HookEvent::Prompt => prompt::context(session, &input, &within),
        HookEvent::SessionStart => session_start::context(session, &input, &within),
        HookEvent::Stop | HookEvent::PreCompact | HookEvent::SessionEnd => {
            let stored = if wait { store::store(session, &input) } else { store::hand_over(session, &input) };
            stored.map(|()| String::new())
        }
    });
    let _ = send.send(Message::Done(done));
}

/// Whether the arguments call a hook, whatever else is wrong with them.
pub fn is_called() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-w" | "--workspace" | "--db" | "--set" | "--color") => drop(arguments.next()),
            Some(option) if option.starts_with('-') => {}
            _ => return argument == OsStr::new("hook"),
        }
    }
    false
}

/// Arguments that cannot be parsed, such as those of another version, must not stop the host either.
pub fn refused(error: &clap::Error) -> ExitCode {
    if std::env::args_os().any(|argument| argument == "--verbose" || argument == "-v") {
        warn(error.to_string().trim_start_matches("error: ").lines().next().unwrap_or_default());
    }
    ExitCode::SUCCESS
}

fn warn(why: &str) {
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    let why: String = why.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).take(500).collect();
    crate::output::note(&format!("griot hook: {why}"));
}
