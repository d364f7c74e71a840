//! Does the hook for prompts bring what a prompt refers to, and nothing else?
//!
//! Calls `griot hook prompt` as a host does, one process per prompt. The stores and prompts are in
//! `data/hooks/`: a coding team, a household, and one in four languages. Everyday prompts refer to nothing in
//! a store, so every answer to one is wrong; the prompts in `asked.tsv` name the memory that they need. Both
//! were written before the rules for hooks. Lines are dealt in pairs into two parts, of which only `seen` was
//! looked at while the rules were made.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use griot::embed::Embedder;
use griot::model::{Error, Result, Tier};
use griot::remember::Draft;
use serde_json::{Value, json};

use crate::dataset;
use crate::embedder;
use crate::output;
use crate::peer::Installation;
use crate::process::Times;
use crate::workspace::{self, Workspace, volatile};

const STORES: [(&str, &str); 3] = [
    ("team", include_str!("../data/hooks/team.tsv")),
    ("home", include_str!("../data/hooks/home.tsv")),
    ("mixed", include_str!("../data/hooks/mixed.tsv")),
];
const ASKED: &str = include_str!("../data/hooks/asked.tsv");
const EVERYDAY: &str = include_str!("../data/hooks/everyday.txt");

/// The least share of everyday prompts that stay without an answer, and of prompts that get their memory.
const SILENT: f64 = 0.95;
const BROUGHT: f64 = 0.90;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PartOfPrompts {
    Seen,
    Held,
    All,
}

/// Call `griot hook prompt` with everyday prompts and with prompts that refer to a memory.
#[derive(Args)]
pub struct Options {
    /// Sets whose largest pools become further stores for everyday prompts
    sets: Vec<PathBuf>,
    #[arg(long, value_enum, default_value = "all")]
    part: PartOfPrompts,
    /// The program; by default `griot` beside this one
    #[arg(long)]
    griot: Option<PathBuf>,
    /// Print what went wrong
    #[arg(long)]
    show: bool,
}

struct Note {
    id: &'static str,
    tier: Tier,
    text: &'static str,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let griot = match &self.griot {
            Some(path) => path.clone(),
            None => beside()?,
        };
        let embedder = embedder::built_in();
        let mut fine = true;
        let (mut silent, mut everyday_asked) = (0, 0);
        let (mut brought, mut asked_of) = ([0, 0], [0, 0]);
        let mut lines = 0;
        let mut times = Times::default();
        output::print(&format!("{:20}{:>10}{:>14}\n", "store", "memories", "silent"))?;
        for (name, table) in STORES {
            let notes: Vec<Note> = rows(table).filter_map(note).collect();
            let store = Store::of_notes(&notes, &embedder, &griot)?;
            let row = self.silence(name, notes.len(), &store, &mut times)?;
            silent += row.0;
            everyday_asked += row.1;
            for [_, ids, prompt] in self.part(rows(ASKED).filter_map(three)).filter(|row| row[0] == name) {
                let block = store.ask(prompt, &mut times)?;
                let wanted = || notes.iter().filter(|note| ids.split('|').any(|id| id == note.id));
                // Facts are `f12`, `h3`; all others are preferences and rules.
                let is_fact = wanted().all(|note| is_fact(name, note.id));
                let is_right = wanted().any(|note| block.contains(note.text));
                asked_of[usize::from(is_fact)] += 1;
                brought[usize::from(is_fact)] += usize::from(is_right);
                lines += block.matches("\n- #").count();
                if self.show && !is_right {
                    output::print(&format!("  missing {ids}: {prompt}\n{block}\n"))?;
                }
            }
        }
        for folder in &self.sets {
            let set = dataset::Set::read(folder)?;
            let pools = set.pools();
            let Some(pool) = pools.iter().max_by_key(|pool| pool.units.len()) else { continue };
            let store = Store::new(&embedder, &griot, |workspace| workspace.ingest(&pool.units).map(drop))?;
            let row = self.silence(&set.name, pool.units.len(), &store, &mut times)?;
            silent += row.0;
            everyday_asked += row.1;
        }
        let share = |part: usize, all: usize| part as f64 / (all.max(1)) as f64;
        let all_brought = share(brought[0] + brought[1], asked_of[0] + asked_of[1]);
        output::print(&format!(
            "everyday prompts silent     {silent} of {everyday_asked} = {:.3} (at least {SILENT})\n\
             preferences and rules       {} of {} = {:.3}\n\
             facts                       {} of {} = {:.3}\n\
             memory brought              {all_brought:.3} (at least {BROUGHT}), {:.1} lines a prompt\n\
             time of a call              median {:.0} ms, p95 {:.0} ms\n",
            share(silent, everyday_asked),
            brought[0],
            asked_of[0],
            share(brought[0], asked_of[0]),
            brought[1],
            asked_of[1],
            share(brought[1], asked_of[1]),
            share(lines, asked_of[0] + asked_of[1]),
            times.median(),
            times.percentile(0.95),
        ))?;
        fine &= share(silent, everyday_asked) >= SILENT && all_brought >= BROUGHT;
        Ok(fine)
    }

    fn silence(
        &self,
        name: &str,
        memories: usize,
        store: &Store,
        times: &mut Times,
    ) -> Result<(usize, usize)> {
        let (mut silent, mut all) = (0, 0);
        for prompt in self.part(rows(EVERYDAY)) {
            let block = store.ask(prompt, times)?;
            all += 1;
            silent += usize::from(block.is_empty());
            if self.show && !block.is_empty() {
                output::print(&format!("  not silent: {prompt}\n{block}\n"))?;
            }
        }
        output::print(&format!("{name:20}{memories:>10}{:>14}\n", format!("{silent}/{all}")))?;
        Ok((silent, all))
    }

    fn part<T>(&self, rows: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        let part = self.part;
        rows.enumerate().filter_map(move |(at, row)| {
            let held = at / 2 % 2 == 1;
            let wanted = match part {
                PartOfPrompts::All => true,
                PartOfPrompts::Seen => !held,
                PartOfPrompts::Held => held,
            };
            wanted.then_some(row)
        })
    }
}

/// A database in a folder of its own, asked by the program.
struct Store {
    griot: Installation,
    /// Removed with the value.
    _folder: tempfile::TempDir,
}

impl Store {
    fn new(
        embedder: &Arc<dyn Embedder>,
        griot: &Path,
        fill: impl FnOnce(&mut Workspace) -> Result<()>,
    ) -> Result<Self> {
        let folder = workspace::folder(None)?;
        let mut workspace = Workspace::with(folder.path(), volatile(), embedder)?;
        fill(&mut workspace)?;
        Ok(Self { griot: Installation::new(griot, folder.path(), folder.path())?, _folder: folder })
    }

    fn of_notes(notes: &[Note], embedder: &Arc<dyn Embedder>, griot: &Path) -> Result<Self> {
        Self::new(embedder, griot, |workspace| {
            let draft = |note: &Note| (note.id, Draft { tier: Some(note.tier), ..Draft::new(note.text) });
            workspace.say_all("user", notes.iter().map(draft).collect())
        })
    }

    fn ask(&self, prompt: &str, times: &mut Times) -> Result<String> {
        let begin = Instant::now();
        let block = added_to(&self.griot, prompt)?;
        times.add(begin);
        Ok(block)
    }
}

/// What the hook adds to a prompt; empty for nothing.
pub fn added_to(griot: &Installation, prompt: &str) -> Result<String> {
    added(griot, "prompt", &json!({ "session_id": "eval", "cwd": griot.database.parent(), "prompt": prompt }))
}

/// What a hook adds to a session at an event; empty for nothing.
pub fn added(griot: &Installation, name: &str, event: &Value) -> Result<String> {
    // A busy machine must not look like silence.
    let mut hook = griot.talk(&["--set", "hooks.timeout_ms=10000", "hook", name])?;
    hook.send(&event.to_string())?;
    let printed = hook.rest();
    if printed.is_empty() {
        return Ok(String::new());
    }
    let answer: Value = serde_json::from_str(&printed)
        .map_err(|error| Error::invalid("read the answer of the hook", error.to_string()))?;
    Ok(answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_string())
}

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn three(row: &'static str) -> Option<[&'static str; 3]> {
    row.split('\t').collect::<Vec<_>>().try_into().ok()
}

fn note(row: &'static str) -> Option<Note> {
    let [id, tier, text] = three(row)?;
    let tier = if tier == "rule" { Tier::Rule } else { Tier::default() };
    Some(Note { id, tier, text })
}

fn is_fact(store: &str, id: &str) -> bool {
    let of_mixed = ["d5", "d6", "d7", "r3", "r5", "s3", "s5", "z3", "z4"];
    match store {
        "mixed" => of_mixed.contains(&id),
        _ => id.len() > 1 && id[1..].bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// The program `griot` in the folder of this one.
pub fn beside() -> Result<PathBuf> {
    let own = std::env::current_exe().map_err(|error| cannot("find this program", &error))?;
    let griot = own.with_file_name(if cfg!(windows) { "griot.exe" } else { "griot" });
    if griot.is_file() {
        return Ok(griot);
    }
    let what = format!("find the program `{}`", griot.display());
    Err(Error::not_found(what, "there is no such file").hint("cargo build --workspace --bin=griot"))
}

fn cannot(what: &str, error: &std::io::Error) -> Error {
    Error::unavailable(what, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_names_a_memory_of_its_store() {
        let mut facts = 0;
        for [store, ids, prompt] in rows(ASKED).map(|row| three(row).expect("three columns")) {
            let (_, table) = STORES.into_iter().find(|(name, _)| *name == store).expect("a store");
            let known: Vec<&str> = rows(table).map(|row| note(row).expect("three columns").id).collect();
            assert!(ids.split('|').all(|id| known.contains(&id)), "{prompt}");
            facts += usize::from(ids.split('|').all(|id| is_fact(store, id)));
        }
        assert_eq!((rows(ASKED).count(), facts, rows(EVERYDAY).count()), (100, 47, 200));
    }
}
