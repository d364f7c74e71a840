//! `griot sources`: where memories came from.

use std::path::Path;

use griot::model::{Error, Result, SourceType};
use griot_ingest::{CrawlOptions, ReadOptions};
use griot_wire::{Forgotten, Ingested, Memory, SourceContent, SourceView};

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
            session.out.answer(&forgotten, |page, forgotten| render::forgotten(page, forgotten, "forgotten"))?;
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
    let (view, memories) = engine.source(source(&engine, name)?)?;
    let (known, owner) = (view.source, memories.first().map(|memory| memory.scope.clone()).unwrap_or_default());
    match known.kind {
        SourceType::Page => {
            let options = CrawlOptions {
                tags: known.tags,
                user: owner.user,
                project: owner.project,
                allow_private,
                prune,
                ..CrawlOptions::default()
            };
            let id = griot_ingest::start_refresh(&jobs, &known.origin, &options, engine.now().0)?;
            let job = crawl::work(&engine, &jobs, id)?;
            engine.close()?;
            crawl::answer(session, &job)
        }
        SourceType::File | SourceType::Chat => {
            let path = Path::new(&known.origin);
            let options = ReadOptions {
                tags: known.tags,
                scope: owner,
                max_bytes: engine.settings().ingest.max_file_bytes,
                ..ReadOptions::default()
            };
            let mut tally = Ingested::empty();
            if prune && !path.exists() {
                tally.removed = engine.forget(&known.id.to_string())?.memories.len() as u64;
                tally.pruned.push(known.origin);
            } else {
                tally = ingest::again(&engine, path, &options)?;
            }
            engine.close()?;
            session.out.answer(&tally, render::ingested)?;
            Ok(Exit::Fine)
        }
        other => Err(Error::invalid(
            format!("refresh `{name}`"),
            format!("a source of the kind `{}` cannot be read again", other.name()),
        )
        .hint("griot sources")),
    }
}
