//! Who works on a job holds a lock of the operating system on it, which ends with its process, however that
//! ends.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::Duration;

use griot::model::{Error, Result};

use super::model::JobId;
use super::store::Jobs;

/// How often a lock that is held is tried again, and after how long.
const LOOKS: u32 = 5;
const LOOK: Duration = Duration::from_millis(10);

/// Held by whoever works on a job.
#[derive(Debug)]
pub struct JobLock {
    file: File,
    path: PathBuf,
}

impl JobLock {
    /// The job is over: nobody will ask for its lock again.
    pub(crate) fn remove(self) {
        // A file that stays is only litter.
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
    /// `None` if somebody works on it.
    pub fn lock(&self, id: JobId) -> Result<Option<JobLock>> {
        let path = self.lock_path(id);
        let failed =
            |error: std::io::Error| Error::unavailable(format!("lock the job `{id}`"), error.to_string());
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        for again in (0..LOOKS).rev() {
            match file.try_lock() {
                Ok(()) => return Ok(Some(JobLock { file, path })),
                // Somebody may only be looking whether it is taken.
                Err(TryLockError::WouldBlock) if again > 0 => std::thread::sleep(LOOK),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Ok(None)
    }

    /// Nobody works on it. Leaves no trace: jobs are looked at by those who only read.
    pub(super) fn is_left(&self, id: JobId) -> Result<bool> {
        let failed =
            |error: std::io::Error| Error::unavailable(format!("look at the job `{id}`"), error.to_string());
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

    fn lock_path(&self, id: JobId) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{id}.lock"));
        PathBuf::from(name)
    }
}
