//! `griot jobs`: long work that outlives the process that does it.

use griot::model::Result;
use griot_ingest::{Job, JobId, JobKind, JobState, Jobs};

use super::{crawl, ingest};
use crate::args::{JobsAction, JobsArgs};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use, clock};

pub fn run(session: &Session, args: JobsArgs) -> Result<Exit> {
    let found = Jobs::find(&session.target()?.database)?;
    let action = args.action.unwrap_or(JobsAction::List);
    let Some(jobs) = found else {
        return match action {
            JobsAction::List => list(session, &[]),
            JobsAction::Show { job }
            | JobsAction::Pause { job }
            | JobsAction::Resume { job }
            | JobsAction::Cancel { job }
            | JobsAction::Retry { job } => Err(JobId::parse(&job)?.missing()),
        };
    };
    let now = clock().0;
    let job = match action {
        JobsAction::List => return list(session, &jobs.list()?),
        JobsAction::Show { job } => jobs.job(JobId::parse(&job)?)?,
        JobsAction::Pause { job } => ask(&jobs, &job, JobState::Paused, now)?,
        JobsAction::Cancel { job } => ask(&jobs, &job, JobState::Cancelled, now)?,
        JobsAction::Resume { job } => return go_on(session, &jobs, JobId::parse(&job)?),
        JobsAction::Retry { job } => {
            let id = JobId::parse(&job)?;
            jobs.job(id)?;
            jobs.retry(id, now)?;
            return go_on(session, &jobs, id);
        }
    };
    session.out.answer(&griot_wire::Job::from(&job), render::job)?;
    Ok(Exit::Fine)
}

fn list(session: &Session, jobs: &[Job]) -> Result<Exit> {
    let all: Vec<griot_wire::Job> = jobs.iter().map(griot_wire::Job::from).collect();
    session.out.answer(&all, |page, all| render::jobs(page, all))?;
    Ok(Exit::Fine)
}

/// Works on a job here.
fn go_on(session: &Session, jobs: &Jobs, id: JobId) -> Result<Exit> {
    let engine = session.open(Use::Write)?;
    let job = match jobs.job(id)?.kind {
        JobKind::Ingest => ingest::work(&engine, jobs, id, &mut ingest::Reading::new())?,
        JobKind::Crawl | JobKind::Refresh => crawl::work(&engine, jobs, id)?,
    };
    engine.close()?;
    session.out.answer(&griot_wire::Job::from(&job), render::job)?;
    Ok(Exit::Fine)
}

fn ask(jobs: &Jobs, name: &str, wanted: JobState, now: i64) -> Result<Job> {
    let id = JobId::parse(name)?;
    jobs.request_state(id, wanted, now)?;
    jobs.job(id)
}
