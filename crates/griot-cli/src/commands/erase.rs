//! `griot erase` and `griot erasures`.

use griot::model::{ErasedKind, Error, Result};
use griot_wire::Erasure;

use super::session::{Session, Use};
use crate::args;
use crate::failure::Exit;
use crate::render;

/// Who asks on the command line.
const BY: &str = "user";

pub fn erase(session: &Session, args: args::Erase) -> Result<Exit> {
    let lies = session.lies(&session.target()?)?;
    if args.resume {
        let engine = session.open(Use::Write)?;
        // Opening goes on by itself; what is left then is left for a reason.
        let finished = griot_ingest::finish_erasures(&engine, &lies)?;
        let last = engine.erasures()?.into_iter().next();
        engine.close()?;
        let told = if finished.is_empty() { last.into_iter().collect() } else { finished };
        let shown: Vec<Erasure> = told.iter().map(Erasure::from).collect();
        session.out.answer(&shown, |page, shown| render::erasures(page, shown))?;
        return Ok(Exit::Fine);
    }
    let (Some(kind), Some(name)) = (args.kind, args.name) else {
        return Err(Error::invalid("erase", "say what to erase and its name").hint("griot erase --help"));
    };
    let kind = match kind {
        args::Erasable::Memory => ErasedKind::Memory,
        args::Erasable::Source => ErasedKind::Source,
        args::Erasable::Entity => ErasedKind::Entity,
        args::Erasable::User => ErasedKind::User,
    };
    let engine = session.open(if args.dry_run { Use::Read } else { Use::Write })?;
    let outcome = griot_ingest::erase(&engine, &lies, kind, &name, BY, args.dry_run);
    engine.close()?;
    let receipt = Erasure::from(&outcome?);
    session.out.answer(&receipt, render::erasure)?;
    Ok(Exit::Fine)
}

pub fn erasures(session: &Session, args: &args::Erasures) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    let list: Vec<Erasure> = if args.verify {
        engine.verify_erasures()?.iter().map(Erasure::from).collect()
    } else {
        engine.erasures()?.iter().map(Erasure::from).collect()
    };
    engine.close()?;
    let is_sound = |one: &Erasure| {
        one.found.is_none_or(|found| found == 0) && (!args.verify || one.finished_at.is_some())
    };
    let sound = list.iter().all(is_sound);
    session.out.answer(&list, |page, list| render::erasures(page, list))?;
    Ok(if sound { Exit::Fine } else { Exit::Problem })
}
