//! Jobs and crawls as clients read them.

use griot::model::Timestamp;

use crate::Time;

objects! {
    /// A durable job: an ingestion, a crawl, a refresh.
    Job from (job: griot_ingest::Job) {
        /// Id in the workspace, such as `j3`.
        id: String,
        /// `ingest`, `crawl` or `refresh`.
        kind: String,
        /// `queued`, `running`, `paused`, `done`, `failed` or `cancelled`.
        state: String,
        /// The target, such as a URL.
        target: String,
        /// Its progress.
        counts: JobCounts,
        /// Failures by URL or path; at most 100.
        errors: Vec<JobError>,
        /// Hours after its end until it is repeated; `null` if it is not.
        every_hours: Option<f64> = job.every.map(|every| every as f64 / Timestamp::HOUR as f64),
        /// When it was requested.
        created_at: Time = Timestamp(job.created_at).into(),
        /// When it last made progress.
        updated_at: Time = Timestamp(job.updated_at).into(),
    }

    /// Progress of a job.
    JobCounts from (counts: griot_ingest::Counts) {
        /// Known pages or files.
        discovered: u64,
        /// Pages fetched, with content or as unchanged.
        fetched: u64,
        /// Of those, pages that are completely processed.
        processed: u64,
        /// Pages or files whose text was stored.
        stored: u64,
        /// Pages or files that had not changed.
        unchanged: u64,
        /// Pages with the same content as another page.
        duplicates: u64,
        /// Skipped pages: by robots.txt, type of file, or a limit.
        skipped: u64,
        /// Missing pages, and missing files that were forgotten.
        gone: u64,
        /// Pages or files that could not be fetched or read.
        failed: u64,
        /// URLs dropped because of the limits.
        dropped: u64,
        /// Memories added.
        memories: u64,
        /// Entities added.
        entities: u64,
        /// Edges added.
        edges: u64,
        /// Memories removed because their page or file changed or is gone.
        removed: u64,
    }

    /// The failure of one page or file.
    JobError from (error: griot_ingest::PageError) {
        /// Its address, or the file's path.
        url: String,
        /// Why.
        error: String = error.why.clone(),
    }
}
