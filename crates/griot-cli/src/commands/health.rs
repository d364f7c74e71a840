//! `griot verify`, `doctor`, `reindex` and `build-graphs`: looking after a workspace.

use griot::model::Result;
use griot_wire::request::share;
use griot_wire::{BuiltGraphs, Health, Reindexed, Verified, Warning};

use super::session::{Session, Use};
use crate::args;
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;

pub fn verify(session: &Session) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    let verified = Verified { warnings: engine.verify()?.iter().map(Warning::from).collect() };
    engine.close()?;
    session.out.answer(&verified, render::verified)?;
    Ok(if verified.warnings.is_empty() { Exit::Fine } else { Exit::Problem })
}

pub fn doctor(session: &Session) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    let health = Health::from(engine.doctor()?);
    engine.close()?;
    session.out.answer(&health, render::health)?;
    Ok(if health.sound { Exit::Fine } else { Exit::Problem })
}

pub fn reindex(session: &Session, args: &args::Reindex) -> Result<Exit> {
    let engine = session.open(Use::Write)?;
    let progress = Progress::new("memories");
    engine.reindex(args.embed, &mut |done, all| progress.at(done, all))?;
    progress.finish();
    engine.close()?;
    session.out.answer(&Reindexed { embedded: args.embed }, |_, made| {
        if made.embedded { "indexes and vectors are made again" } else { "indexes are made again" }.to_string()
    })?;
    Ok(Exit::Fine)
}

pub fn build_graphs(session: &Session, args: &args::BuildGraphs) -> Result<Exit> {
    let threshold = share("--threshold", args.threshold)?;
    let engine = session.open(Use::Write)?;
    let progress = Progress::new("memories");
    let built = engine.build_graphs(threshold, &mut |done, all| progress.at(done, all))?;
    progress.finish();
    engine.close()?;
    session.out.answer(&BuiltGraphs::from(built), render::built)?;
    Ok(Exit::Fine)
}
