//! The tools of older memory servers under their own names and parameters, over the same verbs.

use griot::model::{Entity, EntityType, Error, ErrorKind, Node, normal_name, split_canonical_id};
use griot::recall::Query;
use griot::rollout::Strategy;
use griot_ingest::{FileEvent, FileOptions, Intake};
use griot_wire::call::Call;
use griot_wire::failure::Outcome;
use griot_wire::request;
use griot_wire::sdk::SdkWhyIncluded;
use griot_wire::verbs::ingest::{self, Ingest};
use griot_wire::verbs::recall::{self, Recall, Recalled};
use griot_wire::verbs::timeline::{self, Timeline as TimelineAsked};
use griot_wire::verbs::why::Why as WhyAsked;
use griot_wire::verbs::{Verb, health, walk, why};
use griot_wire::{BuiltGraphs, Fact, Ingested, Related, Rule, Timeline, Why};

use crate::graph::{self, KnowledgeDetail, KnowledgeEntity, KnowledgeGraph};
use crate::{ask, crawl};

/// Longest snippet, in characters.
const SNIPPET: usize = 700;
/// Entities that are tried for a period, or for a name that is not exact.
const LOOKED_AT: usize = 1000;
/// Entities that are named beside the one which was taken.
const OTHERS_NAMED: usize = 3;

const SEARCHES: &[Verb] = griot_wire::tools! {
    "memory_search" Read memory_search:
        "Search memories; `useGraph` asks for the graph or declines it, `tiers` and `layers` narrow the \
          results. Standing rules come beside them.";
    "graph_search" Read graph_search: "Search entities and their relationships.";
    "graph_inspect" Read graph_inspect: "One entity with its relationships and sources.";
    "graph_path" Read graph::path: "Find how two entities are related: the shortest path over relationships.";
    "graph_hubs" Read graph::hubs: "List the best connected entities.";
};

/// Files are read only for the owner of this machine.
const INGEST: &[Verb] = griot_wire::tools! {
    "knowledge_ingest" Add knowledge_ingest as ingest::as_json:
        "Store a text, the page at an address, or a file of this machine.";
};
const INGEST_HERE: &[Verb] = griot_wire::tools! {
    "knowledge_ingest" Add knowledge_ingest_here as ingest::as_json:
        "Store a text, the page at an address, or a file of this machine.";
};

const OTHERS: &[Verb] = griot_wire::tools! {
    "knowledge_crawl" Add crawl::crawl as crawl::as_text:
        "Crawl an address or a site in the background; `wait` answers at the end. `crawlId` names it \
          afterwards.";
    "knowledge_crawl_status" Read crawl::status: "Show the progress and the failures of a crawl.";
    "intent_search" Read intent_search as recall::as_text:
        "Search with the intent of the question: `WHY`, `WHEN`, `ENTITY` or `WHAT`.";
    "find_causal_links" Read find_causal_links: "Find the causes and consequences of a memory.";
    "kg_query" Read kg_query:
        "Facts about an entity, with the time they were true. The answer says which `entity` was taken.";
    "build_graphs" Add build_graphs: "Connect similar memories, for workspaces with few edges.";
    "related" Read related: "Find nodes connected to a memory or an entity.";
    "timeline" Read timeline: "List the memories around one in chronological order.";
};

/// The tools. `is_local`: the agent runs on this machine as its owner, and may name files.
pub fn tools(is_local: bool) -> Vec<Verb> {
    [SEARCHES, if is_local { INGEST_HERE } else { INGEST }, OTHERS].concat()
}

answers! {
    /// The answer to `memory_search`.
    pub Found {
        results: Vec<Hit>,
        /// Standing rules of the scope, beside the results: they count neither for `maxResults` nor for
        /// `minScore`.
        rules: Vec<Rule>,
        /// How many more rules the scope has than `recall.rules_budget` holds.
        rules_left_out: usize,
        provider: String,
        model: String,
        fallback: Option<String>,
    }

    pub Hit {
        path: String,
        start_line: u32,
        end_line: u32,
        score: f32,
        snippet: String,
        /// `memory` or `sessions`.
        source: String,
        /// `long_term`, `working` (expires automatically), or `rule` if rules were requested.
        tier: String,
        /// `code`, `execution`, `knowledge` or `project`.
        layer: String,
        citation: String,
        /// How the graph brought it; `null` where it did not.
        graph: Option<SdkWhyIncluded>,
    }
}

fn memory_search(call: &Call, q: ask::MemorySearch) -> Outcome<Found> {
    let strategy = q.use_graph.map(|wanted| if wanted { Strategy::HybridGraph } else { Strategy::Baseline });
    let asked = Recall {
        limit: Some(q.max_results.unwrap_or(6)),
        tiers: q.tiers,
        layers: q.layers,
        no_rules: q.include_rules == Some(false),
        since: q.start,
        until: q.end,
        ..Recall::new(q.query)
    };
    let least = q.min_score.map(|least| request::share("minScore", least)).transpose()?;
    let answer = recall::answer(call, &Query { strategy, ..asked.query(call)? }, None)?;
    let printed = recall::printed(call, &answer)?;
    let enough = |score: f32| least.is_none_or(|least| score >= least);
    let results = printed.results.into_iter().zip(&answer.results);
    let hits = results.filter(|(result, _)| enough(result.score.clamp(0.0, 1.0))).map(|(result, made)| {
        let path = result.source.origin.unwrap_or(result.source.id);
        let (first, last) = result.lines.as_ref().map_or((1, 1), |lines| (lines.first, lines.last));
        Hit {
            start_line: first,
            end_line: last,
            score: result.score.clamp(0.0, 1.0),
            snippet: result.text.chars().take(SNIPPET).collect(),
            source: if result.source.kind.as_deref() == Some("chat") { "sessions" } else { "memory" }.into(),
            citation: format!("{path}#L{first}-L{last} ({})", result.handle),
            graph: SdkWhyIncluded::of(made),
            tier: result.tier,
            layer: result.layer,
            path,
        }
    });
    let results = hits.collect();
    let model = call.engine.embedder_name().to_string();
    let fallback = printed.rollout.fallback_reason.or_else(|| printed.missing.first().cloned());
    let (rules, rules_left_out) = (printed.rules, printed.rules_left_out);
    Ok(Found { results, rules, rules_left_out, provider: "griot".into(), model, fallback })
}

fn graph_search(call: &Call, q: ask::GraphSearch) -> Outcome<KnowledgeGraph> {
    request::within("maxHops", q.max_hops, 1, 3)?;
    request::within("maxResults", q.max_results, 1, 100)?;
    let kind = q.entity_type.as_deref().map(griot_wire::request::entity_type).transpose()?;
    let period = request::between(q.start.as_deref(), q.end.as_deref(), call.engine.now())?;
    // In a period, the entities that fit best may not be mentioned.
    let looked_at = if period.is_some() { LOOKED_AT } else { q.max_results };
    let mut named = call.engine.entities_named(&q.query, kind, &[], looked_at)?;
    if named.is_empty() {
        // A question rather than a name: the entities that it speaks of.
        let asked = Recall { limit: Some(5), ..Recall::new(q.query) };
        named = recall::answer(call, &asked.query(call)?, None)?.understanding.entities;
        named.retain(|entity| kind.is_none_or(|kind| kind == entity.kind));
    }
    if period.is_some() {
        let nodes: Vec<Node> = named.iter().map(|entity| entity.node).collect();
        let mut mentions = graph::mentions(&call.engine, &nodes, period)?.into_iter();
        named.retain(|_| mentions.next().is_some_and(|memories| !memories.is_empty()));
    }
    let mut graph = KnowledgeGraph { entities: Vec::new(), relationships: Vec::new() };
    for entity in named.into_iter().take(q.max_results) {
        let Some(view) = call.engine.entity_at(entity.node, q.max_hops, q.max_results)? else { continue };
        let found = graph::around(call, &view, &[], period)?;
        for entity in found.entities {
            if !graph.entities.iter().any(|known: &KnowledgeEntity| known.id == entity.id) {
                graph.entities.push(entity);
            }
        }
        for relation in found.relationships {
            if !graph.relationships.iter().any(|known| known.id == relation.id) {
                graph.relationships.push(relation);
            }
        }
    }
    Ok(graph)
}

answers! {
    /// The answer to `graph_inspect`.
    pub InspectedEntity {
        #[serde(flatten)]
        detail: KnowledgeDetail,
        neighborhood: Option<KnowledgeGraph>,
    }
}

fn graph_inspect(call: &Call, q: ask::GraphInspect) -> Outcome<InspectedEntity> {
    let (user, project, scope) = (None, None, None);
    let around = |id: String| ask::GraphNeighborhood {
        entity_id: id,
        hops: 1,
        rel_types: Vec::new(),
        limit: 50,
        user: None,
        project: None,
        scope: None,
    };
    let detail = graph::entity(call, ask::GraphEntity { entity_id: q.entity_name, user, project, scope })?;
    let neighborhood = match q.include_neighborhood {
        true => Some(graph::neighborhood(call, around(detail.entity.id.clone()))?),
        false => None,
    };
    Ok(InspectedEntity { detail, neighborhood })
}

/// Over a network a path would be one of the server's files.
fn knowledge_ingest(call: &Call, q: ask::KnowledgeIngest) -> Outcome<Ingested> {
    if q.path.is_some() {
        let error = Error::invalid("ingest a path", "files are read on stdio only");
        return Err(error.hint("send the `text`").into());
    }
    ingest_text(call, q)
}

fn knowledge_ingest_here(call: &Call, q: ask::KnowledgeIngest) -> Outcome<Ingested> {
    let Some(path) = q.path.clone() else { return ingest_text(call, q) };
    if q.text.is_some() || q.url.is_some() {
        return Err(Error::invalid("ingest", "a `path` excludes a `text` and a `url`").into());
    }
    let options = FileOptions {
        paths: vec![path.into()],
        tags: q.tags,
        user: call.scope.user.clone(),
        project: call.scope.project.clone(),
        ..FileOptions::default()
    };
    let mut tally = Ingested::empty();
    Intake::new(&call.engine, &options, &|| false)?.run(&|_| true, &mut |event| {
        if let FileEvent::Next { done, all, .. } = event {
            call.progress.report(done as u64, all as u64);
        }
        tally.hear(&event);
        Ok(())
    })?;
    Ok(tally)
}

fn ingest_text(call: &Call, q: ask::KnowledgeIngest) -> Outcome<Ingested> {
    if q.text.is_none() && q.url.is_none() {
        let error = Error::invalid("ingest", "there is neither a `path` nor a `text` nor a `url`");
        return Err(error.into());
    }
    ingest::ingest(call, Ingest::new(q.text, q.url, q.tags))
}

fn intent_search(call: &Call, q: ask::IntentSearch) -> Outcome<Recalled> {
    // What is neither asked why, when nor about whom.
    let intent = q.force_intent.map(|name| match name.eq_ignore_ascii_case("what") {
        true => "general".to_string(),
        false => name,
    });
    let asked = Recall {
        limit: Some(q.limit),
        intent,
        graph: q.enable_graph_traversal == Some(true),
        no_graph: q.enable_graph_traversal == Some(false),
        ..Recall::new(q.query)
    };
    recall::recall(call, asked)
}

fn find_causal_links(call: &Call, q: ask::FindCausalLinks) -> Outcome<Why> {
    let direction = match q.direction.as_deref() {
        // What it causes, and what it is caused by.
        Some("causes") => Some("consequences".to_string()),
        Some("caused_by") => Some("causes".to_string()),
        other => other.map(str::to_string),
    };
    let (min_confidence, now, user, project, scope) = (None, None, None, None, None);
    let depth = q.depth;
    why::why(call, WhyAsked { name: q.docid, direction, depth, min_confidence, now, user, project, scope })
}

answers! {
    /// The answer to `kg_query`.
    pub Facts {
        entity: Meant,
        facts: Vec<Fact>,
    }

    /// The entity that a name was taken for.
    pub Meant {
        /// What was asked for.
        asked: String,
        /// Canonical id, such as `tool:redis`.
        id: String,
        name: String,
        r#type: String,
        /// Why this one: its `id`, `name` or `alias` is what was asked for, a `similar_name` (or a similar
        /// alias), or a name that contains it, `part_of_name`.
        by: String,
        /// Ids of others that a name which is not exact may mean.
        others: Vec<String>,
    }
}

impl Meant {
    fn new(asked: &str, by: &str, entity: &Entity, others: &[Entity]) -> Self {
        Self {
            asked: asked.into(),
            id: entity.canonical_id(),
            name: entity.name.clone(),
            r#type: entity.kind.name().into(),
            by: by.into(),
            others: others.iter().map(Entity::canonical_id).collect(),
        }
    }
}

/// The entity that a name means; if there is none, the one with the most similar name, or else the most
/// mentioned one whose name contains it.
fn meant(call: &Call, asked: &str) -> Outcome<(Meant, Node)> {
    let asked = asked.trim();
    let unknown = match call.engine.entity(asked, 1, 1) {
        Ok(view) => {
            let entity = view.entity;
            let by = match normal_name(&entity.name) == normal_name(asked) {
                true => "name",
                false if split_canonical_id(asked).is_some() => {
                    in_this_workspace(call, asked).map(|()| "id")?
                }
                false => "alias",
            };
            return Ok((Meant::new(asked, by, &entity, &[]), entity.node));
        }
        Err(error) if error.kind == ErrorKind::NotFound => error,
        Err(error) => return Err(error.into()),
    };
    in_this_workspace(call, asked)?;
    // `Node 207` is not a way to write `Node 202`.
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let mut alike = call.engine.entities_alike(asked, LOOKED_AT)?;
    alike.retain(|similar| digits(&similar.form) == digits(asked));
    let (by, near): (_, Vec<Entity>) = match alike.is_empty() {
        false => ("similar_name", alike.into_iter().map(|similar| similar.entity).collect()),
        true => ("part_of_name", call.engine.entities_named(asked, None, &[], 1 + OTHERS_NAMED)?),
    };
    let Some((first, others)) = near.split_first() else { return Err(unknown.into()) };
    let others = &others[..others.len().min(OTHERS_NAMED)];
    Ok((Meant::new(asked, by, first, others), first.node))
}

/// Refuses the id of another workspace, `WORKSPACE:tool:redis`. `default` is what older servers call theirs.
fn in_this_workspace(call: &Call, id: &str) -> Outcome<()> {
    let Some((prefix, rest)) = id.split_once(':') else { return Ok(()) };
    let is_workspace = EntityType::parse(prefix).is_none() && split_canonical_id(id).is_some();
    if is_workspace && prefix != "default" && prefix != call.workspace {
        let why = format!("`{prefix}` is not the workspace that is asked");
        return Err(Error::not_found(format!("find `{id}`"), why).hint(format!("ask for `{rest}`")).into());
    }
    Ok(())
}

fn kg_query(call: &Call, q: ask::KgQuery) -> Outcome<Facts> {
    let (is_out, is_in) = match q.direction.as_deref() {
        None | Some("both") => (true, true),
        Some("outgoing") => (true, false),
        Some("incoming") => (false, true),
        Some(other) => {
            let error = Error::invalid(format!("use the direction `{other}`"), "there is no such direction");
            return Err(error.hint("use outgoing, incoming or both").into());
        }
    };
    let as_of = q.as_of.as_deref().map(|text| request::read_time(text, call.engine.now())).transpose()?;
    let (entity, node) = meant(call, &q.entity)?;
    let mut facts = call.engine.facts(Some(&entity.id), as_of, None)?;
    facts.retain(|view| {
        is_out && view.fact.subject == node || is_in && view.fact.object.entity() == Some(node)
    });
    Ok(Facts { entity, facts: facts.iter().map(Fact::from).collect() })
}

fn timeline(call: &Call, q: ask::SeedTimeline) -> Outcome<Timeline> {
    if q.same_collection {
        let error = Error::invalid("use `same_collection`", "memories are not in collections");
        return Err(error.hint("name the `project` instead").into());
    }
    if q.docid.is_some() && (q.since.is_some() || q.until.is_some()) {
        return Err(Error::invalid("show a timeline", "`docid` excludes `since` and `until`").into());
    }
    let asked = TimelineAsked {
        anchor: q.docid,
        before: q.before,
        after: q.after,
        since: q.since,
        until: q.until,
        now: q.now,
        user: q.user,
        project: q.project,
        scope: q.scope,
    };
    timeline::timeline(call, asked)
}

fn build_graphs(call: &Call, q: ask::SeedBuildGraphs) -> Outcome<BuiltGraphs> {
    health::built(call, q.to_engine()?)
}

answers! {
    /// The answer to `related`.
    pub AllRelated {
        related: Vec<Related>,
    }
}

fn related(call: &Call, q: walk::Related) -> Outcome<AllRelated> {
    Ok(AllRelated { related: walk::related(call, q)? })
}
