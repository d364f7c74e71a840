//! `griot why`: what led to a memory and what followed from it.

use griot::engine::WhyDirection;
use griot::model::Result;
use griot_wire::Why;
use griot_wire::draft::read_time;
use griot_wire::request::{share, within};

use super::session::{Session, Use};
use crate::args::{self, Direction};
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session, args: &args::Why) -> Result<Exit> {
    let depth = within("--depth", args.depth, 1, 10)?;
    let least = args.min_confidence.map(|least| share("--min-confidence", least)).transpose()?;
    let direction = match args.direction {
        Direction::Causes => WhyDirection::Causes,
        Direction::Consequences => WhyDirection::Consequences,
        Direction::Both => WhyDirection::Both,
    };
    let engine = session.open(Use::Read)?;
    let least = least.unwrap_or(engine.settings().graph.min_confidence);
    let now = args.now.as_deref().map(|text| read_time(text, engine.now())).transpose()?;
    let why = Why::from(&engine.why(&args.name, direction, depth, least, now)?);
    engine.close()?;
    session.out.answer(&why, |page, why| render::why(page, why, args.direction))?;
    Ok(Exit::Fine)
}
