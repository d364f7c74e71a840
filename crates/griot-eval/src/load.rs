//! What does a server bear? Many connections that ask and store at once, on a generated workspace.
//!
//! One request in ten is a `remember`. Whatever the server acknowledged is looked for in the store after it
//! has ended and was started again; with `kill` it ends by a signal in the middle of the load. Last, with no
//! other load, the same questions go in turn to the library and to the server, which gives what the way
//! through the server costs.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use griot::model::{Error, Result};
use griot::recall::Query;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ask::LIMIT;
use crate::bench;
use crate::generator::Generator;
use crate::output::thousands;
use crate::peer::{Connection, Server, Testbed};
use crate::process::{self, Times};
use crate::random::Random;
use crate::workspace::Workspace;

const SEED: u64 = 1;
/// Share of requests that store something.
const WRITES: f64 = 0.1;
/// Different questions of the load; connections start at different ones.
const QUESTIONS: usize = 4_000;
/// Questions that are not timed, so that index and caches are there.
const WARM_UP: usize = 100;
/// Questions that library and server answer in turn.
const COMPARED: usize = 1_000;
/// What the way through the server may cost, in milliseconds.
const OVERHEAD: f64 = 1.0;

/// Ask and store over many connections of a real server; exit 1 for an error, a lost write or a server
/// that costs too much.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    testbed: Testbed,
    /// Memories in the workspace before.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    connections: u16,
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Kill the server half-way, so that it can finish nothing.
    #[arg(long)]
    kill: bool,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let outcome = measure(self)?;
        self.testbed.print(&outcome, &outcome.table())?;
        Ok(outcome.holds())
    }
}

/// Times of one kind of request, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
struct Spread {
    count: usize,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

impl Spread {
    fn of(mut times: Times) -> Self {
        Self {
            count: times.count(),
            p50_ms: times.median(),
            p99_ms: times.percentile(0.99),
            max_ms: times.percentile(1.0),
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
struct Outcome {
    memories: usize,
    connections: usize,
    killed: bool,
    seconds: f64,
    requests_per_second: f64,
    recall: Spread,
    remember: Spread,
    errors: usize,
    /// The first of them.
    error: Option<String>,
    acknowledged: usize,
    /// Acknowledged and not in the store, or not as they were sent.
    lost: usize,
    /// From the start of the next server to its first answer.
    restart_ms: f64,
    /// A library and one connection, asked in turn without other load.
    library_alone: Spread,
    server_alone: Spread,
    /// Median of the server less that of the library.
    overhead_ms: f64,
}

impl Outcome {
    fn holds(&self) -> bool {
        self.errors == 0 && self.lost == 0 && self.overhead_ms <= OVERHEAD && self.acknowledged > 0
    }

    fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:44}{value:>24}");
        };
        let times = |times: &Spread| format!("{:.2} / {:.2}", times.p50_ms, times.p99_ms);
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

fn measure(options: &Options) -> Result<Outcome> {
    let folder = options.testbed.folder()?;
    let griot = options.testbed.installation(folder.path(), folder.path())?;
    eprintln!("building {} memories", thousands(options.memories as u64));
    let (workspace, generator, _) = bench::build(folder.path(), options.memories)?;
    let now = workspace.now().to_string();
    drop(workspace);

    let questions: Vec<String> = generator
        .queries(QUESTIONS.max(WARM_UP + COMPARED))
        .iter()
        .map(|question| json!({"query": question, "limit": LIMIT, "now": now}).to_string())
        .collect();
    let server = griot.serve()?;
    warm_up(&Connection::new(server.address()), &questions)?;
    let traffic = Traffic {
        questions: &questions,
        generator: &generator,
        written: AtomicUsize::new(options.memories),
        ended: AtomicBool::new(false),
        dying: AtomicBool::new(false),
        sum: Mutex::default(),
    };
    let seconds = traffic.run(server, options)?;
    let tally = traffic.sum.into_inner();
    let tally = tally.map_err(|_| Error::unavailable("drive the load", "a connection panicked"))?;

    eprintln!("starting again");
    let start = Instant::now();
    let server = griot.serve()?;
    let connection = Connection::new(server.address());
    warm_up(&connection, &questions[..1])?;
    let restart_ms = start.elapsed().as_secs_f64() * 1e3;
    let workspace = Workspace::open(folder.path())?;
    let mut lost = 0;
    for (id, number) in &tally.acknowledged {
        lost += usize::from(!workspace.holds(id, &generator.memory(*number).text)?);
    }
    eprintln!("library and server in turn");
    let texts = generator.queries(WARM_UP + COMPARED);
    let alone = process::in_turn(texts.iter().zip(&questions), WARM_UP, |way, (text, body)| match way {
        0 => workspace.recall(&Query { limit: LIMIT, ..workspace.query(text) }).map(drop),
        _ => connection.post("/v1/recall", body).map(drop),
    });
    let [library_alone, server_alone] = alone?.map(Spread::of);
    server.stop()?;
    Ok(Outcome {
        memories: options.memories,
        connections: usize::from(options.connections),
        killed: options.kill,
        seconds,
        requests_per_second: (tally.recall.count() + tally.remember.count()) as f64 / seconds,
        recall: Spread::of(tally.recall),
        remember: Spread::of(tally.remember),
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

fn warm_up(connection: &Connection, questions: &[String]) -> Result<()> {
    questions.iter().take(WARM_UP).try_for_each(|body| connection.post("/v1/recall", body).map(drop))
}

/// What all connections share.
struct Traffic<'a> {
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
    recall: Times,
    remember: Times,
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
        self.recall.0.extend(other.recall.0);
        self.remember.0.extend(other.remember.0);
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
    /// Drives the load and ends the server, killed or stopped; returns the seconds of load.
    fn run(&self, server: Server, options: &Options) -> Result<f64> {
        eprintln!("load by {} connections for {} s", options.connections, options.seconds);
        let time = Duration::from_secs(options.seconds);
        let address = server.address().to_owned();
        let start = Instant::now();
        let (seconds, server) = std::thread::scope(|scope| {
            for worker in 0..options.connections {
                let address = &address;
                scope.spawn(move || self.drive(&Connection::new(address), u64::from(worker)));
            }
            // There is nothing to wait for but the time itself: it is how long the load is driven.
            std::thread::sleep(if options.kill { time / 2 } else { time });
            let seconds = start.elapsed().as_secs_f64();
            // Of a killed server, the load goes on until there is no answer.
            self.dying.store(options.kill, Ordering::SeqCst);
            // Dropping it kills it.
            let server = Some(server).filter(|_| !options.kill);
            self.ended.store(true, Ordering::SeqCst);
            (seconds, server)
        });
        server.map_or(Ok(()), Server::stop).map(|()| seconds)
    }

    /// One connection's requests, until the end.
    fn drive(&self, connection: &Connection, worker: u64) {
        let mut tally = Tally::default();
        let mut random = Random::of(SEED ^ 0x10ad, worker);
        let mut question = random.below(self.questions.len());
        while !self.ended.load(Ordering::SeqCst) {
            let done = if random.chance(WRITES) {
                self.store(connection, &mut tally)
            } else {
                question = (question + 1) % self.questions.len();
                let start = Instant::now();
                connection.post("/v1/recall", &self.questions[question]).map(|_| tally.recall.add(start))
            };
            match done {
                Ok(()) => {}
                Err(_) if self.dying.load(Ordering::SeqCst) => break,
                Err(error) => {
                    tally.failed(error.to_string());
                    // A server does not announce that it is back, so it is asked 20 times a second.
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
        }
        if let Ok(mut sum) = self.sum.lock() {
            sum.add(tally);
        }
    }

    fn store(&self, connection: &Connection, tally: &mut Tally) -> Result<()> {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let memory = self.generator.memory(number);
        let body = json!({
            "text": memory.text, "kind": memory.kind, "tags": memory.tags, "importance": memory.importance,
            "user": memory.user, "project": memory.project, "session": memory.session,
            "speaker": memory.speaker, "source": memory.source,
            "occurred_at": memory.occurred_at.to_string(),
        });
        let body = body.to_string();
        let start = Instant::now();
        let answer = connection.post("/v1/remember", &body)?;
        let stored: Stored = serde_json::from_slice(&answer)
            .map_err(|why| Error::unavailable("read the answer of the server", why.to_string()))?;
        tally.remember.add(start);
        tally.acknowledged.push((stored.id, number));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Unit;

    #[test]
    fn a_lost_write_an_error_or_a_slow_server_fails() {
        let recall = Spread::of(Times((1..=100).rev().map(f64::from).collect()));
        let fine = Outcome { recall, acknowledged: 100, overhead_ms: 0.4, ..Outcome::default() };
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
        let folder = tempfile::tempdir().expect("a folder");
        let (mut workspace, generator, _) = bench::build(folder.path(), 30).expect("it is built");
        let text = generator.memory(30).text;
        let unit = Unit { id: "u".into(), text: text.clone(), kind: "note".into(), ..Unit::default() };
        let id = workspace.remember_unit(&unit).expect("it is stored").id.to_string();
        assert!(workspace.holds(&id, &text).expect("it can be read"));
        assert!(!workspace.holds(&id, "another text").expect("it can be read"));
        assert!(!workspace.holds("018bcfe5-6800-7000-8000-000000000000", &text).expect("it can be read"));
        assert!(!workspace.holds("no id", &text).expect("it can be read"));
    }
}
