//! The candidates of questions with their signals, for `tools/train`, which fits the ranking.
//!
//! JSON Lines: a head with the names of the signals, then a line for each question at each effort. Candidates
//! are in the order of the answer; `gold` holds the positions of the evidence among them. Besides the
//! questions of a set (`held`), its workspaces can be asked what they know nothing of: questions of sets of
//! the other kind (`foreign`), questions of the same set about another pool, or whose evidence is not in this
//! part of the pool (`near`), and what people say to an assistant all day (`everyday`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::{Error, Result};
use griot::recall::{Effort, RecallResult, SIGNALS, SignalName};
use serde::Serialize;
use serde_json::json;

use crate::ask;
use crate::baseline;
use crate::dataset::{self, Pool, Query, Set, Unit};
use crate::embedder::EmbedderOptions;
use crate::random::Random;
use crate::score::{Measures, Rankings};
use crate::workspace::{Workspace, volatile};

/// Candidates of a question, best first.
const CANDIDATES: usize = 300;
/// Memories of the parts of pools.
const PARTS: [usize; 4] = [8, 20, 60, 200];
/// Questions of a part whose evidence is in it.
const PART_QUESTIONS: usize = 3;

/// Everyday prompts: the even ones are for fitting, the odd ones for measuring.
const EVERYDAY: &str = include_str!("../data/everyday.txt");

/// Write the candidates of every question with their signals, for `tools/train`.
#[derive(Args)]
pub struct Options {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    #[arg(long)]
    out: PathBuf,
    /// Questions of one set at most, about.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    /// Ask at this effort; may be given several times.
    #[arg(long = "effort", value_parser = ask::effort, default_values = Effort::ALL.map(Effort::name))]
    efforts: Vec<Effort>,
    /// Also ask each set about what it knows nothing of: this many questions of each kind.
    #[arg(long, default_value_t = 0)]
    foreign: usize,
    /// Also ask this many parts of each set, of 8 to 200 memories.
    #[arg(long, default_value_t = 0)]
    parts: usize,
    /// Ask without the graph. The questions are the same.
    #[arg(long)]
    no_graph: bool,
    /// A ranking that chooses the candidates instead of the built-in one.
    #[arg(long)]
    ranker: Option<String>,
    #[arg(long, default_value_t = 13)]
    seed: u64,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

/// The candidates of one question at one effort.
#[derive(Serialize)]
struct Line<'a> {
    set: &'a str,
    id: &'a str,
    kind: &'a str,
    pool: &'a str,
    /// What it shares with other questions of its set: the pool, or where a set is one pool, the source of
    /// its first evidence.
    cluster: &'a str,
    effort: &'static str,
    /// Indexed words of the workspace.
    words: u64,
    /// Share of the question's words that no memory has, and their number.
    unknown: f32,
    terms: usize,
    /// Whether the question has capitalised words.
    capitals: bool,
    /// Evidence in all, found or not.
    evidence: usize,
    gold: Vec<usize>,
    values: Vec<[f32; SIGNALS]>,
    /// nDCG@10 of the plain methods.
    plain: &'a BTreeMap<String, f64>,
}

/// A question for a workspace.
struct Asked<'a> {
    id: &'a str,
    kind: &'static str,
    text: &'a str,
    gold: &'a [String],
    cluster: &'a str,
}

impl<'a> Asked<'a> {
    fn of(query: &'a Query, kind: &'static str) -> Self {
        let gold = if kind == "held" { &query.gold[..] } else { &[] };
        Self { id: &query.id, kind, text: &query.text, gold, cluster: "" }
    }
}

/// A workspace and what it is asked.
struct Asking<'a> {
    set: &'a str,
    pool: &'a str,
    units: Vec<&'a Unit>,
    questions: Vec<Asked<'a>>,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let (sets, embedder) = (dataset::read_all(&self.sets)?, self.embedder.open()?);
        let sets: Vec<Set> = sets.into_iter().map(|set| self.some_questions(set)).collect();
        let file = File::create(&self.out).map_err(|why| self.cannot(why))?;
        let mut out = BufWriter::new(file);
        let signals: Vec<&str> = SignalName::ALL.iter().map(|signal| signal.name()).collect();
        let head = json!({
            "griot_features": 3, "embedder": embedder.name(), "graph": !self.no_graph, "signals": signals,
        });
        self.write(&mut out, &head)?;
        for set in &sets {
            eprintln!("{}: {} units, {} questions", set.name, set.units.len(), set.queries.len());
            let plain = plain(set, embedder.as_ref())?;
            for asking in self.asking(set, &sets) {
                self.ask(&asking, &plain, &embedder, &mut out)?;
            }
        }
        out.flush().map_err(|why| self.cannot(why))?;
        Ok(true)
    }

    fn cannot(&self, why: impl ToString) -> Error {
        Error::unavailable(format!("write {}", self.out.display()), why.to_string())
    }

    fn write(&self, out: &mut impl Write, line: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut *out, line).map_err(|why| self.cannot(why))?;
        out.write_all(b"\n").map_err(|why| self.cannot(why))
    }

    /// The set with as many of its answerable questions as are asked.
    fn some_questions(&self, mut set: Set) -> Set {
        set.queries.retain(Query::is_answerable);
        let share = self.questions as f64 / set.queries.len().max(1) as f64;
        let mut random = Random::new(self.seed);
        set.queries.retain(|_| random.chance(share));
        set
    }

    /// The workspaces of a set: its pools, and parts of them.
    fn asking<'a>(&self, set: &'a Set, sets: &'a [Set]) -> Vec<Asking<'a>> {
        let mut random = Random::new(self.seed);
        let pools = set.pools();
        let strangers: Vec<&Query> = set.strangers(sets).collect();
        let everyday: Vec<&str> = EVERYDAY.lines().step_by(2).collect();
        let some = |random: &mut Random, most: usize, kind, from: &[&'a Query]| -> Vec<Asked<'a>> {
            let most = if from.is_empty() { 0 } else { most };
            (0..most).map(|_| Asked::of(from[random.below(from.len())], kind)).collect()
        };
        let prompts = |random: &mut Random, most: usize| -> Vec<Asked<'a>> {
            let prompt = |text| Asked { id: "", kind: "everyday", text, gold: &[], cluster: "" };
            (0..most).map(|_| prompt(everyday[random.below(everyday.len())])).collect()
        };
        let mut all = Vec::new();
        let share = self.foreign.div_ceil(pools.len().max(1));
        for pool in &pools {
            let clusters = clusters(pool, pools.len() > 1);
            let cluster = |query: &Query| clusters.get(query.gold[0].as_str()).copied().unwrap_or(pool.name);
            let held = pool
                .queries
                .iter()
                .map(|query| Asked { cluster: cluster(query), ..Asked::of(query, "held") });
            let mut questions: Vec<Asked> = held.collect();
            let of_others: Vec<&Query> = set.queries.iter().filter(|query| query.pool != pool.name).collect();
            questions.extend(some(&mut random, share, "foreign", &strangers));
            questions.extend(some(&mut random, share, "near", &of_others));
            questions.extend(prompts(&mut random, share));
            all.push(Asking { set: &set.name, pool: pool.name, units: pool.units.clone(), questions });
        }
        for part in 0..self.parts {
            let pool = &pools[random.below(pools.len())];
            if pool.queries.is_empty() {
                continue;
            }
            let held: Vec<&Query> =
                (0..PART_QUESTIONS).map(|_| pool.queries[random.below(pool.queries.len())]).collect();
            let mut kept: HashSet<&str> =
                held.iter().flat_map(|query| &query.gold).map(String::as_str).collect();
            let size = PARTS[part % PARTS.len()].min(pool.units.len());
            // A run of the pool, as a young workspace holds one.
            let start = random.below(pool.units.len() + 1 - size);
            kept.extend(pool.units[start..start + size].iter().map(|unit| unit.id.as_str()));
            let units: Vec<&Unit> =
                pool.units.iter().copied().filter(|unit| kept.contains(unit.id.as_str())).collect();
            let unknown: Vec<&Query> = set
                .queries
                .iter()
                .filter(|query| query.gold.iter().all(|gold| !kept.contains(gold.as_str())))
                .collect();
            let mut questions: Vec<Asked> = held.iter().map(|query| Asked::of(query, "held")).collect();
            questions.extend(some(&mut random, PART_QUESTIONS, "foreign", &strangers));
            questions.extend(some(&mut random, PART_QUESTIONS, "near", &unknown));
            questions.extend(prompts(&mut random, PART_QUESTIONS));
            all.push(Asking { set: &set.name, pool: "part", units, questions });
        }
        all
    }

    fn ask(
        &self,
        asking: &Asking<'_>,
        plain: &HashMap<String, BTreeMap<String, f64>>,
        embedder: &Arc<dyn Embedder>,
        out: &mut impl Write,
    ) -> Result<()> {
        let mut settings = volatile();
        settings.recall.ranker = self.ranker.clone().unwrap_or_default();
        let mut workspace = Workspace::temporary_with(settings, embedder)?;
        workspace.ingest(&asking.units)?;
        let nothing = BTreeMap::new();
        for question in &asking.questions {
            for &effort in &self.efforts {
                let asked = griot::recall::Query {
                    limit: CANDIDATES,
                    floor: false,
                    graph: !self.no_graph,
                    effort: Some(effort),
                    ..workspace.query(question.text)
                };
                let answer = workspace.recall(&asked)?;
                let results = &answer.results;
                let is_gold = |result: &RecallResult| {
                    let unit = workspace.unit(result.memory.id);
                    unit.is_some_and(|unit| question.gold.iter().any(|id| id == unit))
                };
                let line = Line {
                    set: asking.set,
                    id: question.id,
                    kind: question.kind,
                    pool: asking.pool,
                    cluster: question.cluster,
                    effort: effort.name(),
                    words: answer.understanding.words,
                    unknown: answer.understanding.unknown,
                    terms: answer.understanding.terms.len(),
                    capitals: answer.understanding.capitals,
                    evidence: question.gold.len(),
                    gold: (0..results.len()).filter(|at| is_gold(&results[*at])).collect(),
                    values: results.iter().map(values).collect(),
                    plain: plain.get(question.id).filter(|_| question.kind == "held").unwrap_or(&nothing),
                };
                self.write(out, &line)?;
            }
        }
        Ok(())
    }
}

/// nDCG@10 of each plain method by question.
fn plain(set: &Set, embedder: &dyn Embedder) -> Result<HashMap<String, BTreeMap<String, f64>>> {
    const LIMIT: usize = 10;
    let words = [(crate::page::Way::Bm25, baseline::by_words(set, LIMIT))];
    let ways: Vec<(crate::page::Way, Rankings)> =
        words.into_iter().chain(baseline::by_vectors(set, embedder, LIMIT)?).collect();
    let of = |query: &Query| {
        let measured = ways.iter().map(|(way, rankings)| {
            let ranked = rankings.get(&query.id).map_or(&[][..], Vec::as_slice);
            (way.name().to_owned(), Measures::of(ranked.iter().map(String::as_str), &query.gold).ndcg_at_10())
        });
        (query.id.clone(), measured.collect())
    };
    Ok(set.queries.iter().map(of).collect())
}

/// What questions share by the id of their first evidence; empty where they share the pool.
fn clusters<'a>(pool: &Pool<'a>, is_pool: bool) -> HashMap<&'a str, &'a str> {
    let units = pool.units.iter().filter(|_| !is_pool);
    units.map(|unit| (unit.id.as_str(), unit.source.as_str())).collect()
}

fn values(result: &RecallResult) -> [f32; SIGNALS] {
    let mut values = [0.0; SIGNALS];
    for signal in &result.signals {
        if let Some(at) = SignalName::ALL.iter().position(|known| known.name() == signal.name) {
            values[at] = signal.value;
        }
    }
    values
}
