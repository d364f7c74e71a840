//! Changes of a workspace as server-sent events: one event per revision, whichever process committed it,
//! and progress of jobs, at most once per second each.
//!
//! The id of an event is its revision, so a client that reconnects with `Last-Event-ID` misses nothing. One
//! watcher per workspace polls the change log every 50 ms (one row) for all streams; it ends with the last
//! stream. `server.streams` limits the number of streams; one key gets a quarter at most.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use futures_util::stream::{iter, unfold};
use griot::engine::Engine;
use griot::model::{Error, Revision};
use griot_ingest::JobId;
use griot_wire::Changed;
use griot_wire::request::{Bare, Place, Request as _};
use griot_wire::verbs::job::sees;
use tokio::sync::watch;

use super::App;
use crate::access::{Caller, Role};
use crate::failure::Outcome;
use crate::limits::{Permit, Work};
use crate::service::Call;

/// SQLite does not notify other processes of commits, so the log must be polled.
const POLL: Duration = Duration::from_millis(50);
/// How long a revoked key may keep an idle stream open.
const RECHECK: Duration = Duration::from_secs(1);
/// Interval of comments that keep the connection open through proxies.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Revisions to read at once.
const PAGE: usize = 100;
/// Latest jobs to report on.
const JOBS: usize = 20;

struct Stream {
    app: Arc<App>,
    caller: Caller,
    place: Place,
    last: Revision,
    latest: watch::Receiver<Revision>,
    /// The reported step of each job.
    jobs: HashMap<JobId, u64>,
    checked: Instant,
    /// One of `server.streams`, released on drop.
    _share: Permit,
}

/// The watchers of all workspaces.
#[derive(Default)]
pub struct Watchers {
    latest: Mutex<HashMap<String, watch::Sender<Revision>>>,
}

impl Watchers {
    /// Subscribes to the watcher of a workspace, starting it if needed.
    fn join(
        &self,
        app: &Arc<App>,
        workspace: String,
        engine: Arc<Engine>,
        now: Revision,
    ) -> watch::Receiver<Revision> {
        let mut all = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(latest) = all.get(&workspace) {
            return latest.subscribe();
        }
        let (sender, receiver) = watch::channel(now);
        all.insert(workspace.clone(), sender);
        tokio::spawn(poll(Arc::clone(app), workspace, engine));
        receiver
    }

    /// Publishes a new revision. False if no subscriber is left; then the watcher is removed.
    fn publish(&self, workspace: &str, revision: Option<Revision>) -> bool {
        let mut all = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let is_watched = all.get(workspace).is_some_and(|latest| {
            if let Some(revision) = revision {
                latest.send_if_modified(|known| std::mem::replace(known, revision) != revision);
            }
            latest.receiver_count() > 0
        });
        if !is_watched {
            all.remove(workspace);
        }
        is_watched
    }
}

/// Polls the change log of a workspace while there are subscribers.
async fn poll(app: Arc<App>, workspace: String, engine: Arc<Engine>) {
    loop {
        let here = Arc::clone(&engine);
        let revision = app.run(Work::Reads, move |_| Ok(here.revision()?)).await;
        if let Err(failure) = &revision {
            tracing::warn!(failure = failure.sentence(), "cannot read the change log");
        }
        let pause = if revision.is_ok() { POLL } else { RECHECK };
        if *app.ending.borrow() || !app.watchers.publish(&workspace, revision.ok()) {
            return;
        }
        tokio::time::sleep(pause).await;
    }
}

pub async fn stream(app: &Arc<App>, caller: Caller, q: Bare, last: Option<String>) -> Outcome<Response> {
    let place = q.place()?;
    let asked = last.as_deref().map(|id| {
        id.trim().parse::<u64>().map(Revision).map_err(|_| {
            Error::invalid(format!("resume after the event `{id}`"), "event ids are revision numbers")
        })
    });
    let asked = asked.transpose()?;
    let (entering, here) = (caller.clone(), place.clone());
    let room = app.limits.stream(caller.key.as_deref(), app.settings.streams)?;
    let (workspace, engine, now, jobs) = app
        .run(Work::Reads, move |app| {
            let call = app.service.enter(&entering, &here, Role::Read)?;
            let now = call.engine.revision()?;
            let jobs = call.jobs_if_any()?.map(|jobs| jobs.steps(JOBS)).transpose()?.unwrap_or_default();
            Ok((call.workspace, call.whole, now, jobs))
        })
        .await?;
    let latest = app.watchers.join(app, workspace, engine, now);
    let last = asked.unwrap_or(now);
    let (jobs, checked) = (jobs.into_iter().collect(), Instant::now());
    let first = Stream { app: Arc::clone(app), caller, place, last, latest, jobs, checked, _share: room };
    // An id without data is not an event, but clients remember it: a client that is cut off before the
    // first event misses nothing either.
    let hello = Event::default().comment("changes of the workspace").id(last.0.to_string());
    let rest = unfold(first, |stream| async move { stream.next().await });
    let events = iter([Ok(hello)]).chain(rest.flat_map(iter));
    let alive = KeepAlive::new().interval(KEEP_ALIVE).text("still here");
    Ok(([(header::CACHE_CONTROL, "no-store")], Sse::new(events).keep_alive(alive)).into_response())
}

impl Stream {
    /// Waits for the next events; ends with the server, or when the caller's key is revoked.
    async fn next(mut self) -> Option<(Vec<Result<Event, axum::Error>>, Self)> {
        let mut ending = self.app.ending.subscribe();
        loop {
            if *ending.borrow() || !self.is_still_allowed() {
                return None;
            }
            // Changes from here on wake the stream.
            self.latest.mark_unchanged();
            let (caller, place, last) = (self.caller.clone(), self.place.clone(), self.last);
            let known = (self.checked.elapsed() >= RECHECK).then(|| self.jobs.clone());
            let found = self
                .app
                .run(Work::Reads, move |app| {
                    let call = app.service.enter(&caller, &place, Role::Read)?;
                    let jobs = known.map(|known| changed_jobs(&call, &known)).transpose()?;
                    if call.engine.revision()? <= last {
                        return Ok((Vec::new(), jobs));
                    }
                    Ok((call.engine.changes_after(last, PAGE)?, jobs))
                })
                .await;
            let (changes, jobs) = match found {
                Ok(found) => found,
                Err(failure) => {
                    tracing::warn!(failure = failure.sentence(), "an event stream failed");
                    return None;
                }
            };
            let mut events = Vec::new();
            for change in changes {
                self.last = change.revision;
                if !shows(&change) {
                    continue;
                }
                let event = Event::default().id(self.last.0.to_string()).event("change");
                events.push(event.json_data(Changed::from(change)));
            }
            if let Some(jobs) = jobs {
                self.checked = Instant::now();
                for (id, step, job) in jobs {
                    self.jobs.insert(id, step);
                    events.push(Event::default().event("job").json_data(job));
                }
            }
            if !events.is_empty() {
                return Some((events, self));
            }
            tokio::select! {
                () = tokio::time::sleep(RECHECK) => {}
                _ = self.latest.changed() => {}
                _ = ending.changed() => {}
            }
        }
    }

    fn is_still_allowed(&self) -> bool {
        self.caller.key.as_deref().is_none_or(|id| self.app.keys.is_live(id))
    }
}

/// Whether a change touched what events name: a revision may also store an offer or a warning only.
fn shows(change: &griot::engine::Changed) -> bool {
    let nodes = change.memories.len() + change.entities.len();
    nodes + change.edges.len() + change.removed_edges.len() > 0
}

/// Jobs that changed, oldest first.
fn changed_jobs(call: &Call, known: &HashMap<JobId, u64>) -> Outcome<Vec<(JobId, u64, griot_wire::Job)>> {
    let Some(jobs) = call.jobs_if_any()? else { return Ok(Vec::new()) };
    let mut changed = Vec::new();
    for (id, step) in jobs.steps(JOBS)?.into_iter().rev().filter(|(id, step)| known.get(id) != Some(step)) {
        let job = jobs.job(id)?;
        if sees(call, &job) {
            changed.push((id, step, griot_wire::Job::from(&job)));
        }
    }
    Ok(changed)
}
