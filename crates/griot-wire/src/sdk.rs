//! The payloads of `/api/sdk/v1/graph/{status,rollout,trace}`, and what a crawl answers, with the keys that
//! clients of those routes know (camel case).
//!
//! Each payload is declared with what fills it. A server reads the request, calls the engine, and wraps
//! one of these in its envelope.

use griot::engine::{Counts, EdgeEnds, GraphStatus, Hub, ModeRefused};
use griot::model::{Memory, Scope, Tier, Timestamp};
use griot::recall::{PathNode, Recall, RecallResult, WhyIncluded};
use griot::rollout::{self, Fallback, GateState, Incident, Mode, Report, Standing, Strategy};

use griot_ingest::JobState;

use crate::Time;
use crate::rollout::codes;

/// Declares objects whose keys are in camel case: the names of fields are the words of the SDK's contract.
macro_rules! payloads {
    ($($objects:tt)*) => {
        objects! { @ (rename_all = "camelCase") $($objects)* }
    };
}

payloads! {
    /// How far a crawl is. `status` is `queued` (also while it is paused), `crawling`, `processing` (all is
    /// fetched, and not all is stored), `done` or `error`.
    CrawlProgress {
        crawl_id: String,
        status: String,
        pages_discovered: u64,
        pages_crawled: u64,
        pages_processed: u64,
        entities_extracted: u64,
        errors: Vec<CrawlError>,
    }

    /// What went wrong with one page.
    CrawlError { url: String, error: String, }

    /// `GET|POST /api/sdk/v1/graph/status`.
    SdkStatus of (status: &GraphStatus, scope: SdkScope) {
        enabled: bool = status.rollout.enabled && status.rollout.mode() != Mode::Off,
        flags: SdkFlags = SdkFlags::of(&status.rollout),
        health: String = "ok".into(),
        tables: SdkTables = SdkTables::of(),
        counts: SdkCounts = SdkCounts::of(&status.counts, status.orphan_entities),
        rollout: SdkRollout = SdkRollout::of(&status.rollout.ledger.standing),
        shadow_metrics: SdkShadowMetrics = SdkShadowMetrics::of(&status.rollout),
        quality_gate: SdkQualityGate = SdkQualityGate::of(&status.rollout),
        rollout_plan: SdkPlan = SdkPlan::of(&status.rollout),
        alarms: Vec<SdkAlarm> = {
            let alarm = |alarm| SdkAlarm::of(alarm, status.rollout.now);
            status.rollout.alarms.iter().map(alarm).collect()
        },
        top_connected_nodes: Vec<SdkTopNode> = {
            let hubs = status.hubs.iter().zip(&status.ends);
            hubs.map(|(hub, ends)| SdkTopNode::of(hub, ends)).collect()
        },
        recent_errors: Vec<SdkError> = status.rollout.ledger.incidents.iter().map(SdkError::of).collect(),
        sampled_at: Time = status.rollout.now.into(),
        scope: SdkScope = scope,
    }

    /// What is switched on. No language model reads texts yet, so that `llmExtractionEnabled` is false.
    SdkFlags of (report: &Report) {
        mapping_enabled: bool = true,
        retrieval_enabled: bool = report.enabled,
        llm_extraction_enabled: bool = false,
    }

    /// Which parts of the graph there are; all of them, always.
    SdkTables of () { graph_nodes: bool = true, graph_edges: bool = true, memory_node_links: bool = true, }

    /// How large the graph is. `memoryLinks` are mentions, `edges` all others.
    SdkCounts of (counts: &Counts, orphans: u64) {
        nodes: u64 = counts.entities,
        edges: u64 = counts.edges.saturating_sub(links(counts)) + counts.expired_edges,
        memory_links: u64 = links(counts),
        active_edges: u64 = counts.edges.saturating_sub(links(counts)),
        expired_edges: u64 = counts.expired_edges,
        orphan_nodes: u64 = orphans,
    }

    /// The mode of the workspace, and who set it.
    SdkRollout of (standing: &Standing) {
        mode: String = standing.mode.name().into(),
        updated_at: Option<Time> = standing.updated_at.map(Into::into),
        updated_by: Option<String> = standing.updated_by.clone(),
    }

    /// What was counted in the window now open.
    SdkShadowMetrics of (report: &Report) {
        window_hours: f64 = report.limits.window_hours,
        total_requests: u64 = report.open.requests as u64,
        hybrid_requested: u64 = report.open.hybrid_requested as u64,
        canary_applied: u64 = report.open.canary_applied as u64,
        shadow_executions: u64 = report.open.shadow_executions as u64,
        fallback_count: u64 = report.open.fallbacks() as u64,
        fallback_rate: f64 = report.open.fallback_rate(),
        graph_error_fallbacks: u64 = report.open.graph_errors as u64,
        avg_graph_candidates: f64 = report.open.mean_graph_candidates(),
        avg_graph_expanded_count: f64 = report.open.lift(),
        last_fallback_at: Option<Time> = report.ledger.last_fallback.map(|(at, _)| at.into()),
        last_fallback_reason: Option<String> =
            report.ledger.last_fallback.map(|(_, reason)| reason.name().into()),
    }

    /// What the gate says: `status` is its verdict on the last window, `state` is `open`, `blocked` or
    /// `half_open`.
    SdkQualityGate of (report: &Report) {
        status: String = report.gate.verdict.status.name().into(),
        canary_blocked: bool = report.gate.state == GateState::Blocked,
        state: String = report.gate.state.name().into(),
        reasons: Vec<SdkGateReason> = report.gate.verdict.reasons.iter().map(SdkGateReason::of).collect(),
        reason_codes: Vec<String> = codes(&report.gate.verdict.codes()),
        window_hours: f64 = report.limits.window_hours,
        evaluated_at: Time = report.now.into(),
    }

    /// Why the gate says so: a measure and its limit.
    SdkGateReason of (reason: &rollout::Reason) {
        code: String = reason.code.into(),
        severity: String = if reason.blocking { "critical" } else { "warning" }.into(),
        blocking: bool = reason.blocking,
        value: f64 = reason.value,
        limit: f64 = reason.limit,
    }

    /// What is missing for the next stage.
    SdkPlan of (report: &Report) {
        evaluated_at: Time = report.now.into(),
        current_mode: String = report.mode().name().into(),
        recommended_mode: String = report.recommended.name().into(),
        default_behavior_decision: String = decision(report).into(),
        rationale: String = report.rationale.clone(),
        ready_for_default_on: bool = report.default_on().ready(),
        blocker_codes: Vec<String> = codes(&report.default_on().blockers),
        stages: Vec<SdkStage> = report.stages.iter().map(SdkStage::of).collect(),
        baseline: Vec<SdkGoal> = report.goals.iter().map(SdkGoal::of).collect(),
        slo: SdkSlo = SdkSlo::of(report),
        autopilot: SdkAutopilot = SdkAutopilot::of(),
    }

    /// One stage, and what blocks it.
    SdkStage of (stage: &rollout::Stage) {
        stage: String = stage.name.into(),
        ready: bool = stage.ready(),
        required_samples: u64 = stage.required_samples,
        current_samples: u64 = stage.current_samples,
        blocker_codes: Vec<String> = codes(&stage.blockers),
    }

    /// One measure, and how far it is from where it should be.
    SdkGoal of (goal: &rollout::Goal) {
        metric: String = goal.metric.into(),
        comparator: String = goal.comparator.into(),
        target: f64 = goal.target,
        current: f64 = goal.current,
        gap_to_goal: f64 = goal.gap(),
        ready: bool = goal.ready(),
    }

    /// The limits that the plan goes by.
    SdkSlo of (report: &Report) {
        min_shadow_executions: u64 = report.limits.min_shadow_executions,
        min_avg_graph_candidates: f64 = rollout::MIN_GRAPH_CANDIDATES,
        max_graph_error_rate: f64 = report.limits.max_graph_error_fallback_rate,
        max_fallback_rate: f64 = report.limits.max_fallback_rate,
    }

    /// Whether stages follow by themselves, and whether the last step was one of those: never, a person sets
    /// the mode.
    SdkAutopilot of () { enabled: bool = false, applied: bool = false, }

    /// Something that needs attention.
    SdkAlarm of (alarm: &rollout::Alarm, now: Timestamp) {
        code: String = alarm.code.into(),
        severity: String = alarm.severity.name().into(),
        message: String = alarm.message.clone(),
        triggered_at: Time = now.into(),
    }

    /// One of the best connected entities: `nodeType:nodeKey` is its canonical id.
    SdkTopNode of (hub: &Hub, ends: &EdgeEnds) {
        node_type: String = type_and_key(hub).0,
        node_key: String = type_and_key(hub).1,
        label: String = hub.entity.name.clone(),
        memory_links: u64 = ends.mentions,
        outbound_edges: u64 = ends.outbound,
        inbound_edges: u64 = ends.inbound,
        degree: u64 = u64::from(hub.degree),
    }

    /// A failure of the graph that was answered by the baseline.
    SdkError of (incident: &Incident) {
        code: String = incident.reason.name().to_uppercase(),
        message: String = incident.message.clone(),
        source: String = if incident.shadow { "shadow" } else { "recall" }.into(),
        timestamp: Time = incident.at.into(),
    }

    /// The scope that was asked: workspace, user, project.
    SdkScope of (tenant: Option<String>, scope: &Scope) {
        tenant_id: Option<String> = tenant,
        user_id: Option<String> = scope.user.clone(),
        project_id: Option<String> = scope.project.clone(),
    }

    /// `GET|POST|PATCH /api/sdk/v1/graph/rollout`.
    SdkRolloutReply of (report: &Report, scope: SdkScope) {
        rollout: SdkRollout = SdkRollout::of(&report.ledger.standing),
        shadow_metrics: SdkShadowMetrics = SdkShadowMetrics::of(report),
        quality_gate: SdkQualityGate = SdkQualityGate::of(report),
        rollout_plan: SdkPlan = SdkPlan::of(report),
        retrieval_policy: SdkPolicy = SdkPolicy::of(report),
        scope: SdkScope = scope,
    }

    /// Which strategy answers those who say nothing.
    SdkPolicy of (report: &Report) {
        default_strategy: String = default_strategy(report.mode()).policy_name().into(),
        ready_window_streak: u64 = report.streak,
        last_decision: String = decision(report).into(),
        last_evaluated_at: Time = report.now.into(),
        updated_at: Option<Time> = report.ledger.standing.updated_at.map(Into::into),
        updated_by: Option<String> = report.ledger.standing.updated_by.clone(),
    }

    /// Details of the error `CANARY_ROLLOUT_BLOCKED` (409).
    SdkBlocked of (refused: &ModeRefused) {
        reason_codes: Vec<String> = codes(&refused.reasons),
        quality_status: String = refused.status.name().into(),
        window_hours: f64 = refused.window_hours,
    }

    /// `POST /api/sdk/v1/graph/trace`.
    SdkTraceReply of (request: &SdkTraceRequest, recall: &Recall, report: &Report, conflicts: usize) {
        mode: String = request.mode.clone(),
        include_rules: bool = request.include_rules,
        query: String = recall.query.clone(),
        strategy: SdkStrategy = SdkStrategy::of(recall),
        trace: SdkTrace = SdkTrace::of(request, recall, report, conflicts),
        tiers: SdkTiers = SdkTiers::of(recall),
        recall: Vec<SdkRecalled> =
            (1..).zip(&recall.results).map(|(rank, result)| SdkRecalled::of(rank, result)).collect(),
        rules: Vec<crate::Memory> = rules(recall).map(crate::Memory::from).collect(),
        memories: Vec<crate::Memory> = {
            let results = recall.results.iter().map(|result| &result.memory);
            results.filter(|memory| memory.tier != Tier::Rule).map(crate::Memory::from).collect()
        },
    }

    /// What was asked for, and what answered.
    SdkStrategy of (recall: &Recall) {
        requested: String = recall.made.requested.name().into(),
        applied: String = recall.made.applied.name().into(),
    }

    /// Ids of the rules beside the answer and of the results, by tier.
    SdkTiers of (recall: &Recall) {
        rule_ids: Vec<String> = rules(recall).map(|memory| memory.id.to_string()).collect(),
        working_ids: Vec<String> =
            of_tier(recall, Tier::Working).map(|memory| memory.id.to_string()).collect(),
        long_term_ids: Vec<String> =
            of_tier(recall, Tier::LongTerm).map(|memory| memory.id.to_string()).collect(),
    }

    /// How the answer was made.
    SdkTrace of (request: &SdkTraceRequest, recall: &Recall, report: &Report, conflicts: usize) {
        requested_strategy: String = recall.made.requested.name().into(),
        strategy: String = recall.made.applied.name().into(),
        retrieval_policy_default_strategy: String = default_strategy(recall.made.mode).policy_name().into(),
        retrieval_policy_applied_strategy: String = recall.made.applied.policy_name().into(),
        retrieval_policy_selection: String = recall.made.selection.name().into(),
        retrieval_policy_ready_for_default_on: bool = report.default_on().ready(),
        retrieval_policy_blocker_codes: Vec<String> = codes(&report.default_on().blockers),
        semantic_strategy_requested: String = "hybrid".into(),
        semantic_strategy_applied: String = if without_vectors(recall) { "lexical" } else { "hybrid" }.into(),
        lexical_candidates: usize = with_signal(recall, "coverage"),
        semantic_candidates: usize = with_signal(recall, "meaning"),
        semantic_fallback_triggered: bool = without_vectors(recall),
        semantic_fallback_reason: Option<String> =
            without_vectors(recall).then(|| "query_embedding_unavailable".into()),
        graph_depth: u64 = request.graph_depth,
        graph_limit: u64 = request.graph_limit,
        rollout_mode: String = recall.made.mode.name().into(),
        shadow_executed: bool = recall.made.shadow,
        quality_gate_status: String = report.gate.verdict.status.name().into(),
        quality_gate_blocked: bool = recall.made.fallback == Some(Fallback::QualityGateBlocked),
        quality_gate_reason_codes: Vec<String> = codes(&report.gate.verdict.codes()),
        baseline_candidates: usize = recall.made.baseline_candidates,
        graph_candidates: usize = recall.made.graph_candidates,
        graph_expanded_count: usize = recall.made.expanded,
        conflict_count: usize = conflicts,
        fallback_triggered: bool = recall.made.fallback.is_some(),
        fallback_reason: Option<String> = recall.made.fallback.map(|reason| reason.name().into()),
        total_candidates: usize = recall.candidates,
    }

    /// One result.
    SdkRecalled of (rank: usize, result: &RecallResult) {
        rank: usize = rank,
        memory_id: String = result.memory.id.to_string(),
        layer: String = result.memory.tier.name().into(),
        r#type: String = result.memory.kind.clone(),
        scope: String = if result.memory.scope.project.is_some() { "project" } else { "global" }.into(),
        project_id: Option<String> = result.memory.scope.project.clone(),
        source: String = if brought(result) { "graph_expansion" } else { "baseline" }.into(),
        graph: Option<SdkWhyIncluded> = SdkWhyIncluded::of(result),
    }

    /// Why a memory is there that the graph brought.
    SdkWhyIncluded {
        why_included: String,
        linked_via_node: String,
        edge_type: String,
        hop_count: usize,
        confidence: f32,
        seed_memory_id: Option<String>,
    }
}

/// What the request for a trace said.
#[derive(Clone, PartialEq, Debug)]
pub struct SdkTraceRequest {
    /// `all`, `working`, `long_term` or `rules_only`.
    pub mode: String,
    pub include_rules: bool,
    pub graph_depth: u64,
    pub graph_limit: u64,
}

impl SdkWhyIncluded {
    /// `None` for what the question found without the graph, however the graph may have moved it.
    pub fn of(result: &RecallResult) -> Option<Self> {
        let (first, last) = (result.path.first()?, result.path.last()?);
        brought(result).then(|| Self {
            why_included: WhyIncluded::GraphExpansion.name().into(),
            linked_via_node: match &last.from {
                PathNode::Memory { id, .. } => format!("memory:{id}"),
                PathNode::Entity { id, .. } => id.clone(),
            },
            edge_type: last.kind.name().into(),
            hop_count: result.path.len(),
            confidence: result.path.iter().map(|hop| hop.confidence).product(),
            seed_memory_id: match &first.from {
                PathNode::Memory { id, .. } => Some(id.clone()),
                PathNode::Entity { .. } => None,
            },
        })
    }
}

fn brought(result: &RecallResult) -> bool {
    result.why_included == WhyIncluded::GraphExpansion
}

fn links(counts: &Counts) -> u64 {
    counts.edges_by_kind.get("mentions").copied().unwrap_or(0)
}

fn type_and_key(hub: &Hub) -> (String, String) {
    let id = hub.entity.canonical_id();
    let (kind, key) = id.split_once(':').unwrap_or(("", &id));
    (kind.into(), key.into())
}

fn decision(report: &Report) -> &'static str {
    let enabled = report.mode() == Mode::On || report.default_on().ready();
    if enabled { "enable_hybrid_default" } else { "hold_lexical_default" }
}

fn default_strategy(mode: Mode) -> Strategy {
    if mode == Mode::On { Strategy::HybridGraph } else { Strategy::Baseline }
}

fn of_tier(recall: &Recall, tier: Tier) -> impl Iterator<Item = &Memory> {
    recall.results.iter().map(|result| &result.memory).filter(move |memory| memory.tier == tier)
}

/// Rules among the results, and those beside them.
fn rules(recall: &Recall) -> impl Iterator<Item = &Memory> {
    of_tier(recall, Tier::Rule).chain(recall.rules.shown.iter().map(|rule| &rule.memory))
}

fn without_vectors(recall: &Recall) -> bool {
    recall.missing.iter().any(|missing| missing.part == "vectors were not used")
}

fn with_signal(recall: &Recall, name: &str) -> usize {
    let found = |result: &&RecallResult| result.signals.iter().any(|s| s.name == name && s.value > 0.0);
    recall.results.iter().filter(found).count()
}

/// The form that clients of a crawl know. It has no word for a job that is paused or cancelled: the first
/// waits, the second came to no end.
impl From<&griot_ingest::Job> for CrawlProgress {
    fn from(job: &griot_ingest::Job) -> Self {
        let counts = &job.counts;
        let settled = counts.processed + counts.skipped + counts.gone + counts.failed;
        let is_fetched = counts.fetched > counts.processed
            && settled + counts.fetched - counts.processed >= counts.discovered;
        let status = match job.state {
            JobState::Queued | JobState::Paused => "queued",
            JobState::Running if is_fetched => "processing",
            JobState::Running => "crawling",
            JobState::Done => "done",
            JobState::Failed | JobState::Cancelled => "error",
        };
        Self {
            crawl_id: job.id.to_string(),
            status: status.into(),
            pages_discovered: counts.discovered,
            pages_crawled: counts.fetched,
            pages_processed: counts.processed,
            entities_extracted: counts.entities,
            errors: job
                .errors
                .iter()
                .map(|one| CrawlError { url: one.url.clone(), error: one.why.clone() })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use griot::engine::{Access, Engine, LinkRequest, Settings};
    use griot::model::{EdgeKind, Result};
    use griot::recall::Query;
    use griot::remember::Draft;
    use serde_json::Value;

    use super::*;

    /// The keys of an object, its inner objects as `outer.inner`, of a list its items as `list.inner`.
    fn keys<T: schemars::JsonSchema>() -> Vec<String> {
        fn collect(schema: &Value, kinds: &Value, path: &str, into: &mut Vec<String>) {
            if let Some(name) = crate::schema::named(schema) {
                collect(&kinds[name], kinds, path, into);
            }
            for inner in schema["anyOf"].as_array().into_iter().flatten() {
                collect(inner, kinds, path, into);
            }
            for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                into.push(path.clone());
                collect(inner, kinds, &path, into);
                collect(&inner["items"], kinds, &path, into);
            }
        }
        let schema = schemars::schema_for!(T).to_value();
        let mut found = Vec::new();
        collect(&schema, &schema["$defs"], "", &mut found);
        // Memories are those of every other answer.
        found.retain(|key| !key.starts_with("rules.") && !key.starts_with("memories."));
        found.sort();
        found
    }

    #[test]
    fn every_payload_has_the_keys_that_clients_know() {
        let known: Value = serde_json::from_str(include_str!("../tests/data/sdk-keys.json")).expect("JSON");
        let found = serde_json::json!({
            "SdkStatus": keys::<SdkStatus>(), "SdkRolloutReply": keys::<SdkRolloutReply>(),
            "SdkTraceReply": keys::<SdkTraceReply>(), "SdkBlocked": keys::<SdkBlocked>(),
        });
        assert_eq!(found, known);
    }

    /// What its own words found is of the baseline, also where a path leads to it.
    #[test]
    fn only_what_the_graph_brought_is_of_the_graph() -> Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let access = Access { create: true, read_only: false };
        let engine = Engine::open(&folder.path().join("griot.db"), access, Settings::default())?;
        let cause = engine.remember(Draft::new("Postgres was too slow for the sessions of the shop."))?;
        let effect = engine.remember(Draft::new("The shop moved its sessions to Redis."))?;
        engine.link(&LinkRequest::new(cause.id.to_string(), effect.id.to_string(), EdgeKind::Causal))?;
        let recall = engine.recall(&Query::new("why did the shop move to Redis?", engine.now()))?;
        assert!(recall.results.iter().any(|result| !result.path.is_empty()), "{:?}", recall.results);
        for (rank, result) in (1..).zip(&recall.results) {
            let row = SdkRecalled::of(rank, result);
            let brought = result.why_included == WhyIncluded::GraphExpansion;
            assert_eq!((row.source == "graph_expansion", row.graph.is_some()), (brought, brought), "{row:?}");
        }
        Ok(())
    }
}
