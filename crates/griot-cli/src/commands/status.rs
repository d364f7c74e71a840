//! `griot status`: what is in the workspace.

use griot::model::Result;
use griot_wire::Status;

use super::session::{Session, Use};
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session) -> Result<Exit> {
    let target = session.target()?;
    let engine = session.open(Use::Read)?;
    let status = Status::from(&engine.status()?);
    engine.close()?;
    session.out.answer(&status, |page, status| render::status(page, status, target.workspace.as_deref()))?;
    Ok(Exit::Fine)
}
