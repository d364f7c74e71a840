//! Jobs and crawls.

use griot_ingest::GONE;
use griot_wire::{Job, JobError};

use super::table::table;
use super::{Page, counted, text};

/// Errors to list; further ones are only counted.
const ERRORS: usize = 10;

pub fn jobs(page: Page, jobs: &[Job]) -> String {
    if jobs.is_empty() {
        return "No jobs yet.".to_string();
    }
    table(page, ["id", "kind", "state", "done", "failed", "target"], &[3, 4], jobs, |job| {
        let done = format!("{}/{}", job.counts.processed, job.counts.discovered);
        let (id, kind, state) = (job.id.clone(), job.kind.clone(), job.state.clone());
        [id, kind, state, done, job.counts.failed.to_string(), job.target.clone()]
    })
}

pub fn job(page: Page, job: &Job) -> String {
    let counts = &job.counts;
    let settled = if job.kind == "ingest" {
        format!(
            "{} found: {} stored, {} unchanged, {} gone, {} failed",
            counted(counts.discovered, "file", "files"),
            counts.stored,
            counts.unchanged,
            counts.gone,
            counts.failed,
        )
    } else {
        format!(
            "{} found, {} fetched: {} stored, {} unchanged, {} duplicates, {} skipped, {} missing, {} failed",
            counted(counts.discovered, "page", "pages"),
            counts.fetched,
            counts.stored,
            counts.unchanged,
            counts.duplicates,
            counts.skipped,
            counts.gone,
            counts.failed,
        )
    };
    let mut lines = vec![
        format!("{} {} of {} is {}", page.handle(&job.id), job.kind, text::visible(&job.target), job.state),
        settled,
        format!(
            "{} added, {} removed; {}, {}",
            counted(counts.memories, "memory", "memories"),
            counts.removed,
            counted(counts.entities, "new entity", "new entities"),
            counted(counts.edges, "new edge", "new edges"),
        ),
    ];
    if counts.dropped > 0 {
        let left = counted(counts.dropped, "address was", "addresses were");
        lines.push(format!("{left} dropped: more than the page limit allows"));
    }
    // Broken links are no failure of the crawl: they are counted.
    let is_broken = |error: &&JobError| error.error.ends_with(GONE);
    let failures: Vec<&JobError> = job.errors.iter().filter(|error| !is_broken(error)).collect();
    for error in failures.iter().take(ERRORS) {
        let message = text::visible(&format!("{}: {}", error.url, error.error));
        lines.push(page.warning(&message));
    }
    let failed = usize::try_from(counts.failed).unwrap_or(usize::MAX).max(failures.len());
    if failed > ERRORS {
        lines.push(format!("and {} more; griot --json jobs show {}", failed - ERRORS, job.id));
    }
    if job.kind != "ingest" && counts.gone > 0 {
        let broken = counted(counts.gone, "address leads", "addresses lead");
        lines.push(format!("{broken} nowhere (404 or 410); griot --json jobs show {} lists them", job.id));
    }
    if let Some(hours) = job.every_hours {
        lines.push(format!("repeats {hours} hours after its end while griot serve runs"));
    }
    if job.state == "paused" {
        lines.push(format!("resume with: griot jobs resume {}", job.id));
    }
    lines.join("\n")
}
