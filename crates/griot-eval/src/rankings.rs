//! Rankings, and the files that hold them: one line per question, `{"qid", "ranked"}`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::dataset::{self, Query, Set};
use crate::output;
use crate::score::Scores;

/// Unit ids by question, best first.
pub type Rankings = HashMap<String, Vec<String>>;

/// Score a run file.
#[derive(Args)]
pub struct Options {
    set: PathBuf,
    run: PathBuf,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let set = Set::read(&self.set)?;
        output::print(&Scores::of(&set.queries, &read(&self.run)?).table())?;
        Ok(true)
    }
}

/// One line of a run file.
#[derive(Serialize, Deserialize)]
struct Line {
    qid: String,
    ranked: Vec<String>,
}

/// Writes rankings in the order of the questions, so that two runs can be compared line by line.
pub fn write(directory: &Path, set: &str, queries: &[Query], rankings: &Rankings) -> Result<()> {
    let path = directory.join(format!("{set}.jsonl"));
    let cannot = |why: String| Error::unavailable(format!("write {}", path.display()), why);
    let mut text = String::new();
    for query in queries {
        if let Some(ranked) = rankings.get(&query.id) {
            let line = Line { qid: query.id.clone(), ranked: ranked.clone() };
            text += &serde_json::to_string(&line).map_err(|e| cannot(e.to_string()))?;
            text.push('\n');
        }
    }
    fs::create_dir_all(directory).map_err(|e| cannot(e.to_string()))?;
    output::write(&path, &text)
}

fn read(path: &Path) -> Result<Rankings> {
    let lines: Vec<Line> = dataset::read_lines(path)?;
    Ok(lines.into_iter().map(|line| (line.qid, line.ranked)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(id: &str) -> Query {
        Query { id: id.into(), gold: vec!["a".into()], ..Query::default() }
    }

    #[test]
    fn a_run_file_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let directory = folder.path().join("new");
        let rankings = Rankings::from([
            ("q2".to_owned(), vec!["a".to_owned(), "b \"quoted\"".to_owned()]),
            ("q1".to_owned(), Vec::new()),
        ]);
        write(&directory, "set", &[query("q1"), query("q2"), query("q3")], &rankings).expect("written");
        let path = directory.join("set.jsonl");
        let text = fs::read_to_string(&path).expect("there");
        assert_eq!(
            text,
            "{\"qid\":\"q1\",\"ranked\":[]}\n{\"qid\":\"q2\",\"ranked\":[\"a\",\"b \\\"quoted\\\"\"]}\n"
        );
        assert_eq!(read(&path).expect("read"), rankings);
    }

    #[test]
    fn a_broken_run_file_names_its_line() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("run.jsonl");
        fs::write(&path, "{\"qid\":\"q1\",\"ranked\":[]}\n{\"qid\":1}\n").expect("written");
        let error = read(&path).expect_err("a number is no id").to_string();
        assert!(error.contains("run.jsonl line 2: invalid type"), "{error}");
    }
}
