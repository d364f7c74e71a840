//! `/api/sdk/v1/graph/{status,rollout,trace}`: the rollout of the graph as clients of a memory SDK know it.
//! `griot_wire::sdk` declares the payloads; a server puts the envelope around them.

use griot::backend::Read;
use griot::model::{EdgeKind, Error, Node, Result, Tier, Timestamp};
use griot::recall::Reach;
use griot::rollout::Strategy;
use griot_wire::call::Call;
use griot_wire::failure::{Failure, Outcome};
use griot_wire::request::{self, Bare, within};
use griot_wire::sdk::{SdkBlocked, SdkRolloutReply, SdkScope, SdkStatus, SdkTraceReply, SdkTraceRequest};
use griot_wire::verbs::recall::{self, Recall};

use crate::ask;

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
    let set = engine.set_mode(request::mode(&q.mode)?, &call.speaker(), false)?;
    if let (Some(error), Some(blocked)) = (griot_wire::refusal(&set), SdkBlocked::of(&set)) {
        let details = serde_json::to_value(&blocked).unwrap_or_default();
        return Err(Failure { sdk: Some(Box::new(("CANARY_ROLLOUT_BLOCKED", details))), ..error.into() });
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
    let conflicts = conflicts(call.engine.read()?, &nodes, call.engine.now())?;
    Ok(SdkTraceReply::of(&request, &answer, &call.whole.rollout()?, conflicts))
}

/// Edges among these memories that say that one contradicts another.
fn conflicts(read: &dyn Read, nodes: &[Node], now: Timestamp) -> Result<usize> {
    let mut count = 0;
    for node in nodes {
        let mut edges = read.edges_of(*node)?;
        let numbers: Vec<u32> = edges.iter().map(|edge| edge.number).collect();
        let mut live = read.live_edges(&numbers)?.into_iter();
        edges.retain(|edge| live.next() == Some(true) && !edge.has_expired(now));
        let inside = |edge: &&griot::model::Edge| {
            edge.kind == EdgeKind::Contradicts && edge.source == *node && nodes.contains(&edge.target)
        };
        count += edges.iter().filter(inside).count();
    }
    Ok(count)
}
