//! `griot jobs`: long work that outlives the process that does it.

use griot::model::Result;
use griot_ingest::{JobId, JobKind};
use griot_wire::call::Call;
use griot_wire::request::{Bare, Place};
use griot_wire::verbs::job as verbs;

use super::{crawl, fine, ingest};
use crate::args::{JobsAction, JobsArgs, OneJob};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: JobsArgs) -> Result<Exit> {
    let one = |one: OneJob| verbs::OneJob { name: one.job, user: None, project: None, scope: None };
    match args.action.unwrap_or(JobsAction::List) {
        JobsAction::List => {
            fine(session.ask(Use::Read, Bare::NOTHING, verbs::jobs, |page, all| render::jobs(page, all)))
        }
        JobsAction::Show(job) => fine(session.ask(Use::Read, one(job), verbs::job, render::job)),
        JobsAction::Pause(job) => fine(session.ask(Use::Write, one(job), verbs::pause, render::job)),
        JobsAction::Cancel(job) => fine(session.ask(Use::Write, one(job), verbs::cancel, render::job)),
        JobsAction::Resume(job) => {
            let call = session.call(Use::Write, &Place::default())?;
            let id = verbs::found(&call, &job.job)?.id;
            resume(session, &call, id)
        }
        JobsAction::Retry(job) => {
            let call = session.call(Use::Write, &Place::default())?;
            let id = verbs::found(&call, &job.job)?.id;
            call.jobs()?.retry(id, call.engine.now().0)?;
            resume(session, &call, id)
        }
    }
}

/// Works on a job in this process.
fn resume(session: &Session, call: &Call, id: JobId) -> Result<Exit> {
    let jobs = call.jobs()?;
    let job = match jobs.job(id)?.kind {
        JobKind::Ingest => ingest::work(&call.engine, &jobs, id, &mut ingest::Reading::new())?,
        JobKind::Crawl | JobKind::Refresh => crawl::work(&call.engine, &jobs, id)?,
    };
    fine(session.out.answer(&griot_wire::Job::from(&job), render::job))
}
