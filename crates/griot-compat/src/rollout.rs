//! `/api/sdk/v1/graph/{status,rollout,trace}`: the rollout of the graph as clients of a memory SDK know it.
//! `griot_wire::sdk` declares the payloads; a server puts the envelope around them.

use griot::engine::Engine;
use griot::model::{Edge, EdgeKind, Error, Node, Result, Tier};
use griot::recall::Reach;
use griot::rollout::Strategy;
use griot_wire::call::Call;
use griot_wire::failure::{Failure, Outcome};
use griot_wire::request::{self, Bare, within};
use griot_wire::sdk::{SdkBlocked, SdkRolloutReply, SdkScope, SdkStatus, SdkTraceReply, SdkTraceRequest};
use griot_wire::verbs::recall::{self, Recall};

use crate::ask;
use crate::graph::holding;

/// Longest question, in characters.
const QUESTION: usize = 500;

fn scope(call: &Call) -> SdkScope {
    SdkScope::of(Some(call.workspace.clone()), &call.scope)
}

pub fn status(call: &Call, q: ask::GraphStatus) -> Outcome<SdkStatus> {
    within("topNodesLimit", q.top_nodes_limit, 1, 50)?;
    Ok(SdkStatus::of(&call.engine.graph_status(q.top_nodes_limit)?, scope(call)))
}

pub fn rollout(call: &Call, _: Bare) -> Outcome<SdkRolloutReply> {
    Ok(SdkRolloutReply::of(&call.whole.rollout()?, scope(call)))
}

pub fn set_rollout(call: &Call, q: ask::GraphRollout) -> Outcome<SdkRolloutReply> {
    let engine = call.of_all("set the rollout")?;
    if let Some(refused) = engine.set_mode(request::mode(&q.mode)?, &call.speaker(), false)? {
        let details = serde_json::to_value(SdkBlocked::of(&refused)).unwrap_or_default();
        let sdk = Some(Box::new(("CANARY_ROLLOUT_BLOCKED", details)));
        return Err(Failure { sdk, ..griot_wire::refusal(&refused).into() });
    }
    Ok(SdkRolloutReply::of(&engine.rollout()?, scope(call)))
}

pub fn trace(call: &Call, q: ask::GraphTrace) -> Outcome<SdkTraceReply> {
    within("the limit", q.limit, 1, 50)?;
    within("graphDepth", q.graph_depth, 0, 2)?;
    within("graphLimit", q.graph_limit, 1, 50)?;
    within("the length of the query", q.query.chars().count(), 1, QUESTION)?;
    let mode = q.mode.unwrap_or_else(|| "all".to_string());
    let tiers = match mode.as_str() {
        "all" => Vec::new(),
        "working" => vec![Tier::Working],
        "long_term" => vec![Tier::LongTerm],
        "rules_only" => vec![Tier::Rule],
        other => {
            let error = Error::invalid(format!("use the mode `{other}`"), "there is no such mode");
            return Err(error.hint("use all, working, long_term or rules_only").into());
        }
    };
    let include_rules = q.include_rules.unwrap_or(true);
    let asked = Recall {
        limit: Some(q.limit),
        strategy: q.strategy,
        no_rules: !include_rules,
        layers: q.layers,
        ..Recall::new(q.query)
    };
    let mut query = asked.query(call)?;
    query.tiers = tiers;
    if q.graph_depth == 0 {
        query.strategy = Some(Strategy::Baseline);
    }
    // A node between two memories is two edges.
    query.reach = Some(Reach { hops: q.graph_depth + 1, memories: q.graph_limit });
    let answer = recall::answer(call, &query, None)?;
    let request = SdkTraceRequest {
        mode,
        include_rules,
        graph_depth: q.graph_depth as u64,
        graph_limit: q.graph_limit as u64,
    };
    let nodes: Vec<Node> = answer.results.iter().map(|result| result.memory.node).collect();
    let conflicts = conflicts(&call.engine, &nodes)?;
    Ok(SdkTraceReply::of(&request, &answer, &call.whole.rollout()?, conflicts))
}

/// Edges among these memories that say that one contradicts another.
fn conflicts(engine: &Engine, nodes: &[Node]) -> Result<usize> {
    let mut count = 0;
    for node in nodes {
        let inside = |edge: &&Edge| {
            edge.kind == EdgeKind::Contradicts && edge.source == *node && nodes.contains(&edge.target)
        };
        count += holding(engine, engine.read()?.edges_of(*node)?)?.iter().filter(inside).count();
    }
    Ok(count)
}
