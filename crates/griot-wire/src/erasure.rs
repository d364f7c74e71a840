//! The answers of `erase`, `erasures` and `backup`.

use griot::model;

use crate::Time;

objects! {
    /// The receipt of an erasure. It holds no text and no name.
    Erasure from (receipt: model::Erasure) {
        /// Id in the workspace, such as `x3`; `null` with `--dry-run`.
        id: Option<String> = (receipt.number > 0).then(|| receipt.id()),
        /// `memory`, `source`, `entity` or `user`.
        kind: String,
        /// When.
        at: Time,
        /// Who requested it.
        by: String,
        /// The revision before.
        revision_before: u64 = receipt.before.0,
        /// The revision without it.
        revision_after: u64 = receipt.after.0,
        /// When it was removed from every file of the workspace; `null` while that is pending.
        finished_at: Option<Time>,
        /// What was removed and what was kept.
        counts: ErasureCounts,
        /// Number of items listed as removed that still exist: 0 is sound. `null` if not checked.
        found: Option<u64> = None,
    }

    /// The result of an erasure, in numbers.
    ErasureCounts from (counts: model::ErasureCounts) {
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
        /// Kept replies of language models to which an erased text was sent.
        replies: u64,
        /// Entries of the log of recalls that named or quoted something erased.
        recalls: u64,
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

impl From<&(model::Erasure, u64)> for Erasure {
    fn from((receipt, found): &(model::Erasure, u64)) -> Self {
        Self { found: Some(*found), ..receipt.into() }
    }
}
