//! Between processes: the lock of a job, held by the process that works on it, and requests to that process.
//! It is a lock of the operating system, so it ends with the process, however that ends.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use griot::model::{Error, Result};
use griot::private;

use super::model::{JobId, JobState};
use super::store::Jobs;

/// How often to try a lock that is held, and the pause between tries.
const TRIES: u32 = 5;
const RETRY_PAUSE: Duration = Duration::from_millis(10);
/// How often to look for a request.
const POLL: Duration = Duration::from_millis(200);

/// Held while working on a job.
#[derive(Debug)]
pub struct JobLock {
    file: File,
    path: PathBuf,
}

impl JobLock {
    /// The job is over, so its lock will not be needed again.
    pub(crate) fn remove(self) {
        // A lock file that stays is harmless.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Drop for JobLock {
    fn drop(&mut self) {
        // Closing the file ends the lock as well.
        let _ = self.file.unlock();
    }
}

impl Jobs {
    /// `None` if another process works on the job.
    pub fn lock(&self, id: JobId) -> Result<Option<JobLock>> {
        let path = self.lock_path(id);
        let failed =
            |error: std::io::Error| Error::unavailable(format!("lock the job `{id}`"), error.to_string());
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        for again in (0..TRIES).rev() {
            match file.try_lock() {
                Ok(()) => return Ok(Some(JobLock { file, path })),
                // `is_abandoned` holds the lock for a moment, too.
                Err(TryLockError::WouldBlock) if again > 0 => std::thread::sleep(RETRY_PAUSE),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Ok(None)
    }

    /// Whether no process works on the job. Creates no lock file: this is also called for reading.
    pub(super) fn is_abandoned(&self, id: JobId) -> Result<bool> {
        let failed =
            |error: std::io::Error| Error::unavailable(format!("check the job `{id}`"), error.to_string());
        match File::open(self.lock_path(id)) {
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => Ok(true),
                Err(TryLockError::WouldBlock) => Ok(false),
                Err(TryLockError::Error(error)) => Err(failed(error)),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
            Err(error) => Err(failed(error)),
        }
    }

    /// Returns the state in which the job should end, if another process asked for one. It does not change
    /// once seen.
    pub(crate) fn stop_request(&self, id: JobId) -> impl Fn() -> Option<JobState> {
        let (polled, state) = (Cell::new(Instant::now()), Cell::new(None));
        move || {
            if state.get().is_none() && polled.get().elapsed() >= POLL {
                polled.set(Instant::now());
                // Ignores read errors: the next poll tries again.
                state.set(self.wanted_state(id).unwrap_or_default());
            }
            state.get()
        }
    }

    fn lock_path(&self, id: JobId) -> PathBuf {
        private::beside(&self.path, &format!(".{id}.lock"))
    }
}
