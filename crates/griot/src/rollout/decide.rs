//! Chooses the strategy of one request from the mode, the gate, the settings and the request.

use super::{Fallback, GateState, Mode, Selection, Strategy};
use crate::model::{Error, Timestamp};
use crate::settings::Settings;

/// Percentage of requests that get the graph while the gate is half open; for the others it runs in shadow.
/// Exposes few users to a graph that may still fail, and ten requests yield about two probes.
const PROBE_PERCENT: f64 = 20.0;

/// The current permissions of a workspace.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Permit {
    pub mode: Mode,
    /// The state of the gate; `None` in every mode but `canary`, which ignores it.
    pub gate: Option<GateState>,
    /// Set if the mode or the gate could not be read.
    pub unknown: Option<Error>,
}

/// Describes how an answer was made; part of the answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Made {
    /// Identifies the answer for feedback. Derived from question, scope, revision and strategy, so it reveals
    /// nothing new.
    pub id: String,
    pub mode: Mode,
    pub requested: Strategy,
    pub applied: Strategy,
    pub selection: Selection,
    pub fallback: Option<Fallback>,
    pub gate: Option<GateState>,
    /// The half-open gate let this request through as a probe.
    pub probe: bool,
    /// The graph runs in shadow, for its measures only.
    pub shadow: bool,
    /// Number of memories that the baseline scored.
    pub baseline_candidates: usize,
    /// Number of memories that the walk reached over at least one edge.
    pub graph_candidates: usize,
    /// Number of results of the graph's answer that were found over a path.
    pub expanded: usize,
}

impl Made {
    /// A record with all counts at 0.
    pub fn by(strategy: Strategy) -> Self {
        Self { requested: strategy, applied: strategy, ..Self::default() }
    }
}

/// Chooses the strategy. `asked` is the strategy that the request names; `None` leaves it to the workspace.
/// `window` is the start of the open window, which varies the choice of probes.
pub fn decide(
    asked: Option<Strategy>,
    question: &str,
    permit: &Permit,
    settings: &Settings,
    window: Timestamp,
) -> Made {
    let in_share = |salt: i64, percent: f64| share_of(question, salt) < percent;
    let mode = permit.mode;
    // Other requests use the graph by default. In `canary` the graph is on trial: it answers only requests
    // that ask for it and a percentage of the others.
    let by_policy = if mode == Mode::Canary && !in_share(0, settings.rollout.canary_percent) {
        Strategy::Baseline
    } else {
        Strategy::HybridGraph
    };
    let selection = if asked.is_some() { Selection::Request } else { Selection::PolicyDefault };
    let made = Made { mode, selection, gate: permit.gate, ..Made::by(asked.unwrap_or(by_policy)) };
    if made.requested == Strategy::Baseline {
        return made;
    }
    let (fallback, shadow, probe) = match (mode, permit.gate.unwrap_or_default()) {
        _ if permit.unknown.is_some() => (Some(Fallback::RolloutGuardrail), false, false),
        _ if !settings.recall.graph => (Some(Fallback::FeatureFlagDisabled), false, false),
        (Mode::Off, _) => (Some(Fallback::RolloutOff), false, false),
        (Mode::Shadow, _) => (Some(Fallback::ShadowMode), true, false),
        (Mode::On, _) | (Mode::Canary, GateState::Open) => (None, false, false),
        (Mode::Canary, GateState::Blocked) => (Some(Fallback::QualityGateBlocked), false, false),
        (Mode::Canary, GateState::HalfOpen) if in_share(window.0, PROBE_PERCENT) => (None, false, true),
        // Not a probe, but its shadow run counts as evidence for the gate.
        (Mode::Canary, GateState::HalfOpen) => (Some(Fallback::QualityGateBlocked), true, false),
    };
    let applied = if fallback.is_some() { Strategy::Baseline } else { Strategy::HybridGraph };
    Made { applied, fallback, shadow, probe, ..made }
}

/// A number in 0..100 derived from the question and the salt alone, so that the same question always gets the
/// same treatment.
fn share_of(question: &str, salt: i64) -> f64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&salt.to_le_bytes()).update(question.trim().as_bytes());
    let hash = hasher.finalize();
    let [a, b, c, d, ..] = *hash.as_bytes();
    f64::from(u32::from_le_bytes([a, b, c, d])) / (f64::from(u32::MAX) + 1.0) * 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(asked: Option<Strategy>, question: &str, mode: (Mode, GateState), window: i64) -> Made {
        with(&Settings::default(), asked, question, mode, window)
    }

    fn with(
        settings: &Settings,
        asked: Option<Strategy>,
        question: &str,
        (mode, gate): (Mode, GateState),
        window: i64,
    ) -> Made {
        let permit = Permit { mode, gate: Some(gate), unknown: None };
        decide(asked, question, &permit, settings, Timestamp(window))
    }

    #[test]
    fn each_mode_gives_what_it_says() {
        use GateState::{Blocked, HalfOpen, Open};
        let (baseline, hybrid) = (Some(Strategy::Baseline), Some(Strategy::HybridGraph));
        for (asked, mode, gate, expected) in [
            (None, Mode::On, Blocked, "hybrid_graph → hybrid_graph"),
            (hybrid, Mode::On, Open, "hybrid_graph → hybrid_graph"),
            (None, Mode::Off, Open, "hybrid_graph → baseline rollout_off"),
            (None, Mode::Shadow, Open, "hybrid_graph → baseline shadow_mode shadow"),
            (hybrid, Mode::Shadow, Blocked, "hybrid_graph → baseline shadow_mode shadow"),
            (None, Mode::Canary, Open, "baseline → baseline"),
            (hybrid, Mode::Canary, Open, "hybrid_graph → hybrid_graph"),
            (hybrid, Mode::Canary, Blocked, "hybrid_graph → baseline quality_gate_blocked"),
            (hybrid, Mode::Canary, HalfOpen, "hybrid_graph → baseline quality_gate_blocked shadow"),
            (baseline, Mode::On, Open, "baseline → baseline"),
            (baseline, Mode::Shadow, Open, "baseline → baseline"),
        ] {
            // A question that is no probe in window 0.
            let made = made(asked, "why?", (mode, gate), 0);
            let mut said = format!("{} → {}", made.requested.name(), made.applied.name());
            let shadow = made.shadow.then_some("shadow");
            for word in made.fallback.map(Fallback::name).into_iter().chain(shadow) {
                said = format!("{said} {word}");
            }
            assert_eq!(said, expected, "{mode:?} {gate:?}");
            assert_eq!(made.selection == Selection::Request, asked.is_some());
        }
        let mut disabled = Settings::default();
        disabled.recall.graph = false;
        let made = with(&disabled, hybrid, "why?", (Mode::On, Open), 0);
        assert_eq!((made.applied, made.fallback), (Strategy::Baseline, Some(Fallback::FeatureFlagDisabled)));
        let unknown = Some(Error::unavailable("read the mode", "the disk is gone"));
        let permit = Permit { unknown, ..Permit::default() };
        let made = decide(hybrid, "why?", &permit, &Settings::default(), Timestamp(0));
        assert_eq!((made.applied, made.fallback), (Strategy::Baseline, Some(Fallback::RolloutGuardrail)));
    }

    #[test]
    fn a_share_is_a_share_and_the_same_questions_are_in_it() {
        let questions: Vec<String> = (0..2000).map(|n| format!("question {n}")).collect();
        let taken = |percent: f64, window: i64| -> Vec<bool> {
            let mut settings = Settings::default();
            settings.rollout.canary_percent = percent;
            let made = |q: &String| with(&settings, None, q, (Mode::Canary, GateState::Open), window);
            questions.iter().map(|q| made(q).applied == Strategy::HybridGraph).collect()
        };
        for percent in [0.0, 1.0, 10.0, 50.0, 100.0] {
            let count = taken(percent, 0).iter().filter(|t| **t).count() as f64;
            assert!((count / 20.0 - percent).abs() < 2.0, "{percent} % gave {count} of 2000");
        }
        assert_eq!(taken(30.0, 0), taken(30.0, 5), "the canary share does not change with the window");
        let wider = taken(40.0, 0);
        assert!(
            taken(30.0, 0).iter().zip(wider).all(|(small, large)| !small || large),
            "a larger share keeps the smaller"
        );
    }

    #[test]
    fn who_probes_changes_with_the_window() {
        let half_open = (Mode::Canary, GateState::HalfOpen);
        let question = "the only question that is ever asked";
        let probes =
            |window: &i64| made(Some(Strategy::HybridGraph), question, half_open, window * 1000).probe;
        let windows = (0..200).filter(probes).count();
        assert!((20..=60).contains(&windows), "{windows} of 200 windows");
    }
}
