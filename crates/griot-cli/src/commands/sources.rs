//! `griot sources`: the origins of memories.

use griot::model::{Error, Result};
use griot_ingest::{JobKind, RefreshOptions, WorkedBy};
use griot_wire::request::{Named, Place, origin_kind, source};
use griot_wire::verbs::memory;
use griot_wire::verbs::source::{self as verbs, SourceTags};

use super::{crawl, fine, jobs};
use crate::args::{Sources, SourcesAction};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: Sources) -> Result<Exit> {
    match args.action.unwrap_or(SourcesAction::List { source: None, agent: None }) {
        SourcesAction::List { source, agent } => {
            let kind = source.as_deref().map(origin_kind).transpose()?;
            let call = session.call(Use::Read, &Place::default())?;
            let listed = verbs::listed(&call, kind, agent.as_deref())?;
            fine(session.out.answer(&listed, |page, all| render::sources(page, all)))
        }
        SourcesAction::Show(one) => {
            fine(session.ask(Use::Read, Named::new(one.source), verbs::content, render::source_content))
        }
        SourcesAction::Remove(one) => {
            let call = session.call(Use::Write, &Place::default())?;
            let id = source(&call.engine, &one.source)?;
            let gone = memory::forget(&call, Named::new(id.to_string()))?;
            fine(session.out.answer(&gone, |page, gone| render::forgotten(page, gone, "forgotten")))
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
            fine(session.ask(Use::Write, SourceTags::new(one.source, tags), verbs::tag, |page, view| {
                render::sources(page, std::slice::from_ref(view))
            }))
        }
    }
}

/// Reads the sources of an agent again, or the named one if it is among them.
fn refresh_agent(
    session: &Session,
    name: Option<&str>,
    agent: &str,
    options: RefreshOptions,
) -> Result<Exit> {
    let call = session.call(Use::Write, &Place::default())?;
    let named = name.map(|name| source(&call.engine, name)).transpose()?;
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
    let (job, reading) = jobs::work(&call, &verbs::refreshed(&call, name, options)?)?;
    match job.kind {
        JobKind::Ingest => reading.answer(session),
        JobKind::Crawl | JobKind::Refresh => crawl::answer(session, &job),
    }
}
