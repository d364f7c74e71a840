//! `griot facts` lists, adds and ends facts, `griot conflicts` lists those that contradict each other.

use griot::model::{Error, Result};
use griot_wire::request::Request;
use griot_wire::verbs::facts::{add, conflicts, end, facts};

use super::fine;
use crate::args::{ConflictsArgs, FactsAction, FactsArgs, FactsList};
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: FactsArgs) -> Result<Exit> {
    match args.action {
        None => list(session, args.list),
        Some(FactsAction::List(all)) => list(session, all),
        Some(FactsAction::Add(owned)) => fine(session.ask(Use::Write, owned.request(), add, |page, fact| {
            render::facts(page, std::slice::from_ref(fact))
        })),
        Some(FactsAction::End(ended)) => fine(
            session.ask(Use::Write, ended, end, |page, fact| render::facts(page, std::slice::from_ref(fact))),
        ),
    }
}

fn list(session: &Session, FactsList { request: mut q, limit }: FactsList) -> Result<Exit> {
    let narrowed = q.entity.is_some() || q.as_of.is_some() || q.known_at.is_some();
    let id = q.entity.take_if(|name| is_fact_id(name));
    let call = session.call(Use::Read, &q.place()?)?;
    let mut facts = facts(&call, q)?;
    if let Some(id) = id {
        facts.retain(|fact| fact.id == id);
        if facts.is_empty() {
            return Err(Error::not_found(format!("show the fact `{id}`"), "there is no such fact")
                .hint("griot facts"));
        }
    }
    let facts = limit.cut(facts, "fact", "facts");
    fine(session.out.answer(&facts, |page, facts| match facts.as_slice() {
        [] if narrowed => "No such facts.".to_string(),
        facts => render::facts(page, facts),
    }))
}

pub fn conflicting(session: &Session, ConflictsArgs { request: q, limit }: ConflictsArgs) -> Result<Exit> {
    let found = conflicts(&session.call(Use::Read, &q.place()?)?, q)?;
    let found = limit.cut(found, "conflict", "conflicts");
    fine(session.out.answer(&found, |page, found| render::conflicts(page, found)))
}

fn is_fact_id(name: &str) -> bool {
    name.strip_prefix('f')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
