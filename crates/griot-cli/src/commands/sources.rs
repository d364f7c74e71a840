//! `griot sources`: the origins of memories.

use std::collections::BTreeSet;

use griot::backend::Filter;
use griot::model::{Error, Result, SourceId};
use griot_ingest::{JobKind, RefreshOptions, WorkedBy};
use griot_wire::call::Call;
use griot_wire::request::{Bare, Named, Place, source};
use griot_wire::verbs::source::{self as verbs, SourceTags};

use super::{crawl, fine, forget, jobs};
use crate::args::{Names, Sources, SourcesAction, SourcesList};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: Sources) -> Result<Exit> {
    match args.action.unwrap_or(SourcesAction::List(args.list)) {
        SourcesAction::List(SourcesList { agent, limit }) => {
            let call = session.call(Use::Read, &Place::default())?;
            let mut all = verbs::sources(&call, Bare::NOTHING)?;
            if let Some(agent) = agent {
                let theirs = sources_of(&call, &agent)?;
                all.retain(|view| theirs.contains(&view.source.id));
            }
            let all = limit.cut(all, "source", "sources");
            fine(session.out.answer(&all, |page, all| render::sources(page, all)))
        }
        SourcesAction::Show { one, limit } => {
            let call = session.call(Use::Read, &Place::default())?;
            let mut content = verbs::content(&call, Named::new(one.source))?;
            content.memories = limit.cut(content.memories, "memory", "memories");
            fine(session.out.answer(&content, render::source_content))
        }
        SourcesAction::Remove { one, agent } => {
            let call = session.call(Use::Write, &Place::default())?;
            let id = source(&call.engine, &one.source)?;
            let names = match agent {
                None => vec![id.to_string()],
                Some(agent) => parts_of(&call, id, agent)?,
            };
            // The call holds the workspace open.
            drop(call);
            forget::forget(session, &Names { names })
        }
        SourcesAction::Refresh { one, prune, allow_private } => {
            refresh(session, &one.source, prune, allow_private)
        }
        SourcesAction::Tag { one, tags } => {
            fine(session.ask(Use::Write, SourceTags::new(one.source, tags), verbs::tag, |page, view| {
                render::sources(page, std::slice::from_ref(view))
            }))
        }
    }
}

/// Ids of the sources that hold memories of an agent.
fn sources_of(call: &Call, agent: &str) -> Result<BTreeSet<String>> {
    let theirs = Filter { agent: Some(agent.to_string()), superseded: true, ..Filter::default() };
    let read = call.engine.read()?;
    let placements = read.placements(&read.latest(&theirs, usize::MAX >> 1)?)?;
    Ok(placements.into_iter().flatten().map(|placed| placed.source.to_string()).collect())
}

/// What an agent has in a source: the source itself if all of it is theirs, otherwise their memories.
fn parts_of(call: &Call, id: SourceId, agent: String) -> Result<Vec<String>> {
    let all = Filter { sources: vec![id], superseded: true, ..Filter::default() };
    let theirs = Filter { agent: Some(agent.clone()), ..all.clone() };
    let read = call.engine.read()?;
    let found = read.latest(&theirs, usize::MAX >> 1)?;
    if found.is_empty() {
        let what = format!("remove what the agent `{agent}` has in `{id}`");
        return Err(Error::not_found(what, "it has no memory there").hint("griot list --agent NAME"));
    }
    if found.len() == read.latest(&all, usize::MAX >> 1)?.len() {
        return Ok(vec![id.to_string()]);
    }
    Ok(read.memories(&found)?.iter().map(|memory| memory.id.to_string()).collect())
}

/// Reads a source again, with the owner and tags of the last time.
fn refresh(session: &Session, name: &str, prune: bool, allow_private: bool) -> Result<Exit> {
    let call = session.call(Use::Write, &Place::default())?;
    let options = RefreshOptions { prune, allow_private, by: WorkedBy::Creator };
    let (job, reading) = jobs::work(&call, &verbs::refreshed(&call, name, options)?)?;
    match job.kind {
        JobKind::Ingest => reading.answer(session),
        JobKind::Crawl | JobKind::Refresh => crawl::answer(session, &job),
    }
}
