//! The state of a workspace: contents, integrity, removable memories; and the format of errors.

use std::collections::BTreeMap;

use griot::{engine, model};

use crate::node::edge_ids;
use crate::object::shown;
use crate::{BulkEstimate, Edge, Entity, Hub, Memory, Source, Time};

objects! {
    /// The answer to `status`.
    Status from (status: engine::Status) {
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
        /// The embedder that the settings select. While it is another than `stored_model`, that one answers.
        embedder: String,
        /// The best connected entities.
        top_entities: Vec<Hub>,
        /// Sources by kind of origin, without kinds that have none.
        sources_by_kind: Vec<KindTally> = status.sources_by_kind.iter().map(KindTally::from).collect(),
        /// The earliest time of a memory.
        earliest: Option<Time>,
        /// The latest time of a memory.
        latest: Option<Time>,
        /// Number of open warnings of the verifier.
        open_warnings: u64,
        /// The language model that `recall --answer` and `enrich` ask, as its provider writes it; `null`
        /// without one.
        language_model: Option<String> = None,
        /// Memories that the language model has not read, by task; empty without a model.
        unread: BTreeMap<String, u64> = BTreeMap::new(),
        /// What the caller may do: `read`, `write` or `admin`.
        role: String = String::new(),
        /// The user to whom the caller's key is bound.
        user: Option<String> = None,
    }

    /// Counts.
    Counts from (counts: engine::Counts) {
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

    /// The sources of one kind of origin.
    KindTally from (tally: engine::KindTally) {
        /// `memory` (remembered, or in a memory file), `manual` (ingested) or `crawl` (pages).
        kind: String = tally.kind.name().into(),
        /// How many.
        sources: u64,
        /// When one of them was last read, or last got a memory.
        updated_at: Time,
    }

    /// One committed change, as `/v1/events` sends it.
    Changed from (changed: engine::Changed) {
        /// Number of the change; also the id of the event.
        revision: u64,
        /// When it was committed.
        at: Time,
        /// Ids of new and changed memories, including forgotten ones.
        memories: Vec<String> = changed.memories.iter().map(|(id, _)| id.clone()).collect(),
        /// Their handles, in the same order.
        handles: Vec<String> = changed.memories.iter().map(|(_, handle)| handle.clone()).collect(),
        /// Canonical ids of entities that are new or changed.
        entities: Vec<String>,
        /// Ids of edges that are new or changed.
        edges: Vec<String> = edge_ids(&changed.edges),
        /// Ids of edges that were removed.
        removed_edges: Vec<String> = edge_ids(&changed.removed_edges),
    }

    /// The answer to `doctor`.
    Health from (health: engine::Health) {
        /// Whether the workspace is sound.
        sound: bool = health.problems.is_empty(),
        /// Problems, in sentences.
        problems: Vec<String>,
        /// What was checked.
        checked: Vec<String>,
        /// Problems that were repaired (`doctor --repair`), in sentences.
        repaired: Vec<String> = Vec::new(),
        /// The file with the original rows that were removed or changed; `null` if there were none.
        quarantine: Option<String> = None,
    }

    /// The answer to `reindex`.
    Reindexed {
        /// Whether vectors were made, too.
        embedded: bool,
        /// How names changed; `null` unless they were looked for again.
        names: Option<NamesAgain>,
        /// What it would take; `null` unless only that was asked.
        estimate: Option<BulkEstimate>,
    }

    /// How the names of the stored texts changed (`reindex --names`).
    NamesAgain from (again: engine::NamesAgain) {
        /// Texts in which names were looked for.
        memories: u64,
        /// Entities added.
        entities_added: u64,
        /// Entities that nothing mentions any more.
        entities_removed: u64,
        /// Mentions added.
        mentions_added: u64,
        /// Mentions removed.
        mentions_removed: u64,
        /// Entities whose mentions changed, most changed first.
        entities: Vec<NamedAgain> = again.entities.iter().map(NamedAgain::from).collect(),
    }

    /// An entity that more or fewer memories mention than before.
    NamedAgain from (one: engine::NamedAgain) {
        /// Canonical id.
        id: String = one.entity.canonical_id(),
        /// Name.
        name: String = one.entity.name.clone(),
        /// How many memories mention it now and did not before.
        added: u64,
        /// How many memories mentioned it and do not any more.
        removed: u64,
    }

    /// A memory that could be removed; nothing is deleted.
    GcCandidate from (candidate: engine::GcCandidate) {
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
    SourceView from (view: engine::SourceView) {
        /// The source.
        source: Source,
        /// Memories from it.
        memories: u32,
        /// Entities that they mention.
        entities: u32,
        /// Edges from it.
        edges: u32,
        /// The last crawl, refresh or ingestion whose target it is; `null` if there is none, and for further
        /// pages of a crawl.
        last_job: Option<LastJob> = None,
    }

    /// The state of the last job of a source.
    LastJob from (job: griot_ingest::LastJob) {
        /// Id in the workspace, such as `j3`.
        id: String,
        /// `ingest`, `crawl` or `refresh`.
        kind: String,
        /// `queued`, `running`, `paused`, `done`, `failed` or `cancelled`.
        state: String,
        /// Why it failed.
        error: Option<String> = job.message.clone(),
        /// When it last made progress.
        updated_at: Time = griot::model::Timestamp(job.updated_at).into(),
    }

    /// The answer to `sources show`.
    SourceContent {
        /// The source and its numbers.
        source: SourceView,
        /// Its memories, in order.
        memories: Vec<Memory>,
    }

    /// What a source speaks of.
    SourceGraph from (graph: engine::SourceGraph) {
        /// The source and its numbers.
        source: SourceView,
        /// Entities that its memories mention, most mentioned first.
        entities: Vec<MentionedEntity> = {
            let pairs = graph.entities.iter();
            pairs.map(|(entity, count)| MentionedEntity { entity: entity.into(), mentions: *count }).collect()
        },
        /// Relations between entities that its memories state.
        relations: Vec<Edge>,
        /// How many entities there are, however many are listed.
        entity_count: usize,
        /// How many relations there are, however many are listed.
        relation_count: usize,
    }

    /// An entity of a source.
    MentionedEntity {
        /// The entity.
        entity: Entity,
        /// How many memories of the source mention it.
        mentions: u32,
    }

    /// The answer to `import`.
    Imported from (imported: engine::Imported) {
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
    ErrorBody from (error: model::Error) {
        /// `invalid_input`, `not_found`, `conflict`, `unavailable`, `corrupt` or `bug`.
        code: String = error.kind.code().into(),
        /// What failed, and why.
        message: String = error.to_string(),
        /// How to fix it, if known.
        hint: Option<String>,
        /// The candidates for an ambiguous name; empty for every other error.
        candidates: Vec<Candidate> = error.candidates.iter().map(Candidate::from).collect(),
    }

    /// A candidate for an ambiguous name.
    Candidate from (candidate: model::Candidate) {
        /// The unambiguous name: canonical id or handle.
        id: String,
        /// The name of an entity, or how a memory begins.
        name: String,
        /// The type of an entity.
        r#type: Option<String> = shown(&candidate.kind),
    }
}

impl Counts {
    /// Stored memories without a vector; those that were forgotten or have expired may have one.
    pub fn without_vector(&self) -> u64 {
        (self.memories + self.deleted_memories + self.expired_memories).saturating_sub(self.vectors)
    }
}
