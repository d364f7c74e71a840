//! `griot watch`: what files and folders hold flows into the workspace as it changes.
//!
//! The operating system tells that something happened, never what there is now: after each burst of events the folders are
//! listed anew, what was named is read if it is there, and what is gone is forgotten. So an editor that saves by renaming,
//! a branch that is checked out and a folder that is moved all end at what is on the disk.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot_ingest::ReadOptions;
use griot_wire::Ingested;
use notify::{EventKind, RecursiveMode, Watcher};

use super::ingest::{options, read_files, stop_on_interrupt};
use super::session::{Session, Use};
use crate::args::{Ingest, Watch};
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;

/// What an agent's memory lies in where nothing is said.
const LAYOUT: [&str; 2] = ["MEMORY.md", "memory"];
/// A burst ends after so long without an event, and after so long in any case: changes are there within two seconds.
const QUIET: Duration = Duration::from_millis(200);
const BURST: Duration = Duration::from_secs(1);
/// How soon Ctrl-C is noticed.
const LOOK: Duration = Duration::from_millis(200);

pub fn run(session: &Session, args: Watch) -> Result<Exit> {
    let paths = roots(args.paths)?;
    let (send, events) = channel();
    let mut watcher = notify::recommended_watcher(move |event| {
        // The receiver is gone at the end only.
        let _ = send.send(event);
    })
    .map_err(|why| Error::unavailable("watch for changes", why.to_string()))?;
    for path in &paths {
        // A file that an editor replaces is another file afterwards; its folder stays.
        let (watched, mode) = match path.parent() {
            Some(folder) if !path.is_dir() => (folder, RecursiveMode::NonRecursive),
            _ => (path.as_path(), RecursiveMode::Recursive),
        };
        watcher
            .watch(watched, mode)
            .map_err(|why| Error::unavailable(format!("watch `{}`", watched.display()), why.to_string()))?;
    }
    let args = Ingest {
        paths,
        tag: args.tag,
        prune: true,
        owner: args.owner,
        kind: args.kind,
        format: None,
        name: String::new(),
    };
    let engine = session.open(Use::Write)?;
    let options = options(&engine, &args)?;
    let stop = stop_on_interrupt("stopping after this file; Ctrl-C again stops at once");
    let mut watched = Watched { session, engine: &engine, args: &args, options: &options, stop: &stop };
    // Events of the meantime wait in the channel, so that nothing falls between reading and watching.
    watched.read(None)?;
    while let Some(changed) = next(&events, &stop) {
        watched.read(changed.as_ref())?;
    }
    engine.close()?;
    Ok(Exit::Fine)
}

/// Absolute paths of what is watched.
fn roots(named: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let paths: Vec<PathBuf> =
        if named.is_empty() { LAYOUT.iter().map(PathBuf::from).filter(|path| path.exists()).collect() } else { named };
    if paths.is_empty() {
        return Err(Error::invalid("watch this folder", "there is neither a MEMORY.md nor a folder memory in it")
            .hint("griot watch DIR"));
    }
    let absolute = |path: PathBuf| {
        let cannot = |why: std::io::Error| Error::unavailable(format!("watch `{}`", path.display()), why.to_string());
        std::fs::metadata(&path).map_err(cannot)?;
        // As the system will name it in events: on some, a temporary folder is a link.
        path.canonicalize().map_err(cannot)
    };
    paths.into_iter().map(absolute).collect()
}

struct Watched<'a> {
    session: &'a Session,
    engine: &'a Engine,
    args: &'a Ingest,
    options: &'a ReadOptions,
    stop: &'a AtomicBool,
}

impl Watched<'_> {
    /// Reads what changed, or everything; tells what that did, if it did anything.
    fn read(&mut self, changed: Option<&HashSet<PathBuf>>) -> Result<()> {
        let mut tally = Ingested::empty();
        let progress = Progress::new("files");
        // A folder that was moved here is named alone.
        let wanted = |path: &Path| changed.is_none_or(|changed| path.ancestors().any(|part| changed.contains(part)));
        read_files(self.engine, self.args, self.options, self.stop, &wanted, &mut tally, &progress)?;
        progress.finish();
        // A named file that is gone is what a watch is for; as a source that is gone it is told already.
        let did = tally.sources > tally.unchanged || !tally.pruned.is_empty() || !tally.failed.is_empty();
        if did || changed.is_none() {
            self.session.out.answer(&tally, render::ingested)?;
        }
        Ok(())
    }
}

/// The paths of the next burst, `None` in it for "look at everything"; `None` at the end.
fn next(events: &Receiver<notify::Result<notify::Event>>, stop: &AtomicBool) -> Option<Option<HashSet<PathBuf>>> {
    let mut burst = Burst::default();
    let mut until: Option<Instant> = None;
    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let wait = match until {
            None => LOOK,
            Some(until) => QUIET.min(until.saturating_duration_since(Instant::now())),
        };
        match events.recv_timeout(wait) {
            Ok(event) => {
                if burst.add(event) {
                    until.get_or_insert_with(|| Instant::now() + BURST);
                }
            }
            Err(RecvTimeoutError::Timeout) if until.is_some() => return Some(burst.paths()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

#[derive(Default)]
struct Burst {
    changed: HashSet<PathBuf>,
    /// Events were lost.
    everything: bool,
}

impl Burst {
    /// Whether the event tells of a change: reading a file is none.
    fn add(&mut self, event: notify::Result<notify::Event>) -> bool {
        match event {
            Ok(event) if matches!(event.kind, EventKind::Access(_)) => return false,
            Ok(event) => {
                self.everything |= event.need_rescan();
                self.changed.extend(event.paths);
            }
            Err(_) => self.everything = true,
        }
        true
    }

    fn paths(self) -> Option<HashSet<PathBuf>> {
        (!self.everything).then_some(self.changed)
    }
}
