//! The payloads of `/api/sdk/v1/graph/{status,rollout,trace}`, with the keys that clients of those routes know (camel case).
//!
//! A server only routes: it reads the request, calls the engine, and wraps one of these in its envelope.

use griot::backend::Counts;
use griot::engine::{GraphStatus, Hub, ModeSet, RolloutReport};
use griot::model::Scope;
use griot::recall::{self, WhyIncluded};
use griot::rollout::{self, Fallback, Made, Mode, StageName, Strategy, Tally};
use serde::{Deserialize, Serialize};

use crate::Time;

macro_rules! payloads {
    ($($(#[doc = $doc:literal])* $name:ident { $($field:ident: $kind:ty,)* })*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            #[serde(rename_all = "camelCase")]
            pub struct $name {
                $(pub $field: $kind,)*
            }
        )*
    };
}

payloads! {
    /// `GET|POST /api/sdk/v1/graph/status`.
    SdkStatus {
        enabled: bool,
        flags: SdkFlags,
        health: String,
        tables: SdkTables,
        counts: SdkCounts,
        rollout: SdkRollout,
        shadow_metrics: SdkShadowMetrics,
        quality_gate: SdkQualityGate,
        rollout_plan: SdkPlan,
        alarms: Vec<SdkAlarm>,
        top_connected_nodes: Vec<SdkTopNode>,
        recent_errors: Vec<SdkError>,
        sampled_at: Time,
        scope: SdkScope,
    }

    SdkFlags { mapping_enabled: bool, retrieval_enabled: bool, llm_extraction_enabled: bool, }

    SdkTables { graph_nodes: bool, graph_edges: bool, memory_node_links: bool, }

    SdkCounts {
        nodes: u64,
        edges: u64,
        memory_links: u64,
        active_edges: u64,
        expired_edges: u64,
        orphan_nodes: u64,
    }

    SdkRollout { mode: String, updated_at: Option<Time>, updated_by: Option<String>, }

    /// What was counted in the window now open.
    SdkShadowMetrics {
        window_hours: f64,
        total_requests: u64,
        hybrid_requested: u64,
        canary_applied: u64,
        shadow_executions: u64,
        fallback_count: u64,
        fallback_rate: f64,
        graph_error_fallbacks: u64,
        avg_graph_candidates: f64,
        avg_graph_expanded_count: f64,
        last_fallback_at: Option<Time>,
        last_fallback_reason: Option<String>,
    }

    SdkQualityGate {
        status: String,
        canary_blocked: bool,
        state: String,
        reasons: Vec<SdkGateReason>,
        reason_codes: Vec<String>,
        window_hours: f64,
        evaluated_at: Time,
    }

    SdkGateReason { code: String, severity: String, blocking: bool, value: f64, limit: f64, }

    SdkPlan {
        evaluated_at: Time,
        current_mode: String,
        recommended_mode: String,
        default_behavior_decision: String,
        rationale: String,
        ready_for_default_on: bool,
        blocker_codes: Vec<String>,
        stages: Vec<SdkStage>,
        baseline: Vec<SdkGoal>,
        slo: SdkSlo,
        autopilot: SdkAutopilot,
    }

    SdkStage {
        stage: String,
        ready: bool,
        required_samples: u64,
        current_samples: u64,
        blocker_codes: Vec<String>,
    }

    SdkGoal {
        metric: String,
        comparator: String,
        target: f64,
        current: f64,
        gap_to_goal: f64,
        ready: bool,
    }

    SdkSlo {
        min_shadow_executions: u64,
        min_avg_graph_candidates: f64,
        max_graph_error_rate: f64,
        max_fallback_rate: f64,
    }

    SdkAutopilot { enabled: bool, applied: bool, }

    SdkAlarm { code: String, severity: String, message: String, triggered_at: Time, }

    SdkTopNode {
        node_type: String,
        node_key: String,
        label: String,
        memory_links: u64,
        outbound_edges: u64,
        inbound_edges: u64,
        degree: u64,
    }

    SdkError { code: String, message: String, source: String, timestamp: Time, }

    SdkScope { tenant_id: Option<String>, user_id: Option<String>, project_id: Option<String>, }

    /// `GET|POST|PATCH /api/sdk/v1/graph/rollout`.
    SdkRolloutReply {
        rollout: SdkRollout,
        shadow_metrics: SdkShadowMetrics,
        quality_gate: SdkQualityGate,
        rollout_plan: SdkPlan,
        retrieval_policy: SdkPolicy,
        scope: SdkScope,
    }

    SdkPolicy {
        default_strategy: String,
        ready_window_streak: u64,
        last_decision: String,
        last_evaluated_at: Time,
        updated_at: Option<Time>,
        updated_by: Option<String>,
    }

    /// Details of the error `CANARY_ROLLOUT_BLOCKED` (409).
    SdkBlocked { reason_codes: Vec<String>, quality_status: String, window_hours: f64, }

    /// `POST /api/sdk/v1/graph/trace`.
    SdkTraceReply {
        mode: String,
        include_rules: bool,
        query: String,
        strategy: SdkStrategy,
        trace: SdkTrace,
        tiers: SdkTiers,
        recall: Vec<SdkRecalled>,
        rules: Vec<crate::Memory>,
        memories: Vec<crate::Memory>,
    }

    SdkStrategy { requested: String, applied: String, }

    SdkTiers { rule_ids: Vec<String>, working_ids: Vec<String>, long_term_ids: Vec<String>, }

    /// How the answer was made.
    SdkTrace {
        requested_strategy: String,
        strategy: String,
        retrieval_policy_default_strategy: String,
        retrieval_policy_applied_strategy: String,
        retrieval_policy_selection: String,
        retrieval_policy_ready_for_default_on: bool,
        retrieval_policy_blocker_codes: Vec<String>,
        semantic_strategy_requested: String,
        semantic_strategy_applied: String,
        lexical_candidates: usize,
        semantic_candidates: usize,
        semantic_fallback_triggered: bool,
        semantic_fallback_reason: Option<String>,
        graph_depth: u64,
        graph_limit: u64,
        rollout_mode: String,
        shadow_executed: bool,
        quality_gate_status: String,
        quality_gate_blocked: bool,
        quality_gate_reason_codes: Vec<String>,
        baseline_candidates: usize,
        graph_candidates: usize,
        graph_expanded_count: usize,
        conflict_count: usize,
        fallback_triggered: bool,
        fallback_reason: Option<String>,
        total_candidates: usize,
    }

    SdkRecalled {
        rank: usize,
        memory_id: String,
        layer: String,
        r#type: String,
        scope: String,
        project_id: Option<String>,
        source: String,
        graph: Option<SdkWhyIncluded>,
    }

    /// Why a memory is there that the graph had a part in.
    SdkWhyIncluded {
        why_included: String,
        linked_via_node: String,
        edge_type: String,
        hop_count: usize,
        confidence: f32,
        seed_memory_id: Option<String>,
    }
}

impl SdkScope {
    pub fn new(tenant: Option<String>, scope: &Scope) -> Self {
        Self { tenant_id: tenant, user_id: scope.user.clone(), project_id: scope.project.clone() }
    }
}

impl SdkStatus {
    /// `links` says that memories are mapped to the graph when they are written; they always are.
    pub fn new(status: &GraphStatus, scope: SdkScope) -> Self {
        let report = &status.rollout;
        let tops = status.hubs.iter().zip(&status.health.ends);
        let error = |incident: &rollout::Incident| SdkError {
            code: incident.reason.name().to_uppercase(),
            message: incident.message.clone(),
            source: if incident.shadow { "shadow" } else { "recall" }.into(),
            timestamp: incident.at.into(),
        };
        Self {
            enabled: report.enabled && report.ledger.standing.mode != Mode::Off,
            flags: SdkFlags { mapping_enabled: true, retrieval_enabled: report.enabled, llm_extraction_enabled: false },
            health: "ok".into(),
            tables: SdkTables { graph_nodes: true, graph_edges: true, memory_node_links: true },
            counts: SdkCounts::new(&status.counts, &status.health),
            rollout: SdkRollout::from(&report.ledger.standing),
            shadow_metrics: SdkShadowMetrics::from(report),
            quality_gate: SdkQualityGate::from(report),
            rollout_plan: SdkPlan::from(report),
            alarms: report.alarms.iter().map(Into::into).collect(),
            top_connected_nodes: tops.map(|(hub, ends)| SdkTopNode::new(hub, ends)).collect(),
            recent_errors: report.ledger.incidents.iter().map(error).collect(),
            sampled_at: report.now.into(),
            scope,
        }
    }
}

impl SdkCounts {
    fn new(counts: &Counts, health: &griot::backend::GraphHealth) -> Self {
        let links = counts.edges_by_kind.get("mentions").copied().unwrap_or(0);
        let edges = counts.edges.saturating_sub(links);
        Self {
            nodes: counts.entities,
            edges,
            memory_links: links,
            active_edges: edges.saturating_sub(health.expired_edges),
            expired_edges: health.expired_edges,
            orphan_nodes: health.orphan_entities,
        }
    }
}

impl SdkTopNode {
    fn new(hub: &Hub, ends: &griot::backend::EdgeEnds) -> Self {
        let id = hub.entity.canonical_id();
        let (kind, key) = id.split_once(':').unwrap_or(("", &id));
        Self {
            node_type: kind.into(),
            node_key: key.into(),
            label: hub.entity.name.clone(),
            memory_links: ends.mentions,
            outbound_edges: ends.outbound,
            inbound_edges: ends.inbound,
            degree: u64::from(hub.degree),
        }
    }
}

impl From<&rollout::Standing> for SdkRollout {
    fn from(standing: &rollout::Standing) -> Self {
        Self {
            mode: standing.mode.name().into(),
            updated_at: standing.updated_at.map(Into::into),
            updated_by: standing.updated_by.clone(),
        }
    }
}

impl From<&RolloutReport> for SdkShadowMetrics {
    fn from(report: &RolloutReport) -> Self {
        let tally: &Tally = &report.open;
        let last = report.ledger.last_fallback;
        Self {
            window_hours: report.limits.window_hours,
            total_requests: tally.requests as u64,
            hybrid_requested: tally.hybrid_requested as u64,
            canary_applied: tally.canary_applied as u64,
            shadow_executions: tally.shadow_executions as u64,
            fallback_count: tally.fallbacks() as u64,
            fallback_rate: tally.fallback_rate(),
            graph_error_fallbacks: tally.graph_errors as u64,
            avg_graph_candidates: tally.mean_graph_candidates(),
            avg_graph_expanded_count: tally.lift(),
            last_fallback_at: last.map(|(at, _)| at.into()),
            last_fallback_reason: last.map(|(_, reason)| reason.name().into()),
        }
    }
}

impl From<&RolloutReport> for SdkQualityGate {
    fn from(report: &RolloutReport) -> Self {
        let gate = &report.plan.gate;
        let reason = |reason: &rollout::Reason| SdkGateReason {
            code: reason.code.into(),
            severity: if reason.blocking { "critical" } else { "warning" }.into(),
            blocking: reason.blocking,
            value: reason.value,
            limit: reason.limit,
        };
        Self {
            status: gate.verdict.status.name().into(),
            canary_blocked: gate.state == rollout::GateState::Blocked,
            state: gate.state.name().into(),
            reasons: gate.verdict.reasons.iter().map(reason).collect(),
            reason_codes: codes(&gate.verdict.codes()),
            window_hours: report.limits.window_hours,
            evaluated_at: report.now.into(),
        }
    }
}

fn codes(codes: &[&'static str]) -> Vec<String> {
    codes.iter().map(|code| (*code).to_string()).collect()
}

impl From<&RolloutReport> for SdkPlan {
    fn from(report: &RolloutReport) -> Self {
        let (plan, limits) = (&report.plan, &report.limits);
        let stage = |stage: &rollout::Stage| SdkStage {
            stage: stage.stage.name().into(),
            ready: stage.ready,
            required_samples: stage.required_samples,
            current_samples: stage.current_samples,
            blocker_codes: codes(&stage.blockers),
        };
        let goal = |goal: &rollout::Goal| SdkGoal {
            metric: goal.metric.into(),
            comparator: goal.comparator.into(),
            target: goal.target,
            current: goal.current,
            gap_to_goal: goal.gap(),
            ready: goal.ready(),
        };
        Self {
            evaluated_at: plan.evaluated_at.into(),
            current_mode: plan.current.name().into(),
            recommended_mode: plan.recommended.name().into(),
            default_behavior_decision: decision(report).into(),
            rationale: plan.rationale.clone(),
            ready_for_default_on: plan.ready_for_default(),
            blocker_codes: codes(&plan.stage(StageName::DefaultOn).blockers),
            stages: plan.stages.iter().map(stage).collect(),
            baseline: plan.goals.iter().map(goal).collect(),
            slo: SdkSlo {
                min_shadow_executions: limits.min_shadow_executions,
                min_avg_graph_candidates: limits.min_graph_candidates,
                max_graph_error_rate: limits.max_graph_error_fallback_rate,
                max_fallback_rate: limits.max_fallback_rate,
            },
            autopilot: SdkAutopilot {
                enabled: limits.autopilot,
                applied: report.ledger.standing.updated_by.as_deref() == Some("autopilot"),
            },
        }
    }
}

fn decision(report: &RolloutReport) -> &'static str {
    let enabled = report.plan.current == Mode::On || report.plan.ready_for_default();
    if enabled { "enable_hybrid_default" } else { "hold_lexical_default" }
}

impl From<&rollout::Alarm> for SdkAlarm {
    fn from(alarm: &rollout::Alarm) -> Self {
        Self {
            code: alarm.code.into(),
            severity: alarm.severity.name().into(),
            message: alarm.message.clone(),
            triggered_at: alarm.triggered_at.into(),
        }
    }
}

fn default_strategy(mode: Mode) -> Strategy {
    if mode == Mode::On { Strategy::HybridGraph } else { Strategy::Baseline }
}

impl SdkRolloutReply {
    pub fn new(report: &RolloutReport, scope: SdkScope) -> Self {
        let standing = &report.ledger.standing;
        Self {
            rollout: standing.into(),
            shadow_metrics: report.into(),
            quality_gate: report.into(),
            rollout_plan: report.into(),
            retrieval_policy: SdkPolicy {
                default_strategy: default_strategy(standing.mode).policy_name().into(),
                ready_window_streak: report.plan.streak,
                last_decision: decision(report).into(),
                last_evaluated_at: report.now.into(),
                updated_at: standing.updated_at.map(Into::into),
                updated_by: standing.updated_by.clone(),
            },
            scope,
        }
    }
}

impl SdkBlocked {
    /// `None` if the mode was set.
    pub fn of(set: &ModeSet) -> Option<Self> {
        let ModeSet::Refused { reasons, status, window_hours, .. } = set else { return None };
        Some(Self { reason_codes: codes(reasons), quality_status: status.name().into(), window_hours: *window_hours })
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

impl SdkTraceReply {
    /// Memories of the kind `rule` are the rules. Griot has no layer that expires, so that everything else is `long_term`.
    /// `conflicts` is the number of edges among the results that say that one contradicts another.
    pub fn new(request: &SdkTraceRequest, recall: &recall::Recall, report: &RolloutReport, conflicts: usize) -> Self {
        let is_rule = |result: &&recall::RecallResult| result.memory.kind == "rule";
        let ids = |rules: bool| {
            let of_kind = recall.results.iter().filter(|result| is_rule(result) == rules);
            of_kind.map(|result| result.memory.id.to_string()).collect::<Vec<String>>()
        };
        let memories = |rules: bool| {
            let of_kind = recall.results.iter().filter(|result| is_rule(result) == rules);
            of_kind.map(|result| crate::Memory::from(&result.memory)).collect::<Vec<_>>()
        };
        let made = &recall.made;
        Self {
            mode: request.mode.clone(),
            include_rules: request.include_rules,
            query: recall.query.clone(),
            strategy: SdkStrategy { requested: made.requested.name().into(), applied: made.applied.name().into() },
            trace: SdkTrace { conflict_count: conflicts, ..SdkTrace::new(request, recall, made, report) },
            tiers: SdkTiers { rule_ids: ids(true), working_ids: Vec::new(), long_term_ids: ids(false) },
            recall: recall.results.iter().enumerate().map(|(at, result)| SdkRecalled::new(at + 1, result)).collect(),
            rules: if request.include_rules { memories(true) } else { Vec::new() },
            memories: memories(false),
        }
    }
}

impl SdkTrace {
    fn new(request: &SdkTraceRequest, recall: &recall::Recall, made: &Made, report: &RolloutReport) -> Self {
        let gate = &report.plan.gate;
        let value =
            |result: &recall::RecallResult, name: &str| result.signals.iter().any(|s| s.name == name && s.value > 0.0);
        let unembedded = recall.missing.iter().any(|missing| missing.starts_with("vectors were not used"));
        Self {
            requested_strategy: made.requested.name().into(),
            strategy: made.applied.name().into(),
            retrieval_policy_default_strategy: default_strategy(made.mode).policy_name().into(),
            retrieval_policy_applied_strategy: made.applied.policy_name().into(),
            retrieval_policy_selection: made.selection.name().into(),
            retrieval_policy_ready_for_default_on: report.plan.ready_for_default(),
            retrieval_policy_blocker_codes: codes(&report.plan.stage(StageName::DefaultOn).blockers),
            semantic_strategy_requested: "hybrid".into(),
            semantic_strategy_applied: if unembedded { "lexical" } else { "hybrid" }.into(),
            lexical_candidates: recall.results.iter().filter(|result| value(result, "coverage")).count(),
            semantic_candidates: recall.results.iter().filter(|result| value(result, "meaning")).count(),
            semantic_fallback_triggered: unembedded,
            semantic_fallback_reason: unembedded.then(|| "query_embedding_unavailable".into()),
            graph_depth: request.graph_depth,
            graph_limit: request.graph_limit,
            rollout_mode: made.mode.name().into(),
            shadow_executed: made.shadow,
            quality_gate_status: gate.verdict.status.name().into(),
            quality_gate_blocked: made.fallback == Some(Fallback::QualityGateBlocked),
            quality_gate_reason_codes: codes(&gate.verdict.codes()),
            baseline_candidates: made.baseline_candidates,
            graph_candidates: made.graph_candidates,
            graph_expanded_count: made.expanded,
            conflict_count: 0,
            fallback_triggered: made.fallback.is_some(),
            fallback_reason: made.fallback.map(|reason| reason.name().into()),
            total_candidates: recall.candidates,
        }
    }
}

impl SdkRecalled {
    fn new(rank: usize, result: &recall::RecallResult) -> Self {
        let memory = &result.memory;
        let rule = memory.kind == "rule";
        Self {
            rank,
            memory_id: memory.id.to_string(),
            layer: if rule { "rule" } else { "long_term" }.into(),
            r#type: memory.kind.clone(),
            scope: if memory.scope.project.is_some() { "project" } else { "global" }.into(),
            project_id: memory.scope.project.clone(),
            source: if result.why_included == WhyIncluded::GraphExpansion { "graph_expansion" } else { "baseline" }
                .into(),
            graph: SdkWhyIncluded::of(result),
        }
    }
}

impl SdkWhyIncluded {
    /// `None` where the graph had no part.
    pub fn of(result: &recall::RecallResult) -> Option<Self> {
        let (first, last) = (result.path.first()?, result.path.last()?);
        let seed = match &first.from {
            recall::PathNode::Memory { id, .. } => Some(id.clone()),
            recall::PathNode::Entity { .. } => None,
        };
        let linked = match &last.from {
            recall::PathNode::Memory { id, .. } => format!("memory:{id}"),
            recall::PathNode::Entity { id, .. } => id.clone(),
        };
        Some(Self {
            why_included: WhyIncluded::GraphExpansion.name().into(),
            linked_via_node: linked,
            edge_type: last.kind.name().into(),
            hop_count: result.path.len(),
            confidence: result.path.iter().map(|hop| hop.confidence).product(),
            seed_memory_id: seed,
        })
    }
}
