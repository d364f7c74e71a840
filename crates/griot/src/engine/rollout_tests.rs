//! The modes as seen in answers, and a failing graph, with a store that fails on demand.

#![allow(clippy::unwrap_used)]

use super::bench::{Bench, NOW};
use super::*;
use crate::model::Timestamp;
use crate::recall::{Query, Recall, RecallResult};
use crate::remember::Draft;
use crate::rollout::{Fallback, GateState, JudgedQuery, Made, Mode, Strategy};
use crate::testkit::watched::Fault;

const DAY: i64 = Timestamp::DAY;
const QUESTION: &str = "Why did we move the sessions to Redis?";

fn filled(settings: Settings) -> Bench {
    let bench = Bench::with(settings);
    for text in [
        "We moved the sessions to Redis because Postgres was too slow.",
        "Postgres was slow because the disk of the database was full.",
        "Grace ordered a larger disk for the database on Monday.",
        "Ada prefers tabs.",
        "The Redis cluster has three nodes.",
    ] {
        bench.remember(text);
    }
    bench
}

fn query(strategy: Option<Strategy>) -> Query {
    Query { strategy, ..Query::new(QUESTION, Timestamp(NOW)) }
}

impl Bench {
    fn ask(&self, strategy: Option<Strategy>) -> Recall {
        self.engine.recall(&query(strategy)).unwrap()
    }

    fn set(&self, mode: Mode) {
        assert!(
            matches!(self.engine.set_mode(mode, "user", false).unwrap(), ModeSet::Set(_)),
            "{mode:?} was refused"
        );
    }
}

/// The whole answer except for how it was made.
fn said(recall: &Recall) -> String {
    let nothing = Made::by(Strategy::Baseline);
    format!("{:?}", Recall { made: nothing, missing: Vec::new(), ..recall.clone() })
}

fn results(recall: &Recall) -> &[RecallResult] {
    &recall.results
}

fn made(recall: &Recall) -> (&str, &str, Option<&str>) {
    let made = &recall.made;
    (made.requested.name(), made.applied.name(), made.fallback.map(Fallback::name))
}

#[test]
fn a_fresh_workspace_uses_the_graph() {
    let bench = filled(Settings::default());
    let answer = bench.ask(None);
    assert_eq!((answer.made.mode, made(&answer)), (Mode::On, ("hybrid_graph", "hybrid_graph", None)));
    assert!(answer.made.graph_candidates > 0 && answer.made.expanded > 0, "{:?}", answer.made);
    assert!(results(&answer).iter().any(|result| !result.path.is_empty()));
    let declined = bench.engine.recall(&Query { graph: false, ..query(None) }).unwrap();
    assert_eq!(made(&declined), ("baseline", "baseline", None));
    assert_ne!(said(&declined), said(&answer), "the graph makes a difference here");
}

#[test]
fn shadow_answers_byte_for_byte_as_off_does_and_measures_the_graph() {
    let bench = filled(Settings::default());
    let on = bench.ask(None);
    bench.set(Mode::Off);
    let off = bench.ask(None);
    assert_eq!(made(&off), ("hybrid_graph", "baseline", Some("rollout_off")));
    assert_eq!((off.made.graph_candidates, off.made.shadow), (0, false));
    bench.set(Mode::Shadow);
    let shadow = bench.ask(None);
    assert_eq!(made(&shadow), ("hybrid_graph", "baseline", Some("shadow_mode")));
    assert_eq!(said(&shadow), said(&off));
    assert!(shadow.missing.is_empty());
    assert_eq!(
        (shadow.made.graph_candidates, shadow.made.expanded),
        (on.made.graph_candidates, on.made.expanded)
    );
    let tally = bench.engine.rollout().unwrap().open;
    assert_eq!(
        (tally.requests, tally.shadow_executions, tally.compared, tally.shadow_errors),
        (3.0, 1.0, 1.0, 0.0)
    );
    assert_eq!((tally.held_rollout_off, tally.held_shadow_mode, tally.fallback_rate()), (1.0, 1.0, 0.0));
}

#[test]
fn canary_gives_the_graph_to_those_who_ask_for_it() {
    let bench = filled(Settings::default());
    bench.set(Mode::Canary);
    assert_eq!(made(&bench.ask(None)), ("baseline", "baseline", None));
    let asked = bench.ask(Some(Strategy::HybridGraph));
    assert_eq!(
        (made(&asked), asked.made.gate),
        (("hybrid_graph", "hybrid_graph", None), Some(GateState::Open))
    );
    let mut all = Settings::default();
    all.rollout.canary_percent = 100.0;
    let bench = filled(all);
    bench.set(Mode::Canary);
    assert_eq!(made(&bench.ask(None)), ("hybrid_graph", "hybrid_graph", None));
    let mut disabled = Settings::default();
    disabled.recall.graph = false;
    let bench = filled(disabled);
    assert_eq!(made(&bench.ask(None)), ("hybrid_graph", "baseline", Some("feature_flag_disabled")));
}

#[test]
fn invariant_9_a_failing_walk_is_answered_by_the_baseline() {
    let bench = filled(Settings::default());
    let baseline = bench.engine.recall(&Query { graph: false, ..query(None) }).unwrap();
    bench.switch.set(Fault::Walks);
    let answer = bench.ask(None);
    assert_eq!(made(&answer), ("hybrid_graph", "baseline", Some("graph_expansion_error")));
    assert_eq!(said(&answer), said(&baseline));
    assert!(
        answer.missing.iter().any(|missing| missing.starts_with("the graph was not used")),
        "{:?}",
        answer.missing
    );
    // Shadow failures do not show in the answer but are counted.
    bench.set(Mode::Shadow);
    let shadow = bench.ask(None);
    assert_eq!((said(&shadow), shadow.missing.is_empty()), (said(&baseline), true));
    let report = bench.engine.rollout().unwrap();
    assert_eq!((report.open.graph_errors, report.open.shadow_errors), (1.0, 1.0));
    let incidents: Vec<bool> = report.ledger.incidents.iter().map(|incident| incident.shadow).collect();
    assert_eq!(incidents, [true, false]);
    assert_eq!(report.ledger.last_fallback.map(|(_, reason)| reason), Some(Fallback::ShadowMode));
}

#[test]
fn invariant_9_edges_that_cannot_be_read_silence_no_answer() {
    let bench = filled(Settings::default());
    bench.switch.set(Fault::Edges);
    for strategy in [None, Some(Strategy::Baseline)] {
        let answer = bench.ask(strategy);
        assert!(!answer.results.is_empty());
        assert_eq!(answer.made.applied, Strategy::Baseline);
        assert_eq!(answer.missing.len(), 1, "{:?}", answer.missing);
    }
    bench.switch.set(Fault::None);
    assert!(bench.ask(None).missing.is_empty());
}

#[test]
fn a_mode_that_cannot_be_read_risks_nothing() {
    let bench = filled(Settings::default());
    bench.switch.set(Fault::Standing);
    assert_eq!(made(&bench.ask(None)), ("hybrid_graph", "baseline", Some("rollout_guardrail")));
    assert_eq!(made(&bench.ask(Some(Strategy::Baseline))), ("baseline", "baseline", None));
    bench.switch.set(Fault::None);
    assert_eq!(bench.engine.rollout().unwrap().open.guardrails, 1.0);
}

#[test]
fn measures_are_written_behind_the_answer_and_change_none() {
    let bench = filled(Settings::default());
    let (first, revision) = (bench.ask(None), bench.engine.read().unwrap().revision());
    let width = bench.engine.settings().rollout.window_ms();
    let written = || bench.engine.backend.telemetry().ledger(width).unwrap().windows.len();
    assert_eq!(written(), 0, "nothing is written with the answer");
    bench.engine.flush_measures().unwrap();
    assert_eq!(written(), 1);
    assert_eq!(bench.engine.read().unwrap().revision(), revision);
    assert_eq!(
        format!("{first:?}"),
        format!("{:?}", bench.ask(None)),
        "the same revision, question and time"
    );
    // A store that cannot record measures still answers.
    bench.switch.set(Fault::Measures);
    assert_eq!(format!("{first:?}"), format!("{:?}", bench.ask(None)));
    assert!(bench.engine.flush_measures().is_err());
    assert!(bench.engine.rollout().is_ok(), "and still reports its state");
}

#[test]
fn metrics_that_are_switched_off_count_nothing() {
    let mut settings = Settings::default();
    settings.rollout.metrics = false;
    let bench = filled(settings);
    bench.ask(None);
    bench.ask(None);
    assert!(bench.engine.rollout().unwrap().ledger.windows.is_empty());
}

/// Answers to similar questions that all ask for the graph.
fn many(bench: &Bench, count: usize) -> Vec<Made> {
    let one = |number: usize| {
        let text = format!("{QUESTION} {number}");
        bench.engine.recall(&Query { text, ..query(Some(Strategy::HybridGraph)) }).unwrap().made
    };
    let made = (0..count).map(one).collect();
    bench.engine.flush_measures().unwrap();
    made
}

#[test]
fn the_gate_blocks_and_a_higher_mode_is_refused() {
    let bench = filled(Settings::default());
    bench.set(Mode::Canary);
    bench.switch.set(Fault::Walks);
    many(&bench, 20);
    // The window is still open, so nothing is judged.
    assert_eq!(bench.engine.rollout().unwrap().gate.state, GateState::Open);
    bench.pass(DAY);
    bench.switch.set(Fault::None);
    let held = many(&bench, 30);
    assert!(held.iter().all(|m| m.fallback == Some(Fallback::QualityGateBlocked) && !m.shadow), "{held:?}");
    let report = bench.engine.rollout().unwrap();
    assert_eq!(report.gate.state, GateState::Blocked);
    assert!(report.alarms.iter().any(|alarm| alarm.code == "CANARY_QUALITY_GATE_BLOCKED"));
    // Less is always allowed; more requires force, which discards earlier evidence.
    bench.set(Mode::Shadow);
    let refused = bench.engine.set_mode(Mode::Canary, "user", false).unwrap();
    let ModeSet::Refused { reasons, .. } = &refused else { panic!("{refused:?}") };
    assert!(reasons.contains(&"GRAPH_ERROR_RATE_ABOVE_LIMIT"), "{refused:?}");
    bench.engine.set_mode(Mode::Canary, "user", true).unwrap();
    assert_eq!(bench.engine.rollout().unwrap().gate.state, GateState::Open);
}

#[test]
fn a_mended_graph_is_probed_and_comes_back() {
    let bench = filled(Settings::default());
    bench.set(Mode::Canary);
    bench.switch.set(Fault::Walks);
    many(&bench, 20);
    bench.switch.set(Fault::None);
    // After a day of cooling down.
    bench.pass(2 * DAY);
    let probing = many(&bench, 40);
    let probes = probing.iter().filter(|made| made.probe).count();
    assert!((1..40).contains(&probes), "{probes} of 40 probe");
    assert!(probing.iter().all(|made| made.probe != made.shadow), "the others run in shadow");
    bench.pass(DAY);
    let open = many(&bench, 5);
    assert!(
        open.iter().all(|m| m.gate == Some(GateState::Open) && m.applied == Strategy::HybridGraph),
        "{open:?}"
    );
}

#[test]
fn judged_questions_and_feedback_are_counted() {
    let bench = filled(Settings::default());
    let stored = bench.engine.remember(Draft::new("The sessions moved to Redis in March.")).unwrap();
    let query = |query: &str, relevant: &str| JudgedQuery {
        query: query.into(),
        relevant: vec![relevant.into()],
        scope: Scope::default(),
    };
    let name = stored.handle.to_string();
    let judged =
        bench.engine.judge(&[query("When did the sessions move?", &name), query("Redis", &name)]).unwrap();
    assert_eq!((judged.answers.len(), judged.failed()), (2, 0));
    assert!(judged.means().0.recall > 0.0);
    assert!(bench.engine.judge(&[query("Redis", "#ffffff")]).is_err());
    assert!(bench.engine.judge(&[]).is_err());
    bench.switch.set(Fault::Walks);
    assert_eq!(bench.engine.judge(&[query("Redis", &name)]).unwrap().failed(), 1);
    bench.switch.set(Fault::None);
    assert_eq!(bench.engine.rollout().unwrap().open.judged, 2.0);

    let answer = bench.ask(None);
    let give = |answer: Option<&str>, memories: &[&str], good: bool| {
        let memories = memories.iter().map(|name| (*name).to_string()).collect();
        bench.engine.feedback(&FeedbackRequest { answer: answer.map(str::to_string), memories, good })
    };
    let taken = give(Some(&answer.made.id), &[], true).unwrap();
    assert_eq!(taken.credited[0].1.strategy, Some(Strategy::HybridGraph));
    let by_graph = answer.results.iter().find(|result| !result.path.is_empty()).unwrap();
    let handle = by_graph.memory.handle.to_string();
    let taken = give(None, &[&handle], false).unwrap();
    assert_eq!(taken.credited[0].1.answer.as_deref(), Some(answer.made.id.as_str()));
    // Repeated feedback counts once; opposite feedback replaces it.
    give(None, &[&handle], false).unwrap();
    let tally = bench.engine.rollout().unwrap().open;
    assert_eq!((tally.good_graph, tally.bad_graph), (1.0, 1.0));
    give(None, &[&handle], true).unwrap();
    let tally = bench.engine.rollout().unwrap().open;
    assert_eq!((tally.good_graph, tally.bad_graph), (2.0, 0.0));
    assert!(give(Some("q-000000000000"), &[], true).is_err());
    assert!(give(None, &[], true).is_err());
    let stranger = bench.engine.remember(Draft::new("No one asked for this.")).unwrap().handle.to_string();
    assert_eq!(give(None, &[&stranger], true).unwrap().credited[0].1.strategy, None);
    assert!(give(Some(&answer.made.id), &[&stranger], true).is_err());
}
