//! `griot sources`: where memories came from.

use griot::model::Result;
use griot_wire::{Forgotten, Memory, SourceContent, SourceView};

use super::session::{Session, Use};
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
            session.out.answer(&forgotten, |page, forgotten| render::forgotten(page, forgotten, "forgotten"))?;
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
