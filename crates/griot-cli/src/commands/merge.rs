//! `griot merge` and `griot merges`: merged entities and suggestions.

use griot::model::Result;
use griot_wire::request::Place;
use griot_wire::verbs::enrich::{JudgeMerges, judge_merges};
use griot_wire::verbs::merge::{self, Merge, Merges, OneMerge, OneSuggestion};

use super::fine;
use super::health::counted;
use crate::args::{Limit, MergeArgs, MergesArgs};
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
    if args.judge {
        let asked = JudgeMerges::new(args.limit, args.estimate, args.retry);
        let judged = counted(session, "pairs", asked, judge_merges)?;
        session.out.answer(&judged, render::judged_merges)?;
        return Ok(Exit::fine_if(judged.failure.is_none()));
    }
    let mut log = if args.suggest {
        merge::suggested(&session.call(Use::Write, &Place::default())?, args.auto)?
    } else {
        merge::merges(&session.call(Use::Read, &Place::default())?, Merges::new(args.all))?
    };
    let limit = Limit { limit: args.limit };
    log.merges = limit.cut(log.merges, "merge", "merges");
    log.suggestions = limit.cut(log.suggestions, "suggestion", "suggestions");
    fine(session.out.answer(&log, render::merges))
}
