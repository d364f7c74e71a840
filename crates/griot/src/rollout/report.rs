//! Summarises the rollout: its state, the next mode and its prerequisites, and alarms.

use super::gate::{MIN_COVERAGE, MIN_GOOD_RUNS};
use super::window::{Tally, Window};
use super::{
    Gate, GateState, GateStatus, Ledger, MIN_PROBES, Mode, closed_before, evaluate, gate, window_start,
};
use crate::model::Timestamp;
use crate::settings::{RolloutSettings, Settings};

/// Memories that the walk should reach on average before `canary`: below that there is nothing to try.
pub const MIN_GRAPH_CANDIDATES: f64 = 1.0;
/// Consecutive ready windows required for a step; a single one may be chance.
pub const READY_WINDOWS: u64 = 2;
/// Requests needed for a warning about an elevated rate, and the rate (memories.sh: 10 requests, 5 %).
const ELEVATED_TRIES: f64 = 10.0;
const ELEVATED_RATE: f64 = 0.05;
/// Errors that raise an alarm regardless of the number of requests (memories.sh: 3).
const ERRORS: f64 = 3.0;

/// A measured value with its target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    pub metric: &'static str,
    /// `>=` or `<=`.
    pub comparator: &'static str,
    pub target: f64,
    pub current: f64,
    /// The blocker for `canary`, and for `on`, while the goal is not met.
    canary: Option<&'static str>,
    on: Option<&'static str>,
}

impl Goal {
    pub fn ready(&self) -> bool {
        if self.comparator == ">=" { self.current >= self.target } else { self.current <= self.target }
    }

    /// The distance to the target; 0 if the goal is met.
    pub fn gap(&self) -> f64 {
        if self.ready() { 0.0 } else { (self.target - self.current).abs() }
    }
}

/// One stage on the way to `on`; it may be entered if it has no blockers.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// `shadow`, `canary` or `default_on`.
    pub name: &'static str,
    pub required_samples: u64,
    pub current_samples: u64,
    pub blockers: Vec<&'static str>,
}

impl Stage {
    pub fn ready(&self) -> bool {
        self.blockers.is_empty()
    }
}

named! {
    AlarmSeverity {
        Info = "info",
        Warning = "warning",
        Critical = "critical",
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Alarm {
    pub code: &'static str,
    pub severity: AlarmSeverity,
    pub message: String,
}

/// The state of the rollout at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub now: Timestamp,
    /// The setting `recall.graph`.
    pub enabled: bool,
    pub limits: RolloutSettings,
    pub ledger: Ledger,
    /// Counts of the open window.
    pub open: Tally,
    pub gate: Gate,
    pub goals: [Goal; 7],
    /// `shadow`, `canary`, `default_on`.
    pub stages: [Stage; 3],
    /// Consecutive closed windows, since the mode was set, that were ready for the next stage.
    pub streak: u64,
    pub recommended: Mode,
    pub rationale: String,
    /// Most severe first.
    pub alarms: Vec<Alarm>,
}

impl Report {
    pub fn mode(&self) -> Mode {
        self.ledger.standing.mode
    }

    /// The stage `default_on`.
    pub fn default_on(&self) -> &Stage {
        &self.stages[2]
    }

    /// Reasons to refuse a mode: it would give the graph more requests than now while the gate is not open.
    pub fn refuses(&self, wanted: Mode) -> Option<Vec<&'static str>> {
        let up = wanted > self.mode() && wanted >= Mode::Canary;
        let blocks = self.gate.state != GateState::Open && self.gate.verdict.blocks();
        (up && blocks).then(|| self.gate.verdict.codes())
    }
}

/// Builds the report from the stored counts.
pub fn report(ledger: Ledger, now: Timestamp, settings: &Settings) -> Report {
    let limits = &settings.rollout;
    let (standing, width) = (&ledger.standing, limits.window_ms());
    let start = window_start(now, width);
    let closed = closed_before(&ledger.windows, now, standing.evidence_from);
    let gate = gate(&closed, start, limits);
    // Goals and stages refer to the last closed window with a graph run.
    let window = closed.iter().rfind(|window| window.tally.runs() > 0.0);
    let tally = window.map(|window| window.tally).unwrap_or_default();
    let goals = goals(&tally, limits);
    let stage = |name, required_samples, current: f64, blockers| Stage {
        name,
        required_samples,
        current_samples: current as u64,
        blockers,
    };
    let (shadowed, canary) = (tally.shadow_executions, blockers(Mode::Canary, &goals, &gate));
    let stages = [
        stage("shadow", 0, shadowed, Vec::new()),
        stage("canary", limits.min_shadow_executions, shadowed, canary),
        stage("default_on", limits.min_hybrid_samples, tally.runs(), blockers(Mode::On, &goals, &gate)),
    ];
    let (recommended, rationale) = recommend(standing.mode, &stages, &gate);
    let mut recent = Tally::default();
    let is_recent = |window: &&Window| window.start.0 >= start.0.saturating_sub(width);
    ledger.windows.iter().filter(is_recent).for_each(|window| recent.add(&window.tally));
    let open = ledger.windows.iter().find(|window| window.start == start);
    Report {
        now,
        enabled: settings.recall.graph,
        open: open.map(|window| window.tally).unwrap_or_default(),
        streak: streak(&closed, standing.mode, standing.updated_at, limits),
        alarms: alarms(&recent, &gate, limits),
        limits: limits.clone(),
        goals,
        stages,
        recommended,
        rationale,
        gate,
        ledger,
    }
}

fn goals(tally: &Tally, limits: &RolloutSettings) -> [Goal; 7] {
    let goal = |metric, comparator, target, current, [canary, on]: [Option<&'static str>; 2]| Goal {
        metric,
        comparator,
        target,
        current,
        canary,
        on,
    };
    let (canary, on) = (|code| [Some(code), None], |code| [None, Some(code)]);
    let errors = [Some("SHADOW_GRAPH_ERROR_RATE_ABOVE_LIMIT"), Some("GRAPH_ERROR_RATE_ABOVE_LIMIT")];
    let shadow_runs = canary("MIN_SHADOW_EXECUTIONS_NOT_MET");
    let reached = canary("SHADOW_GRAPH_CANDIDATES_TOO_LOW");
    let (candidates, shadowed) = (tally.mean_graph_candidates(), limits.min_shadow_executions as f64);
    let (samples, most_errors) = (limits.min_hybrid_samples as f64, limits.max_graph_error_fallback_rate);
    let (failures, most_failures) = (tally.fallback_rate(), limits.max_fallback_rate);
    let covered = on("EXPANSION_COVERAGE_TOO_LOW");
    [
        goal("shadow_executions", ">=", shadowed, tally.shadow_executions, shadow_runs),
        goal("avg_graph_candidates", ">=", MIN_GRAPH_CANDIDATES, candidates, reached),
        goal("hybrid_samples", ">=", samples, tally.hybrid_applied, on("MIN_HYBRID_SAMPLES_NOT_MET")),
        goal("canary_samples", ">=", MIN_GOOD_RUNS, tally.canary_applied, on("MIN_CANARY_SAMPLES_NOT_MET")),
        goal("fallback_rate", "<=", most_failures, failures, on("FALLBACK_RATE_ABOVE_LIMIT")),
        goal("graph_error_rate", "<=", most_errors, tally.error_rate(), errors),
        goal("expansion_coverage_rate", ">=", MIN_COVERAGE, tally.coverage(), covered),
    ]
}

/// The blockers of `canary` or `on`.
fn blockers(stage: Mode, goals: &[Goal], gate: &Gate) -> Vec<&'static str> {
    let code = |goal: &Goal| if stage == Mode::Canary { goal.canary } else { goal.on };
    let mut blockers: Vec<&str> = goals.iter().filter(|goal| !goal.ready()).filter_map(code).collect();
    if gate.state != GateState::Open {
        blockers.push("CANARY_QUALITY_GATE_BLOCKED");
    }
    match gate.verdict.status {
        GateStatus::InsufficientData if stage == Mode::On => {
            blockers.push("QUALITY_STATUS_INSUFFICIENT_DATA")
        }
        GateStatus::Fail if stage == Mode::On => blockers.push("QUALITY_STATUS_FAIL"),
        _ => {}
    }
    blockers
}

fn recommend(mode: Mode, [_, canary, default_on]: &[Stage; 3], gate: &Gate) -> (Mode, String) {
    match mode {
        Mode::Off => {
            (Mode::Shadow, "the graph runs behind the baseline's answers, so nothing is risked".into())
        }
        Mode::Shadow if canary.ready() => {
            (Mode::Canary, "the graph ran often enough and well in shadow".into())
        }
        Mode::Shadow => (Mode::Shadow, format!("canary waits for: {}", canary.blockers.join(", "))),
        Mode::Canary if default_on.ready() => {
            (Mode::On, "the canary's answers are as good as the baseline's or better".into())
        }
        Mode::Canary => (Mode::Canary, format!("on waits for: {}", default_on.blockers.join(", "))),
        Mode::On if gate.state == GateState::Open => (Mode::On, "nothing speaks against it".into()),
        Mode::On => {
            (Mode::Canary, format!("the gate is {}: {}", gate.state.name(), gate.verdict.codes().join(", ")))
        }
    }
}

/// The number of latest consecutive closed windows, since the mode was set, that were ready for the next
/// stage. Windows without a request neither count nor break the streak.
fn streak(closed: &[Window], mode: Mode, since: Option<Timestamp>, limits: &RolloutSettings) -> u64 {
    let next = match mode {
        Mode::Off | Mode::On => return 0,
        Mode::Shadow => Mode::Canary,
        Mode::Canary => Mode::On,
    };
    let since = since.unwrap_or(Timestamp(i64::MIN));
    let (mut streak, mut before) = (0, None);
    for window in closed.iter().filter(|w| w.start >= since && w.tally.requests > 0.0) {
        let verdict = evaluate(&window.tally, before, limits.min_hybrid_samples, limits);
        let alone = Gate { verdict, ..Gate::default() };
        let goals = goals(&window.tally, limits);
        let ready = !alone.verdict.blocks() && blockers(next, &goals, &alone).is_empty();
        streak = if ready { streak + 1 } else { 0 };
        before = Some(&window.tally);
    }
    streak
}

/// Alarms, most severe first. `tally` is the sum of the open window and the last closed one.
fn alarms(tally: &Tally, gate: &Gate, limits: &RolloutSettings) -> Vec<Alarm> {
    use AlarmSeverity::{Critical, Warning};
    let mut alarms = Vec::new();
    let mut raise = |code, severity, message| alarms.push(Alarm { code, severity, message });
    let (rate, tries) = (tally.fallback_rate(), tally.tries());
    let percent = rate * 100.0;
    let failed =
        format!("{percent:.0} % of {tries} requests for the graph got the baseline because of failures");
    if rate >= limits.max_fallback_rate && tries >= limits.min_hybrid_samples as f64 {
        raise("HIGH_FALLBACK_RATE", Critical, failed);
    } else if rate >= ELEVATED_RATE && tries >= ELEVATED_TRIES {
        raise("ELEVATED_FALLBACK_RATE", Warning, failed);
    }
    if tally.errors() >= ERRORS {
        let shadow = tally.shadow_errors;
        let message = format!("the graph failed {} times, {shadow} of them in shadow", tally.errors());
        raise("GRAPH_EXPANSION_ERRORS", Critical, message);
    }
    let codes = gate.verdict.codes().join(", ");
    match gate.state {
        GateState::Blocked => {
            raise("CANARY_QUALITY_GATE_BLOCKED", Critical, format!("the gate is blocked: {codes}"));
        }
        GateState::HalfOpen => {
            let message =
                format!("the gate is probing ({} of {MIN_PROBES} runs) after: {codes}", gate.probes);
            raise("CANARY_QUALITY_GATE_BLOCKED", Warning, message);
        }
        GateState::Open if gate.verdict.status == GateStatus::Warn => {
            raise("CANARY_QUALITY_GATE_WARNING", Warning, codes);
        }
        GateState::Open => {}
    }
    alarms.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.code.cmp(b.code)));
    alarms
}
