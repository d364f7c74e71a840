//! Lets the language model of each open workspace read new memories, where `enrich.background` says so.
//!
//! It keeps no state: the store knows what is unread. A model that fails is asked again after a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use griot::model::{Error, Result};
use griot_wire::verbs::enrich;

use crate::service::Service;

const POLL: Duration = Duration::from_secs(2);
/// Pause after a failure of the model or the store.
const RETRY_AFTER: Duration = Duration::from_secs(60);
/// How long the end of the server waits for a request. What is cut off is read again.
const PATIENCE: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(100);

/// Starts a thread that runs until [`Service::close`].
pub fn start(service: &Arc<Service>) -> Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let (of_thread, reading) = (Arc::clone(&stop), Arc::downgrade(service));
    let thread = thread::Builder::new().name("griot-reading".into()).spawn(move || {
        while !of_thread.load(Ordering::Relaxed) {
            let Some(service) = reading.upgrade() else { return };
            let pause = round(&service, &of_thread);
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

/// Reads some memories of each workspace; returns how long to wait.
fn round(service: &Service, stop: &AtomicBool) -> Duration {
    let mut pause = POLL;
    for (engine, database) in service.opened() {
        match enrich::keep_up(&engine, &database, stop) {
            Ok((0, None)) => {}
            Ok((memories, None)) => {
                tracing::debug!(memories, "the language model has read");
                pause = Duration::ZERO;
            }
            Ok((_, Some(why))) => {
                tracing::warn!(why, "the language model could not read");
                pause = RETRY_AFTER;
            }
            Err(error) => {
                tracing::warn!(%error, "the language model could not read");
                pause = RETRY_AFTER;
            }
        }
    }
    pause
}

fn wait(longest: Duration, stop: &AtomicBool) {
    let last = Instant::now() + longest;
    while Instant::now() < last && !stop.load(Ordering::Relaxed) {
        thread::sleep(STEP);
    }
}
