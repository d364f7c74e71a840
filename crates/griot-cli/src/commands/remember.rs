//! `griot remember`: a text from the command line, standard input or JSON.

use std::io::{IsTerminal, Read};

use griot::model::{Error, Result};
use griot_wire::draft;
use griot_wire::request::{Place, kind};
use griot_wire::verbs::remember::{RememberBatch, remember, remember_batch, stored};

use super::fine;
use crate::args::{RememberArgs, joined};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: RememberArgs) -> Result<Exit> {
    let mut q = args.owned.request();
    if args.json_input {
        return from_json(session, q.source, q.new_kind);
    }
    q.text = match joined(&args.text) {
        text if text == "-" => stdin("the text")?,
        text => text,
    };
    fine(session.ask(Use::Write, q, remember, render::remembered))
}

fn from_json(session: &Session, source: Option<String>, is_new_kind: bool) -> Result<Exit> {
    let text = stdin("the JSON input")?;
    let mut drafts = draft::read(&text)?;
    let is_one = drafts.len() == 1 && !text.trim_start().starts_with('[');
    let agent = drafts.iter().find_map(|draft| draft.agent.clone());
    let call = session.call(Use::Write, &Place { agent, ..Place::default() })?;
    if is_one
        && source.is_none()
        && let Some(mut draft) = drafts.pop()
    {
        draft.kind = kind(&call.engine, draft.kind.as_ref(), is_new_kind)?;
        return fine(session.out.answer(&stored(&call, draft, None)?, render::remembered));
    }
    let answers = remember_batch(&call, RememberBatch::new(drafts, is_new_kind, source))?;
    if let (true, [answer]) = (is_one, answers.as_slice()) {
        session.out.answer(answer, render::remembered)?;
    } else {
        session.out.answer(&answers, |page, answers| render::remembered_all(page, answers))?;
    }
    Ok(Exit::Fine)
}

/// All of standard input, which must be UTF-8.
pub fn stdin(what: &str) -> Result<String> {
    if std::io::stdin().is_terminal() {
        eprintln!("reading {what} from the terminal; Ctrl-D ends it");
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| Error::unavailable(format!("read {what} from standard input"), error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::invalid(format!("read {what} from standard input"), format!("byte {} is not UTF-8", at + 1))
            .hint("convert it first, such as with iconv -t utf-8")
    })
}
