//! The state of the graph's rollout, results of judged questions, and how feedback was counted.

use griot::engine::{FeedbackTaken, ModeRefused};
use griot::model::{Error, ErrorKind, Handle, MemoryId, Result, Scope, Timestamp};
use griot::rollout::{self, JudgedQuery, Made, Report};

use crate::Time;

objects! {
    /// The requested and the applied strategy, and why.
    RolloutTrace of (made: &Made) {
        /// Names this answer for `feedback`, such as `q-3f2a90c1d4e5`.
        id: String = made.id.clone(),
        /// `off`, `shadow`, `canary` or `on`.
        mode: String = made.mode.name().into(),
        /// `baseline` or `hybrid_graph`.
        requested: String = made.requested.name().into(),
        /// `baseline` or `hybrid_graph`.
        applied: String = made.applied.name().into(),
        /// Who chose what is requested: `request` or `policy_default`.
        selection: String = made.selection.name().into(),
        /// Why the graph was requested and not applied: `feature_flag_disabled`, `rollout_off`,
        /// `shadow_mode`, `quality_gate_blocked`, `graph_expansion_error` or `rollout_guardrail`.
        fallback_reason: Option<String> = made.fallback.map(|reason| reason.name().into()),
        /// In `canary`: `open`, `blocked` or `half_open`.
        gate: Option<String> = made.gate.map(|gate| gate.name().into()),
        /// Whether a half-open gate let this request through.
        probe: bool = made.probe,
        /// Whether the graph ran without affecting this answer.
        shadow_executed: bool = made.shadow,
        /// Memories that the baseline scored.
        baseline_candidates: usize = made.baseline_candidates,
        /// Memories that the walk over the graph reached.
        graph_candidates: usize = made.graph_candidates,
        /// Results at the end of a path over the graph.
        graph_expanded_count: usize = made.expanded,
    }

    /// The state of the graph's rollout.
    Rollout of (report: &Report) {
        /// `off`, `shadow`, `canary` or `on`.
        mode: String = report.mode().name().into(),
        /// When it was set; `null` if never.
        updated_at: Option<Time> = report.ledger.standing.updated_at.map(Into::into),
        /// Who chose it.
        updated_by: Option<String> = report.ledger.standing.updated_by.clone(),
        /// The setting `recall.graph`.
        enabled: bool = report.enabled,
        /// The recommended next step.
        recommended: String = report.recommended.name().into(),
        /// Why.
        rationale: String = report.rationale.clone(),
        /// The quality gate, which decides whether the graph may answer in `canary`.
        gate: QualityGate = QualityGate::of(&report.gate),
        /// The stages towards `on`.
        stages: Vec<RolloutStage> = report.stages.iter().map(RolloutStage::of).collect(),
        /// Measured values of the last closed window, and where they should be.
        goals: Vec<RolloutGoal> = report.goals.iter().map(RolloutGoal::of).collect(),
        /// Closed windows in a row that were ready for the next stage.
        ready_windows: u64 = report.streak,
        /// Number of such windows that a step requires.
        ready_windows_wanted: u64 = rollout::READY_WINDOWS,
        /// Always false: a person sets the mode.
        autopilot: bool = false,
        /// Alarms that need attention, worst first.
        alarms: Vec<Alarm> = report.alarms.iter().map(|alarm| Alarm::of(alarm, report.now)).collect(),
        /// Width of a window.
        window_hours: f64 = report.limits.window_hours,
        /// Counters per window, latest first; the first may still be open.
        windows: Vec<RolloutWindow> =
            report.ledger.windows.iter().rev().map(|window| RolloutWindow::of(window, report.now)).collect(),
        /// Failures of the graph, latest first.
        incidents: Vec<Incident> = report.ledger.incidents.iter().map(Incident::of).collect(),
    }

    /// The gate, judged by windows that have ended.
    QualityGate of (gate: &rollout::Gate) {
        /// `open`, `blocked` or `half_open`.
        state: String = gate.state.name().into(),
        /// Time of the last change of state; `null` if it was never blocked.
        since: Option<Time> = gate.since.map(Into::into),
        /// `pass`, `warn`, `fail` or `insufficient_data`.
        status: String = gate.verdict.status.name().into(),
        /// The reasons.
        reasons: Vec<GateReason> = gate.verdict.reasons.iter().map(GateReason::of).collect(),
        /// Runs of the graph since it became half open.
        probes: u64 = gate.probes,
        /// Runs after which it decides.
        probes_wanted: u64 = rollout::MIN_PROBES,
    }

    /// One reason for a verdict of the gate.
    GateReason of (reason: &rollout::Reason) {
        /// Such as `GRAPH_ERROR_RATE_ABOVE_LIMIT`.
        code: String = reason.code.into(),
        /// It blocks the gate; otherwise it is a warning.
        blocking: bool = reason.blocking,
        /// What was measured.
        value: f64 = reason.value,
        /// Where it should stay.
        limit: f64 = reason.limit,
    }

    /// One stage on the way to `on`.
    RolloutStage of (stage: &rollout::Stage) {
        /// `shadow`, `canary` or `default_on`.
        stage: String = stage.name.into(),
        /// Whether it may be entered.
        ready: bool = stage.ready(),
        /// Required number of runs.
        required_samples: u64 = stage.required_samples,
        /// Number of runs so far.
        current_samples: u64 = stage.current_samples,
        /// What is missing, such as `MIN_SHADOW_EXECUTIONS_NOT_MET`.
        blockers: Vec<String> = codes(&stage.blockers),
    }

    /// One measured value and where it should be.
    RolloutGoal of (goal: &rollout::Goal) {
        /// What is measured.
        metric: String = goal.metric.into(),
        /// `>=` or `<=`.
        comparator: String = goal.comparator.into(),
        /// Where it should be.
        target: f64 = goal.target,
        /// Where it is.
        current: f64 = goal.current,
        /// Met.
        ready: bool = goal.ready(),
    }

    /// An alarm that needs attention.
    Alarm of (alarm: &rollout::Alarm, now: Timestamp) {
        /// Such as `HIGH_FALLBACK_RATE`.
        code: String = alarm.code.into(),
        /// `info`, `warning` or `critical`.
        severity: String = alarm.severity.name().into(),
        /// In words.
        message: String = alarm.message.clone(),
        /// When it was seen.
        triggered_at: Time = now.into(),
    }

    /// A failure of the graph.
    Incident of (incident: &rollout::Incident) {
        /// When.
        at: Time = incident.at.into(),
        /// `graph_expansion_error` or `rollout_guardrail`.
        reason: String = incident.reason.name().into(),
        /// Whether the graph ran in shadow only, for measurements.
        shadow: bool = incident.shadow,
        /// In words.
        message: String = incident.message.clone(),
    }

    /// What was counted in a window.
    RolloutWindow of (window: &rollout::Window, now: Timestamp) {
        /// Its first moment.
        start: Time = window.start.into(),
        /// The first moment after it.
        end: Time = window.end().into(),
        /// Whether it has ended.
        closed: bool = window.end() <= now,
        /// Answered recalls.
        requests: u64 = window.tally.requests as u64,
        /// Of those, the graph was asked for.
        hybrid_requested: u64 = window.tally.hybrid_requested as u64,
        /// Of those, it was applied.
        hybrid_applied: u64 = window.tally.hybrid_applied as u64,
        /// Of those, in `canary`.
        canary_applied: u64 = window.tally.canary_applied as u64,
        /// Runs of the graph in shadow, while the baseline answered.
        shadow_executions: u64 = window.tally.shadow_executions as u64,
        /// Requests not applied because of the mode, the gate or a setting; these are not failures.
        held: u64 = window.tally.held() as u64,
        /// Failures of the graph when it should have answered.
        graph_errors: u64 = window.tally.graph_errors as u64,
        /// Failures of the graph in shadow.
        shadow_errors: u64 = window.tally.shadow_errors as u64,
        /// Share of the runs of the graph that failed.
        error_rate: f64 = window.tally.error_rate(),
        /// Share of the requests for the graph that failed, without those held back.
        fallback_rate: f64 = window.tally.fallback_rate(),
        /// Share of the runs that contributed a result.
        coverage: f64 = window.tally.coverage(),
        /// Memories that the walk reached, on average.
        avg_graph_candidates: f64 = window.tally.mean_graph_candidates(),
        /// Results contributed by the graph, on average.
        avg_graph_expanded_count: f64 = window.tally.lift(),
        /// Share of the baseline's results that the graph kept, where both were made.
        overlap: Option<f64> = window.tally.mean_overlap(),
        /// Judged questions, and nDCG@10 of the graph minus that of the baseline on them.
        judged: u64 = window.tally.judged as u64,
        /// See `judged`.
        relevance_gain: Option<f64> = window.tally.relevance_gain(),
        /// Feedback on results whose rank the graph influenced.
        good_graph: u64 = window.tally.good_graph as u64,
        /// See `good_graph`.
        bad_graph: u64 = window.tally.bad_graph as u64,
        /// Feedback on other results.
        good_baseline: u64 = window.tally.good_baseline as u64,
        /// See `good_baseline`.
        bad_baseline: u64 = window.tally.bad_baseline as u64,
        /// Mean time of an answer without the graph.
        baseline_ms: Option<f64> = mean(window.tally.baseline_ms, window.tally.baseline_timed),
        /// Mean time of an answer with it.
        graph_ms: Option<f64> = mean(window.tally.graph_ms, window.tally.graph_timed),
    }

    /// Results of judged questions under both strategies.
    Judged of (judgement: &rollout::Judgement) {
        /// Questions.
        queries: usize = judgement.answers.len(),
        /// Questions on which the graph failed.
        failed: usize = judgement.failed(),
        /// nDCG@10 without the graph, on average.
        baseline_ndcg: f64 = judgement.means().0.ndcg,
        /// nDCG@10 with it.
        graph_ndcg: f64 = judgement.means().1.ndcg,
        /// Recall@10 without the graph.
        baseline_recall: f64 = judgement.means().0.recall,
        /// The same with it.
        graph_recall: f64 = judgement.means().1.recall,
        /// Questions on which the graph's order is better.
        better: usize = judgement.better_and_worse().0,
        /// Questions on which it is worse.
        worse: usize = judgement.better_and_worse().1,
        /// Question by question.
        answers: Vec<JudgedAnswer> = judgement.answers.iter().map(JudgedAnswer::of).collect(),
    }

    /// One judged question.
    JudgedAnswer of (answer: &rollout::JudgedAnswer) {
        /// The question.
        query: String = answer.query.clone(),
        /// nDCG@10 without the graph.
        baseline_ndcg: f64 = answer.baseline.ndcg,
        /// nDCG@10 with it; `null` if it failed.
        graph_ndcg: Option<f64> = answer.graph.map(|reached| reached.ndcg),
        /// Recall@10 without the graph.
        baseline_recall: f64 = answer.baseline.recall,
        /// The same with it.
        graph_recall: Option<f64> = answer.graph.map(|reached| reached.recall),
    }

    /// How feedback was counted.
    Feedback of (taken: &FeedbackTaken) {
        /// The given rating.
        good: bool = taken.good,
        /// Piece by piece.
        credited: Vec<Credited> =
            taken.credited.iter().map(|(memory, credited)| Credited::of(memory, credited)).collect(),
    }

    /// One piece of feedback.
    Credited of (named: &Option<(MemoryId, Handle)>, credited: &rollout::Credited) {
        /// Handle of the memory; `null` for the answer as a whole.
        handle: Option<String> = named.as_ref().map(|(_, handle)| handle.to_string()),
        /// Id of the memory.
        memory: Option<String> = named.as_ref().map(|(id, _)| id.to_string()),
        /// The answer it was counted for; `null` if no recorded answer contains the memory.
        answer: Option<String> = credited.answer.clone(),
        /// `hybrid_graph` if the graph influenced the rank of the result, else `baseline`.
        strategy: Option<String> = credited.strategy.map(|strategy| strategy.name().into()),
    }
}

pub(crate) fn codes(codes: &[&'static str]) -> Vec<String> {
    codes.iter().map(|code| (*code).to_string()).collect()
}

/// `None` where nothing was counted.
fn mean(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}

/// Feedback as a client sends it: `{"answer": "q-…", "memories": ["#a1b2c3"], "good": true}`; one of the
/// first two may be left out.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(transform = crate::request::forms::feedback)]
#[serde(deny_unknown_fields)]
pub struct FeedbackGiven {
    /// Id of an answer (`rollout.id`).
    #[serde(default)]
    pub answer: Option<String>,
    /// Handles or ids of its results; empty rates the whole answer. If no answer is given, each result counts
    /// for the latest answer that contains it.
    #[serde(default)]
    pub memories: Vec<String>,
    /// Whether they helped.
    pub good: bool,
}

/// The error of a mode that was refused.
pub fn refusal(refused: &ModeRefused) -> Error {
    let (mode, status) = (refused.mode.name(), refused.status.name());
    let (hours, reasons) = (refused.window_hours, refused.reasons.join(", "));
    let why = format!("the quality gate is not open ({status}, windows of {hours} h): {reasons}");
    Error::new(ErrorKind::Conflict, format!("set the rollout to `{mode}`"), why).hint(format!(
        "griot rollout plan says what is missing; griot rollout set {mode} --force starts anew"
    ))
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
        let what = match line {
            0 => "read the judged questions".into(),
            line => format!("read line {line} of the judged questions"),
        };
        Error::invalid(what, why)
            .hint(r##"one object a line: {"query": "why did we move?", "relevant": ["#a1b2c3"]}"##)
    };
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<(usize, serde_json::Result<Vec<JudgedLine>>)> = if text.trim_start().starts_with('[') {
        vec![(0, serde_json::from_str(text))]
    } else {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(at, line)| (at, serde_json::from_str(line).map(|line| vec![line]))).collect()
    };
    let mut queries = Vec::new();
    for (at, lines) in lines {
        for JudgedLine { query, relevant, user, project } in
            lines.map_err(|error| refuse(at, error.to_string()))?
        {
            if query.trim().is_empty() {
                return Err(refuse(at, "the question is empty".into()));
            }
            if relevant.is_empty() {
                return Err(refuse(at, format!("`{query}` names no memory that should be found")));
            }
            queries.push(JudgedQuery { query, relevant, scope: Scope { user, project } });
        }
    }
    Ok(queries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judged_questions_come_as_lines_or_as_an_array() {
        let lines = "{\"query\": \"a\", \"relevant\": [\"#a1b2c3\"]}\n\n\
            {\"query\": \"b\", \"relevant\": [\"x\"], \"user\": \"ada\"}\n";
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
