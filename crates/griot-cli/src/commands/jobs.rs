//! `griot jobs`: long work that outlives the process that does it.

use griot::model::{Error, Result, Timestamp};
use griot_ingest::{Job, JobId, JobKind, JobState, Jobs};
use griot_wire::{JobCounts, JobError};

use super::crawl;
use super::session::Session;
use crate::args::{JobsAction, JobsArgs};
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session, args: JobsArgs) -> Result<Exit> {
    let (engine, jobs) = crawl::open(session)?;
    let now = engine.now().0;
    let answer = match args.action.unwrap_or(JobsAction::List) {
        JobsAction::List => {
            let all: Vec<griot_wire::Job> = jobs.list()?.iter().map(wire).collect();
            engine.close()?;
            session.out.answer(&all, |page, all| render::jobs(page, all))?;
            return Ok(Exit::Fine);
        }
        JobsAction::Show { job } => jobs.job(JobId::parse(&job)?)?,
        JobsAction::Pause { job } => ask(&jobs, &job, JobState::Paused, now)?,
        JobsAction::Cancel { job } => ask(&jobs, &job, JobState::Cancelled, now)?,
        JobsAction::Resume { job } => {
            let id = crawled(&jobs, &job)?;
            crawl::work(&engine, &jobs, id)?
        }
        JobsAction::Retry { job } => {
            let id = crawled(&jobs, &job)?;
            jobs.retry(id, now)?;
            crawl::work(&engine, &jobs, id)?
        }
    };
    engine.close()?;
    session.out.answer(&wire(&answer), render::job)?;
    Ok(Exit::Fine)
}

fn ask(jobs: &Jobs, name: &str, wanted: JobState, now: i64) -> Result<Job> {
    let id = JobId::parse(name)?;
    jobs.ask(id, wanted, now)?;
    jobs.job(id)
}

fn crawled(jobs: &Jobs, name: &str) -> Result<JobId> {
    let job = jobs.job(JobId::parse(name)?)?;
    if job.kind == JobKind::Ingest {
        return Err(
            Error::invalid(format!("go on with the job `{}`", job.id), "it is no crawl").hint("griot ingest PATH")
        );
    }
    Ok(job.id)
}

pub(super) fn wire(job: &Job) -> griot_wire::Job {
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
        errors: job.errors.iter().map(|one| JobError { url: one.url.clone(), error: one.why.clone() }).collect(),
        created_at: Timestamp(job.created_at).into(),
        updated_at: Timestamp(job.updated_at).into(),
    }
}
