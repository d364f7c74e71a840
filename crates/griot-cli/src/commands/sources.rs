//! `griot sources`: the origins of memories.

use griot::model::Result;
use griot_ingest::{JobKind, RefreshOptions, WorkedBy};
use griot_wire::request::{Bare, Named, Place, source};
use griot_wire::verbs::memory;
use griot_wire::verbs::source::{self as verbs, SourceTags};

use super::{crawl, fine, jobs};
use crate::args::{Sources, SourcesAction};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: Sources) -> Result<Exit> {
    match args.action.unwrap_or(SourcesAction::List) {
        SourcesAction::List => fine(
            session.ask(Use::Read, Bare::NOTHING, verbs::sources, |page, all| render::sources(page, all)),
        ),
        SourcesAction::Show(one) => {
            fine(session.ask(Use::Read, Named::new(one.source), verbs::content, render::source_content))
        }
        SourcesAction::Remove(one) => {
            let call = session.call(Use::Write, &Place::default())?;
            let id = source(&call.engine, &one.source)?;
            let gone = memory::forget(&call, Named::new(id.to_string()))?;
            fine(session.out.answer(&gone, |page, gone| render::forgotten(page, gone, "forgotten")))
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
