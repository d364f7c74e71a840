//! What does a recall come to in the payload of the SDK's trace?

use griot::engine::RolloutReport;
use griot::recall::{self, WhyIncluded};
use griot::rollout::{Fallback, Made, StageName};

use super::*;

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
