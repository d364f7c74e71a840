//! `griot facts`: what is held to be true, and when it was.

use griot::model::{Error, Result};
use griot_wire::Fact;
use griot_wire::draft::read_time;
use griot_wire::request as ask;

use super::session::{Session, Use, clock};
use crate::args::{Facts, FactsAction, FactsAdd, FactsList};
use crate::failure::Exit;
use crate::render;

pub fn run(session: &Session, args: Facts) -> Result<Exit> {
    match args.action {
        None => list(session, &args.list),
        Some(FactsAction::List(args)) => list(session, &args),
        Some(FactsAction::Add(args)) => add(session, args),
    }
}

fn list(session: &Session, args: &FactsList) -> Result<Exit> {
    let now = clock();
    let at = |text: &Option<String>| text.as_deref().map(|text| read_time(text, now)).transpose();
    let (as_of, known_at) = (at(&args.as_of)?, at(&args.known_at)?);
    let id = args.entity.as_deref().filter(|name| is_fact_id(name));
    let entity = if id.is_some() { None } else { args.entity.as_deref() };
    let engine = session.open(Use::Read)?;
    let mut facts: Vec<Fact> = engine.facts(entity, as_of, known_at)?.iter().map(Fact::from).collect();
    engine.close()?;
    if let Some(id) = id {
        facts.retain(|fact| fact.id == *id);
        if facts.is_empty() {
            return Err(Error::not_found(format!("show the fact `{id}`"), "there is no such fact")
                .hint("griot facts"));
        }
    }
    let narrowed = args.entity.is_some() || args.as_of.is_some() || args.known_at.is_some();
    session.out.answer(&facts, |page, facts| match facts.as_slice() {
        [] if narrowed => "No such facts.".to_string(),
        facts => render::facts(page, facts),
    })?;
    Ok(Exit::Fine)
}

fn is_fact_id(name: &str) -> bool {
    name.strip_prefix('f')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn add(session: &Session, args: FactsAdd) -> Result<Exit> {
    let request = ask::AddFact {
        subject: args.subject,
        predicate: args.predicate,
        object: args.object,
        valid_from: args.from,
        valid_to: args.to,
        confidence: args.confidence,
        memory: args.memory,
        reason: args.reason,
        user: args.owner.user,
        project: args.owner.project,
        scope: None,
    };
    let draft = request.to_engine(clock())?;
    let engine = session.open(Use::Write)?;
    let fact = Fact::from(&engine.add_fact(&draft)?);
    engine.close()?;
    session.out.answer(&fact, |page, fact| render::facts(page, std::slice::from_ref(fact)))?;
    Ok(Exit::Fine)
}
