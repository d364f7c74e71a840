//! What changes in a workspace, as server-sent events: one event a revision, whichever process committed it,
//! and how far its jobs are, at most once a second each.
//!
//! The id of an event is its revision, so that a client that comes back with `Last-Event-ID` misses nothing.
//! However many streams there are, each workspace's log is looked at by one watcher, every 50 ms; that is one
//! row of the store. The watcher ends with the last stream of its workspace. `server.streams` bounds how many
//! there may be; one key has a quarter of them at most.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
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
use crate::gates::{Share, Work};
use crate::service::Call;

/// SQLite tells no other process of a commit, so that there is nothing to wait for but the log.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a revoked key may keep a stream open in which nothing happens.
const KEY_EVERY: Duration = Duration::from_secs(1);
/// A comment that keeps the way open through what stands between.
const QUIET: Duration = Duration::from_secs(15);
/// Revisions that are read at once.
const PAGE: usize = 100;
/// Jobs that are looked at, the latest.
const JOBS: usize = 20;

struct Stream {
    app: Arc<App>,
    caller: Caller,
    place: Place,
    last: Revision,
    latest: watch::Receiver<Revision>,
    quiet: Duration,
    /// How far each job was when it was told.
    jobs: HashMap<JobId, u64>,
    looked: Instant,
    /// One of `server.streams`, given back when the stream is dropped.
    _place: Share,
}

/// The watchers of all workspaces.
#[derive(Default)]
pub struct Watchers {
    latest: Mutex<HashMap<String, watch::Sender<Revision>>>,
}

impl Watchers {
    /// Joins the watcher of a workspace, or begins it.
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
        tokio::spawn(look(Arc::clone(app), workspace, engine));
        receiver
    }

    /// Tells a new revision. False once nobody listens any more; then the watcher is forgotten.
    fn tell(&self, workspace: &str, revision: Option<Revision>) -> bool {
        let mut all = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let heard = all.get(workspace).is_some_and(|latest| {
            if let Some(revision) = revision {
                latest.send_if_modified(|known| std::mem::replace(known, revision) != revision);
            }
            latest.receiver_count() > 0
        });
        if !heard {
            all.remove(workspace);
        }
        heard
    }
}

/// Looks at the log of a workspace as long as somebody listens.
async fn look(app: Arc<App>, workspace: String, engine: Arc<Engine>) {
    loop {
        let here = Arc::clone(&engine);
        let revision = app.run(Work::Reads, move |_| Ok(here.revision()?)).await;
        if let Err(failure) = &revision {
            tracing::warn!(failure = failure.sentence(), "the log of changes could not be read");
        }
        let pause = if revision.is_ok() { LOOK_EVERY } else { KEY_EVERY };
        if *app.ending.borrow() || !app.watchers.tell(&workspace, revision.ok()) {
            return;
        }
        tokio::time::sleep(pause).await;
    }
}

pub async fn stream(app: &Arc<App>, caller: Caller, q: Bare, last: Option<String>) -> Outcome<Response> {
    let place = q.place()?;
    let asked = last.as_deref().map(|id| {
        id.trim().parse::<u64>().map(Revision).map_err(|_| {
            Error::invalid(
                format!("go on after the event `{id}`"),
                "the id of an event is the number of a revision",
            )
        })
    });
    let asked = asked.transpose()?;
    let (entering, here) = (caller.clone(), place.clone());
    let room = app.gates.stream(caller.key.as_deref(), app.settings.streams)?;
    let (workspace, engine, now, jobs) = app
        .run(Work::Reads, move |app| {
            let call = app.service.enter(&entering, &here, Role::Read)?;
            let now = call.engine.revision()?;
            let jobs = call.jobs_if_any()?.map(|jobs| jobs.steps(JOBS)).transpose()?.unwrap_or_default();
            Ok((call.workspace, call.whole, now, jobs))
        })
        .await?;
    let latest = app.watchers.join(app, workspace, engine, now);
    let (last, quiet) = (asked.unwrap_or(now), Duration::ZERO);
    let (jobs, looked) = (jobs.into_iter().collect(), Instant::now());
    let first =
        Stream { app: Arc::clone(app), caller, place, last, latest, quiet, jobs, looked, _place: room };
    // An id without data is no event, but is remembered: who is cut off before the first event misses nothing
    // either.
    let hello = Bytes::from(format!(": changes of the workspace\nid: {}\n\n", first.last.0));
    let begin = futures_util::stream::iter([Ok::<_, std::convert::Infallible>(hello)]);
    let rest = futures_util::stream::unfold(first, |stream| async move { stream.next().await });
    let mut response = Response::new(Body::from_stream(futures_util::StreamExt::chain(begin, rest)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

impl Stream {
    /// Waits for the next events; ends with the server, or when the caller may no longer ask.
    async fn next(mut self) -> Option<(Result<Bytes, std::convert::Infallible>, Self)> {
        let mut ending = self.app.ending.subscribe();
        loop {
            if *ending.borrow() || !self.may_still_ask() {
                return None;
            }
            // What comes from here on wakes the stream again.
            self.latest.mark_unchanged();
            let (caller, place, last) = (self.caller.clone(), self.place.clone(), self.last);
            let known = (self.looked.elapsed() >= KEY_EVERY).then(|| self.jobs.clone());
            let told = self
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
            let (changes, jobs) = match told {
                Ok(told) => told,
                Err(failure) => {
                    tracing::warn!(failure = failure.sentence(), "a stream of events ended");
                    return None;
                }
            };
            let mut text = String::new();
            for change in changes {
                self.last = change.revision;
                let change = Changed::from(change);
                let data = serde_json::to_string(&change).unwrap_or_default();
                text.push_str(&format!("id: {}\nevent: change\ndata: {data}\n\n", change.revision));
            }
            if let Some(jobs) = jobs {
                self.looked = Instant::now();
                for (id, step, job) in jobs {
                    self.jobs.insert(id, step);
                    let data = serde_json::to_string(&job).unwrap_or_default();
                    text.push_str(&format!("event: job\ndata: {data}\n\n"));
                }
            }
            if !text.is_empty() {
                self.quiet = Duration::ZERO;
                return Some((Ok(Bytes::from(text)), self));
            }
            tokio::select! {
                () = tokio::time::sleep(KEY_EVERY) => self.quiet += KEY_EVERY,
                _ = self.latest.changed() => {}
                _ = ending.changed() => {}
            }
            if self.quiet >= QUIET {
                self.quiet = Duration::ZERO;
                return Some((Ok(Bytes::from_static(b": still here\n\n")), self));
            }
        }
    }

    fn may_still_ask(&self) -> bool {
        self.caller.key.as_deref().is_none_or(|id| self.app.keys.is_live(id))
    }
}

/// Jobs that got further, the oldest first.
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
