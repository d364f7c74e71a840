//! What does a server bear? Many connections that ask and store at once, on a generated workspace.
//!
//! One request in ten is a `remember`. Whatever the server acknowledged is looked for in the store after it
//! has ended and was started again; with `kill` it ends by a signal in the middle of the load. Last, with
//! nobody else asking, the same questions go in turn to the library and to the server, which gives what the
//! way through the server costs.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use griot::model::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::generator::Generator;
use crate::peer::{Connection, Installation};
use crate::random::Random;
use crate::report::thousands;
use crate::run::percentile;
use crate::workspace::Workspace;

const SEED: u64 = 1;
const BATCH: usize = 1_000;
/// Share of requests that store something.
const WRITES: f64 = 0.1;
/// Different questions of the load; connections start at different ones.
const QUESTIONS: usize = 4_000;
/// Questions that nobody times, so that index and caches are there.
const WARM_UP: usize = 100;
/// Questions that library and server answer in turn.
const COMPARED: usize = 1_000;
const LIMIT: usize = 10;
/// What the way through the server may cost, in milliseconds.
pub const OVERHEAD: f64 = 1.0;

#[derive(Clone, Debug)]
pub struct Options {
    pub binary: PathBuf,
    pub memories: usize,
    pub connections: usize,
    pub time: Duration,
    /// End the server by a signal that it cannot catch, half-way.
    pub kill: bool,
    pub directory: Option<PathBuf>,
}

/// Times of one kind of request, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Times {
    pub count: usize,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
}

impl Times {
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self {
            count: times.len(),
            p50_ms: percentile(&times, 0.5),
            p99_ms: percentile(&times, 0.99),
            max_ms: times.last().copied().unwrap_or(0.0),
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outcome {
    pub memories: usize,
    pub connections: usize,
    pub killed: bool,
    pub seconds: f64,
    pub requests_per_second: f64,
    pub recall: Times,
    pub remember: Times,
    pub errors: usize,
    /// The first of them.
    pub error: Option<String>,
    pub acknowledged: usize,
    /// Acknowledged and not in the store, or not as they were sent.
    pub lost: usize,
    /// From the start of the next server to its first answer.
    pub restart_ms: f64,
    /// A library and one connection, asked in turn with nobody else asking.
    pub library_alone: Times,
    pub server_alone: Times,
    /// Median of the server less that of the library.
    pub overhead_ms: f64,
}

impl Outcome {
    pub fn holds(&self) -> bool {
        self.errors == 0 && self.lost == 0 && self.overhead_ms <= OVERHEAD && self.acknowledged > 0
    }

    pub fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:44}{value:>24}");
        };
        let times = |times: &Times| format!("{:.2} / {:.2}", times.p50_ms, times.p99_ms);
        line("memories", thousands(self.memories as u64));
        line("connections", self.connections.to_string());
        line("load (s)", format!("{:.1}{}", self.seconds, if self.killed { ", then kill -9" } else { "" }));
        line("requests (/s)", format!("{:.0}", self.requests_per_second));
        line("recalls under load, p50 / p99 (ms)", times(&self.recall));
        line("remembers under load, p50 / p99 (ms)", times(&self.remember));
        line("recalls, remembers", format!("{}, {}", self.recall.count, self.remember.count));
        line("errors", self.errors.to_string());
        line("acknowledged writes", self.acknowledged.to_string());
        line("of these lost", self.lost.to_string());
        line("start to first answer (ms)", format!("{:.0}", self.restart_ms));
        line("library alone, p50 / p99 (ms)", times(&self.library_alone));
        line("server alone, p50 / p99 (ms)", times(&self.server_alone));
        line("the server's part of a recall (ms)", format!("{:.2}", self.overhead_ms));
        if let Some(error) = &self.error {
            let _ = writeln!(text, "first error: {error}");
        }
        text
    }
}

/// A workspace of generated memories in `folder`.
pub fn build(folder: &std::path::Path, memories: usize) -> Result<(Workspace, Generator)> {
    let generator = Generator::new(SEED, memories);
    let mut workspace = Workspace::create(folder)?;
    let mut rest = generator.memories();
    while rest.len() > 0 {
        let batch: Vec<_> = rest.by_ref().take(BATCH).collect();
        workspace.remember(&batch)?;
    }
    drop(rest);
    workspace.finish()?;
    Ok((workspace, generator))
}

pub fn folder(directory: Option<&PathBuf>) -> Result<tempfile::TempDir> {
    match directory {
        Some(directory) => tempfile::tempdir_in(directory),
        None => tempfile::tempdir(),
    }
    .map_err(|error| Error::unavailable("make a folder for the workspace", error.to_string()))
}

pub fn measure(options: &Options, progress: impl Fn(&str)) -> Result<Outcome> {
    let folder = folder(options.directory.as_ref())?;
    let griot =
        Installation::new(&options.binary, Workspace::file(folder.path()), folder.path().join("home"))?;
    progress(&format!("building {} memories", thousands(options.memories as u64)));
    let (workspace, generator) = build(folder.path(), options.memories)?;
    let now = workspace.now().to_string();
    drop(workspace);

    let questions: Vec<String> = generator
        .queries(QUESTIONS.max(WARM_UP + COMPARED))
        .iter()
        .map(|question| json!({"query": question.text, "limit": LIMIT, "now": now}).to_string())
        .collect();
    let server = griot.serve()?;
    warm_up(server.address(), &questions)?;

    progress(&format!("load by {} connections for {} s", options.connections, options.time.as_secs()));
    let address = server.address().to_string();
    let traffic = Traffic {
        address: &address,
        questions: &questions,
        generator: &generator,
        written: AtomicUsize::new(options.memories),
        ended: AtomicBool::new(false),
        dying: AtomicBool::new(false),
        sum: Mutex::default(),
    };
    let start = Instant::now();
    let mut running = None;
    let seconds = std::thread::scope(|scope| {
        for worker in 0..options.connections {
            let traffic = &traffic;
            scope.spawn(move || traffic.drive(worker));
        }
        // There is nothing to wait for but the time itself: it is how long the load is driven.
        std::thread::sleep(if options.kill { options.time / 2 } else { options.time });
        let seconds = start.elapsed().as_secs_f64();
        if options.kill {
            // The load goes on until nobody answers.
            traffic.dying.store(true, Ordering::SeqCst);
            server.kill();
        } else {
            running = Some(server);
        }
        traffic.ended.store(true, Ordering::SeqCst);
        seconds
    });
    let tally = traffic
        .sum
        .into_inner()
        .map_err(|_| Error::unavailable("drive the load", "a connection panicked"))?;
    if let Some(server) = running {
        server.stop()?;
    }

    progress("starting again");
    let start = Instant::now();
    let server = griot.serve()?;
    warm_up(server.address(), &questions[..1])?;
    let restart_ms = start.elapsed().as_secs_f64() * 1e3;
    let workspace = Workspace::open(folder.path())?;
    let mut lost = 0;
    for (id, number) in &tally.acknowledged {
        lost += usize::from(!workspace.holds(id, &generator.memory(*number).text)?);
    }

    progress("library and server in turn");
    let texts: Vec<String> =
        generator.queries(WARM_UP + COMPARED).into_iter().map(|question| question.text).collect();
    let mut connection = Connection::open(server.address()).map_err(cannot)?;
    let (mut library_alone, mut server_alone) = (Vec::new(), Vec::new());
    for (number, (text, body)) in texts.iter().zip(&questions).enumerate() {
        // First and second in turn: what one of them warms helps both.
        for which in [number % 2, 1 - number % 2] {
            let start = Instant::now();
            let times = if which == 0 {
                workspace.recall(text, LIMIT)?;
                &mut library_alone
            } else {
                expect(connection.post("/v1/recall", body).map_err(cannot)?)?;
                &mut server_alone
            };
            if number >= WARM_UP {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    server.stop()?;
    let (library_alone, server_alone) = (Times::of(library_alone), Times::of(server_alone));
    Ok(Outcome {
        memories: options.memories,
        connections: options.connections,
        killed: options.kill,
        seconds,
        requests_per_second: (tally.recall.len() + tally.remember.len()) as f64 / seconds,
        recall: Times::of(tally.recall),
        remember: Times::of(tally.remember),
        errors: tally.errors,
        error: tally.error,
        acknowledged: tally.acknowledged.len(),
        lost,
        restart_ms,
        library_alone,
        server_alone,
        overhead_ms: server_alone.p50_ms - library_alone.p50_ms,
    })
}

fn cannot(error: std::io::Error) -> Error {
    Error::unavailable("ask the server", error.to_string())
}

fn expect((status, body): (u16, &[u8])) -> Result<()> {
    match status {
        200 => Ok(()),
        _ => Err(Error::unavailable("ask the server", said(status, body))),
    }
}

fn said(status: u16, body: &[u8]) -> String {
    format!("{status} {}", String::from_utf8_lossy(body).chars().take(300).collect::<String>())
}

fn warm_up(address: &str, questions: &[String]) -> Result<()> {
    let mut connection = Connection::open(address).map_err(cannot)?;
    questions
        .iter()
        .take(WARM_UP)
        .try_for_each(|body| expect(connection.post("/v1/recall", body).map_err(cannot)?))
}

/// What all connections share.
struct Traffic<'a> {
    address: &'a str,
    questions: &'a [String],
    generator: &'a Generator,
    /// Number of the next memory to be stored.
    written: AtomicUsize,
    /// No new request is sent.
    ended: AtomicBool,
    /// The server is being killed: a request that is not answered any more is no error.
    dying: AtomicBool,
    sum: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    recall: Vec<f64>,
    remember: Vec<f64>,
    errors: usize,
    error: Option<String>,
    /// Id and number of every memory that the server said it stored.
    acknowledged: Vec<(String, usize)>,
}

impl Tally {
    fn failed(&mut self, error: String) {
        self.errors += 1;
        self.error.get_or_insert(error);
    }

    fn add(&mut self, other: Self) {
        self.recall.extend(other.recall);
        self.remember.extend(other.remember);
        self.errors += other.errors;
        self.error = self.error.take().or(other.error);
        self.acknowledged.extend(other.acknowledged);
    }
}

/// The one field of an answer to `remember` that counts here.
#[derive(Deserialize)]
struct Stored {
    id: String,
}

impl Traffic<'_> {
    /// One connection's requests, until the end.
    fn drive(&self, worker: usize) {
        let mut tally = Tally::default();
        let mut random = Random::of(SEED ^ 0x10ad, worker as u64);
        let mut question = random.below(self.questions.len());
        let mut connection = None;
        while !self.ended.load(Ordering::SeqCst) {
            let open = match connection.take().map_or_else(|| Connection::open(self.address), Ok) {
                Ok(open) => connection.insert(open),
                Err(_) if self.dying.load(Ordering::SeqCst) => break,
                Err(error) => {
                    tally.failed(format!("connect: {error}"));
                    // Nobody is told when a server takes connections again, so it is asked 20 times a second.
                    std::thread::sleep(Duration::from_millis(50));
                    continue;
                }
            };
            let done = if random.chance(WRITES) {
                self.store(open, &mut tally)
            } else {
                question = (question + 1) % self.questions.len();
                self.ask(open, &self.questions[question], &mut tally)
            };
            if let Err(error) = done {
                connection = None;
                if !self.dying.load(Ordering::SeqCst) {
                    tally.failed(error.to_string());
                }
            }
        }
        if let Ok(mut sum) = self.sum.lock() {
            sum.add(tally);
        }
    }

    fn ask(&self, connection: &mut Connection, body: &str, tally: &mut Tally) -> std::io::Result<()> {
        let start = Instant::now();
        let (status, answer) = connection.post("/v1/recall", body)?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        match status {
            200 => tally.recall.push(took),
            _ => tally.failed(said(status, answer)),
        }
        Ok(())
    }

    fn store(&self, connection: &mut Connection, tally: &mut Tally) -> std::io::Result<()> {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let memory = self.generator.memory(number);
        let body = json!({
            "text": memory.text, "kind": memory.kind, "tags": memory.tags, "importance": memory.importance,
            "user": memory.user, "project": memory.project, "session": memory.session, "speaker": memory.speaker,
            "source": memory.source, "occurred_at": memory.occurred_at.to_string(),
        });
        let body = body.to_string();
        let start = Instant::now();
        let (status, answer) = connection.post("/v1/remember", &body)?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        match (status, serde_json::from_slice::<Stored>(answer)) {
            (200, Ok(stored)) => {
                tally.remember.push(took);
                tally.acknowledged.push((stored.id, number));
            }
            (status, _) => tally.failed(said(status, answer)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Unit;

    fn outcome() -> Outcome {
        let times = Times::of((1..=100).rev().map(f64::from).collect());
        Outcome {
            memories: 100_000,
            connections: 64,
            killed: false,
            seconds: 60.0,
            requests_per_second: 500.0,
            recall: times,
            remember: times,
            errors: 0,
            error: None,
            acknowledged: 100,
            lost: 0,
            restart_ms: 90.0,
            library_alone: times,
            server_alone: times,
            overhead_ms: 0.4,
        }
    }

    #[test]
    fn a_lost_write_an_error_or_a_slow_server_fails() {
        let fine = outcome();
        assert!(fine.holds());
        assert_eq!((fine.recall.p50_ms, fine.recall.p99_ms, fine.recall.max_ms), (50.0, 99.0, 100.0));
        assert!(fine.table().contains("50.00 / 99.00"));
        assert!(!Outcome { lost: 1, ..fine.clone() }.holds());
        assert!(!Outcome { errors: 1, ..fine.clone() }.holds());
        assert!(!Outcome { overhead_ms: 1.1, ..fine.clone() }.holds());
        assert!(!Outcome { acknowledged: 0, ..fine }.holds(), "a load that wrote nothing shows nothing");
    }

    #[test]
    fn what_is_in_the_store_is_found_and_what_is_not_is_missed() {
        let folder = folder(None).expect("a folder");
        let (mut workspace, generator) = build(folder.path(), 30).expect("it is built");
        let text = generator.memory(30).text;
        let unit = Unit {
            id: "u".into(),
            pool: "p".into(),
            text: text.clone(),
            body_offset: 0,
            kind: "note".into(),
            source: "s".into(),
            ordinal: 0,
            speaker: None,
            occurred_at: None,
            title: None,
        };
        let id = workspace.tell(&unit).expect("it is stored").id.to_string();
        assert!(workspace.holds(&id, &text).expect("it can be read"));
        assert!(!workspace.holds(&id, "another text").expect("it can be read"));
        assert!(!workspace.holds("018bcfe5-6800-7000-8000-000000000000", &text).expect("it can be read"));
        assert!(!workspace.holds("no id", &text).expect("it can be read"));
    }
}
