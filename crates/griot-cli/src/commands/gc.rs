//! `griot gc`: what could be let go. It only lists.

use griot::model::Result;
use griot_wire::request::share;
use griot_wire::{GcCandidate, Memory};

use super::session::{Session, Use};
use crate::args::Gc;
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session, args: &Gc) -> Result<Exit> {
    if args.keep.is_empty() {
        let threshold = share("--threshold", args.threshold)?;
        let engine = session.open(Use::Read)?;
        let list: Vec<GcCandidate> =
            engine.gc(threshold, args.limit)?.iter().map(GcCandidate::from).collect();
        engine.close()?;
        session.out.answer(&list, |page, list| render::gc(page, list, threshold))?;
    } else {
        let engine = session.open(Use::Write)?;
        let kept =
            args.keep.iter().map(|name| Ok(Memory::from(&engine.keep(name)?))).collect::<Result<Vec<_>>>()?;
        engine.close()?;
        session.out.answer(&kept, |page, kept| render::kept(page, kept))?;
    }
    Ok(Exit::Fine)
}
