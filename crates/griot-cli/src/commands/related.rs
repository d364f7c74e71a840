//! `griot related`, `griot similar` and `griot path`: what lies around, and between.

use griot::model::Result;
use griot_wire::request::{family, layers, within};
use griot_wire::{Path, Related};

use super::session::{Session, Use};
use crate::args;
use crate::failure::Exit;
use crate::render;

pub fn related(session: &Session, args: &args::Related) -> Result<Exit> {
    let depth = within("--depth", args.depth, 1, 10)?;
    let families = args.family.iter().map(|name| family(name)).collect::<Result<Vec<_>>>()?;
    let layers = layers(&args.layer)?;
    let engine = session.open(Use::Read)?;
    let found = engine.related_in(&args.name, depth, &families, &layers, args.limit)?;
    let found: Vec<Related> = found.iter().map(Related::from).collect();
    engine.close()?;
    session.out.answer(&found, |page, found| render::related(page, found, "nothing is connected with it"))?;
    Ok(Exit::Fine)
}

pub fn similar(session: &Session, args: &args::Similar) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    let found = engine.similar(&args.name, args.limit)?;
    let found: Vec<Related> = found.iter().map(Related::from).collect();
    engine.close()?;
    session.out.answer(&found, |page, found| render::similar(page, found))?;
    Ok(Exit::Fine)
}

pub fn path(session: &Session, args: &args::PathBetween) -> Result<Exit> {
    let most = within("--max-hops", args.max_hops, 1, 32)?;
    let engine = session.open(Use::Read)?;
    let path = Path::from(engine.path(&args.source, &args.target, most)?.as_deref());
    engine.close()?;
    session.out.answer(&path, |page, path| render::path(page, path, most))?;
    Ok(if path.found { Exit::Fine } else { Exit::Problem })
}
