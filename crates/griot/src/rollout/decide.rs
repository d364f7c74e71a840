//! What one request gets: a function of the mode, the gate, the settings and the request itself.

use super::{Fallback, GateState, Mode, Selection, Strategy};

/// What a request says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ask<'a> {
    /// `None` leaves it to the workspace.
    pub strategy: Option<Strategy>,
    /// The question: it decides about shares, so that the same question is always treated alike.
    pub question: &'a str,
}

/// What is allowed at the moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    pub requested: Strategy,
    pub selection: Selection,
    pub applied: Strategy,
    pub fallback: Option<Fallback>,
    /// Run the graph behind the answer, for its measures.
    pub shadow: bool,
    pub probe: bool,
}

/// `enabled` is the setting `recall.graph`; `window` the start of the window now open, which changes who
/// probes.
pub fn decide(
    ask: &Ask<'_>,
    mode: Mode,
    gate: GateState,
    enabled: bool,
    canary_percent: f64,
    probe_percent: f64,
    window: i64,
) -> Decision {
    let in_share = |salt: i64, percent: f64| share_of(ask.question, salt) < percent;
    // Who says nothing asks for what the workspace is for: the graph. In `canary` it is on trial, and only
    // for those who ask.
    let by_policy = match mode {
        Mode::Canary if !in_share(0, canary_percent) => Strategy::Baseline,
        Mode::Off | Mode::Shadow | Mode::Canary | Mode::On => Strategy::HybridGraph,
    };
    let (requested, selection) = match ask.strategy {
        Some(strategy) => (strategy, Selection::Request),
        None => (by_policy, Selection::PolicyDefault),
    };
    let held = |reason, shadow| Decision {
        requested,
        selection,
        applied: Strategy::Baseline,
        fallback: Some(reason),
        shadow,
        probe: false,
    };
    if requested == Strategy::Baseline {
        return Decision {
            requested,
            selection,
            applied: requested,
            fallback: None,
            shadow: false,
            probe: false,
        };
    }
    let applied =
        |probe| Decision { requested, selection, applied: requested, fallback: None, shadow: false, probe };
    match (mode, gate) {
        _ if !enabled => held(Fallback::FeatureFlagDisabled, false),
        (Mode::Off, _) => held(Fallback::RolloutOff, false),
        (Mode::Shadow, _) => held(Fallback::ShadowMode, true),
        (Mode::On, _) | (Mode::Canary, GateState::Open) => applied(false),
        (Mode::Canary, GateState::Blocked) => held(Fallback::QualityGateBlocked, false),
        (Mode::Canary, GateState::HalfOpen) if in_share(window, probe_percent) => applied(true),
        // No probe, but the gate learns from it.
        (Mode::Canary, GateState::HalfOpen) => held(Fallback::QualityGateBlocked, true),
    }
}

/// A number from 0 up to 100 that follows from the question and the salt alone.
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

    fn decision(strategy: Option<Strategy>, mode: Mode, gate: GateState, enabled: bool) -> Decision {
        decide(&Ask { strategy, question: "why?" }, mode, gate, enabled, 0.0, 0.0, 0)
    }

    #[test]
    fn each_mode_gives_what_it_says() {
        let hybrid = Some(Strategy::HybridGraph);
        let line = |strategy, mode, gate, enabled| {
            let d = decision(strategy, mode, gate, enabled);
            let why = d.fallback.map_or("", Fallback::name);
            let asked = (d.requested.name(), d.selection.name());
            format!(
                "{} {} → {} {why} {}",
                asked.0,
                asked.1,
                d.applied.name(),
                if d.shadow { "shadow" } else { "" }
            )
            .trim()
            .to_string()
        };
        use GateState::{Blocked, HalfOpen, Open};
        for (strategy, mode, gate, enabled, expected) in [
            (None, Mode::On, Blocked, true, "hybrid_graph policy_default → hybrid_graph"),
            (hybrid, Mode::On, Open, true, "hybrid_graph request → hybrid_graph"),
            (hybrid, Mode::On, Open, false, "hybrid_graph request → baseline feature_flag_disabled"),
            (None, Mode::Off, Open, true, "hybrid_graph policy_default → baseline rollout_off"),
            (None, Mode::Shadow, Open, true, "hybrid_graph policy_default → baseline shadow_mode shadow"),
            (hybrid, Mode::Shadow, Blocked, true, "hybrid_graph request → baseline shadow_mode shadow"),
            (None, Mode::Canary, Open, true, "baseline policy_default → baseline"),
            (hybrid, Mode::Canary, Open, true, "hybrid_graph request → hybrid_graph"),
            (hybrid, Mode::Canary, Blocked, true, "hybrid_graph request → baseline quality_gate_blocked"),
            (
                hybrid,
                Mode::Canary,
                HalfOpen,
                true,
                "hybrid_graph request → baseline quality_gate_blocked shadow",
            ),
            (Some(Strategy::Baseline), Mode::On, Open, true, "baseline request → baseline"),
            (Some(Strategy::Baseline), Mode::Shadow, Open, true, "baseline request → baseline"),
        ] {
            assert_eq!(line(strategy, mode, gate, enabled), expected, "{mode:?} {gate:?} {enabled}");
        }
    }

    #[test]
    fn a_share_is_a_share_and_the_same_questions_are_in_it() {
        let questions: Vec<String> = (0..2000).map(|n| format!("question {n}")).collect();
        let taken = |percent: f64, window: i64| -> Vec<bool> {
            let one = |q: &String| {
                let ask = Ask { strategy: None, question: q };
                decide(&ask, Mode::Canary, GateState::Open, true, percent, 0.0, window).applied
                    == Strategy::HybridGraph
            };
            questions.iter().map(one).collect()
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
        let probes = |question: &str, window: i64| {
            let ask = Ask { strategy: Some(Strategy::HybridGraph), question };
            decide(&ask, Mode::Canary, GateState::HalfOpen, true, 0.0, 20.0, window).probe
        };
        let windows =
            (0..200).filter(|window| probes("the only question that is ever asked", window * 1000)).count();
        assert!((20..=60).contains(&windows), "{windows} of 200 windows");
    }
}
