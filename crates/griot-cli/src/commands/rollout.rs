//! `griot rollout` and `griot feedback`.

use std::io::Read;
use std::path::Path;

use griot::model::{Error, Result};
use griot_wire::Rollout;
use griot_wire::request::{Bare, Place};
use griot_wire::verbs::rollout::{self as verbs, Feedback, RolloutChange};

use super::fine;
use crate::args::{self, RolloutAction};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

/// Prefix of ids of answers. Handles are hexadecimal.
const ANSWER: &str = "q-";

pub fn rollout(session: &Session, args: args::Rollout) -> Result<Exit> {
    match args.action.unwrap_or(RolloutAction::Status) {
        RolloutAction::Status => status(session, render::rollout),
        RolloutAction::Plan => status(session, render::rollout_plan),
        RolloutAction::Set { mode, force } => {
            let q = RolloutChange::new(mode, force);
            fine(session.ask(Use::Write, q, verbs::set, render::rollout_set))
        }
        RolloutAction::Judge { file } => judge(session, &file),
    }
}

fn status(session: &Session, render: impl FnOnce(render::Page, &Rollout) -> String) -> Result<Exit> {
    fine(session.ask(Use::Read, Bare::NOTHING, verbs::rollout, render))
}

fn judge(session: &Session, file: &Path) -> Result<Exit> {
    let queries = griot_wire::judged_queries(&read(file)?)?;
    let judged = verbs::judge(&session.call(Use::Write, &Place::default())?, &queries)?;
    fine(session.out.answer(&judged, render::judged))
}

fn read(file: &Path) -> Result<String> {
    let cannot = |error: std::io::Error| {
        let what = format!("read `{}`", file.display());
        match error.kind() {
            std::io::ErrorKind::NotFound => Error::not_found(what, "there is no such file"),
            std::io::ErrorKind::InvalidData => Error::invalid(what, "it is not UTF-8"),
            _ => Error::unavailable(what, error.to_string()),
        }
    };
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(cannot)?;
        return Ok(text);
    }
    std::fs::read_to_string(file).map_err(cannot)
}

pub fn feedback(session: &Session, args: args::Feedback) -> Result<Exit> {
    let (mut answers, memories): (Vec<String>, Vec<String>) =
        args.names.into_iter().partition(|name| name.starts_with(ANSWER));
    if answers.len() > 1 {
        return Err(Error::invalid("take feedback", "it names more than one answer")
            .hint("griot feedback q-… --good"));
    }
    let q = Feedback::new(answers.pop(), memories, args.good);
    fine(session.ask(Use::Write, q, verbs::feedback, render::feedback))
}
