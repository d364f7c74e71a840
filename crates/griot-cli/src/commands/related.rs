//! `griot related`, `griot similar` and `griot path`: what lies around, and between.

use griot::model::{Error, Family, Result};
use griot_wire::{Path, Related};

use super::session::{Session, Use, steps};
use crate::args;
use crate::failure::Exit;
use crate::render;

pub fn related(session: &Session, args: &args::Related) -> Result<Exit> {
    let depth = steps("--depth", args.depth, 10)?;
    let families = args.family.iter().map(|name| family(name)).collect::<Result<Vec<Family>>>()?;
    let engine = session.open(Use::Read)?;
    let found = engine.related(&args.name, depth, &families, args.limit)?;
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
    let most = steps("--max-hops", args.max_hops, 32)?;
    let engine = session.open(Use::Read)?;
    let path = Path::from(engine.path(&args.source, &args.target, most)?.as_deref());
    engine.close()?;
    session.out.answer(&path, |page, path| render::path(page, path, most))?;
    Ok(if path.found { Exit::Fine } else { Exit::Problem })
}

fn family(name: &str) -> Result<Family> {
    Family::ALL.into_iter().find(|family| family.name() == name).ok_or_else(|| {
        Error::invalid(format!("use the family `{name}`"), "there is no such family of edges")
            .hint("use temporal, entity, causal or semantic")
    })
}
