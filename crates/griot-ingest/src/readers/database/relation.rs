//! Edges between rows of a database: between the drafts that the rows became.

use std::collections::{BTreeMap, HashMap};

use griot::model::{EdgeKind, Provenance, Timestamp};
use griot::remember::{DraftFact, DraftLink, DraftPlace};
use serde_json::Value;

use super::rows::{Row, share};
use crate::readers::input::Batch;
use crate::readers::markup::one_line;

/// Longest reason, in characters.
const REASON: usize = 2000;
/// The reason of an edge in both directions: which end is the cause is unknown, so it only states a
/// similarity.
const BOTH_WAYS: &str = "cause and effect, in either direction";

/// What a row states about an edge beside its ends.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// 0 to 1.
    pub(super) weight: f32,
    /// 0 to 1, where the program names one.
    pub(super) confidence: Option<f32>,
    pub(super) provenance: Provenance,
    pub(super) label: Option<String>,
    pub(super) reason: Option<String>,
    /// A person or a model judged it: it does not follow from texts, names and times.
    pub(super) judged: bool,
}

impl Claim {
    /// The more confident of two that state the same, with the reason of either.
    fn or(self, other: Self) -> Self {
        let reason = self.reason.clone().or_else(|| other.reason.clone());
        let sure = |claim: &Self| claim.confidence.unwrap_or(claim.provenance.confidence());
        let judged = self.judged || other.judged;
        let better = if (other.weight, sure(&other)) > (self.weight, sure(&self)) { other } else { self };
        Self { reason, judged, ..better }
    }
}

#[derive(Default)]
pub(super) struct Relations {
    /// By kind and both ends, so that an edge in both directions is added once.
    edges: BTreeMap<(EdgeKind, String, String), (Claim, Option<Timestamp>)>,
    /// Facts that drafts state, added at the end of the source.
    facts: Vec<DraftFact>,
    /// The first draft of each row.
    drafts: HashMap<String, DraftPlace>,
    /// Kinds of edges that are left out.
    left_out: Counts,
}

impl Relations {
    /// Takes the edge of a row, or counts it as left out. Those that Griot derives itself are neither. A
    /// causal edge is turned around if `is_backward`.
    pub(super) fn add(
        &mut self,
        row: &Row,
        kind: &str,
        claim: Claim,
        is_backward: impl Fn(&str, &str) -> bool,
    ) {
        let known = match kind {
            "causal" => EdgeKind::Causal,
            "supporting" => EdgeKind::Supporting,
            "contradicts" => EdgeKind::Contradicts,
            "supersedes" => EdgeKind::Supersedes,
            "semantic" if claim.judged => EdgeKind::Semantic,
            "temporal" | "entity" | "narrative" | "semantic" if !claim.judged => return,
            other => return self.left_out.add(other),
        };
        let ends = (row.key("source_id"), row.key("target_id"));
        let (Some(mut source), Some(mut target)) = ends else { return };
        if known == EdgeKind::Causal && is_backward(&source, &target) {
            std::mem::swap(&mut source, &mut target);
        }
        if source != target {
            self.edges.insert((known, source, target), (claim, row.time(&["created_at"])));
        }
    }

    pub(super) fn state(&mut self, fact: DraftFact) {
        self.facts.push(fact);
    }

    /// The first draft of a row, once the row is read.
    pub(super) fn draft(&self, key: &str) -> Option<&DraftPlace> {
        self.drafts.get(key)
    }

    /// Notes a draft of a row; edges of the row join its first draft.
    pub(super) fn became(&mut self, key: &str, session: Option<&str>, ordinal: Option<u32>) {
        if let Some(ordinal) = ordinal {
            let draft = || DraftPlace { session: session.map(str::to_string), ordinal };
            self.drafts.entry(key.to_string()).or_insert_with(draft);
        }
    }

    /// Adds the edges between the rows that were read, after all rows.
    pub(super) fn finish(mut self, batch: &mut Batch) {
        while let Some(((kind, source, target), (claim, at))) = self.edges.pop_first() {
            let reversed = (kind, target, source);
            let back = self.edges.remove(&reversed).map(|(back, _)| back);
            let (_, target, source) = reversed;
            let (Some(source), Some(target)) = (self.drafts.get(&source), self.drafts.get(&target)) else {
                continue;
            };
            let (kind, claim) = match (kind, back) {
                // Each replaces the other, so neither is kept.
                (EdgeKind::Supersedes, Some(_)) => continue,
                (EdgeKind::Causal, Some(back)) => {
                    let claim = claim.or(back);
                    let reason = claim.reason.map_or(String::new(), |reason| format!(": {reason}"));
                    let reason = Some(format!("{BOTH_WAYS}{reason}"));
                    (EdgeKind::Semantic, Claim { reason, label: None, ..claim })
                }
                (kind, Some(back)) => (kind, claim.or(back)),
                (kind, None) => (kind, claim),
            };
            let Claim { weight, confidence, provenance, label, reason, judged: _ } = claim;
            let reason = reason.map(|reason| shortened(&reason));
            let new = DraftLink::new(source.clone(), target.clone(), kind);
            batch.source.links.push(DraftLink { label, weight, confidence, provenance, reason, at, ..new });
        }
        batch.source.facts = self.facts;
        let edges = ["edge between memories is", "edges between memories are"];
        if let Some(why) = self.left_out.shown(edges, "left out") {
            batch.report(batch.error(why).hint("griot link joins two memories"));
        }
    }
}

/// How often words occurred.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<String, usize>);

impl Counts {
    pub(super) fn add(&mut self, word: &str) {
        *self.0.entry(one_line(word).chars().take(40).collect()).or_default() += 1;
    }

    /// `3 edges are left out: 2 `a`, 1 `b``; `None` without any. `things` are one, or several.
    pub(super) fn shown(&self, [one, several]: [&str; 2], what: &str) -> Option<String> {
        let count: usize = self.0.values().sum();
        let words: Vec<String> = self.0.iter().take(10).map(|(word, n)| format!("{n} `{word}`")).collect();
        let things = if count == 1 { one } else { several };
        (count > 0).then(|| format!("{count} {things} {what}: {}", words.join(", ")))
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
    let claim = names.iter().find_map(|name| metadata.get(name)?.as_str())?;
    (!claim.trim().is_empty() && !claim.contains('\0')).then(|| claim.to_string())
}

/// Why an edge was made, where its metadata say so.
pub(super) fn reason(metadata: &Value) -> Option<String> {
    word(metadata, &["reasoning", "reason"])
}

/// A confidence that the metadata name, as a number or in words.
pub(super) fn confidence(metadata: &Value) -> Option<f32> {
    let value = metadata.get("confidence")?;
    share(value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?)
}
