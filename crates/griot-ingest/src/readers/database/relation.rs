//! Edges between rows of a database, told as memories.
//!
//! A draft cannot say which other draft it is joined to, but it can name entities. So both ends of an edge name an
//! entity that stands for the row, and the edge becomes a memory that names the two: the walk from one end to the other
//! goes over it, and what was said about the edge is text that can be found.

use std::collections::{BTreeMap, HashMap, HashSet};

use griot::model::{EntityType, Result, Timestamp};
use griot::remember::EntityDraft;
use serde_json::Value;

use super::rows::Row;
use crate::readers::input::{Batch, Input};
use crate::readers::markdown::one_line;

/// Longest piece of a row's text that stands for it.
const EXCERPT: usize = 160;
/// Longest reason.
const REASON: usize = 2000;

/// An edge that says something that is not found again from texts, names and times.
pub(super) struct Edge {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) kind: &'static str,
    pub(super) reason: Option<String>,
    pub(super) at: Option<Timestamp>,
}

/// What stands for a row.
struct End {
    entity: EntityDraft,
    words: String,
}

#[derive(Default)]
pub(super) struct Relations {
    /// By both ends and kind, so that an edge that runs both ways is told once.
    edges: BTreeMap<(String, String, &'static str), Edge>,
    wanted: HashSet<String>,
    ends: HashMap<String, End>,
    /// Edges of kinds that are not told.
    left_out: BTreeMap<String, usize>,
}

impl Relations {
    /// Takes an edge, or counts it as left out. Those that Griot derives itself are neither.
    pub(super) fn add(&mut self, kind: &str, edge: impl FnOnce(&'static str) -> Option<Edge>) {
        let told = match kind {
            "causal" => "causal",
            "supporting" => "supporting",
            "contradicts" => "contradicts",
            "supersedes" => "supersedes",
            "temporal" | "entity" | "narrative" | "semantic" => return,
            other => {
                *self.left_out.entry(one_line(other).chars().take(40).collect()).or_default() += 1;
                return;
            }
        };
        if let Some(edge) = edge(told).filter(|edge| edge.source != edge.target) {
            self.wanted.extend([edge.source.clone(), edge.target.clone()]);
            self.edges.insert((edge.source.clone(), edge.target.clone(), told), edge);
        }
    }

    /// The entity that the drafts of a row name if it is the end of an edge.
    pub(super) fn end(&mut self, key: &str, name: &str, kind: EntityType, words: &str) -> Option<EntityDraft> {
        if !self.wanted.contains(key) {
            return None;
        }
        let entity = EntityDraft { name: one_line(name), kind: Some(kind) };
        let end = End { entity: entity.clone(), words: shortened(words, EXCERPT).trim_end_matches('.').to_string() };
        self.ends.insert(key.to_string(), end);
        Some(entity)
    }

    /// After all rows: tells the edges between those that were read.
    pub(super) fn tell(
        mut self,
        input: &Input,
        batch: &mut Batch,
        full: &mut dyn FnMut(&mut Batch) -> Result<()>,
    ) -> Result<()> {
        while let Some((_, edge)) = self.edges.pop_first() {
            let (Some(source), Some(target)) = (self.ends.get(&edge.source), self.ends.get(&edge.target)) else {
                continue;
            };
            let back = self.edges.remove(&(edge.target.clone(), edge.source.clone(), edge.kind));
            let both = back.is_some();
            let reason = edge.reason.or_else(|| back.and_then(|back| back.reason));
            let mut draft = input.draft(sentence(edge.kind, both, &source.words, &target.words, reason), "relation");
            draft.entities = vec![source.entity.clone(), target.entity.clone()];
            draft.session = Some("relations".to_string());
            draft.occurred_at = edge.at.or_else(|| input.time());
            batch.push(input, draft, "an edge");
            full(batch)?;
        }
        let count: usize = self.left_out.values().sum();
        if count > 0 {
            let kinds: Vec<String> = self.left_out.iter().take(10).map(|(kind, n)| format!("{n} `{kind}`")).collect();
            let edges = if count == 1 { "edge between memories is" } else { "edges between memories are" };
            let why = format!("{count} {edges} left out: {}", kinds.join(", "));
            batch.problem(input.error(why).hint("griot link joins two memories"));
        }
        Ok(())
    }
}

/// An edge in words. One that runs both ways does not say which end is the cause.
fn sentence(kind: &str, both: bool, source: &str, target: &str, reason: Option<String>) -> String {
    let mut text = match (kind, both) {
        ("causal", true) => format!("“{source}” and “{target}” are cause and effect."),
        ("causal", false) => format!("“{source}” led to “{target}”."),
        ("supporting", _) => format!("“{source}” supports “{target}”."),
        ("contradicts", _) => format!("“{source}” contradicts “{target}”."),
        _ => format!("“{source}” replaces “{target}”."),
    };
    if let Some(reason) = reason {
        text.push(' ');
        text.push_str(&shortened(&reason, REASON));
    }
    text
}

/// One line that is not too long.
fn shortened(words: &str, most: usize) -> String {
    let line = one_line(words);
    match line.char_indices().nth(most) {
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
