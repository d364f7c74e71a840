//! Lets the language model of each open workspace read new memories, where `enrich.background` says so.
//!
//! The store knows what is unread. Here is only which workspaces rest for a while: where a model failed, or
//! where nothing of what is unread could be read, such as a conversation that is not over.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, Result, Revision};
use griot_wire::verbs::enrich::{self, KeptUp};

use crate::service::Service;

const POLL: Duration = Duration::from_secs(2);
/// Pause of a workspace of which nothing was read, although something is unread.
const RETRY_AFTER: Duration = Duration::from_secs(60);
/// How long the end of the server waits for a request. What is cut off is read again.
const PATIENCE: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(100);

/// Starts a thread that runs until [`Service::close`].
pub fn start(service: &Arc<Service>) -> Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let (of_thread, reading) = (Arc::clone(&stop), Arc::downgrade(service));
    let thread = thread::Builder::new().name("griot-reading".into()).spawn(move || {
        let mut pauses = Pauses::default();
        while !of_thread.load(Ordering::Relaxed) {
            let Some(service) = reading.upgrade() else { return };
            let pause = round(&service, &mut pauses, &of_thread);
            drop(service);
            wait(pause, &of_thread);
        }
    });
    let thread = thread.map_err(|error| Error::unavailable("start a thread", error.to_string()))?;
    service.on_close(move || end(&stop, &thread));
    Ok(())
}

fn end(stop: &AtomicBool, thread: &JoinHandle<()>) {
    stop.store(true, Ordering::Relaxed);
    let last = Instant::now() + PATIENCE;
    while !thread.is_finished() && Instant::now() < last {
        thread::sleep(STEP);
    }
}

/// Reads some memories of each workspace that does not rest; returns how long to wait.
fn round(service: &Service, pauses: &mut Pauses, stop: &AtomicBool) -> Duration {
    let mut pause = POLL;
    for (engine, database) in service.opened() {
        let revision = revision(&engine);
        if pauses.rests(&database, revision, Instant::now()) {
            continue;
        }
        match enrich::keep_up(&engine, &database, stop) {
            Ok(None) => {}
            Ok(Some(KeptUp { memories, failure })) => {
                if let Some(why) = &failure {
                    tracing::warn!(why, memories, "the language model could not read everything");
                } else if memories > 0 {
                    tracing::debug!(memories, "the language model has read");
                    pause = Duration::ZERO;
                }
                if memories == 0 {
                    // New memories may be read even where the others cannot be yet.
                    let at = failure.is_none().then_some(revision).flatten();
                    pauses.put(database, at, Instant::now());
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the language model could not read");
                pauses.put(database, None, Instant::now());
            }
        }
    }
    pause
}

/// `None` if the store cannot say.
fn revision(engine: &Engine) -> Option<Revision> {
    Some(engine.read().ok()?.revision())
}

/// Workspaces that rest, by their databases.
#[derive(Default)]
struct Pauses(HashMap<PathBuf, Pause>);

struct Pause {
    until: Instant,
    /// It also ends when the workspace has another revision than this one.
    at: Option<Revision>,
}

impl Pauses {
    fn put(&mut self, database: PathBuf, at: Option<Revision>, now: Instant) {
        self.0.insert(database, Pause { until: now + RETRY_AFTER, at });
    }

    fn rests(&mut self, database: &Path, revision: Option<Revision>, now: Instant) -> bool {
        let is_over = |pause: &Pause| pause.until <= now || (pause.at.is_some() && pause.at != revision);
        if self.0.get(database).is_some_and(is_over) {
            self.0.remove(database);
        }
        self.0.contains_key(database)
    }
}

fn wait(longest: Duration, stop: &AtomicBool) {
    let last = Instant::now() + longest;
    while Instant::now() < last && !stop.load(Ordering::Relaxed) {
        thread::sleep(STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_rests_alone_and_new_memories_end_the_rest_unless_the_model_failed() {
        let (one, other) = (Path::new("one.db"), Path::new("other.db"));
        let (now, revision) = (Instant::now(), |number| Some(Revision(number)));
        let mut pauses = Pauses::default();
        pauses.put(one.to_path_buf(), None, now);
        assert!(pauses.rests(one, revision(2), now) && !pauses.rests(other, revision(2), now));
        assert!(!pauses.rests(one, revision(2), now + RETRY_AFTER));
        assert!(!pauses.rests(one, revision(2), now), "it is over");
        pauses.put(other.to_path_buf(), revision(2), now);
        assert!(pauses.rests(other, revision(2), now) && !pauses.rests(other, revision(3), now));
    }
}
