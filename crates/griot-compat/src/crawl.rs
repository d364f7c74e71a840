//! Crawls that a client may wait for.

use std::sync::atomic::Ordering;
use std::time::Duration;

use griot::model::Error;
use griot_ingest::{Job, JobKind, JobState, WorkedBy};
use griot_wire::call::Call;
use griot_wire::failure::Outcome;
use griot_wire::sdk::CrawlProgress;
use griot_wire::verbs::job::{Crawl, found, sees, started};
use griot_wire::verbs::stored;

use crate::ask;

/// Interval at which a waiting request polls a job.
const LOOK: Duration = Duration::from_millis(200);

pub fn crawl(call: &Call, q: ask::KnowledgeCrawl) -> Outcome<CrawlProgress> {
    let wait = q.wait;
    let q = Crawl::from(q);
    let job = started(call, &q.url, &q.options(call)?, WorkedBy::Anyone)?;
    followed(call, job, wait)
}

/// The progress. A crawl that ended and brought no page is a failure.
pub fn as_text(_: &Call, crawl: &CrawlProgress, json: &str) -> Outcome<String> {
    match crawl.errors.first() {
        Some(first) if crawl.status == "error" && crawl.pages_processed == 0 => {
            Err(Error::unavailable(format!("crawl `{}`", first.url), &first.error).into())
        }
        _ => Ok(stored(json)),
    }
}

pub fn status(call: &Call, q: ask::KnowledgeCrawlStatus) -> Outcome<CrawlProgress> {
    let job = match &q.crawl_id {
        Some(id) => found(call, id)?,
        None => {
            let all = call.jobs_if_any()?.map(|jobs| jobs.list()).transpose()?.unwrap_or_default();
            let latest = all.into_iter().find(|job| job.kind != JobKind::Ingest && sees(call, job));
            latest.ok_or_else(|| Error::not_found("find a crawl", "there is none in this workspace"))?
        }
    };
    followed(call, job, q.wait)
}

/// Returns the progress of a job, after its end if `wait` is set.
fn followed(call: &Call, mut job: Job, wait: bool) -> Outcome<CrawlProgress> {
    let jobs = call.jobs()?;
    let goes_on = |job: &Job| matches!(job.state, JobState::Queued | JobState::Running);
    while wait && goes_on(&job) && !call.ending.load(Ordering::Relaxed) {
        call.progress.report(job.counts.processed, job.counts.discovered);
        std::thread::sleep(LOOK);
        job = jobs.job(job.id)?;
    }
    Ok(CrawlProgress::from(&job))
}
