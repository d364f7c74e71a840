//! What does a language model that is right add, and are the replies of a real one understood?
//!
//! Worlds whose causes and replacements are known answer instead of a model, so that this measures what a
//! model is asked about and what follows from its replies, not the model. Recorded replies show what the
//! parsers make of the words of a real one.

use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::{Error, Result};
use griot::remember::Draft;
use griot::remember::reading::ReadingTally;
use griot_enrich::causes::{self, Relation, Texts};
use griot_enrich::sessions;
use serde_json::Value;

use crate::dataset::parse_lines;
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::workspace::Workspace;
use crate::world::Means;
use crate::{causal, state};

/// Measure what is read by a language model, with replies that are known.
#[derive(Args)]
pub struct Options {
    /// Worlds in which knowledge changes: files, or folders of them.
    #[arg(long)]
    state: Vec<PathBuf>,
    /// Worlds of causes: files, or folders of them.
    #[arg(long)]
    causal: Vec<PathBuf>,
    /// A folder with recorded replies: `causal.jsonl`, `links.jsonl`, `observations.jsonl`.
    #[arg(long)]
    replies: Option<PathBuf>,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let embedder = self.embedder.open()?;
        if !self.causal.is_empty() || !self.state.is_empty() {
            output::print(&format!("{:24}{:>12}{:>12}{:>12}\n", "", "no edges", "offers", "read"))?;
        }
        if !self.causal.is_empty() {
            output::print(&row("whole chain in ten", causal::whole_chains(&self.causal, &embedder)?))?;
        }
        if !self.state.is_empty() {
            output::print(&row("present first", state::present_first(&self.state, &embedder)?))?;
        }
        if let Some(folder) = &self.replies {
            let pairs = Pairs::of(&folder.join("causal.jsonl"), false)?;
            output::print(&format!("causal.jsonl: {}\n", pairs.line()))?;
            let links = Pairs::of(&folder.join("links.jsonl"), true)?;
            output::print(&format!("links.jsonl: {}\n", links.line()))?;
            output::print(&observations(&folder.join("observations.jsonl"))?)?;
        }
        Ok(true)
    }
}

fn row(name: &str, means: Means) -> String {
    let cell = |mean: Option<(f64, usize)>| mean.map_or("-".to_owned(), |(mean, _)| format!("{mean:.3}"));
    let [a, b, c] = means.map(cell);
    let count = means.iter().flatten().map(|(_, count)| *count).max().unwrap_or_default();
    format!("{name:24}{a:>12}{b:>12}{c:>12}   of {count} questions\n")
}

/// The lines of a file as JSON.
fn lines(file: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Error::unavailable(format!("read {}", file.display()), error.to_string()))?;
    parse_lines(file, &text)
}

/// Recorded replies about pairs.
#[derive(Clone, PartialEq, Debug, Default)]
struct Pairs {
    replies: usize,
    refused: usize,
    causes: usize,
    replaced: usize,
    /// Of both, those with the confidence that is asked for by default.
    sure: usize,
    skipped: u32,
}

impl Pairs {
    /// Reads a file whose replies are about `facts`, or about the `neighbours` of one text.
    fn of(file: &Path, are_neighbours: bool) -> Result<Self> {
        let mut pairs = Self::default();
        for line in lines(file)? {
            let list = if are_neighbours { "neighbours" } else { "facts" };
            let count = line[list].as_array().map_or(0, Vec::len);
            let others: Vec<Option<usize>> = vec![Some(count); count];
            let texts = if are_neighbours { Texts::Compared(&others) } else { Texts::All(count) };
            pairs.add(&line["reply"], texts);
        }
        Ok(pairs)
    }

    fn add(&mut self, reply: &Value, texts: Texts<'_>) {
        let least = griot::engine::Settings::default().enrich.least_confidence;
        self.replies += 1;
        let Ok(decided) = causes::read(reply, texts) else {
            self.refused += 1;
            return;
        };
        let of = |relation| decided.decisions.iter().filter(|one| one.relation == relation).count();
        self.causes += of(Relation::Causes);
        self.replaced += of(Relation::Replaces);
        self.sure += decided.decisions.iter().filter(|one| one.confidence >= least).count();
        self.skipped += decided.skipped;
    }

    fn line(&self) -> String {
        let Self { replies, refused, causes, replaced, sure, skipped } = self;
        format!(
            "{replies} replies, {refused} unreadable; {causes} causes, {replaced} replacements, {sure} of \
             both sure enough, {skipped} skipped"
        )
    }
}

/// Recorded observations: each becomes a memory, and its triples the facts of that memory.
fn observations(file: &Path) -> Result<String> {
    let mut workspace = Workspace::temporary(&crate::embedder::built_in())?;
    let (mut count, mut unreadable, mut skipped) = (0, 0, 0);
    let (mut stated, mut sum) = (0, ReadingTally::default());
    for line in lines(file)? {
        let Ok(reply) = sessions::read(&line["reply"]) else {
            unreadable += 1;
            continue;
        };
        skipped += reply.skipped;
        for observation in reply.found {
            let draft = Draft { kind: Some(observation.kind.clone()), ..Draft::new(observation.text()) };
            let memory = workspace.say(&format!("o{count}"), "session", draft)?.id;
            let facts = observation.facts();
            count += 1;
            stated += facts.len();
            sum += workspace.read_facts(memory, facts)?;
        }
    }
    Ok(format!(
        "observations.jsonl: {unreadable} replies unreadable; {count} observations, {stated} facts, \
         {skipped} parts skipped; {} facts stored, {} dropped because the memory does not name both ends; {} \
         contradict another one\n",
        sum.facts,
        sum.dropped,
        workspace.contradictions()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_replies_are_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("causal.jsonl");
        let reply = "Sure:\n```json\n[{\"source_fact_idx\":0,\"target_fact_idx\":1,\"confidence\":0.9},\
            {\"source_fact_idx\":1,\"target_fact_idx\":2,\"confidence\":0.4},\
            {\"source_fact_idx\":1,\"target_fact_idx\":7,\"confidence\":0.9}]\n```";
        let line = serde_json::json!({"facts": ["a", "b", "c"], "reply": reply});
        let bad = serde_json::json!({"facts": ["a"], "reply": "no"});
        std::fs::write(&file, format!("{line}\n{bad}\n")).expect("a file");
        let pairs = Pairs::of(&file, false).expect("it reads");
        let expected = Pairs { replies: 2, refused: 1, causes: 2, sure: 1, skipped: 1, ..Pairs::default() };
        assert_eq!(pairs, expected);
    }

    #[test]
    fn triples_of_observations_become_facts_of_their_memories() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("observations.jsonl");
        let triple = |subject: &str, predicate: &str, object: &str| {
            format!(
                "<triple><subject>{subject}</subject><predicate>{predicate}</predicate>\
                 <object>{object}</object></triple>"
            )
        };
        let reply = format!(
            "<observation><type>decision</type><title>The shop moves</title><turns>1</turns><narrative>The \
             shop now uses Redis.</narrative><triples>{}{}{}</triples></observation>",
            triple("shop", "uses", "Redis"),
            triple("shop", "uses", "Kafka"),
            triple("shop", "likes", "Redis"),
        );
        std::fs::write(&file, serde_json::json!({"reply": reply}).to_string()).expect("a file");
        let text = observations(&file).expect("it reads");
        assert!(
            text.contains("1 observations, 2 facts, 1 parts skipped; 1 facts stored, 1 dropped"),
            "{text}"
        );
    }
}
