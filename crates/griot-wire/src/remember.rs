//! The answers of `remember` and `ingest`.

use std::collections::BTreeMap;

use griot::remember;
use griot_ingest::FileEvent;

use crate::object::shown;
use crate::{Time, Warning};

objects! {
    /// The answer to `remember`.
    Remembered from (answer: remember::Remembered) {
        /// Stable id of the memory.
        id: String,
        /// Short name, such as `#a1b2c3`.
        handle: String,
        /// `added`; if the scope already contains the text, `skipped`, or `updated` if what is said beside it
        /// was new: tier, expiry, tags, entities. The id is then that of the existing memory.
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
        edges_created: EdgeTally = shown(&answer.edges),
        /// Comparison with the most similar memory: a suggestion only, nothing was changed.
        diff: Diff,
        /// Earlier memories that it may replace, at most three, most likely first, for the caller to judge.
        update_candidates: Vec<UpdateCandidate>,
        /// Similar memories, for the caller to judge and link.
        semantic_candidates: Vec<SemanticCandidate>,
        /// Possible causes and consequences, for the caller to judge and link.
        causal_candidates: Vec<CausalCandidate>,
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it).
        flags: Vec<String> = crate::node::flags(&answer.text),
        /// Whether it has a vector.
        embedded: bool,
        /// Current importance, by the formula of `gc`.
        effective_importance: f32,
        /// Warnings of the verifier.
        warnings: Vec<Warning>,
    }

    /// An entity that a memory mentions.
    Mention from (pair: (String, String)) {
        /// Canonical id, such as `tool:redis`.
        id: String = pair.0.clone(),
        /// Its name.
        name: String = pair.1.clone(),
    }

    /// Number of edges by the question they answer.
    EdgeTally from (tally: remember::EdgeTally) {
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
    Diff from (diff: remember::Diff) {
        /// `add`, `duplicate`, `conflict` or `update`.
        suggestion: String,
        /// Id of the memory it was compared with.
        with: Option<String> = diff.with.as_ref().map(|(id, _)| id.to_string()),
        /// Handle of that memory.
        with_handle: Option<String> = diff.with.as_ref().map(|(_, handle)| handle.to_string()),
        /// 0..=1.
        similarity: f32,
        /// Why this is suggested.
        reason: String,
    }

    /// An earlier memory that the new one may replace. Link the new one to it as `supersedes` if it does.
    UpdateCandidate from (candidate: remember::UpdateCandidate) {
        /// Stable id.
        id: String,
        /// Short name.
        handle: String,
        /// Its text.
        text: String,
        /// Its kind.
        kind: String,
        /// When it happened or was said.
        occurred_at: Time,
        /// How likely both state one property of one thing, 0..=1.
        probability: f32,
        /// Whether the replacement is noted already, because the new text names the old value and takes it
        /// back; `unlink` undoes it.
        noted: bool,
        /// Why it is suggested.
        reason: String,
        /// Id of the offer, such as `o12`; `forget` refuses it for good. `null` if it could not be kept.
        offer: Option<String>,
    }

    /// A memory similar to the new one.
    SemanticCandidate from (candidate: remember::SemanticCandidate) {
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
    CausalCandidate from (candidate: remember::CausalCandidate) {
        /// Stable id.
        id: String,
        /// Short name.
        handle: String,
        /// Its text.
        text: String,
        /// Its kind.
        kind: String,
        /// Distance in the graph, 1 or 2; 0 if it is farther away.
        hop: u8,
        /// Kind of the edge it was reached by; else `latest`, or `alike` (common words or a near vector).
        via_edge: String = candidate.via.into(),
        /// Share of common words, 0..=1.
        causal_signal: f32 = candidate.signal,
        /// How likely the two are cause and effect, 0..=1; the candidates are ordered by it.
        probability: f32,
        /// `causes`, `enables` or `prevents`.
        suggested_sub_type: String,
        /// `true` if the candidate would be the cause and the new memory the effect.
        candidate_is_cause: bool,
        /// Why it is suggested.
        reason: String,
        /// Id of the offer, such as `o12`; `forget` refuses it for good. `null` if it could not be kept.
        offer: Option<String>,
    }

    /// The answer to `ingest`.
    #[derive(Default)]
    Ingested {
        /// Sources that were read.
        sources: u64,
        /// Ids of the sources that hold a text, document or page that was sent, such as `s4`. Files of a
        /// folder are named by their paths instead.
        source_ids: Vec<String>,
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
        /// Sources that keep their memories although their file is gone; `prune` forgets them.
        missing: Vec<String>,
        /// Ids of sources that were left out because they were forgotten; `restore` brings them back.
        forgotten: Vec<String>,
        /// Number of files of kinds that are not read, by the end of their name, such as `.png`.
        unread: BTreeMap<String, u64>,
        /// Files that could not be read, and what was wrong with files that were.
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

    /// A file that could not be read, or a part of it.
    IngestFailure {
        /// The file.
        path: String,
        /// Stable code of the error.
        code: String,
        /// What was wrong with it.
        message: String,
        /// Whether the rest of it was read.
        partly: bool,
    }
}

impl Ingested {
    pub fn empty() -> Self {
        Self::default()
    }

    /// Counts what was read.
    pub fn hear(&mut self, event: &FileEvent) {
        match event {
            FileEvent::Next { .. } | FileEvent::Begun { .. } => {}
            FileEvent::Taken { tally, .. } => self.count(*tally),
            FileEvent::Unread(kinds) => {
                kinds.iter().for_each(|(kind, count)| *self.unread.entry(kind.clone()).or_default() += count)
            }
            FileEvent::Problem { path, error } | FileEvent::Failed { path, error } => {
                self.failed.push(IngestFailure {
                    path: path.display().to_string(),
                    code: error.kind.code().into(),
                    message: error.to_string(),
                    partly: matches!(event, FileEvent::Problem { .. }),
                })
            }
            FileEvent::Renamed { from, path } => {
                self.renamed.push(IngestRename { from: (*from).to_string(), to: path.display().to_string() })
            }
            FileEvent::Pruned { origin, memories } => {
                self.removed += memories;
                self.pruned.push((*origin).to_string());
            }
            FileEvent::Missing { origin } => self.missing.push((*origin).to_string()),
            FileEvent::Forgotten { source, .. } => self.forgotten.push(source.to_string()),
        }
    }

    /// Adds what was read besides.
    pub fn add(&mut self, other: Self) {
        for (own, more) in [
            (&mut self.sources, other.sources),
            (&mut self.unchanged, other.unchanged),
            (&mut self.added, other.added),
            (&mut self.flagged, other.flagged),
            (&mut self.kept, other.kept),
            (&mut self.skipped, other.skipped),
            (&mut self.removed, other.removed),
            (&mut self.entities, other.entities),
            (&mut self.edges, other.edges),
            (&mut self.warnings, other.warnings),
        ] {
            *own += more;
        }
        self.source_ids.extend(other.source_ids);
        self.forgotten.extend(other.forgotten);
        self.failed.extend(other.failed);
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
