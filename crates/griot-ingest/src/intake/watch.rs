//! What files and folders hold flows into the engine as it changes.
//!
//! The operating system tells that something happened, never what there is now: after each burst of events
//! the folders are listed anew, what was named is read if it is there, and what is gone is forgotten. So an
//! editor that saves by renaming, a branch that is checked out and a folder that is moved all end at what is
//! on the disk.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::run::{FileOptions, Intake, Tell};

/// What an agent's memory lies in where nothing is said.
const LAYOUT: [&str; 2] = ["MEMORY.md", "memory"];
/// A burst ends after so long without an event, and after so long in any case: changes are there within two
/// seconds.
const QUIET: Duration = Duration::from_millis(200);
const BURST: Duration = Duration::from_secs(1);
/// How soon a wish to stop is noticed.
const LOOK: Duration = Duration::from_millis(200);

/// `MEMORY.md` and `memory` below a folder, as far as they are there.
pub fn memory_layout(folder: &Path) -> Vec<PathBuf> {
    LAYOUT.iter().map(|name| folder.join(name)).filter(|path| path.exists()).collect()
}

/// Paths that are watched. Events wait in it until they are asked for, so that nothing falls between reading
/// and watching.
pub struct Watch {
    options: FileOptions,
    is_new: bool,
    events: Receiver<notify::Result<notify::Event>>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches the paths of the options. What is gone from them will be forgotten, whatever the options say.
    pub fn new(options: FileOptions) -> Result<Self> {
        let paths = options.paths.iter().map(|path| real(path)).collect::<Result<Vec<_>>>()?;
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
            watcher.watch(watched, mode).map_err(|why| {
                Error::unavailable(format!("watch `{}`", watched.display()), why.to_string())
            })?;
        }
        Ok(Self {
            options: FileOptions { paths, prune: true, ..options },
            is_new: true,
            events,
            _watcher: watcher,
        })
    }

    /// The first time it reads everything, then it waits for changes and reads what changed. False if it was
    /// stopped.
    pub fn read(&mut self, engine: &Engine, stop: &AtomicBool, tell: &mut Tell) -> Result<bool> {
        let changed = if std::mem::replace(&mut self.is_new, false) {
            None
        } else {
            match next(&self.events, stop) {
                Some(changed) => changed,
                None => return Ok(false),
            }
        };
        // A folder that was moved here is named alone.
        let wanted =
            |path: &Path| changed.as_ref().is_none_or(|all| path.ancestors().any(|part| all.contains(part)));
        Intake::new(engine, &self.options, &|| stop.load(Ordering::Relaxed))?.run(&wanted, tell)
    }
}

/// As the system will name it in events: on some, a temporary folder is a link.
fn real(path: &Path) -> Result<PathBuf> {
    path.canonicalize()
        .map_err(|why| Error::unavailable(format!("watch `{}`", path.display()), why.to_string()))
}

/// The paths of the next burst, `None` in it for "look at everything"; `None` at the end.
fn next(
    events: &Receiver<notify::Result<notify::Event>>,
    stop: &AtomicBool,
) -> Option<Option<HashSet<PathBuf>>> {
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
