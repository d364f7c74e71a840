//! `griot erase` and `griot erasures`.

use griot::model::{Error, Result};
use griot_wire::Erasure;
use griot_wire::request::{Place, Request, source_here};
use griot_wire::verbs::erase::{self as verbs, EraseThing};

use super::fine;
use crate::args::{EraseArgs, ErasuresArgs};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn erase(session: &Session, args: EraseArgs) -> Result<Exit> {
    if args.resume {
        let call = session.call(Use::Write, &Place::default())?;
        // Opening resumes erasures, too; what is left now cannot be finished.
        let finished = griot_ingest::finish_erasures(&call.engine, &call.lies)?;
        let last = call.engine.erasures()?.into_iter().next();
        let receipts = if finished.is_empty() { last.into_iter().collect() } else { finished };
        let shown: Vec<Erasure> = receipts.iter().map(Erasure::from).collect();
        return fine(session.out.answer(&shown, |page, shown| render::erasures(page, shown)));
    }
    let (Some(kind), Some(name)) = (args.kind, args.name) else {
        return Err(Error::invalid("erase", "say what to erase and its name").hint("griot erase --help"));
    };
    let use_ = if args.dry_run { Use::Read } else { Use::Write };
    let call = session.call(use_, &Place::default())?;
    let name = if kind == "source" { source_here(&call.engine, &name)? } else { name };
    let receipt = verbs::thing(&call, EraseThing::new(kind, name, args.dry_run))?;
    fine(session.out.answer(&receipt, render::erasure))
}

pub fn erasures(session: &Session, ErasuresArgs { request: q, limit }: ErasuresArgs) -> Result<Exit> {
    let is_verified = q.verify;
    let list = verbs::erasures(&session.call(Use::Read, &q.place()?)?, q)?;
    let is_sound = |one: &Erasure| {
        one.found.is_none_or(|found| found == 0) && (!is_verified || one.finished_at.is_some())
    };
    let exit = Exit::fine_if(list.iter().all(is_sound));
    let list = limit.cut(list, "erasure", "erasures");
    session.out.answer(&list, |page, list| render::erasures(page, list))?;
    Ok(exit)
}
