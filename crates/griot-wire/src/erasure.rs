//! What `erase`, `erasures` and `backup` answer.

use griot::model;

use crate::Time;

objects! {
    /// The receipt of an erasure. It holds no text and no name.
    Erasure {
        /// Number in the workspace, such as `x3`; `null` for what `--dry-run` answers.
        id: Option<String>,
        /// `memory`, `source`, `entity` or `user`.
        kind: String,
        /// When.
        at: Time,
        /// Who asked for it.
        by: String,
        /// The revision before.
        revision_before: u64,
        /// The revision without it.
        revision_after: u64,
        /// When every file of the workspace was rid of it; `null` while that is left to do.
        finished_at: Option<Time>,
        /// How much went, and what stayed.
        counts: ErasureCounts,
        /// How many of the things that it says are gone are there: 0 is sound. `null` where nobody compared.
        found: Option<u64>,
    }

    /// What an erasure came to.
    ErasureCounts {
        /// Texts with their tags, hidden ones too.
        memories: u64,
        /// Their vectors.
        vectors: u64,
        /// Entities.
        entities: u64,
        /// Sources that were asked for, or had no other memory.
        sources: u64,
        /// Edges.
        edges: u64,
        /// Facts.
        facts: u64,
        /// Pieces of evidence of edges and facts that others support as well.
        evidence: u64,
        /// Names of entities that stay, where only erased texts wrote them so.
        spellings: u64,
        /// Merges in the log that were removed or rewritten.
        merges: u64,
        /// Rows of jobs.
        job_rows: u64,
        /// Copies of the database that were removed.
        copies: u64,
        /// Other memories that say the same, word for word. They stay.
        same_texts: u64,
        /// Texts that mention an erased entity. They stay.
        mentioning: u64,
    }

    /// The answer to `backup` and `restore-backup`.
    BackedUp {
        /// The file that was written or read.
        file: String,
        /// How large it is.
        bytes: u64,
        /// Files of settings that it carries, by name.
        carried: Vec<String>,
        /// Where the workspace lies that was there before, if there was one.
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
