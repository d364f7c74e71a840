//! The threads that ask and read. They hold nothing that lasts: what they bring is recorded by whoever sent
//! them, and one that hangs on a slow server is left to end by itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use griot::model::{Error, Result};
use url::Url;

use super::fetch::{Answer, Condition, Failure, Fetcher, Over};
use super::listing::{self, Listing};
use super::page::PageText;
use super::reading;
use super::robots;
use crate::decode;
use crate::options::ReadLimits;

/// Parsers of HTML call themselves for each level of a page.
const STACK: usize = 16 * 1024 * 1024;
/// As RFC 9309 asks.
const ROBOTS_HOPS: usize = 5;

#[derive(Clone, Debug)]
pub(crate) enum Task {
    Robots(Url),
    Page { url: Url, known: Condition, limit: u64 },
    List(Url),
}

pub(crate) enum Came {
    /// The text; nothing where the site has no such file.
    Robots(String),
    Page {
        page: Box<PageText>,
        condition: Condition,
    },
    List(Listing),
    Unchanged,
    Moved(Url),
    Refused(u16),
    /// Not what was asked for, and no failure.
    Other(String),
    Failed(Failure),
}

/// Ends its threads when it is dropped, each after what it is at.
pub(crate) struct Workers {
    tasks: Sender<(i64, Task)>,
    came: Receiver<(i64, Came)>,
}

impl Workers {
    pub(crate) fn start(count: usize, fetcher: Fetcher, limits: ReadLimits) -> Result<Self> {
        let (tasks, queue) = channel::<(i64, Task)>();
        let (results, came) = channel();
        let (queue, fetcher) = (Arc::new(Mutex::new(queue)), Arc::new(fetcher));
        for _ in 0..count.max(1) {
            let (queue, fetcher, results) = (Arc::clone(&queue), Arc::clone(&fetcher), results.clone());
            let work = move || {
                loop {
                    let next = queue.lock().map(|queue| queue.recv());
                    let Ok(Ok((row, task))) = next else { return };
                    let done = catch_unwind(AssertUnwindSafe(|| work(&fetcher, limits, task)));
                    let done = done.unwrap_or_else(|_| {
                        Came::Failed(Failure { why: "the parser gave up on it".into(), retry: None })
                    });
                    if results.send((row, done)).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new()
                .name("griot-fetch".into())
                .stack_size(STACK)
                .spawn(work)
                .map_err(|error| Error::unavailable("start a thread that fetches", error.to_string()))?;
        }
        Ok(Self { tasks, came })
    }

    pub(crate) fn send(&self, row: i64, task: Task) -> Result<()> {
        self.tasks.send((row, task)).map_err(|_| Error::unavailable("fetch a page", "all threads have ended"))
    }

    /// `None` after the time is over.
    pub(crate) fn wait(&self, longest: Duration) -> Result<Option<(i64, Came)>> {
        match self.came.recv_timeout(longest) {
            Ok(came) => Ok(Some(came)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Error::unavailable("fetch a page", "all threads have ended"))
            }
        }
    }
}

fn work(fetcher: &Fetcher, limits: ReadLimits, task: Task) -> Came {
    match task {
        Task::Robots(url) => ask_robots(fetcher, url),
        Task::Page { url, known, limit } => match fetcher.ask(&url, &known, limit, Over::Refuse) {
            Ok(Answer::Body(body)) => match reading::page(&url, &body, limits) {
                Ok(page) => Came::Page { page: Box::new(page), condition: body.condition },
                Err(why) => Came::Other(why),
            },
            other => without_body(other),
        },
        Task::List(url) => match fetcher.ask(&url, &Condition::default(), listing::LIMIT, Over::Refuse) {
            Ok(Answer::Body(body)) => match listing::unpack(body.bytes) {
                Ok(bytes) => match listing::read(&decode::page(&bytes, body.charset.as_deref()), &url) {
                    Some(listing) => Came::List(listing),
                    None => Came::Other("it is no sitemap, feed or list of pages".into()),
                },
                Err(why) => Came::Failed(Failure { why, retry: None }),
            },
            other => without_body(other),
        },
    }
}

fn without_body(answer: std::result::Result<Answer, Failure>) -> Came {
    match answer {
        Ok(Answer::Unchanged) => Came::Unchanged,
        Ok(Answer::Moved(url)) => Came::Moved(url),
        Ok(Answer::Refused(status)) => Came::Refused(status),
        Ok(Answer::Body(_)) => Came::Other("nobody asked for a body".into()),
        Err(failure) => Came::Failed(failure),
    }
}

/// Redirects are followed: what a site asks for is no page of a crawl.
fn ask_robots(fetcher: &Fetcher, mut url: Url) -> Came {
    for _ in 0..=ROBOTS_HOPS {
        match fetcher.ask(&url, &Condition::default(), robots::LIMIT, Over::Cut) {
            Ok(Answer::Body(body)) => {
                return Came::Robots(decode::page(&body.bytes, body.charset.as_deref()));
            }
            Ok(Answer::Moved(next)) if matches!(next.scheme(), "http" | "https") => url = next,
            // A file that is not there, or that we may not see, asks for nothing.
            Ok(_) => return Came::Robots(String::new()),
            Err(failure) => return Came::Failed(failure),
        }
    }
    Came::Robots(String::new())
}
