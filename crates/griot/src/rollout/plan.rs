//! Which mode is next, what is missing for it, and the one step that the autopilot may take.

use super::window::{Tally, Window};
use super::{Gate, GateState, GateStatus, Ledger, Mode, closed_before, evaluate, gate, window_start};
use crate::model::Timestamp;
use crate::settings::RolloutSettings;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageName {
    Shadow,
    Canary,
    DefaultOn,
}

impl StageName {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shadow => "shadow",
            Self::Canary => "canary",
            Self::DefaultOn => "default_on",
        }
    }
}

pub type Blocker = &'static str;

/// One stage on the way to `on`: whether the workspace may enter it.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    pub stage: StageName,
    pub ready: bool,
    pub required_samples: u64,
    pub current_samples: u64,
    pub blockers: Vec<Blocker>,
}

/// One measured value and where it should be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    pub metric: &'static str,
    /// `>=` or `<=`.
    pub comparator: &'static str,
    pub target: f64,
    pub current: f64,
}

impl Goal {
    pub fn ready(&self) -> bool {
        if self.comparator == ">=" { self.current >= self.target } else { self.current <= self.target }
    }

    /// 0 where the goal is met.
    pub fn gap(&self) -> f64 {
        if self.ready() { 0.0 } else { (self.target - self.current).abs() }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    pub evaluated_at: Timestamp,
    pub current: Mode,
    pub recommended: Mode,
    pub rationale: String,
    pub stages: [Stage; 3],
    pub goals: Vec<Goal>,
    /// Closed windows in a row, since the mode was set, that were ready for the next stage.
    pub streak: u64,
    /// How many the autopilot waits for.
    pub streak_wanted: u64,
    pub gate: Gate,
    /// The window that the plan looks at: the last that has ended with a run of the graph.
    pub window: Option<Window>,
    pub before: Option<Window>,
}

impl Plan {
    pub fn stage(&self, name: StageName) -> &Stage {
        &self.stages[name as usize]
    }

    pub fn ready_for_default(&self) -> bool {
        self.stage(StageName::DefaultOn).ready
    }
}

/// Reads the windows that have ended.
pub fn plan(ledger: &Ledger, now: Timestamp, limits: &RolloutSettings) -> Plan {
    let standing = &ledger.standing;
    let width = limits.window_ms();
    let closed = closed_before(&ledger.windows, now, standing.evidence_from);
    let gate = gate(&closed, window_start(now, width), limits);
    let ran: Vec<&Window> = closed.iter().filter(|w| w.tally.runs() > 0.0).collect();
    let window = ran.last().map(|w| **w);
    let before = ran.iter().rev().nth(1).map(|w| **w);
    let tally = window.map(|w| w.tally).unwrap_or_default();

    let canary = canary_blockers(&tally, &gate, limits);
    let default_on = default_blockers(&tally, &gate, limits);
    let stages = [
        Stage {
            stage: StageName::Shadow,
            ready: true,
            required_samples: 0,
            current_samples: tally.shadow_executions as u64,
            blockers: Vec::new(),
        },
        Stage {
            stage: StageName::Canary,
            ready: canary.is_empty(),
            required_samples: limits.min_shadow_executions,
            current_samples: tally.shadow_executions as u64,
            blockers: canary,
        },
        Stage {
            stage: StageName::DefaultOn,
            ready: default_on.is_empty(),
            required_samples: limits.min_hybrid_samples,
            current_samples: tally.runs() as u64,
            blockers: default_on,
        },
    ];
    let goals = goals(&tally, limits);
    let streak = streak(&closed, standing.mode, standing.updated_at, limits);
    let (recommended, rationale) = recommend(standing.mode, &stages, &gate);
    Plan {
        evaluated_at: now,
        current: standing.mode,
        recommended,
        rationale,
        stages,
        goals,
        streak,
        streak_wanted: limits.autopilot_windows,
        gate,
        window,
        before,
    }
}

fn canary_blockers(tally: &Tally, gate: &Gate, limits: &RolloutSettings) -> Vec<Blocker> {
    let mut blockers = Vec::new();
    let mut block = |holds: bool, code| {
        if holds {
            blockers.push(code);
        }
    };
    block(tally.shadow_executions < limits.min_shadow_executions as f64, "MIN_SHADOW_EXECUTIONS_NOT_MET");
    block(tally.mean_graph_candidates() < limits.min_graph_candidates, "SHADOW_GRAPH_CANDIDATES_TOO_LOW");
    block(tally.error_rate() > limits.max_graph_error_fallback_rate, "SHADOW_GRAPH_ERROR_RATE_ABOVE_LIMIT");
    block(gate.state != GateState::Open, "CANARY_QUALITY_GATE_BLOCKED");
    blockers
}

fn default_blockers(tally: &Tally, gate: &Gate, limits: &RolloutSettings) -> Vec<Blocker> {
    let mut blockers = Vec::new();
    let mut block = |holds: bool, code| {
        if holds {
            blockers.push(code);
        }
    };
    block(tally.hybrid_applied < limits.min_hybrid_samples as f64, "MIN_HYBRID_SAMPLES_NOT_MET");
    block(
        tally.canary_applied < limits.min_canary_samples_for_relevance as f64,
        "MIN_CANARY_SAMPLES_NOT_MET",
    );
    block(tally.fallback_rate() > limits.max_fallback_rate, "FALLBACK_RATE_ABOVE_LIMIT");
    block(tally.error_rate() > limits.max_graph_error_fallback_rate, "GRAPH_ERROR_RATE_ABOVE_LIMIT");
    block(tally.coverage() < limits.min_expansion_coverage_rate, "EXPANSION_COVERAGE_TOO_LOW");
    block(gate.state != GateState::Open, "CANARY_QUALITY_GATE_BLOCKED");
    block(gate.verdict.status == GateStatus::InsufficientData, "QUALITY_STATUS_INSUFFICIENT_DATA");
    block(gate.verdict.status == GateStatus::Fail, "QUALITY_STATUS_FAIL");
    blockers
}

fn goals(tally: &Tally, limits: &RolloutSettings) -> Vec<Goal> {
    let at_least = |metric, target, current| Goal { metric, comparator: ">=", target, current };
    let at_most = |metric, target, current| Goal { metric, comparator: "<=", target, current };
    vec![
        at_least("shadow_executions", limits.min_shadow_executions as f64, tally.shadow_executions),
        at_least("avg_graph_candidates", limits.min_graph_candidates, tally.mean_graph_candidates()),
        at_least("hybrid_samples", limits.min_hybrid_samples as f64, tally.hybrid_applied),
        at_least("canary_samples", limits.min_canary_samples_for_relevance as f64, tally.canary_applied),
        at_most("fallback_rate", limits.max_fallback_rate, tally.fallback_rate()),
        at_most("graph_error_rate", limits.max_graph_error_fallback_rate, tally.error_rate()),
        at_least("expansion_coverage_rate", limits.min_expansion_coverage_rate, tally.coverage()),
    ]
}

fn recommend(mode: Mode, stages: &[Stage; 3], gate: &Gate) -> (Mode, String) {
    let missing = |stage: &Stage| stage.blockers.join(", ");
    match mode {
        Mode::Off => {
            (Mode::Shadow, "the graph runs behind the baseline's answers, so nothing is risked".into())
        }
        Mode::Shadow if stages[1].ready => {
            (Mode::Canary, "the graph ran often enough and well in shadow".into())
        }
        Mode::Shadow => (Mode::Shadow, format!("canary waits for: {}", missing(&stages[1]))),
        Mode::Canary if stages[2].ready => {
            (Mode::On, "the canary's answers are as good as the baseline's or better".into())
        }
        Mode::Canary => (Mode::Canary, format!("on waits for: {}", missing(&stages[2]))),
        Mode::On if gate.state == GateState::Open => (Mode::On, "nothing speaks against it".into()),
        Mode::On => {
            (Mode::Canary, format!("the gate is {}: {}", gate.state.name(), gate.verdict.codes().join(", ")))
        }
    }
}

/// Closed windows in a row at the end, since the mode was set, that were ready for the next stage. Windows
/// without a request neither count nor break it.
fn streak(closed: &[Window], mode: Mode, since: Option<Timestamp>, limits: &RolloutSettings) -> u64 {
    let since = since.unwrap_or(Timestamp(i64::MIN));
    let asked: Vec<&Window> = closed.iter().filter(|w| w.start >= since && w.tally.requests > 0.0).collect();
    let mut streak = 0;
    for (position, window) in asked.iter().enumerate() {
        let before = position.checked_sub(1).map(|at| &asked[at].tally);
        let alone = Gate { verdict: evaluate(&window.tally, before, limits), ..Gate::default() };
        let ready = match mode {
            Mode::Off | Mode::On => false,
            _ if alone.verdict.blocks() => false,
            Mode::Shadow => canary_blockers(&window.tally, &alone, limits).is_empty(),
            Mode::Canary => default_blockers(&window.tally, &alone, limits).is_empty(),
        };
        streak = if ready { streak + 1 } else { 0 };
    }
    streak
}

/// Why a mode is not taken: the gate is not open and the mode would let the graph answer more than now.
pub fn refusal(plan: &Plan, wanted: Mode) -> Option<Vec<&'static str>> {
    let up = wanted > plan.current && wanted >= Mode::Canary;
    (up && plan.gate.state != GateState::Open && plan.gate.verdict.blocks())
        .then(|| plan.gate.verdict.codes())
}

/// A step of the autopilot: at most one stage, on the evidence of closed windows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Autopilot {
    pub mode: Mode,
    pub why: String,
}

/// What the autopilot does now. It never leaves `off`, which a person chose.
pub fn autopilot(plan: &Plan, since: Option<Timestamp>, limits: &RolloutSettings) -> Option<Autopilot> {
    if !limits.autopilot {
        return None;
    }
    // A window that ended before the mode was set says nothing about it.
    let fresh = |at: Option<Timestamp>| at.is_some_and(|at| since.is_none_or(|since| at > since));
    let critical = plan.gate.state == GateState::Blocked && fresh(plan.gate.since);
    let enough = plan.streak >= plan.streak_wanted.max(1);
    let step = |mode, why: String| Some(Autopilot { mode, why });
    match plan.current {
        Mode::On if critical => step(Mode::Canary, plan.gate.verdict.codes().join(", ")),
        Mode::Canary if critical => step(Mode::Shadow, plan.gate.verdict.codes().join(", ")),
        Mode::Shadow if enough && plan.gate.state == GateState::Open => {
            step(Mode::Canary, format!("{} ready windows in a row", plan.streak))
        }
        Mode::Canary if enough && plan.gate.state == GateState::Open => {
            step(Mode::On, format!("{} ready windows in a row", plan.streak))
        }
        Mode::Off | Mode::Shadow | Mode::Canary | Mode::On => None,
    }
}
