//! What is in a set of units and questions?
//!
//! A set is a folder with `corpus.jsonl` (units) and `queries.jsonl` (questions with the ids of the units
//! that hold the evidence). Invariants after reading: ids are unique, every question names a pool that has
//! units, every gold unit is in the question's own pool, a header never reaches past its text. Errors name
//! file and line.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use griot::model::{Error, Result, Timestamp};
use griot::text::{parse_absolute_time, parse_instant};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

/// What a question may be answered with: a turn, message, passage, sentence or fact.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
pub struct Unit {
    pub id: String,
    pub pool: String,
    /// Header and body, as a plain search engine would be given it.
    pub text: String,
    /// Characters of header before the body: time and speaker, or the title.
    #[serde(default)]
    pub body_offset: usize,
    pub kind: String,
    /// Session, article or document.
    pub source: String,
    /// The position in the source, from 0.
    pub ordinal: u32,
    pub speaker: Option<String>,
    #[serde(default, deserialize_with = "timestamp")]
    pub occurred_at: Option<Timestamp>,
    pub title: Option<String>,
}

impl Unit {
    /// The text without its header.
    pub fn body(&self) -> &str {
        let start = self.text.char_indices().nth(self.body_offset);
        start.map_or("", |(at, _)| &self.text[at..])
    }
}

#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
pub struct Query {
    pub id: String,
    pub pool: String,
    #[serde(rename = "query")]
    pub text: String,
    /// Ids of the units that hold the evidence.
    pub gold: Vec<String>,
    #[serde(rename = "cat")]
    pub category: String,
}

/// The category whose "evidence" is a misleading unit.
const ADVERSARIAL: &str = "adversarial";

impl Query {
    /// The evidence does answer the question.
    pub fn is_answerable(&self) -> bool {
        self.category != ADVERSARIAL
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Set {
    /// The name of the folder.
    pub name: String,
    pub units: Vec<Unit>,
    pub queries: Vec<Query>,
}

/// Units that are searched together, and the questions about them: one workspace.
#[derive(Clone, PartialEq, Debug)]
pub struct Pool<'a> {
    pub name: &'a str,
    pub units: Vec<&'a Unit>,
    pub queries: Vec<&'a Query>,
}

impl Set {
    pub fn read(folder: &Path) -> Result<Self> {
        let text = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).map_err(|e| {
                Error::not_found(format!("open {}", path.display()), e.to_string())
                    .hint("give a folder that holds corpus.jsonl and queries.jsonl")
            })
        };
        Self::parse(folder, &text("corpus.jsonl")?, &text("queries.jsonl")?)
    }

    /// The texts of the two files; the folder is for the name and for errors.
    pub fn parse(folder: &Path, corpus: &str, queries: &str) -> Result<Self> {
        let [corpus_file, queries_file] = ["corpus.jsonl", "queries.jsonl"].map(|file| folder.join(file));
        let units: Vec<Unit> = parse_lines(&corpus_file, corpus)?;
        let queries: Vec<Query> = parse_lines(&queries_file, queries)?;
        let mut pool_of = HashMap::with_capacity(units.len());
        for (line, unit) in (1..).zip(&units) {
            let reject = |why: String| Err(at_line(&corpus_file, line, why));
            if pool_of.insert(unit.id.as_str(), unit.pool.as_str()).is_some() {
                return reject(format!("the id {:?} was there before", unit.id));
            }
            if unit.body_offset > unit.text.chars().count() {
                return reject(format!("body_offset {} is behind the text", unit.body_offset));
            }
        }
        let pools: HashSet<&str> = pool_of.values().copied().collect();
        let mut ids = HashSet::with_capacity(queries.len());
        for (line, query) in (1..).zip(&queries) {
            let reject = |why: String| Err(at_line(&queries_file, line, why));
            if !ids.insert(query.id.as_str()) {
                return reject(format!("the id {:?} was there before", query.id));
            }
            if !pools.contains(query.pool.as_str()) {
                return reject(format!("the pool {:?} has no units", query.pool));
            }
            if query.gold.is_empty() {
                return reject("no gold unit".into());
            }
            if let Some(gold) =
                query.gold.iter().find(|gold| pool_of.get(gold.as_str()) != Some(&query.pool.as_str()))
            {
                return reject(format!("gold unit {gold:?} is not in pool {:?}", query.pool));
            }
        }
        let name = folder.file_name().map_or_else(|| "set".into(), |n| n.to_string_lossy().into_owned());
        Ok(Self { name, units, queries })
    }

    /// Its units are turns of conversations.
    pub fn is_chat(&self) -> bool {
        self.units.iter().any(|unit| unit.kind == "turn")
    }

    /// Answerable questions of the sets of the other kind: nothing of this set is evidence for them.
    pub fn strangers<'a>(&self, sets: &'a [Self]) -> impl Iterator<Item = &'a Query> {
        let is_chat = self.is_chat();
        let others = sets.iter().filter(move |other| other.is_chat() != is_chat);
        others.flat_map(|other| &other.queries).filter(|query| query.is_answerable())
    }

    /// The pools in the order of their first unit; units and questions keep their order.
    pub fn pools(&self) -> Vec<Pool<'_>> {
        let mut pools: Vec<Pool> = Vec::new();
        let mut position = HashMap::new();
        for unit in &self.units {
            let at = *position.entry(unit.pool.as_str()).or_insert_with(|| {
                pools.push(Pool { name: &unit.pool, units: Vec::new(), queries: Vec::new() });
                pools.len() - 1
            });
            pools[at].units.push(unit);
        }
        for query in &self.queries {
            if let Some(&at) = position.get(query.pool.as_str()) {
                pools[at].queries.push(query);
            }
        }
        pools
    }
}

/// All sets before any is measured: a mistyped folder is noticed at once.
pub fn read_all(folders: &[PathBuf]) -> Result<Vec<Set>> {
    let sets = folders.iter().map(|folder| Set::read(folder)).collect::<Result<Vec<Set>>>()?;
    let mut names = HashSet::new();
    match sets.iter().find(|set| !names.insert(set.name.as_str())) {
        Some(set) => Err(Error::invalid(
            format!("measure the set {:?} twice", set.name),
            "both would write one run file",
        )),
        None => Ok(sets),
    }
}

/// Every line of JSON Lines as a `T`; blank lines are passed over. The path is for errors.
pub fn parse_lines<T: DeserializeOwned>(path: &Path, text: &str) -> Result<Vec<T>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| serde_json::from_str(line).map_err(|e| at_line(path, number, e.to_string())))
        .collect()
}

/// The rows of a table with tabs between its `N` columns; blank lines and comments are passed over.
pub fn columns<'a, const N: usize>(path: &str, text: &'a str) -> Result<Vec<[&'a str; N]>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let cells = |(number, line): (usize, &'a str)| {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let wrong = |cells: Vec<&str>| format!("it has {} columns instead of {N}", cells.len());
        cells.try_into().map_err(|cells| at_line(Path::new(path), number, wrong(cells)))
    };
    lines.map(cells).collect()
}

pub fn at_line(path: &Path, line: usize, why: String) -> Error {
    Error::invalid(format!("read {} line {line}", path.display()), why)
}

/// RFC 3339, or a local date and time without a zone, which is taken as UTC: the sets know no zones, and only
/// distances between times matter.
pub fn timestamp<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let Some(text) = Option::<String>::deserialize(from)? else {
        return Ok(None);
    };
    let at = parse_instant(&text).or_else(|| parse_absolute_time(&text));
    at.map(Some).ok_or_else(|| serde::de::Error::custom(format!("{text:?} is no time")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(corpus: &str, queries: &str) -> Result<Set> {
        Set::parse(Path::new("set"), corpus, queries)
    }

    const TURN: &str = concat!(
        r#"{"id":"a/1","pool":"a","text":"[é] Ana: hello","body_offset":9,"kind":"turn","source":"a/s1","#,
        r#""ordinal":0,"speaker":"Ana","occurred_at":"2024-02-29T10:30:00"}"#
    );
    const PASSAGE: &str = concat!(
        r#"{"id":"b/1","pool":"b","text":"A title\nbody","body_offset":8,"kind":"passage","source":"b/1","#,
        r#""ordinal":0,"title":"A title"}"#
    );
    const QUERY: &str = r#"{"id":"q1","pool":"b","query":"what?","gold":["b/1"],"cat":"one"}"#;

    #[test]
    fn a_set_is_read_and_split_into_pools() {
        let set = set(&format!("{TURN}\n\n{PASSAGE}\n"), QUERY).expect("a good set");
        assert_eq!(set.units[0].body(), "hello", "the offset counts characters, not bytes");
        assert_eq!(set.units[0].occurred_at.map(|t| t.to_string()).as_deref(), Some("2024-02-29T10:30:00Z"));
        assert_eq!((set.units[1].body(), set.units[1].occurred_at), ("body", None));
        let pools = set.pools();
        assert_eq!(pools.iter().map(|p| p.name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((pools[0].queries.len(), pools[1].queries.len()), (0, 1));
    }

    #[test]
    fn errors_name_file_and_line() {
        let cases = [
            (PASSAGE, "not json", "corpus.jsonl line 2: expected"),
            (TURN, PASSAGE, "corpus.jsonl line 2: the id \"b/1\" was there before"),
            ("\"body_offset\":8", "\"body_offset\":80", "corpus.jsonl line 2: body_offset 80 is behind"),
            ("2024-02-29", "2023-02-29", "corpus.jsonl line 1: \"2023-02-29T10:30:00\" is no time"),
            ("\"b\",\"query\"", "\"c\",\"query\"", "queries.jsonl line 1: the pool \"c\" has no units"),
            ("[\"b/1\"]", "[\"a/1\"]", "queries.jsonl line 1: gold unit \"a/1\" is not in pool \"b\""),
            ("[\"b/1\"]", "[]", "queries.jsonl line 1: no gold"),
        ];
        for (right, wrong, wanted) in cases {
            let corpus = format!("{TURN}\n{PASSAGE}").replace(right, wrong);
            let error = set(&corpus, &QUERY.replace(right, wrong)).expect_err(wanted).to_string();
            assert!(error.starts_with("cannot read ") && error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let error = Set::read(Path::new("no/such/folder")).expect_err("nothing there");
        assert!(error.to_string().starts_with("cannot open no/such/folder"), "{error}");
    }
}
