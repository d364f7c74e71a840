//! `griot show`: one memory or one edge in full.

use griot::engine::edge_number;
use griot::model::Result;
use griot_wire::{Edge, Memory};

use super::session::{Session, Use};
use crate::args::Name;
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session, args: &Name) -> Result<Exit> {
    let engine = session.open(Use::Write)?;
    // An entity may be called like an edge, and is then shown by `griot entity`.
    if edge_number(&args.name).is_some() {
        let edge = Edge::from(&engine.edge(&args.name)?);
        engine.close()?;
        session.out.answer(&edge, render::edge_in_full)?;
        return Ok(Exit::Fine);
    }
    let memory = Memory::from(&engine.show(&args.name)?);
    engine.close()?;
    session.out.answer(&memory, render::memory)?;
    Ok(Exit::Fine)
}
