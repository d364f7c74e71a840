//! What does the quality report say? Its figures, and the Markdown of `docs/quality.md` that the template
//! `data/quality.md.jinja` makes of them.

use griot::model::{Error, ErrorKind, Result};
use griot::recall::Effort;
use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::{Value, json};

use crate::ask::Asked;
use crate::output::thousands;
use crate::score::{ALL, Group, Measures, Scores};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Quality {
    /// The embedders, the built-in one first.
    pub embedders: Vec<String>,
    pub sets: Vec<SetQuality>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SetQuality {
    pub set: String,
    pub units: usize,
    pub questions: usize,
    pub pools: usize,
    /// Its units are turns of conversations.
    pub is_chat: bool,
    pub rows: Vec<Row>,
    /// Of the largest pool.
    pub cost: Option<SetCost>,
}

/// One method on one set.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub method: Way,
    /// Number of the embedder; `None` where none is used.
    pub embedder: Option<usize>,
    pub scores: Scores,
    /// Of Griot only: plain methods are not built to be fast here.
    pub median_ms: Option<f64>,
}

impl Row {
    /// The questions that count; `None` for a set without any.
    pub fn headline(&self) -> Option<&Group> {
        self.scores.headline()
    }

    pub fn ndcg(&self) -> f64 {
        self.headline().map_or(0.0, |group| group.mean.ndcg_at_10())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Way {
    Bm25,
    Vectors,
    Rrf,
    RrfContext,
    Low,
    Normal,
    High,
}

impl Way {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bm25 => "BM25",
            Self::Vectors => "vectors",
            Self::Rrf => "rank fusion",
            Self::RrfContext => "rank fusion with neighbours",
            Self::Low => "Griot, low",
            Self::Normal => "Griot, normal",
            Self::High => "Griot, high",
        }
    }

    pub const fn is_plain(self) -> bool {
        !matches!(self, Self::Low | Self::Normal | Self::High)
    }

    pub const fn of(effort: Effort) -> Self {
        match effort {
            Effort::Low => Self::Low,
            Effort::Normal => Self::Normal,
            Effort::High => Self::High,
        }
    }
}

/// Time and memory of a question in the largest pool.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SetCost {
    pub units: usize,
    /// In the order of [`Effort::ALL`].
    pub efforts: Vec<Asked>,
}

impl SetQuality {
    /// The best plain method with this embedder, BM25 among them; the first of equals.
    pub fn best_plain(&self, embedder: usize) -> Option<&Row> {
        let plain = self.rows.iter().filter(|row| row.method.is_plain());
        let own = plain.filter(|row| row.embedder.is_none_or(|number| number == embedder));
        own.rev().max_by(|a, b| a.ndcg().total_cmp(&b.ndcg()))
    }

    pub fn row(&self, method: Way, embedder: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.method == method && row.embedder == Some(embedder))
    }
}

/// The page with the figures to expect of other data; its last line of the table opens this page.
const LEFT_OUT: &str = include_str!("../../../docs/quality-left-out.md");

/// The whole document. `machine` says what it was measured on.
pub fn of(quality: &Quality, machine: &str) -> Result<String> {
    let cannot = |why| Error::new(ErrorKind::Bug, "write the report", format!("{why:#}"));
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    let mut page = Environment::new();
    page.set_syntax(syntax.build().map_err(cannot)?);
    page.add_filter("thousands", thousands);
    page.add_filter("one", |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.1}")));
    page.add_filter("three", |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.3}")));
    page.add_filter("megabytes", |bytes: Option<u64>| {
        bytes.map_or("–".into(), |bytes| format!("{:.0}", bytes as f64 / 1e6))
    });
    let context = json!({
        "left_out": LEFT_OUT.lines().find(|line| line.starts_with("geometric mean")),
        "machine": machine,
        "embedders": quality.embedders,
        "summary": summary(quality),
        "sets": quality.sets.iter().map(|set| one(set, &quality.embedders)).collect::<Vec<_>>(),
        "categories": quality.sets.iter().flat_map(categories).collect::<Vec<_>>(),
    });
    page.render_str(include_str!("../data/quality.md.jinja"), Serde(context)).map_err(cannot)
}

/// What the processor is and how many of it; for figures that depend on it.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let file = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = file.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    format!("{cores} cores of {model}, shared with other work")
}

/// Griot at normal effort beside the best plain method, set by set, and last the mean of the sets. Figures:
/// nDCG@10 of both with each embedder, then R@10 of both with the first.
fn summary(quality: &Quality) -> Vec<Value> {
    let figures = |set: &SetQuality| -> Vec<f64> {
        let both = |at| [set.best_plain(at), set.row(Way::Normal, at)];
        let recall = |row: &Row| row.headline().map_or(0.0, |group| group.mean.recall_at_10());
        let ndcg = (0..quality.embedders.len()).flat_map(both).map(|row| row.map_or(0.0, Row::ndcg));
        ndcg.chain(both(0).map(|row| row.map_or(0.0, recall))).collect()
    };
    let all: Vec<Vec<f64>> = quality.sets.iter().map(figures).collect();
    let mean = |at: usize| all.iter().map(|figures| figures[at]).sum::<f64>() / all.len() as f64;
    let means: Vec<f64> = (0..all.first().map_or(0, Vec::len)).map(mean).collect();
    let row = |(set, figures): (&SetQuality, &Vec<f64>)| {
        let method = set.best_plain(0).map(|row| row.method.name());
        json!({"set": set.set, "questions": set.questions, "method": method, "figures": figures})
    };
    let mean = json!({"set": "**mean of the sets**", "questions": "", "method": "", "figures": means});
    quality.sets.iter().zip(&all).map(row).chain([mean]).collect()
}

fn one(set: &SetQuality, embedders: &[String]) -> Value {
    let row = |row: &Row| {
        let group = row.headline()?;
        let embedder = row.embedder.and_then(|at| embedders.get(at)).map_or("–", String::as_str);
        Some(json!({
            "method": row.method.name(), "embedder": embedder, "median_ms": row.median_ms,
            "mean": group.mean, "half_width": group.half_width,
        }))
    };
    let mut of = json!(set);
    of["rows"] = set.rows.iter().filter_map(row).collect();
    of
}

/// Griot and BM25 in each category; all, and all but adversarial, are in the tables of the sets.
fn categories(set: &SetQuality) -> Vec<Value> {
    let (Some(own), Some(plain)) = (set.row(Way::Normal, 0), set.rows.first()) else { return Vec::new() };
    let groups = own.scores.groups.iter().filter(|group| !group.name.starts_with(ALL));
    let row = |own: &Group| {
        let plain = plain.scores.groups.iter().find(|other| other.name == own.name);
        let plain = plain.map_or(Measures::default(), |other| other.mean);
        json!({"set": set.set, "own": own, "plain": plain})
    };
    groups.map(row).collect()
}
