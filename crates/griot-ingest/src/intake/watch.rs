//! Follows changes of files and folders.
//!
//! The operating system reports that something happened, not what is there now. So after each burst of
//! events the folders are listed again, changed files are read, and deleted ones are forgotten. This covers
//! editors that save by renaming, branch switches and moved folders alike.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::run::{FileOptions, Intake, Report};

/// Where an agent keeps its memory by default, relative to its folder.
const MEMORY_PATHS: [&str; 2] = ["MEMORY.md", "memory"];
/// A burst ends after this long without an event, and after [`BURST`] in any case, so that changes are
/// stored within two seconds.
const QUIET: Duration = Duration::from_millis(200);
const BURST: Duration = Duration::from_secs(1);
/// How soon a stop request is noticed.
const POLL: Duration = Duration::from_millis(200);

/// `MEMORY.md` and `memory` below a folder, as far as they exist.
pub fn memory_layout(folder: &Path) -> Vec<PathBuf> {
    MEMORY_PATHS.iter().map(|name| folder.join(name)).filter(|path| path.exists()).collect()
}

/// Watched paths. Events queue up until they are read, so that no change between reading and watching is
/// lost.
pub struct Watch {
    options: FileOptions,
    is_new: bool,
    events: Receiver<notify::Result<notify::Event>>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches the paths of the options. Always prunes, whatever the options say.
    pub fn new(options: FileOptions) -> Result<Self> {
        let paths = options.paths.iter().map(|path| canonical(path)).collect::<Result<Vec<_>>>()?;
        let (send, events) = channel();
        let mut watcher = notify::recommended_watcher(move |event| {
            // Sending fails only when the watch is being dropped.
            let _ = send.send(event);
        })
        .map_err(|why| Error::unavailable("watch for changes", why.to_string()))?;
        for path in &paths {
            // An editor that replaces a file gives it a new inode, so its folder is watched instead.
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

    /// Reads everything at the first call; later calls wait for changes and read what changed. False if it
    /// was stopped.
    pub fn read(&mut self, engine: &Engine, stop: &AtomicBool, report: &mut Report) -> Result<bool> {
        let changed = if std::mem::replace(&mut self.is_new, false) {
            None
        } else {
            match next(&self.events, stop) {
                Some(changed) => changed,
                None => return Ok(false),
            }
        };
        // For a folder that was moved here, the event names the folder only.
        let wanted =
            |path: &Path| changed.as_ref().is_none_or(|all| path.ancestors().any(|part| all.contains(part)));
        Intake::new(engine, &self.options, &|| stop.load(Ordering::Relaxed))?.run(&wanted, report)
    }
}

/// Resolves links, as paths in events are resolved: on some systems the temporary folder is a link.
fn canonical(path: &Path) -> Result<PathBuf> {
    path.canonicalize()
        .map_err(|why| Error::unavailable(format!("watch `{}`", path.display()), why.to_string()))
}

/// The paths of the next burst, or `Some(None)` to look at everything; `None` at the end.
fn next(
    events: &Receiver<notify::Result<notify::Event>>,
    stop: &AtomicBool,
) -> Option<Option<HashSet<PathBuf>>> {
    // `None` once events were lost.
    let mut changed = Some(HashSet::new());
    let mut until: Option<Instant> = None;
    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let wait = match until {
            None => POLL,
            Some(until) => QUIET.min(until.saturating_duration_since(Instant::now())),
        };
        match events.recv_timeout(wait) {
            // Such as a read.
            Ok(Ok(event)) if matches!(event.kind, EventKind::Access(_)) => {}
            Ok(event) => {
                until.get_or_insert_with(|| Instant::now() + BURST);
                let event = event.ok().filter(|event| !event.need_rescan());
                changed = changed.zip(event).map(|(mut changed, event)| {
                    changed.extend(event.paths);
                    changed
                });
            }
            Err(RecvTimeoutError::Timeout) if until.is_some() => return Some(changed),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}
