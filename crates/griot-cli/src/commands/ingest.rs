//! `griot ingest`: files, folders and standard input into memories.
//!
//! A file that cannot be read is reported, and the others are read. Ctrl-C stops after the current file; the
//! same command, or `griot jobs resume`, continues from there.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use griot::model::{Error, Result};
use griot_ingest::{CrawlOptions, FileEvent, FileOptions};
use griot_wire::Ingested;
use griot_wire::request::Place;
use griot_wire::verbs::ingest::{ingest_here, name_of, page_options, read_page};

use super::kinds::with_kind;
use super::remember::stdin;
use crate::args::Ingest;
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: Ingest) -> Result<Exit> {
    let (inputs, paths): (Vec<_>, Vec<_>) = args.paths.into_iter().partition(|path| path == Path::new("-"));
    let (pages, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| is_address(path));
    let is_new_kind = args.stored.new_kind;
    let options = FileOptions { format: args.format, prune: args.prune, ..args.stored.options(paths) };
    let options = with_kind(session, options, is_new_kind)?;
    let FileOptions { user, project, agent, .. } = options.clone();
    let call = session.call(Use::Write, &Place { user, project, agent, workspace: None })?;
    options.read_options(&call.engine)?;
    let text = match args.text {
        Some(text) => Some(text),
        None if inputs.is_empty() => None,
        None => Some(stdin("the text")?),
    };
    if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
        let given = if inputs.is_empty() { "the text" } else { "standard input" };
        return Err(
            Error::invalid("ingest", format!("{given} is empty")).hint("griot ingest PATH reads files")
        );
    }
    let text = text.map(|text| (args.name.unwrap_or_else(|| name_of(&text)), text));
    let text = text.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let stop = stop_on_interrupt(STOPPING);
    let mut reading = Reading::new();
    for url in pages {
        let FileOptions { tags, metadata, agent, .. } = options.clone();
        let usual = page_options(&call);
        let allow_private = args.allow_private || usual.allow_private;
        let tally = read_page(
            &call,
            &url.to_string_lossy(),
            CrawlOptions { tags, metadata, agent, allow_private, ..usual },
        )?;
        tally.failed.iter().for_each(|failed| {
            reading.progress.warn(&format!("warning: {}: {}", failed.path, failed.message));
        });
        reading.tally.add(tally);
    }
    let is_done = ingest_here(&call, text, &options, &stop, &mut |event| reading.hear(&event))?;
    reading.tally.interrupted = !is_done;
    reading.answer(session)
}

fn is_address(path: &Path) -> bool {
    let scheme = path.to_str().and_then(|path| path.split_once("://")).map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| ["http", "https"].contains(&scheme.to_lowercase().as_str()))
}

/// Whether a path that is not there may be meant as a page: `example.org/help`.
fn is_like_page(path: &Path) -> bool {
    /// Endings of names of hosts that are none of files.
    const HOSTS: [&str; 12] =
        ["ai", "app", "com", "dev", "edu", "eu", "gov", "info", "io", "net", "org", "uk"];
    let first = path.components().next().and_then(|part| part.as_os_str().to_str()).unwrap_or_default();
    let (stem, end) = first.rsplit_once('.').unwrap_or_default();
    !stem.is_empty() && HOSTS.contains(&end.to_lowercase().as_str()) && !path.exists()
}

/// The answer to Ctrl-C while files are read.
pub(super) const STOPPING: &str = "stopping after this file; Ctrl-C again stops at once";

/// Progress while files are read, and the totals.
pub(super) struct Reading {
    pub(super) tally: Ingested,
    progress: Progress,
}

impl Reading {
    pub(super) fn new() -> Self {
        Self { tally: Ingested::empty(), progress: Progress::new("files") }
    }

    pub(super) fn hear(&mut self, event: &FileEvent) {
        self.tally.hear(event);
        match event {
            FileEvent::Next { path, done, all } => {
                self.progress.at(*done as u64, *all as u64);
                self.progress.message(path.display().to_string());
            }
            FileEvent::Problem { path, error } | FileEvent::Failed { path, error } => self.warn(path, error),
            FileEvent::Begun { .. }
            | FileEvent::Taken { .. }
            | FileEvent::Renamed { .. }
            | FileEvent::Unread(_)
            | FileEvent::Forgotten { .. }
            | FileEvent::Pruned { .. }
            | FileEvent::Missing { .. } => {}
        }
    }

    /// Prefixes the path unless the message contains it.
    fn warn(&self, path: &Path, error: &Error) {
        let (path, message) = (path.display().to_string(), error.to_string());
        let warning = if message.contains(&path) { message } else { format!("{path}: {message}") };
        self.progress.warn(&format!("warning: {warning}"));
        let here = std::env::current_dir().unwrap_or_default();
        let path = Path::new(&path);
        let path = path.strip_prefix(here).unwrap_or(path);
        if is_like_page(path) {
            let hint = format!("hint: griot ingest https://{} reads the page", path.display());
            self.progress.warn(&hint);
        }
    }

    pub(super) fn answer(self, session: &Session) -> Result<Exit> {
        self.progress.finish();
        session.out.answer(&self.tally, render::ingested)?;
        Ok(Exit::fine_if(self.tally.failed.is_empty() && !self.tally.interrupted))
    }
}

/// Set by the first Ctrl-C; the second one ends the process as usual.
pub(super) fn stop_on_interrupt(said: &'static str) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let set = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("{said}");
    });
    // Without a handler Ctrl-C ends the process; nothing stored is lost.
    drop(set);
    stop
}
