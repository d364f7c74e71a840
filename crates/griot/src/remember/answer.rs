//! The answer to `remember` for one draft.

use super::plan::Planned;
use super::prepare::Prepared;
use super::{Action, Diff, DiffSuggestion, Remembered, importance};
use crate::model::Warning;

impl Remembered {
    /// The answer for one draft, without candidates. `entities` are ids and names.
    pub fn of(
        prepared: &Prepared,
        planned: &Planned,
        entities: Vec<(String, String)>,
        warnings: &[Warning],
    ) -> Self {
        let (draft, placed, stored) = (&prepared.draft, &planned.placed, planned.stored.as_deref());
        let importance = stored.map_or(draft.importance.unwrap_or(3), |stored| stored.importance);
        let kind = stored.map(|stored| &stored.kind).or(draft.kind.as_ref());
        let stored_edges = planned.edges.entity + planned.edges.causal + planned.edges.semantic;
        let (suggestion, similarity, reason) = match planned.action {
            Action::Added => (DiffSuggestion::Add, 0.0, "not compared with other memories"),
            Action::Skipped => {
                (DiffSuggestion::Duplicate, 1.0, "the same text already exists in the same scope")
            }
            Action::Updated => (
                DiffSuggestion::Duplicate,
                1.0,
                "the same text already exists in the same scope; what is said beside it was added",
            ),
        };
        let with = (planned.action != Action::Added).then(|| (placed.id, placed.handle.clone()));
        Self {
            id: placed.id,
            handle: placed.handle.clone(),
            action: planned.action,
            kind: kind.cloned().unwrap_or_else(|| "insight".to_string()),
            tags: stored.map_or(&draft.tags, |stored| &stored.tags).clone(),
            tier: planned.tier,
            expires_at: planned.expires_at,
            importance,
            text: draft.text.clone(),
            occurred_at: stored.map_or(prepared.occurred_at, |stored| stored.occurred_at),
            source: placed.source,
            entities,
            edges: planned.edges,
            diff: Diff { suggestion, with, similarity, reason: reason.to_string() },
            update_candidates: Vec::new(),
            semantic_candidates: Vec::new(),
            causal_candidates: Vec::new(),
            embedded: prepared.vector.is_some(),
            effective_importance: importance::of_new(importance, stored_edges),
            warnings: warnings.iter().filter(|one| one.found.is_about(placed.node)).cloned().collect(),
        }
    }
}
