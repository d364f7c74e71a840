//! What does a killed process lose? Rounds of `kill -9` on one workspace: commands, a server under load, and
//! imports, each ended at a random moment. Whatever was acknowledged before is looked for afterwards, and
//! `griot doctor` has to find the workspace sound.
//!
//! Acknowledged means: a command printed the memory's id, the server answered 200, or an import ended with
//! exit 0.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Args;
use griot::model::{Error, Result};
use serde::Serialize;
use serde_json::{Value, json};

use crate::generator::Generator;
use crate::load::{self, Stored};
use crate::output::thousands;
use crate::peer::{Connection, Installation, Testbed};
use crate::random::{self, Random};
use crate::workspace::{self, Workspace};

/// Memories that one import file holds.
const IMPORTED: usize = 300;
/// Connections that store while the server is killed.
const WRITERS: usize = 4;
/// Rounds between two runs of `doctor`, which reads the whole workspace.
const DOCTOR_EVERY: usize = 10;

/// Kill commands, servers and imports at random moments; exit 1 if anything acknowledged is lost or the
/// workspace is damaged.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    testbed: Testbed,
    #[arg(long, default_value_t = 300)]
    rounds: usize,
    /// The same seed kills at the same moments, as far as a clock can repeat them; by default another one
    /// each time.
    #[arg(long)]
    seed: Option<u64>,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let outcome = measure(self)?;
        self.testbed.print(&outcome, &outcome.table())?;
        Ok(outcome.holds())
    }
}

/// What a round kills.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Way {
    Command,
    Server,
    Import,
}

impl Way {
    const ALL: [Self; 3] = [Self::Command, Self::Server, Self::Import];

    const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Server => "server",
            Self::Import => "import",
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
struct Outcome {
    seed: u64,
    kills: BTreeMap<Way, usize>,
    acknowledged: BTreeMap<Way, usize>,
    /// Acknowledged and not in the store, or not as they were sent.
    lost: usize,
    /// What `doctor` found.
    unsound: Vec<String>,
}

impl Outcome {
    fn holds(&self) -> bool {
        self.lost == 0 && self.unsound.is_empty() && self.acknowledged.values().all(|&count| count > 0)
    }

    fn table(&self) -> String {
        let mut text = format!("seed {}\n", self.seed);
        for way in Way::ALL {
            let of = |counts: &BTreeMap<Way, usize>| thousands(counts.get(&way).copied().unwrap_or(0) as u64);
            let (kills, acknowledged) = (of(&self.kills), of(&self.acknowledged));
            let _ =
                writeln!(text, "{:8} {kills:>6} kills {acknowledged:>8} memories acknowledged", way.name());
        }
        let _ = writeln!(text, "lost {}", self.lost);
        for problem in &self.unsound {
            let _ = writeln!(text, "doctor: {problem}");
        }
        text
    }
}

fn measure(options: &Options) -> Result<Outcome> {
    let seed = options.seed.unwrap_or_else(random::clock_seed);
    let folder = options.testbed.folder()?;
    let griot = options.testbed.installation(folder.path(), folder.path())?;
    let (workspace, generator) = load::build(folder.path(), 1_000)?;
    drop(workspace);
    let mut rounds = Rounds {
        griot: &griot,
        generator: &generator,
        folder: folder.path(),
        next: generator.memories().len(),
        random: Random::of(seed, 0),
        outcome: Outcome { seed, ..Outcome::default() },
    };
    for way in Way::ALL {
        rounds.outcome.kills.insert(way, 0);
        rounds.outcome.acknowledged.insert(way, 0);
    }
    for round in 0..options.rounds {
        let way = Way::ALL[round % Way::ALL.len()];
        let stored = match way {
            Way::Command => rounds.command()?,
            Way::Server => rounds.server()?,
            Way::Import => rounds.import()?,
        };
        rounds.check(way, &stored)?;
        let is_due = (round + 1) % DOCTOR_EVERY == 0 || round + 1 == options.rounds;
        if is_due {
            let problems = griot.doctor()?;
            rounds.outcome.unsound.extend(problems);
            eprintln!("{} of {} kills", round + 1, options.rounds);
        }
    }
    Ok(rounds.outcome)
}

/// Id and text of a memory that was acknowledged.
type Acknowledged = (String, String);

struct Rounds<'a> {
    griot: &'a Installation,
    generator: &'a Generator,
    folder: &'a Path,
    /// Number of the next memory to be stored.
    next: usize,
    random: Random,
    outcome: Outcome,
}

impl Rounds<'_> {
    fn take(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// A moment at which to kill, up to `most` milliseconds away.
    fn moment(&mut self, most: usize) -> Duration {
        Duration::from_micros(self.random.below(most * 1000) as u64)
    }

    /// `griot remember`, killed; one in four may end by itself.
    fn command(&mut self) -> Result<Vec<Acknowledged>> {
        let mut stored = Vec::new();
        for _ in 0..4 {
            let number = self.take();
            let text = self.generator.memory(number).text;
            let moment = self.moment(60);
            let printed = self.griot.killed(&["--json", "remember", "--", &text], moment)?.printed;
            if let Ok(answer) = serde_json::from_str::<Stored>(&printed) {
                stored.push((answer.id, text));
            }
        }
        Ok(stored)
    }

    /// A server that several connections store into, killed.
    fn server(&mut self) -> Result<Vec<Acknowledged>> {
        let server = self.griot.serve()?;
        let address = server.address().to_string();
        let (moment, first) = (self.moment(400), self.next);
        let stored = Mutex::new(Vec::new());
        let taken = AtomicUsize::new(first);
        std::thread::scope(|scope| {
            for _ in 0..WRITERS {
                scope.spawn(|| {
                    let Ok(mut connection) = Connection::open(&address) else { return };
                    loop {
                        let number = taken.fetch_add(1, Ordering::Relaxed);
                        let text = self.generator.memory(number).text;
                        let body = json!({"text": text}).to_string();
                        // The end of the server ends the writer.
                        let Ok((200, answer)) = connection.post("/v1/remember", &body) else { return };
                        let Ok(answer) = serde_json::from_slice::<Stored>(answer) else { return };
                        if let Ok(mut stored) = stored.lock() {
                            stored.push((answer.id, text));
                        }
                    }
                });
            }
            // The moment itself is what is waited for.
            std::thread::sleep(moment);
            server.kill();
        });
        self.next = taken.into_inner();
        stored.into_inner().map_err(|_| Error::unavailable("store into the server", "a connection panicked"))
    }

    /// An import of a file from another workspace, killed and then run to its end.
    fn import(&mut self) -> Result<Vec<Acknowledged>> {
        let made = workspace::folder(Some(self.folder))?;
        let first = self.next;
        self.next += IMPORTED;
        let mut other = Workspace::create(made.path())?;
        let memories: Vec<_> = (first..self.next).map(|number| self.generator.memory(number)).collect();
        other.remember(&memories)?;
        drop(other);
        let path = made.path().join("export.jsonl");
        let file = path.to_string_lossy().into_owned();
        let source = Installation { database: Workspace::file(made.path()), ..self.griot.clone() };
        source.run(&["export", &file])?;
        let stored = exported(&path)?;
        let moment = self.moment(120);
        if !self.griot.killed(&["import", &file], moment)?.succeeded {
            self.griot.run(&["import", &file])?;
        }
        Ok(stored)
    }

    fn check(&mut self, way: Way, stored: &[Acknowledged]) -> Result<()> {
        let workspace = Workspace::open(self.folder)?;
        for (id, text) in stored {
            self.outcome.lost += usize::from(!workspace.holds(id, text)?);
        }
        *self.outcome.kills.entry(way).or_default() += 1;
        *self.outcome.acknowledged.entry(way).or_default() += stored.len();
        Ok(())
    }
}

/// Id and text of each memory in an export.
fn exported(path: &Path) -> Result<Vec<Acknowledged>> {
    let unreadable = |why: String| Error::unavailable(format!("read the export {}", path.display()), why);
    let lines = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let mut stored = Vec::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).map_err(|error| unreadable(error.to_string()))?;
        if let ("memory", Some(id), Some(text)) =
            (line["type"].as_str().unwrap_or_default(), line["id"].as_str(), line["text"].as_str())
        {
            stored.push((id.to_string(), text.to_string()));
        }
    }
    Ok(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_memory_an_unsound_store_or_a_way_that_stored_nothing_fails() {
        let counts = |count| Way::ALL.into_iter().map(|way| (way, count)).collect::<BTreeMap<_, _>>();
        let fine = Outcome { kills: counts(100), acknowledged: counts(7), ..Outcome::default() };
        assert!(fine.holds());
        assert!(fine.table().contains("server      100 kills        7 memories acknowledged"));
        assert!(!Outcome { lost: 1, ..fine.clone() }.holds());
        assert!(!Outcome { unsound: vec!["a row is missing".into()], ..fine.clone() }.holds());
        assert!(!Outcome { acknowledged: counts(0), ..fine }.holds());
    }
}
