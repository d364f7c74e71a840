//! What changes in a workspace, as server-sent events: one event a revision, whichever process committed it.
//!
//! The id of an event is its revision, so that a client that comes back with `Last-Event-ID` misses nothing. The log is
//! looked at every 50 ms by each stream; that is one row of the store.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use griot::model::{Error, Revision};
use griot_wire::Changed;
use griot_wire::request::{Bare, Place, Request};

use super::App;
use crate::access::{Caller, Role};
use crate::failure::Outcome;

const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A comment that keeps the way open through what stands between.
const QUIET: Duration = Duration::from_secs(15);
/// Revisions that are read at once.
const PAGE: usize = 100;

struct Stream {
    app: Arc<App>,
    caller: Caller,
    place: Place,
    last: Revision,
    quiet: Duration,
}

pub async fn stream(app: &Arc<App>, caller: Caller, q: Bare, last: Option<String>) -> Outcome<Response> {
    let place = q.place()?;
    let asked = last.as_deref().map(|id| {
        id.trim().parse::<u64>().map(Revision).map_err(|_| {
            Error::invalid(format!("go on after the event `{id}`"), "the id of an event is the number of a revision")
        })
    });
    let asked = asked.transpose()?;
    let (entering, here) = (caller.clone(), place.clone());
    let now =
        app.run(false, move |app| Ok(app.service.enter(&entering, &here, Role::Read)?.engine.revision()?)).await?;
    let first = Stream { app: Arc::clone(app), caller, place, last: asked.unwrap_or(now), quiet: Duration::ZERO };
    // An id without data is no event, but is remembered: who is cut off before the first event misses nothing either.
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
            let (caller, place, last) = (self.caller.clone(), self.place.clone(), self.last);
            let changes = self
                .app
                .run(false, move |app| {
                    let call = app.service.enter(&caller, &place, Role::Read)?;
                    if call.engine.revision()? <= last {
                        return Ok(Vec::new());
                    }
                    Ok(call.engine.changes_after(last, PAGE)?)
                })
                .await;
            let changes = match changes {
                Ok(changes) => changes,
                Err(failure) => {
                    tracing::warn!(failure = failure.sentence(), "a stream of events ended");
                    return None;
                }
            };
            if let Some(last) = changes.last() {
                self.last = last.revision;
                self.quiet = Duration::ZERO;
                let mut text = String::new();
                for change in changes {
                    let change = Changed::from(change);
                    let data = serde_json::to_string(&change).unwrap_or_default();
                    text.push_str(&format!("id: {}\nevent: change\ndata: {data}\n\n", change.revision));
                }
                return Some((Ok(Bytes::from(text)), self));
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => self.quiet += LOOK_EVERY,
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
