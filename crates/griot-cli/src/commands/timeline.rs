//! `griot timeline`: memories in order of time.

use griot::model::{Result, Scope};
use griot_wire::Timeline;
use griot_wire::request::between;

use super::session::{Session, Use, clock};
use crate::args;
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session, args: &args::Timeline) -> Result<Exit> {
    let interval = between(args.since.as_deref(), args.until.as_deref(), clock())?;
    let scope = Scope { user: args.scope.user.clone(), project: args.scope.project.clone() };
    let engine = session.open(Use::Read)?;
    let timeline = engine.timeline(args.anchor.as_deref(), args.before, args.after, interval, &scope)?;
    let timeline = Timeline::from(&timeline);
    engine.close()?;
    session.out.answer(&timeline, render::timeline)?;
    Ok(Exit::Fine)
}
