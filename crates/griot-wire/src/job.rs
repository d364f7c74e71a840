//! Jobs and crawls as clients read them.

use crate::Time;

objects! {
    /// A durable job: an ingestion, a crawl, a refresh.
    Job {
        /// Number in the workspace, such as `j3`.
        id: String,
        /// `ingest`, `crawl` or `refresh`.
        kind: String,
        /// `queued`, `running`, `paused`, `done`, `failed` or `cancelled`.
        state: String,
        /// What was asked for, such as an address.
        target: String,
        /// How far it is.
        counts: JobCounts,
        /// What went wrong, by address; at most 100.
        errors: Vec<JobError>,
        /// When it was asked for.
        created_at: Time,
        /// When it last got further.
        updated_at: Time,
    }

    /// How far a job is.
    JobCounts {
        /// Pages that it knows of.
        discovered: u64,
        /// Pages that were answered with content, or as unchanged.
        fetched: u64,
        /// Of those, the ones that nothing is left to do for.
        processed: u64,
        /// Pages whose text was stored.
        stored: u64,
        /// Pages that had not changed.
        unchanged: u64,
        /// Pages that say what another page says.
        duplicates: u64,
        /// Pages that were not wanted: robots.txt, another kind of file, above a limit.
        skipped: u64,
        /// Pages that are gone.
        gone: u64,
        /// Pages that could not be fetched or read.
        failed: u64,
        /// Addresses found above the limits and not taken up.
        dropped: u64,
        /// Memories added.
        memories: u64,
        /// Entities added.
        entities: u64,
        /// Edges added.
        edges: u64,
        /// Memories that left with what changed or is gone.
        removed: u64,
    }

    /// What went wrong with one page.
    JobError {
        /// Its address.
        url: String,
        /// Why.
        error: String,
    }
}
