//! Worlds in files, one JSON object each: memories in order of time and questions about them; and the tables
//! of what their questions came to.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::{Error, Result, Timestamp};
use griot::recall::Recall;
use griot::remember::Draft;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::dataset;
use crate::output;
use crate::workspace::Workspace;

/// A memory of a world.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Said {
    pub id: String,
    #[serde(deserialize_with = "dataset::timestamp")]
    pub occurred_at: Option<Timestamp>,
    pub text: String,
    pub speaker: Option<String>,
    pub kind: Option<String>,
    pub source: Option<String>,
}

impl Said {
    pub fn draft(&self) -> Draft {
        Draft {
            kind: self.kind.clone(),
            speaker: self.speaker.clone(),
            occurred_at: self.occurred_at,
            ..Draft::new(&self.text)
        }
    }
}

/// How the questions of a world are asked.
#[derive(Args, Clone, Copy, Default)]
pub struct Asking {
    /// Ask without the relevance floor.
    #[arg(long)]
    pub no_floor: bool,
    /// Print each question with its first results; evidence is marked.
    #[arg(long)]
    answers: bool,
}

impl Asking {
    /// Prints an answer, if asked to.
    pub fn show(
        self,
        workspace: &Workspace,
        category: &str,
        question: &str,
        gold: &[String],
        answer: &Recall,
    ) -> Result<()> {
        /// Results that are printed.
        const FIRST: usize = 6;
        if !self.answers {
            return Ok(());
        }
        let mut text = format!("{category}: {question}  ({})\n", gold.join(" "));
        for result in answer.results.iter().take(FIRST) {
            let unit = workspace.unit(result.memory.id).unwrap_or_default();
            let mark = if gold.iter().any(|id| id == unit) { '+' } else { ' ' };
            let standing = result.standing.as_ref().map_or("", |standing| standing.kind.name());
            let by = result.standing.as_ref().and_then(|standing| workspace.unit(standing.by.as_ref()?.id));
            let by = by.unwrap_or_default();
            let date: String = result.memory.occurred_at.to_string().chars().take(10).collect();
            text += &format!(
                "  {mark} {:.2} {unit:4} {date} {standing:9} {by:4} {}\n",
                result.score, result.memory.text
            );
        }
        output::print(&text)
    }
}

/// What a file must hold to be asked.
pub trait World: DeserializeOwned {
    fn memories(&self) -> &[Said];

    /// Every id that its questions and edges name.
    fn named(&self) -> Vec<&str>;

    fn parse(path: &Path, text: &str) -> Result<Self> {
        let cannot = |why: String| Error::invalid(format!("read {}", path.display()), why);
        let world: Self = serde_json::from_str(text).map_err(|why| cannot(why.to_string()))?;
        let mut ids = HashSet::new();
        if let Some(twice) = world.memories().iter().find(|memory| !ids.insert(memory.id.as_str())) {
            return Err(cannot(format!("the id {:?} was there before", twice.id)));
        }
        if let Some(unknown) = world.named().into_iter().find(|id| !ids.contains(id)) {
            return Err(cannot(format!("no memory has the id {unknown:?}")));
        }
        Ok(world)
    }
}

/// A file, or the `.json` files of a folder by name.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = fs::read_dir(path).map_err(|why| cannot(path, &why))?;
    let found = entries.flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        found.filter(|file| file.extension().is_some_and(|ending| ending == "json")).collect();
    found.sort();
    Ok(found)
}

pub fn read<W: World>(file: &Path) -> Result<W> {
    W::parse(file, &fs::read_to_string(file).map_err(|why| cannot(file, &why))?)
}

fn cannot(path: &Path, why: &std::io::Error) -> Error {
    Error::not_found(format!("open {}", path.display()), why.to_string())
        .hint("give files of worlds, or folders that hold them")
}

/// The worlds in files and folders.
pub fn read_all<W: World>(paths: &[PathBuf]) -> Result<Vec<W>> {
    let files = paths.iter().map(|path| files(path)).collect::<Result<Vec<_>>>()?.concat();
    files.iter().map(|file| read(file)).collect()
}

/// How many of all were right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    pub right: usize,
    pub all: usize,
}

impl Share {
    pub fn add(&mut self, is_right: bool) {
        self.all += 1;
        self.right += usize::from(is_right);
    }

    pub fn join(&mut self, other: Self) {
        self.all += other.all;
        self.right += other.right;
    }

    pub fn text(self) -> String {
        format!("{} of {}", self.right, self.all)
    }
}

/// Figures of one question by name, yes as 1 and no as 0. What does not apply to it is absent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures(BTreeMap<&'static str, f64>);

impl Figures {
    pub fn set(&mut self, name: &'static str, value: f64) {
        self.0.insert(name, value);
    }

    pub fn say(&mut self, name: &'static str, holds: bool) {
        self.set(name, f64::from(u8::from(holds)));
    }

    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.get(name).copied()
    }
}

/// Means of a figure over the same questions: without judgement, with judged offers, read by a model.
pub type Means = [Option<(f64, usize)>; 3];

/// The figures of questions of one kind.
pub struct Group<'a> {
    pub name: &'a str,
    pub rows: Vec<&'a Figures>,
}

impl Group<'_> {
    /// Mean of a figure, and the number of questions that have it.
    pub fn mean(&self, figure: &str) -> Option<(f64, usize)> {
        let values: Vec<f64> = self.rows.iter().filter_map(|row| row.get(figure)).collect();
        (!values.is_empty()).then(|| (values.iter().sum::<f64>() / values.len() as f64, values.len()))
    }

    /// `0.56/61` is a mean over 61 of the questions.
    fn cell(&self, figure: &str) -> String {
        match self.mean(figure) {
            None => "-".to_owned(),
            Some((mean, of)) if of < self.rows.len() => format!("{mean:.2}/{of}"),
            Some((mean, _)) => format!("{mean:.2}"),
        }
    }
}

/// A line for each group that has questions, a column for each figure.
pub fn table(columns: &[&str], groups: &[Group<'_>]) -> String {
    let cell = |column: &str, text: &str| format!("{text:>width$}", width = column.len().max(8) + 2);
    let mut text = format!("{:16}{:>4}", "", "n");
    text.extend(columns.iter().map(|column| cell(column, column)));
    text.push('\n');
    for group in groups.iter().filter(|group| !group.rows.is_empty()) {
        text += &format!("{:16}{:>4}", group.name, group.rows.len());
        text.extend(columns.iter().map(|column| cell(column, &group.cell(column))));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_over_the_questions_that_have_the_figure() {
        let [mut one, mut two] = [Figures::default(), Figures::default()];
        one.say("first", true);
        two.say("first", false);
        two.set("order", 0.25);
        let group = Group { name: "past", rows: vec![&one, &two] };
        let nothing = Group { name: "present", rows: Vec::new() };
        let text = table(&["first", "order", "silent"], &[group, nothing]);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines, [vec!["n", "first", "order", "silent"], vec!["past", "2", "0.50", "0.25/1", "-"]]);
    }

    #[derive(Debug, Deserialize)]
    struct Named {
        memories: Vec<Said>,
        named: Vec<String>,
    }

    impl World for Named {
        fn memories(&self) -> &[Said] {
            &self.memories
        }

        fn named(&self) -> Vec<&str> {
            self.named.iter().map(String::as_str).collect()
        }
    }

    #[test]
    fn a_world_that_cannot_be_asked_is_refused_with_its_file() {
        let memory =
            |id: &str| format!(r#"{{"id": "{id}", "occurred_at": "2025-01-01T08:00:00Z", "text": "a"}}"#);
        let world = |ids: [&str; 2], named: &str| {
            format!(r#"{{"memories": [{}, {}], "named": ["{named}"]}}"#, memory(ids[0]), memory(ids[1]))
        };
        let parse = |text: &str| Named::parse(Path::new("a/yard.json"), text);
        assert!(parse(&world(["a", "b"], "b")).is_ok());
        for (text, why) in [
            (world(["a", "a"], "a"), "the id \"a\" was there before"),
            (world(["a", "b"], "c"), "no memory has the id \"c\""),
            ("{".into(), "EOF"),
        ] {
            let error = parse(&text).expect_err(why).to_string();
            assert!(error.starts_with(&format!("cannot read a/yard.json: {why}")), "{error}");
        }
    }

    #[test]
    fn a_folder_gives_its_worlds_by_name_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str| {
            let text = format!(r#"{{"memories": [], "named": [], "is": "{name}"}}"#);
            fs::write(folder.path().join(name), text).expect("written");
        };
        ["b.json", "a.json", "README.md"].into_iter().for_each(write);
        let worlds = |path: &Path| read_all::<Named>(&[path.to_path_buf()]);
        assert_eq!(worlds(folder.path()).map(|worlds| worlds.len()).unwrap_or_default(), 2);
        let missing = worlds(&folder.path().join("c.json")).expect_err("it is not there");
        assert!(missing.to_string().contains("c.json"), "{missing}");
    }
}
