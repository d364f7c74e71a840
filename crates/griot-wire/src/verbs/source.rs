//! Sources of memories.

use griot::model::{OriginKind, SourceId, SourceType};
use griot_ingest::{RefreshOptions, WorkedBy, refresh_source};

use super::MOST;
use crate::call::{Call, Role};
use crate::failure::Outcome;
use crate::request::{Bare, Named, source as find, usual};
use crate::{Job, LastJob, Memory, SourceContent, SourceGraph, SourceView};

requests! {
    /// Read a source again.
    Refresh {
        /// Id of a source, such as `s4`.
        name: String,
        /// Forget the source if it no longer exists.
        prune [default]: bool,
    }

    /// Show the entities and relations of a source.
    GraphOfSource {
        /// Id of a source, such as `s4`, or its origin.
        name: String,
        /// Maximum number of entities and of relations.
        #[schemars(range(min = 1, max = 1000))]
        limit [default = "usual::<200>"]: usize,
    }

    /// Replace the tags of a source; its memories get new ones, too.
    SourceTags by new {
        /// Id of a source, such as `s4`.
        name: String,
        /// The new tags; they replace the old ones.
        #[schemars(schema_with = "crate::request::forms::words")]
        tags: Vec<String>,
    }
}

pub fn sources(call: &Call, _: Bare) -> Outcome<Vec<SourceView>> {
    Ok(with_jobs(call, call.engine.sources()?.iter().map(SourceView::from).collect()))
}

/// The sources with the last job of each, as far as the caller sees it.
fn with_jobs(call: &Call, mut views: Vec<SourceView>) -> Vec<SourceView> {
    add_jobs(call, &mut views);
    views
}

/// Sources are listed also where the jobs cannot be read; `jobs` says why.
fn add_jobs(call: &Call, views: &mut [SourceView]) {
    let Ok(Some(jobs)) = call.jobs_if_any() else { return };
    let last = jobs.last_by_origin().unwrap_or_default();
    for view in views {
        let job = last.get(&view.source.origin).filter(|job| call.bound.is_none() || job.user == call.bound);
        view.last_job = job.map(LastJob::from);
    }
}

fn with_job(call: &Call, mut view: SourceView) -> SourceView {
    add_jobs(call, std::slice::from_mut(&mut view));
    view
}

/// The sources of one kind of origin, those that an agent has memories from, or both.
pub fn listed(call: &Call, kind: Option<OriginKind>, agent: Option<&str>) -> Outcome<Vec<SourceView>> {
    let mut found = match agent {
        Some(agent) => call.engine.sources_of_agent(agent)?,
        None => call.engine.sources()?,
    };
    found.retain(|view| kind.is_none_or(|kind| view.source.origin_kind() == kind));
    Ok(with_jobs(call, found.iter().map(SourceView::from).collect()))
}

/// The sources of an agent that can be read again: pages, and files of this machine.
pub fn readable(call: &Call, agent: &str) -> Outcome<Vec<SourceId>> {
    let found = call.engine.sources_of_agent(agent)?.into_iter().map(|view| view.source);
    Ok(found
        .filter(|source| source.deleted_at.is_none() && source.is_readable())
        .map(|source| source.id)
        .collect())
}

pub fn content(call: &Call, q: Named) -> Outcome<SourceContent> {
    let (view, memories) = call.engine.source(find(&call.engine, &q.name)?)?;
    Ok(SourceContent {
        source: with_job(call, SourceView::from(&view)),
        memories: memories.iter().map(Memory::from).collect(),
    })
}

pub fn graph(call: &Call, q: GraphOfSource) -> Outcome<SourceGraph> {
    call.bounded("the limit", q.limit, 1, MOST)?;
    let mut graph = SourceGraph::from(&call.engine.source_graph(find(&call.engine, &q.name)?, q.limit)?);
    graph.source = with_job(call, graph.source);
    Ok(graph)
}

pub fn refresh(call: &Call, q: Refresh) -> Outcome<Job> {
    let id = find(&call.engine, &q.name)?;
    let (view, _) = call.engine.source(id)?;
    if view.source.kind != SourceType::Page {
        call.needs(Role::Admin, "read files of the server")?;
    }
    let options = RefreshOptions { prune: q.prune, allow_private: false, by: WorkedBy::Anyone };
    Ok(Job::from(&refreshed(call, &q.name, options)?))
}

/// A job that reads the source again.
pub fn refreshed(call: &Call, name: &str, options: RefreshOptions) -> Outcome<griot_ingest::Job> {
    let jobs = call.jobs()?;
    let id = refresh_source(&jobs, &call.engine, find(&call.engine, name)?, options)?;
    call.wake();
    Ok(jobs.job(id)?)
}

pub fn tag(call: &Call, q: SourceTags) -> Outcome<SourceView> {
    let id = find(&call.engine, &q.name)?;
    let view = call.of_all("set the tags of a source")?.set_source_tags(id, q.tags)?;
    Ok(with_job(call, SourceView::from(&view)))
}
