//! What does each verb answer? One function per verb, from a request of `griot-wire` to an object of
//! `griot-wire`; HTTP and MCP call the same ones, so that both answer what the command line prints with
//! `--json`.

use griot::engine::{Engine, FactDraft, FeedbackRequest, GraphsToBuild};
use griot::model::{ErasedKind, Error, Layer, Node, Result, SourceType};
use griot::recall::Query;
use griot::remember::{SourceDraft, checked_word, checked_words};
use griot_ingest::{Format, ReadOptions};
use griot_wire::request::{self as ask, Request};
use griot_wire::{
    BuiltGraphs, Edge, EntityView, Erasure, Fact, Feedback, Forgotten, Health, Hub, IngestFailure, Ingested,
    Linked, Memory, MergeLog, Merged, Path, Recall, Related, Remembered, Rollout, SourceContent, SourceView,
    Status, Suggestion, Timeline, Unlinked, Unmerged, Verified, Warning, Why,
};

use crate::access::Role;
use crate::failure::Outcome;
use crate::jobs;
use crate::service::{Call, bound_to};

/// Most texts of one batch, so that a transaction stays short.
const BATCH: usize = 1000;
/// Most results, mentions and neighbours that one request may ask for.
const MOST: usize = 1000;
/// Who speaks when nobody is named.
const NOBODY: &str = "griot";
/// Entities that the context block describes at most, and how many neighbours of each are asked for.
const DESCRIBED: usize = 6;
const NEIGHBOURS: usize = 12;

pub fn remember(call: &Call, q: ask::Remember) -> Outcome<Remembered> {
    if let Some(name) = &q.supersedes {
        call.own_memory("replace a memory", name)?;
    }
    let origin = q.source.clone();
    let mut draft = q.into_draft();
    draft.user.clone_from(&call.scope.user);
    draft.project.clone_from(&call.scope.project);
    let draft = draft.into_engine(call.engine.now())?;
    let answer = match origin {
        None => call.engine.remember(draft)?,
        Some(origin) => call.engine.remember_from(&SourceDraft::new(SourceType::Agent, origin), draft)?,
    };
    Ok(Remembered::from(&answer))
}

pub fn remember_batch(call: &Call, q: ask::RememberBatch) -> Outcome<Vec<Remembered>> {
    ask::within("the number of memories", q.memories.len(), 1, BATCH)?;
    let now = call.engine.now();
    let mut drafts = Vec::with_capacity(q.memories.len());
    for mut draft in q.memories {
        if let Some(name) = &draft.supersedes {
            call.own_memory("replace a memory", name)?;
        }
        if let (Some(own), Some(asked)) = (&call.bound, &draft.user)
            && own != asked
        {
            return Err(bound_to(own, asked));
        }
        // What stands in a text never widens the scope of the request.
        if call.scope.user.is_some() {
            draft.user.clone_from(&call.scope.user);
        }
        if call.scope.project.is_some() {
            draft.project.clone_from(&call.scope.project);
        }
        drafts.push(draft.into_engine(now)?);
    }
    let origin = q.source.or_else(|| drafts.iter().find_map(|draft| draft.agent.clone()));
    let source = SourceDraft::new(SourceType::Agent, origin.unwrap_or_else(|| NOBODY.to_string()));
    Ok(call.engine.remember_all(&source, drafts)?.iter().map(Remembered::from).collect())
}

pub fn recall(call: &Call, q: ask::Recall) -> Outcome<Recall> {
    Ok(recalled(call, q)?.recall)
}

/// An answer in the words of the command line, with the entities that its question names as nodes: whoever
/// tells more of them need not look them up by what was printed.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct Recalled {
    pub recall: Recall,
    #[serde(skip)]
    pub named: Vec<Node>,
}

/// Written out, so that the schema is the answer's own and not a reference to it.
impl schemars::JsonSchema for Recalled {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Recall::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Recall::json_schema(generator)
    }
}

/// The one way to a recall for HTTP and MCP.
pub fn recalled(call: &Call, q: ask::Recall) -> Outcome<Recalled> {
    let query = query(call, &q)?;
    if !q.feedback.is_empty() {
        call.needs(Role::Write, "take feedback")?;
        ask::within("the number of feedbacks", q.feedback.len(), 1, MOST)?;
        for given in q.feedback {
            judging(call).feedback(&given.into())?;
        }
    }
    let answer = answer(call, &query)?;
    let named = answer.understanding.entities.iter().map(|entity| entity.node).collect();
    Ok(Recalled { recall: told(call, &answer)?, named })
}

pub fn query(call: &Call, q: &ask::Recall) -> Outcome<Query> {
    if let Some(limit) = q.limit {
        ask::within("the limit", limit, 1, MOST)?;
    }
    if let Some(budget) = q.budget {
        ask::within("the budget", budget, 1, 1_000_000)?;
    }
    let settings = &call.engine.settings().recall;
    let mut query = q.to_query(settings, call.engine.now(), |name| ask::source(&call.engine, name))?;
    query.scope = call.scope.clone();
    Ok(query)
}

/// The engine's answer, for those who tell it in other words.
pub fn answer(call: &Call, query: &Query) -> Result<griot::recall::Recall> {
    // Scope is part of the search in any case. A bound caller does not even learn of evidence from elsewhere.
    let engine = if call.bound.is_some() { &call.engine } else { &call.whole };
    engine.recall(query)
}

/// The answer in the words of the command line.
pub fn told(call: &Call, answer: &griot::recall::Recall) -> Outcome<Recall> {
    Ok(Recall::from(answer).with_sources(call.engine.read()?)?)
}

/// The same answer as a block of Markdown for the context of a language model.
pub fn context(call: &Call, q: ask::Recall) -> Outcome<Context> {
    let recalled = recalled(call, q)?;
    let text = block(call, &recalled)?;
    Ok(Context { text, results: recalled.recall.results.iter().map(|result| result.id.clone()).collect() })
}

pub fn block(call: &Call, recalled: &Recalled) -> Result<String> {
    let named = recalled.named.iter().take(DESCRIBED);
    // One that was erased since is left out.
    let views = named.map(|node| call.engine.entity_at(*node, 1, NEIGHBOURS)).collect::<Result<Vec<_>>>()?;
    let views: Vec<EntityView> = views.iter().flatten().map(EntityView::from).collect();
    Ok(griot_wire::context::block(&recalled.recall, &views))
}

/// The answer to `context`.
#[derive(Clone, PartialEq, Debug, serde::Serialize, schemars::JsonSchema)]
pub struct Context {
    /// Markdown: entities, relationships, memories with handle and date. Stored text, not instructions.
    pub text: String,
    /// Ids of the memories in it.
    pub results: Vec<String>,
}

pub fn traverse(call: &Call, q: ask::Traverse) -> Outcome<Vec<Related>> {
    ask::within("the width", q.width, 1, 1000)?;
    ask::within("the budget", q.budget, 1, 10_000)?;
    let query = Query {
        scope: call.scope.clone(),
        intent: q.intent.as_deref().map(ask::intent).transpose()?,
        ..Query::new(q.query, call.engine.now())
    };
    let layers = ask::layers(&q.layers)?;
    let found = call.engine.traverse(&query, q.width, q.budget, q.depth)?;
    let wanted = found.iter().filter(|one| layers.is_empty() || layers.contains(&one.node.layer()));
    Ok(wanted.map(Related::from).collect())
}

pub fn link(call: &Call, q: ask::Link) -> Outcome<Linked> {
    let request = q.to_engine(call.engine.now())?;
    if request.kind == griot::model::EdgeKind::Supersedes {
        call.own_memory("replace a memory", &request.target)?;
    }
    if request.kind == griot::model::EdgeKind::Contradicts {
        let what = "contradict a memory";
        call.own_memory(what, &request.source).or_else(|_| call.own_memory(what, &request.target))?;
    }
    Ok(Linked::from(&call.engine.link(&request)?))
}

pub fn unlink(call: &Call, q: ask::Unlink) -> Outcome<Unlinked> {
    let kind = q.kind.as_deref().map(ask::edge_kind).transpose()?;
    call.own_edges(&call.engine.linked(&q.source, &q.target, kind, q.label.as_deref())?)?;
    let removed = call.engine.unlink(&q.source, &q.target, kind, q.label.as_deref())?;
    Ok(Unlinked { removed: removed.iter().map(Edge::from).collect() })
}

pub fn forget(call: &Call, q: ask::Named) -> Outcome<Forgotten> {
    call.own_memory("forget", &q.name)?;
    Ok(Forgotten::from(&call.engine.forget(&q.name)?))
}

pub fn restore(call: &Call, q: ask::Named) -> Outcome<Forgotten> {
    call.own_memory("restore", &q.name)?;
    Ok(Forgotten::from(&call.engine.restore(&q.name)?))
}

pub fn show(call: &Call, q: ask::Named) -> Outcome<Memory> {
    Ok(Memory::from(&call.engine.show(&q.name)?))
}

pub fn edge(call: &Call, q: ask::Named) -> Outcome<Edge> {
    Ok(Edge::from(&call.engine.edge(&q.name)?))
}

pub fn why(call: &Call, q: ask::Why) -> Outcome<Why> {
    ask::within("the depth", q.depth, 1, 10)?;
    let least = q.min_confidence.map(|least| ask::share("min_confidence", least)).transpose()?;
    let least = least.unwrap_or(call.engine.settings().graph.min_confidence);
    let now = call.engine.now();
    let now = q.now.as_deref().map(|text| griot_wire::draft::read_time(text, now)).transpose()?;
    Ok(Why::from(&call.engine.why(&q.name, q.direction()?, q.depth, least, now)?))
}

pub fn related(call: &Call, q: ask::Related) -> Outcome<Vec<Related>> {
    ask::within("the depth", q.depth, 1, 10)?;
    ask::within("the limit", q.limit, 1, MOST)?;
    let families = q.families.iter().map(|name| ask::family(name)).collect::<Result<Vec<_>>>()?;
    let layers = ask::layers(&q.layers)?;
    Ok(call
        .engine
        .related_in(&q.name, q.depth, &families, &layers, q.limit)?
        .iter()
        .map(Related::from)
        .collect())
}

pub fn similar(call: &Call, q: ask::Similar) -> Outcome<Vec<Related>> {
    ask::within("the limit", q.limit, 1, MOST)?;
    Ok(call.engine.similar(&q.name, q.limit)?.iter().map(Related::from).collect())
}

pub fn path(call: &Call, q: ask::Path) -> Outcome<Path> {
    ask::within("max_hops", q.max_hops, 1, 32)?;
    Ok(Path::from(call.engine.path(&q.source, &q.target, q.max_hops)?.as_deref()))
}

pub fn entity(call: &Call, q: ask::Entity) -> Outcome<EntityView> {
    ask::within("hops", q.hops, 1, 3)?;
    ask::within("the limit", q.limit, 1, MOST)?;
    Ok(EntityView::from(&call.engine.entity(&q.name, q.hops, q.limit)?))
}

pub fn entities(call: &Call, q: ask::Entities) -> Outcome<Vec<Hub>> {
    ask::within("the limit", q.limit, 1, MOST)?;
    let kind = q.r#type.as_deref().map(griot_wire::draft::parse_entity_type).transpose()?;
    let layers: Vec<Layer> = q.layer.as_deref().map(ask::layer).transpose()?.into_iter().collect();
    match q.search.as_deref().map(str::trim).filter(|part| !part.is_empty()) {
        None => Ok(call.engine.hubs_in(kind, &layers, q.limit)?.iter().map(Hub::from).collect()),
        Some(part) => {
            let found = call.engine.entities_named_in(part, kind, &layers, q.limit)?;
            let nodes: Vec<_> = found.iter().map(|entity| entity.node).collect();
            let degrees = call.engine.read()?.degrees(&nodes, Some(call.engine.now()))?;
            Ok(found
                .iter()
                .zip(degrees)
                .map(|(entity, degree)| Hub { entity: entity.into(), degree })
                .collect())
        }
    }
}

pub fn facts(call: &Call, q: ask::Facts) -> Outcome<Vec<Fact>> {
    let now = call.engine.now();
    let at = |text: &Option<String>| {
        text.as_deref().map(|text| griot_wire::draft::read_time(text, now)).transpose()
    };
    let facts = call.engine.facts(q.entity.as_deref(), at(&q.as_of)?, at(&q.known_at)?)?;
    Ok(facts.iter().map(Fact::from).collect())
}

pub fn add_fact(call: &Call, q: ask::AddFact) -> Outcome<Fact> {
    let draft = FactDraft { scope: call.scope.clone(), ..q.to_engine(call.engine.now())? };
    Ok(Fact::from(&call.engine.add_fact(&draft)?))
}

pub fn timeline(call: &Call, q: ask::Timeline) -> Outcome<Timeline> {
    ask::within("before", q.before, 0, MOST)?;
    ask::within("after", q.after, 0, MOST)?;
    if q.anchor.is_some() && (q.since.is_some() || q.until.is_some()) {
        return Err(Error::invalid("show a timeline", "`anchor` excludes `since` and `until`").into());
    }
    let interval = ask::between(q.since.as_deref(), q.until.as_deref(), call.engine.now())?;
    let timeline = call.engine.timeline(q.anchor.as_deref(), q.before, q.after, interval, &call.scope)?;
    Ok(Timeline::from(&timeline))
}

pub fn ingest(call: &Call, q: ask::Ingest) -> Outcome<Ingested> {
    let text = match (q.text, q.url) {
        (Some(text), None) => text,
        (None, Some(url)) => return jobs::read_page(call, &url, q.tags),
        _ => return Err(Error::invalid("ingest", "give either a `text` or a `url`").into()),
    };
    let name = q.name.unwrap_or_else(|| format!("text-{}", &blake3::hash(text.as_bytes()).to_hex()[..12]));
    ingest_bytes(call, &name, text.as_bytes(), q.format.as_deref(), q.tags, q.kind)
}

/// A document that came as bytes: a part of an upload.
pub fn ingest_bytes(
    call: &Call,
    name: &str,
    bytes: &[u8],
    format: Option<&str>,
    tags: Vec<String>,
    kind: Option<String>,
) -> Outcome<Ingested> {
    // A document that holds nothing is refused for them, too.
    let kind = kind.map(|kind| checked_word("kind", &kind)).transpose()?;
    let tags = checked_words("tag", &tags)?;
    let options = ReadOptions {
        tags,
        scope: call.scope.clone(),
        kind,
        format: format.map(Format::named).transpose()?,
        ..ReadOptions::new(&call.engine.settings().ingest)
    };
    // The name is what the source is called, never a path that is opened.
    let name = name.rsplit(['/', '\\']).next().filter(|name| !name.trim().is_empty()).unwrap_or("text");
    let mut tally = Ingested::empty();
    let readings = griot_ingest::read_bytes(name, bytes.to_vec(), &options)?;
    let all = readings.iter().map(|reading| reading.drafts.len() as u64).sum();
    let mut before = 0;
    for mut reading in readings {
        for problem in &reading.problems {
            let (code, message) = (problem.kind.code().into(), problem.to_string());
            tally.failed.push(IngestFailure { path: name.to_string(), code, message });
        }
        reading.source.origin =
            griot_ingest::upload_origin(call.scope.user.as_deref(), &reading.source.origin);
        let own = reading.drafts.len() as u64;
        let mut tell = |done, _| call.progress.tell(before + done, all);
        tally.count(call.engine.ingest_with_progress(&reading.source, reading.drafts, &mut tell)?);
        before += own;
        call.progress.tell(before, all);
    }
    Ok(tally)
}

pub fn sources(call: &Call, _: ask::Bare) -> Outcome<Vec<SourceView>> {
    Ok(call.engine.sources()?.iter().map(SourceView::from).collect())
}

pub fn source_content(call: &Call, q: ask::Named) -> Outcome<SourceContent> {
    let (view, memories) = call.engine.source(ask::source(&call.engine, &q.name)?)?;
    Ok(SourceContent {
        source: SourceView::from(&view),
        memories: memories.iter().map(Memory::from).collect(),
    })
}

pub fn status(call: &Call, _: ask::Bare) -> Outcome<Status> {
    let status = Status::from(&call.engine.status()?);
    // Where files lie is not for remote callers.
    Ok(if call.is_remote() { Status { path: None, ..status } } else { status })
}

pub fn feedback(call: &Call, q: ask::Feedback) -> Outcome<Feedback> {
    let request = FeedbackRequest { answer: q.answer, memories: q.memories, good: q.good };
    Ok(Feedback::of(&judging(call).feedback(&request)?))
}

/// Where feedback is given: a bound caller speaks of its own answers, everybody else of all.
fn judging(call: &Call) -> &Engine {
    if call.bound.is_some() { &call.engine } else { &call.whole }
}

pub fn rollout(call: &Call, _: ask::Bare) -> Outcome<Rollout> {
    Ok(Rollout::of(&call.whole.rollout()?))
}

pub fn set_rollout(call: &Call, q: ask::RolloutChange) -> Outcome<Rollout> {
    let engine = call.of_all("set the rollout")?;
    let set = engine.set_mode(ask::mode(&q.mode)?, &call.speaker(), q.force)?;
    match griot_wire::refusal(&set) {
        Some(error) => Err(error.into()),
        None => Ok(Rollout::of(&engine.rollout()?)),
    }
}

pub fn verify(call: &Call, q: ask::Warnings) -> Outcome<Verified> {
    Ok(Verified::new(&call.of_all("look for contradictions")?.verify()?, q.all))
}

pub fn warnings(call: &Call, q: ask::Warnings) -> Outcome<Verified> {
    Ok(Verified::new(&call.of_all("list warnings")?.warnings()?, q.all))
}

pub fn acknowledge(call: &Call, q: ask::Acknowledge) -> Outcome<Warning> {
    let engine = call.of_all("acknowledge a warning")?;
    Ok(Warning::from(&engine.acknowledge(&q.name, &call.speaker(), q.note.as_deref())?))
}

pub fn doctor(call: &Call, _: ask::Bare) -> Outcome<Health> {
    Ok(Health::from(call.of_all("check the workspace")?.doctor()?))
}

pub fn build_graphs(call: &Call, q: ask::BuildGraphs) -> Outcome<BuiltGraphs> {
    built(call, q.to_engine()?)
}

pub fn built(call: &Call, graphs: GraphsToBuild) -> Outcome<BuiltGraphs> {
    let engine = call.of_all("build graphs")?;
    Ok(BuiltGraphs::from(engine.build_graphs(graphs, &mut |done, all| call.progress.tell(done, all))?))
}

pub fn merge(call: &Call, q: ask::Merge) -> Outcome<Merged> {
    Ok(Merged::from(&call.of_all("merge entities")?.merge(&q.to_engine())?))
}

pub fn unmerge(call: &Call, q: ask::OneMerge) -> Outcome<Unmerged> {
    Ok(Unmerged::from(&call.of_all("undo a merge")?.unmerge(&q.name)?))
}

pub fn merges(call: &Call, _: ask::Bare) -> Outcome<MergeLog> {
    Ok(MergeLog::new(&call.of_all("list merges")?.merges()?, None))
}

pub fn suggest_merges(call: &Call, _: ask::Bare) -> Outcome<MergeLog> {
    let engine = call.of_all("suggest merges")?;
    let scan = engine.suggest_merges(false)?;
    Ok(MergeLog::new(&engine.merges()?, Some(&scan)))
}

pub fn apply_merge(call: &Call, q: ask::OneSuggestion) -> Outcome<Merged> {
    Ok(Merged::from(&call.of_all("merge entities")?.apply_suggestion(&q.name)?))
}

pub fn dismiss_merge(call: &Call, q: ask::OneSuggestion) -> Outcome<Suggestion> {
    Ok(Suggestion::from(&call.of_all("dismiss a suggestion")?.dismiss_suggestion(&q.name)?))
}

pub fn erase_memory(call: &Call, q: ask::Erase) -> Outcome<Erasure> {
    erase(call, ErasedKind::Memory, &q)
}

pub fn erase_source(call: &Call, q: ask::Erase) -> Outcome<Erasure> {
    erase(call, ErasedKind::Source, &q)
}

pub fn erase_entity(call: &Call, q: ask::Erase) -> Outcome<Erasure> {
    erase(call, ErasedKind::Entity, &q)
}

pub fn erase_user(call: &Call, q: ask::Erase) -> Outcome<Erasure> {
    erase(call, ErasedKind::User, &q)
}

/// The tool of agents, where it is switched on.
pub fn erase_thing(call: &Call, q: ask::EraseThing) -> Outcome<Erasure> {
    call.needs(Role::Admin, "erase")?;
    let kind = ErasedKind::parse(&q.kind)
        .ok_or_else(|| Error::invalid("erase", "the kind is `memory`, `source`, `entity` or `user`"))?;
    erase(
        call,
        kind,
        &ask::Erase { name: q.name, dry_run: q.dry_run, user: None, project: None, scope: None },
    )
}

fn erase(call: &Call, kind: ErasedKind, q: &ask::Erase) -> Outcome<Erasure> {
    let engine = call.of_all("erase")?;
    let receipt = griot_ingest::erase(engine, call.lies(), kind, &q.name, &call.speaker(), q.dry_run)?;
    Ok(Erasure::from(&receipt))
}

pub fn erasures(call: &Call, q: ask::Erasures) -> Outcome<Vec<Erasure>> {
    let engine = call.of_all("list erasures")?;
    if q.verify {
        return Ok(engine.verify_erasures()?.iter().map(Erasure::from).collect());
    }
    Ok(engine.erasures()?.iter().map(Erasure::from).collect())
}

/// The workspace as JSON Lines, or what the scope shows of it.
pub fn export(call: &Call, sink: impl std::io::Write) -> Outcome<u64> {
    call.of_all("export the workspace")?;
    let engine = &call.engine;
    let failed = |error: std::io::Error| Error::unavailable("export the workspace", error.to_string());
    let mut writer = griot_wire::export::Writer::new(sink);
    engine.export(&mut |record| writer.write(&record).map_err(failed))?;
    Ok(writer.finish().map_err(failed)?)
}

/// The place of a request that was read already.
pub fn place<Q: Request>(q: &Q) -> Outcome<ask::Place> {
    Ok(q.place()?)
}
