//! What the gate promises whatever happened before, and the defects of the design that it replaces, each by
//! name.

use proptest::prelude::*;

use super::Strategy;
use super::*;
use crate::model::Timestamp;
use crate::settings::RolloutSettings;

const WIDTH: i64 = 24 * Timestamp::HOUR;

fn limits() -> RolloutSettings {
    RolloutSettings::default()
}

fn window(number: i64, tally: Tally) -> Window {
    Window { start: Timestamp(number * WIDTH), width: WIDTH, tally }
}

fn gate_at(windows: &[Window], number: i64, limits: &RolloutSettings) -> Gate {
    let open = Timestamp(number * WIDTH);
    gate(&closed_before(windows, open, Timestamp(0)), open, limits)
}

/// So many requests for the graph in one window of `canary`, with the gate as it stands, of which every
/// `failing`th run fails (0: none).
fn traffic(gate: GateState, requests: u64, failing: u64, number: i64, limits: &RolloutSettings) -> Tally {
    let mut tally = Tally::default();
    for request in 1..=requests {
        let question = format!("question {request}");
        let ask = Ask { strategy: Some(Strategy::HybridGraph), question: &question };
        let decision = decide(&ask, Mode::Canary, gate, true, 0.0, limits.probe_percent, number);
        let fails = failing > 0 && request % failing == 0;
        tally.requests += 1.0;
        tally.hybrid_requested += 1.0;
        match (decision.applied, fails) {
            (Strategy::HybridGraph, false) => {
                (tally.hybrid_applied, tally.canary_applied) =
                    (tally.hybrid_applied + 1.0, tally.canary_applied + 1.0)
            }
            (Strategy::HybridGraph, true) => tally.graph_errors += 1.0,
            (Strategy::Baseline, _) => tally.held_quality_gate += 1.0,
        }
        if decision.shadow {
            tally.shadow_executions += 1.0;
            tally.shadow_errors += f64::from(fails);
        }
        let ran = decision.shadow || decision.applied == Strategy::HybridGraph;
        if ran && !fails {
            tally.covered += 1.0;
            tally.expanded += 2.0;
            tally.graph_candidates += 10.0;
        }
    }
    tally
}

/// Windows of traffic, each under the gate that the windows before have led to.
fn go_on(
    windows: &mut Vec<Window>,
    from: i64,
    count: i64,
    requests: u64,
    failing: u64,
    limits: &RolloutSettings,
) {
    for number in from..from + count {
        let state = gate_at(windows, number, limits).state;
        windows.push(window(number, traffic(state, requests, failing, number, limits)));
    }
}

prop_compose! {
    /// Anything that could have been counted, consistent or not.
    fn any_tally()(values in prop::collection::vec(0u32..200, 32)) -> Tally {
        let mut tally = Tally::default();
        let full = Tally::of(1.0);
        for ((name, _), value) in full.counts().zip(values) {
            tally.count(name, f64::from(value));
        }
        tally
    }
}

impl Tally {
    /// Every counter at this value.
    fn of(value: f64) -> Self {
        let names = [
            "requests",
            "hybrid_requested",
            "hybrid_applied",
            "canary_applied",
            "probes",
            "shadow_executions",
            "shadow_errors",
            "graph_errors",
            "guardrails",
            "held_feature_flag",
            "held_rollout_off",
            "held_shadow_mode",
            "held_quality_gate",
            "baseline_candidates",
            "graph_candidates",
            "expanded",
            "covered",
            "overlap",
            "compared",
            "baseline_ms",
            "baseline_timed",
            "graph_ms",
            "graph_timed",
            "judged",
            "judged_baseline_ndcg",
            "judged_graph_ndcg",
            "judged_baseline_recall",
            "judged_graph_recall",
            "good_graph",
            "bad_graph",
            "good_baseline",
            "bad_baseline",
        ];
        let mut tally = Self::default();
        names.iter().for_each(|name| tally.count(name, value));
        tally
    }
}

proptest! {
    #[test]
    fn the_gate_never_latches_healthy_probes_reopen_it(
        history in prop::collection::vec((any_tally(), 1i64..4), 0..20),
        requests in 10u64..80,
        cooldown in 1u64..4,
        min_probes in 1u64..10,
    ) {
        let limits = RolloutSettings { cooldown_windows: cooldown, min_probes, ..limits() };
        let mut windows = Vec::new();
        let mut number = 0;
        for (tally, gap) in history {
            number += gap;
            windows.push(window(number, tally));
        }
        // At worst it was half open on bad evidence: that is judged, it cools down, and a window of probes
        // opens it.
        let bound = cooldown as i64 + 2;
        go_on(&mut windows, number + 1, bound, requests, 0, &limits);
        prop_assert_eq!(gate_at(&windows, number + 1 + bound, &limits).state, GateState::Open);
    }

    #[test]
    fn requests_that_policy_held_back_never_close_it(
        held in prop::collection::vec((0u32..10_000, 0u32..10_000, 0u32..10_000, 0u32..10_000, 0u32..100), 1..30),
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
            prop_assert_eq!(gate_at(&windows, number as i64 + 1, &limits()).state, GateState::Open);
        }
    }

    #[test]
    fn time_alone_makes_a_blocked_gate_probe(idle in 1i64..1000, cooldown in 1u64..20) {
        let limits = RolloutSettings { cooldown_windows: cooldown, ..limits() };
        let windows = [window(0, traffic(GateState::Open, 100, 2, 0, &limits))];
        let gate = gate_at(&windows, 1 + idle, &limits);
        let expected = if idle >= cooldown as i64 { GateState::HalfOpen } else { GateState::Blocked };
        prop_assert_eq!(gate.state, expected);
    }
}

#[test]
fn a_failing_graph_blocks_the_gate_and_keeps_it_from_opening() {
    let mut windows = Vec::new();
    go_on(&mut windows, 0, 1, 100, 0, &limits());
    assert_eq!(gate_at(&windows, 1, &limits()).state, GateState::Open);
    go_on(&mut windows, 1, 1, 100, 10, &limits());
    let blocked = gate_at(&windows, 2, &limits());
    assert_eq!((blocked.state, blocked.since), (GateState::Blocked, Some(Timestamp(2 * WIDTH))));
    assert!(blocked.verdict.codes().contains(&"GRAPH_ERROR_RATE_ABOVE_LIMIT"), "{:?}", blocked.verdict);
    assert!(blocked.verdict.codes().contains(&"GRAPH_ERROR_RATE_REGRESSION"), "{:?}", blocked.verdict);
    // It cools down for a window, probes for one, sees that nothing is better, and so on.
    go_on(&mut windows, 2, 4, 100, 10, &limits());
    let states: Vec<GateState> =
        (2..=6).map(|number| gate_at(&windows[..number as usize], number, &limits()).state).collect();
    use GateState::{Blocked, HalfOpen};
    assert_eq!(states, [Blocked, HalfOpen, Blocked, HalfOpen, Blocked]);
    let probed = windows[3].tally;
    assert!(probed.hybrid_applied > 0.0 && probed.shadow_executions > probed.hybrid_applied, "{probed:?}");
}

#[test]
fn every_reason_is_found_where_it_belongs() {
    let good = Tally {
        requests: 100.0,
        hybrid_requested: 100.0,
        hybrid_applied: 100.0,
        covered: 90.0,
        expanded: 300.0,
        ..Tally::default()
    };
    let codes = |tally: Tally, before: Option<&Tally>| evaluate(&tally, before, &limits()).codes().join(" ");
    assert_eq!(codes(good, None), "");
    assert_eq!(codes(Tally { guardrails: 30.0, ..good }, None), "FALLBACK_RATE_ABOVE_LIMIT");
    assert_eq!(codes(Tally { guardrails: 15.0, ..good }, Some(&good)), "FALLBACK_RATE_REGRESSION");
    assert_eq!(codes(Tally { graph_errors: 4.0, ..good }, Some(&good)), "GRAPH_ERROR_RATE_REGRESSION");
    assert_eq!(codes(Tally { covered: 5.0, expanded: 300.0, ..good }, None), "EXPANSION_COVERAGE_TOO_LOW");
    assert_eq!(codes(Tally { covered: 50.0, ..good }, Some(&good)), "EXPANSION_COVERAGE_REGRESSION");
    assert_eq!(codes(Tally { expanded: 100.0, ..good }, Some(&good)), "CANDIDATE_LIFT_REGRESSION");
    assert_eq!(codes(Tally { overlap: 3.0, compared: 20.0, ..good }, None), "SHADOW_OVERLAP_TOO_LOW");
    let slow = Tally { baseline_ms: 20.0, baseline_timed: 20.0, graph_ms: 200.0, graph_timed: 20.0, ..good };
    assert_eq!(codes(slow, None), "LATENCY_ABOVE_LIMIT");
    assert_eq!(
        codes(Tally { judged: 5.0, judged_baseline_ndcg: 4.0, judged_graph_ndcg: 3.8, ..good }, None),
        "RELEVANCE_REGRESSION"
    );
    assert_eq!(
        codes(Tally { good_graph: 3.0, bad_graph: 7.0, ..good }, None),
        "NEGATIVE_FEEDBACK_ABOVE_LIMIT"
    );
    assert_eq!(
        codes(Tally { judged: 4.0, judged_baseline_ndcg: 4.0, ..good }, None),
        "",
        "four questions are too few"
    );
    assert_eq!(codes(Tally { bad_graph: 9.0, ..good }, None), "", "nine voices are too few");
}

/// memories.sh counts a request that its gate has blocked as a fallback, so that the gate stays blocked for
/// as long as anybody asks.
#[test]
fn defect_gate_latch_is_absent() {
    let mut windows = Vec::new();
    go_on(&mut windows, 0, 1, 1000, 2, &limits());
    assert_eq!(gate_at(&windows, 1, &limits()).state, GateState::Blocked);
    // The graph is mended, and a thousand requests a window go on asking.
    go_on(&mut windows, 1, 2, 1000, 0, &limits());
    assert_eq!(windows[1].tally.held_quality_gate, 1000.0);
    assert_eq!(windows[1].tally.fallback_rate(), 0.0, "held back is not failed");
    assert_eq!(gate_at(&windows, 3, &limits()).state, GateState::Open);
}

/// There, requests of clients that ask for the graph in shadow count as fallbacks, and the step to canary is
/// refused for them.
#[test]
fn defect_shadow_requests_refuse_canary_is_absent() {
    let tally = Tally {
        requests: 100.0,
        hybrid_requested: 100.0,
        held_shadow_mode: 100.0,
        shadow_executions: 100.0,
        graph_candidates: 1000.0,
        covered: 100.0,
        expanded: 200.0,
        ..Tally::default()
    };
    let standing = Standing { mode: Mode::Shadow, ..Standing::default() };
    let ledger = Ledger { standing, windows: vec![window(0, tally)], ..Ledger::default() };
    let plan = plan(&ledger, Timestamp(WIDTH), &limits());
    assert_eq!(refusal(&plan, Mode::Canary), None);
    assert_eq!((plan.recommended, plan.stage(StageName::Canary).ready), (Mode::Canary, true));
}

/// There, an error of the graph in shadow is never counted, so that the limit on them is always kept.
#[test]
fn defect_invisible_shadow_errors_are_absent() {
    let tally = Tally {
        requests: 100.0,
        hybrid_requested: 100.0,
        held_shadow_mode: 100.0,
        shadow_executions: 100.0,
        shadow_errors: 50.0,
        graph_candidates: 1000.0,
        covered: 50.0,
        ..Tally::default()
    };
    let standing = Standing { mode: Mode::Shadow, ..Standing::default() };
    let ledger = Ledger { standing, windows: vec![window(0, tally)], ..Ledger::default() };
    let plan = plan(&ledger, Timestamp(WIDTH), &limits());
    let blockers = &plan.stage(StageName::Canary).blockers;
    assert!(blockers.contains(&"SHADOW_GRAPH_ERROR_RATE_ABOVE_LIMIT"), "{blockers:?}");
    assert_eq!(refusal(&plan, Mode::Canary), Some(vec!["GRAPH_ERROR_RATE_ABOVE_LIMIT"]));
}

/// There, the streak of "ready windows" grows with each request: two requests within a millisecond promote.
#[test]
fn defect_streak_of_requests_is_absent() {
    let ready = traffic(GateState::Open, 100, 0, 0, &limits());
    let standing = Standing { mode: Mode::Canary, updated_at: Some(Timestamp(0)), ..Standing::default() };
    let with = |count: i64, now: i64| {
        let windows = (0..count).map(|number| window(number, ready)).collect();
        plan(&Ledger { standing: standing.clone(), windows, ..Ledger::default() }, Timestamp(now), &limits())
    };
    let on = RolloutSettings { autopilot: true, ..limits() };
    // A hundred good requests in a window that is still open are no ready window; asking again makes no
    // second one.
    assert_eq!(with(1, WIDTH - 1).streak, 0);
    for _ in 0..10 {
        assert_eq!(with(1, WIDTH).streak, 1);
    }
    assert_eq!(autopilot(&with(1, WIDTH), Some(Timestamp(0)), &on), None);
    let two = with(2, 2 * WIDTH);
    assert_eq!(two.streak, 2);
    assert_eq!(autopilot(&two, Some(Timestamp(0)), &on).map(|step| step.mode), Some(Mode::On));
    assert_eq!(autopilot(&two, Some(Timestamp(0)), &limits()), None, "it is off unless it was switched on");
    // What was ready before the mode was chosen counts for another mode.
    let late = Standing { updated_at: Some(Timestamp(WIDTH)), ..standing.clone() };
    let windows = vec![window(0, ready), window(1, ready)];
    assert_eq!(
        plan(&Ledger { standing: late, windows, ..Ledger::default() }, Timestamp(2 * WIDTH), &limits())
            .streak,
        1
    );
}

/// There, nothing measures whether results are to the point: the gate passes a graph that answers quickly and
/// wrongly.
#[test]
fn defect_no_relevance_signal_is_absent() {
    let fast_and_wrong = traffic(GateState::Open, 100, 0, 0, &limits());
    let judged = Tally { judged: 10.0, judged_baseline_ndcg: 9.0, judged_graph_ndcg: 4.0, ..fast_and_wrong };
    assert_eq!(gate_at(&[window(0, judged)], 1, &limits()).verdict.codes(), ["RELEVANCE_REGRESSION"]);
    assert_eq!(gate_at(&[window(0, judged)], 1, &limits()).state, GateState::Blocked);
    let disliked = Tally { bad_graph: 12.0, ..fast_and_wrong };
    assert_eq!(gate_at(&[window(0, disliked)], 1, &limits()).state, GateState::Blocked);
}

/// There, a graph that is still empty brings nothing, which closes the gate, for good by the first defect.
#[test]
fn defect_empty_graph_latch_is_absent() {
    let empty = Tally { requests: 500.0, hybrid_requested: 500.0, hybrid_applied: 500.0, ..Tally::default() };
    let windows: Vec<Window> = (0..5).map(|number| window(number, empty)).collect();
    let gate = gate_at(&windows, 5, &limits());
    assert_eq!((gate.state, gate.verdict.codes()), (GateState::Open, vec!["EXPANSION_COVERAGE_TOO_LOW"]));
}

/// There, every reason blocks, so that the status "warn" cannot be reached.
#[test]
fn defect_unreachable_warning_is_absent() {
    let empty = Tally { requests: 50.0, hybrid_requested: 50.0, hybrid_applied: 50.0, ..Tally::default() };
    assert_eq!(evaluate(&empty, None, &limits()).status, GateStatus::Warn);
    let ledger = Ledger { windows: vec![window(0, empty)], ..Ledger::default() };
    let plan = plan(&ledger, Timestamp(WIDTH), &limits());
    let raised = alarms(&empty, &plan, &limits());
    let raised: Vec<_> = raised.iter().map(|alarm| (alarm.code, alarm.severity)).collect();
    assert_eq!(raised, [("CANARY_QUALITY_GATE_WARNING", AlarmSeverity::Warning)]);
}

#[test]
fn the_autopilot_takes_one_step_and_goes_back_on_a_block() {
    let on = RolloutSettings { autopilot: true, ..limits() };
    let step = |mode, since: i64, windows: &[Window], now: i64| {
        let standing = Standing { mode, updated_at: Some(Timestamp(since)), ..Standing::default() };
        let ledger = Ledger { standing, windows: windows.to_vec(), ..Ledger::default() };
        let plan = plan(&ledger, Timestamp(now), &on);
        autopilot(&plan, Some(Timestamp(since)), &on).map(|step| step.mode)
    };
    let bad = [window(0, traffic(GateState::Open, 100, 4, 0, &on))];
    assert_eq!(step(Mode::On, 0, &bad, WIDTH), Some(Mode::Canary));
    assert_eq!(step(Mode::Canary, 0, &bad, WIDTH), Some(Mode::Shadow));
    assert_eq!(step(Mode::Shadow, 0, &bad, WIDTH), None);
    assert_eq!(step(Mode::Off, 0, &bad, WIDTH), None, "a person chose off");
    // The step was taken at the end of that window: the same window is no reason for another.
    assert_eq!(step(Mode::Canary, WIDTH, &bad, WIDTH + 1), None);
}

#[test]
fn alarms_are_raised_by_rates_and_by_failures() {
    let none = plan(&Ledger::default(), Timestamp(0), &limits());
    let codes =
        |tally: Tally| alarms(&tally, &none, &limits()).iter().map(|a| a.code).collect::<Vec<_>>().join(" ");
    assert_eq!(codes(Tally { hybrid_applied: 100.0, held_rollout_off: 1000.0, ..Tally::default() }), "");
    assert_eq!(
        codes(Tally { hybrid_applied: 10.0, guardrails: 1.0, ..Tally::default() }),
        "ELEVATED_FALLBACK_RATE"
    );
    assert_eq!(
        codes(Tally { hybrid_applied: 20.0, guardrails: 10.0, ..Tally::default() }),
        "HIGH_FALLBACK_RATE"
    );
    assert_eq!(
        codes(Tally { shadow_executions: 9.0, shadow_errors: 3.0, ..Tally::default() }),
        "GRAPH_EXPANSION_ERRORS"
    );
}
