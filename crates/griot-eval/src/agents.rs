//! How soon do others see what one of them stored? Agents with a process each, and a server, on one
//! workspace.
//!
//! Everybody stores in turn; from the moment of the acknowledgement on, all others ask for it at once, again
//! and again until it is among their results. What is not seen in time counts as never. Beside that: how long
//! a new agent's process takes from its start to the list of its tools.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use griot::model::{Error, Result};
use serde::Serialize;
use serde_json::{Value, json};

use crate::load::{self, Times};
use crate::peer::{Agent, Connection, Installation};
use crate::report::thousands;
use crate::workspace::Workspace;

/// Who does not see a write after this long never sees it.
const NEVER: Duration = Duration::from_secs(5);
/// Until when a write is to be seen by all, in milliseconds.
pub const SEEN: f64 = 100.0;
/// How long discovery may take, in milliseconds; held by the median, because others use the machine.
pub const DISCOVERY: f64 = 50.0;
const DISCOVERIES: usize = 20;
/// Whoever asks with the whole text finds it among so many, near duplicates included.
const LIMIT: usize = 10;

#[derive(Clone, Debug)]
pub struct Options {
    pub binary: PathBuf,
    pub memories: usize,
    pub agents: usize,
    /// How often everybody stores something.
    pub rounds: usize,
    pub directory: Option<PathBuf>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outcome {
    pub memories: usize,
    pub agents: usize,
    pub writes: usize,
    /// From the acknowledgement of a write to the end of the first recall of another that has it.
    pub seen: Times,
    /// Of these, seen by the first recall.
    pub at_once: usize,
    pub never: usize,
    /// From the start of a process to the list of its tools.
    pub discovery: Times,
}

impl Outcome {
    pub fn holds(&self) -> bool {
        self.never == 0
            && self.seen.count > 0
            && self.seen.max_ms <= SEEN
            && self.discovery.p50_ms <= DISCOVERY
    }

    pub fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:44}{value:>24}");
        };
        let times = |times: &Times| format!("{:.1} / {:.1}", times.p50_ms, times.max_ms);
        line("memories", thousands(self.memories as u64));
        line("agents, beside one server", self.agents.to_string());
        line("writes", self.writes.to_string());
        line("seen by another, median / max (ms)", times(&self.seen));
        line("seen by the first recall", format!("{} of {}", self.at_once, self.seen.count + self.never));
        line("never seen", self.never.to_string());
        line("start to list of tools, median / max (ms)", times(&self.discovery));
        text
    }
}

/// Somebody who stores and asks.
enum Peer {
    Agent(Box<Agent>),
    Client(Connection),
}

impl Peer {
    fn ask(&mut self, verb: &str, request: Value) -> Result<Value> {
        let cannot = |why: String| Error::unavailable(format!("ask the server to {verb}"), why);
        match self {
            Self::Agent(agent) => agent.call(verb, request),
            Self::Client(connection) => {
                let path = format!("/v1/{verb}");
                let (status, body) = connection
                    .post(&path, &request.to_string())
                    .map_err(|error| cannot(error.to_string()))?;
                match status {
                    200 => serde_json::from_slice(body).map_err(|error| cannot(error.to_string())),
                    _ => Err(cannot(format!("{status} {}", String::from_utf8_lossy(body)))),
                }
            }
        }
    }

    fn store(&mut self, text: &str) -> Result<String> {
        let answer = self.ask("remember", json!({ "text": text }))?;
        let id = answer["id"].as_str().map(str::to_string);
        id.ok_or_else(|| Error::unavailable("store a memory", format!("the answer has no id: {answer}")))
    }

    fn finds(&mut self, question: &str, id: &str) -> Result<bool> {
        let answer = self.ask("recall", json!({"query": question, "limit": LIMIT}))?;
        Ok(answer["results"]
            .as_array()
            .is_some_and(|results| results.iter().any(|result| result["id"] == id)))
    }

    /// Asks until the memory is there: how long it took, and how often it asked. No event is waited for: how
    /// soon somebody who is told nothing sees a write is what is measured.
    fn wait(&mut self, question: &str, id: &str, since: Instant) -> Result<Option<(f64, usize)>> {
        let mut asked = 0;
        while since.elapsed() < NEVER {
            asked += 1;
            if self.finds(question, id)? {
                return Ok(Some((since.elapsed().as_secs_f64() * 1e3, asked)));
            }
        }
        Ok(None)
    }
}

pub fn measure(options: &Options, progress: impl Fn(&str)) -> Result<Outcome> {
    let folder = load::folder(options.directory.as_ref())?;
    let griot =
        Installation::new(&options.binary, Workspace::file(folder.path()), folder.path().join("home"))?;
    progress(&format!("building {} memories", thousands(options.memories as u64)));
    let (workspace, generator) = load::build(folder.path(), options.memories)?;
    drop(workspace);

    progress("discovery");
    let mut discovery = Vec::with_capacity(DISCOVERIES);
    for number in 0..=DISCOVERIES {
        let start = Instant::now();
        let mut agent = griot.agent()?;
        let tools = agent.ask("tools/list", json!({}))?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        if tools["tools"].as_array().is_none_or(Vec::is_empty) {
            return Err(Error::unavailable("list the tools of an agent's process", tools.to_string()));
        }
        // The first one fetches the binary from the disk.
        if number > 0 {
            discovery.push(took);
        }
    }

    progress("writes and who sees them");
    let server = griot.serve()?;
    let mut peers = Vec::with_capacity(options.agents + 1);
    for _ in 0..options.agents {
        peers.push(Peer::Agent(Box::new(griot.agent()?)));
    }
    let connection = Connection::open(server.address())
        .map_err(|error| Error::unavailable("reach the server", error.to_string()))?;
    peers.push(Peer::Client(connection));
    for peer in &mut peers {
        // Everybody has opened the workspace before anything is timed.
        peer.finds("is anybody there", "")?;
    }
    let (mut seen, mut at_once, mut never, mut writes) = (Vec::new(), 0, 0, 0);
    for _ in 0..options.rounds {
        for writer in 0..peers.len() {
            let text = generator.memory(options.memories + writes).text;
            let id = peers[writer].store(&text)?;
            writes += 1;
            for outcome in all_wait(&mut peers, writer, &text, &id) {
                match outcome? {
                    Some((took, asked)) => {
                        seen.push(took);
                        at_once += usize::from(asked == 1);
                    }
                    None => never += 1,
                }
            }
        }
    }
    drop(peers);
    server.stop()?;
    Ok(Outcome {
        memories: options.memories,
        agents: options.agents,
        writes,
        seen: Times::of(seen),
        at_once,
        never,
        discovery: Times::of(discovery),
    })
}

/// All but the writer ask at the same time.
fn all_wait(
    peers: &mut [Peer],
    writer: usize,
    question: &str,
    id: &str,
) -> Vec<Result<Option<(f64, usize)>>> {
    let since = Instant::now();
    let start = Barrier::new(peers.len() - 1);
    std::thread::scope(|scope| {
        let others = peers.iter_mut().enumerate().filter(|(number, _)| *number != writer);
        let waiting: Vec<_> = others
            .map(|(_, peer)| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    peer.wait(question, id, since)
                })
            })
            .collect();
        let panicked = || Error::unavailable("wait for a write", "a thread panicked");
        waiting.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_is_not_seen_or_seen_late_fails() {
        let outcome = |seen: Vec<f64>, never| Outcome {
            memories: 1_000,
            agents: 8,
            writes: 1,
            at_once: 1,
            seen: Times::of(seen),
            never,
            discovery: Times::of(vec![10.0, 20.0, 200.0]),
        };
        assert!(outcome(vec![3.0, 9.0], 0).holds());
        assert!(!outcome(vec![3.0, 9.0], 1).holds());
        assert!(!outcome(vec![3.0, 100.5], 0).holds());
        assert!(!outcome(Vec::new(), 0).holds(), "who saw nothing shows nothing");
        assert!(outcome(vec![3.0, 9.0], 0).table().contains("3.0 / 9.0"));
    }
}
