//! `griot merge` and `griot merges`: two names of one thing.

use griot::engine::MergeRequest;
use griot::model::{Provenance, Result};
use griot_wire::{MergeLog, Merged, Suggestion, Unmerged};

use super::session::{Session, Use};
use crate::args;
use crate::failure::Exit;
use crate::render;

pub fn merge(session: &Session, args: args::Merge) -> Result<Exit> {
    let engine = session.open(Use::Write)?;
    if let Some(id) = &args.undo {
        let unmerged = Unmerged::from(&engine.unmerge(id)?);
        engine.close()?;
        session.out.answer(&unmerged, render::unmerged)?;
        return Ok(Exit::Fine);
    }
    let request = MergeRequest {
        kept: args.kept.unwrap_or_default(),
        merged: args.merged.unwrap_or_default(),
        reason: args.reason,
        by: Provenance::User,
    };
    let merged = Merged::from(&engine.merge(&request)?);
    engine.close()?;
    session.out.answer(&merged, render::merged)?;
    Ok(Exit::Fine)
}

pub fn merges(session: &Session, args: &args::Merges) -> Result<Exit> {
    let writes = args.suggest || args.apply.is_some() || args.dismiss.is_some();
    let engine = session.open(if writes { Use::Write } else { Use::Read })?;
    if let Some(id) = &args.apply {
        let merged = Merged::from(&engine.apply_suggestion(id)?);
        engine.close()?;
        session.out.answer(&merged, render::merged)?;
    } else if let Some(id) = &args.dismiss {
        let dismissed = Suggestion::from(&engine.dismiss_suggestion(id)?);
        engine.close()?;
        session.out.answer(&dismissed, render::dismissed)?;
    } else {
        let scan = if args.suggest { Some(engine.suggest_merges(args.auto)?) } else { None };
        let log = MergeLog::new(&engine.merges()?, scan.as_ref());
        engine.close()?;
        session.out.answer(&log, render::merges)?;
    }
    Ok(Exit::Fine)
}
