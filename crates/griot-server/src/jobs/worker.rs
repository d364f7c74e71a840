//! Runs queued jobs: those that clients requested, those whose process ended, and repeated crawls that are
//! due.
//!
//! It keeps no durable state; the job rows say what is left, to this process or any other. It polls every
//! second and when notified. A server serves all workspaces, `griot mcp` only its own.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use griot::model::{Error, ErrorKind, Result};
use griot_ingest::{JobId, Jobs};
use griot_wire::verbs;

use super::Signal;
use crate::service::Service;

/// Jobs at once. More would compete for the same disk and processors.
const MAX_JOBS: usize = 2;
const POLL: Duration = Duration::from_secs(1);
/// Pause before a job is tried again after an error of the store or the network.
const RETRY_AFTER: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    Every,
    /// The active workspace only.
    Active,
}

/// Starts a worker that runs until [`Service::close`].
pub fn start(service: &Arc<Service>, reach: Reach) -> Result<()> {
    let worker = Worker::start(Arc::clone(service), reach)
        .map_err(|error| Error::unavailable("start the thread for jobs", error.to_string()))?;
    service.on_close(move || worker.end());
    Ok(())
}

struct Worker {
    stop: Arc<AtomicBool>,
    signal: Signal,
    thread: JoinHandle<()>,
}

impl Worker {
    fn start(service: Arc<Service>, reach: Reach) -> std::io::Result<Self> {
        let (stop, signal) = (Arc::new(AtomicBool::new(false)), service.signal.clone());
        let (over, woken) = (Arc::clone(&stop), signal.clone());
        let thread = std::thread::Builder::new().name("griot-jobs".into()).spawn(move || {
            let mut scheduler =
                Scheduler { service, reach, stop: over, running: HashMap::new(), retry_at: HashMap::new() };
            while !scheduler.stop.load(Ordering::Relaxed) {
                if let Err(error) = scheduler.poll() {
                    tracing::warn!(%error, "cannot read the jobs");
                }
                woken.wait(POLL);
            }
            for (_, thread) in scheduler.running {
                let _ = thread.join();
            }
        })?;
        Ok(Self { stop, signal, thread })
    }

    /// Stops after the current step of each job; another process may resume them.
    fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.signal.notify();
        let _ = self.thread.join();
    }
}

/// Workspace and job.
type JobKey = (String, JobId);

struct Scheduler {
    service: Arc<Service>,
    reach: Reach,
    stop: Arc<AtomicBool>,
    running: HashMap<JobKey, JoinHandle<bool>>,
    /// Earliest time of the next try, for jobs that failed.
    retry_at: HashMap<JobKey, Instant>,
}

impl Scheduler {
    fn poll(&mut self) -> Result<()> {
        let over: Vec<JobKey> = self
            .running
            .iter()
            .filter(|(_, thread)| thread.is_finished())
            .map(|(key, _)| key.clone())
            .collect();
        for key in over {
            let is_well = self.running.remove(&key).is_some_and(|thread| thread.join().unwrap_or(false));
            if !is_well {
                self.retry_at.insert(key, Instant::now() + RETRY_AFTER);
            }
        }
        self.retry_at.retain(|_, until| *until > Instant::now());
        let names = match self.reach {
            Reach::Every => self.service.all_names()?,
            Reach::Active => vec![self.service.active()?],
        };
        for name in names {
            // One that cannot be read does not keep the jobs of others waiting.
            if let Err(error) = self.poll_one(&name) {
                tracing::warn!(%error, workspace = name, "cannot look for jobs");
            }
        }
        Ok(())
    }

    fn poll_one(&mut self, name: &str) -> Result<()> {
        let Some(jobs) = Jobs::find(&self.service.database(name)?)? else { return Ok(()) };
        jobs.repeat(now())?;
        for id in jobs.unclaimed()? {
            let key = (name.to_string(), id);
            if self.running.len() < MAX_JOBS
                && !self.running.contains_key(&key)
                && !self.retry_at.contains_key(&key)
            {
                self.begin(key);
            }
        }
        Ok(())
    }

    fn begin(&mut self, key: JobKey) {
        let (service, stop, (name, id)) = (Arc::clone(&self.service), Arc::clone(&self.stop), key.clone());
        let work = move || match work(&service, &name, id, &stop) {
            Ok(()) => true,
            // Another process took it first.
            Err(error) if error.kind == ErrorKind::Conflict => true,
            Err(error) => {
                tracing::warn!(%error, job = %id, workspace = name, "a job failed");
                false
            }
        };
        match std::thread::Builder::new().name(format!("griot-{id}", id = key.1)).spawn(work) {
            Ok(thread) => drop(self.running.insert(key, thread)),
            Err(error) => tracing::warn!(%error, "cannot start a thread for a job"),
        }
    }
}

fn work(service: &Service, name: &str, id: JobId, stop: &AtomicBool) -> Result<()> {
    let engine = service.engine(name)?;
    let jobs = Jobs::for_database(&service.database(name)?)?;
    let job = verbs::job::work(&jobs, id, &engine, stop, &mut |_| {})?;
    let (state, memories) = (job.state.name(), job.counts.memories);
    tracing::info!(job = %id, workspace = name, state, memories, "a job ended");
    Ok(())
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map(|age| age.as_millis() as i64);
    since.unwrap_or_default()
}
