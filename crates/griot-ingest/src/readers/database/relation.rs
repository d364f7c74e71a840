//! Edges between rows of a database: between the drafts that the rows became.

use std::collections::{BTreeMap, HashMap};

use griot::model::{EdgeKind, Timestamp};
use griot::remember::{DraftLink, DraftPlace};
use serde_json::Value;

use super::rows::Row;
use crate::readers::input::{Batch, Input};
use crate::readers::markdown::one_line;

/// Longest reason, in characters.
const REASON: usize = 2000;
/// Said of an edge that runs both ways: which end is the cause is not known, so that it is a likeness only.
const BOTH_WAYS: &str = "cause and effect, in either direction";

/// An edge that says something that is not found again from texts, names and times.
pub(super) struct Edge {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) reason: Option<String>,
    pub(super) at: Option<Timestamp>,
}

#[derive(Default)]
pub(super) struct Relations {
    /// By kind and both ends, so that an edge that runs both ways is told once.
    edges: BTreeMap<(EdgeKind, String, String), Edge>,
    /// Where the first draft of a row stands.
    places: HashMap<String, DraftPlace>,
    /// Edges of kinds that are not told.
    left_out: BTreeMap<String, usize>,
}

impl Relations {
    /// Takes an edge, or counts it as left out. Those that Griot derives itself are neither.
    pub(super) fn add(&mut self, kind: &str, edge: impl FnOnce(EdgeKind) -> Option<Edge>) {
        let told = match kind {
            "causal" => EdgeKind::Causal,
            "supporting" => EdgeKind::Supporting,
            "contradicts" => EdgeKind::Contradicts,
            "supersedes" => EdgeKind::Supersedes,
            "temporal" | "entity" | "narrative" | "semantic" => return,
            other => {
                *self.left_out.entry(one_line(other).chars().take(40).collect()).or_default() += 1;
                return;
            }
        };
        if let Some(edge) = edge(told).filter(|edge| edge.source != edge.target) {
            self.edges.insert((told, edge.source.clone(), edge.target.clone()), edge);
        }
    }

    /// A row became a draft; the first one stands for it.
    pub(super) fn stands(&mut self, key: &str, session: Option<&str>, ordinal: Option<u32>) {
        if let Some(ordinal) = ordinal {
            let place = || DraftPlace { session: session.map(str::to_string), ordinal };
            self.places.entry(key.to_string()).or_insert_with(place);
        }
    }

    /// After all rows: the edges between those that were read.
    pub(super) fn tell(mut self, input: &Input, batch: &mut Batch) {
        while let Some(((kind, ..), edge)) = self.edges.pop_first() {
            let back = self.edges.remove(&(kind, edge.target.clone(), edge.source.clone()));
            let (Some(source), Some(target)) = (self.places.get(&edge.source), self.places.get(&edge.target)) else {
                continue;
            };
            let (kind, reason) = match (kind, back) {
                // Neither is the one that is left.
                (EdgeKind::Supersedes, Some(_)) => continue,
                (EdgeKind::Causal, Some(back)) => {
                    let said = edge.reason.or(back.reason).map_or(String::new(), |reason| format!(": {reason}"));
                    (EdgeKind::Semantic, Some(format!("{BOTH_WAYS}{said}")))
                }
                (kind, back) => (kind, edge.reason.or_else(|| back.and_then(|back| back.reason))),
            };
            let (source, target) = (source.clone(), target.clone());
            let reason = reason.map(|reason| shortened(&reason));
            batch.links.push(DraftLink { source, target, kind, reason, at: edge.at });
        }
        let count: usize = self.left_out.values().sum();
        if count > 0 {
            let kinds: Vec<String> = self.left_out.iter().take(10).map(|(kind, n)| format!("{n} `{kind}`")).collect();
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

/// Why an edge was made, where its metadata say so.
pub(super) fn reason(row: &Row) -> Option<String> {
    let metadata: Value = serde_json::from_str(row.text("metadata")?).ok()?;
    let said = ["reasoning", "reason"].iter().find_map(|name| metadata.get(name)?.as_str())?;
    (!said.trim().is_empty() && !said.contains('\0')).then(|| said.to_string())
}
