//! The payloads of `/api/sdk/v1/graph/{status,rollout,trace}`, and what a crawl answers, with the keys that
//! clients of those routes know (camel case).
//!
//! A server only routes: it reads the request, calls the engine, and wraps one of these in its envelope. The
//! payloads are declared here; `status` fills those of status and rollout, `trace` those of a recall.

mod status;
mod trace;

use griot::model::Scope;
use griot::rollout::{Mode, Strategy};
use serde::{Deserialize, Serialize};

use griot_ingest::JobState;

use crate::Time;

/// Declares payloads, and `OBJECTS`, what the reference page says about them. The names of keys are the words
/// of the SDK's contract, so that most need no others.
macro_rules! payloads {
    ($($(#[doc = $doc:literal])* $name:ident { $($field:ident: $kind:ty,)* })*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
            #[derive(schemars::JsonSchema)]
            #[serde(rename_all = "camelCase")]
            pub struct $name {
                $(pub $field: $kind,)*
            }
        )*

        described!($($name)*);

        pub(crate) const OBJECTS: &[crate::object::ObjectDoc] = &[
            $(crate::object::ObjectDoc {
                name: stringify!($name),
                doc: &[$($doc),*],
                fields: &[
                    $(crate::object::FieldDoc { name: stringify!($field), kind: stringify!($kind), doc: &[] }),*
                ],
            }),*
        ];
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

    /// What is switched on. No language model reads texts yet, so that `llmExtractionEnabled` is false.
    SdkFlags { mapping_enabled: bool, retrieval_enabled: bool, llm_extraction_enabled: bool, }

    /// Which parts of the graph there are; all of them, always.
    SdkTables { graph_nodes: bool, graph_edges: bool, memory_node_links: bool, }

    /// How large the graph is. `memoryLinks` are mentions, `edges` all others.
    SdkCounts {
        nodes: u64,
        edges: u64,
        memory_links: u64,
        active_edges: u64,
        expired_edges: u64,
        orphan_nodes: u64,
    }

    /// The mode of the workspace, and who set it.
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

    /// What the gate says: `status` is its verdict on the last window, `state` is `open`, `blocked` or
    /// `half_open`.
    SdkQualityGate {
        status: String,
        canary_blocked: bool,
        state: String,
        reasons: Vec<SdkGateReason>,
        reason_codes: Vec<String>,
        window_hours: f64,
        evaluated_at: Time,
    }

    /// Why the gate says so: a measure and its limit.
    SdkGateReason { code: String, severity: String, blocking: bool, value: f64, limit: f64, }

    /// What is missing for the next stage.
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

    /// One stage, and what blocks it.
    SdkStage {
        stage: String,
        ready: bool,
        required_samples: u64,
        current_samples: u64,
        blocker_codes: Vec<String>,
    }

    /// One measure, and how far it is from where it should be.
    SdkGoal {
        metric: String,
        comparator: String,
        target: f64,
        current: f64,
        gap_to_goal: f64,
        ready: bool,
    }

    /// The limits that the plan goes by.
    SdkSlo {
        min_shadow_executions: u64,
        min_avg_graph_candidates: f64,
        max_graph_error_rate: f64,
        max_fallback_rate: f64,
    }

    /// Whether stages follow by themselves, and whether the last step was one of those.
    SdkAutopilot { enabled: bool, applied: bool, }

    /// Something that somebody should look at.
    SdkAlarm { code: String, severity: String, message: String, triggered_at: Time, }

    /// One of the best connected entities: `nodeType:nodeKey` is its canonical id.
    SdkTopNode {
        node_type: String,
        node_key: String,
        label: String,
        memory_links: u64,
        outbound_edges: u64,
        inbound_edges: u64,
        degree: u64,
    }

    /// A failure of the graph that was answered by the baseline.
    SdkError { code: String, message: String, source: String, timestamp: Time, }

    /// The scope that was asked: workspace, user, project.
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

    /// Which strategy answers those who say nothing.
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

    /// What was asked for, and what answered.
    SdkStrategy { requested: String, applied: String, }

    /// Ids of the rules beside the answer and of the results, by tier.
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

    /// One result.
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

impl SdkScope {
    pub fn new(tenant: Option<String>, scope: &Scope) -> Self {
        Self { tenant_id: tenant, user_id: scope.user.clone(), project_id: scope.project.clone() }
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

fn codes(codes: &[&'static str]) -> Vec<String> {
    codes.iter().map(|code| (*code).to_string()).collect()
}

fn default_strategy(mode: Mode) -> Strategy {
    if mode == Mode::On { Strategy::HybridGraph } else { Strategy::Baseline }
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
    use std::path::Path;

    use griot::engine::{Access, Engine, LinkRequest, Settings};
    use griot::model::{EdgeKind, Error, Provenance, Result, Timestamp};
    use griot::recall::Query;
    use griot::remember::Draft;
    use griot::rollout::Mode;
    use serde_json::Value;

    use super::*;

    /// The keys of an object, its inner objects as `outer.inner`, of a list its first item as `list.inner`.
    fn keys(value: &impl Serialize) -> Vec<String> {
        fn collect(value: &Value, path: &str, into: &mut Vec<String>) {
            match value {
                Value::Object(object) => {
                    for (key, inner) in object {
                        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                        into.push(path.clone());
                        collect(inner, &path, into);
                    }
                }
                Value::Array(items) => items.first().into_iter().for_each(|item| collect(item, path, into)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        collect(&serde_json::to_value(value).expect("it serialises"), "", &mut found);
        found.sort();
        found
    }

    /// `a b{c d}` as `a b b.c b.d`, sorted.
    fn expected(text: &str) -> Vec<String> {
        let (mut found, mut outer, mut word) = (Vec::new(), Vec::<String>::new(), String::new());
        for letter in text.chars().chain([' ']) {
            if letter.is_alphanumeric() {
                word.push(letter);
                continue;
            }
            let path = outer.last().map_or(word.clone(), |outer| format!("{outer}.{word}"));
            if !word.is_empty() {
                found.push(path.clone());
                word.clear();
            }
            match letter {
                '{' => outer.push(path),
                '}' => drop(outer.pop()),
                _ => {}
            }
        }
        found.sort();
        found
    }

    const STATUS: &str = "enabled flags{mappingEnabled retrievalEnabled llmExtractionEnabled} health
        tables{graphNodes graphEdges memoryNodeLinks}
        counts{nodes edges memoryLinks activeEdges expiredEdges orphanNodes}
        topConnectedNodes{nodeType nodeKey label memoryLinks outboundEdges inboundEdges degree}
        recentErrors sampledAt";
    const ROLLOUT: &str = "rollout{mode updatedAt updatedBy}
        shadowMetrics{windowHours totalRequests hybridRequested canaryApplied shadowExecutions fallbackCount fallbackRate
            graphErrorFallbacks avgGraphCandidates avgGraphExpandedCount lastFallbackAt lastFallbackReason}
        rolloutPlan{evaluatedAt currentMode recommendedMode defaultBehaviorDecision rationale readyForDefaultOn blockerCodes
            stages{stage ready requiredSamples currentSamples blockerCodes}
            baseline{metric comparator target current gapToGoal ready}
            slo{minShadowExecutions minAvgGraphCandidates maxGraphErrorRate maxFallbackRate} autopilot{enabled applied}}
        qualityGate{status canaryBlocked state reasons{code severity blocking value limit} reasonCodes windowHours evaluatedAt}
        scope{tenantId userId projectId}";
    const POLICY: &str =
        "retrievalPolicy{defaultStrategy readyWindowStreak lastDecision lastEvaluatedAt updatedAt updatedBy}";
    const TRACE: &str = "mode includeRules query strategy{requested applied}
        tiers{ruleIds workingIds longTermIds}
        trace{requestedStrategy strategy retrievalPolicyDefaultStrategy retrievalPolicyAppliedStrategy
            retrievalPolicySelection retrievalPolicyReadyForDefaultOn retrievalPolicyBlockerCodes semanticStrategyRequested
            semanticStrategyApplied lexicalCandidates semanticCandidates semanticFallbackTriggered semanticFallbackReason
            graphDepth graphLimit rolloutMode shadowExecuted qualityGateStatus qualityGateBlocked qualityGateReasonCodes
            baselineCandidates graphCandidates graphExpandedCount conflictCount fallbackTriggered fallbackReason
            totalCandidates}
        recall{rank memoryId layer type scope projectId source graph}";
    const ALARM: &str = "code severity message triggeredAt";
    const WHY_INCLUDED: &str = "whyIncluded linkedViaNode edgeType hopCount confidence seedMemoryId";

    fn workspace(folder: &Path) -> Result<Engine> {
        let engine = Engine::open(
            &folder.join("griot.db"),
            Access { create: true, read_only: false },
            Settings::default(),
        )?;
        let cause = engine.remember(Draft::new("Postgres was too slow for the sessions of the shop."))?;
        let effect = engine.remember(Draft::new("The shop moved its sessions to Redis."))?;
        engine.link(&LinkRequest {
            source: cause.id.to_string(),
            target: effect.id.to_string(),
            kind: EdgeKind::Causal,
            label: None,
            weight: None,
            reason: None,
            provenance: Provenance::User,
            confidence: None,
            expires_at: None,
        })?;
        Ok(engine)
    }

    /// Keys of `got` must be those of `text`; where a list is empty here, what its items have is left out of
    /// both.
    fn assert_keys(got: &impl Serialize, text: &str, empty: &[&str]) {
        let mut wanted = expected(text);
        wanted.retain(|key| !empty.iter().any(|list| key.starts_with(&format!("{list}."))));
        let mut got = keys(got);
        got.retain(|key| !empty.iter().any(|list| key.starts_with(&format!("{list}."))));
        assert_eq!(got, wanted);
    }

    #[test]
    fn every_payload_has_the_keys_that_clients_know() -> Result<()> {
        let folder =
            tempfile::tempdir().map_err(|error| Error::unavailable("make a folder", error.to_string()))?;
        let engine = workspace(folder.path())?;
        let scope = || SdkScope::new(Some("acme".into()), &Scope::default());
        let status = engine.graph_status(5)?;
        assert_keys(
            &SdkStatus::new(&status, scope()),
            &format!("{STATUS} {ROLLOUT} alarms"),
            &["alarms", "recentErrors", "qualityGate.reasons"],
        );
        let report = engine.rollout()?;
        assert_keys(
            &SdkRolloutReply::new(&report, scope()),
            &format!("{ROLLOUT} {POLICY}"),
            &["qualityGate.reasons"],
        );
        let recall = engine.recall(&Query::new("why did the shop move to Redis?", engine.now()))?;
        assert!(!recall.results.is_empty(), "the question is answered");
        let request =
            SdkTraceRequest { mode: "all".into(), include_rules: true, graph_depth: 1, graph_limit: 8 };
        let reply = SdkTraceReply::new(&request, &recall, &report, 0);
        assert_keys(&reply, &format!("{TRACE} rules memories"), &["rules", "memories", "recall.graph"]);
        // What its own words found is of the baseline, also where a path leads to it.
        assert!(recall.results.iter().any(|result| !result.path.is_empty()), "{:?}", recall.results);
        for (row, result) in reply.recall.iter().zip(&recall.results) {
            let brought = result.why_included == griot::recall::WhyIncluded::GraphExpansion;
            assert_eq!((row.source == "graph_expansion", row.graph.is_some()), (brought, brought), "{row:?}");
        }
        let refused = engine.set_mode(Mode::Canary, "test", false)?;
        if let Some(blocked) = SdkBlocked::of(&refused) {
            assert_keys(&blocked, "reasonCodes qualityStatus windowHours", &[]);
        }
        let alarm = SdkAlarm {
            code: "c".into(),
            severity: "info".into(),
            message: "m".into(),
            triggered_at: Timestamp(0).into(),
        };
        assert_keys(&alarm, ALARM, &[]);
        let why = SdkWhyIncluded {
            why_included: "graph_expansion".into(),
            linked_via_node: "tool:redis".into(),
            edge_type: "mentions".into(),
            hop_count: 2,
            confidence: 0.5,
            seed_memory_id: None,
        };
        assert_keys(&why, WHY_INCLUDED, &[]);
        Ok(())
    }
}
