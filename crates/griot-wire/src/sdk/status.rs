//! What do a status and the rollout come to in the payloads of the SDK's routes?

use griot::backend::Counts;
use griot::engine::{GraphStatus, Hub, ModeSet, RolloutReport};
use griot::rollout::{self, Mode, StageName, Tally};

use super::*;

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
            flags: SdkFlags {
                mapping_enabled: true,
                retrieval_enabled: report.enabled,
                llm_extraction_enabled: false,
            },
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
        let active = counts.edges.saturating_sub(links);
        Self {
            nodes: counts.entities,
            edges: active + counts.expired_edges,
            memory_links: links,
            active_edges: active,
            expired_edges: counts.expired_edges,
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
        Some(Self {
            reason_codes: codes(reasons),
            quality_status: status.name().into(),
            window_hours: *window_hours,
        })
    }
}
