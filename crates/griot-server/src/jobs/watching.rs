//! Folders that a server watches: their changes go into the active workspace.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot_ingest::{FileOptions, Watch};
use griot_wire::Ingested;

use crate::told;

/// A thread that watches until `end` is called.
pub struct Watching {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Watching {
    /// Fails immediately if a path cannot be watched.
    pub fn start(engine: Arc<Engine>, options: FileOptions) -> Result<Self> {
        let mut watch = Watch::new(options)?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let work = move || {
            while !stopped.load(Ordering::Relaxed) {
                let mut tally = Ingested::empty();
                let read = watch.read(&engine, &stopped, &mut |event| {
                    told::count(&mut tally, &event);
                    Ok(())
                });
                for failed in &tally.failed {
                    tracing::warn!(
                        path = failed.path,
                        why = failed.message,
                        "a watched file could not be read"
                    );
                }
                match read {
                    Ok(_) => tracing::info!(
                        sources = tally.sources,
                        added = tally.added,
                        removed = tally.removed,
                        "watched files were read"
                    ),
                    // The next change reads the files again.
                    Err(error) => tracing::warn!(%error, "watched files could not be stored"),
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("griot-watch".into())
            .spawn(work)
            .map_err(|error| Error::unavailable("start the watching thread", error.to_string()))?;
        Ok(Self { stop, thread })
    }

    pub fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
    }
}
