//! The tools of older memory servers under their own names and parameters, over the same verbs.

use griot::recall::Query;
use griot::rollout::Strategy;
use griot_ingest::{FileEvent, FileOptions, Intake};
use griot_wire::call::Call;
use griot_wire::failure::Outcome;
use griot_wire::request;
use griot_wire::sdk::SdkWhyIncluded;
use griot_wire::verbs::facts::Facts as FactsAsked;
use griot_wire::verbs::ingest::{self, Ingest};
use griot_wire::verbs::recall::{self, Recall, Recalled};
use griot_wire::verbs::timeline::timeline;
use griot_wire::verbs::why::Why as WhyAsked;
use griot_wire::verbs::{Verb, facts, health, walk, why};
use griot_wire::{BuiltGraphs, Fact, Ingested, Related, Rule, Why};

use crate::graph::{self, KnowledgeDetail, KnowledgeEntity, KnowledgeGraph};
use crate::{ask, crawl};

/// Longest snippet, in characters.
const SNIPPET: usize = 700;

const SEARCHES: &[Verb] = griot_wire::tools! {
    "memory_search" Read memory_search:
        "Search memories; `useGraph` asks for the graph or declines it, `tiers` and `layers` narrow the \
          results. Standing rules come beside them.";
    "graph_search" Read graph_search: "Search entities and their relationships.";
    "graph_inspect" Read graph_inspect: "One entity with its relationships and sources.";
};

/// Files are read only for the owner of this machine.
const INGEST: &[Verb] = griot_wire::tools! {
    "knowledge_ingest" Add knowledge_ingest:
        "Store a text, the page at an address, or a file of this machine.";
};
const INGEST_HERE: &[Verb] = griot_wire::tools! {
    "knowledge_ingest" Add knowledge_ingest_here:
        "Store a text, the page at an address, or a file of this machine.";
};

const OTHERS: &[Verb] = griot_wire::tools! {
    "knowledge_crawl" Add crawl::crawl:
        "Crawl an address or a site in the background; `wait` answers at the end. `crawlId` names it \
          afterwards.";
    "knowledge_crawl_status" Read crawl::status: "Show the progress and the failures of a crawl.";
    "intent_search" Read intent_search as recall::as_text:
        "Search with the intent of the question: why, when, entity, general.";
    "find_causal_links" Read find_causal_links: "Find the causes and consequences of a memory.";
    "kg_query" Read kg_query: "Facts about an entity, with the time they were true.";
    "build_graphs" Add build_graphs: "Connect similar memories, for workspaces with few edges.";
    "related" Read related: "Find nodes connected to a memory or an entity.";
    "timeline" Read timeline: "List memories in chronological order.";
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
    let mut named = call.engine.entities_named(&q.query, kind, &[], q.max_results)?;
    if named.is_empty() {
        // A question rather than a name: the entities that it speaks of.
        let asked = Recall { limit: Some(5), ..Recall::new(q.query) };
        named = recall::answer(call, &asked.query(call)?, None)?.understanding.entities;
        named.retain(|entity| kind.is_none_or(|kind| kind == entity.kind));
    }
    let mut graph = KnowledgeGraph { entities: Vec::new(), relationships: Vec::new() };
    for entity in named.into_iter().take(q.max_results) {
        let Some(view) = call.engine.entity_at(entity.node, q.max_hops, q.max_results)? else { continue };
        let found = graph::around(call, &view, &[])?;
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
        let error = griot::model::Error::invalid("ingest a path", "files are read on stdio only");
        return Err(error.hint("send the `text`").into());
    }
    ingest_text(call, q)
}

fn knowledge_ingest_here(call: &Call, q: ask::KnowledgeIngest) -> Outcome<Ingested> {
    let Some(path) = q.path.clone() else { return ingest_text(call, q) };
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
        let error =
            griot::model::Error::invalid("ingest", "there is neither a `path` nor a `text` nor a `url`");
        return Err(error.into());
    }
    ingest::ingest(call, Ingest::new(q.text, q.url, q.tags))
}

fn intent_search(call: &Call, q: ask::IntentSearch) -> Outcome<Recalled> {
    recall::recall(call, Recall { limit: Some(q.limit), intent: q.intent, ..Recall::new(q.query) })
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
        facts: Vec<Fact>,
    }
}

fn kg_query(call: &Call, q: ask::KgQuery) -> Outcome<Facts> {
    let (known_at, user, project, scope) = (None, None, None, None);
    let asked = FactsAsked { entity: Some(q.entity), as_of: q.as_of, known_at, user, project, scope };
    Ok(Facts { facts: facts::facts(call, asked)? })
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
