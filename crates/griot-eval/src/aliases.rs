//! How often are two names of one thing taken for one, and two things for one?
//!
//! Reads JSON Lines of `{"id", "type", "names", "others"}`: names of one entity, and names of others of its
//! type in the same text. Every pair is judged by the rules that `griot merges --suggest` uses, with the
//! built-in embedder.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use griot::embed::{Embedder, StaticEmbedder};
use griot::model::{Error, Result};
use griot::remember::alike::{self, NameMatch};
use griot::text::normal_name;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    names: Vec<String>,
    others: Vec<String>,
}

/// Pairs, and how many of them are of one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub pairs: u32,
    pub right: u32,
}

impl Tally {
    fn add(&mut self, right: bool) {
        self.pairs += 1;
        self.right += u32::from(right);
    }

    fn share(self) -> f64 {
        f64::from(self.right) / f64::from(self.pairs.max(1))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    pub all: Tally,
    /// By cosine alone.
    pub from_92: Tally,
    pub from_88: Tally,
    /// By the rules.
    pub sure: Tally,
    pub maybe: Tally,
}

/// Judges every pair of a file, each once a text.
pub fn measure(path: &Path) -> Result<Outcome> {
    let what = || format!("read {}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| Error::unavailable(what(), why.to_string()))?;
    let mut pairs: BTreeMap<(String, String, String), bool> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let case: Case = serde_json::from_str(line)
            .map_err(|why| Error::invalid(what(), format!("line {}: {why}", number + 1)))?;
        for (position, one) in case.names.iter().enumerate() {
            for other in &case.names[position + 1..] {
                pairs.insert(key(&case.id, one, other), true);
            }
            for other in &case.others {
                pairs.entry(key(&case.id, one, other)).or_insert(false);
            }
        }
    }
    let mut outcome = Outcome::default();
    for ((_, one, other), right) in pairs {
        // Equal normal forms are one name: no rule is asked.
        if normal_name(&one) == normal_name(&other) {
            continue;
        }
        let cosine = match StaticEmbedder.embed(&[one.as_str(), other.as_str()])?.as_slice() {
            [Some(x), Some(y)] => x.iter().zip(y).map(|(x, y)| x * y).sum(),
            _ => 0.0,
        };
        outcome.all.add(right);
        match cosine {
            c if c >= 0.92 => outcome.from_92.add(right),
            c if c >= alike::LEAST_COSINE => outcome.from_88.add(right),
            _ => {}
        }
        match alike::alike(&one, &other, cosine) {
            Some(NameMatch::Sure) => outcome.sure.add(right),
            Some(NameMatch::Maybe) => outcome.maybe.add(right),
            None => {}
        }
    }
    Ok(outcome)
}

fn key(id: &str, one: &str, other: &str) -> (String, String, String) {
    (id.to_owned(), one.min(other).to_owned(), one.max(other).to_owned())
}

/// As a table.
pub fn table(outcome: &Outcome) -> String {
    let mut table = format!("{} pairs, {} of one thing\n", outcome.all.pairs, outcome.all.right);
    for (name, tally) in [
        ("cosine >= 0.92", outcome.from_92),
        ("cosine 0.88 to 0.92", outcome.from_88),
        ("sure (merged with --auto)", outcome.sure),
        ("suggested", outcome.maybe),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{name:26} {:5} pairs, {:5} right, {:.3}",
            tally.pairs,
            tally.right,
            tally.share()
        );
    }
    table
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn pairs_are_judged_once_a_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("aliases.jsonl");
        let lines = "{\"id\":\"a\",\"type\":\"PER\",\"names\":[\"Durán\",\"Duran\"],\"others\":[\"Zebra\"]}\n\
                     {\"id\":\"a\",\"type\":\"PER\",\"names\":[\"Zebra\"],\"others\":[\"Durán\",\"Duran\"]}\n";
        std::fs::write(&path, lines).unwrap();
        let outcome = measure(&path).unwrap();
        assert_eq!((outcome.all, outcome.sure), (Tally { pairs: 3, right: 1 }, Tally { pairs: 1, right: 1 }));
        assert!(table(&outcome).contains("3 pairs, 1 of one thing"));
        std::fs::write(&path, "{}").unwrap();
        assert!(measure(&path).is_err());
    }
}
