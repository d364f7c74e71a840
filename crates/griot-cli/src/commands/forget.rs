//! `griot forget` and `griot restore`.

use griot::engine::Engine;
use griot::model::Result;
use griot_wire::Forgotten;

use super::session::{Session, Use};
use crate::args::Names;
use crate::failure::Exit;
use crate::render;

pub fn forget(session: &Session, args: &Names) -> Result<Exit> {
    each(session, args, |engine, name| engine.forget(name), "forgotten")
}

pub fn restore(session: &Session, args: &Names) -> Result<Exit> {
    each(session, args, |engine, name| engine.restore(name), "restored")
}

/// Each name is a change of its own: what came before a name that fails is done, and the answer of none is
/// lost.
fn each(
    session: &Session,
    args: &Names,
    act: impl Fn(&Engine, &str) -> Result<griot::engine::Forgotten>,
    done: &str,
) -> Result<Exit> {
    let engine = session.open(Use::Write)?;
    let mut all = griot::engine::Forgotten::default();
    let mut failed = None;
    for name in &args.names {
        match act(&engine, name) {
            Ok(one) => {
                all.memories.extend(one.memories);
                all.entities.extend(one.entities);
                all.sources.extend(one.sources);
                all.edges_hidden += one.edges_hidden;
            }
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    engine.close()?;
    let nothing = all == griot::engine::Forgotten::default();
    if !(nothing && failed.is_some()) {
        session.out.answer(&Forgotten::from(&all), |page, all| render::forgotten(page, all, done))?;
    }
    failed.map_or(Ok(Exit::Fine), Err)
}
