//! How good and how fast is recall on a set, beside plain word search on the same questions?
//!
//! Every pool becomes a workspace of its own in a temporary folder. The ranking is asked for without the
//! relevance floor, because a measure at 20 needs 20 units; what the floor would have cost is counted apart.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use griot::embed::Embedder;
use griot::model::{Error, Result};
use serde_json::json;

use crate::baseline;
use crate::dataset::{self, Query, Set};
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::process::Times;
use crate::replies;
use crate::score::{Measures, Rankings, Scores};
use crate::workspace::{Workspace, volatile};

/// Take in the pools of each set as workspaces, recall every question, write and score the rankings.
#[derive(Args)]
pub struct Options {
    /// Folders with corpus.jsonl and queries.jsonl.
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Where `<set>.jsonl` goes.
    #[arg(long)]
    out: PathBuf,
    /// Units to rank for a question.
    #[arg(long, default_value_t = 100)]
    limit: usize,
    /// Ask again with the relevance floor and count the answers it takes away.
    #[arg(long)]
    check_floor: bool,
    /// Ask without the graph. The questions are the same.
    #[arg(long)]
    no_graph: bool,
    /// A ranking to use instead of the built-in one.
    #[arg(long)]
    ranker: Option<String>,
    /// Replies of a language model to `extraction`, which are read as `griot enrich` reads them: lines with
    /// `id` of a unit and `reply` (and `gleaning`), or with `entities` and `triples`.
    #[arg(long)]
    replies: Option<PathBuf>,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let embedder = self.embedder.open()?;
        let mut outcomes = Vec::new();
        for set in dataset::read_all(&self.sets)? {
            let (outcome, rankings) = self.measure(&set, &embedder)?;
            self.write(&set, &rankings)?;
            output::print(&format!("{}\n{}\n", set.name, outcome.scores.table()))?;
            outcomes.push(outcome);
        }
        output::print(&table(&outcomes))?;
        Ok(true)
    }

    /// Writes a line for each question in their order, so that two runs can be compared line by line.
    fn write(&self, set: &Set, rankings: &Rankings) -> Result<()> {
        let line = |query: &Query| format!("{}\n", json!({"qid": query.id, "ranked": rankings[&query.id]}));
        fs::create_dir_all(&self.out)
            .map_err(|why| Error::unavailable(format!("make {}", self.out.display()), why.to_string()))?;
        let path = self.out.join(format!("{}.jsonl", set.name));
        output::write(&path, set.queries.iter().map(line).collect::<String>())
    }

    /// Recalls every question of the set with the engine.
    fn measure(&self, set: &Set, embedder: &Arc<dyn Embedder>) -> Result<(Outcome, Rankings)> {
        let mut rankings = Rankings::with_capacity(set.queries.len());
        let mut times = Times::default();
        let mut ingest_seconds = 0.0;
        let mut floor = Floor::default();
        let replies = self.replies.as_deref().map(replies::read).transpose()?;
        for pool in set.pools() {
            let mut settings = volatile();
            settings.recall.ranker = self.ranker.clone().unwrap_or_default();
            let mut workspace = Workspace::temporary_with(settings, embedder)?;
            let start = Instant::now();
            workspace.ingest(&pool.units)?;
            if let Some(replies) = &replies {
                output::print(&format!("{}\n", workspace.enrich(replies)?))?;
            }
            let workspace = workspace.finish()?;
            ingest_seconds += start.elapsed().as_secs_f64();
            for query in &pool.queries {
                let ask = |floor| {
                    let (limit, graph) = (self.limit, !self.no_graph);
                    let asked = griot::recall::Query { limit, floor, graph, ..workspace.query(&query.text) };
                    workspace.recall(&asked).map(|answer| workspace.ranked(&answer))
                };
                let start = Instant::now();
                let ranked = ask(false)?;
                times.add(start);
                if self.check_floor && query.is_answerable() {
                    floor.count(&ranked, &ask(true)?, query);
                }
                rankings.insert(query.id.clone(), ranked);
            }
        }
        let outcome = Outcome {
            set: set.name.clone(),
            scores: Scores::of(&set.queries, &rankings),
            baseline: Scores::of(&set.queries, &baseline::by_words(set, self.limit)).headline_mean(),
            median_ms: times.median(),
            mean_ms: times.mean(),
            ingested_per_second: set.units.len() as f64 / ingest_seconds.max(1e-9),
            floor: self.check_floor.then_some(floor),
        };
        Ok((outcome, rankings))
    }
}

/// What one set came to.
#[derive(Clone, PartialEq, Debug)]
struct Outcome {
    set: String,
    scores: Scores,
    /// Means over the headline questions of plain BM25.
    baseline: Measures,
    /// Milliseconds for one question: median and mean.
    median_ms: f64,
    mean_ms: f64,
    /// Units taken in per second.
    ingested_per_second: f64,
    floor: Option<Floor>,
}

/// What the relevance floor takes away from answerable questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Floor {
    /// Questions of the headline: those with a real answer.
    questions: usize,
    /// No result at all.
    empty: usize,
    /// Gold was among the first 10 and is not any more.
    lost: usize,
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

/// One line a set and the macro average, beside plain word search on the same questions.
fn table(outcomes: &[Outcome]) -> String {
    let mut text = format!(
        "{:28}{:>6}{:>10}{:>10}{:>8}{:>8}{:>10}{:>10}{:>10}{:>12}\n",
        "set", "n", "nDCG@10", "BM25", "ratio", "R@10", "BM25", "ms median", "ms mean", "units/s"
    );
    let mut line = |name: &str, n: String, own: Measures, plain: Measures, rest: String| {
        let (own_ndcg, plain_ndcg) = (own.ndcg_at_10(), plain.ndcg_at_10());
        let ratio = if plain_ndcg > 0.0 { format!("{:.3}", own_ndcg / plain_ndcg) } else { "–".into() };
        text += &format!(
            "{name:28}{n:>6}{own_ndcg:>10.3}{plain_ndcg:>10.3}{ratio:>8}{:>8.3}{:>10.3}{rest}\n",
            own.recall_at_10(),
            plain.recall_at_10()
        );
    };
    for outcome in outcomes {
        let n = outcome.scores.headline().map_or(0, |group| group.questions).to_string();
        let rest = format!(
            "{:>10.2}{:>10.2}{:>12.0}",
            outcome.median_ms, outcome.mean_ms, outcome.ingested_per_second
        );
        line(&outcome.set, n, outcome.scores.headline_mean(), outcome.baseline, rest);
    }
    if outcomes.len() > 1 {
        let own = Measures::mean(outcomes.iter().map(|o| o.scores.headline_mean()));
        let plain = Measures::mean(outcomes.iter().map(|o| o.baseline));
        line("macro average", String::new(), own, plain, String::new());
    }
    for outcome in outcomes {
        if let Some(floor) = outcome.floor {
            let share = 100.0 * floor.lost as f64 / floor.questions.max(1) as f64;
            text += &format!(
                "floor on {}: {} of {} answerable questions lose their answer ({share:.1} %), {} get none\n",
                outcome.set, floor.lost, floor.questions, floor.empty
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Group;

    #[test]
    fn the_floor_loses_only_what_was_found() {
        let mut floor = Floor::default();
        let query = Query { gold: vec!["a".into()], ..Query::default() };
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        floor.count(&list("a b"), &list("a"), &query);
        floor.count(&list("a b"), &list("b"), &query);
        floor.count(&list("x y"), &list(""), &query);
        assert_eq!(floor, Floor { questions: 3, empty: 1, lost: 1 });
    }

    #[test]
    fn sets_are_averaged_alike_and_stand_beside_plain_search() {
        let outcome = |set: &str, questions, value| Outcome {
            set: set.into(),
            scores: Scores { missing: 0, groups: vec![Group::flat("ALL", questions, value)] },
            baseline: Measures([0.2; 6]),
            median_ms: 1.0,
            mean_ms: 2.0,
            ingested_per_second: 3000.0,
            floor: Some(Floor { questions: 50, empty: 3, lost: 1 }),
        };
        let text = table(&[outcome("small", 1, 0.2), outcome("large", 999, 0.6)]);
        let average = text.lines().nth(3).expect("four lines");
        assert_eq!(
            average.split_whitespace().collect::<Vec<_>>(),
            ["macro", "average", "0.400", "0.200", "2.000", "0.400", "0.200"]
        );
        assert!(
            text.contains(
                "floor on small: 1 of 50 answerable questions lose their answer (2.0 %), 3 get none"
            )
        );
    }
}
