//! In a folder of documents that change each other: is what holds found first, and are marks right?
//!
//! Three archives of 35 documents each (`data/archives/`: a clinic, a climbing club and a bakery, which is
//! partly German), with what outdates what, with pairs that only look so, and with questions in other words
//! than the documents'. Their writer did not know the engine. The program reads the folder and answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::{Error, Result};
use serde_json::Value;

use crate::hooks::beside;
use crate::output;
use crate::peer::Installation;
use crate::workspace;

macro_rules! archives {
    ($($name:literal),*) => {
        [$(Archive {
            name: $name,
            files: include_str!(concat!("../data/archives/", $name, ".txt")),
            gold: include_str!(concat!("../data/archives/", $name, ".gold.tsv")),
            questions: include_str!(concat!("../data/archives/", $name, ".questions.tsv")),
        }),*]
    };
}

const ARCHIVES: [Archive; 3] = archives!("clinic", "climbing", "bakery");
/// Results of a question that are looked at.
const SHOWN: &str = "10";
/// Characters of a quote, at either end, by which it is known in an excerpt.
const KNOWN: usize = 28;

struct Archive {
    name: &'static str,
    /// Each begins with a line `@@@ name`.
    files: &'static str,
    gold: &'static str,
    questions: &'static str,
}

/// Read folders of documents that change each other, and ask for what holds, held, and never changed.
#[derive(Args)]
pub struct Options {
    /// The program; by default `griot` beside this one
    #[arg(long)]
    griot: Option<PathBuf>,
    /// Print the marks that are wrong
    #[arg(long)]
    show: bool,
}

/// What was counted, by its name in the table.
type Counts = BTreeMap<&'static str, usize>;

/// A statement: the file and a piece of it.
type Quote = (&'static str, &'static str);

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let griot = match &self.griot {
            Some(path) => path.clone(),
            None => beside()?,
        };
        output::print(&format!(
            "{:10}{:>14}{:>10}{:>10}{:>10}{:>10}{:>14}{:>12}\n",
            "archive", "now, outdated", "before", "plain", "in three", "silent", "marks right", "changes"
        ))?;
        let mut all = Counts::new();
        for archive in &ARCHIVES {
            let counts = self.measure(archive, &griot)?;
            print_row(archive.name, &counts)?;
            counts.into_iter().for_each(|(name, count)| *all.entry(name).or_default() += count);
        }
        print_row("together", &all)?;
        Ok(true)
    }

    fn measure(&self, archive: &Archive, griot: &Path) -> Result<Counts> {
        let folder = workspace::folder(None)?;
        let documents = folder.path().join("documents");
        std::fs::create_dir(&documents)
            .map_err(|why| Error::unavailable("make a folder", why.to_string()))?;
        for part in archive.files.split("@@@ ").filter(|part| !part.is_empty()) {
            let (name, text) = part.split_once('\n').unwrap_or((part, ""));
            output::write(&documents.join(name), text)?;
        }
        let griot = Installation::new(griot, folder.path(), folder.path())?;
        griot.talk(&["ingest", &documents.to_string_lossy()])?.rest();
        let gold: Vec<[&'static str; 7]> = rows(archive.gold).collect();
        let changes: Vec<(Quote, Quote, bool)> = gold
            .iter()
            .filter(|row| row[0] != "trap")
            .map(|row| ((row[1], row[2]), (row[3], row[4]), row[0] == "change"))
            .collect();
        let mut counts = Counts::new();
        let mut marks: BTreeMap<(String, String), [Value; 2]> = BTreeMap::new();
        let mut known: BTreeMap<String, Value> = BTreeMap::new();
        let questions: Vec<[&'static str; 4]> = rows(archive.questions).collect();
        let asked = questions.iter().map(|row| (row[0], Some(row)));
        for (question, row) in asked.chain(gold.iter().map(|row| (row[2], None))) {
            let lines = griot.talk(&["--json", "recall", "--limit", SHOWN, "--", question])?.rest();
            let answer: Value = serde_json::from_str(&lines)
                .map_err(|why| Error::invalid("read an answer of the program", why.to_string()))?;
            let results = answer["results"].as_array().cloned().unwrap_or_default();
            for result in &results {
                known.insert(handle(&result["handle"]), result.clone());
            }
            for result in &results {
                let standing = &result["standing"];
                let is_over = ["outdated", "cancelled"].iter().any(|is| standing["is"] == *is);
                if let Some(by) = standing["by_handle"].as_str().filter(|_| is_over) {
                    let new = known.get(by).cloned().unwrap_or_default();
                    marks.insert((handle(&result["handle"]), by.to_string()), [result.clone(), new]);
                }
            }
            if let Some([_, file, quote, kind]) = row {
                count(&mut counts, kind, &results, (file, quote), &changes);
            }
        }
        let is_right =
            |[old, new]: &[Value; 2]| changes.iter().any(|(was, is, _)| holds(old, *was) && holds(new, *is));
        let found: BTreeSet<Quote> = marks
            .values()
            .filter(|pair| is_right(pair))
            .flat_map(|[old, _]| changes.iter().filter(|(was, _, is_main)| *is_main && holds(old, *was)))
            .map(|(was, ..)| *was)
            .collect();
        counts.insert("marks", marks.len());
        counts.insert("right", marks.values().filter(|pair| is_right(pair)).count());
        counts.insert("changes", changes.iter().filter(|(.., is_main)| *is_main).count());
        counts.insert("marked", found.len());
        if self.show {
            for [old, new] in marks.values().filter(|pair| !is_right(pair)) {
                output::print(&format!("  wrong: {}\n     by: {}\n", shown(old), shown(new)))?;
            }
        }
        Ok(counts)
    }
}

fn count(
    counts: &mut Counts,
    kind: &'static str,
    results: &[Value],
    wanted: Quote,
    changes: &[(Quote, Quote, bool)],
) {
    let mut add = |name: &'static str, is: bool| *counts.entry(name).or_default() += usize::from(is);
    let rank = results.iter().position(|result| holds(result, wanted));
    let first = rank == Some(0);
    match kind {
        "none" => {
            add("none", true);
            return add("silent", results.is_empty());
        }
        "now" => {
            let outdated = |first: &Value| {
                changes.iter().any(|(was, is, _)| is.0 == wanted.0 && !first.is_null() && holds(first, *was))
            };
            add("now", true);
            add("now first", first);
            add("outdated", !first && results.first().is_some_and(outdated));
        }
        "before" => {
            add("before", true);
            add("before first", first);
        }
        _ => {
            add("plain", true);
            add("plain first", first);
        }
    }
    add("asked", true);
    add("three", rank.is_some_and(|rank| rank < 3));
}

fn print_row(name: &str, counts: &Counts) -> Result<()> {
    let of = |name: &str| counts.get(name).copied().unwrap_or_default();
    let pair = |one: &str, all: &str| format!("{}/{}", of(one), of(all));
    output::print(&format!(
        "{name:10}{:>14}{:>10}{:>10}{:>10}{:>10}{:>14}{:>12}\n",
        format!("{}, {}", pair("now first", "now"), of("outdated")),
        pair("before first", "before"),
        pair("plain first", "plain"),
        pair("three", "asked"),
        pair("silent", "none"),
        pair("right", "marks"),
        pair("marked", "changes")
    ))
}

/// Whether a result is of the file and has the beginning or the end of the quote.
fn holds(result: &Value, (file, quote): Quote) -> bool {
    let text = plain(result["text"].as_str().unwrap_or_default());
    let quote: Vec<char> = plain(quote).chars().collect();
    let ends = [&quote[..quote.len().min(KNOWN)], &quote[quote.len().saturating_sub(KNOWN)..]];
    let is_of = !file.is_empty() && result["cite"].as_str().is_some_and(|cite| cite.contains(file));
    is_of && ends.iter().any(|end| text.contains(&end.iter().collect::<String>()))
}

/// Words alone, without marks of Markdown.
fn plain(text: &str) -> String {
    let text = text.replace(['*', '`', '|'], " ").to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn handle(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

fn shown(result: &Value) -> String {
    let text: String = plain(result["text"].as_str().unwrap_or_default()).chars().take(160).collect();
    let cite = result["cite"].as_str().unwrap_or_default();
    format!("{} {text}", cite.rsplit('/').next().unwrap_or_default())
}

fn rows<const COLUMNS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split('\t').collect::<Vec<_>>().try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quote_is_in_its_file() {
        for archive in &ARCHIVES {
            let file = |name: &str| {
                let parts = archive.files.split("@@@ ").filter_map(|part| part.split_once('\n'));
                parts.filter(|(own, _)| *own == name).map(|(_, text)| plain(text)).next().unwrap_or_default()
            };
            let gold: Vec<[&str; 7]> = rows(archive.gold).collect();
            let questions: Vec<[&str; 4]> = rows(archive.questions).collect();
            assert!(gold.len() > 40 && questions.len() == 24, "{}", archive.name);
            let quotes = gold.iter().flat_map(|row| [(row[1], row[2]), (row[3], row[4])]);
            let quotes = quotes.chain(questions.iter().map(|row| (row[1], row[2])));
            for (name, quote) in quotes.filter(|(name, _)| !name.is_empty()) {
                let is_table = name.ends_with(".csv");
                assert!(is_table || file(name).contains(&plain(quote)), "{name}: {quote}");
            }
        }
    }
}
