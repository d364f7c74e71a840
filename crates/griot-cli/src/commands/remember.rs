//! `griot remember`: a text from the command line, standard input or JSON.

use std::io::{IsTerminal, Read};

use griot::model::{Error, Result, SourceType};
use griot::remember::{Draft, SourceDraft};
use griot_wire::Remembered;

use super::session::{Session, Use, clock};
use crate::args::Remember;
use crate::failure::Exit;
use crate::render;

/// Who speaks when nobody is named.
const NOBODY: &str = "griot";

pub fn run(session: &Session, args: Remember) -> Result<Exit> {
    if args.json_input {
        return from_json(session, args.source.as_deref());
    }
    let source = args.source.clone();
    let draft = draft(args)?;
    let engine = session.open_for(Use::Write, draft.agent.as_deref())?;
    let answer = match source {
        None => engine.remember(draft)?,
        Some(origin) => engine.remember_from(&SourceDraft::new(SourceType::Agent, origin), draft)?,
    };
    engine.close()?;
    session.out.answer(&Remembered::from(&answer), render::remembered)?;
    Ok(Exit::Fine)
}

fn from_json(session: &Session, source: Option<&str>) -> Result<Exit> {
    let now = clock();
    let text = stdin("the JSON input")?;
    let drafts = griot_wire::draft::read(&text)?;
    let drafts = drafts.into_iter().map(|draft| draft.into_engine(now)).collect::<Result<Vec<Draft>>>()?;
    let is_one = drafts.len() == 1 && !text.trim_start().starts_with('[');
    let engine = session.open_for(Use::Write, drafts.iter().find_map(|draft| draft.agent.as_deref()))?;
    if let (true, None, [draft]) = (is_one, source, drafts.as_slice()) {
        let answer = engine.remember(draft.clone())?;
        engine.close()?;
        session.out.answer(&Remembered::from(&answer), render::remembered)?;
        return Ok(Exit::Fine);
    }
    let origin = source.map(str::to_string);
    let origin = origin.or_else(|| drafts.iter().find_map(|draft| draft.agent.clone()));
    let source = SourceDraft::new(SourceType::Agent, origin.unwrap_or_else(|| NOBODY.to_string()));
    let answers: Vec<Remembered> =
        engine.remember_all(&source, drafts)?.iter().map(Remembered::from).collect();
    engine.close()?;
    if let (true, [answer]) = (is_one, answers.as_slice()) {
        session.out.answer(answer, render::remembered)?;
    } else {
        session.out.answer(&answers, |page, answers| render::remembered_all(page, answers))?;
    }
    Ok(Exit::Fine)
}

fn draft(args: Remember) -> Result<Draft> {
    let now = clock();
    let text = match args.text.as_deref() {
        Some("-") | None => stdin("the text")?,
        Some(text) => text.to_string(),
    };
    let wire = griot_wire::draft::Draft {
        text,
        kind: args.kind,
        tags: args.tag,
        tier: args.tier,
        expires_at: args.expires,
        importance: args.importance,
        user: args.owner.user,
        project: args.owner.project,
        agent: args.agent,
        session: args.session,
        speaker: args.speaker,
        occurred_at: args.at,
        entities: args.entity.into_iter().map(griot_wire::draft::EntityDraft::Short).collect(),
        supersedes: args.supersedes,
        ..griot_wire::draft::Draft::default()
    };
    wire.into_engine(now)
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
