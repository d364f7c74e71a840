//! Decides whether the graph may answer in `canary`, from closed windows only, never from the open one.
//!
//! The gate is a circuit breaker with three states. It is recomputed from the stored windows each time, so no
//! stored state can get stuck. A window with a blocking reason blocks the gate; one window later it is half
//! open: a percentage of the requests probe, the others run the graph in shadow, and both count as evidence.
//! Enough healthy runs open it, unhealthy ones block it again. Requests held back by policy are not evidence.
//!
//! Limits that are not settings use the documented values of memories.sh where it has one: a window contains
//! too few events to tune them by hand.

use super::window::{Tally, Window};
use crate::model::Timestamp;
use crate::settings::RolloutSettings;

/// Runs needed to decide in the half-open state: with the probes of `PROBE_PERCENT` and the shadow runs, five
/// requests suffice.
pub const MIN_PROBES: u64 = 5;
/// Successful runs needed to judge coverage, lift, overlap and time (memories.sh: 12).
pub(super) const MIN_GOOD_RUNS: f64 = 12.0;
/// The most the share of failed requests may rise between windows (memories.sh: 0.07).
const MAX_FALLBACK_RATE_INCREASE: f64 = 0.07;
/// The same for failed graph runs; smaller, because the limit itself is lower.
const MAX_ERROR_RATE_INCREASE: f64 = 0.03;
/// Share of runs that should contribute a result (memories.sh: 0.10).
pub(super) const MIN_COVERAGE: f64 = 0.10;
/// The most that share may fall between windows (memories.sh: 0.25).
const MAX_COVERAGE_DROP: f64 = 0.25;
/// The largest relative drop in results contributed by the graph (memories.sh: 0.35).
const MAX_LIFT_DROP: f64 = 0.35;
/// Labelled questions needed to judge relevance: with fewer, each one moves the mean by more than a fifth.
const MIN_JUDGED: f64 = 5.0;
/// Pieces of feedback on graph results needed to judge them, and the share that may be negative.
const MIN_FEEDBACK: f64 = 10.0;
const MAX_BAD_FEEDBACK: f64 = 0.5;
/// Share of the baseline's results that the graph should keep: a graph that replaces nearly all of them is
/// more likely broken than better.
const MIN_OVERLAP: f64 = 0.2;
/// The largest ratio of the graph's answer time to the baseline's.
const MAX_SLOWDOWN: f64 = 5.0;

named! {
    #[derive(Default)]
    GateState {
        #[default]
        Open = "open",
        /// The graph does not run.
        Blocked = "blocked",
        /// The graph runs and answers a percentage of the requests.
        HalfOpen = "half_open",
    }

    /// The status of a window.
    #[derive(Default)]
    GateStatus {
        Pass = "pass",
        /// Something needs attention; no request is held back for it.
        Warn = "warn",
        Fail = "fail",
        #[default]
        InsufficientData = "insufficient_data",
    }
}

/// A value that exceeds its limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reason {
    pub code: &'static str,
    /// True if users are harmed: the gate blocks. False if the graph merely adds little.
    pub blocking: bool,
    pub value: f64,
    pub limit: f64,
}

/// The problems of one window, compared with the one before.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verdict {
    pub status: GateStatus,
    pub reasons: Vec<Reason>,
}

impl Verdict {
    pub fn blocks(&self) -> bool {
        self.status == GateStatus::Fail
    }

    pub fn codes(&self) -> Vec<&'static str> {
        self.reasons.iter().map(|reason| reason.code).collect()
    }
}

/// Judges a window with at least `samples` runs. `before` is the latest earlier window with as many.
pub fn evaluate(tally: &Tally, before: Option<&Tally>, samples: u64, limits: &RolloutSettings) -> Verdict {
    let samples = samples as f64;
    let ran = tally.runs() >= samples;
    let tried = tally.tries() >= samples;
    let comparable = |t: &Tally| t.good_runs() >= MIN_GOOD_RUNS;
    let before = before.filter(|t| t.runs() >= samples);
    let mut reasons = Vec::new();
    let mut check = |code, blocking, holds: bool, value: f64, limit: f64| {
        if holds {
            reasons.push(Reason { code, blocking, value, limit });
        }
    };
    let (failed, most) = (tally.fallback_rate(), limits.max_fallback_rate);
    check("FALLBACK_RATE_ABOVE_LIMIT", true, tried && failed > most, failed, most);
    let (errors, most) = (tally.error_rate(), limits.max_graph_error_fallback_rate);
    check("GRAPH_ERROR_RATE_ABOVE_LIMIT", true, ran && errors > most, errors, most);
    if let Some(before) = before.filter(|_| ran) {
        let (rise, most) = (failed - before.fallback_rate(), MAX_FALLBACK_RATE_INCREASE);
        check("FALLBACK_RATE_REGRESSION", true, tried && rise > most, rise, most);
        let (rise, most) = (errors - before.error_rate(), MAX_ERROR_RATE_INCREASE);
        check("GRAPH_ERROR_RATE_REGRESSION", true, rise > most, rise, most);
    }
    if let Some(gain) = tally.relevance_gain() {
        let (least, judged) = (-limits.max_relevance_drop, tally.judged >= MIN_JUDGED);
        check("RELEVANCE_REGRESSION", true, judged && gain < least, gain, least);
    }
    let said = tally.good_graph + tally.bad_graph;
    if said >= MIN_FEEDBACK {
        let (bad, most) = (tally.bad_graph / said, MAX_BAD_FEEDBACK);
        check("NEGATIVE_FEEDBACK_ABOVE_LIMIT", true, bad > most, bad, most);
    }
    if comparable(tally) {
        let (coverage, least) = (tally.coverage(), MIN_COVERAGE);
        check("EXPANSION_COVERAGE_TOO_LOW", false, coverage < least, coverage, least);
        if let Some(before) = before.filter(|t| comparable(t)) {
            let (drop, most) = (before.coverage() - coverage, MAX_COVERAGE_DROP);
            check("EXPANSION_COVERAGE_REGRESSION", false, drop > most, drop, most);
            let (lift, most) = (before.lift(), MAX_LIFT_DROP);
            let drop = if lift > 0.0 { 1.0 - tally.lift() / lift } else { 0.0 };
            check("CANDIDATE_LIFT_REGRESSION", false, drop > most, drop, most);
        }
    }
    if let Some(kept) = tally.mean_overlap() {
        let low = tally.compared >= MIN_GOOD_RUNS && kept < MIN_OVERLAP;
        check("SHADOW_OVERLAP_TOO_LOW", false, low, kept, MIN_OVERLAP);
    }
    if let Some(times) = tally.slowdown() {
        let timed = tally.baseline_timed.min(tally.graph_timed) >= MIN_GOOD_RUNS;
        check("LATENCY_ABOVE_LIMIT", false, timed && times > MAX_SLOWDOWN, times, MAX_SLOWDOWN);
    }
    let status = if reasons.iter().any(|reason| reason.blocking) {
        GateStatus::Fail
    } else if !ran {
        GateStatus::InsufficientData
    } else if reasons.is_empty() {
        GateStatus::Pass
    } else {
        GateStatus::Warn
    };
    Verdict { status, reasons }
}

/// The state of the gate in the open window.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gate {
    pub state: GateState,
    /// When the gate entered this state; `None` if it was never blocked.
    pub since: Option<Timestamp>,
    /// The verdict on the last judged window, or the reason why the gate is not open.
    pub verdict: Verdict,
    /// Graph runs since the gate became half open.
    pub probes: u64,
}

impl Gate {
    fn turn(&mut self, state: GateState, at: Timestamp) {
        (self.state, self.since) = (state, Some(at));
    }

    /// A blocked gate stays blocked for one window, even an empty one.
    fn pass_idle(&mut self, from: Timestamp, to: Timestamp, width: i64) {
        if self.state == GateState::Blocked && to > from {
            self.turn(GateState::HalfOpen, Timestamp(from.0.saturating_add(width)));
        }
    }
}

/// Computes the gate from the closed windows, ascending. `open` is the start of the open window.
pub fn gate(closed: &[Window], open: Timestamp, limits: &RolloutSettings) -> Gate {
    let samples = limits.min_hybrid_samples;
    let mut gate = Gate::default();
    // The sum since the gate became half open, and the last window with enough runs.
    let (mut learnt, mut before) = (Tally::default(), None);
    let (mut next, mut width) = (Timestamp(i64::MAX), 0);
    for window in closed {
        gate.pass_idle(next, window.start, window.width);
        match gate.state {
            GateState::Open => {
                gate.verdict = evaluate(&window.tally, before.as_ref(), samples, limits);
                if gate.verdict.blocks() {
                    gate.turn(GateState::Blocked, window.end());
                }
            }
            GateState::Blocked => gate.turn(GateState::HalfOpen, window.end()),
            GateState::HalfOpen => {
                learnt.add(&window.tally);
                if learnt.runs() >= MIN_PROBES as f64 {
                    // Do not compare with the period that blocked the gate.
                    gate.verdict = evaluate(&learnt, None, MIN_PROBES, limits);
                    let blocks = gate.verdict.blocks();
                    gate.turn(if blocks { GateState::Blocked } else { GateState::Open }, window.end());
                    learnt = Tally::default();
                }
            }
        }
        if window.tally.runs() >= samples as f64 {
            before = Some(window.tally);
        }
        (next, width) = (window.end(), window.width);
    }
    gate.pass_idle(next, open, width);
    gate.probes = learnt.runs() as u64;
    gate
}
