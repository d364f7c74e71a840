//! `griot sources`: where memories came from.

use griot::model::Result;
use griot_ingest::{JobKind, RefreshOptions, WorkedBy};
use griot_wire::{Forgotten, Memory, SourceContent, SourceView};

use super::session::{Session, Use};
use super::{crawl, ingest};
use crate::args::{Sources, SourcesAction};
use crate::failure::Exit;
use crate::render;
use griot_wire::request::source;

pub fn run(session: &Session, args: Sources) -> Result<Exit> {
    match args.action.unwrap_or(SourcesAction::List) {
        SourcesAction::List => {
            let engine = session.open(Use::Read)?;
            let sources: Vec<SourceView> = engine.sources()?.iter().map(SourceView::from).collect();
            engine.close()?;
            session.out.answer(&sources, |page, sources| render::sources(page, sources))?;
        }
        SourcesAction::Show { source: name } => {
            let engine = session.open(Use::Read)?;
            let (view, memories) = engine.source(source(&engine, &name)?)?;
            engine.close()?;
            let content = SourceContent {
                source: SourceView::from(&view),
                memories: memories.iter().map(Memory::from).collect(),
            };
            session.out.answer(&content, render::source_content)?;
        }
        SourcesAction::Remove { source: name } => {
            let engine = session.open(Use::Write)?;
            let id = source(&engine, &name)?;
            let forgotten = Forgotten::from(&engine.forget(&id.to_string())?);
            engine.close()?;
            session
                .out
                .answer(&forgotten, |page, forgotten| render::forgotten(page, forgotten, "forgotten"))?;
        }
        SourcesAction::Refresh { source: name, prune, allow_private } => {
            return refresh(session, &name, prune, allow_private);
        }
        SourcesAction::Tag { source: name, tags } => {
            let engine = session.open(Use::Write)?;
            let id = source(&engine, &name)?;
            let view = SourceView::from(&engine.set_source_tags(id, tags)?);
            engine.close()?;
            session.out.answer(&view, |page, view| render::sources(page, std::slice::from_ref(view)))?;
        }
    }
    Ok(Exit::Fine)
}

/// Reads a source again, for those and with the tags that it was read for before.
fn refresh(session: &Session, name: &str, prune: bool, allow_private: bool) -> Result<Exit> {
    let (engine, jobs) = crawl::open(session)?;
    let options = RefreshOptions { prune, allow_private, by: WorkedBy::Maker };
    let id = griot_ingest::refresh_source(&jobs, &engine, source(&engine, name)?, options)?;
    if jobs.job(id)?.kind == JobKind::Ingest {
        let mut reading = ingest::Reading::new();
        ingest::work(&engine, &jobs, id, &mut reading)?;
        engine.close()?;
        return reading.answer(session);
    }
    let job = crawl::work(&engine, &jobs, id)?;
    engine.close()?;
    crawl::answer(session, &job)
}
