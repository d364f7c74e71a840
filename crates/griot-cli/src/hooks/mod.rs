//! What hosts call while they run.
//!
//! A hook never stands in its host's way: whatever goes wrong, it ends with exit code 0, prints nothing on
//! standard output, and says why in one line on standard error. (Claude Code takes an exit code of 2 as an
//! order to throw the prompt away.) The work is done on a thread of its own, so that neither a panic nor a
//! slow disk gets past this.

mod block;
mod prompt;
mod rules;
mod session_end;

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use griot::engine::HooksSettings;
use griot::model::{Error, Result};
use serde::Deserialize;

use crate::args::{Hook, HookEvent};
use crate::commands::session::Session;
use crate::failure::Exit;

/// Whose settings count, where it has some of its own: hooks are written for this program.
const AGENT: &str = "claude-code";
/// Most of standard input that is read: more is no prompt of a person.
const LARGEST: u64 = 32 * 1024 * 1024;

/// What a host says on standard input, in Claude Code's words. What is not named here is not looked at.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
struct Event {
    session_id: String,
    transcript_path: PathBuf,
    cwd: PathBuf,
    hook_event_name: String,
    prompt: String,
}

enum Message {
    /// The settings are read: the whole may take so long.
    Within(Duration),
    /// What belongs on standard output.
    Done(Result<String>),
}

pub fn run(session: Session, args: &Hook) -> Exit {
    let begin = Instant::now();
    // Its message would be many lines; that it happened is told below.
    std::panic::set_hook(Box::new(|_| {}));
    let (send, receive) = mpsc::channel();
    let event = args.event;
    // Those of the workspace follow, when the event has said which one it is.
    let settings =
        session.general_settings().map_or_else(|_| HooksSettings::default(), |settings| settings.hooks);
    let worker = std::thread::Builder::new().spawn(move || work(&session, event, &send));
    let mut within = match event {
        HookEvent::Prompt | HookEvent::SessionStart => Some(Duration::from_millis(settings.timeout_ms)),
        // The host has its own patience, and what is stored by then stays.
        HookEvent::SessionEnd => None,
    };
    if let Err(error) = worker {
        complain(&format!("no thread could be started: {error}"));
        return Exit::Fine;
    }
    loop {
        let message = match within {
            Some(within) => receive.recv_timeout(within.saturating_sub(begin.elapsed())),
            None => receive.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match message {
            Ok(Message::Within(given)) => {
                within = within.map(|_| given);
                continue;
            }
            // A host that does not listen any more has lost nothing.
            Ok(Message::Done(Ok(text))) => drop(std::io::stdout().write_all(text.as_bytes())),
            Ok(Message::Done(Err(error))) => complain(&error.to_string()),
            Err(RecvTimeoutError::Timeout) => {
                let spent = within.unwrap_or_default().as_millis();
                complain(&format!("nothing was ready within {spent} ms (hooks.timeout_ms)"));
            }
            Err(RecvTimeoutError::Disconnected) => complain("it broke off; please report this as a bug"),
        }
        return Exit::Fine;
    }
}

fn work(session: &Session, event: HookEvent, send: &Sender<Message>) {
    let within = |within| {
        // The other side may have given up by now.
        let _ = send.send(Message::Within(within));
    };
    let done = read_event().and_then(|said| match event {
        HookEvent::Prompt => prompt::context(session, &said, &within),
        HookEvent::SessionStart => rules::context(session, &said, &within),
        HookEvent::SessionEnd => session_end::store(session, &said).map(|()| String::new()),
    });
    let _ = send.send(Message::Done(done));
}

fn read_event() -> Result<Event> {
    const WHAT: &str = "read the event on standard input";
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::unavailable(WHAT, error.to_string()))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::invalid(WHAT, format!("it is longer than {LARGEST} bytes")));
    }
    serde_json::from_slice(&bytes).map_err(|error| Error::invalid(WHAT, error.to_string()))
}

/// A hook was meant, whatever else is wrong with the arguments.
pub fn is_called() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-w" | "--workspace" | "--db" | "--set") => drop(arguments.next()),
            Some(option) if option.starts_with('-') => {}
            _ => return argument == OsStr::new("hook"),
        }
    }
    false
}

/// Arguments that are not understood, such as those of another version, are no reason to stop the host
/// either.
pub fn refused(error: &clap::Error) -> ExitCode {
    complain(error.to_string().trim_start_matches("error: ").lines().next().unwrap_or_default());
    ExitCode::SUCCESS
}

fn complain(why: &str) {
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    let why: String = why.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).take(500).collect();
    // Nothing is left to tell if standard error is closed.
    let _ = writeln!(std::io::stderr(), "griot hook: {why}");
}
