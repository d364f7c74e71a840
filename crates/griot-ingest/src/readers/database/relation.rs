//! Edges between rows of a database: between the drafts that the rows became.

use std::collections::{BTreeMap, HashMap};

use griot::model::{EdgeKind, Provenance, Timestamp};
use griot::remember::{DraftFact, DraftLink, DraftPlace};
use serde_json::Value;

use super::rows::Row;
use crate::readers::input::{Batch, Input};
use crate::readers::markup::one_line;

/// Longest reason, in characters.
const REASON: usize = 2000;
/// Said of an edge that runs both ways: which end is the cause is not known, so that it is a likeness only.
const BOTH_WAYS: &str = "cause and effect, in either direction";

/// An edge that says something that is not found again from texts, names and times.
pub(super) struct Edge {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) said: Said,
    pub(super) at: Option<Timestamp>,
}

/// What a row says of an edge beside its ends.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// 0 to 1.
    pub(super) weight: f32,
    /// 0 to 1, where the program names one.
    pub(super) confidence: Option<f32>,
    pub(super) provenance: Provenance,
    pub(super) label: Option<String>,
    pub(super) reason: Option<String>,
    /// Somebody judged it: it does not follow from texts, names and times.
    pub(super) judged: bool,
}

impl Said {
    /// The surer of two that say one thing, with the reason of either.
    fn or(self, other: Self) -> Self {
        let reason = self.reason.clone().or_else(|| other.reason.clone());
        let sure = |said: &Self| said.confidence.unwrap_or(said.provenance.confidence());
        let judged = self.judged || other.judged;
        let better = if (other.weight, sure(&other)) > (self.weight, sure(&self)) { other } else { self };
        Self { reason, judged, ..better }
    }
}

#[derive(Default)]
pub(super) struct Relations {
    /// By kind and both ends, so that an edge in both directions is added once.
    edges: BTreeMap<(EdgeKind, String, String), Edge>,
    /// What drafts state, for the end of the source.
    facts: Vec<DraftFact>,
    /// The place of the first draft of each row.
    places: HashMap<String, DraftPlace>,
    /// Counts of edges whose kinds are left out.
    left_out: BTreeMap<String, usize>,
}

impl Relations {
    /// Takes an edge, or counts it as left out. Those that Griot derives itself are neither.
    pub(super) fn add(&mut self, kind: &str, judged: bool, edge: impl FnOnce(EdgeKind) -> Option<Edge>) {
        let known = match kind {
            "causal" => EdgeKind::Causal,
            "supporting" => EdgeKind::Supporting,
            "contradicts" => EdgeKind::Contradicts,
            "supersedes" => EdgeKind::Supersedes,
            "semantic" if judged => EdgeKind::Semantic,
            "temporal" | "entity" | "narrative" | "semantic" if !judged => return,
            other => {
                *self.left_out.entry(one_line(other).chars().take(40).collect()).or_default() += 1;
                return;
            }
        };
        if let Some(edge) = edge(known).filter(|edge| edge.source != edge.target) {
            self.edges.insert((known, edge.source.clone(), edge.target.clone()), edge);
        }
    }

    pub(super) fn state(&mut self, fact: DraftFact) {
        self.facts.push(fact);
    }

    /// The place of the first draft of a row, once the row is read.
    pub(super) fn place(&self, key: &str) -> Option<&DraftPlace> {
        self.places.get(key)
    }

    /// Notes a draft of a row; edges of the row join its first draft.
    pub(super) fn became(&mut self, key: &str, session: Option<&str>, ordinal: Option<u32>) {
        if let Some(ordinal) = ordinal {
            let place = || DraftPlace { session: session.map(str::to_string), ordinal };
            self.places.entry(key.to_string()).or_insert_with(place);
        }
    }

    /// Adds the edges between the rows that were read, after all rows.
    pub(super) fn finish(mut self, input: &Input, batch: &mut Batch) {
        while let Some(((kind, ..), edge)) = self.edges.pop_first() {
            let back = self.edges.remove(&(kind, edge.target.clone(), edge.source.clone()));
            let (Some(source), Some(target)) = (self.places.get(&edge.source), self.places.get(&edge.target))
            else {
                continue;
            };
            let (kind, said) = match (kind, back) {
                // Neither is the one that is left.
                (EdgeKind::Supersedes, Some(_)) => continue,
                (EdgeKind::Causal, Some(back)) => {
                    let said = edge.said.or(back.said);
                    let reason = said.reason.map_or(String::new(), |reason| format!(": {reason}"));
                    (
                        EdgeKind::Semantic,
                        Said { reason: Some(format!("{BOTH_WAYS}{reason}")), label: None, ..said },
                    )
                }
                (kind, Some(back)) => (kind, edge.said.or(back.said)),
                (kind, None) => (kind, edge.said),
            };
            let Said { weight, confidence, provenance, label, reason, judged: _ } = said;
            let reason = reason.map(|reason| shortened(&reason));
            let new = DraftLink::new(source.clone(), target.clone(), kind);
            batch.links.push(DraftLink { label, weight, confidence, provenance, reason, at: edge.at, ..new });
        }
        batch.facts = self.facts;
        let count: usize = self.left_out.values().sum();
        if count > 0 {
            let kinds: Vec<String> =
                self.left_out.iter().take(10).map(|(kind, n)| format!("{n} `{kind}`")).collect();
            let edges = if count == 1 { "edge between memories is" } else { "edges between memories are" };
            let why = format!("{count} {edges} left out: {}", kinds.join(", "));
            batch.problem(input.error(why).hint("griot link joins two memories"));
        }
    }
}

/// One line that is not too long.
fn shortened(words: &str) -> String {
    let line = one_line(words);
    match line.char_indices().nth(REASON) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line,
    }
}

/// What a row keeps beside its columns, as JSON.
pub(super) fn metadata(row: &Row) -> Value {
    row.text("metadata").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// Words of the metadata under one of these names.
pub(super) fn word(metadata: &Value, names: &[&str]) -> Option<String> {
    let said = names.iter().find_map(|name| metadata.get(name)?.as_str())?;
    (!said.trim().is_empty() && !said.contains('\0')).then(|| said.to_string())
}

/// Why an edge was made, where its metadata say so.
pub(super) fn reason(metadata: &Value) -> Option<String> {
    word(metadata, &["reasoning", "reason"])
}

/// A share of one that the metadata name, as a number or in words.
pub(super) fn share(metadata: &Value, name: &str) -> Option<f32> {
    let value = metadata.get(name)?;
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    within(number)
}

/// From 0 to 1; nothing where it is no number.
pub(super) fn within(number: f64) -> Option<f32> {
    (!number.is_nan()).then(|| number.clamp(0.0, 1.0) as f32)
}
