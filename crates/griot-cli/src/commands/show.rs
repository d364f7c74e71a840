//! `griot show`: one memory in full.

use griot::model::Result;
use griot_wire::Memory;

use super::session::{Session, Use};
use crate::args::Name;
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session, args: &Name) -> Result<Exit> {
    let engine = session.open(Use::Write)?;
    let memory = Memory::from(&engine.show(&args.name)?);
    engine.close()?;
    session.out.answer(&memory, render::memory)?;
    Ok(Exit::Fine)
}
