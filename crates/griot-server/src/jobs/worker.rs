//! The thread that works on jobs that anyone may work on: those that clients asked for, those whose process
//! ended, and crawls that are due again.
//!
//! What it holds may be lost at any moment; the rows of the jobs say what is left, to it or to any other
//! process. It looks once a second, and at once when it is woken. A server looks at all workspaces, a process
//! that speaks with one agent at its own.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use griot::model::{Error, ErrorKind, Result};
use griot_ingest::{JobId, JobKind, Jobs, run_crawl, run_ingest};

use super::bell::Bell;
use crate::service::Service;

/// Jobs at once. More would only share the same disk and processor.
const MOST: usize = 2;
const LOOK: Duration = Duration::from_secs(1);
/// How long a job rests after trouble with the store or the network as a whole.
const REST: Duration = Duration::from_secs(30);

/// Which workspaces a worker looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    Every,
    /// The one of those who name none.
    Active,
}

/// Works on jobs in the background until [`Service::close`].
pub fn start(service: &Arc<Service>, reach: Reach) -> Result<()> {
    let worker = Worker::start(Arc::clone(service), reach)
        .map_err(|error| Error::unavailable("start the thread for jobs", error.to_string()))?;
    service.on_close(move || worker.end());
    Ok(())
}

/// A running worker.
struct Worker {
    stop: Arc<AtomicBool>,
    bell: Bell,
    thread: JoinHandle<()>,
}

impl Worker {
    fn start(service: Arc<Service>, reach: Reach) -> std::io::Result<Self> {
        let (stop, bell) = (Arc::new(AtomicBool::new(false)), service.bell.clone());
        let (over, heard) = (Arc::clone(&stop), bell.clone());
        let thread = std::thread::Builder::new().name("griot-jobs".into()).spawn(move || {
            let mut rounds =
                Rounds { service, reach, stop: over, at_work: HashMap::new(), resting: HashMap::new() };
            while !rounds.stop.load(Ordering::Relaxed) {
                if let Err(error) = rounds.look() {
                    tracing::warn!(%error, "the jobs could not be looked at");
                }
                heard.wait(LOOK);
            }
            for (_, thread) in rounds.at_work {
                let _ = thread.join();
            }
        })?;
        Ok(Self { stop, bell, thread })
    }

    /// Lets each job end its step; they wait for the next process.
    fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.bell.ring();
        let _ = self.thread.join();
    }
}

type Place = (String, JobId);

struct Rounds {
    service: Arc<Service>,
    reach: Reach,
    stop: Arc<AtomicBool>,
    at_work: HashMap<Place, JoinHandle<bool>>,
    /// Jobs that failed for now.
    resting: HashMap<Place, Instant>,
}

impl Rounds {
    fn look(&mut self) -> Result<()> {
        let over: Vec<Place> = self
            .at_work
            .iter()
            .filter(|(_, thread)| thread.is_finished())
            .map(|(place, _)| place.clone())
            .collect();
        for place in over {
            let is_well = self.at_work.remove(&place).is_some_and(|thread| thread.join().unwrap_or(false));
            if !is_well {
                self.resting.insert(place, Instant::now() + REST);
            }
        }
        self.resting.retain(|_, until| *until > Instant::now());
        let names = match self.reach {
            Reach::Every => self.service.all_names()?,
            Reach::Active => vec![self.service.active()?],
        };
        for name in names.into_iter().collect::<HashSet<_>>() {
            let Some(jobs) = Jobs::find(&self.service.database(&name)?)? else { continue };
            jobs.repeat(now())?;
            for id in jobs.left()? {
                let place = (name.clone(), id);
                if self.at_work.len() < MOST
                    && !self.at_work.contains_key(&place)
                    && !self.resting.contains_key(&place)
                {
                    self.begin(place);
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, place: Place) {
        let (service, stop, (name, id)) = (Arc::clone(&self.service), Arc::clone(&self.stop), place.clone());
        let work = move || match work(&service, &name, id, &stop) {
            Ok(()) => true,
            // Another process was faster.
            Err(error) if error.kind == ErrorKind::Conflict => true,
            Err(error) => {
                tracing::warn!(%error, job = %id, workspace = name, "a job could not go on");
                false
            }
        };
        match std::thread::Builder::new().name(format!("griot-{id}", id = place.1)).spawn(work) {
            Ok(thread) => drop(self.at_work.insert(place, thread)),
            Err(error) => tracing::warn!(%error, "no thread for a job"),
        }
    }
}

fn work(service: &Service, name: &str, id: JobId, stop: &AtomicBool) -> Result<()> {
    let engine = service.engine(name)?;
    let jobs = Jobs::beside(&service.database(name)?)?;
    let job = match jobs.job(id)?.kind {
        JobKind::Ingest => run_ingest(&jobs, id, &engine, stop, &mut |_| Ok(()))?,
        JobKind::Crawl | JobKind::Refresh => run_crawl(&jobs, id, &engine, stop, &mut |_| {})?,
    };
    tracing::info!(job = %id, workspace = name, state = job.state.name(), memories = job.counts.memories, "a job ended");
    Ok(())
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map(|age| age.as_millis() as i64);
    since.unwrap_or_default()
}
