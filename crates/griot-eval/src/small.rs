//! Does a small store give back what is asked for and nothing else?
//!
//! Ten stores of six or seven memories with forty questions, written for this suite: scopes of users and
//! projects, replaced memories, aliases, spelling mistakes. Precision counts what came back without being
//! asked for; a question without results has a precision of 0.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::{Result, Scope, Timestamp};
use griot::recall::Query;
use griot::remember::Draft;
use serde::Deserialize;

use crate::dataset;
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::workspace::Workspace;

/// Ask small stores and count what comes back.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    embedder: EmbedderOptions,
}

#[derive(Deserialize)]
struct Store {
    memories: Vec<Said>,
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Said {
    text: String,
    user: Option<String>,
    project: Option<String>,
    /// The memory that it replaces.
    supersedes: Option<usize>,
}

#[derive(Deserialize)]
struct Question {
    text: String,
    user: Option<String>,
    project: Option<String>,
    gold: Vec<usize>,
}

/// Means over the questions.
#[derive(Default)]
pub struct Outcome {
    pub questions: usize,
    pub precision: f64,
    pub recall: f64,
    /// Questions with a result too many or too few.
    wrong: Vec<String>,
}

/// 2026-01-05T08:00:00Z; each further memory comes a day later.
const START: i64 = 1_767_600_000_000;

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let outcome = measure(&self.embedder.open()?)?;
        output::print(&format!(
            "{} questions to small stores: precision {:.2}, recall {:.2}\n{}",
            outcome.questions,
            outcome.precision,
            outcome.recall,
            outcome.wrong.concat()
        ))?;
        Ok(true)
    }
}

pub fn measure(embedder: &Arc<dyn Embedder>) -> Result<Outcome> {
    let data = include_str!("../data/small_stores.jsonl");
    let stores: Vec<Store> = dataset::parse_lines(Path::new("small_stores.jsonl"), data)?;
    let mut outcome = Outcome::default();
    for store in &stores {
        let mut workspace = Workspace::temporary(embedder)?;
        let mut ids = Vec::new();
        for (number, said) in (0..).zip(&store.memories) {
            let scope = Scope { user: said.user.clone(), project: said.project.clone() };
            let at = Timestamp(START + number * Timestamp::DAY);
            let draft = Draft { scope, occurred_at: Some(at), ..Draft::new(&said.text) };
            let id = workspace.say(&number.to_string(), "user", draft)?.id;
            if let Some(old) = said.supersedes.and_then(|old| ids.get(old).copied()) {
                workspace.link_replaced(id, old)?;
            }
            ids.push(id);
        }
        for question in &store.questions {
            let scope = Scope { user: question.user.clone(), project: question.project.clone() };
            let answer = workspace.recall(&Query { scope, ..workspace.query(&question.text) })?;
            let is_gold = |id| question.gold.iter().any(|gold| ids.get(*gold) == Some(&id));
            let right = answer.results.iter().filter(|result| is_gold(result.memory.id)).count();
            outcome.questions += 1;
            outcome.precision += right as f64 / answer.results.len().max(1) as f64;
            outcome.recall += right as f64 / question.gold.len().max(1) as f64;
            if right < answer.results.len() || right < question.gold.len() {
                let shown = answer.results.iter().map(|result| format!("{:.2}", result.score));
                let shown: Vec<String> = shown.collect();
                outcome.wrong.push(format!("  {right} right of {}: {}\n", shown.join(" "), question.text));
            }
        }
    }
    let questions = outcome.questions.max(1) as f64;
    outcome.precision /= questions;
    outcome.recall /= questions;
    Ok(outcome)
}
