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
use super::{GateState, GateStatus};
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
    let has_samples = |count: f64| count >= samples as f64;
    let (ran, tried) = (has_samples(tally.runs()), has_samples(tally.tries()));
    let before = before.filter(|before| has_samples(before.runs()));
    let rise = |rate: fn(&Tally) -> f64| before.map_or(0.0, |before| rate(tally) - rate(before));
    let is_comparable = |tally: &Tally| tally.good_runs() >= MIN_GOOD_RUNS;
    let compared = is_comparable(tally) && before.is_some_and(is_comparable);
    let lift = before.map_or(0.0, Tally::lift);
    let lift_drop = if lift > 0.0 { 1.0 - tally.lift() / lift } else { 0.0 };
    let said = tally.good_graph + tally.bad_graph;
    let disliked = tally.bad_graph / said;
    let (more_failed, more_errors) = (rise(Tally::fallback_rate), rise(Tally::error_rate));
    let timed = tally.baseline_timed.min(tally.graph_timed);

    let reason = |code, blocking, value, limit| Reason { code, blocking, value, limit };
    let above = |code, blocking, counts: bool, value: f64, limit: f64| {
        (counts && value > limit).then_some(reason(code, blocking, value, limit))
    };
    let below = |code, blocking, counts: bool, value: f64, limit: f64| {
        (counts && value < limit).then_some(reason(code, blocking, value, limit))
    };
    let (failed, errors, covered) = (tally.fallback_rate(), tally.error_rate(), tally.coverage());
    let (gain, kept) = (tally.relevance_gain().unwrap_or(0.0), tally.mean_overlap().unwrap_or(1.0));
    let (worst_gain, times) = (-limits.max_relevance_drop, tally.slowdown().unwrap_or(0.0));
    let reasons = [
        above("FALLBACK_RATE_ABOVE_LIMIT", true, tried, failed, limits.max_fallback_rate),
        above("GRAPH_ERROR_RATE_ABOVE_LIMIT", true, ran, errors, limits.max_graph_error_fallback_rate),
        above("FALLBACK_RATE_REGRESSION", true, ran && tried, more_failed, MAX_FALLBACK_RATE_INCREASE),
        above("GRAPH_ERROR_RATE_REGRESSION", true, ran, more_errors, MAX_ERROR_RATE_INCREASE),
        below("RELEVANCE_REGRESSION", true, tally.judged >= MIN_JUDGED, gain, worst_gain),
        above("NEGATIVE_FEEDBACK_ABOVE_LIMIT", true, said >= MIN_FEEDBACK, disliked, MAX_BAD_FEEDBACK),
        below("EXPANSION_COVERAGE_TOO_LOW", false, is_comparable(tally), covered, MIN_COVERAGE),
        above("EXPANSION_COVERAGE_REGRESSION", false, compared, -rise(Tally::coverage), MAX_COVERAGE_DROP),
        above("CANDIDATE_LIFT_REGRESSION", false, compared, lift_drop, MAX_LIFT_DROP),
        below("SHADOW_OVERLAP_TOO_LOW", false, tally.compared >= MIN_GOOD_RUNS, kept, MIN_OVERLAP),
        above("LATENCY_ABOVE_LIMIT", false, timed >= MIN_GOOD_RUNS, times, MAX_SLOWDOWN),
    ];
    let reasons: Vec<Reason> = reasons.into_iter().flatten().collect();
    let status = match reasons.iter().map(|reason| reason.blocking).max() {
        Some(true) => GateStatus::Fail,
        _ if !ran => GateStatus::InsufficientData,
        Some(false) => GateStatus::Warn,
        None => GateStatus::Pass,
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
