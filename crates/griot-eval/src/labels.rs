//! Are the links and names that rules find right?
//!
//! A sample of pairs of texts and of names was labelled by readers who did not know what the rules make of
//! them. The labels name units of public sets and of worlds of this crate by id, names by their characters,
//! so that no text of a set is here. The texts come from the folders that are given; what is labelled in
//! other sets is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::Result;
use griot::remember::Remembered;
use serde::Deserialize;

use crate::dataset::{self, Set, Unit};
use crate::embedder;
use crate::output;
use crate::workspace::Workspace;
use crate::world::{self, Said, World};

/// Compare the causes and names that rules find with labels made by hand.
#[derive(Args)]
pub struct Options {
    /// Folders of sets, and files or folders of worlds.
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Print what is wrong.
    #[arg(long)]
    wrong: bool,
}

/// The memories of a world of any kind.
#[derive(Deserialize)]
struct Memories {
    memories: Vec<Said>,
}

impl World for Memories {
    fn memories(&self) -> &[Said] {
        &self.memories
    }

    fn named(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// The names of a unit: first character, the one behind the last, type.
#[derive(Deserialize)]
struct Named {
    kind: String,
    set: String,
    unit: String,
    names: Vec<(usize, usize, String)>,
}

/// A text, and the names in it with their types.
type Read = (String, Vec<(String, String)>);

/// What rules made of the sets.
#[derive(Default)]
struct Found {
    /// By set and unit.
    units: BTreeMap<(String, String), Read>,
    /// By set, cause and effect.
    causes: BTreeSet<(String, String, String)>,
}

impl Found {
    fn add(&mut self, set: &str, units: &[&Unit]) -> Result<()> {
        let mut workspace = Workspace::temporary(&embedder::built_in())?;
        for (unit, memory) in units.iter().zip(workspace.ingest(units)?) {
            let found = (unit.body().to_owned(), names(unit, &memory));
            self.units.insert((set.to_owned(), unit.id.clone()), found);
        }
        let causes = workspace.causes_by_rule()?;
        let own = |(cause, effect): (&str, &str)| (set.to_owned(), cause.to_owned(), effect.to_owned());
        self.causes.extend(causes.into_iter().map(own));
        Ok(())
    }
}

/// The names that rules found in a text, with the types of the labels. Speakers and titles are given; dates,
/// files and code are no names.
fn names(unit: &Unit, memory: &Remembered) -> Vec<(String, String)> {
    let given = [unit.speaker.as_deref(), unit.title.as_deref()].map(|name| folded(name.unwrap_or_default()));
    let read = |(id, name): &(String, String)| {
        let kind = match id.split(':').next().unwrap_or_default() {
            "person" => "person",
            "org" => "organization",
            "location" => "location",
            "event" => "event",
            "tool" | "repo" | "topic" | "concept" | "goal" | "custom" => "product",
            _ => return None,
        };
        let name = folded(name);
        (!given.contains(&name)).then(|| (name, kind.to_owned()))
    };
    memory.entities.iter().filter_map(read).collect()
}

fn folded(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Of a kind of text: what was found, what is labelled, and what of it agrees, also in its type.
#[derive(Default)]
struct Count {
    found: usize,
    labelled: usize,
    right: usize,
    typed: usize,
}

impl Count {
    fn line(&self, kind: &str) -> String {
        let f1 = |right: usize| 2.0 * right as f64 / (self.found + self.labelled).max(1) as f64;
        format!(
            "  {kind:10} found {}, labelled {}, right {}: precision {:.2}, F1 {:.2}, with type {:.2}\n",
            self.found,
            self.labelled,
            self.right,
            self.right as f64 / self.found.max(1) as f64,
            f1(self.right),
            f1(self.typed)
        )
    }
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let found = self.find()?;
        let causes = self.causes(&found)?;
        let names = self.names(&found)?;
        output::print(&format!("causes between memories, by rule\n{causes}names, by rule\n{names}"))?;
        Ok(true)
    }

    fn find(&self) -> Result<Found> {
        let mut found = Found::default();
        for path in &self.sets {
            if path.join("corpus.jsonl").is_file() {
                let set = Set::read(path)?;
                for pool in set.pools() {
                    found.add(&set.name, &pool.units)?;
                }
                continue;
            }
            for file in world::files(path)? {
                let world: Memories = world::read(&file)?;
                let units: Vec<Unit> = (0..).zip(&world.memories).map(|(at, said)| note(at, said)).collect();
                let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                found.add(&name.unwrap_or_default(), &units.iter().collect::<Vec<_>>())?;
            }
        }
        Ok(found)
    }

    fn causes(&self, found: &Found) -> Result<String> {
        let labels = include_str!("../data/labels/causes.tsv");
        let mut kinds: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
        let mut text = String::new();
        for [kind, set, cause, effect, verdict] in dataset::columns("causes.tsv", labels)? {
            if !found.units.contains_key(&(set.to_owned(), effect.to_owned())) {
                continue;
            }
            let is_made = found.causes.contains(&(set.to_owned(), cause.to_owned(), effect.to_owned()));
            let [pairs, stated, made, right, implied] = kinds.entry(kind).or_default();
            *pairs += 1;
            *stated += usize::from(verdict == "stated");
            *made += usize::from(is_made);
            *right += usize::from(is_made && verdict == "stated");
            *implied += usize::from(is_made && verdict == "implied");
            if self.wrong && is_made != (verdict == "stated") {
                text += &format!("    {set} {cause} -> {effect}: {verdict}, linked: {is_made}\n");
            }
        }
        for (kind, [pairs, stated, made, right, implied]) in kinds {
            text += &format!(
                "  {kind:10} {pairs} pairs, {stated} stated; linked {made}, of these {right} stated and \
                 {implied} implied\n"
            );
        }
        Ok(text)
    }

    fn names(&self, found: &Found) -> Result<String> {
        let labels = include_str!("../data/labels/names.jsonl");
        let labels: Vec<Named> = dataset::parse_lines(Path::new("names.jsonl"), labels)?;
        let mut kinds: BTreeMap<&str, Count> = BTreeMap::new();
        let mut text = String::new();
        for label in &labels {
            let Some((body, own)) = found.units.get(&(label.set.clone(), label.unit.clone())) else {
                continue;
            };
            let name = |from: usize, to: usize| body.chars().skip(from).take(to - from).collect::<String>();
            let wanted: BTreeMap<String, &str> = label
                .names
                .iter()
                .map(|(from, to, kind)| (folded(&name(*from, *to)), kind.as_str()))
                .collect();
            let own: BTreeMap<&String, &String> = own.iter().map(|(name, kind)| (name, kind)).collect();
            let count = kinds.entry(&label.kind).or_default();
            count.found += own.len();
            count.labelled += wanted.len();
            for (name, kind) in &own {
                let labelled = wanted.get(name.as_str());
                count.right += usize::from(labelled.is_some());
                count.typed += usize::from(labelled == Some(&kind.as_str()));
                if self.wrong && labelled != Some(&kind.as_str()) {
                    text += &format!("    {}: {name} is {kind}, labelled {labelled:?}\n", label.kind);
                }
            }
            let missed = wanted.iter().filter(|(name, _)| self.wrong && !own.contains_key(name));
            text.extend(missed.map(|(name, kind)| format!("    {}: {name} ({kind}) missed\n", label.kind)));
        }
        text.extend(kinds.iter().map(|(kind, count)| count.line(kind)));
        Ok(text)
    }
}

/// A memory of a world as a note.
fn note(at: u32, said: &Said) -> Unit {
    Unit {
        id: said.id.clone(),
        text: said.text.clone(),
        kind: "note".to_owned(),
        ordinal: at,
        speaker: said.speaker.clone(),
        occurred_at: said.occurred_at,
        ..Unit::default()
    }
}
