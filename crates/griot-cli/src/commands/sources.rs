//! `griot sources`: the origins of memories.

use griot::backend::Filter;
use griot::model::{Error, Result, SourceId};
use griot_ingest::{JobKind, RefreshOptions, WorkedBy};
use griot_wire::call::Call;
use griot_wire::request::{Named, Place, origin_kind, source, source_here};
use griot_wire::verbs::source::{self as verbs, SourceTags};

use super::{crawl, fine, forget, jobs};
use crate::args::{Names, Sources, SourcesAction, SourcesList};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: Sources) -> Result<Exit> {
    match args.action.unwrap_or(SourcesAction::List(args.list)) {
        SourcesAction::List(SourcesList { source, agent, limit }) => {
            let kind = source.as_deref().map(origin_kind).transpose()?;
            let call = session.call(Use::Read, &Place::default())?;
            let listed = limit.cut(verbs::listed(&call, kind, agent.as_deref())?, "source", "sources");
            fine(session.out.answer(&listed, |page, all| render::sources(page, all)))
        }
        SourcesAction::Show { one, limit } => {
            let call = session.call(Use::Read, &Place::default())?;
            let mut content = verbs::content(&call, Named::new(source_here(&call.engine, &one.source)?))?;
            content.memories = limit.cut(content.memories, "memory", "memories");
            fine(session.out.answer(&content, render::source_content))
        }
        SourcesAction::Remove { one, agent } => {
            let call = session.call(Use::Write, &Place::default())?;
            let id = source(&call.engine, &source_here(&call.engine, &one.source)?)?;
            let names = match agent {
                None => vec![id.to_string()],
                Some(agent) => parts_of(&call, id, agent)?,
            };
            // The call holds the workspace open.
            drop(call);
            forget::forget(session, &Names { names })
        }
        SourcesAction::Refresh { source, agent, prune, allow_private } => {
            let options = RefreshOptions { prune, allow_private, by: WorkedBy::Creator };
            match (source, agent) {
                (Some(source), None) => refresh(session, &source, options),
                (source, Some(agent)) => refresh_agent(session, source.as_deref(), &agent, options),
                (None, None) => Err(Error::invalid("read a source again", "no source was named")),
            }
        }
        SourcesAction::Tag { one, tags } => {
            let call = session.call(Use::Write, &Place::default())?;
            let view = verbs::tag(&call, SourceTags::new(source_here(&call.engine, &one.source)?, tags))?;
            fine(session.out.answer(&view, |page, view| render::sources(page, std::slice::from_ref(view))))
        }
    }
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

/// Reads the sources of an agent again, or the named one if it is among them.
fn refresh_agent(
    session: &Session,
    name: Option<&str>,
    agent: &str,
    options: RefreshOptions,
) -> Result<Exit> {
    let call = session.call(Use::Write, &Place::default())?;
    let named = name.map(|name| source(&call.engine, &source_here(&call.engine, name)?)).transpose()?;
    let mut own = verbs::readable(&call, agent)?;
    own.retain(|id| named.is_none_or(|named| named == *id));
    if own.is_empty() {
        let error = match name {
            Some(name) => Error::not_found(
                format!("read the source `{name}` again"),
                format!("no page or file of this name is of the agent `{agent}`"),
            ),
            None => Error::not_found(
                format!("read the sources of the agent `{agent}` again"),
                "it has memories from no page and from no file of this machine",
            ),
        };
        return Err(error.hint(format!("griot sources list --agent {agent}")));
    }
    drop(call);
    let mut exit = Exit::Fine;
    for id in own {
        let one = refresh(session, &id.to_string(), options)?;
        if one != Exit::Fine {
            exit = one;
        }
    }
    Ok(exit)
}

/// Reads a source again, with the owner, agent and tags of the last time.
fn refresh(session: &Session, name: &str, options: RefreshOptions) -> Result<Exit> {
    let call = session.call(Use::Write, &Place::default())?;
    let name = source_here(&call.engine, name)?;
    let (job, reading) = jobs::work(&call, &verbs::refreshed(&call, &name, options)?)?;
    match job.kind {
        JobKind::Ingest => reading.answer(session),
        JobKind::Crawl | JobKind::Refresh => crawl::answer(session, &job),
    }
}
