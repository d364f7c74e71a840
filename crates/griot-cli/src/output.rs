//! Standard output: one answer, as JSON or as text for the terminal's width and colours.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{ColorChoice, ValueEnum};
use griot::model::{Error, Result};
use serde::Serialize;

use crate::render::Page;

#[derive(Clone, Copy, Debug)]
pub struct Output {
    json: bool,
    page: Page,
}

impl Output {
    pub fn new(json: bool) -> Self {
        let stdout = std::io::stdout();
        Self { json, page: Page { width: width(&stdout), colour: wants_colour(&stdout) } }
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints the answer: as JSON, or as the text that `human` makes of it.
    pub fn answer<T: Serialize>(&self, answer: &T, human: impl FnOnce(Page, &T) -> String) -> Result<()> {
        if self.json {
            let mut text = serde_json::to_string(answer).map_err(|error| {
                Error::new(griot::model::ErrorKind::Bug, "print the answer", error.to_string())
            })?;
            text.push('\n');
            print(&text)
        } else {
            self.text(&human(self.page, answer))
        }
    }

    /// Prints text, ending in a line break.
    pub fn text(&self, text: &str) -> Result<()> {
        if text.is_empty() || text.ends_with('\n') { print(text) } else { print(&format!("{text}\n")) }
    }
}

/// A closed pipe is not an error.
fn print(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    ignore_broken_pipe(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

pub fn ignore_broken_pipe(written: std::io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::unavailable("write to standard output", error.to_string()))
        }
        _ => Ok(()),
    }
}

/// The choice of `--color`, which counts for errors in the other arguments, too.
static COLOUR: OnceLock<ColorChoice> = OnceLock::new();

/// Takes the choice from arguments that clap has not checked yet.
pub fn choose_colour(arguments: impl Iterator<Item = OsString>) {
    let mut arguments = arguments.map_while(|one| one.into_string().ok()).take_while(|one| one != "--");
    while let Some(argument) = arguments.next() {
        let value = match argument.strip_prefix("--color") {
            Some("") => arguments.next(),
            Some(value) => value.strip_prefix('=').map(str::to_string),
            None => None,
        };
        if let Some(choice) = value.and_then(|value| ColorChoice::from_str(&value, false).ok()) {
            // A second choice is an error that clap reports.
            let _ = COLOUR.set(choice);
        }
    }
}

/// What clap does with its own messages.
pub fn colour_of_clap() -> ColorChoice {
    COLOUR.get().copied().unwrap_or(ColorChoice::Auto)
}

/// Colours on terminals, unless the user declines them (<https://no-color.org>).
pub fn wants_colour(stream: &impl IsTerminal) -> bool {
    match colour_of_clap() {
        ColorChoice::Always => return true,
        ColorChoice::Never => return false,
        ColorChoice::Auto => {}
    }
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    stream.is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Columns: `COLUMNS`, else those of the terminal, at most 120; 100 without a terminal.
fn width(stream: &impl IsTerminal) -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok());
    let found = stream.is_terminal().then(terminal_size::terminal_size).flatten();
    match (asked, found) {
        (Some(columns), _) => columns.clamp(40, 400),
        (None, Some((terminal_size::Width(columns), _))) => usize::from(columns).clamp(40, 120),
        (None, None) => 100,
    }
}

/// Set by `--quiet`.
static QUIET: AtomicBool = AtomicBool::new(false);

pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Prints a note on standard error, unless the user wants none.
pub fn note(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        // Nothing can be done if standard error is closed.
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// A progress bar on standard error, with rate and remaining time; hidden if that is not a terminal.
pub struct Progress {
    bar: indicatif::ProgressBar,
}

impl Progress {
    /// `unit`: plural noun of what is counted.
    pub fn new(unit: &str) -> Self {
        let bar = match QUIET.load(Ordering::Relaxed) {
            true => indicatif::ProgressBar::hidden(),
            false => indicatif::ProgressBar::new(0),
        };
        let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{rate}}  {{eta}} left  {{wide_msg}}");
        if let Ok(style) = indicatif::ProgressStyle::with_template(&template) {
            let rate = |state: &indicatif::ProgressState, text: &mut dyn std::fmt::Write| {
                // A rate that cannot be formatted is left out.
                let _ = write!(text, "{:.0}/s", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate).progress_chars("━╸ "));
        }
        Self { bar }
    }

    pub fn at(&self, done: u64, all: u64) {
        self.bar.set_length(all);
        self.bar.set_position(done);
    }

    pub fn message(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Prints above the bar why the result is not complete, also where the user wants no notes.
    pub fn warn(&self, text: &str) {
        if self.bar.is_hidden() {
            // Nothing can be done if standard error is closed.
            let _ = writeln!(std::io::stderr(), "{text}");
        } else {
            self.bar.println(text);
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
