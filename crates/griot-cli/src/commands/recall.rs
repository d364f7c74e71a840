//! `griot recall` and `griot traverse`: questions.

use griot::engine::Engine;
use griot::model::{Error, Result, Scope, SourceId};
use griot::recall::Query;
use griot::rollout::Strategy;
use griot_wire::{EntityView, Recall, Related};

use super::session::{Session, Use, between, clock, effort, intent, span, time};
use crate::args;
use crate::failure::Exit;
use crate::render;

/// Entities that the context block describes at most, and how many neighbours of each are asked for.
const DESCRIBED: usize = 6;
const NEIGHBOURS: usize = 12;

pub fn run(session: &Session, args: &args::Recall) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    let query = query(&engine, args)?;
    let answer = Recall::from(&engine.recall(&query)?).with_sources(engine.read()?)?;
    if args.context {
        let named = answer.understanding.entities.iter().take(DESCRIBED);
        let views = named.map(|entity| Ok(EntityView::from(&engine.entity(&entity.id, 1, NEIGHBOURS)?)));
        let views = views.collect::<Result<Vec<EntityView>>>()?;
        session.out.text(&griot_wire::context::block(&answer, &views))?;
    } else {
        session.out.answer(&answer, |page, answer| render::recall(page, answer, args.explain))?;
    }
    // Last, because it writes what was counted: nobody waits for that.
    engine.close()?;
    Ok(Exit::Fine)
}

fn query(engine: &Engine, args: &args::Recall) -> Result<Query> {
    let clock = clock();
    let now = args.now.as_deref().map_or(Ok(clock), |text| time(text, clock))?;
    let settings = &engine.settings().recall;
    let occurred = match &args.at {
        Some(at) => Some(span(at, now)?),
        None => between(args.since.as_deref(), args.until.as_deref(), now)?,
    };
    Ok(Query {
        limit: args.limit.unwrap_or(settings.limit),
        budget: args.budget,
        scope: Scope { user: args.scope.user.clone(), project: args.scope.project.clone() },
        kinds: args.kind.clone(),
        tags: args.tag.clone(),
        sources: args.source.iter().map(|name| source(engine, name)).collect::<Result<_>>()?,
        agent: args.agent.clone(),
        session: args.session.clone(),
        occurred,
        intent: args.intent.as_deref().map(intent).transpose()?,
        superseded: args.superseded,
        floor: !args.no_floor,
        graph: !args.no_graph,
        strategy: args.graph.then_some(Strategy::HybridGraph),
        rejected: args.rejected,
        effort: args.effort.as_deref().map(effort).transpose()?,
        ..Query::new(args.query.clone(), now)
    })
}

/// A source by its id or its origin.
pub fn source(engine: &Engine, name: &str) -> Result<SourceId> {
    if let Some(id) = SourceId::parse(name) {
        return Ok(id);
    }
    let sources = engine.sources()?;
    let found = sources.iter().find(|view| view.source.origin == name);
    found.map(|view| view.source.id).ok_or_else(|| {
        let error = Error::not_found(format!("find the source `{name}`"), "no source has this id or origin");
        match griot_wire::settings::nearest(name, sources.iter().map(|view| view.source.origin.as_str())) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint("griot sources"),
        }
    })
}

pub fn traverse(session: &Session, args: &args::Traverse) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    let query = Query {
        scope: Scope { user: args.scope.user.clone(), project: args.scope.project.clone() },
        intent: args.intent.as_deref().map(intent).transpose()?,
        ..Query::new(args.query.clone(), clock())
    };
    let found = engine.traverse(&query, args.width, args.budget, args.depth)?;
    let found: Vec<Related> = found.iter().map(Related::from).collect();
    engine.close()?;
    session.out.answer(&found, |page, found| render::related(page, found, "nothing was reached"))?;
    Ok(Exit::Fine)
}
