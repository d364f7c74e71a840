//! Guarantees of the gate after any history, and the defects of memories.sh's design that it avoids, by name.

use proptest::prelude::{prop, prop_assert_eq, prop_compose, proptest};

use super::*;
use crate::settings::{RolloutSettings, Settings};

const WIDTH: i64 = 24 * Timestamp::HOUR;

fn window(number: i64, tally: Tally) -> Window {
    Window { start: Timestamp(number * WIDTH), width: WIDTH, tally }
}

fn gate_at(windows: &[Window], number: i64) -> Gate {
    let open = Timestamp(number * WIDTH);
    gate(&closed_before(windows, open, Timestamp(0)), open, &RolloutSettings::default())
}

/// The report at the start of a window, in a mode set at `since`.
fn report_at(mode: Mode, since: i64, windows: &[Window], now: i64) -> Report {
    let standing = Standing { mode, updated_at: Some(Timestamp(since)), ..Standing::default() };
    let ledger = Ledger { standing, windows: windows.to_vec(), ..Ledger::default() };
    report(ledger, Timestamp(now), &Settings::default())
}

/// The counts of a `canary` window with this many requests for the graph under this gate state; every
/// `failing`th run fails (0: none).
fn traffic(gate: GateState, requests: u64, failing: u64, number: i64) -> Tally {
    let permit = Permit { mode: Mode::Canary, gate: Some(gate), unknown: None };
    let mut sum = Tally::default();
    for request in 1..=requests {
        let question = format!("question {request}");
        let asked = Some(Strategy::HybridGraph);
        let mut made = decide(asked, &question, &permit, &Settings::default(), Timestamp(number));
        let fails = failing > 0 && request % failing == 0;
        let mut tally = Tally { requests: 1.0, ..Tally::default() };
        if fails && made.applied == Strategy::HybridGraph {
            (made.applied, made.fallback) = (Strategy::Baseline, Some(Fallback::GraphExpansionError));
        }
        tally.shadow_errors = f64::from(fails && made.shadow);
        (made.expanded, made.graph_candidates) = (2, 10);
        tally.made(&made);
        sum.add(&tally);
    }
    sum
}

/// Appends windows of traffic, each under the gate computed from the windows before.
fn go_on(windows: &mut Vec<Window>, from: i64, count: i64, requests: u64, failing: u64) {
    for number in from..from + count {
        let state = gate_at(windows, number).state;
        windows.push(window(number, traffic(state, requests, failing, number)));
    }
}

prop_compose! {
    /// Any counts, consistent or not.
    fn any_tally()(values in prop::collection::vec(0u32..200, Tally::NAMES.len())) -> Tally {
        let mut tally = Tally::default();
        Tally::NAMES.iter().zip(values).for_each(|(name, value)| tally.count(name, f64::from(value)));
        tally
    }
}

fn a_count() -> std::ops::Range<u32> {
    0..10_000
}

proptest! {
    /// memories.sh counts a request that its gate blocked as a fallback, so the gate stays blocked while
    /// requests continue.
    #[test]
    fn the_gate_never_latches_healthy_probes_reopen_it(
        history in prop::collection::vec((any_tally(), 1i64..4), 0..20),
        requests in 10u64..80,
    ) {
        let mut windows = Vec::new();
        let mut number = 0;
        for (tally, gap) in history {
            number += gap;
            windows.push(window(number, tally));
        }
        // In the worst case the gate was half open on bad evidence: it blocks, stays blocked for a window,
        // and a window of probes opens it.
        go_on(&mut windows, number + 1, 3, requests, 0);
        prop_assert_eq!(gate_at(&windows, number + 4).state, GateState::Open);
    }

    #[test]
    fn requests_that_policy_held_back_never_close_it(
        held in prop::collection::vec((a_count(), a_count(), a_count(), a_count(), 0u32..100), 1..30),
    ) {
        let mut windows = Vec::new();
        for (number, (off, shadow, gate, flag, applied)) in held.into_iter().enumerate() {
            let [off, shadow, gate, flag, applied] = [off, shadow, gate, flag, applied].map(f64::from);
            let asked = off + shadow + gate + flag + applied;
            let tally = Tally {
                requests: asked, hybrid_requested: asked, hybrid_applied: applied, held_rollout_off: off,
                held_shadow_mode: shadow, held_quality_gate: gate, held_feature_flag: flag, ..Tally::default()
            };
            windows.push(window(number as i64, tally));
            prop_assert_eq!(gate_at(&windows, number as i64 + 1).state, GateState::Open);
        }
    }

    #[test]
    fn time_alone_makes_a_blocked_gate_probe(idle in 0i64..1000) {
        let windows = [window(0, traffic(GateState::Open, 100, 2, 0))];
        let expected = if idle > 0 { GateState::HalfOpen } else { GateState::Blocked };
        prop_assert_eq!(gate_at(&windows, 1 + idle).state, expected);
    }
}

#[test]
fn a_failing_graph_blocks_the_gate_and_keeps_it_from_opening() {
    let mut windows = Vec::new();
    go_on(&mut windows, 0, 1, 100, 0);
    assert_eq!(gate_at(&windows, 1).state, GateState::Open);
    go_on(&mut windows, 1, 1, 100, 10);
    let blocked = gate_at(&windows, 2);
    assert_eq!((blocked.state, blocked.since), (GateState::Blocked, Some(Timestamp(2 * WIDTH))));
    assert!(blocked.verdict.codes().contains(&"GRAPH_ERROR_RATE_ABOVE_LIMIT"), "{:?}", blocked.verdict);
    assert!(blocked.verdict.codes().contains(&"GRAPH_ERROR_RATE_REGRESSION"), "{:?}", blocked.verdict);
    // The gate stays blocked for a window, probes for one, finds no improvement, and repeats.
    go_on(&mut windows, 2, 4, 100, 10);
    let states: Vec<GateState> =
        (2..=6).map(|number| gate_at(&windows[..number as usize], number).state).collect();
    use GateState::{Blocked, HalfOpen};
    assert_eq!(states, [Blocked, HalfOpen, Blocked, HalfOpen, Blocked]);
    let probed = windows[3].tally;
    assert!(probed.hybrid_applied > 0.0 && probed.shadow_executions > probed.hybrid_applied, "{probed:?}");
}

#[test]
fn every_reason_is_found_and_only_harm_to_users_blocks() {
    let good = Tally { hybrid_applied: 100.0, covered: 90.0, expanded: 300.0, ..Tally::default() };
    let slow = Tally { baseline_ms: 20.0, baseline_timed: 20.0, graph_ms: 200.0, graph_timed: 20.0, ..good };
    let judged = Tally { judged: 5.0, judged_baseline_ndcg: 4.0, judged_graph_ndcg: 3.8, ..good };
    let four_judged = Tally { judged: 4.0, judged_baseline_ndcg: 4.0, ..good };
    let limits = RolloutSettings::default();
    for (tally, before, expected) in [
        (good, None, "pass"),
        (Tally::default(), None, "insufficient_data"),
        (Tally { guardrails: 30.0, ..good }, None, "fail FALLBACK_RATE_ABOVE_LIMIT"),
        (Tally { guardrails: 15.0, ..good }, Some(&good), "fail FALLBACK_RATE_REGRESSION"),
        (Tally { graph_errors: 4.0, ..good }, Some(&good), "fail GRAPH_ERROR_RATE_REGRESSION"),
        // In memories.sh every reason blocks, so that an empty graph closes the gate for good and the status
        // "warn" is unreachable.
        (Tally { covered: 5.0, ..good }, None, "warn EXPANSION_COVERAGE_TOO_LOW"),
        (Tally { hybrid_applied: 500.0, ..Tally::default() }, None, "warn EXPANSION_COVERAGE_TOO_LOW"),
        (Tally { covered: 50.0, ..good }, Some(&good), "warn EXPANSION_COVERAGE_REGRESSION"),
        (Tally { expanded: 100.0, ..good }, Some(&good), "warn CANDIDATE_LIFT_REGRESSION"),
        (Tally { overlap: 3.0, compared: 20.0, ..good }, None, "warn SHADOW_OVERLAP_TOO_LOW"),
        (slow, None, "warn LATENCY_ABOVE_LIMIT"),
        // Nothing measures the relevance of results in memories.sh: a fast graph with wrong answers passes.
        (judged, None, "fail RELEVANCE_REGRESSION"),
        (Tally { good_graph: 3.0, bad_graph: 7.0, ..good }, None, "fail NEGATIVE_FEEDBACK_ABOVE_LIMIT"),
        // Four questions and nine votes are too few to judge.
        (four_judged, None, "pass"),
        (Tally { bad_graph: 9.0, ..good }, None, "pass"),
    ] {
        let verdict = evaluate(&tally, before, limits.min_hybrid_samples, &limits);
        let said = [vec![verdict.status.name()], verdict.codes()].concat().join(" ");
        assert_eq!(said, expected);
        let state = gate_at(&[window(0, tally)], 1).state;
        let blocks = before.is_none() && verdict.blocks();
        assert_eq!(state == GateState::Blocked, blocks, "{expected}");
    }
}

/// In memories.sh, requests for the graph in shadow count as fallbacks and prevent the step to canary, while
/// graph errors in shadow are never counted, so that their limit always holds.
#[test]
fn canary_is_refused_for_errors_in_shadow_and_not_for_requests_held_back() {
    let held = Tally {
        requests: 100.0,
        hybrid_requested: 100.0,
        held_shadow_mode: 100.0,
        shadow_executions: 100.0,
        graph_candidates: 1000.0,
        covered: 50.0,
        expanded: 200.0,
        ..Tally::default()
    };
    let failing = Tally { shadow_errors: 50.0, ..held };
    let error_rate = vec!["GRAPH_ERROR_RATE_ABOVE_LIMIT"];
    for (tally, recommended, refused) in
        [(held, Mode::Canary, None), (failing, Mode::Shadow, Some(error_rate))]
    {
        let report = report_at(Mode::Shadow, 0, &[window(0, tally)], WIDTH);
        assert_eq!((report.recommended, report.refuses(Mode::Canary)), (recommended, refused));
        let blocks = report.stages[1].blockers.contains(&"SHADOW_GRAPH_ERROR_RATE_ABOVE_LIMIT");
        assert_eq!((blocks, report.stages[1].ready()), (tally == failing, tally == held));
    }
}

/// In memories.sh, the streak of "ready windows" grows with each request, even with two in one millisecond.
#[test]
fn defect_streak_of_requests_is_absent() {
    let ready = traffic(GateState::Open, 100, 0, 0);
    let two = [window(0, ready), window(1, ready)];
    let streak = |windows: &[Window], since, now| report_at(Mode::Canary, since, windows, now).streak;
    // A hundred good requests in an open window are not a ready window, and asking again does not add one.
    assert_eq!(streak(&two[..1], 0, WIDTH - 1), 0);
    for _ in 0..10 {
        assert_eq!(streak(&two[..1], 0, WIDTH), 1);
    }
    assert_eq!(streak(&two, 0, 2 * WIDTH), 2);
    // Windows that were ready before the mode was set belong to another mode.
    assert_eq!(streak(&two, WIDTH, 2 * WIDTH), 1);
}

#[test]
fn alarms_are_raised_by_rates_by_failures_and_by_the_gate() {
    let none = Tally::default();
    let failing = Tally { hybrid_applied: 20.0, guardrails: 10.0, ..none };
    for (tally, now, expected) in [
        (Tally { hybrid_applied: 100.0, held_rollout_off: 1000.0, ..none }, 0, ""),
        (Tally { hybrid_applied: 10.0, guardrails: 1.0, ..none }, 0, "warning ELEVATED_FALLBACK_RATE"),
        (failing, 0, "critical HIGH_FALLBACK_RATE"),
        (Tally { shadow_executions: 9.0, shadow_errors: 3.0, ..none }, 0, "critical GRAPH_EXPANSION_ERRORS"),
        // The gate judges a window that is closed.
        (Tally { hybrid_applied: 50.0, ..none }, WIDTH, "warning CANARY_QUALITY_GATE_WARNING"),
        (failing, WIDTH, "critical CANARY_QUALITY_GATE_BLOCKED, critical HIGH_FALLBACK_RATE"),
        (failing, 3 * WIDTH, "warning CANARY_QUALITY_GATE_BLOCKED"),
    ] {
        let report = report_at(Mode::On, 0, &[window(0, tally)], now);
        let alarms = report.alarms.iter();
        let alarms: Vec<String> = alarms.map(|one| format!("{} {}", one.severity.name(), one.code)).collect();
        assert_eq!(alarms.join(", "), expected);
    }
}
