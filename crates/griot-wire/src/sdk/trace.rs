//! What does a recall come to in the payload of the SDK's trace?

use griot::engine::RolloutReport;
use griot::model::{Memory, Tier};
use griot::recall::{self, WhyIncluded};
use griot::rollout::{Fallback, Made, StageName};

use super::*;

impl SdkTraceReply {
    /// The tiers of the results and of the rules beside them. `conflicts` is the number of edges among the
    /// results that say that one contradicts another.
    pub fn new(
        request: &SdkTraceRequest,
        recall: &recall::Recall,
        report: &RolloutReport,
        conflicts: usize,
    ) -> Self {
        let of_tier =
            |tier: Tier| recall.results.iter().map(|result| &result.memory).filter(move |m| m.tier == tier);
        let ids = |tier| of_tier(tier).map(|memory| memory.id.to_string()).collect::<Vec<String>>();
        let beside = recall.rules.shown.iter().map(|rule| &rule.memory);
        let rules: Vec<&Memory> = of_tier(Tier::Rule).chain(beside).collect();
        let results =
            recall.results.iter().map(|result| &result.memory).filter(|memory| memory.tier != Tier::Rule);
        let made = &recall.made;
        Self {
            mode: request.mode.clone(),
            include_rules: request.include_rules,
            query: recall.query.clone(),
            strategy: SdkStrategy {
                requested: made.requested.name().into(),
                applied: made.applied.name().into(),
            },
            trace: SdkTrace { conflict_count: conflicts, ..SdkTrace::new(request, recall, made, report) },
            tiers: SdkTiers {
                rule_ids: rules.iter().map(|memory| memory.id.to_string()).collect(),
                working_ids: ids(Tier::Working),
                long_term_ids: ids(Tier::LongTerm),
            },
            recall: recall
                .results
                .iter()
                .enumerate()
                .map(|(at, result)| SdkRecalled::new(at + 1, result))
                .collect(),
            memories: results.map(crate::Memory::from).collect(),
            rules: rules.into_iter().map(crate::Memory::from).collect(),
        }
    }
}

impl SdkTrace {
    fn new(request: &SdkTraceRequest, recall: &recall::Recall, made: &Made, report: &RolloutReport) -> Self {
        let gate = &report.plan.gate;
        let value = |result: &recall::RecallResult, name: &str| {
            result.signals.iter().any(|s| s.name == name && s.value > 0.0)
        };
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
        Self {
            rank,
            memory_id: memory.id.to_string(),
            layer: memory.tier.name().into(),
            r#type: memory.kind.clone(),
            scope: if memory.scope.project.is_some() { "project" } else { "global" }.into(),
            project_id: memory.scope.project.clone(),
            source: if result.why_included == WhyIncluded::GraphExpansion {
                "graph_expansion"
            } else {
                "baseline"
            }
            .into(),
            graph: SdkWhyIncluded::of(result),
        }
    }
}

impl SdkWhyIncluded {
    /// `None` for what the question found without the graph, however the graph may have moved it.
    pub fn of(result: &recall::RecallResult) -> Option<Self> {
        if result.why_included != WhyIncluded::GraphExpansion {
            return None;
        }
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
