//! What does an erasure leave, and what does it cost? Memories, sources, entities and users of a workspace
//! that has everything are erased by the command, a third of the commands killed at random moments. Then
//! every file is searched for pieces that only what was erased had, `doctor` has to find the workspace sound,
//! and its answers have to be those of a workspace into which an export of the rest was imported. Last, some
//! more are erased inside this process, timed, beside a thread that reads all the while.

mod answers;
mod build;
mod remnants;

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use griot::engine::{Access, Engine, Settings};
use griot::model::{Entity, ErasedKind, Error, Memory, Result, Source};
use griot::recall::Query;
use griot_ingest::Lies;
use serde::Serialize;

use crate::output::thousands;
use crate::peer::{Installation, Testbed};
use crate::process::Times;
use crate::random::{self, Random};

use answers::Answers;
use build::Made;

/// One command in so many is killed.
const KILLED: usize = 3;
/// One command in so many erases a source, one an entity, one a user; the others a memory.
const OTHERS: usize = 20;
/// More rows than a workspace can have.
const ALL: usize = u32::MAX as usize;

/// Erase memories, sources, entities and users of a workspace that has everything, a third of the
/// commands killed; exit 1 if a file holds a piece of what was erased, the workspace is damaged, or it
/// answers otherwise than an import of the rest.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    testbed: Testbed,
    #[arg(long, default_value_t = 10_000)]
    memories: usize,
    /// Commands that erase.
    #[arg(long, default_value_t = 1_000)]
    erased: usize,
    /// Questions whose answers are compared.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    /// Memories to erase inside this process, timed, beside a reader.
    #[arg(long, default_value_t = 50)]
    timed: usize,
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

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
struct Outcome {
    seed: u64,
    made: Made,
    /// Commands by what they erase: memories, sources, entities, users.
    erased: [usize; 4],
    killed: usize,
    /// Killed after the rows were gone, and finished by the next start.
    finished_later: usize,
    /// What a command or a start after a kill did that it should not.
    failed: Vec<String>,
    /// Pieces that are looked for, and files that are searched.
    pieces: usize,
    files: usize,
    /// Files with a piece that only what was erased had.
    remnants: Vec<String>,
    /// What `doctor` found.
    unsound: Vec<String>,
    /// Receipts, all of them compared with the workspace.
    receipts: usize,
    answers: Answers,
    /// Of one erasure inside a process, in milliseconds.
    median_ms: f64,
    /// The longest that a recall took beside them.
    longest_recall_ms: f64,
}

impl Outcome {
    fn holds(&self) -> bool {
        self.remnants.is_empty()
            && self.unsound.is_empty()
            && self.failed.is_empty()
            && self.answers.different == 0
    }

    fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:11}{value}");
        };
        let list =
            |none: String, problems: &[String]| if problems.is_empty() { none } else { problems.join("; ") };
        line("seed", self.seed.to_string());
        let Made { memories, sources, facts, merges, undone, forgotten, replaced, jobs } = self.made;
        line(
            "workspace",
            format!(
                "{} memories ({forgotten} forgotten, {replaced} replaced), {sources} sources, {facts} facts, \
                 {merges} merges ({undone} undone), {jobs} jobs",
                thousands(memories as u64)
            ),
        );
        let [memories, sources, entities, users] = self.erased;
        line(
            "erased",
            format!(
                "{memories} memories, {sources} sources, {entities} entities, {users} users; {} killed, \
                 {} of them finished by the next start",
                self.killed, self.finished_later
            ),
        );
        line("commands", list("each did what it should".into(), &self.failed));
        let pieces = format!("none of {} pieces in {} files", thousands(self.pieces as u64), self.files);
        line("left", list(pieces, &self.remnants));
        line("doctor", list("sound".into(), &self.unsound));
        line("receipts", format!("{} compared", self.receipts));
        let Answers { asked, equal, tied, different, examples } = &self.answers;
        line(
            "answers",
            format!("{asked} asked: {equal} equal, {tied} equal but for ties, {different} different"),
        );
        for example in examples {
            line("", example.clone());
        }
        line("time", format!("{:.0} ms for one erasure (median)", self.median_ms));
        line("beside it", format!("{:.0} ms for the longest recall", self.longest_recall_ms));
        text
    }
}

/// The folder of the workspace, and one for what is no part of it: files that are read, exports, another
/// workspace.
struct Folders<'a> {
    folder: &'a Path,
    beside: &'a Path,
}

fn measure(options: &Options) -> Result<Outcome> {
    let (folder, beside) = (options.testbed.folder()?, options.testbed.folder()?);
    let folders = Folders { folder: folder.path(), beside: beside.path() };
    let griot = options.testbed.installation(folders.folder, folders.beside)?;
    let seed = options.seed.unwrap_or_else(random::clock_seed);
    let mut random = Random::of(seed, 0);
    let mut outcome = Outcome { seed, ..Outcome::default() };
    eprintln!("building the workspace");
    let (made, mut waiting) = build::build(&griot, &folders, options.memories, &mut random)?;
    outcome.made = made;

    let engine = open(&griot.database)?;
    let before = Before::of(&engine)?;
    // What was stored may be erased, and waits for nothing.
    waiting.retain(|page| !before.memories.iter().any(|memory| page.contains(&memory.text)));
    // Jobs say which folders they were to read.
    waiting.extend(["read", "watched"].map(|folder| folders.beside.join(folder).display().to_string()));
    let (targets, timed) = before.choose(options, &folders, &mut random);
    engine.close()?;
    run(&griot, &targets, &mut random, &mut outcome)?;
    griot.run(&["erase", "--resume"])?;
    time(&griot.database, &timed, &mut outcome)?;

    eprintln!("searching the files");
    let engine = open(&griot.database)?;
    let after = Before::of(&engine)?;
    engine.close()?;
    let mut wanted = before.pieces_gone(&after, &targets, &waiting);
    remnants::leave_out(&blank(&options.testbed, &folders.beside.join("blank"))?, &mut wanted)?;
    outcome.pieces = wanted.len();
    remnants::search(folders.folder, &wanted, &mut outcome.remnants, &mut outcome.files)?;
    outcome.unsound = griot.doctor()?;
    let (receipts, code) = griot.json(&["erasures", "--verify"])?;
    outcome.receipts = receipts.as_array().map_or(0, Vec::len);
    if code != Some(0) {
        outcome.failed.push("a receipt names what is still there, or is not finished".into());
    }
    eprintln!("comparing answers");
    outcome.answers = answers::compare(&griot, &folders, options.questions, &mut random)?;
    Ok(outcome)
}

/// A workspace that never held anything, with a job that never found anything.
fn blank(testbed: &Testbed, folder: &Path) -> Result<PathBuf> {
    let files = folder.join("files");
    fs::create_dir_all(&files).map_err(|why| cannot("make a folder", why))?;
    let griot = testbed.installation(&files, folder)?;
    griot.finished(&["crawl", "http://127.0.0.1:1/", "--allow-private", "--mode", "single"])?;
    Ok(files)
}

/// What a command erases, by a name that it takes.
struct Target {
    kind: ErasedKind,
    name: String,
}

/// What the workspace held.
struct Before {
    memories: Vec<Memory>,
    entities: Vec<Entity>,
    sources: Vec<Source>,
}

impl Before {
    fn of(engine: &Engine) -> Result<Self> {
        let sources = engine.read()?.sources()?;
        Ok(Self { memories: memories(engine)?, entities: entities(engine)?, sources })
    }

    /// What commands erase, and ids of memories that are erased in this process.
    fn choose(
        &self,
        options: &Options,
        folders: &Folders<'_>,
        random: &mut Random,
    ) -> (Vec<Target>, Vec<String>) {
        let mut shuffled = |mut names: Vec<String>| {
            for at in (1..names.len()).rev() {
                names.swap(at, random.below(at + 1));
            }
            names
        };
        let users = self.memories.iter().filter_map(|memory| memory.scope.user.clone());
        let lodgers: BTreeSet<String> = users.filter(|user| user.starts_with("lodger")).collect();
        let small = self.sources.iter().filter(|source| build::is_small(&source.origin, folders));
        let small: BTreeSet<String> = small.map(|source| source.id.to_string()).collect();
        let mut ids = shuffled(self.memories.iter().map(|memory| memory.id.to_string()).collect());
        let mut entities = shuffled(self.entities.iter().map(Entity::canonical_id).collect());
        let mut users = shuffled(lodgers.into_iter().collect());
        let mut sources = shuffled(small.into_iter().collect());
        let mut targets: Vec<Target> = Vec::new();
        for turn in 0..options.erased {
            let (kind, names) = match turn % OTHERS {
                1 => (ErasedKind::Source, &mut sources),
                2 => (ErasedKind::Entity, &mut entities),
                3 => (ErasedKind::User, &mut users),
                _ => (ErasedKind::Memory, &mut ids),
            };
            targets.extend(names.pop().map(|name| Target { kind, name }));
        }
        let timed = ids.split_off(ids.len().saturating_sub(options.timed));
        (targets, timed)
    }

    /// Pieces of what is gone, and of nothing that is still there.
    fn pieces_gone(&self, after: &Self, targets: &[Target], waiting: &[String]) -> remnants::Pieces {
        let left: HashSet<String> = after.memories.iter().map(|memory| memory.id.to_string()).collect();
        let left_sources: HashSet<String> =
            after.sources.iter().map(|source| source.id.to_string()).collect();
        let named = |kind: ErasedKind| {
            targets.iter().filter(move |target| target.kind == kind).map(|target| target.name.as_str())
        };
        let gone = self.memories.iter().filter(|memory| !left.contains(&memory.id.to_string()));
        let gone = gone.map(|memory| memory.text.as_str()).chain(named(ErasedKind::User));
        let gone_sources =
            self.sources.iter().filter(|source| !left_sources.contains(&source.id.to_string()));
        let gone = gone.chain(gone_sources.flat_map(said_of_source));

        let kept = after.memories.iter().flat_map(said).chain(after.sources.iter().flat_map(said_of_source));
        let kept: Vec<&str> = kept.chain(waiting.iter().map(String::as_str)).collect();
        let mut wanted = remnants::only(gone, kept.iter().copied());
        // A name that is gone may be a piece of another's, or of its id.
        let erased: HashSet<&str> = named(ErasedKind::Entity).collect();
        let entities = self.entities.iter().filter(|entity| erased.contains(&*entity.canonical_id()));
        let ids: Vec<String> = after.entities.iter().map(Entity::canonical_id).collect();
        let others = after.entities.iter().flat_map(names).chain(ids.iter().map(String::as_str));
        wanted.extend(remnants::only(entities.flat_map(names), kept.into_iter().chain(others)));
        wanted
    }
}

fn names(entity: &Entity) -> impl Iterator<Item = &str> {
    std::iter::once(&entity.name).chain(&entity.aliases).map(String::as_str)
}

fn said_of_source(source: &Source) -> impl Iterator<Item = &str> {
    std::iter::once(&source.origin).chain(&source.title).chain(&source.tags).map(String::as_str)
}

/// Everything that a caller said with a memory.
fn said(memory: &Memory) -> impl Iterator<Item = &str> {
    let words = [&memory.session, &memory.speaker, &memory.agent, &memory.scope.user, &memory.scope.project];
    let lists = memory.heading.iter().chain(&memory.tags);
    std::iter::once(memory.text.as_str()).chain(words.into_iter().flatten().chain(lists).map(String::as_str))
}

/// Erases by commands, a third of them killed.
fn run(griot: &Installation, targets: &[Target], random: &mut Random, outcome: &mut Outcome) -> Result<()> {
    // How long a command takes, so that most kills meet one at work.
    let mut usual = Duration::from_millis(200);
    for (turn, target) in targets.iter().enumerate() {
        let (kind, name) = (target.kind.name(), target.name.as_str());
        let arguments = ["erase", kind, name];
        let is_there =
            || Ok::<bool, Error>(griot.finished(&["erase", "--dry-run", kind, name])?.1 == Some(0));
        if !is_there()? {
            // It went with something else.
            continue;
        }
        outcome.erased[target.kind as usize] += 1;
        if turn % KILLED == 0 {
            outcome.killed += 1;
            let moment = usual.mul_f64(random.unit() * 1.2);
            let succeeded = griot.killed(&arguments, moment)?;
            // The next start goes on with what was begun: nothing is unfinished then.
            let (receipts, verified) = griot.finished(&["--json", "erasures", "--verify"])?;
            let left = is_there()?;
            if verified != Some(0) {
                let command = arguments.join(" ");
                outcome.failed.push(format!("`griot {command}` was killed; its receipt: {:.500}", receipts));
            } else if succeeded && left {
                outcome.failed.push(format!("{kind} `{name}` is there after its erasure"));
            }
            outcome.finished_later += usize::from(!succeeded && !left);
            if left {
                griot.run(&arguments)?;
            }
        } else {
            let begun = Instant::now();
            griot.run(&arguments)?;
            usual = (usual * 7 + begun.elapsed()) / 8;
        }
        if is_there()? {
            outcome.failed.push(format!("{kind} `{name}` is there after its erasure"));
        }
        if (turn + 1) % 100 == 0 {
            eprintln!("{} of {} erased", turn + 1, targets.len());
        }
    }
    Ok(())
}

/// Every memory, hidden ones too.
fn memories(engine: &Engine) -> Result<Vec<Memory>> {
    engine.read()?.memories_after(0, ALL)
}

fn entities(engine: &Engine) -> Result<Vec<Entity>> {
    engine.read()?.entities_after(0, ALL)
}

fn open(database: &Path) -> Result<Engine> {
    Engine::open(database, Access { create: false, read_only: false }, Settings::default())
}

fn cannot(what: impl Into<String>, why: impl ToString) -> Error {
    Error::unavailable(what, why.to_string())
}

fn time(database: &Path, timed: &[String], outcome: &mut Outcome) -> Result<()> {
    let engine = open(database)?;
    let lies = Lies { database: database.to_path_buf(), removed: Vec::new() };
    let ended = AtomicBool::new(false);
    let mut times = Times::default();
    let longest = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut longest = Duration::ZERO;
            while !ended.load(Ordering::Relaxed) {
                let start = Instant::now();
                let _ = engine
                    .recall(&Query::new("what was decided about the release?".to_string(), engine.now()));
                longest = longest.max(start.elapsed());
            }
            longest
        });
        let erased = timed.iter().try_for_each(|id| {
            let start = Instant::now();
            match griot_ingest::erase(&engine, &lies, ErasedKind::Memory, id, "griot-eval", false) {
                Ok(_) => times.add(start),
                // It went with its source or its user.
                Err(error) if error.kind == griot::model::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            Ok::<(), Error>(())
        });
        ended.store(true, Ordering::Relaxed);
        erased.map(|()| reader.join().unwrap_or_default())
    })?;
    engine.close()?;
    outcome.erased[ErasedKind::Memory as usize] += times.count();
    outcome.median_ms = times.median();
    outcome.longest_recall_ms = longest.as_secs_f64() * 1000.0;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_a_problem_or_another_answer_is_a_failure() {
        let fine = Outcome { seed: 7, files: 9, ..Outcome::default() };
        assert!(fine.holds());
        assert!(fine.table().contains("left       none of 0 pieces in 9 files"), "{}", fine.table());
        let problem = || vec!["a problem".to_string()];
        for wrong in [
            Outcome { remnants: problem(), ..fine.clone() },
            Outcome { unsound: problem(), ..fine.clone() },
            Outcome { failed: problem(), ..fine.clone() },
            Outcome { answers: Answers { different: 1, ..Answers::default() }, ..fine.clone() },
        ] {
            assert!(!wrong.holds() && wrong.table().lines().count() > 8, "{}", wrong.table());
        }
    }
}
