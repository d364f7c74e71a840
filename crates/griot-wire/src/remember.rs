//! The answers of `remember` and `ingest`.

use griot::remember;
use griot_ingest::FileEvent;

use crate::{Time, Warning};

objects! {
    /// The answer to `remember`.
    Remembered {
        /// Stable id of the memory.
        id: String,
        /// Short name, such as `#a1b2c3`.
        handle: String,
        /// `added`; if the scope already contains the text, `skipped`, or `updated` if its tier or expiry
        /// changed. The id is then that of the existing memory.
        action: String,
        /// The text, verbatim.
        text: String,
        /// `insight`, `decision`, …
        kind: String,
        /// Tags, as given.
        tags: Vec<String>,
        /// `long_term`, `rule` or `working`.
        tier: String,
        /// When it expires; `null` if it does not.
        expires_at: Option<Time>,
        /// 1 (trivial) to 5 (vital).
        importance: u8,
        /// When it happened or was said.
        occurred_at: Time,
        /// Id of its source, such as `s4`.
        source: String,
        /// Entities that it mentions.
        entities: Vec<Mention>,
        /// Edges that the write made.
        edges_created: EdgeTally,
        /// Comparison with the most similar memory: a suggestion only, nothing was changed.
        diff: Diff,
        /// Similar memories, for the caller to judge and link.
        semantic_candidates: Vec<SemanticCandidate>,
        /// Possible causes and consequences, for the caller to judge and link.
        causal_candidates: Vec<CausalCandidate>,
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it).
        flags: Vec<String>,
        /// Whether it has a vector.
        embedded: bool,
        /// Current importance, by the formula of `gc`.
        effective_importance: f32,
        /// Warnings of the verifier.
        warnings: Vec<Warning>,
    }

    /// An entity that a memory mentions.
    Mention {
        /// Canonical id, such as `tool:redis`.
        id: String,
        /// Its name.
        name: String,
    }

    /// Number of edges by the question they answer.
    EdgeTally {
        /// When.
        temporal: u32,
        /// Entities.
        entity: u32,
        /// Why.
        causal: u32,
        /// Similarity.
        semantic: u32,
    }

    /// A comparison with the most similar memory.
    Diff {
        /// `add`, `duplicate`, `conflict` or `update`.
        suggestion: String,
        /// Id of the memory it was compared with.
        with: Option<String>,
        /// Handle of that memory.
        with_handle: Option<String>,
        /// 0..=1.
        similarity: f32,
        /// Why this is suggested.
        reason: String,
    }

    /// A memory similar to the new one.
    SemanticCandidate {
        /// Stable id.
        id: String,
        /// Short name.
        handle: String,
        /// Its text.
        text: String,
        /// Its kind.
        kind: String,
        /// Cosine, or the share of common words if there are no vectors; 0..=1.
        similarity: f32,
        /// Whether an edge already exists.
        auto_linked: bool,
        /// Why it is suggested.
        reason: String,
    }

    /// A memory that may have caused the new one, or followed from it.
    CausalCandidate {
        /// Stable id.
        id: String,
        /// Short name.
        handle: String,
        /// Its text.
        text: String,
        /// Its kind.
        kind: String,
        /// Distance in the graph, 1 or 2; 0 if it is farther away but among the latest memories.
        hop: u8,
        /// Kind of the edge it was reached by, or `latest`.
        via_edge: String,
        /// Share of common words, 0..=1.
        causal_signal: f32,
        /// `causes`, `enables` or `prevents`.
        suggested_sub_type: String,
        /// `true` if the candidate would be the cause and the new memory the effect.
        candidate_is_cause: bool,
        /// Why it is suggested.
        reason: String,
    }

    /// The answer to `ingest`.
    Ingested {
        /// Sources that were read.
        sources: u64,
        /// Sources whose content had not changed.
        unchanged: u64,
        /// Memories added.
        added: u64,
        /// Of those, memories whose text needs care: it contains a key or password, or instructions to a
        /// model.
        flagged: u64,
        /// Memories that the same source already contained.
        kept: u64,
        /// Texts that another source of the same scope already contains.
        skipped: u64,
        /// Memories that are no longer in their source.
        removed: u64,
        /// Entities added.
        entities: u64,
        /// Edges added.
        edges: u64,
        /// Open warnings of the verifier about the additions; `griot verify --list` shows them.
        warnings: u64,
        /// Renamed files; their memories are kept.
        renamed: Vec<IngestRename>,
        /// Sources removed because their file is gone (`--prune`).
        pruned: Vec<String>,
        /// Files that could not be read.
        failed: Vec<IngestFailure>,
        /// Whether the user stopped it before the end.
        interrupted: bool,
    }

    /// A renamed file.
    IngestRename {
        /// Its former path.
        from: String,
        /// Its current path.
        to: String,
    }

    /// A file that could not be read.
    IngestFailure {
        /// The file.
        path: String,
        /// Stable code of the error.
        code: String,
        /// What was wrong with it.
        message: String,
    }
}

impl From<&remember::Remembered> for Remembered {
    fn from(answer: &remember::Remembered) -> Self {
        Self {
            id: answer.id.to_string(),
            handle: answer.handle.to_string(),
            action: answer.action.name().into(),
            text: answer.text.clone(),
            kind: answer.kind.clone(),
            tags: answer.tags.clone(),
            tier: answer.tier.name().into(),
            expires_at: answer.expires_at.map(Into::into),
            importance: answer.importance,
            occurred_at: answer.occurred_at.into(),
            source: answer.source.to_string(),
            entities: answer
                .entities
                .iter()
                .map(|(id, name)| Mention { id: id.clone(), name: name.clone() })
                .collect(),
            edges_created: answer.edges.into(),
            diff: (&answer.diff).into(),
            semantic_candidates: answer.semantic_candidates.iter().map(Into::into).collect(),
            causal_candidates: answer.causal_candidates.iter().map(Into::into).collect(),
            flags: crate::node::flags(&answer.text),
            embedded: answer.embedded,
            effective_importance: answer.effective_importance,
            warnings: answer.warnings.iter().map(Into::into).collect(),
        }
    }
}

impl From<remember::EdgeTally> for EdgeTally {
    fn from(tally: remember::EdgeTally) -> Self {
        Self {
            temporal: tally.temporal,
            entity: tally.entity,
            causal: tally.causal,
            semantic: tally.semantic,
        }
    }
}

impl From<&remember::Diff> for Diff {
    fn from(diff: &remember::Diff) -> Self {
        Self {
            suggestion: diff.suggestion.name().into(),
            with: diff.with.as_ref().map(|(id, _)| id.to_string()),
            with_handle: diff.with.as_ref().map(|(_, handle)| handle.to_string()),
            similarity: diff.similarity,
            reason: diff.reason.clone(),
        }
    }
}

impl From<&remember::SemanticCandidate> for SemanticCandidate {
    fn from(candidate: &remember::SemanticCandidate) -> Self {
        Self {
            id: candidate.id.to_string(),
            handle: candidate.handle.to_string(),
            text: candidate.text.clone(),
            kind: candidate.kind.clone(),
            similarity: candidate.similarity,
            auto_linked: candidate.auto_linked,
            reason: candidate.reason.clone(),
        }
    }
}

impl From<&remember::CausalCandidate> for CausalCandidate {
    fn from(candidate: &remember::CausalCandidate) -> Self {
        Self {
            id: candidate.id.to_string(),
            handle: candidate.handle.to_string(),
            text: candidate.text.clone(),
            kind: candidate.kind.clone(),
            hop: candidate.hop,
            via_edge: candidate.via.into(),
            causal_signal: candidate.signal,
            suggested_sub_type: candidate.suggested_sub_type.into(),
            candidate_is_cause: candidate.candidate_is_cause,
            reason: candidate.reason.clone(),
        }
    }
}

impl Ingested {
    pub fn empty() -> Self {
        Self {
            sources: 0,
            unchanged: 0,
            added: 0,
            flagged: 0,
            kept: 0,
            skipped: 0,
            removed: 0,
            entities: 0,
            edges: 0,
            warnings: 0,
            renamed: Vec::new(),
            pruned: Vec::new(),
            failed: Vec::new(),
            interrupted: false,
        }
    }

    /// Counts what was read.
    pub fn hear(&mut self, event: &FileEvent) {
        match event {
            FileEvent::Next { .. } | FileEvent::Begun { .. } => {}
            FileEvent::Taken { tally, .. } => self.count(*tally),
            FileEvent::Problem { path, error } | FileEvent::Failed { path, error } => {
                self.failed.push(IngestFailure {
                    path: path.display().to_string(),
                    code: error.kind.code().into(),
                    message: error.to_string(),
                })
            }
            FileEvent::Renamed { from, path } => {
                self.renamed.push(IngestRename { from: (*from).to_string(), to: path.display().to_string() })
            }
            FileEvent::Pruned { origin, memories } => {
                self.removed += memories;
                self.pruned.push((*origin).to_string());
            }
        }
    }

    /// Counts a source that was read; `None` is one whose content had not changed.
    pub fn count(&mut self, tally: Option<remember::IngestTally>) {
        self.sources += 1;
        match tally {
            None => self.unchanged += 1,
            Some(tally) => {
                self.added += u64::from(tally.added);
                self.flagged += u64::from(tally.flagged);
                self.kept += u64::from(tally.kept);
                self.skipped += u64::from(tally.skipped);
                self.removed += u64::from(tally.removed);
                self.entities += u64::from(tally.entities);
                self.edges += u64::from(tally.edges);
                self.warnings += u64::from(tally.warnings);
            }
        }
    }
}
