//! `griot recall`: a question, answered as results or as a block for a prompt.

use griot::model::Result;
use griot_wire::request::Request;
use griot_wire::verbs::recall::{block, recall};

use crate::args::RecallArgs;
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: RecallArgs) -> Result<Exit> {
    let q = args.within.request();
    let call = session.call(Use::Read, &q.place()?)?;
    let found = recall(&call, q)?;
    if args.context {
        session.out.text(&block(&call, &found)?)?;
    } else {
        session.out.answer(&found.recall, |page, answer| render::recall(page, answer, args.explain))?;
    }
    Ok(Exit::Fine)
}
