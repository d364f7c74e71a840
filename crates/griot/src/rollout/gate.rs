//! May the graph answer in `canary`? Decided by windows that have ended, never by the one that is open.
//!
//! The gate is a circuit breaker with three states, computed from the kept windows each time, so that there is no
//! stored state that could get stuck. A window with a blocking reason blocks it; one window later it is half open:
//! a share of the requests probe, the graph runs in shadow behind the others, and both are evidence. Enough healthy
//! runs open it, unhealthy ones block it again. Requests that policy held back are no evidence at all.
//!
//! Limits that are no settings have memories.sh's values where it documents one: a window has too few events for a
//! person to tune them by.

use super::window::{Tally, Window};
use crate::model::Timestamp;
use crate::settings::RolloutSettings;

/// Runs from which a half open gate decides: with `PROBE_PERCENT` and the runs in shadow, five requests are enough.
pub const MIN_PROBES: u64 = 5;
/// Good runs from which coverage, lift, overlap and time are judged (memories.sh: 12).
pub(super) const MIN_GOOD_RUNS: f64 = 12.0;
/// How far the share of failed requests may rise from one window to the next (memories.sh: 0.07).
const MAX_FALLBACK_RATE_INCREASE: f64 = 0.07;
/// The same for failed runs of the graph: less, because the limit itself is lower.
const MAX_ERROR_RATE_INCREASE: f64 = 0.03;
/// Share of the runs that should bring a result (memories.sh: 0.10).
pub(super) const MIN_COVERAGE: f64 = 0.10;
/// How far that share may fall from one window to the next (memories.sh: 0.25).
const MAX_COVERAGE_DROP: f64 = 0.25;
/// By what share the results that the graph brings may become fewer (memories.sh: 0.35).
const MAX_LIFT_DROP: f64 = 0.35;
/// Judged questions from which relevance is judged: fewer move the mean by a fifth each.
const MIN_JUDGED: f64 = 5.0;
/// Pieces of feedback on results of the graph from which they are judged, and the share that may be bad.
const MIN_FEEDBACK: f64 = 10.0;
const MAX_BAD_FEEDBACK: f64 = 0.5;
/// Share of the baseline's results that the graph should keep: a graph that replaces nearly all of them is more
/// likely broken than better.
const MIN_OVERLAP: f64 = 0.2;
/// How many times the baseline's time an answer with the graph may take.
const MAX_SLOWDOWN: f64 = 5.0;

named! {
    #[derive(Default)]
    GateState {
        #[default]
        Open = "open",
        /// The graph is not run.
        Blocked = "blocked",
        /// The graph is run, and answers a share of the requests.
        HalfOpen = "half_open",
    }

    /// The verdict on a window.
    #[derive(Default)]
    GateStatus {
        Pass = "pass",
        /// Something is worth a look; nothing is held back for it.
        Warn = "warn",
        Fail = "fail",
        #[default]
        InsufficientData = "insufficient_data",
    }
}

/// One value beyond its limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reason {
    pub code: &'static str,
    /// Users are harmed: the gate blocks. Otherwise the graph adds little, which hurts nobody.
    pub blocking: bool,
    pub value: f64,
    pub limit: f64,
}

/// What is wrong with one window, compared with the one before.
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

/// Judges a window of at least `samples` runs. `before` is the last earlier window that has as many.
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

/// The gate in the window now open.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gate {
    pub state: GateState,
    /// When it came into this state; `None` if it was never blocked.
    pub since: Option<Timestamp>,
    /// The verdict on the last judged window, or why the gate is not open.
    pub verdict: Verdict,
    /// Runs of the graph since it is half open.
    pub probes: u64,
}

impl Gate {
    fn turn(&mut self, state: GateState, at: Timestamp) {
        (self.state, self.since) = (state, Some(at));
    }

    /// A blocked gate stays blocked for one window, whether or not anything was counted in it.
    fn pass_idle(&mut self, from: Timestamp, to: Timestamp, width: i64) {
        if self.state == GateState::Blocked && to > from {
            self.turn(GateState::HalfOpen, Timestamp(from.0.saturating_add(width)));
        }
    }
}

/// Folds the windows that have ended, ascending, into the gate. `open` is the start of the window now open.
pub fn gate(closed: &[Window], open: Timestamp, limits: &RolloutSettings) -> Gate {
    let samples = limits.min_hybrid_samples;
    let mut gate = Gate::default();
    // Everything since the gate is half open, and the last window with enough runs.
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
                    // Nothing is compared with the time that led here.
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
