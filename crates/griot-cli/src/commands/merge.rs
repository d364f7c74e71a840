//! `griot merge` and `griot merges`: merged entities and suggestions.

use griot::model::Result;
use griot_wire::request::{Bare, Place};
use griot_wire::verbs::merge::{self, Merge, OneMerge, OneSuggestion};

use super::fine;
use crate::args::{MergeArgs, MergesArgs};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn merge(session: &Session, args: MergeArgs) -> Result<Exit> {
    if let Some(id) = args.undo {
        return fine(session.ask(Use::Write, OneMerge::new(id), merge::unmerge, render::unmerged));
    }
    let q = Merge::new(args.kept.unwrap_or_default(), args.merged.unwrap_or_default(), args.reason);
    fine(session.ask(Use::Write, q, merge::merge, render::merged))
}

pub fn merges(session: &Session, args: MergesArgs) -> Result<Exit> {
    if let Some(id) = args.apply {
        return fine(session.ask(Use::Write, OneSuggestion::new(id), merge::apply, render::merged));
    }
    if let Some(id) = args.dismiss {
        return fine(session.ask(Use::Write, OneSuggestion::new(id), merge::dismiss, render::dismissed));
    }
    if args.suggest {
        let call = session.call(Use::Write, &Place::default())?;
        return fine(session.out.answer(&merge::suggested(&call, args.auto)?, render::merges));
    }
    fine(session.ask(Use::Read, Bare::NOTHING, merge::merges, render::merges))
}
