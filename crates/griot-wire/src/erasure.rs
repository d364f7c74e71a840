//! The answers of `erase`, `erasures` and `backup`.

use griot::model;

use crate::Time;

objects! {
    /// The receipt of an erasure. It holds no text and no name.
    Erasure {
        /// Id in the workspace, such as `x3`; `null` with `--dry-run`.
        id: Option<String>,
        /// `memory`, `source`, `entity` or `user`.
        kind: String,
        /// When.
        at: Time,
        /// Who requested it.
        by: String,
        /// The revision before.
        revision_before: u64,
        /// The revision without it.
        revision_after: u64,
        /// When it was removed from every file of the workspace; `null` while that is pending.
        finished_at: Option<Time>,
        /// What was removed and what was kept.
        counts: ErasureCounts,
        /// Number of items listed as removed that still exist: 0 is sound. `null` if not checked.
        found: Option<u64>,
    }

    /// The result of an erasure, in numbers.
    ErasureCounts {
        /// Texts with their tags, hidden ones too.
        memories: u64,
        /// Their vectors.
        vectors: u64,
        /// Entities.
        entities: u64,
        /// Requested sources, and sources left without memories.
        sources: u64,
        /// Edges.
        edges: u64,
        /// Facts.
        facts: u64,
        /// Pieces of evidence of edges and facts that others support as well.
        evidence: u64,
        /// Names of kept entities that only erased texts used.
        spellings: u64,
        /// Merges in the log that were removed or rewritten.
        merges: u64,
        /// Rows of jobs.
        job_rows: u64,
        /// Copies of the database that were removed.
        copies: u64,
        /// Other memories with the same text. They are kept.
        same_texts: u64,
        /// Texts that mention an erased entity. They are kept.
        mentioning: u64,
    }

    /// The answer to `backup` and `restore-backup`.
    BackedUp {
        /// The file that was written or read.
        file: String,
        /// Its size in bytes.
        bytes: u64,
        /// Settings files that it contains, by name.
        carried: Vec<String>,
        /// Path of the previous workspace, if there was one.
        trash: Option<String>,
    }
}

impl From<&model::Erasure> for Erasure {
    fn from(receipt: &model::Erasure) -> Self {
        Self {
            id: (receipt.number > 0).then(|| receipt.id()),
            kind: receipt.kind.name().to_string(),
            at: receipt.at.into(),
            by: receipt.by.clone(),
            revision_before: receipt.before.0,
            revision_after: receipt.after.0,
            finished_at: receipt.finished_at.map(Time::from),
            counts: (&receipt.counts).into(),
            found: None,
        }
    }
}

impl From<&(model::Erasure, u64)> for Erasure {
    fn from((receipt, found): &(model::Erasure, u64)) -> Self {
        Self { found: Some(*found), ..receipt.into() }
    }
}

impl From<&model::ErasureCounts> for ErasureCounts {
    fn from(counts: &model::ErasureCounts) -> Self {
        Self {
            memories: counts.memories,
            vectors: counts.vectors,
            entities: counts.entities,
            sources: counts.sources,
            edges: counts.edges,
            facts: counts.facts,
            evidence: counts.evidence,
            spellings: counts.spellings,
            merges: counts.merges,
            job_rows: counts.job_rows,
            copies: counts.copies,
            same_texts: counts.same_texts,
            mentioning: counts.mentioning,
        }
    }
}
