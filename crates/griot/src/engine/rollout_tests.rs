//! Shadow runs, a failing graph, judged questions and feedback, with a store that fails on demand.

#![allow(clippy::unwrap_used)]

use super::bench::{Bench, NOW};
use super::*;
use crate::model::{Predicate, Scope, Timestamp};
use crate::recall::{Query, Recall};
use crate::remember::Draft;
use crate::rollout::{Fallback, GateState, JudgedQuery, Made, Mode, Strategy, Tally};
use crate::testkit::watched::Fault;

const DAY: i64 = Timestamp::DAY;
const QUESTION: &str = "Why did we move the sessions to Redis?";

fn filled(settings: Settings) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = Bench::on_disk(folder.path(), settings);
    for text in [
        "We moved the sessions to Redis because Postgres was too slow.",
        "Postgres was slow because the disk of the database was full.",
        "Grace ordered a larger disk for the database on Monday.",
        "Ada prefers tabs.",
        "The Redis cluster has three nodes.",
    ] {
        bench.remember(text);
    }
    bench._folder = Some(folder);
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
        assert_eq!(self.engine.set_mode(mode, "user", false).unwrap(), None, "{mode:?}");
    }

    fn open_window(&self) -> Tally {
        self.engine.rollout().unwrap().open
    }
}

/// The whole answer except for how it was made.
fn said(recall: &Recall) -> String {
    let nothing = Made::by(Strategy::Baseline);
    format!("{:?}", Recall { made: nothing, missing: Vec::new(), ..recall.clone() })
}

fn made(recall: &Recall) -> (&str, &str, Option<&str>) {
    let made = &recall.made;
    (made.requested.name(), made.applied.name(), made.fallback.map(Fallback::name))
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
    let measured = |recall: &Recall| (recall.made.graph_candidates, recall.made.expanded);
    assert_eq!(measured(&shadow), measured(&on));
    let tally = bench.open_window();
    assert_eq!((tally.requests, tally.shadow_executions, tally.compared), (3.0, 1.0, 1.0));
    assert_eq!((tally.held_rollout_off, tally.held_shadow_mode, tally.errors()), (1.0, 1.0, 0.0));
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
        answer.missing.iter().any(|missing| missing.part == "the graph was not used"),
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
fn measures_are_written_behind_the_answer_and_change_none() {
    let bench = filled(Settings::default());
    let (first, revision) = (bench.ask(None), bench.engine.read().unwrap().revision());
    let width = bench.engine.settings().rollout.window_ms();
    let written = || bench.engine.backend.telemetry().ledger(width).unwrap().windows.len();
    assert_eq!(written(), 0, "nothing is written with the answer");
    bench.engine.flush_measures().unwrap();
    assert_eq!(written(), 1);
    assert_eq!(bench.engine.read().unwrap().revision(), revision);
    assert_eq!(format!("{first:?}"), format!("{:?}", bench.ask(None)), "the same question and time");
}

#[test]
fn metrics_that_are_switched_off_count_nothing() {
    let mut settings = Settings::default();
    settings.rollout.metrics = false;
    let bench = filled(settings);
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
fn the_gate_blocks_a_failing_graph_and_probes_it_once_it_is_mended() {
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

    bench.pass(DAY);
    let probing = many(&bench, 40);
    let probes = probing.iter().filter(|made| made.probe).count();
    assert!((1..40).contains(&probes), "{probes} of 40 probe");
    assert!(probing.iter().all(|made| made.probe != made.shadow), "the others run in shadow");
    bench.pass(DAY);
    let open = many(&bench, 5);
    let is_open = |m: &Made| m.gate == Some(GateState::Open) && m.applied == Strategy::HybridGraph;
    assert!(open.iter().all(is_open), "{open:?}");
}

#[test]
fn judged_questions_are_counted() {
    let bench = filled(Settings::default());
    let stored = bench.engine.remember(Draft::new("The sessions moved to Redis in March.")).unwrap();
    let name = stored.handle.to_string();
    let judge = |questions: &[(&str, &str)]| {
        let question = |(query, relevant): &(&str, &str)| JudgedQuery {
            query: query.to_string(),
            relevant: vec![relevant.to_string()],
            scope: Scope::default(),
        };
        bench.engine.judge(&questions.iter().map(question).collect::<Vec<_>>())
    };
    let judged = judge(&[("When did the sessions move?", &name), ("Redis", &name)]).unwrap();
    assert_eq!((judged.answers.len(), judged.failed()), (2, 0));
    assert!(judged.means().0.recall > 0.0);
    assert!(judge(&[("Redis", "#ffffff")]).is_err());
    assert!(judge(&[]).is_err());
    let unlabelled = JudgedQuery { query: "Redis".into(), relevant: Vec::new(), scope: Scope::default() };
    assert!(bench.engine.judge(&[unlabelled]).is_err());
    bench.switch.set(Fault::Walks);
    assert_eq!(judge(&[("Redis", &name)]).unwrap().failed(), 1);
    assert_eq!(bench.open_window().judged, 2.0);
}

#[test]
fn feedback_is_counted_once_for_each_result() {
    let bench = filled(Settings::default());
    let answer = bench.ask(None);
    let give = |answer: Option<&str>, memories: &[&str], good: bool| {
        let memories = memories.iter().map(|name| (*name).to_string()).collect();
        bench.engine.feedback(&FeedbackRequest { answer: answer.map(str::to_string), memories, good })
    };
    let id = Some(answer.made.id.as_str());
    assert_eq!(give(id, &[], true).unwrap().credited[0].1.strategy, Some(Strategy::HybridGraph));
    let by_graph = answer.results.iter().find(|result| !result.path.is_empty()).unwrap();
    let handle = by_graph.memory.handle.to_string();
    let graph_votes = || (bench.open_window().good_graph, bench.open_window().bad_graph);
    for (good, expected) in [(false, (1.0, 1.0)), (false, (1.0, 1.0)), (true, (2.0, 0.0))] {
        let taken = give(None, &[&handle], good).unwrap();
        assert_eq!(taken.credited[0].1.answer.as_deref(), id);
        assert_eq!(graph_votes(), expected);
    }
    let stranger = bench.engine.remember(Draft::new("No one asked for this.")).unwrap().handle.to_string();
    assert_eq!(give(None, &[&stranger], true).unwrap().credited[0].1.strategy, None);
    for (answer, memories) in [(Some("q-000000000000"), &[][..]), (None, &[]), (id, &[stranger.as_str()])] {
        assert!(give(answer, memories, true).is_err(), "{answer:?} {memories:?}");
    }
}

#[test]
fn the_status_counts_entities_without_an_edge_and_the_edges_of_the_others() {
    let bench = filled(Settings::default());
    let status = bench.engine.graph_status(3).unwrap();
    assert_eq!((status.hubs.len(), status.ends.len(), status.orphan_entities), (3, 3, 0));
    for (hub, ends) in status.hubs.iter().zip(&status.ends) {
        assert_eq!(u64::from(hub.degree), ends.mentions + ends.outbound + ends.inbound, "{hub:?}");
    }
    // Both ends of a fact are entities, and a fact is no edge.
    let fact = FactDraft {
        subject: "Hopper".to_string(),
        predicate: Predicate::Uses,
        object: "Linker".to_string(),
        valid_from: None,
        valid_to: None,
        confidence: None,
        memory: None,
        reason: None,
        scope: Scope::default(),
    };
    bench.engine.add_fact(&fact).unwrap();
    assert_eq!(bench.engine.graph_status(3).unwrap().orphan_entities, 2);
}
