//! `griot crawl`, `griot crawl-status`: pages and sites into memories.

use griot::model::{Error, Result};
use griot_ingest::{CrawlOptions, Job, JobId, JobKind, JobState, Jobs, WorkedBy};
use griot_wire::request::Request;
use griot_wire::sdk::CrawlProgress;
use griot_wire::verbs::job::{found, started};

use super::jobs::{exit, work};
use crate::args::{CrawlArgs, CrawlStatus};
use crate::failure::{self, Exit};
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: CrawlArgs) -> Result<Exit> {
    let q = args.owned.request();
    let call = session.call(Use::Write, &q.place()?)?;
    let job = match (&args.resume, &args.url) {
        (Some(id), _) => found(&call, id)?,
        (None, Some(url)) => {
            let asked = q.options(&call)?;
            let options = CrawlOptions {
                rate: args.rate.unwrap_or(asked.rate),
                allow_private: args.allow_private || asked.allow_private,
                metadata: args.noted.metadata(),
                ..asked
            };
            started(&call, url, &options, WorkedBy::Creator)?
        }
        (None, None) => {
            return Err(
                Error::invalid("crawl", "there is no address").hint("griot crawl https://example.org/")
            );
        }
    };
    answer(session, &work(&call, &job)?.0)
}

pub(super) fn answer(session: &Session, job: &Job) -> Result<Exit> {
    let failed = job.errors.last().filter(|_| job.state == JobState::Failed);
    if failed.is_none() || session.out.is_json() {
        session.out.answer(&CrawlProgress::from(job), |page, _| render::job(page, &job.into()))?;
    }
    if let Some(error) = failed {
        let error = Error::unavailable(format!("read `{}`", error.url), error.why.clone());
        failure::complain(&error, session.out.is_json());
    }
    Ok(exit(job))
}

pub fn status(session: &Session, args: &CrawlStatus) -> Result<Exit> {
    let none = || {
        Error::not_found("find a crawl", "there is none in this workspace")
            .hint("griot crawl https://example.org/")
    };
    let jobs = Jobs::find(&session.target()?.database)?.ok_or_else(none)?;
    let job = match &args.job {
        Some(id) => jobs.job(JobId::parse(id)?)?,
        None => jobs.list()?.into_iter().find(|job| job.kind != JobKind::Ingest).ok_or_else(none)?,
    };
    answer(session, &job)?;
    Ok(Exit::Fine)
}
