//! What a person should look at now, from the window that is open and the one before.

use super::window::Tally;
use super::{GateState, GateStatus, Plan};
use crate::model::Timestamp;
use crate::settings::RolloutSettings;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AlarmSeverity {
    Info,
    Warning,
    Critical,
}

impl AlarmSeverity {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Alarm {
    pub code: &'static str,
    pub severity: AlarmSeverity,
    pub message: String,
    pub triggered_at: Timestamp,
}

/// Tries from which an elevated rate is worth a warning, and the rate (memories.sh: 10 requests, 5 %).
const ELEVATED_TRIES: f64 = 10.0;
const ELEVATED_RATE: f64 = 0.05;
/// Errors from which they are an alarm of their own, however many requests there were (memories.sh: 3).
const ERRORS: f64 = 3.0;

/// The worst first. `tally` is the window now open together with the last closed one.
pub fn alarms(tally: &Tally, plan: &Plan, limits: &RolloutSettings) -> Vec<Alarm> {
    let mut alarms = Vec::new();
    let mut raise = |code, severity, message: String| {
        alarms.push(Alarm { code, severity, message, triggered_at: plan.evaluated_at });
    };
    let (rate, tries) = (tally.fallback_rate(), tally.tries());
    let said = format!(
        "{:.0} % of {tries} requests for the graph got the baseline because of failures",
        rate * 100.0
    );
    if rate >= limits.max_fallback_rate && tries >= limits.min_hybrid_samples as f64 {
        raise("HIGH_FALLBACK_RATE", AlarmSeverity::Critical, said);
    } else if rate >= ELEVATED_RATE && tries >= ELEVATED_TRIES {
        raise("ELEVATED_FALLBACK_RATE", AlarmSeverity::Warning, said);
    }
    if tally.errors() >= ERRORS {
        let shadow = tally.shadow_errors;
        let message = format!("the graph failed {} times, {shadow} of them in shadow", tally.errors());
        raise("GRAPH_EXPANSION_ERRORS", AlarmSeverity::Critical, message);
    }
    let codes = plan.gate.verdict.codes().join(", ");
    match plan.gate.state {
        GateState::Blocked => {
            raise(
                "CANARY_QUALITY_GATE_BLOCKED",
                AlarmSeverity::Critical,
                format!("the gate is blocked: {codes}"),
            );
        }
        GateState::HalfOpen => {
            let (seen, wanted) = (plan.gate.probes, plan.gate.probes_wanted);
            let message = format!("the gate is probing ({seen} of {wanted} runs) after: {codes}");
            raise("CANARY_QUALITY_GATE_BLOCKED", AlarmSeverity::Warning, message);
        }
        GateState::Open if plan.gate.verdict.status == GateStatus::Warn => {
            raise("CANARY_QUALITY_GATE_WARNING", AlarmSeverity::Warning, codes);
        }
        GateState::Open => {}
    }
    alarms.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.code.cmp(b.code)));
    alarms
}
