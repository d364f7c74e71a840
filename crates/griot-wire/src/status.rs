//! The state of a workspace: contents, integrity, removable memories; and the format of errors.

use std::collections::BTreeMap;

use griot::{backend, engine, model};

use crate::{Hub, Memory, Source, Time};

objects! {
    /// The answer to `status`.
    Status {
        /// The database file; `null` for callers with a key.
        path: Option<String>,
        /// Number of the last change.
        revision: u64,
        /// Its contents.
        counts: Counts,
        /// Size of the database in bytes.
        bytes: u64,
        /// The model that made the stored vectors.
        stored_model: Option<String>,
        /// The embedder in use.
        embedder: String,
        /// The best connected entities.
        top_entities: Vec<Hub>,
        /// The earliest time of a memory.
        earliest: Option<Time>,
        /// The latest time of a memory.
        latest: Option<Time>,
        /// Number of open warnings of the verifier.
        open_warnings: u64,
    }

    /// Counts.
    Counts {
        /// Live memories.
        memories: u64,
        /// Forgotten memories.
        deleted_memories: u64,
        /// Superseded memories.
        superseded_memories: u64,
        /// Expired memories.
        expired_memories: u64,
        /// Expired stored edges.
        expired_edges: u64,
        /// Memories with a vector.
        vectors: u64,
        /// Entities.
        entities: u64,
        /// Stored edges that have not expired.
        edges: u64,
        /// Facts.
        facts: u64,
        /// Sources.
        sources: u64,
        /// Memories by kind.
        memories_by_kind: BTreeMap<String, u64>,
        /// Entities by type.
        entities_by_type: BTreeMap<String, u64>,
        /// Edges by kind.
        edges_by_kind: BTreeMap<String, u64>,
        /// Edges by origin.
        edges_by_provenance: BTreeMap<String, u64>,
    }

    /// One committed change, as `/v1/events` sends it.
    Changed {
        /// Number of the change; also the id of the event.
        revision: u64,
        /// When it was committed.
        at: Time,
        /// Ids of new and changed memories, including forgotten ones.
        memories: Vec<String>,
        /// Their handles, in the same order.
        handles: Vec<String>,
        /// Canonical ids of entities that are new or changed.
        entities: Vec<String>,
        /// Ids of edges that are new or changed.
        edges: Vec<String>,
        /// Ids of edges that were removed.
        removed_edges: Vec<String>,
    }

    /// The answer to `doctor`.
    Health {
        /// Whether the workspace is sound.
        sound: bool,
        /// Problems, in sentences.
        problems: Vec<String>,
        /// What was checked.
        checked: Vec<String>,
        /// Problems that were repaired (`doctor --repair`), in sentences.
        repaired: Vec<String>,
        /// The file with the original rows that were removed or changed; `null` if there were none.
        quarantine: Option<String>,
    }

    /// The answer to `reindex`.
    Reindexed {
        /// Whether vectors were recomputed, too.
        embedded: bool,
    }

    /// A memory that could be removed; nothing is deleted.
    GcCandidate {
        /// The memory.
        memory: Memory,
        /// Current importance: the given importance, use and connections, decayed with age.
        effective_importance: f32,
        /// How many edges it has.
        degree: u32,
        /// Why it is listed.
        reason: String,
    }

    /// A source with its counts.
    SourceView {
        /// The source.
        source: Source,
        /// Memories from it.
        memories: u32,
        /// Entities that they mention.
        entities: u32,
        /// Edges from it.
        edges: u32,
    }

    /// The answer to `sources show`.
    SourceContent {
        /// The source and its numbers.
        source: SourceView,
        /// Its memories, in order.
        memories: Vec<Memory>,
    }

    /// The answer to `import`.
    Imported {
        /// Sources added.
        sources: u64,
        /// Entities added.
        entities: u64,
        /// Memories added.
        memories: u64,
        /// Edges added.
        edges: u64,
        /// Facts added.
        facts: u64,
        /// Merges of entities added to the log.
        merges: u64,
        /// Records that already existed.
        skipped: u64,
    }

    /// One workspace of `workspace list`.
    WorkspaceView {
        /// Its name.
        name: String,
        /// Its database file.
        path: String,
        /// Whether commands use it by default.
        active: bool,
        /// The file exists.
        exists: bool,
        /// Size of the database in bytes.
        bytes: u64,
    }

    /// An error, on standard error when `--json` is given.
    ErrorBody {
        /// `invalid_input`, `not_found`, `conflict`, `unavailable`, `corrupt` or `bug`.
        code: String,
        /// What failed, and why.
        message: String,
        /// How to fix it, if known.
        hint: Option<String>,
        /// The candidates for an ambiguous name; empty for every other error.
        candidates: Vec<Candidate>,
    }

    /// A candidate for an ambiguous name.
    Candidate {
        /// The unambiguous name: canonical id or handle.
        id: String,
        /// The name of an entity, or how a memory begins.
        name: String,
        /// The type of an entity.
        r#type: Option<String>,
    }
}

impl From<&model::Candidate> for Candidate {
    fn from(candidate: &model::Candidate) -> Self {
        let r#type = candidate.kind.map(|kind| kind.name().into());
        Self { id: candidate.id.clone(), name: candidate.name.clone(), r#type }
    }
}

impl From<&engine::Status> for Status {
    fn from(status: &engine::Status) -> Self {
        Self {
            path: status.path.clone(),
            revision: status.revision.0,
            counts: (&status.counts).into(),
            bytes: status.bytes,
            stored_model: status.stored_model.clone(),
            embedder: status.embedder.clone(),
            top_entities: status.top_entities.iter().map(Into::into).collect(),
            earliest: status.earliest.map(Into::into),
            latest: status.latest.map(Into::into),
            open_warnings: status.open_warnings,
        }
    }
}

impl From<&backend::Counts> for Counts {
    fn from(counts: &backend::Counts) -> Self {
        Self {
            memories: counts.memories,
            deleted_memories: counts.deleted_memories,
            superseded_memories: counts.superseded_memories,
            expired_memories: counts.expired_memories,
            expired_edges: counts.expired_edges,
            vectors: counts.vectors,
            entities: counts.entities,
            edges: counts.edges,
            facts: counts.facts,
            sources: counts.sources,
            memories_by_kind: counts.memories_by_kind.clone(),
            entities_by_type: counts.entities_by_type.clone(),
            edges_by_kind: counts.edges_by_kind.clone(),
            edges_by_provenance: counts.edges_by_provenance.clone(),
        }
    }
}

impl From<engine::Changed> for Changed {
    fn from(changed: engine::Changed) -> Self {
        let (memories, handles) = changed.memories.into_iter().unzip();
        let ids = |numbers: Vec<u32>| numbers.into_iter().filter_map(crate::edge_id).collect();
        Self {
            revision: changed.revision.0,
            at: changed.at.into(),
            memories,
            handles,
            entities: changed.entities,
            edges: ids(changed.edges),
            removed_edges: ids(changed.removed_edges),
        }
    }
}

impl From<engine::Health> for Health {
    fn from(health: engine::Health) -> Self {
        Self {
            sound: health.problems.is_empty(),
            problems: health.problems,
            checked: health.checked,
            repaired: Vec::new(),
            quarantine: None,
        }
    }
}

impl From<&engine::GcCandidate> for GcCandidate {
    fn from(candidate: &engine::GcCandidate) -> Self {
        Self {
            memory: (&candidate.memory).into(),
            effective_importance: candidate.effective_importance,
            degree: candidate.degree,
            reason: candidate.reason.clone(),
        }
    }
}

impl From<&engine::SourceView> for SourceView {
    fn from(view: &engine::SourceView) -> Self {
        Self {
            source: (&view.source).into(),
            memories: view.memories,
            entities: view.entities,
            edges: view.edges,
        }
    }
}

impl From<engine::Imported> for Imported {
    fn from(imported: engine::Imported) -> Self {
        Self {
            sources: imported.sources,
            entities: imported.entities,
            memories: imported.memories,
            edges: imported.edges,
            facts: imported.facts,
            merges: imported.merges,
            skipped: imported.skipped,
        }
    }
}

impl From<&model::Error> for ErrorBody {
    fn from(error: &model::Error) -> Self {
        Self {
            code: error.kind.code().into(),
            message: error.to_string(),
            hint: error.hint.clone(),
            candidates: error.candidates.iter().map(Into::into).collect(),
        }
    }
}
