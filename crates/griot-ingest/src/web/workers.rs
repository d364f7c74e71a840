//! Fetching threads. They keep no state: the caller records what they return. A thread that hangs on a slow
//! server ends by itself after its timeout.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use griot::model::{Error, Result};
use url::Url;

use super::fetch::{Body, FetchError, Fetcher, Oversize, Response, Validators};
use super::listing::{self, Listing};
use super::page::PageText;
use super::reading;
use super::robots;
use crate::decode;
use crate::options::ReadLimits;

/// Bytes. HTML parsers recurse once per nesting level.
const STACK: usize = 16 * 1024 * 1024;
/// Redirects to follow for robots.txt, as RFC 9309 requires.
const ROBOTS_HOPS: usize = 5;

#[derive(Clone, Debug)]
pub(crate) enum Task {
    Robots(Url),
    Page { url: Url, known: Validators, limit: u64 },
    List(Url),
}

pub(crate) enum Fetched {
    /// The text; empty if the site has no robots.txt.
    Robots(String),
    Page {
        page: Box<PageText>,
        validators: Validators,
    },
    List(Listing),
    Unchanged,
    Redirect(Url),
    Refused(u16),
    /// Neither the requested content nor a failure: why it is skipped.
    Other(String),
    Failed(FetchError),
}

/// Its threads end after their current task when it is dropped.
pub(crate) struct Workers {
    tasks: Sender<(i64, Task)>,
    results: Receiver<(i64, Fetched)>,
}

impl Workers {
    pub(crate) fn start(count: usize, fetcher: Fetcher, limits: ReadLimits) -> Result<Self> {
        let (tasks, queue) = channel::<(i64, Task)>();
        let (sender, results) = channel();
        let (queue, fetcher) = (Arc::new(Mutex::new(queue)), Arc::new(fetcher));
        for _ in 0..count.max(1) {
            let (queue, fetcher, sender) = (Arc::clone(&queue), Arc::clone(&fetcher), sender.clone());
            let work = move || {
                loop {
                    let next = queue.lock().map(|queue| queue.recv());
                    let Ok(Ok((row, task))) = next else { return };
                    let done = catch_unwind(AssertUnwindSafe(|| work(&fetcher, limits, task)));
                    let done = done.unwrap_or_else(|_| {
                        Fetched::Failed(FetchError { why: "the parser crashed".into(), retry: None })
                    });
                    if sender.send((row, done)).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new()
                .name("griot-fetch".into())
                .stack_size(STACK)
                .spawn(work)
                .map_err(|error| Error::unavailable("start a fetching thread", error.to_string()))?;
        }
        Ok(Self { tasks, results })
    }

    pub(crate) fn send(&self, row: i64, task: Task) -> Result<()> {
        self.tasks.send((row, task)).map_err(|_| Error::unavailable("fetch a page", "all threads have ended"))
    }

    /// The next result; `None` after `longest`.
    pub(crate) fn wait(&self, longest: Duration) -> Result<Option<(i64, Fetched)>> {
        match self.results.recv_timeout(longest) {
            Ok(fetched) => Ok(Some(fetched)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Error::unavailable("fetch a page", "all threads have ended"))
            }
        }
    }
}

fn work(fetcher: &Fetcher, limits: ReadLimits, task: Task) -> Fetched {
    match task {
        Task::Robots(url) => fetch_robots(fetcher, url),
        Task::Page { url, known, limit } => {
            fetch(fetcher, &url, &known, limit, |body| match reading::page(&url, &body, limits) {
                Ok(page) => Fetched::Page { page: Box::new(page), validators: body.validators },
                Err(why) => Fetched::Other(why),
            })
        }
        Task::List(url) => fetch(fetcher, &url, &Validators::default(), listing::LIMIT, |body| {
            let bytes = match listing::unpack(body.bytes) {
                Ok(bytes) => bytes,
                Err(why) => return Fetched::Failed(FetchError { why, retry: None }),
            };
            match listing::read(&decode::page(&bytes, body.charset.as_deref()), &url) {
                Some(listing) => Fetched::List(listing),
                None => Fetched::Other("not a sitemap, feed or list of pages".into()),
            }
        }),
    }
}

fn fetch(
    fetcher: &Fetcher,
    url: &Url,
    known: &Validators,
    limit: u64,
    read: impl FnOnce(Body) -> Fetched,
) -> Fetched {
    match fetcher.get(url, known, limit, Oversize::Reject) {
        Ok(Response::Body(body)) => read(body),
        Ok(Response::Unchanged) => Fetched::Unchanged,
        Ok(Response::Redirect(url)) => Fetched::Redirect(url),
        Ok(Response::Refused(status)) => Fetched::Refused(status),
        Err(failure) => Fetched::Failed(failure),
    }
}

/// Follows redirects: robots.txt is not a page of the crawl, so its hops are not addresses of the frontier.
fn fetch_robots(fetcher: &Fetcher, mut url: Url) -> Fetched {
    for _ in 0..=ROBOTS_HOPS {
        match fetcher.get(&url, &Validators::default(), robots::LIMIT, Oversize::Truncate) {
            Ok(Response::Body(body)) => {
                return Fetched::Robots(decode::page(&body.bytes, body.charset.as_deref()));
            }
            Ok(Response::Redirect(next)) if matches!(next.scheme(), "http" | "https") => url = next,
            // RFC 9309, 2.3.1.3: an unavailable robots.txt (4xx) allows everything.
            Ok(_) => return Fetched::Robots(String::new()),
            Err(failure) => return Fetched::Failed(failure),
        }
    }
    Fetched::Robots(String::new())
}
