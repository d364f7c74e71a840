//! How the rollout of the graph stands, what judged questions came to, and what feedback was counted for.

use griot::engine::{self, FeedbackTaken, ModeSet};
use griot::model::{Error, Result, Scope};
use griot::rollout::{self, JudgedQuery, Made, Relevance};

use crate::Time;

objects! {
    /// Which strategy was asked for, which answered, and why.
    RolloutTrace {
        /// Names this answer for `feedback`, such as `q-3f2a90c1d4e5`.
        id: String,
        /// `off`, `shadow`, `canary` or `on`.
        mode: String,
        /// `baseline` or `hybrid_graph`.
        requested: String,
        /// `baseline` or `hybrid_graph`.
        applied: String,
        /// Who chose what is requested: `request` or `policy_default`.
        selection: String,
        /// Why the graph was requested and not applied: `feature_flag_disabled`, `rollout_off`,
        /// `shadow_mode`, `quality_gate_blocked`, `graph_expansion_error` or `rollout_guardrail`.
        fallback_reason: Option<String>,
        /// In `canary`: `open`, `blocked` or `half_open`.
        gate: Option<String>,
        /// A gate that is half open let this request through.
        probe: bool,
        /// The graph ran, and this answer does not hold what it found.
        shadow_executed: bool,
        /// Memories that the baseline scored.
        baseline_candidates: usize,
        /// Memories that the walk over the graph reached.
        graph_candidates: usize,
        /// Results at the end of a path over the graph.
        graph_expanded_count: usize,
    }

    /// How the rollout of the graph stands.
    Rollout {
        /// `off`, `shadow`, `canary` or `on`.
        mode: String,
        /// When it was chosen; `null` if nobody ever did.
        updated_at: Option<Time>,
        /// Who chose it.
        updated_by: Option<String>,
        /// The setting `recall.graph`.
        enabled: bool,
        /// What is advised next.
        recommended: String,
        /// Why.
        rationale: String,
        /// May the graph answer in `canary`?
        gate: QualityGate,
        /// On the way to `on`.
        stages: Vec<RolloutStage>,
        /// Measured values of the last closed window, and where they should be.
        goals: Vec<RolloutGoal>,
        /// Closed windows in a row that were ready for the next stage.
        ready_windows: u64,
        /// How many of them the autopilot waits for.
        ready_windows_wanted: u64,
        /// The setting `rollout.autopilot`.
        autopilot: bool,
        /// What a person should look at, the worst first.
        alarms: Vec<Alarm>,
        /// Width of a window.
        window_hours: f64,
        /// What was counted, latest first; the first may still be open.
        windows: Vec<RolloutWindow>,
        /// Failures of the graph, latest first.
        incidents: Vec<Incident>,
    }

    /// The gate, judged by windows that have ended.
    QualityGate {
        /// `open`, `blocked` or `half_open`.
        state: String,
        /// Since when; `null` if it was never blocked.
        since: Option<Time>,
        /// `pass`, `warn`, `fail` or `insufficient_data`.
        status: String,
        /// What is not as it should be.
        reasons: Vec<GateReason>,
        /// Runs of the graph since it is half open.
        probes: u64,
        /// Runs after which it decides.
        probes_wanted: u64,
    }

    /// One thing that is not as it should be.
    GateReason {
        /// Such as `GRAPH_ERROR_RATE_ABOVE_LIMIT`.
        code: String,
        /// It blocks the gate; otherwise it is a warning.
        blocking: bool,
        /// What was measured.
        value: f64,
        /// Where it should stay.
        limit: f64,
    }

    /// One stage on the way to `on`.
    RolloutStage {
        /// `shadow`, `canary` or `default_on`.
        stage: String,
        /// It may be entered.
        ready: bool,
        /// Runs that it takes.
        required_samples: u64,
        /// Runs that there were.
        current_samples: u64,
        /// What is missing, such as `MIN_SHADOW_EXECUTIONS_NOT_MET`.
        blockers: Vec<String>,
    }

    /// One measured value and where it should be.
    RolloutGoal {
        /// What is measured.
        metric: String,
        /// `>=` or `<=`.
        comparator: String,
        /// Where it should be.
        target: f64,
        /// Where it is.
        current: f64,
        /// Met.
        ready: bool,
    }

    /// What a person should look at.
    Alarm {
        /// Such as `HIGH_FALLBACK_RATE`.
        code: String,
        /// `info`, `warning` or `critical`.
        severity: String,
        /// In words.
        message: String,
        /// When it was seen.
        triggered_at: Time,
    }

    /// A failure of the graph.
    Incident {
        /// When.
        at: Time,
        /// `graph_expansion_error` or `rollout_guardrail`.
        reason: String,
        /// The graph ran for its measures only.
        shadow: bool,
        /// In words.
        message: String,
    }

    /// What was counted in a window.
    RolloutWindow {
        /// Its first moment.
        start: Time,
        /// The first moment after it.
        end: Time,
        /// It has ended.
        closed: bool,
        /// Answered recalls.
        requests: u64,
        /// Of those, the graph was asked for.
        hybrid_requested: u64,
        /// Of those, it was applied.
        hybrid_applied: u64,
        /// Of those, in `canary`.
        canary_applied: u64,
        /// Runs of the graph behind an answer of the baseline.
        shadow_executions: u64,
        /// Requests that the mode, the gate or a setting held back: no failures.
        held: u64,
        /// The graph failed where it was to answer.
        graph_errors: u64,
        /// The graph failed in shadow.
        shadow_errors: u64,
        /// Share of the runs of the graph that failed.
        error_rate: f64,
        /// Share of the requests for the graph that failed, of those that nobody held back.
        fallback_rate: f64,
        /// Share of the runs that brought a result.
        coverage: f64,
        /// Memories that the walk reached, on average.
        avg_graph_candidates: f64,
        /// Results that the graph brought, on average.
        avg_graph_expanded_count: f64,
        /// Share of the baseline's results that the graph kept, where both were made.
        overlap: Option<f64>,
        /// Judged questions, and nDCG@10 of the graph minus that of the baseline on them.
        judged: u64,
        /// See `judged`.
        relevance_gain: Option<f64>,
        /// Feedback on results in whose place the graph had a part.
        good_graph: u64,
        /// See `good_graph`.
        bad_graph: u64,
        /// Feedback on other results.
        good_baseline: u64,
        /// See `good_baseline`.
        bad_baseline: u64,
        /// Mean time of an answer without the graph.
        baseline_ms: Option<f64>,
        /// Mean time of an answer with it.
        graph_ms: Option<f64>,
    }

    /// What judged questions came to under both strategies.
    Judged {
        /// Questions.
        queries: usize,
        /// Questions on which the graph failed.
        failed: usize,
        /// nDCG@10 without the graph, on average.
        baseline_ndcg: f64,
        /// nDCG@10 with it.
        graph_ndcg: f64,
        /// Share of what should be found among the first ten, without the graph.
        baseline_recall: f64,
        /// The same with it.
        graph_recall: f64,
        /// Questions on which the graph's order is better.
        better: usize,
        /// Questions on which it is worse.
        worse: usize,
        /// Question by question.
        answers: Vec<JudgedAnswer>,
    }

    /// One judged question.
    JudgedAnswer {
        /// The question.
        query: String,
        /// nDCG@10 without the graph.
        baseline_ndcg: f64,
        /// nDCG@10 with it; `null` if it failed.
        graph_ndcg: Option<f64>,
        /// Share of what should be found among the first ten, without the graph.
        baseline_recall: f64,
        /// The same with it.
        graph_recall: Option<f64>,
    }

    /// What feedback was counted for.
    Feedback {
        /// What was said.
        good: bool,
        /// Piece by piece.
        credited: Vec<Credited>,
    }

    /// One piece of feedback.
    Credited {
        /// Handle of the memory; `null` for the answer as a whole.
        handle: Option<String>,
        /// Id of the memory.
        memory: Option<String>,
        /// The answer that it was taken for; `null` if no kept answer holds the memory.
        answer: Option<String>,
        /// `hybrid_graph` if the graph had a part in the place of the result, else `baseline`.
        strategy: Option<String>,
    }
}

impl From<&Made> for RolloutTrace {
    fn from(made: &Made) -> Self {
        Self {
            id: made.id.clone(),
            mode: made.mode.name().into(),
            requested: made.requested.name().into(),
            applied: made.applied.name().into(),
            selection: made.selection.name().into(),
            fallback_reason: made.fallback.map(|reason| reason.name().into()),
            gate: made.gate.map(|gate| gate.name().into()),
            probe: made.probe,
            shadow_executed: made.shadow,
            baseline_candidates: made.baseline_candidates,
            graph_candidates: made.graph_candidates,
            graph_expanded_count: made.expanded,
        }
    }
}

impl From<&engine::RolloutReport> for Rollout {
    fn from(report: &engine::RolloutReport) -> Self {
        let (plan, standing) = (&report.plan, &report.ledger.standing);
        Self {
            mode: standing.mode.name().into(),
            updated_at: standing.updated_at.map(Into::into),
            updated_by: standing.updated_by.clone(),
            enabled: report.enabled,
            recommended: plan.recommended.name().into(),
            rationale: plan.rationale.clone(),
            gate: (&plan.gate).into(),
            stages: plan.stages.iter().map(Into::into).collect(),
            goals: plan.goals.iter().map(Into::into).collect(),
            ready_windows: plan.streak,
            ready_windows_wanted: plan.streak_wanted,
            autopilot: report.limits.autopilot,
            alarms: report.alarms.iter().map(Into::into).collect(),
            window_hours: report.limits.window_hours,
            windows: report.ledger.windows.iter().rev().map(|w| RolloutWindow::new(w, report.now)).collect(),
            incidents: report.ledger.incidents.iter().map(Into::into).collect(),
        }
    }
}

impl From<&rollout::Gate> for QualityGate {
    fn from(gate: &rollout::Gate) -> Self {
        let reason = |reason: &rollout::Reason| GateReason {
            code: reason.code.into(),
            blocking: reason.blocking,
            value: reason.value,
            limit: reason.limit,
        };
        Self {
            state: gate.state.name().into(),
            since: gate.since.map(Into::into),
            status: gate.verdict.status.name().into(),
            reasons: gate.verdict.reasons.iter().map(reason).collect(),
            probes: gate.probes,
            probes_wanted: gate.probes_wanted,
        }
    }
}

impl From<&rollout::Stage> for RolloutStage {
    fn from(stage: &rollout::Stage) -> Self {
        Self {
            stage: stage.stage.name().into(),
            ready: stage.ready,
            required_samples: stage.required_samples,
            current_samples: stage.current_samples,
            blockers: stage.blockers.iter().map(|code| (*code).into()).collect(),
        }
    }
}

impl From<&rollout::Goal> for RolloutGoal {
    fn from(goal: &rollout::Goal) -> Self {
        Self {
            metric: goal.metric.into(),
            comparator: goal.comparator.into(),
            target: goal.target,
            current: goal.current,
            ready: goal.ready(),
        }
    }
}

impl From<&rollout::Alarm> for Alarm {
    fn from(alarm: &rollout::Alarm) -> Self {
        Self {
            code: alarm.code.into(),
            severity: alarm.severity.name().into(),
            message: alarm.message.clone(),
            triggered_at: alarm.triggered_at.into(),
        }
    }
}

impl From<&rollout::Incident> for Incident {
    fn from(incident: &rollout::Incident) -> Self {
        Self {
            at: incident.at.into(),
            reason: incident.reason.name().into(),
            shadow: incident.shadow,
            message: incident.message.clone(),
        }
    }
}

impl RolloutWindow {
    fn new(window: &rollout::Window, now: griot::model::Timestamp) -> Self {
        let tally = &window.tally;
        let mean = |sum: f64, count: f64| (count > 0.0).then(|| sum / count);
        Self {
            start: window.start.into(),
            end: window.end().into(),
            closed: window.end() <= now,
            requests: tally.requests as u64,
            hybrid_requested: tally.hybrid_requested as u64,
            hybrid_applied: tally.hybrid_applied as u64,
            canary_applied: tally.canary_applied as u64,
            shadow_executions: tally.shadow_executions as u64,
            held: tally.held() as u64,
            graph_errors: tally.graph_errors as u64,
            shadow_errors: tally.shadow_errors as u64,
            error_rate: tally.error_rate(),
            fallback_rate: tally.fallback_rate(),
            coverage: tally.coverage(),
            avg_graph_candidates: tally.mean_graph_candidates(),
            avg_graph_expanded_count: tally.lift(),
            overlap: tally.mean_overlap(),
            judged: tally.judged as u64,
            relevance_gain: tally.relevance_gain(),
            good_graph: tally.good_graph as u64,
            bad_graph: tally.bad_graph as u64,
            good_baseline: tally.good_baseline as u64,
            bad_baseline: tally.bad_baseline as u64,
            baseline_ms: mean(tally.baseline_ms, tally.baseline_timed),
            graph_ms: mean(tally.graph_ms, tally.graph_timed),
        }
    }
}

impl From<&rollout::Judgement> for Judged {
    fn from(judgement: &rollout::Judgement) -> Self {
        let (baseline, graph) = judgement.means();
        let (better, worse) = judgement.better_and_worse();
        let answer = |answer: &rollout::JudgedAnswer| JudgedAnswer {
            query: answer.query.clone(),
            baseline_ndcg: answer.baseline.ndcg,
            graph_ndcg: answer.graph.map(|reached: Relevance| reached.ndcg),
            baseline_recall: answer.baseline.recall,
            graph_recall: answer.graph.map(|reached| reached.recall),
        };
        Self {
            queries: judgement.answers.len(),
            failed: judgement.failed(),
            baseline_ndcg: baseline.ndcg,
            graph_ndcg: graph.ndcg,
            baseline_recall: baseline.recall,
            graph_recall: graph.recall,
            better,
            worse,
            answers: judgement.answers.iter().map(answer).collect(),
        }
    }
}

impl From<&FeedbackTaken> for Feedback {
    fn from(taken: &FeedbackTaken) -> Self {
        let credited = taken.credited.iter().map(|(memory, credited)| Credited {
            handle: memory.as_ref().map(|(_, handle)| handle.to_string()),
            memory: memory.as_ref().map(|(id, _)| id.to_string()),
            answer: credited.answer.clone(),
            strategy: credited.strategy.map(|strategy| strategy.name().into()),
        });
        Self { good: taken.good, credited: credited.collect() }
    }
}

/// What a client sends as feedback: `{"answer": "q-…", "memories": ["#a1b2c3"], "good": true}`; either of the
/// first two may be left out.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(transform = crate::request::forms::feedback)]
#[serde(deny_unknown_fields)]
pub struct FeedbackGiven {
    /// Id of an answer (`rollout.id`).
    #[serde(default)]
    pub answer: Option<String>,
    /// Handles or ids of its results; empty for the answer as a whole. Without an answer, the latest one that
    /// holds each counts.
    #[serde(default)]
    pub memories: Vec<String>,
    /// They helped.
    pub good: bool,
}

impl From<FeedbackGiven> for engine::FeedbackRequest {
    fn from(given: FeedbackGiven) -> Self {
        Self { answer: given.answer, memories: given.memories, good: given.good }
    }
}

/// Why a mode was refused, as an error that tells the way on; `None` if it was set.
pub fn refusal(set: &ModeSet) -> Option<Error> {
    let ModeSet::Refused { mode, reasons, status, window_hours } = set else { return None };
    let why = format!(
        "the quality gate is not open ({}, windows of {window_hours} h): {}",
        status.name(),
        reasons.join(", ")
    );
    let error =
        Error::new(griot::model::ErrorKind::Conflict, format!("set the rollout to `{}`", mode.name()), why);
    Some(error.hint(format!(
        "griot rollout plan says what is missing; griot rollout set {} --force starts anew",
        mode.name()
    )))
}

/// One line, or one element, of a file of judged questions.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgedLine {
    query: String,
    relevant: Vec<String>,
    user: Option<String>,
    project: Option<String>,
}

/// Reads judged questions: JSON Lines, or one array, of `{"query": …, "relevant": [handle, …]}`, with `user`
/// and `project` if the question is asked in a scope.
pub fn judged_queries(text: &str) -> Result<Vec<JudgedQuery>> {
    let refuse = |line: usize, why: String| {
        let what = if line > 0 {
            format!("read line {line} of the judged questions")
        } else {
            "read the judged questions".into()
        };
        Error::invalid(what, why)
            .hint(r##"one object a line: {"query": "why did we move?", "relevant": ["#a1b2c3"]}"##)
    };
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = Vec::new();
    if text.trim_start().starts_with('[') {
        let all: Vec<JudgedLine> =
            serde_json::from_str(text).map_err(|error| refuse(0, error.to_string()))?;
        lines.extend(all.into_iter().map(|line| (0, line)));
    } else {
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let read = serde_json::from_str(line).map_err(|error| refuse(at + 1, error.to_string()))?;
            lines.push((at + 1, read));
        }
    }
    let mut queries = Vec::with_capacity(lines.len());
    for (at, line) in lines {
        if line.query.trim().is_empty() {
            return Err(refuse(at, "the question is empty".into()));
        }
        if line.relevant.is_empty() {
            return Err(refuse(at, format!("`{}` names no memory that should be found", line.query)));
        }
        let scope = Scope { user: line.user, project: line.project };
        queries.push(JudgedQuery { query: line.query, relevant: line.relevant, scope });
    }
    Ok(queries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judged_questions_come_as_lines_or_as_an_array() {
        let lines = "{\"query\": \"a\", \"relevant\": [\"#a1b2c3\"]}\n\n{\"query\": \"b\", \"relevant\": [\"x\"], \"user\": \"ada\"}\n";
        let read = judged_queries(lines).expect("these are lines");
        assert_eq!((read.len(), read[1].scope.user.as_deref()), (2, Some("ada")));
        assert_eq!(
            judged_queries("[{\"query\": \"a\", \"relevant\": [\"#a1b2c3\"]}]").expect("an array"),
            read[..1]
        );
        assert!(judged_queries("").expect("nothing").is_empty());
        for (text, expected) in [
            ("{\"query\": \"a\", \"relevant\": [\"x\"]}\n{", "line 2"),
            ("{\"query\": \" \", \"relevant\": [\"x\"]}", "the question is empty"),
            ("{\"query\": \"a\", \"relevant\": []}", "names no memory"),
            ("{\"query\": \"a\", \"relevant\": [\"x\"], \"colour\": 1}", "colour"),
            ("[1]", "read the judged questions"),
        ] {
            let error = judged_queries(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
