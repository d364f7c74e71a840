//! `griot recall` and `griot traverse`: questions.

use griot::engine::Engine;
use griot::model::{Result, Scope};
use griot::recall::Query;
use griot_wire::request as ask;
use griot_wire::{EntityView, Recall, Related};

use super::session::{Session, Use, clock};
use crate::args;
use crate::failure::Exit;
use crate::render;

/// Entities that the context block describes at most, and how many neighbours of each are asked for.
const DESCRIBED: usize = 6;
const NEIGHBOURS: usize = 12;

pub fn run(session: &Session, args: &args::Recall) -> Result<Exit> {
    let engine = session.open_for(Use::Read, args.agent.as_deref())?;
    let query = query(&engine, args)?;
    let found = engine.recall(&query)?;
    let answer = Recall::from(&found).with_sources(engine.read()?)?;
    if args.context {
        let named = found.understanding.entities.iter().take(DESCRIBED);
        let views =
            named.map(|entity| engine.entity_at(entity.node, 1, NEIGHBOURS)).collect::<Result<Vec<_>>>()?;
        let views: Vec<EntityView> = views.iter().flatten().map(EntityView::from).collect();
        session.out.text(&griot_wire::context::block(&answer, &views))?;
    } else {
        session.out.answer(&answer, |page, answer| render::recall(page, answer, args.explain))?;
    }
    // Last, because it writes what was counted: nobody waits for that.
    engine.close()?;
    Ok(Exit::Fine)
}

fn query(engine: &Engine, args: &args::Recall) -> Result<Query> {
    let request = ask::Recall {
        limit: args.limit,
        budget: args.budget,
        kinds: args.kind.clone(),
        layers: args.layer.clone(),
        tags: args.tag.clone(),
        tiers: args.tier.clone(),
        no_rules: args.no_rules,
        sources: args.source.clone(),
        agent: args.agent.clone(),
        session: args.session.clone(),
        since: args.since.clone(),
        until: args.until.clone(),
        at: args.at.clone(),
        intent: args.intent.clone(),
        now: args.now.clone(),
        superseded: args.superseded,
        trusted: args.trusted,
        no_floor: args.no_floor,
        graph: args.graph,
        no_graph: args.no_graph,
        effort: args.effort.clone(),
        rejected: args.rejected,
        user: args.scope.user.clone(),
        project: args.scope.project.clone(),
        ..ask::Recall::new(&args.query)
    };
    request.to_query(&engine.settings().recall, clock(), |name| ask::source(engine, name))
}

pub fn traverse(session: &Session, args: &args::Traverse) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    let query = Query {
        scope: Scope { user: args.scope.user.clone(), project: args.scope.project.clone() },
        intent: args.intent.as_deref().map(ask::intent).transpose()?,
        ..Query::new(args.query.clone(), clock())
    };
    let layers = ask::layers(&args.layer)?;
    let found = engine.traverse(&query, args.width, args.budget, args.depth)?;
    let wanted = found.iter().filter(|one| layers.is_empty() || layers.contains(&one.node.layer()));
    let found: Vec<Related> = wanted.map(Related::from).collect();
    engine.close()?;
    session.out.answer(&found, |page, found| render::related(page, found, "nothing was reached"))?;
    Ok(Exit::Fine)
}
