//! How good and how fast is recall on a set, beside plain word search on the same questions?
//!
//! Every pool becomes a workspace of its own in a temporary folder. The ranking is asked for without the
//! relevance floor, because a measure at 20 needs 20 units; what the floor would have cost is counted apart.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use griot::embed::Embedder;
use griot::model::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::baseline;
use crate::dataset::{self, Query, Set};
use crate::score::{Measures, Scores};
use crate::workspace::Workspace;

/// Unit ids by question, best first.
pub type Rankings = HashMap<String, Vec<String>>;

/// What one set came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub set: String,
    pub scores: Scores,
    /// Means over the headline questions of plain BM25.
    pub baseline: Measures,
    /// Milliseconds for one question: median and mean.
    pub median_ms: f64,
    pub mean_ms: f64,
    /// Units taken in per second.
    pub ingested_per_second: f64,
    pub floor: Option<Floor>,
}

/// What the relevance floor takes away from answerable questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Floor {
    /// Questions of the headline: those with a real answer.
    pub questions: usize,
    /// No result at all.
    pub empty: usize,
    /// Gold was among the first 10 and is not any more.
    pub lost: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Units to rank for a question.
    pub limit: usize,
    /// Ask a second time with the floor and count what it cost.
    pub check_floor: bool,
}

/// Recalls every question of the set with the engine.
pub fn measure(set: &Set, options: Options, embedder: &Arc<dyn Embedder>) -> Result<(Outcome, Rankings)> {
    let mut rankings = Rankings::with_capacity(set.queries.len());
    let mut milliseconds = Vec::with_capacity(set.queries.len());
    let mut ingest_seconds = 0.0;
    let mut floor = Floor::default();
    for pool in set.pools() {
        let folder =
            tempfile::tempdir().map_err(|e| Error::unavailable("make a temporary folder", e.to_string()))?;
        let mut workspace = Workspace::create_volatile(folder.path(), embedder)?;
        let start = Instant::now();
        workspace.ingest(&pool.units)?;
        workspace.finish()?;
        ingest_seconds += start.elapsed().as_secs_f64();
        for query in &pool.queries {
            let start = Instant::now();
            let ranked = workspace.ranking(&query.text, options.limit, false)?;
            milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
            if options.check_floor && query.is_answerable() {
                floor.count(&ranked, &workspace.ranking(&query.text, options.limit, true)?, query);
            }
            rankings.insert(query.id.clone(), ranked);
        }
    }
    milliseconds.sort_by(f64::total_cmp);
    let outcome = Outcome {
        set: set.name.clone(),
        scores: Scores::of(&set.queries, &rankings),
        baseline: headline(&Scores::of(&set.queries, &baseline::by_words(set, options.limit))),
        median_ms: percentile(&milliseconds, 0.5),
        mean_ms: milliseconds.iter().sum::<f64>() / milliseconds.len().max(1) as f64,
        ingested_per_second: set.units.len() as f64 / ingest_seconds.max(1e-9),
        floor: options.check_floor.then_some(floor),
    };
    Ok((outcome, rankings))
}

/// Means over the questions that count; zeros for a set without questions.
pub fn headline(scores: &Scores) -> Measures {
    scores.headline().map_or_else(Measures::default, |group| group.mean)
}

impl Floor {
    fn count(&mut self, without: &[String], with: &[String], query: &Query) {
        let gold: HashSet<&String> = query.gold.iter().collect();
        let found = |ranked: &[String]| ranked.iter().take(10).any(|id| gold.contains(id));
        self.questions += 1;
        self.empty += usize::from(with.is_empty());
        self.lost += usize::from(found(without) && !found(with));
    }
}

/// The value below which `share` of the sorted values lie, by nearest rank; 0 for none.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// One line of a run file.
#[derive(Serialize, Deserialize)]
struct Line {
    qid: String,
    ranked: Vec<String>,
}

/// Where the run of a set goes.
pub fn run_file(directory: &Path, set: &str) -> PathBuf {
    directory.join(format!("{set}.jsonl"))
}

/// Writes rankings in the order of the questions, so that two runs can be compared line by line.
pub fn write(path: &Path, queries: &[Query], rankings: &Rankings) -> Result<()> {
    let cannot = |why: String| Error::unavailable(format!("write {}", path.display()), why);
    let mut text = String::new();
    for query in queries {
        if let Some(ranked) = rankings.get(&query.id) {
            let line = Line { qid: query.id.clone(), ranked: ranked.clone() };
            text += &serde_json::to_string(&line).map_err(|e| cannot(e.to_string()))?;
            text.push('\n');
        }
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| cannot(e.to_string()))?;
    }
    fs::write(path, text).map_err(|e| cannot(e.to_string()))
}

pub fn read(path: &Path) -> Result<Rankings> {
    let lines: Vec<Line> = dataset::read_lines(path)?;
    Ok(lines.into_iter().map(|line| (line.qid, line.ranked)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(id: &str) -> Query {
        Query {
            id: id.into(),
            pool: "p".into(),
            text: "?".into(),
            gold: vec!["a".into()],
            category: "one".into(),
        }
    }

    #[test]
    fn a_run_file_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = run_file(&folder.path().join("new"), "set");
        let rankings = Rankings::from([
            ("q2".to_owned(), vec!["a".to_owned(), "b \"quoted\"".to_owned()]),
            ("q1".to_owned(), Vec::new()),
        ]);
        write(&path, &[query("q1"), query("q2"), query("q3")], &rankings).expect("written");
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

    #[test]
    fn percentiles_take_the_nearest_rank() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!(percentile(&values, 0.5), 100.0);
        assert_eq!(percentile(&values, 0.99), 198.0);
        assert_eq!(percentile(&values[..1], 0.99), 1.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    #[test]
    fn the_floor_loses_only_what_was_found() {
        let mut floor = Floor::default();
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        floor.count(&list("a b"), &list("a"), &query("q"));
        floor.count(&list("a b"), &list("b"), &query("q"));
        floor.count(&list("x y"), &list(""), &query("q"));
        assert_eq!(floor, Floor { questions: 3, empty: 1, lost: 1 });
    }
}
