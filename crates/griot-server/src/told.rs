//! Jobs and what comes in, in the words of `griot-wire`: the command line, HTTP and MCP tell them alike.

use griot::model::Timestamp;
use griot_ingest::{FileEvent, Job, JobState};
use griot_wire::sdk::{CrawlError, CrawlProgress};
use griot_wire::{IngestFailure, IngestRename, Ingested, JobCounts, JobError};

/// Counts what was read.
pub fn count(tally: &mut Ingested, event: &FileEvent) {
    match event {
        FileEvent::Next { .. } | FileEvent::Begun { .. } => {}
        FileEvent::Taken { tally: made, .. } => tally.count(*made),
        FileEvent::Problem { path, error } | FileEvent::Failed { path, error } => {
            tally.failed.push(IngestFailure {
                path: path.display().to_string(),
                code: error.kind.code().into(),
                message: error.to_string(),
            })
        }
        FileEvent::Renamed { from, path } => {
            tally.renamed.push(IngestRename { from: (*from).to_string(), to: path.display().to_string() })
        }
        FileEvent::Pruned { origin, memories } => {
            tally.removed += memories;
            tally.pruned.push((*origin).to_string());
        }
    }
}

pub fn job(job: &Job) -> griot_wire::Job {
    let counts = &job.counts;
    griot_wire::Job {
        id: job.id.to_string(),
        kind: job.kind.name().into(),
        state: job.state.name().into(),
        target: job.target.clone(),
        counts: JobCounts {
            discovered: counts.discovered,
            fetched: counts.fetched,
            processed: counts.processed,
            stored: counts.stored,
            unchanged: counts.unchanged,
            duplicates: counts.duplicates,
            skipped: counts.skipped,
            gone: counts.gone,
            failed: counts.failed,
            dropped: counts.dropped,
            memories: counts.memories,
            entities: counts.entities,
            edges: counts.edges,
            removed: counts.removed,
        },
        errors: job
            .errors
            .iter()
            .map(|one| JobError { url: one.url.clone(), error: one.why.clone() })
            .collect(),
        every_hours: job.every.map(|every| every as f64 / Timestamp::HOUR as f64),
        created_at: Timestamp(job.created_at).into(),
        updated_at: Timestamp(job.updated_at).into(),
    }
}

/// The form that clients of a crawl know. It has no word for a job that is paused or cancelled: the first
/// waits, the second came to no end.
pub fn crawl(job: &Job) -> CrawlProgress {
    let counts = &job.counts;
    let settled = counts.processed + counts.skipped + counts.gone + counts.failed;
    let is_fetched =
        counts.fetched > counts.processed && settled + counts.fetched - counts.processed >= counts.discovered;
    let status = match job.state {
        JobState::Queued | JobState::Paused => "queued",
        JobState::Running if is_fetched => "processing",
        JobState::Running => "crawling",
        JobState::Done => "done",
        JobState::Failed | JobState::Cancelled => "error",
    };
    CrawlProgress {
        crawl_id: job.id.to_string(),
        status: status.into(),
        pages_discovered: counts.discovered,
        pages_crawled: counts.fetched,
        pages_processed: counts.processed,
        entities_extracted: counts.entities,
        errors: job
            .errors
            .iter()
            .map(|one| CrawlError { url: one.url.clone(), error: one.why.clone() })
            .collect(),
    }
}
