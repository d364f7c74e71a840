//! May the graph answer in `canary`? Decided by windows that have ended, never by the one that is open.
//!
//! The gate is a breaker with three states, worked out anew from the kept windows each time, so that there is
//! no stored state that could be stuck. A window with a blocking reason blocks it; after `cooldown_windows`
//! it is half open: a share of the requests probe, the others run behind the baseline's answers, and both
//! teach. Enough healthy runs open it, unhealthy ones block it again. Requests that policy held back are no
//! evidence at all.

use super::window::{Tally, Window};
use crate::model::Timestamp;
use crate::settings::RolloutSettings;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GateState {
    #[default]
    Open,
    /// The graph is not run.
    Blocked,
    /// The graph is run, and answers a share of the requests.
    HalfOpen,
}

impl GateState {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Blocked => "blocked",
            Self::HalfOpen => "half_open",
        }
    }
}

/// What a window says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GateStatus {
    Pass,
    /// Something is worth a look; nothing is held back for it.
    Warn,
    Fail,
    #[default]
    InsufficientData,
}

impl GateStatus {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::InsufficientData => "insufficient_data",
        }
    }
}

/// One thing that is not as it should be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reason {
    pub code: &'static str,
    /// Harm is done: the gate blocks. Otherwise the graph adds little, which hurts nobody.
    pub blocking: bool,
    pub value: f64,
    pub limit: f64,
}

/// What one window, held against the one before, comes to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verdict {
    pub status: GateStatus,
    pub reasons: Vec<Reason>,
}

impl Verdict {
    pub fn blocks(&self) -> bool {
        self.reasons.iter().any(|reason| reason.blocking)
    }

    pub fn codes(&self) -> Vec<&'static str> {
        self.reasons.iter().map(|reason| reason.code).collect()
    }
}

/// Judges a window. `before` is the last earlier window that holds enough runs to be compared with.
pub fn evaluate(tally: &Tally, before: Option<&Tally>, limits: &RolloutSettings) -> Verdict {
    let enough = |t: &Tally| t.runs() >= limits.min_hybrid_samples as f64;
    let before = before.filter(|t| enough(t));
    let mut reasons = Vec::new();
    let mut check = |code, blocking, holds: bool, value: f64, limit: f64| {
        if holds {
            reasons.push(Reason { code, blocking, value, limit });
        }
    };
    let fallback = tally.fallback_rate();
    let tried = tally.tries() >= limits.min_hybrid_samples as f64;
    let most = limits.max_fallback_rate;
    check("FALLBACK_RATE_ABOVE_LIMIT", true, tried && fallback > most, fallback, most);
    let errors = tally.error_rate();
    let most = limits.max_graph_error_fallback_rate;
    check("GRAPH_ERROR_RATE_ABOVE_LIMIT", true, enough(tally) && errors > most, errors, most);
    if let Some(before) = before.filter(|_| enough(tally)) {
        let (rise, most) = (fallback - before.fallback_rate(), limits.max_fallback_rate_increase);
        check("FALLBACK_RATE_REGRESSION", true, tried && rise > most, rise, most);
        let (rise, most) = (errors - before.error_rate(), limits.max_graph_error_rate_increase);
        check("GRAPH_ERROR_RATE_REGRESSION", true, rise > most, rise, most);
    }
    if let Some(gain) = tally.relevance_gain() {
        let least = -limits.max_relevance_drop;
        let judged = tally.judged >= limits.min_judged_queries as f64;
        check("RELEVANCE_REGRESSION", true, judged && gain < least, gain, least);
    }
    let said = tally.good_graph + tally.bad_graph;
    if said > 0.0 && said >= limits.min_feedback as f64 {
        let (bad, most) = (tally.bad_graph / said, limits.max_bad_feedback_rate);
        check("NEGATIVE_FEEDBACK_ABOVE_LIMIT", true, bad > most, bad, most);
    }
    let comparable = |t: &Tally| t.good_runs() >= limits.min_canary_samples_for_relevance as f64;
    if comparable(tally) {
        let (coverage, least) = (tally.coverage(), limits.min_expansion_coverage_rate);
        check("EXPANSION_COVERAGE_TOO_LOW", false, coverage < least, coverage, least);
        if let Some(before) = before.filter(|t| comparable(t)) {
            let (drop, most) = (before.coverage() - coverage, limits.max_expansion_coverage_drop);
            check("EXPANSION_COVERAGE_REGRESSION", false, drop > most, drop, most);
            let (lift, most) = (before.lift(), limits.max_candidate_lift_drop_ratio);
            let drop = if lift > 0.0 { 1.0 - tally.lift() / lift } else { 0.0 };
            check("CANDIDATE_LIFT_REGRESSION", false, drop > most, drop, most);
        }
    }
    if let Some(kept) = tally.mean_overlap() {
        let least = limits.min_overlap;
        let compared = tally.compared >= limits.min_canary_samples_for_relevance as f64;
        check("SHADOW_OVERLAP_TOO_LOW", false, compared && kept < least, kept, least);
    }
    if let Some(times) = tally.slowdown() {
        let most = limits.max_slowdown;
        let timed =
            tally.baseline_timed.min(tally.graph_timed) >= limits.min_canary_samples_for_relevance as f64;
        check("LATENCY_ABOVE_LIMIT", false, timed && times > most, times, most);
    }
    let status = if reasons.iter().any(|reason| reason.blocking) {
        GateStatus::Fail
    } else if !enough(tally) {
        GateStatus::InsufficientData
    } else if reasons.is_empty() {
        GateStatus::Pass
    } else {
        GateStatus::Warn
    };
    Verdict { status, reasons }
}

/// The gate as it stands in the window now open.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gate {
    pub state: GateState,
    /// When it came into this state; `None` if it was never blocked.
    pub since: Option<Timestamp>,
    /// What the last judged window says, or why the gate is not open.
    pub verdict: Verdict,
    /// Runs of the graph since it is half open, and how many it takes.
    pub probes: u64,
    pub probes_wanted: u64,
}

/// Folds the windows that have ended, ascending, into the gate. `open` is the start of the window now open.
pub fn gate(closed: &[Window], open: Timestamp, limits: &RolloutSettings) -> Gate {
    let mut breaker =
        Breaker { limits, gate: Gate::default(), cooling: 0, learnt: Tally::default(), before: None };
    breaker.gate.probes_wanted = limits.min_probes;
    let mut next = closed.first().map_or(open, |window| window.start);
    for window in closed {
        breaker.pass_idle(next, window.start, window.width);
        breaker.close(window);
        next = window.end();
    }
    if let Some(last) = closed.last() {
        breaker.pass_idle(next, open, last.width);
    }
    breaker.gate.probes = breaker.learnt.runs() as u64;
    breaker.gate
}

struct Breaker<'a> {
    limits: &'a RolloutSettings,
    gate: Gate,
    /// Windows for which it stays blocked.
    cooling: u64,
    /// Everything since it is half open.
    learnt: Tally,
    /// The last window with enough runs.
    before: Option<Tally>,
}

impl Breaker<'_> {
    /// Windows in which nothing was counted: time that passes.
    fn pass_idle(&mut self, from: Timestamp, to: Timestamp, width: i64) {
        let idle = (to.0.saturating_sub(from.0) / width.max(1)).max(0) as u64;
        if self.gate.state == GateState::Blocked && idle > 0 {
            let passed = idle.min(self.cooling);
            self.cooling -= passed;
            if self.cooling == 0 {
                self.half_open(Timestamp(from.0.saturating_add(width.saturating_mul(passed as i64))));
            }
        }
    }

    fn close(&mut self, window: &Window) {
        match self.gate.state {
            GateState::Open => {
                let verdict = evaluate(&window.tally, self.before.as_ref(), self.limits);
                if verdict.blocks() {
                    self.block(window.end(), verdict);
                } else {
                    self.gate.verdict = verdict;
                }
            }
            GateState::Blocked => {
                self.cooling = self.cooling.saturating_sub(1);
                if self.cooling == 0 {
                    self.half_open(window.end());
                }
            }
            GateState::HalfOpen => {
                self.learnt.add(&window.tally);
                if self.learnt.runs() >= self.limits.min_probes as f64 {
                    // A handful of probes is enough to judge by, and nothing is compared with the time that
                    // led here.
                    let wanted = self.limits.min_probes;
                    let few = RolloutSettings { min_hybrid_samples: wanted, ..self.limits.clone() };
                    let verdict = evaluate(&self.learnt, None, &few);
                    if verdict.blocks() {
                        self.block(window.end(), verdict);
                    } else {
                        self.learnt = Tally::default();
                        self.gate = Gate {
                            state: GateState::Open,
                            since: Some(window.end()),
                            verdict,
                            probes: 0,
                            probes_wanted: wanted,
                        };
                    }
                }
            }
        }
        if window.tally.runs() >= self.limits.min_hybrid_samples as f64 {
            self.before = Some(window.tally);
        }
    }

    fn block(&mut self, at: Timestamp, verdict: Verdict) {
        self.cooling = self.limits.cooldown_windows.max(1);
        self.learnt = Tally::default();
        self.gate = Gate { state: GateState::Blocked, since: Some(at), verdict, ..self.gate.clone() };
    }

    fn half_open(&mut self, at: Timestamp) {
        self.gate.state = GateState::HalfOpen;
        self.gate.since = Some(at);
    }
}
